/* SPDX-License-Identifier: BSD-3-Clause */
/* The image that srad despeckles: a phantom made from a seed, or read from a file. */
#pragma once

#include <clopt/clopt.h>

/* The kernels count pixels in int; 2^28 of them take 1 GiB in each of six arrays. */
#define SRAD_MOST_PIXELS ((size_t)1 << 28)
#define SRAD_MOST_SIDE   32768

/* The largest block of the kernels; arrays have whole ones. */
#define SRAD_LARGEST_BLOCK 32

/* A homogeneous part of the image: its speckle tells what is noise. */
struct srad_region {
    size_t top;
    size_t left;
    size_t rows;
    size_t columns;
};

/* An image as the diffusion sees it. Pictures of this kind are compressed by a logarithm, so a
 * pixel of brightness b, from 0 (black) to 1 (white), has the intensity exp(b). */
struct srad_image {
    size_t rows;
    size_t columns;
    size_t stride;  /* intensities from one row to the next */
    unsigned white; /* of the file, or 255 */
    float *intensities;
    struct srad_region region;
};

/* Makes or reads the image of a problem, to be destroyed in any case. */
enum clopt_status srad_image_create(const struct clopt_problem *problem, struct srad_image *image,
                                    struct clopt_error *error);
void srad_image_destroy(struct srad_image *image);

/* Mean and variance, added up row by row. */
struct srad_statistics {
    double count;
    double sum;
    double squares;
};

void srad_statistics_add(struct srad_statistics *statistics, const float *intensities,
                         size_t count);

/* Returns the variance as a part of the squared mean: how strong the speckle is. Never less than
 * what a picture could show, so that one may divide by it. */
float srad_statistics_speckle(const struct srad_statistics *statistics);

/* Returns the mean over the standard deviation. */
double srad_statistics_signal_to_noise(const struct srad_statistics *statistics);

/* Returns the bytes of an array that has a number for each pixel, in whole blocks. */
static inline size_t srad_image_bytes(const struct srad_image *image)
{
    return clopt_round_up(image->rows, SRAD_LARGEST_BLOCK) * image->stride * sizeof(float);
}

/* ---- the PGM formats of Netpbm: P2 (text) and P5 (binary) ---- */

struct pgm {
    size_t rows;
    size_t columns;
    unsigned white;   /* the largest value of a pixel: 1 to 65535 */
    uint16_t *pixels; /* by rows; for the caller to free */
};

/* Reads a file of exactly one image of at most `most` pixels. Anything else is CLOPT_INVALID, as
 * `path: byte N: what`. `path` is for messages. To be ended in any case. */
enum clopt_status pgm_read(FILE *stream, const char *path, size_t most, struct pgm *image,
                           struct clopt_error *error);
void pgm_fini(struct pgm *image);

/* Writes the head of a P5 file, and then its rows, one after the other. */
void pgm_write_head(FILE *stream, size_t rows, size_t columns, unsigned white);
void pgm_write_row(FILE *stream, const uint16_t *pixels, size_t columns, unsigned white);
