/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds an alignment in a computed matrix, and writes it. */
#pragma once

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
 * has its gaps furthest to the left is taken, in `second` first. To be freed in any case; false: a
 * row was NULL. */
bool needle_alignment_trace(const struct needle_sequences *sequences, needle_row row, void *user,
                            struct needle_alignment *alignment);
void needle_alignment_free(struct needle_alignment *alignment);

/* Writes an alignment in the pair format of EMBOSS. */
void needle_alignment_write(const struct needle_sequences *sequences,
                            const struct needle_alignment *alignment, FILE *stream);

/* ---- says whether a matrix is the one of two sequences ---- */

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

void needle_check_init(struct needle_check *check, const struct needle_sequences *sequences);
void needle_check_fini(struct needle_check *check);

/* Looks at the next `count` rows (one at least), which are `stride` cells apart. */
void needle_check_rows(struct needle_check *check, const int32_t *rows, size_t stride,
                       size_t count);
