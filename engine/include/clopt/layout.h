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
