/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files share that place pointers to any address space. */
#pragma once

#include "kernel/tree.h"
#include "text/token.h"

struct placing {
    struct clopt_source *source;
    enum clopt_space *held;    /* by variable: what its values point to, as far as seen */
    enum clopt_space *results; /* by function: what its result points to */
    bool *placed;              /* by variable: it is declared otherwise */
    size_t copy_count;
    bool changed;
};

/* The address space that a value points to; CLOPT_SPACE_GENERIC: any, more: none, it is null. */
enum clopt_space clopt_generic_value(const struct placing *placing, const struct clopt_node *node);

/* The stars of a declaration, or a part of it; more than one where it names the space itself. */
unsigned clopt_generic_stars(const char *text, size_t begin, size_t end);

/* Finds where parameter `number` begins and ends, in the parentheses after `at`. */
bool clopt_generic_find_parameter(const char *text, size_t at, size_t number, size_t *begin,
                                  size_t *end);

/* The next call of a function after another one (NULL: the first) in all that the kernel reaches.
 */
struct clopt_node *clopt_generic_next_call(const struct placing *placing,
                                           const struct clopt_function *function,
                                           const struct clopt_node *last);

/* Whether two calls of a function hand over pointers to the same spaces. */
bool clopt_generic_calls_same(const struct placing *placing, const struct clopt_node *a,
                              const struct clopt_node *b);

/* Whether a function has pointers to any space, and all its calls say which these are. */
bool clopt_generic_is_ready(struct placing *placing, const struct clopt_function *function);

/* Whether something that the kernel does not reach calls a function. */
bool clopt_generic_is_shared(const struct placing *placing, const struct clopt_function *function);

/* Writes what was placed, and copies functions; false where there is nothing to write. */
bool clopt_generic_edit(struct placing *placing);
