/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the despeckled image on the host. */
#pragma once

#include "image.h"

/* Makes the intensities after some iterations, by rows without gaps. */
enum clopt_status srad_reference_make(const struct srad_image *image, double lambda,
                                      size_t iterations, float *result, struct clopt_error *error);

/* Returns how far a right result may be from the reference, as a part of it. */
double srad_reference_bound(size_t iterations);

/* ---- how far an image is from the reference ---- */

/* How some rows differ from the reference. */
struct srad_difference {
    double worst; /* the largest error; NaN where there is one */
    size_t first; /* the first pixel that is too far off, counted row by row; SIZE_MAX: none */
    double bound; /* what is not too far off */
};

/* Compares the rows of a band with the reference, which has no gaps between rows; where the first
 * pixel is too far off, the verdict's text says so. What comes out does not depend on the number of
 * threads. */
void srad_compare_band(const struct srad_image *image, const float *reference,
                       const struct clopt_rows *rows, struct srad_difference *difference,
                       struct clopt_verdict *verdict);
