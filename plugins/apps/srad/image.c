/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes and reads images, and measures their speckle. */
#include "image.h"

#include <math.h>

#define DEFAULT_REGION 128

/* The weakest speckle, as variance over squared mean: a picture of 16 bits cannot show it. */
#define LEAST_SPECKLE 1e-10

/* Allocates the intensities; what continues the image up to whole blocks is 1. */
static enum clopt_status allocate(struct srad_image *image, struct clopt_error *error)
{
    image->stride = clopt_round_up(image->columns, SRAD_LARGEST_BLOCK);
    size_t count = srad_image_bytes(image) / sizeof(float);
    image->intensities = malloc(srad_image_bytes(image));
    if (!image->intensities)
        return clopt_fail(error, CLOPT_OUT_OF_RESOURCES, "no memory for %zu x %zu pixels",
                          image->columns, image->rows);
#pragma omp parallel for
    for (size_t i = 0; i < count; i++)
        image->intensities[i] = 1;
    return CLOPT_OK;
}

/* What the phantom shows: ellipses on a background, in parts of its height and width. The upper
 * left quarter of each side has background alone. */
static const struct ellipse {
    double y, x, height, width, intensity;
} ellipses[] = {
    {0.60, 0.60, 0.32, 0.30, 2.00}, {0.60, 0.60, 0.27, 0.25, 1.70}, {0.50, 0.50, 0.08, 0.05, 1.15},
    {0.52, 0.70, 0.10, 0.06, 1.20}, {0.72, 0.62, 0.05, 0.12, 2.20}, {0.75, 0.50, 0.02, 0.02, 2.30},
    {0.20, 0.80, 0.08, 0.08, 1.15}, {0.80, 0.20, 0.06, 0.09, 2.10},
};

static double phantom(double y, double x)
{
    double intensity = 1.45;
    for (size_t i = 0; i < sizeof ellipses / sizeof *ellipses; i++) {
        double dy = (y - ellipses[i].y) / ellipses[i].height;
        double dx = (x - ellipses[i].x) / ellipses[i].width;
        if (dy * dy + dx * dx < 1)
            intensity = ellipses[i].intensity;
    }
    return intensity;
}

/* Returns a number from a distribution like a normal one: mean 0, variance 1. */
static double normal(struct clopt_random *random)
{
    double sum = 0;
    for (int i = 0; i < 6; i++)
        sum += clopt_random_real(random);
    return (sum - 3) * sqrt(2);
}

/* Makes one row of the phantom with its speckle, which multiplies what is there; rows are
 * independent streams of the seed. */
static void make_row(const struct srad_image *image, uint64_t seed, size_t row)
{
    struct clopt_random random = clopt_random_seed(seed, row);
    float *intensities = image->intensities + row * image->stride;
    double y = ((double)row + 0.5) / (double)image->rows;
    for (size_t column = 0; column < image->columns; column++) {
        double x = ((double)column + 0.5) / (double)image->columns;
        double intensity = phantom(y, x) * (1 + 0.12 * normal(&random));
        intensities[column] = (float)fmin(fmax(intensity, 1), exp(1));
    }
}

static enum clopt_status make_phantom(const struct clopt_problem *problem, struct srad_image *image,
                                      struct clopt_error *error)
{
    image->rows = (size_t)clopt_values_integer(problem->inputs, "rows");
    image->columns = (size_t)clopt_values_integer(problem->inputs, "columns");
    image->white = 255;
    if (image->rows > SRAD_MOST_PIXELS / image->columns)
        return clopt_fail(error, CLOPT_INVALID,
                          "rows = %zu and columns = %zu: that many pixels are not possible, at "
                          "most %zu are",
                          image->rows, image->columns, SRAD_MOST_PIXELS);
    CLOPT_TRY(allocate(image, error));
#pragma omp parallel for
    for (size_t row = 0; row < image->rows; row++)
        make_row(image, problem->seed, row);
    return CLOPT_OK;
}

static enum clopt_status read_file(const char *path, struct srad_image *image,
                                   struct clopt_error *error)
{
    CLOPT_OWNED(pgm) file = {0};
    CLOPT_CLOSED FILE *stream = NULL;
    CLOPT_TRY(clopt_file_open(path, &stream, error));
    CLOPT_TRY(pgm_read(stream, path, SRAD_MOST_PIXELS, &file, error));
    image->rows = file.rows;
    image->columns = file.columns;
    image->white = file.white;
    CLOPT_TRY(allocate(image, error));
#pragma omp parallel for
    for (size_t row = 0; row < file.rows; row++)
        for (size_t column = 0; column < file.columns; column++)
            image->intensities[row * image->stride + column] =
                expf((float)file.pixels[row * file.columns + column] / (float)file.white);
    return CLOPT_OK;
}

/* Chooses which rows or columns of the image the region has. */
static enum clopt_status choose(const struct clopt_values *inputs, struct srad_image *image,
                                bool rows, struct clopt_error *error)
{
    struct srad_region *region = &image->region;
    const char *from_name = rows ? "region_top" : "region_left";
    const char *count_name = rows ? "region_rows" : "region_columns";
    size_t size = rows ? image->rows : image->columns;
    size_t wanted = (size_t)clopt_values_integer(inputs, count_name);
    size_t from = (size_t)clopt_values_integer(inputs, from_name);
    if (from >= size)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s = %zu: outside of the image, which has 0 to %zu", from_name, from,
                          size - 1);
    size_t count = wanted > 0                     ? wanted
                   : size - from > DEFAULT_REGION ? DEFAULT_REGION
                                                  : size - from;
    if (count > size - from)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s = %zu and %s = %zu: reaches beyond the image, which has 0 to %zu",
                          from_name, from, count_name, count, size - 1);
    *(rows ? &region->top : &region->left) = from;
    *(rows ? &region->rows : &region->columns) = count;
    return CLOPT_OK;
}

/* Takes the region of interest from the inputs; without speckle it is of no use. */
static enum clopt_status choose_region(const struct clopt_values *inputs, struct srad_image *image,
                                       struct clopt_error *error)
{
    struct srad_region *region = &image->region;
    CLOPT_TRY(choose(inputs, image, true, error));
    CLOPT_TRY(choose(inputs, image, false, error));
    const float *first = image->intensities + region->top * image->stride + region->left;
    for (size_t row = 0; row < region->rows; row++)
        for (size_t column = 0; column < region->columns; column++)
            if (first[row * image->stride + column] != *first)
                return CLOPT_OK;
    return clopt_fail(error, CLOPT_INVALID,
                      "all pixels of the region of interest, %zu x %zu from column %zu, row %zu, "
                      "are equal: choose one that shows speckle, with region_top, region_left, "
                      "region_rows and region_columns",
                      region->columns, region->rows, region->left, region->top);
}

enum clopt_status srad_image_create(const struct clopt_problem *problem, struct srad_image *image,
                                    struct clopt_error *error)
{
    *image = (struct srad_image){.intensities = NULL};
    const char *path = clopt_values_text(problem->inputs, "input");
    CLOPT_TRY(path ? read_file(path, image, error) : make_phantom(problem, image, error));
    return choose_region(problem->inputs, image, error);
}

void srad_image_destroy(struct srad_image *image)
{
    free(image->intensities);
    *image = (struct srad_image){.intensities = NULL};
}

void srad_statistics_add(struct srad_statistics *statistics, const float *intensities, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double intensity = (double)intensities[i];
        statistics->sum += intensity;
        statistics->squares += intensity * intensity;
    }
    statistics->count += (double)count;
}

/* Returns the variance over the squared mean. */
static double relative_variance(const struct srad_statistics *statistics)
{
    double mean = statistics->sum / statistics->count;
    return statistics->squares / statistics->count / (mean * mean) - 1;
}

float srad_statistics_speckle(const struct srad_statistics *statistics)
{
    double speckle = relative_variance(statistics);
    return (float)(speckle < LEAST_SPECKLE ? LEAST_SPECKLE : speckle);
}

double srad_statistics_signal_to_noise(const struct srad_statistics *statistics)
{
    return 1 / sqrt(fmax(relative_variance(statistics), 0));
}
