/* SPDX-License-Identifier: BSD-3-Clause */
/* Says whether a matrix is the one of two sequences. */
#ifndef NEEDLE_CHECK_H
#define NEEDLE_CHECK_H

#include "sequences.h"

/* What has been found out of the rows so far. */
struct needle_check {
    const struct needle_sequences *sequences;
    int32_t *above;   /* the row above the next one */
    size_t rows;      /* looked at so far */
    size_t different; /* cells that do not follow from their neighbours */
    size_t first_row; /* of the first one of those, and what it is instead of what */
    size_t first_column;
    int32_t actual;
    int32_t expected;
};

enum clopt_status needle_check_init(struct needle_check *check,
                                    const struct needle_sequences *sequences,
                                    struct clopt_error *error);
void needle_check_fini(struct needle_check *check);

/* Looks at the next `count` rows (one at least), which are `stride` cells apart. */
void needle_check_rows(struct needle_check *check, const int32_t *rows, size_t stride,
                       size_t count);

#endif
