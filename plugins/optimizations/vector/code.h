/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a kernel for merged work-items that are the lanes of vectors. */
#ifndef VECTOR_CODE_H
#define VECTOR_CODE_H

#include <clopt/source.h>

#include "alignment.h"
#include "plan.h"

#define CODE_MOST_LANES 16
#define CODE_SCALARS    (CLOPT_SCALAR_DOUBLE + 1)

struct share;

/* How much was shared so far (share.h). */
struct share_mark {
    size_t placed_count;
    size_t count;
    size_t until;
};

struct code {
    unsigned width;
    struct clopt_source *source;
    const struct clopt_merging *merging; /* NULL: lanes are turns of a loop */
    const struct clopt_divergence *divergence;
    const struct plan *plan;
    const struct alignment *alignment; /* NULL: nothing is known to be aligned */
    struct share *share;               /* NULL: overlapping loads stay loads */
    struct clopt_output *output;
    struct clopt_printer printer;
    const char **names; /* [variable * width + lane]: of scalars; of a vector that stands for a
                           parameter, at lane 0; NULL: its own */
    const char *numbers[CODE_SCALARS]; /* by type: the name of the vector 0, 1, 2, ...; or NULL */
    unsigned lane;                     /* that is printed */
    size_t region_begin; /* what is declared in a region that is printed for one lane keeps its
                            name, and is a scalar there */
    size_t region_end;
    const char *leave;                 /* the label to go to instead of returning, or NULL */
    bool left;                         /* it was used */
    unsigned numbered;                 /* names so far */
    unsigned gains;                    /* vector operations, loads and stores so far */
    const struct clopt_node *obstacle; /* the first thing that was left to the lanes, or NULL */
    const char *reason;                /* why */
    bool failed;                       /* memory has run out */
};

/* ---- text ---- */

void code_put(struct code *code, const char *text);
void code_printf(struct code *code, const char *format, ...) CLOPT_PRINTF(2, 3);

/* Puts a part of the source's text. */
void code_copy(struct code *code, size_t begin, size_t end);

/* Names that are not taken; the second counts them up. */
const char *code_fresh(struct code *code, const char *base, unsigned number);
const char *code_number(struct code *code, const char *base);

/* Remembers what kept a node from becoming vector code. */
void code_note(struct code *code, const struct clopt_node *node, const char *reason);

bool code_diverges(const struct code *code, const struct clopt_node *node);

/* ---- trying ---- */

/* What is printed on trial, to be kept if it gains something. */
struct code_attempt {
    struct clopt_output *outer;
    unsigned gains;
    struct share_mark shared;
};

/* Begins an attempt; false where memory runs out. */
bool code_begin_attempt(struct code *code, struct code_attempt *attempt);

/* Ends an attempt, and keeps it where there is something to gain. */
bool code_end_attempt(struct code *code, const struct code_attempt *attempt);

/* ---- lanes ---- */

void code_init_printer(struct code *code);

/* Puts a node as one lane executes it. */
void code_put_lane(struct code *code, const struct clopt_node *node, unsigned lane);

/* ---- expressions ---- */

/* Whether vectors can hold what an expression gives. */
bool code_has_vectors(const struct clopt_node *node);

/* Whether lanes may evaluate an expression for which the kernel does not: it has no effect, reads
 * no memory and cannot trap. */
bool code_is_safe(const struct clopt_node *node);

/* Whether evaluating an expression once more or in another order makes a difference. */
bool code_has_effects(const struct clopt_node *node);

/* Puts the value of an expression, converted to a type: as a vector if it diverges. A uniform one
 * is a scalar unless `splat`. */
void code_put_value(struct code *code, const struct clopt_node *node, enum clopt_scalar type,
                    bool splat);

/* Puts what vectors of a type are called, such as float16. */
void code_put_type(struct code *code, enum clopt_scalar type);

/* ---- masks ---- */

/* Whether an expression is a comparison, && or ||. */
bool code_is_truth(const struct clopt_node *node);

/* Puts a condition as an int vector of 0 and -1, fit to be an operand if `tight`. */
void code_put_mask(struct code *code, const struct clopt_node *node, bool tight);

/* Puts the text of a mask variable as select operators on a type want it. */
void code_put_mask_for(struct code *code, const char *mask, enum clopt_scalar type);

/* ---- places ---- */

/* Whether a node names a variable, or an element of an array, that is a vector at the same place
 * for all lanes; and puts it. */
bool code_is_vector_place(const struct code *code, const struct clopt_node *node);
void code_put_vector_place(struct code *code, const struct clopt_node *node);

/* Whether a node names neighbouring elements of memory, upwards or downwards. */
bool code_is_row(const struct code *code, const struct clopt_node *node, int64_t *stride);

/* Whether a row is aligned like a vector, and puts it as one that may be read and written. */
bool code_is_aligned_row(const struct code *code, const struct clopt_node *node, int64_t stride);
void code_put_aligned_row(struct code *code, const struct clopt_node *node);

/* Puts the address of the first of the elements in memory. */
void code_put_row_address(struct code *code, const struct clopt_node *node, int64_t stride);

/* Puts the swizzle that turns a vector around. */
void code_put_reversal(struct code *code);

/* ---- assignments ---- */

/* Puts what an assignment, ++ or -- leaves in its place, as a vector. */
void code_put_new_value(struct code *code, const struct clopt_node *node);

/* Puts an expression that is a statement with its semicolon, or that stands in a for's head. */
void code_put_expression(struct code *code, const struct clopt_node *node, bool in_head);

/* ---- selection ---- */

/* Whether the sides of a divergent if are cheap and safe, so that all lanes may go through both. */
bool code_can_select(const struct code *code, const struct clopt_node *node);

/* Puts a divergent if as selections by a mask. */
void code_put_selection(struct code *code, const struct clopt_node *node);

/* ---- statements ---- */

/* Puts a statement. */
void code_put_statement(struct code *code, const struct clopt_node *node);

/* Puts the vectors of lane numbers that were used so far. */
void code_put_numbers(struct code *code, struct clopt_output *output);

/* Puts the body of the kernel with its braces. */
enum clopt_status code_put_body(struct code *code, struct clopt_error *error);

#endif
