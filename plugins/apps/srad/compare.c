/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares what the device has computed with the reference, row by row. */
#include "compare.h"

#include <math.h>

static void note_error(struct srad_difference *difference, double error)
{
    if (!isnan(difference->worst) && !(error <= difference->worst))
        difference->worst = error;
}

/* Compares a row with the reference's; a thread's rows come in their order. */
static void compare_row(const struct srad_image *image, const float *reference, size_t row,
                        const float *intensities, double bound, struct srad_difference *difference)
{
    size_t before = row * image->columns;
    const float *expected = reference + before;
    for (size_t column = 0; column < image->columns; column++) {
        double error =
            fabs((double)intensities[column] - (double)expected[column]) / (double)expected[column];
        if (error <= difference->worst)
            continue;
        note_error(difference, error);
        if (!(error <= bound) && before + column < difference->first)
            difference->first = before + column;
    }
}

void srad_compare_band(const struct srad_image *image, const float *reference,
                       const struct clopt_rows *rows, struct srad_difference *difference,
                       struct clopt_verdict *verdict)
{
    const float *band = (const float *)rows->data;
    size_t stride = image->stride, columns = image->columns;
    bool right = difference->first == SIZE_MAX;
#pragma omp parallel
    {
        struct srad_difference own = {0, SIZE_MAX};
#pragma omp for
        for (size_t i = 0; i < rows->read; i++)
            compare_row(image, reference, rows->from + i, band + i * stride, verdict->bound, &own);
#pragma omp critical
        {
            note_error(difference, own.worst);
            difference->first = own.first < difference->first ? own.first : difference->first;
        }
    }
    if (!right || difference->first == SIZE_MAX)
        return;
    size_t row = difference->first / columns, column = difference->first % columns;
    snprintf(verdict->text, sizeof verdict->text,
             "relative error, first too large in row %zu, column %zu: %.9g instead of %.9g", row,
             column, (double)band[(row - rows->from) * stride + column],
             (double)reference[difference->first]);
}
