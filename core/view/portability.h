/* SPDX-License-Identifier: BSD-3-Clause */
/* Performance portability: how the best variant of each device does on the others. */
#ifndef CLOPT_VIEW_PORTABILITY_H
#define CLOPT_VIEW_PORTABILITY_H

#include "base/text.h"
#include "document/document.h"
#include "view/view.h"

/* The variants of a view by their performance portability over its devices.
 *
 * The metric of a row is the harmonic mean of its efficiencies on all devices that count. It is 0
 * where the variant failed on one of them, and NaN where it failed on none, but has no verified
 * time on one: it may still be right there. An efficiency over 1, which means that the variant
 * cannot be told apart from the best, counts as 1. The metric is that of S. J. Pennycook, J. D.
 * Sewall and V. W. Lee, "Implications of a metric for performance portability", Future Generation
 * Computer Systems 92, 2019, with application efficiency.
 *
 * Its interval combines those of the efficiencies, of which each device has independent ones, by
 * their distances from the estimates (Zou and Donner, Statistics in Medicine 27, 2008), applied to
 * the mean of the reciprocals. It is attained where all of theirs are. */
struct clopt_portability {
    const struct clopt_view *view;  /* borrowed */
    bool *counts;                   /* a device: some variant was tried there, and its trials are
                                     * not those of an earlier device, of which it is another name */
    size_t best_count;              /* devices that count and have a best variant */
    struct clopt_interval *metrics; /* one a row of the view */
    bool *listed;   /* rows of the matrix: the best of a device, the most portable, initial code */
    size_t most;    /* the row with the highest metric, the first one of equals, or CLOPT_NO_ROW */
    size_t initial; /* the row of the initial code, or CLOPT_NO_ROW */
};

enum clopt_status clopt_portability_init(struct clopt_portability *portability,
                                         const struct clopt_view *view, struct clopt_error *error);
void clopt_portability_fini(struct clopt_portability *portability);

/* Appends the matrix where at least two devices have a best variant, and says which variant is the
 * most portable, and how portable the initial code is. */
enum clopt_status clopt_portability_report(const struct clopt_view *view,
                                           struct clopt_document *document,
                                           struct clopt_notes *notes, struct clopt_error *error);

/* Appends that sentence alone. */
void clopt_portability_say(struct clopt_text *text, const struct clopt_portability *portability);

/* Makes the matrices for machines: an array with one object a view that has one. NULL when it
 * fails. */
json_t *clopt_portability_to_json(const struct clopt_results *results, struct clopt_error *error);

#endif
