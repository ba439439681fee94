/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows what a study would try, without trying it. */
#pragma once

#include "space/study.h"

/* What a study that searches would try first: gives the next trial of a group, which the caller
 * ends, until *more is false. */
struct clopt_dry_run_search {
    enum clopt_status (*next)(void *user, size_t group, struct clopt_trial *trial, bool *more,
                              struct clopt_error *error);
    void *user;
};

/* Prints every trial with its parameters, which are infeasible and why, and how many there are.
 * `devices` has one entry for each device of the study; NULL: not known, their limits are not
 * checked. Trials are printed as they are made: a space of a million starts at once. `json` makes
 * it one JSON object: {"trials": [...], "rivals": [...], "count": N, "infeasible": N, "not_chosen":
 * N, "not_feasible": N}. `search` is NULL where there is none. */
enum clopt_status clopt_dry_run_print(const struct clopt_study *study,
                                      const struct clopt_device_info *devices,
                                      const struct clopt_dry_run_search *search, FILE *stream,
                                      bool json, struct clopt_error *error);
