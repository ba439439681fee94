/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the despeckled image on the host. */
#ifndef SRAD_REFERENCE_H
#define SRAD_REFERENCE_H

#include "image.h"

/* Makes the intensities after some iterations, by rows without gaps. */
enum clopt_status srad_reference_make(const struct srad_image *image, double lambda,
                                      size_t iterations, float *result, struct clopt_error *error);

/* Returns how far a right result may be from the reference, as a part of it. */
double srad_reference_bound(size_t iterations);

#endif
