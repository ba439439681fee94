/* SPDX-License-Identifier: BSD-3-Clause */
/* What is reported of one variant of one kernel, for one problem, on one device, for machines. */
#ifndef CLOPT_VIEW_FIELDS_H
#define CLOPT_VIEW_FIELDS_H

#include <jansson.h>

#include "results/results.h"

#define CLOPT_FIELD_COUNT 83

/* Names in the order of the columns; doc/clopt-report.1 explains them. Those of samples say ns
 * where the objective is time. */
const char *clopt_field_name(const struct clopt_results *results, size_t field);

/* Called for every result; a status other than CLOPT_OK ends it. `values` are in the order of the
 * names; null where there is nothing to say. */
typedef enum clopt_status (*clopt_visit_fields)(void *user, json_t *const *values,
                                                struct clopt_error *error);

enum clopt_status clopt_results_visit(const struct clopt_results *results, clopt_visit_fields visit,
                                      void *user, struct clopt_error *error);

/* Makes the run for machines: null where there is none; NULL when memory runs out. */
json_t *clopt_results_run_to_json(const struct clopt_results *results);

/* Print a field of a line of CSV, after a comma unless it is the first. */
void clopt_csv_print(FILE *stream, const json_t *value, bool first);
void clopt_csv_print_text(FILE *stream, const char *text, bool first);

#endif
