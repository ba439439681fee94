/* SPDX-License-Identifier: BSD-3-Clause */
/* How far an image is from the reference. */
#ifndef SRAD_COMPARE_H
#define SRAD_COMPARE_H

#include "image.h"

/* How some rows differ from the reference. */
struct srad_difference {
    double worst; /* the largest error; NaN where there is one */
    size_t first; /* the first pixel that is too far off, counted row by row; SIZE_MAX: none */
};

/* Compares the rows of a band with the reference, which has no gaps between rows; where the first
 * pixel is too far off, the verdict's text says so. What comes out does not depend on the number of
 * threads. */
void srad_compare_band(const struct srad_image *image, const float *reference,
                       const struct clopt_rows *rows, struct srad_difference *difference,
                       struct clopt_verdict *verdict);

#endif
