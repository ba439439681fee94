/* SPDX-License-Identifier: BSD-3-Clause */
/* What an app does with its results: learns, checks, summarizes and writes them. */
#pragma once

#include "data.h"
#include "plan.h"

/* What belongs to one problem. */
struct kernel_state {
    const struct kernel_definition *definition;
    struct kernel_datum data[KERNEL_MOST_ARGUMENTS];
    struct kernel_plan plan;
    bool approximate; /* the program that the results were learned from is; see clopt/app.h */
};

/* The operations of an app (clopt/app.h) that are about results. */
enum clopt_status kernel_result_learn(void *user, const struct clopt_problem *problem,
                                      struct clopt_session *session);
enum clopt_status kernel_result_check(void *user, const struct clopt_problem *problem,
                                      struct clopt_session *session, struct clopt_verdict *verdict);
enum clopt_status kernel_result_summarize(void *user, const struct clopt_problem *problem,
                                          struct clopt_session *session, FILE *stream);
enum clopt_status kernel_result_write(void *user, const struct clopt_problem *problem,
                                      struct clopt_session *session, unsigned result, FILE *stream);
