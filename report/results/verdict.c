/* SPDX-License-Identifier: BSD-3-Clause */
/* Words what can be said of a ratio of two times. */
#include "results/verdict.h"

#include <math.h>

#define DIGITS       3    /* of speed-ups */
#define LEAST_REGRET 1e-3 /* that is said, */
#define MOST_REGRET  0.5  /* and at most */

const char *const clopt_verdict_names[CLOPT_VERDICT_COUNT] = {
    [CLOPT_VERDICT_UNKNOWN] = "unknown", [CLOPT_VERDICT_FASTER] = "faster",
    [CLOPT_VERDICT_SLOWER] = "slower",   [CLOPT_VERDICT_SAME] = "same",
    [CLOPT_VERDICT_TOO_FEW] = "too-few", [CLOPT_VERDICT_TOO_NOISY] = "too-noisy",
};

void clopt_verdict_append_interval(struct clopt_text *text, const struct clopt_interval *speedup)
{
    int decimals = clopt_number_decimals(speedup->median, DIGITS);
    clopt_text_printf(text, "[%.*f, %.*f]", decimals, speedup->low, decimals, speedup->high);
}

void clopt_verdict_append_short(struct clopt_text *text, const struct clopt_interval *speedup,
                                double noise)
{
    enum clopt_verdict_kind kind = clopt_verdict_find(speedup, noise);
    if (kind == CLOPT_VERDICT_SAME) {
        clopt_text_append(text, "same within ");
        clopt_number_append_percent(text, clopt_verdict_within(speedup, noise));
    } else if (clopt_verdict_has_interval(speedup, noise)) {
        clopt_verdict_append_interval(text, speedup);
    } else if (kind != CLOPT_VERDICT_UNKNOWN) {
        clopt_text_append(text, kind == CLOPT_VERDICT_TOO_FEW ? "too few processes" : "too noisy");
    }
}

void clopt_verdict_append_regret(struct clopt_text *text, const struct clopt_regret *regret)
{
    if (!(regret->high <= MOST_REGRET)) {
        clopt_text_append(text, "it is not known how near the best it is");
        return;
    }
    clopt_text_append(text, "within ");
    clopt_number_append_percent(text, fmax(regret->high, LEAST_REGRET));
    clopt_text_append(text, " of the best with 95%");
}

void clopt_verdict_append_noise(struct clopt_text *text, double noise)
{
    if (noise > 1)
        clopt_text_append(text, "too noisy to say (A/A above 100%)");
    else if (noise > CLOPT_MOST_NOISE)
        clopt_text_printf(text, "too noisy to say (A/A %.0f%%)", 100 * noise);
    else
        clopt_text_printf(text, "%.1f%%", 100 * noise);
}

void clopt_verdict_append_bound(struct clopt_text *text, double by_clock)
{
    if (by_clock > 0)
        clopt_text_printf(text,
                          " by the time that its threads had processors (by the clock %s: other "
                          "programs lengthened the initial code more)",
                          clopt_number_text(by_clock, DIGITS).text);
}

void clopt_verdict_append(struct clopt_text *text, const struct clopt_interval *speedup,
                          double noise, double by_clock, const struct clopt_objective_words *words)
{
    enum clopt_verdict_kind kind = clopt_verdict_find(speedup, noise);
    switch (kind) {
    case CLOPT_VERDICT_TOO_NOISY:
        clopt_text_append(text, "not decided: ");
        break;
    case CLOPT_VERDICT_FASTER:
    case CLOPT_VERDICT_SLOWER:
        break;
    case CLOPT_VERDICT_SAME:
        clopt_text_append(text, "no difference from the initial code within ");
        clopt_number_append_percent(text, clopt_verdict_within(speedup, noise));
        return;
    case CLOPT_VERDICT_TOO_FEW:
        clopt_text_append(text, speedup->attained ? "not decided by one process: "
                                                  : "not decided: no process has measured both");
        if (!speedup->attained)
            return;
        break;
    default:
        clopt_text_append(text, "no time of the initial code to compare with");
        return;
    }
    clopt_text_printf(text, "%s%.*f times %s as the initial code ", by_clock > 0 ? "at least " : "",
                      clopt_number_decimals(speedup->median, DIGITS), speedup->median,
                      words->as_good);
    clopt_verdict_append_interval(text, speedup);
    clopt_verdict_append_bound(text, by_clock);
    if (kind == CLOPT_VERDICT_TOO_NOISY && noise > CLOPT_MOST_NOISE) {
        clopt_text_append(text, ", ");
        clopt_verdict_append_noise(text, noise);
    }
}
