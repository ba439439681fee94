/* SPDX-License-Identifier: BSD-3-Clause */
/* How the candidates of a race compare with the initial code and with the best of them, and
 * which of them need more samples for that. */
#pragma once

#include "race/race.h"

/* Estimates the time of a kernel of one candidate over that of another. */
struct clopt_interval clopt_ranking_ratio(const struct clopt_race *race,
                                          const struct clopt_candidate *above,
                                          const struct clopt_candidate *below, size_t kernel);

/* Returns how many times as fast as the initial code a candidate seems to be: by the clock, or by
 * the time for which threads had processors, whichever is less. */
double clopt_ranking_gain(const struct clopt_race *race, const struct clopt_candidate *candidate,
                          size_t kernel);

/* Whether a candidate has samples of a kernel that is reported. */
bool clopt_ranking_has_samples(const struct clopt_candidate *candidate, size_t kernel);

/* What is known of a kernel of a candidate. */
struct clopt_judgement {
    bool slower;    /* than the best, surely */
    bool far;       /* and by much */
    bool no_gain;   /* it is not faster than that by more than the study accepts to lose */
    bool different; /* from the initial code, surely */
    bool precise;
};
struct clopt_judgement clopt_ranking_judge(const struct clopt_race *race,
                                           const struct clopt_candidate *candidate, size_t kernel);

/* Finds the best candidate of each kernel, and what all are measured beside. */
void clopt_ranking_find_leaders(struct clopt_race *race);

/* Whether a measurement, one of the finals or not, needs the initial code: each does, until all are
 * measured beside another one. Then the finals do until as many processes have it as the study asks
 * for; where it takes longer than a variant is measured, until two have, or the best is alone. */
bool clopt_ranking_needs_initial(const struct clopt_race *race, bool finals);

/* Whether a candidate is so much slower than the best that it gets no more samples. */
bool clopt_ranking_is_hopeless(const struct clopt_race *race,
                               const struct clopt_candidate *candidate);

/* Takes what an answer says of a candidate's first launch, in which its worker was paused for so
 * long: a variant of a search that is hopeless by that gets no sample. */
void clopt_ranking_take_launch(struct clopt_race *race, struct clopt_candidate *candidate,
                               const json_t *answer, int64_t paused_ns);

/* Whether a sample of a candidate that other programs disturb has to be taken again: not its first
 * one in a search for the best, and not those of one that is far from it. */
bool clopt_ranking_needs_quiet(const struct clopt_race *race,
                               const struct clopt_candidate *candidate);

/* Whether more samples of a candidate would change no answer of the study: it is surely slower than
 * the best, and (where the study wants a table) surely faster or slower than the initial code; or
 * its ratio is known well enough, or as well as the study's limits allow. */
bool clopt_ranking_is_settled(const struct clopt_race *race,
                              const struct clopt_candidate *candidate);

/* Whether a candidate has used up what it may. */
bool clopt_ranking_is_spent(const struct clopt_measure *measure,
                            const struct clopt_candidate *candidate);

/* Returns how long a run takes, in nanoseconds, that is a good part of a search's time; 0: none. */
double clopt_ranking_once_ns(const struct clopt_race *race);

/* Whether a candidate needs no more samples from a process. */
bool clopt_ranking_has_enough(const struct clopt_race *race,
                              const struct clopt_candidate *candidate, uint32_t process);

/* How many samples of a candidate may come from a process, and the seconds that they may still
 * take. */
uint64_t clopt_ranking_most_samples(const struct clopt_measure *measure);
double clopt_ranking_seconds_left(const struct clopt_race *race,
                                  const struct clopt_candidate *candidate, uint32_t process);

/* Ends the candidates that need no more samples, and whose samples the store has. */
void clopt_ranking_decide(struct clopt_race *race);

/* Whether a finalist may be the best of some kernel, by its samples. */
bool clopt_ranking_may_win(const struct clopt_race *race, const struct clopt_candidate *candidate);

/* Makes finalists of the candidates that are over and among the best, and frees the others. */
void clopt_ranking_release(struct clopt_race *race);

/* Whether it can be said how near the best a candidate is: by what reports say of its speed-up. */
bool clopt_ranking_is_certain(const struct clopt_race *race,
                              const struct clopt_candidate *candidate, size_t kernel);

/* Records the noise of every kernel, and of the whole run, by the initial code and its double, and
 * their drift. */
void clopt_ranking_put_noise(const struct clopt_race *race);
