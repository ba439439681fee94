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

/* Ends the contenders that need no more samples, and whose samples the store has. */
void clopt_standing_decide(struct clopt_contest *contest);

/* Whether a finalist may be the best of some kernel, by its samples. */
bool clopt_standing_may_win(const struct clopt_contest *contest,
                            const struct clopt_contender *contender);

/* Makes finalists of the contenders that are over and among the best, and frees the others. */
void clopt_standing_release(struct clopt_contest *contest);

/* Has the finalists that may win, where there are several, compared with each other in sweeps that
 * all of them take part in, one on each member of the device. False: there is nothing to compare,
 * or there were sweeps enough. */
bool clopt_standing_race(struct clopt_contest *contest);
void clopt_standing_end_sweep(struct clopt_contest *contest, size_t member); /* after any sweep */

/* The next finalist that may win and is to be checked with another problem, the initial code first;
 * NULL: none. No job checks one with it meanwhile. */
struct clopt_contender *clopt_standing_to_recheck(struct clopt_contest *contest, unsigned problem);

/* Records the noise of every kernel, and of the whole run, by the initial code and its double, and
 * their drift. */
void clopt_standing_put_noise(const struct clopt_contest *contest);

#endif
