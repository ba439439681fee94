/* SPDX-License-Identifier: BSD-3-Clause */
/* Speckle-reducing anisotropic diffusion, with OpenMP and SIMD: each thread goes down a band of
 * rows with the coefficients of two of them, so that the image is read and written once an
 * iteration. */
#include <rival.h>

#include <omp.h>

/* The rows and columns of the image, and from one row to the next. */
struct shape {
    size_t rows, columns, stride;
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns the variance of a region, relative to its squared mean. */
static float find_speckle(const float *image, size_t stride, const size_t region[4])
{
    double sum = 0, squares = 0, count = (double)(region[2] * region[3]);
    for (size_t y = region[0]; y < region[0] + region[2]; y++)
        for (size_t x = region[1]; x < region[1] + region[3]; x++) {
            double value = (double)image[y * stride + x];
            sum += value;
            squares += value * value;
        }
    double speckle = squares * count / (sum * sum) - 1;
    return (float)(speckle < 1e-10 ? 1e-10 : speckle);
}

/* Copies a row with a column more on each side, which repeats the outer ones. */
static const float *widen(const float *image, const struct shape *shape, size_t y, float *row)
{
    const float *from = image + y * shape->stride;
    memcpy(row + 1, from, shape->columns * sizeof *row);
    row[0] = from[0];
    row[shape->columns + 1] = from[shape->columns - 1];
    return row + 1;
}

/* Makes the coefficients of a row, and one more that repeats the last. */
static void find_coefficients(const float *north, const float *here, const float *south,
                              size_t columns, float q0, float *restrict c)
{
    const float scale = 1 / (q0 * (1 + q0));
#pragma omp simd
    for (size_t x = 0; x < columns; x++) {
        float own = here[x], n = north[x] - own, s = south[x] - own;
        float w = (here - 1)[x] - own, e = here[x + 1] - own, inverse = 1 / own;
        float gradient = (n * n + s * s + w * w + e * e) * (inverse * inverse);
        float laplacian = (n + s + w + e) * inverse, below = 1 + 0.25f * laplacian;
        float q = (0.5f * gradient - laplacian * laplacian / 16) / (below * below);
        float value = 1 / (1 + (q - q0) * scale);
        value = value < 0 ? 0 : value;
        c[x] = value > 1 ? 1 : value;
    }
    c[columns] = c[columns - 1];
}

/* Makes the rows `from` to `to` (excluded) of the next image. */
static void diffuse(const float *restrict before, float *restrict after, const struct shape *shape,
                    size_t from, size_t to, float q0, float lambda, float *memory)
{
    const size_t width = shape->columns + 32, last = shape->rows - 1;
    float *rows[4], *c[2] = {memory + 4 * width, memory + 5 * width};
    for (size_t i = 0; i < 4; i++)
        rows[i] = memory + i * width;
    const float *north = widen(before, shape, from ? from - 1 : 0, rows[0]);
    const float *here = widen(before, shape, from, rows[1]);
    const float *south = widen(before, shape, least(from + 1, last), rows[2]);
    find_coefficients(north, here, south, shape->columns, q0, c[from % 2]);
    for (size_t y = from; y < to; y++) {
        const float *next = widen(before, shape, least(y + 2, last), rows[(y - from + 3) % 4]);
        const float *own = c[y % 2], *below = c[(y + 1) % 2];
        if (y < last)
            find_coefficients(here, south, next, shape->columns, q0, c[(y + 1) % 2]);
        else
            below = own;
#pragma omp simd
        for (size_t x = 0; x < shape->columns; x++) {
            float flow = own[x] * (north[x] - here[x]) + below[x] * (south[x] - here[x]) +
                         own[x] * ((here - 1)[x] - here[x]) + own[x + 1] * (here[x + 1] - here[x]);
            after[y * shape->stride + x] = here[x] + 0.25f * lambda * flow;
        }
        north = here;
        here = south;
        south = next;
    }
}

int main(int argc, char **argv)
{
    struct rival rival = rival_begin(argc, argv);
    size_t bytes, memory_size;
    const float *image = rival_input(&rival, "J", &bytes);
    struct shape shape = {(size_t)rival_integer(&rival, "rows", 0),
                          (size_t)rival_integer(&rival, "columns", 0), 0};
    shape.stride = (shape.columns + 31) / 32 * 32;
    const size_t region[] = {
        (size_t)rival_integer(&rival, "region_top", 0),
        (size_t)rival_integer(&rival, "region_left", 0),
        (size_t)rival_integer(&rival, "region_rows", (long)least(128, shape.rows)),
        (size_t)rival_integer(&rival, "region_columns", (long)least(128, shape.columns))};
    const long iterations = rival_integer(&rival, "iterations", 1);
    const float lambda = (float)rival_real(&rival, "lambda", 0.5);
    float *images[2] = {rival_result(&rival, "J", bytes), rival_memory(bytes)};
    memory_size = 6 * (shape.columns + 32);
    float *memory = rival_memory((size_t)omp_get_max_threads() * memory_size * sizeof *memory);
    while (rival_next(&rival)) {
        memcpy(images[iterations % 2], image, bytes);
        rival_start(&rival);
        for (long i = 0; i < iterations; i++) {
            const float *before = images[(iterations - i) % 2];
            float q0 = find_speckle(before, shape.stride, region);
#pragma omp parallel
            {
                size_t threads = (size_t)omp_get_num_threads(), own = (size_t)omp_get_thread_num();
                size_t from = shape.rows * own / threads, to = shape.rows * (own + 1) / threads;
                if (from < to)
                    diffuse(before, images[(iterations - i + 1) % 2], &shape, from, to, q0, lambda,
                            memory + own * memory_size);
            }
        }
        rival_stop(&rival);
    }
    return 0;
}
