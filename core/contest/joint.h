/* SPDX-License-Identifier: BSD-3-Clause */
/* The best variants of the kernels of an app, joined in one variant of the whole app.
 *
 * Each trial of a contest has times of all kernels, and changes one of them by its steps. What
 * knobs and parameters set holds for all kernels, so the best variants of the kernels are found
 * among the trials of one such setting: of that with which the kernels take least together, and of
 * the initial code's, since what rewriting alone brings is a question, too. What is found depends
 * on nothing but the samples in the store: a study that is started again finds the same. */
#ifndef CLOPT_CONTEST_JOINT_H
#define CLOPT_CONTEST_JOINT_H

#include "contest/contest.h"

struct clopt_joint;

void clopt_joint_destroy(struct clopt_joint *joint);

/* Whether the contest is to have such a variant. */
bool clopt_joint_is_wanted(const struct clopt_contest *contest);

/* Takes note of the times of a contender that the contest forgets. */
void clopt_joint_note(struct clopt_contest *contest, const struct clopt_contender *contender);

/* Once all others are over, enters the joint variants that there are, and shows them. True: there
 * is one to be measured. */
bool clopt_joint_enter(struct clopt_contest *contest);

#endif
