/* SPDX-License-Identifier: BSD-3-Clause */
/* The diffusion as the paper writes it, pixel by pixel. */
#include "reference.h"

#include <math.h>

/* One image on its way: its pixels before an iteration, and the coefficients of it. */
struct diffusion {
    size_t rows;
    size_t columns;
    float lambda;
    float *before;
    float *coefficients;
};

static size_t clamp_down(size_t i)
{
    return i > 0 ? i - 1 : 0;
}

static size_t clamp_up(size_t i, size_t size)
{
    return i + 1 < size ? i + 1 : i;
}

/* A pixel's differences to its neighbours. */
struct differences {
    float n, s, w, e;
};

static struct differences find_differences(const struct diffusion *diffusion, size_t row,
                                           size_t column)
{
    size_t columns = diffusion->columns;
    const float *before = diffusion->before;
    float here = before[row * columns + column];
    return (struct differences){
        before[clamp_down(row) * columns + column] - here,
        before[clamp_up(row, diffusion->rows) * columns + column] - here,
        before[row * columns + clamp_down(column)] - here,
        before[row * columns + clamp_up(column, columns)] - here,
    };
}

/* The coefficient of Yu and Acton, equations 31 and 33: q is the local coefficient of variation,
 * from the gradient and the Laplacian. */
static float find_coefficient(float here, struct differences d, float q0sqr)
{
    float gradient = (d.n * d.n + d.s * d.s + d.w * d.w + d.e * d.e) / (here * here);
    float laplacian = (d.n + d.s + d.w + d.e) / here;
    float denominator = 1 + 0.25f * laplacian;
    float qsqr = (0.5f * gradient - laplacian * laplacian / 16) / (denominator * denominator);
    float c = 1 / (1 + (qsqr - q0sqr) / (q0sqr * (1 + q0sqr)));
    return c < 0 ? 0 : c > 1 ? 1 : c;
}

static void find_coefficients(const struct diffusion *diffusion, float q0sqr)
{
    size_t columns = diffusion->columns;
#pragma omp parallel for
    for (size_t row = 0; row < diffusion->rows; row++)
        for (size_t column = 0; column < columns; column++)
            diffusion->coefficients[row * columns + column] =
                find_coefficient(diffusion->before[row * columns + column],
                                 find_differences(diffusion, row, column), q0sqr);
}

static void diffuse(const struct diffusion *diffusion, float *after)
{
    size_t columns = diffusion->columns;
    const float *c = diffusion->coefficients;
#pragma omp parallel for
    for (size_t row = 0; row < diffusion->rows; row++)
        for (size_t column = 0; column < columns; column++) {
            struct differences d = find_differences(diffusion, row, column);
            size_t i = row * columns + column;
            float south = c[clamp_up(row, diffusion->rows) * columns + column];
            float east = c[row * columns + clamp_up(column, columns)];
            float flow = c[i] * d.n + south * d.s + c[i] * d.w + east * d.e;
            after[i] = diffusion->before[i] + 0.25f * diffusion->lambda * flow;
        }
}

static float find_speckle(const struct srad_region *region, const float *intensities,
                          size_t columns)
{
    struct srad_statistics statistics = {0};
    for (size_t row = region->top; row < region->top + region->rows; row++)
        srad_statistics_add(&statistics, intensities + row * columns + region->left,
                            region->columns);
    return srad_statistics_speckle(&statistics);
}

enum clopt_status srad_reference_make(const struct srad_image *image, double lambda,
                                      size_t iterations, float *result, struct clopt_error *error)
{
    size_t bytes = image->rows * image->columns * sizeof(float);
    CLOPT_FREED float *before = malloc(bytes), *coefficients = malloc(bytes);
    struct diffusion diffusion = {image->rows, image->columns, (float)lambda, before, coefficients};
    CLOPT_NEED(before && coefficients, error);
    for (size_t row = 0; row < image->rows; row++)
        memcpy(result + row * image->columns, image->intensities + row * image->stride,
               image->columns * sizeof(float));
    for (size_t i = 0; i < iterations; i++) {
        memcpy(before, result, bytes);
        find_coefficients(&diffusion, find_speckle(&image->region, result, image->columns));
        diffuse(&diffusion, result);
    }
    return CLOPT_OK;
}

/* Rounding leaves an error of some units in the last place in each iteration. Errors are as good as
 * independent, and diffusion, which averages, does not amplify them: they add up as squares do.
 * What was seen on CPUs is a tenth of the bound; dividing is less exact on some GPUs. */
double srad_reference_bound(size_t iterations)
{
    return 2e-6 * (2 + sqrt((double)iterations));
}

/* ---- compares what the device has computed with the reference, row by row ---- */

static void note_error(struct srad_difference *difference, double error)
{
    if (!isnan(difference->worst) && !(error <= difference->worst))
        difference->worst = error;
}

/* Compares a row, whose first element has a number, with the reference's; a thread's rows come in
 * their order. */
static void compare_row(const float *intensities, const float *reference, size_t first,
                        size_t columns, struct srad_difference *difference)
{
    for (size_t i = 0; i < columns; i++) {
        double expected = (double)reference[first + i];
        double error = fabs((double)intensities[i] - expected) / expected;
        if (error <= difference->worst)
            continue;
        note_error(difference, error);
        if (!(error <= difference->bound) && first + i < difference->first)
            difference->first = first + i;
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
        struct srad_difference own = {0, SIZE_MAX, difference->bound};
#pragma omp for
        for (size_t i = 0; i < rows->read; i++)
            compare_row(band + i * stride, reference, (rows->from + i) * columns, columns, &own);
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
