/* SPDX-License-Identifier: BSD-3-Clause */
/* The finalists of a race: what is lost by naming one of them, and where they are measured. */
#pragma once

#include "race/race.h"

/* Unless more is asked for, finalists take at most this share of the time that all before took. */
#define CLOPT_FINALS_SHARE 0.25

/* How many other problems finalists are checked with: other seeds, then an odd size. */
#define CLOPT_OTHER_PROBLEMS 3

/* Which of them are spared, as bits, where a run takes a good part of a search's time: all seeds
 * but one. */
#define CLOPT_SPARED_PROBLEMS (1u << 1)

/* Names the best candidate of each kernel, and estimates what that costs: clopt_field_name(). */
void clopt_finals_name(struct clopt_race *race);

/* Keeps the sources of the initial code and of the best, which reports show. */
void clopt_finals_keep_sources(struct clopt_race *race);

/* Has the finalists that may win, where there are several, compared with each other in measurements
 * that all of them take part in, one on each member of the device, until they have met in as many
 * processes as the study asks for; then those that leave it open whether what is named costs more
 * than the study accepts, while `left_s` is positive. False: there is nothing to compare, or there
 * were measurements enough. */
bool clopt_finals_go_on(struct clopt_race *race, double left_s);
void clopt_finals_end_measurement(struct clopt_race *race,
                                  size_t member); /* after any measurement */

/* The next finalist that may win and is to be checked with another problem, the initial code first;
 * NULL: none, or a job checks it already. Before finalists meet these are the ones whose launches
 * may be refused elsewhere, with an odd size. */
struct clopt_candidate *clopt_finals_to_recheck(struct clopt_race *race, unsigned problem);
