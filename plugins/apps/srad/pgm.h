/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes grey images in the PGM formats of Netpbm: P2 (text) and P5 (binary). */
#ifndef SRAD_PGM_H
#define SRAD_PGM_H

#include <clopt/error.h>

struct pgm {
    size_t rows;
    size_t columns;
    unsigned white;   /* the largest value of a pixel: 1 to 65535 */
    uint16_t *pixels; /* by rows; for the caller to free */
};

/* Reads a file of exactly one image of at most `most` pixels. Anything else is CLOPT_INVALID, as
 * `path: byte N: what`. `path` is for messages. */
enum clopt_status pgm_read(FILE *stream, const char *path, size_t most, struct pgm *image,
                           struct clopt_error *error);
void pgm_free(struct pgm *image);

/* Writes the head of a P5 file, and then its rows, one after the other. */
void pgm_write_head(FILE *stream, size_t rows, size_t columns, unsigned white);
void pgm_write_row(FILE *stream, const uint16_t *pixels, size_t columns, unsigned white);

#endif
