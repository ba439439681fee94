/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds an alignment in a computed matrix, and writes it. */
#ifndef NEEDLE_ALIGNMENT_H
#define NEEDLE_ALIGNMENT_H

#include "sequences.h"

/* A column of an alignment. */
enum needle_step { NEEDLE_BOTH, NEEDLE_FIRST_ONLY, NEEDLE_SECOND_ONLY };

struct needle_alignment {
    uint8_t *steps; /* from the first column to the last */
    size_t length;
    int32_t score;
};

/* Returns row `row` of the matrix, valid until the next call, or NULL with an error elsewhere. Rows
 * are asked for from the last to the first. */
typedef const int32_t *(*needle_row)(void *user, size_t row);

/* Goes back through the matrix from its last cell. Of alignments with the same score the one that
 * has its gaps furthest to the left is taken, in `second` first. */
enum clopt_status needle_alignment_trace(const struct needle_sequences *sequences, needle_row row,
                                         void *user, struct needle_alignment *alignment,
                                         struct clopt_error *error);
void needle_alignment_free(struct needle_alignment *alignment);

/* Writes an alignment in the pair format of EMBOSS. */
enum clopt_status needle_alignment_write(const struct needle_sequences *sequences,
                                         const struct needle_alignment *alignment, FILE *stream,
                                         struct clopt_error *error);

#endif
