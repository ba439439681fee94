/* SPDX-License-Identifier: BSD-3-Clause */
/* What programs are told of a run: all of it, and each variant of each kernel, for each problem and
 * device. doc/clopt-report.1 explains the fields; those of samples say ns where the objective is
 * time. */
#ifndef CLOPT_VIEW_FIELDS_H
#define CLOPT_VIEW_FIELDS_H

#include "document/document.h"
#include "results/results.h"

#define CLOPT_FIELD_COUNT 85

/* Adds the run, its devices and stages, the portability of variants, and a row a result. */
void clopt_results_add_data(const struct clopt_results *results, struct clopt_document *document,
                            struct clopt_error *error);

/* Makes the run alone: null where there is none; NULL when memory runs out. */
json_t *clopt_results_run_to_json(const struct clopt_results *results);

#endif
