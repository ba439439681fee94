/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that srad counts its work right, makes and reads the image that it says, measures speckle
 * right, and that its reference diffuses as the paper says: known pixels, symmetries, less noise.
 */
#include <clopt/clopt.h>

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "image.h"
#include "number/values.h"
#include "reference.h"

extern const struct clopt_plugin clopt_plugin;

static const struct clopt_app *srad(void)
{
    return clopt_plugin.extensions[0].operations;
}

static const struct clopt_parameter knobs[] = {
    {.name = "block_size", .type = CLOPT_INTEGER},
    {.name = "padding", .type = CLOPT_INTEGER},
    {.name = "separate", .type = CLOPT_INTEGER, .initial = "0"},
    {.name = "direct", .type = CLOPT_INTEGER, .initial = "0"},
    {.name = NULL},
};

struct fixture {
    struct clopt_values *inputs;
    struct clopt_values *knobs;
    struct clopt_problem problem;
};

/* Sets values "name=value name=value". */
static struct clopt_values *make_values(const struct clopt_parameter *parameters, const char *all)
{
    struct clopt_values *values = clopt_values_create(parameters);
    struct clopt_error error = {0};
    char text[200];
    snprintf(text, sizeof text, "%s", all);
    char *rest = NULL;
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        assert_int_equal(
            clopt_values_set(values, clopt_parameter_find(parameters, word), value, &error),
            CLOPT_OK);
    }
    return values;
}

static void start(struct fixture *fixture, const char *inputs, const char *knob_values)
{
    fixture->inputs = make_values(srad()->inputs, inputs);
    fixture->knobs = make_values(knobs, knob_values);
    fixture->problem = (struct clopt_problem){
        .app = "srad", .inputs = fixture->inputs, .knobs = fixture->knobs, .seed = 7};
}

static void end(struct fixture *fixture)
{
    clopt_values_destroy(fixture->inputs);
    clopt_values_destroy(fixture->knobs);
}

static enum clopt_status create(const char *inputs, uint64_t seed, struct srad_image *image,
                                struct clopt_error *error)
{
    struct fixture fixture;
    start(&fixture, inputs, "block_size=16 padding=0");
    fixture.problem.seed = seed;
    enum clopt_status status = srad_image_create(&fixture.problem, image, error);
    end(&fixture);
    return status;
}

/* Makes an image from the text of a file, whose region is all of it up to 128 x 128 pixels. */
static enum clopt_status read_text(const char *text, const char *more, struct srad_image *image,
                                   struct clopt_error *error)
{
    char path[] = "unit_srad_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    char inputs[200];
    snprintf(inputs, sizeof inputs, "input=%s %s", path, more);
    enum clopt_status status = create(inputs, 7, image, error);
    unlink(path);
    return status;
}

/* ---- describe ---- */

static struct clopt_kernel_work describe(const char *inputs, const char *knob_values,
                                         unsigned kernel)
{
    struct fixture fixture;
    struct clopt_kernel_work work = {0};
    struct clopt_error error = {0};
    start(&fixture, inputs, knob_values);
    assert_int_equal(
        srad()->describe(&fixture.problem, NULL, &srad()->kernels[kernel], &work, &error),
        CLOPT_OK);
    end(&fixture);
    return work;
}

static void work_follows_from_size_and_block(void **state)
{
    (void)state;
    const char *inputs = "rows=100 columns=40 iterations=3";
    struct clopt_kernel_work work = describe(inputs, "block_size=16 padding=0", 0);
    assert_int_equal(work.ndrange.dimensions, 2);
    assert_int_equal(work.ndrange.global[0], 48);
    assert_int_equal(work.ndrange.global[1], 112);
    assert_int_equal(work.ndrange.local[0], 16);
    assert_int_equal(work.ndrange.local[1], 16);
    assert_true(work.operations == 48 * 112 * 3 * 33);
    assert_true(work.bytes == 48 * 112 * 3 * 24);
    work = describe(inputs, "block_size=32 padding=1", 1);
    assert_int_equal(work.ndrange.global[0], 64);
    assert_int_equal(work.ndrange.global[1], 128);
    assert_true(work.operations == 64 * 128 * 3 * 10);
    assert_true(work.bytes == 64 * 128 * 3 * 28);
    work = describe("input=a.pgm", "block_size=16 padding=0", 0);
    assert_int_equal(work.ndrange.global[0], 0);
    assert_true(work.operations == 0);
}

static void refuses_a_step_that_is_none(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"lambda=0", "lambda = 0: must be above 0 and at most 1"},
        {"lambda=1.5", "lambda = 1.5: must be above 0 and at most 1"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct fixture fixture;
        struct clopt_kernel_work work;
        struct clopt_error error = {0};
        start(&fixture, wrong[i][0], "block_size=16 padding=0");
        assert_int_equal(srad()->describe(&fixture.problem, NULL, srad()->kernels, &work, &error),
                         CLOPT_INVALID);
        assert_string_equal(error.message, wrong[i][1]);
        end(&fixture);
    }
}

/* ---- the image ---- */

static void the_phantom_follows_from_the_seed(void **state)
{
    (void)state;
    struct srad_image a, b, c;
    struct clopt_error error = {0};
    assert_int_equal(create("rows=70 columns=45", 7, &a, &error), CLOPT_OK);
    assert_int_equal(create("rows=70 columns=45", 7, &b, &error), CLOPT_OK);
    assert_int_equal(create("rows=70 columns=45", 8, &c, &error), CLOPT_OK);
    assert_int_equal(a.stride, 64);
    assert_int_equal(srad_image_bytes(&a), 96 * 64 * 4);
    assert_memory_equal(a.intensities, b.intensities, srad_image_bytes(&a));
    assert_memory_not_equal(a.intensities, c.intensities, srad_image_bytes(&a));
    for (size_t i = 0; i < 96 * 64; i++)
        assert_true(a.intensities[i] >= 1 && (double)a.intensities[i] <= exp(1) + 1e-6);
    srad_image_destroy(&a);
    srad_image_destroy(&b);
    srad_image_destroy(&c);
}

static void a_file_becomes_intensities(void **state)
{
    (void)state;
    struct srad_image image;
    struct clopt_error error = {0};
    assert_int_equal(read_text("P2 3 2 10\n0 10 5\n1 2 3\n", "", &image, &error), CLOPT_OK);
    assert_int_equal(image.rows, 2);
    assert_int_equal(image.columns, 3);
    assert_int_equal(image.white, 10);
    assert_int_equal(image.region.rows, 2);
    assert_int_equal(image.region.columns, 3);
    assert_true(image.intensities[0] == 1);
    assert_true(fabs((double)image.intensities[1] - exp(1)) < 1e-6);
    assert_true(fabs((double)image.intensities[image.stride + 1] - exp(0.2)) < 1e-6);
    srad_image_destroy(&image);
}

static void expect_refusal(const char *text, const char *inputs, const char *message)
{
    struct srad_image image;
    struct clopt_error error = {0};
    assert_int_equal(read_text(text, inputs, &image, &error), CLOPT_INVALID);
    const char *shown =
        strncmp(error.message, "unit_srad_", 10) ? error.message : error.message + 16;
    assert_string_equal(shown, message);
    srad_image_destroy(&image);
}

static void refuses_images_without_a_region(void **state)
{
    (void)state;
    expect_refusal("P2 2 2 9\n1 2 3\n", "",
                   ": byte 15: the file ends where a pixel must be: truncated?");
    expect_refusal("P2 2 2 9\n1 1 1 1\n", "",
                   "all pixels of the region of interest, 2 x 2 from column 0, row 0, are equal: "
                   "choose one that shows speckle, with region_top, region_left, region_rows and "
                   "region_columns");
    expect_refusal("P2 2 2 9\n1 2 1 1\n", "region_top=1",
                   "all pixels of the region of interest, 2 x 1 from column 0, row 1, are equal: "
                   "choose one that shows speckle, with region_top, region_left, region_rows and "
                   "region_columns");
    expect_refusal("P2 2 2 9\n1 2 1 1\n", "region_left=2",
                   "region_left = 2: outside of the image, which has 0 to 1");
    expect_refusal("P2 2 2 9\n1 2 1 1\n", "region_top=1 region_rows=2",
                   "region_top = 1 and region_rows = 2: reaches beyond the image, which has 0 to "
                   "1");
    struct srad_image image;
    struct clopt_error error = {0};
    assert_int_equal(create("input=missing.pgm", 7, &image, &error), CLOPT_INVALID);
    assert_string_equal(error.message, "missing.pgm: cannot be read: No such file or directory");
    assert_int_equal(create("rows=32768 columns=32768", 7, &image, &error), CLOPT_INVALID);
    assert_string_equal(error.message, "rows = 32768 and columns = 32768: that many pixels are not "
                                       "possible, at most 268435456 are");
}

static void speckle_is_variance_over_squared_mean(void **state)
{
    (void)state;
    static const float values[] = {1, 3, 1, 3};
    struct srad_statistics statistics = {0};
    srad_statistics_add(&statistics, values, 1);
    srad_statistics_add(&statistics, values + 1, 3);
    assert_true(srad_statistics_speckle(&statistics) == 0.25f);
    assert_true(srad_statistics_signal_to_noise(&statistics) == 2);
    struct srad_statistics flat = {0};
    srad_statistics_add(&flat, values, 1);
    assert_true(srad_statistics_speckle(&flat) > 0);
}

/* ---- the reference ---- */

static float *diffuse(const struct srad_image *image, size_t iterations)
{
    struct clopt_error error = {0};
    float *result = malloc(image->rows * image->columns * sizeof *result);
    assert_non_null(result);
    assert_int_equal(srad_reference_make(image, 0.5, iterations, result, &error), CLOPT_OK);
    return result;
}

/* One bright pixel of 2 among nine: its four neighbours take what it loses, where coefficients and
 * all are worked out by hand from the paper's equations. */
static void one_iteration_is_what_the_paper_says(void **state)
{
    (void)state;
    float pixels[3 * 32];
    for (size_t i = 0; i < 96; i++)
        pixels[i] = 1;
    pixels[32 + 1] = 2;
    struct srad_image image = {3, 3, 32, 255, pixels, {0, 0, 3, 3}};
    /* mean 10/9, mean square 12/9: q0^2 = (12/9) / (100/81) - 1 = 0.08 */
    double q0 = 0.08;
    /* centre: gradient 4/4, Laplacian -2, q^2 = (0.5 - 0.25) / 0.25 = 1; its neighbours: gradient
     * and Laplacian 1, q^2 = (0.5 - 0.0625) / 1.5625 = 0.28; corners: q^2 = 0, cut to 1 */
    double centre = 1 / (1 + (1 - q0) / (q0 * (1 + q0)));
    double side = 1 / (1 + (0.28 - q0) / (q0 * (1 + q0)));
    /* flow towards the south and the east takes the coefficient of the neighbour there */
    double after[3][3] = {
        {1, 1 + 0.125 * centre, 1},
        {1 + 0.125 * centre, 2 - 0.125 * (2 * centre + 2 * side), 1 + 0.125 * side},
        {1, 1 + 0.125 * side, 1},
    };
    float *result = diffuse(&image, 1);
    for (size_t i = 0; i < 9; i++)
        assert_true(fabs((double)result[i] - after[i / 3][i % 3]) < 1e-6);
    free(result);
}

static void despeckling_keeps_edges_and_loses_noise(void **state)
{
    (void)state;
    struct srad_image image;
    struct clopt_error error = {0};
    assert_int_equal(create("rows=200 columns=240", 7, &image, &error), CLOPT_OK);
    float *result = diffuse(&image, 100);
    struct srad_statistics before = {0}, after = {0}, dark = {0};
    for (size_t row = 0; row < 40; row++) {
        srad_statistics_add(&before, image.intensities + row * image.stride, 40);
        srad_statistics_add(&after, result + row * 240, 40);
    }
    for (size_t row = 38; row < 42; row++) /* within a dark ellipse */
        srad_statistics_add(&dark, result + row * 240 + 190, 4);
    assert_true(srad_statistics_signal_to_noise(&before) < 9);
    assert_true(srad_statistics_signal_to_noise(&after) > 50);
    assert_true(fabs(after.sum / after.count - before.sum / before.count) < 0.02);
    assert_true(dark.sum / dark.count < 1.25);
    free(result);
    srad_image_destroy(&image);
}

static void mistakes_are_larger_than_the_bound(void **state)
{
    (void)state;
    struct srad_image image;
    struct clopt_error error = {0};
    assert_int_equal(create("rows=90 columns=70", 7, &image, &error), CLOPT_OK);
    float *right = diffuse(&image, 10);
    struct srad_image other = image;
    other.region.rows--; /* another speckle */
    float *wrong = diffuse(&other, 10);
    double worst = 0;
    for (size_t i = 0; i < 90 * 70; i++)
        worst = fmax(worst, fabs((double)(wrong[i] - right[i])) / (double)right[i]);
    assert_true(worst > 3 * srad_reference_bound(10));
    free(right);
    free(wrong);
    srad_image_destroy(&image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_follows_from_size_and_block),
        cmocka_unit_test(refuses_a_step_that_is_none),
        cmocka_unit_test(the_phantom_follows_from_the_seed),
        cmocka_unit_test(a_file_becomes_intensities),
        cmocka_unit_test(refuses_images_without_a_region),
        cmocka_unit_test(speckle_is_variance_over_squared_mean),
        cmocka_unit_test(one_iteration_is_what_the_paper_says),
        cmocka_unit_test(despeckling_keeps_edges_and_loses_noise),
        cmocka_unit_test(mistakes_are_larger_than_the_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
