/* SPDX-License-Identifier: BSD-3-Clause */
/* The best contenders of each kernel of a contest: they are compared once more, and checked. */
#ifndef CLOPT_CONTEST_FINALISTS_H
#define CLOPT_CONTEST_FINALISTS_H

#include "contest/contest.h"

/* Makes finalists of the contenders that are over and among the best, and frees the others. */
void clopt_finalists_release(struct clopt_contest *contest);

/* Has the finalists that may win, where there are several, compared with each other in sweeps that
 * all of them take part in, one on each member of the device. False: there is nothing to compare,
 * or there were sweeps enough. */
bool clopt_finalists_race(struct clopt_contest *contest);
void clopt_finalists_end_sweep(struct clopt_contest *contest, size_t member); /* after any sweep */

/* The next finalist that may win and is to be checked with another problem, the initial code first;
 * NULL: none. No job checks one with it meanwhile. */
struct clopt_contender *clopt_finalists_to_recheck(struct clopt_contest *contest, unsigned problem);

#endif
