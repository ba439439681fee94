/* SPDX-License-Identifier: BSD-3-Clause */
/* Measured numbers for people, and whole ones from them. */
#include "number/number.h"

#include <math.h>

#define MOST_ZEROS 6 /* after the point, in front of the first digit */

int clopt_number_decimals(double value, int digits)
{
    if (!(value > 0) || !isfinite(value))
        return 0;
    double power = floor(log10(value)); /* of ten, that the first digit counts */
    if (value >= pow(10, power + 1) * (1 - 0.5 * pow(10, -digits)))
        power++; /* rounded, it is the next one */
    return (int)fmin(fmax(0, digits - 1 - power), digits - 1 + MOST_ZEROS);
}

void clopt_number_append(struct clopt_text *text, double value, int digits)
{
    clopt_text_printf(text, "%.*f", clopt_number_decimals(value, digits), value);
}

struct clopt_number_text clopt_number_text(double value, int digits)
{
    struct clopt_number_text made;
    snprintf(made.text, sizeof made.text, "%.*f", clopt_number_decimals(value, digits), value);
    return made;
}

int64_t clopt_greatest_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

void clopt_number_append_percent(struct clopt_text *text, double share)
{
    double percent = 100 * share;
    clopt_text_printf(text, percent < 10 ? "%.1f%%" : "%.0f%%",
                      percent < 10 ? ceil(10 * percent) / 10 : ceil(percent));
}

/* ---- the objectives of studies ---- */

static const struct clopt_objective_words words[CLOPT_OBJECTIVES] = {
    [CLOPT_OBJECTIVE_TIME] = {"time", "execution time", "ns", "as fast", "faster", "slower",
                              "Speed-up"},
    [CLOPT_OBJECTIVE_ENERGY] = {"energy", "energy", "nJ", "as efficient", "more efficient",
                                "less efficient", "Efficiency gain"},
    [CLOPT_OBJECTIVE_ENERGY_DELAY] = {"energy-delay", "energy-delay product", "nJ s",
                                      "as efficient", "more efficient", "less efficient",
                                      "Efficiency gain"},
};

const struct clopt_objective_words *clopt_objective_words(enum clopt_objective objective)
{
    return &words[objective];
}

bool clopt_objective_find(const char *name, enum clopt_objective *objective)
{
    for (unsigned i = 0; name && i < CLOPT_OBJECTIVES; i++)
        if (strcmp(words[i].name, name) == 0) {
            *objective = i;
            return true;
        }
    return false;
}

bool clopt_integer_read(const void *value, size_t bytes, int64_t *number)
{
    int64_t all = 0;
    int32_t word = 0;
    int16_t half = 0;
    int8_t byte = 0;
    void *read = bytes == 1   ? (void *)&byte
                 : bytes == 2 ? (void *)&half
                 : bytes == 4 ? (void *)&word
                              : &all;
    if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
        return false;
    memcpy(read, value, bytes);
    *number = all + word + half + byte;
    return true;
}
