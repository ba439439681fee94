/* SPDX-License-Identifier: BSD-3-Clause */
/* An element of an array that statements access, and nothing else meanwhile. */
#ifndef CLOPT_REWRITE_SCALAR_ELEMENT_H
#define CLOPT_REWRITE_SCALAR_ELEMENT_H

#include <clopt/loop.h>

struct clopt_element {
    const struct clopt_node *node;      /* how it is named */
    struct clopt_node *const *children; /* statements one after the other */
    size_t child_count;
    bool guarded; /* they are one loop, which may have no iteration; else it accesses the element */
    bool opened;  /* the first of them gives it a value, whatever it held before */
};

/* Whether an access is to an element at a subscript that does not change in a loop. */
bool clopt_element_is_still(const struct clopt_node *loop, const struct clopt_access *access);

/* Whether an expression names the element. */
bool clopt_element_is(const struct clopt_element *element, const struct clopt_node *node);

/* Whether a statement or expression names the element anywhere. */
bool clopt_element_is_in(const struct clopt_element *element, const struct clopt_node *node);

/* Finds out whether a private variable may replace the element in its statements, which are all
 * known but for `guarded` and `opened`: they are executed one after the other, write the element
 * in any case, and access it by its name alone. `may` is set so. */
enum clopt_status clopt_element_check(struct clopt_element *element, bool *may,
                                      struct clopt_error *error);

#endif
