/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches the compositions of a study's optimizations for the fastest variant of a kernel. */
#pragma once

#include "search/search.h"
#include "space/study.h"

struct clopt_tuner;

/* Starts to search for a kernel of a group, as [search] says; `device` (NULL: unknown) says what it
 * can do. All three must outlive the tuner. */
enum clopt_status clopt_tuner_create(const struct clopt_study *study, size_t group, size_t kernel,
                                     const struct clopt_device_info *device,
                                     struct clopt_tuner **tuner, struct clopt_error *error);
void clopt_tuner_destroy(struct clopt_tuner *tuner);

/* Chooses a variant that can be tried, as far as that is known without rewriting it; `*number`
 * counts up from 0, and `*ordinal` (1 and more) is the same for the same variant. `*more` is false
 * where none is left, or found. The caller ends the trial with clopt_trial_fini(). */
enum clopt_status clopt_tuner_ask(struct clopt_tuner *tuner, size_t *number,
                                  struct clopt_trial *trial, uint64_t *ordinal, bool *more,
                                  struct clopt_error *error);

/* Makes one that was asked for once more. */
enum clopt_status clopt_tuner_trial(const struct clopt_tuner *tuner, size_t number,
                                    struct clopt_trial *trial, uint64_t *ordinal,
                                    struct clopt_error *error);

/* Tells what became of one: clopt_search_tell(). */
void clopt_tuner_tell(struct clopt_tuner *tuner, size_t number, double time, double cost_s);

/* Tells that one has turned out infeasible: `reason` begins with the name of the step that refused,
 * where there are several. No variant that begins with the same steps is asked for again. */
enum clopt_status clopt_tuner_refuse(struct clopt_tuner *tuner, size_t number, const char *reason,
                                     struct clopt_error *error);

/* ---- what the searches of a study would try first, for dry runs ---- */
