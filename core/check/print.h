/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what `clopt check` found. */
#ifndef CLOPT_CHECK_PRINT_H
#define CLOPT_CHECK_PRINT_H

#include <jansson.h>
#include <stdio.h>

#include <clopt/error.h>

/* What was found is an array of runs: {"app", "inputs", "variant", "device", "source", "accesses",
 * "skipped", "passes", "findings"}. */
enum clopt_status clopt_check_print_text(const json_t *runs, FILE *stream,
                                         struct clopt_error *error);
enum clopt_status clopt_check_print_csv(const json_t *runs, FILE *stream,
                                        struct clopt_error *error);
enum clopt_status clopt_check_print_sarif(const json_t *runs, FILE *stream,
                                          struct clopt_error *error);

#endif
