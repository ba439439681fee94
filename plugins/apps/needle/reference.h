/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the matrix of needle serially, row after row. */
#ifndef NEEDLE_REFERENCE_H
#define NEEDLE_REFERENCE_H

#include "sequences.h"

/* One row at a time: the matrix is checked as it is made, which costs no memory and no more time
 * than reading it back from a disk. */
struct needle_reference {
    const struct needle_sequences *sequences;
    int32_t *row; /* the row made last */
    size_t rows;  /* made so far */
};

enum clopt_status needle_reference_init(struct needle_reference *reference,
                                        const struct needle_sequences *sequences,
                                        struct clopt_error *error);
void needle_reference_fini(struct needle_reference *reference);

/* Makes the next row. */
void needle_reference_next(struct needle_reference *reference);

#endif
