/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files that print selects share. */
#ifndef BRANCHES_SELECTS_PARTS_H
#define BRANCHES_SELECTS_PARTS_H

#include "selects.h"

/* A condition that holds where a side is meant. */
struct guard {
    const struct guard *outer;
    const char *name;
    bool negative;
};

/* ---- parts of statements ---- */

void selects_put(struct selects *selects, const char *text);
void selects_begin_line(struct selects *selects);
void selects_print(struct selects *selects, const struct clopt_node *node);

/* Prints an operand of ?: or an initial value. */
void selects_put_operand(struct selects *selects, const struct clopt_printer *printer,
                         const struct clopt_node *node);

/* Puts the type of a variable behind so many subscripts. */
void selects_put_type(struct selects *selects, const struct clopt_variable *variable,
                      size_t subscripts);

/* Puts a condition that holds where the text is wanted, and tells whether it was negated to be
 * short. */
bool selects_put_guard(struct selects *selects, bool may_negate);

/* What a variable is called now. */
const char *selects_name(const struct selects *selects, const struct clopt_variable *variable);

/* Makes a name that nothing has; copies of variables of one name are numbered together. */
const char *selects_fresh(struct selects *selects, const char *base, unsigned number);
const char *selects_fresh_copy(struct selects *selects, const struct clopt_variable *variable);

/* ---- memory ---- */

/* Puts a read that is safe where the side is not taken, if it is not so by itself. */
bool selects_put_read(struct selects *selects, const struct clopt_node *node);

/* Puts a write to an element of an array in private memory, which gets what it has where the side
 * is not taken. */
void selects_put_element(struct selects *selects, const struct clopt_node *node,
                         const struct clopt_node *place);

/* Puts a store that both sides do as a copy's value; false where a statement is none. */
bool selects_put_stored(struct selects *selects, const struct clopt_node *node);

/* Puts those stores, behind both sides. */
void selects_put_stores(struct selects *selects, const char *taken);

#endif
