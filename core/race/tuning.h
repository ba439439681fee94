/* SPDX-License-Identifier: BSD-3-Clause */
/* What the searches of a race ask for, and are told.
 *
 * Variants are asked for in generations: on a CPU, where nothing is built while something is
 * measured, the next one when the last is over; on a GPU one is built while the one before is
 * measured. Variants that turn out infeasible, or the same program as another one, when they are
 * made take no trial: as soon as all of a generation are made, others are asked for instead. So
 * what is asked for depends on nothing but what the store holds in the end, and a study that was
 * interrupted asks for the same again, which is answered from there. */
#pragma once

#include "race/race.h"

struct clopt_tuning *clopt_tuning_create(const struct clopt_race *race);
void clopt_tuning_destroy(struct clopt_tuning *tuning);

/* Tells the searches what is known by now. */
void clopt_tuning_advance(struct clopt_race *race);

/* Whether another variant is to be asked for now, and whether none will ever be. */
bool clopt_tuning_wants(const struct clopt_tuning *tuning);
bool clopt_tuning_is_over(const struct clopt_tuning *tuning);

/* Asks for one: gives the candidate its trial and index; false where there was none. */
bool clopt_tuning_ask(struct clopt_race *race, struct clopt_candidate *candidate);

/* Takes note under which key the store knows the variant that was asked for last. */
void clopt_tuning_enter(struct clopt_tuning *tuning, const struct clopt_candidate *candidate);

/* Makes the variant as which a candidate is shown, with its index: of those that are the same
 * program, the first that was asked for. False: there is none. */
bool clopt_tuning_find_shown(const struct clopt_race *race, const struct clopt_candidate *candidate,
                             struct clopt_trial *trial, uint64_t *index);

/* Asks for no more. */
void clopt_tuning_stop(struct clopt_tuning *tuning);

/* Takes note of a candidate that has no result as the search was stopped. */
void clopt_tuning_leave_out(struct clopt_tuning *tuning, const struct clopt_candidate *candidate);

/* Goes on after that, with those that were left out first, where there is something to ask for. */
bool clopt_tuning_can_resume(const struct clopt_tuning *tuning);
void clopt_tuning_resume(struct clopt_tuning *tuning);

/* How many trials there were, and how many there will be: 0, where only time limits them. */
uint64_t clopt_tuning_trials(const struct clopt_tuning *tuning);
uint64_t clopt_tuning_limit(const struct clopt_tuning *tuning);
