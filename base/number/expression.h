/* SPDX-License-Identifier: BSD-3-Clause */
/* What clopt itself does with expressions. */
#pragma once

#include <clopt/expression.h>

/* Evaluates an expression as a condition: any value but 0 is true. */
enum clopt_status clopt_expression_evaluate_condition(const struct clopt_expression *expression,
                                                      clopt_expression_lookup lookup, void *user,
                                                      bool *value, struct clopt_error *error);
