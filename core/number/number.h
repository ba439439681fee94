/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers: measured ones for people, with so many digits and never with a power of ten; decimal
 * ones that are read; and what divides integers. */
#ifndef CLOPT_NUMBER_NUMBER_H
#define CLOPT_NUMBER_NUMBER_H

#include "text/text.h"

/* Reads a decimal number; -1 where it is none or out of range. `least` is not negative. */
int64_t clopt_number_read(const char *text, int64_t least, int64_t most);

/* Returns how many decimals show so many digits of a value, rounded: 1 for 9.996, which three show
 * as 10.0. 0 where it is not above 0. */
int clopt_number_decimals(double value, int digits);

/* Appends a value with so many digits; more where it has as many in front of its point. */
void clopt_number_append(struct clopt_text *text, double value, int digits);

/* Returns the greatest number that divides both, which is not negative; 0 divides nothing but 0. */
int64_t clopt_greatest_divisor(int64_t a, int64_t b);

/* Appends a share as a percentage, rounded up: "within 4.1%" must not promise more than is known.
 */
void clopt_number_append_percent(struct clopt_text *text, double share);

#endif
