/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes matrices in the Matrix Market exchange formats (Boisvert, Pozo, Remington,
 * NISTIR 5935, 1996), one entry at a time. */
#pragma once

#include <clopt/error.h>

enum matrix_symmetry { MATRIX_GENERAL, MATRIX_SYMMETRIC, MATRIX_SKEW_SYMMETRIC };

/* A file that is being read. The reader owns neither the stream nor the name. */
struct matrix_market {
    FILE *stream;
    const char *name; /* in messages */
    uint64_t line;    /* of the last line read, from 1 */
    bool array;       /* all elements column by column, else coordinates and values */
    bool integer;
    bool pattern; /* coordinates alone: every value is 1 */
    enum matrix_symmetry symmetry;
    uint64_t rows;
    uint64_t columns;
    uint64_t entries; /* lines with an entry */
    uint64_t read;    /* of those */
    uint64_t row;     /* array: where the next entry goes */
    uint64_t column;
};

/* One entry, counted from 0. Of a symmetric or skew-symmetric matrix, the file holds the lower
 * triangle alone: the mirrored entry is the reader's business. */
struct matrix_market_entry {
    uint64_t row;
    uint64_t column;
    double value; /* finite */
};

/* Reads the head of a file, up to its sizes. Complex matrices, more than `most` rows or columns,
 * and entry counts that cannot be are CLOPT_INVALID, as `name:line: what`. */
enum clopt_status matrix_market_begin(struct matrix_market *matrix, FILE *stream, const char *name,
                                      uint64_t most, struct clopt_error *error);

/* Reads the next entry; call it exactly `entries` times. */
enum clopt_status matrix_market_next(struct matrix_market *matrix,
                                     struct matrix_market_entry *entry, struct clopt_error *error);

/* Makes sure that nothing follows the last entry. */
enum clopt_status matrix_market_end(struct matrix_market *matrix, struct clopt_error *error);

/* Writes a square matrix, stored by rows of `stride` floats, in array format. `comment` is one line
 * of text. Digits suffice to read the same floats back. */
void matrix_market_write(FILE *stream, const char *comment, uint64_t size, const float *elements,
                         uint64_t stride);
