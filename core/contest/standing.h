/* SPDX-License-Identifier: BSD-3-Clause */
/* How the contenders of a contest compare with the initial code and with the best of them, and
 * which of them need more samples for that. */
#ifndef CLOPT_CONTEST_STANDING_H
#define CLOPT_CONTEST_STANDING_H

#include "contest/contest.h"

/* Estimates the time of a kernel of one contender over that of another. */
struct clopt_interval clopt_standing_ratio(const struct clopt_contest *contest,
                                           const struct clopt_contender *above,
                                           const struct clopt_contender *below, size_t kernel);

/* Whether a contender has samples of a kernel that is reported. */
bool clopt_standing_has_samples(const struct clopt_contender *contender, size_t kernel);

/* What is known of a kernel of a contender. */
struct clopt_judgement {
    bool slower;    /* than the best, surely */
    bool no_gain;   /* it is not faster than that by more than the study accepts to lose */
    bool different; /* from the initial code, surely */
    bool precise;
};
struct clopt_judgement clopt_standing_judge(const struct clopt_contest *contest,
                                            const struct clopt_contender *contender, size_t kernel);

/* Finds the best contender of each kernel. */
void clopt_standing_find_leaders(struct clopt_contest *contest);

/* Whether a contender is so much slower than the best that it gets no more samples. */
bool clopt_standing_is_hopeless(const struct clopt_contest *contest,
                                const struct clopt_contender *contender);

/* Whether more samples of a contender would change no answer of the study: it is surely slower than
 * the best, and (where the study wants a table) surely faster or slower than the initial code; or
 * its ratio is known well enough, or as well as the study's limits allow. */
bool clopt_standing_is_settled(const struct clopt_contest *contest,
                               const struct clopt_contender *contender);

/* Whether a contender has used up what it may. */
bool clopt_standing_is_spent(const struct clopt_measure *measure,
                             const struct clopt_contender *contender);

/* Whether a contender needs no more samples from a process. */
bool clopt_standing_has_enough(const struct clopt_contest *contest,
                               const struct clopt_contender *contender, uint32_t process);

/* How many samples of a contender may come from a process, and the seconds that they may still
 * take. */
uint64_t clopt_standing_most_samples(const struct clopt_measure *measure);
double clopt_standing_seconds_left(const struct clopt_contest *contest,
                                   const struct clopt_contender *contender, uint32_t process);

/* Ends the contenders that need no more samples, and whose samples the store has. */
void clopt_standing_decide(struct clopt_contest *contest);

/* Whether a finalist may be the best of some kernel, by its samples. */
bool clopt_standing_may_win(const struct clopt_contest *contest,
                            const struct clopt_contender *contender);

/* Makes finalists of the contenders that are over and among the best, and frees the others. */
void clopt_standing_release(struct clopt_contest *contest);

/* Records the noise of every kernel, and of the whole run, by the initial code and its double, and
 * their drift. */
void clopt_standing_put_noise(const struct clopt_contest *contest);

#endif
