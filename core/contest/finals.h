/* SPDX-License-Identifier: BSD-3-Clause */
/* The finalists of a contest: what is lost by naming one of them, and the sweeps in which they
 * meet. */
#ifndef CLOPT_CONTEST_FINALS_H
#define CLOPT_CONTEST_FINALS_H

#include "contest/contest.h"

/* Names the best contender of each kernel, and estimates what that costs: see clopt_field_name().
 */
void clopt_finals_name(struct clopt_contest *contest);

/* Has the finalists that may win, where there are several, compared with each other in sweeps that
 * all of them take part in, one on each member of the device, until they have met in as many
 * processes as the study asks for; then those that leave it open whether what is named costs more
 * than the study accepts, while `left_s` is positive. False: there is nothing to compare, or there
 * were sweeps enough. */
bool clopt_finals_race(struct clopt_contest *contest, double left_s);
void clopt_finals_end_sweep(struct clopt_contest *contest, size_t member); /* after any sweep */

/* The next finalist that may win and is to be checked with another problem, the initial code first;
 * NULL: none. No job checks one with it meanwhile. */
struct clopt_contender *clopt_finals_to_recheck(struct clopt_contest *contest, unsigned problem);

#endif
