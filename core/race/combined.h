/* SPDX-License-Identifier: BSD-3-Clause */
/* The best variants of the kernels of an app, joined in one variant of the whole app.
 *
 * Each trial of a race has times of all kernels, and changes one of them by its steps. What
 * knobs and parameters set holds for all kernels, so the best variants of the kernels are found
 * among the trials of one such setting: of that with which the kernels take least together, and of
 * the initial code's, since what rewriting alone brings is a question, too. What is found depends
 * on nothing but the samples in the store: a study that is started again finds the same. */
#pragma once

#include "race/race.h"

struct clopt_combined;

void clopt_combined_destroy(struct clopt_combined *combined);

/* Whether the race is to have such a variant. */
bool clopt_combined_is_wanted(const struct clopt_race *race);

/* Takes note of the times of a candidate that the race forgets. */
void clopt_combined_note(struct clopt_race *race, const struct clopt_candidate *candidate);

/* Once all others are over, enters the combined variants that there are, and shows them. True:
 * there is one to be measured. */
bool clopt_combined_enter(struct clopt_race *race);
