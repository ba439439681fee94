/* SPDX-License-Identifier: BSD-3-Clause */
/* What the fastest samples of processes say. Other programs lengthen samples, and shorten none: on
 * busy cores a process's median moves by 10%, and that of its fastest fifth by 1%. */
#pragma once

#include "results/results.h"
#include "store/store.h"

/* Finds the median of the fastest fifth of a result's samples, in each process. */
enum clopt_status clopt_fastest_read(struct clopt_store *store,
                                     const struct clopt_results_table *table,
                                     const struct clopt_result *result,
                                     struct clopt_medians *medians, struct clopt_error *error);

/* Finds the speed of a row over that of an initial code, by the same of both. */
enum clopt_status clopt_fastest_speed(struct clopt_store *store,
                                      const struct clopt_results_table *table,
                                      const struct clopt_result *initial,
                                      const struct clopt_result *row, struct clopt_medians *speed,
                                      struct clopt_error *error);
