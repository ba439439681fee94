/* SPDX-License-Identifier: BSD-3-Clause */
/* Measured numbers for people, and whole ones from them. */
#include "number/number.h"

#include <errno.h>
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

int64_t clopt_number_read(const char *text, int64_t least, int64_t most)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    return errno || end == text || *end || number < least || number > most ? -1 : number;
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
