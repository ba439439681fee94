/* SPDX-License-Identifier: BSD-3-Clause */
/* Words what can be said of a ratio of two times. */
#pragma once

#include "number/number.h"
#include "number/ratio.h"
#include "number/verdict.h"

/* "unknown", "faster", "slower", "same", "too-few", "too-noisy". */
extern const char *const clopt_verdict_names[CLOPT_VERDICT_COUNT];

/* Appends "[1.15, 1.28]". */
void clopt_verdict_append_interval(struct clopt_text *text, const struct clopt_interval *speedup);

/* Appends what belongs behind a speed-up in a table: "[1.15, 1.28]", "same within 4%", "too few
 * samples", "too noisy". */
void clopt_verdict_append_short(struct clopt_text *text, const struct clopt_interval *speedup,
                                double noise);

/* Appends the whole sentence: "1.22 times as fast as the initial code [1.15, 1.28]", "no difference
 * from the initial code within 4%", "not decided: ...". `by_clock` is what the clock says where the
 * speed-up is less, by the threads' own time; 0: that. */
void clopt_verdict_append(struct clopt_text *text, const struct clopt_interval *speedup,
                          double noise, double by_clock, const struct clopt_objective_words *words);

/* Appends why a speed-up is less than the clock says, ", where ..."; nothing where it is not. */
void clopt_verdict_append_bound(struct clopt_text *text, double by_clock);

/* Appends how near the best one is that was named: "within 1.4% of the best with 95%"; a loss of
 * more than the whole is no help. */
void clopt_verdict_append_regret(struct clopt_text *text, const struct clopt_regret *regret);

/* Appends a noise floor: "4.0%", or "too noisy to say (A/A 72%)". */
void clopt_verdict_append_noise(struct clopt_text *text, double noise);
