/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives a buffer another layout: rewrites how a kernel accesses it, and says how the host permutes
 * it before and after. (As MAPer of Fang and Varbanescu: CLVectorizer, 2011, which has patterns of
 * access changed by device.) */
#pragma once

#include <clopt/rewrite.h>

enum clopt_layout_kind {
    CLOPT_LAYOUT_SOA,        /* of rows of a known length, an array for each element of a row */
    CLOPT_LAYOUT_AOS,        /* what has an array for each field gets them side by side */
    CLOPT_LAYOUT_TRANSPOSED, /* columns one after the other */
    CLOPT_LAYOUT_BLOCKED,    /* `block` rows interleaved */
};

/* Rewrites all accesses to what a parameter of the kernel points to, and adds the layout, with the
 * argument that it may need, to `change`. CLOPT_INFEASIBLE names the line: an access is not known,
 * or not proved to be inside a row. */
CLOPT_API enum clopt_status clopt_layout_change(struct clopt_source *source,
                                                struct clopt_variable *parameter,
                                                enum clopt_layout_kind kind, unsigned block,
                                                struct clopt_ndrange_change *change,
                                                struct clopt_error *error);

/* ---- rows that work-items have for themselves ---- */

/* An access to an element of a row. */
struct clopt_own_element {
    struct clopt_node *node;    /* the subscript */
    struct clopt_affine column; /* its number in the row, of the symbols below */
    struct clopt_node *index;   /* the same as an expression */
};

struct clopt_own_rows {
    int64_t width;                           /* elements of a row */
    const struct clopt_node *const *symbols; /* what columns consist of; symbol 1 is the first */
    struct clopt_own_element *elements;
    size_t count;
};

/* Finds rows of a known length in what a parameter of the kernel points to, where each work-item
 * accesses that row alone whose number is its global identity in dimension 0, whatever the launch.
 * What it finds is the source's memory. CLOPT_INFEASIBLE names the line; messages begin with
 * `step`. */
CLOPT_API enum clopt_status clopt_own_rows_find(struct clopt_source *source,
                                                struct clopt_variable *parameter, const char *step,
                                                struct clopt_own_rows *rows,
                                                struct clopt_error *error);
