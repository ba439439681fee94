/* SPDX-License-Identifier: BSD-3-Clause */
/* srad: speckle-reducing anisotropic diffusion of an image (thesis, section 6.4). */

#include <math.h>

#include "reference.h"

enum { SRAD_1, SRAD_2 };
enum { J, C, N, S, W, E };

/* Columns of a work-item's tile in the fused kernel. */
#define FUSED_COLUMNS 512
#define DEFAULT_SIDE  4096

struct srad_state {
    struct srad_image image;
    double lambda;
    size_t iterations;
    const float *reference; /* by rows without gaps */
};

static const struct clopt_kernel kernels[] = {
    [SRAD_1] = {"srad_cuda_1", 2, false},
    [SRAD_2] = {"srad_cuda_2", 2, false},
    {NULL, 0, false},
};

static const struct clopt_parameter inputs[] = {
    {.name = "rows",
     .type = CLOPT_INTEGER,
     .legal = "1.." CLOPT_STRING(SRAD_MOST_SIDE),
     .initial = CLOPT_STRING(DEFAULT_SIDE),
     .help = "rows of a phantom with speckle (the thesis: 4096; to try: 256); left out where input "
             "is given",
     .without = "input"},
    {.name = "columns",
     .type = CLOPT_INTEGER,
     .legal = "1.." CLOPT_STRING(SRAD_MOST_SIDE),
     .initial = CLOPT_STRING(DEFAULT_SIDE),
     .help = "columns of it",
     .without = "input"},
    {.name = "input", .type = CLOPT_FILE, .help = "PGM file (P2 or P5) of the image"},
    {.name = "iterations",
     .type = CLOPT_INTEGER,
     .legal = "1..100000",
     .initial = "2",
     .help = "how often to diffuse; 100 show a clear effect"},
    {.name = "lambda",
     .type = CLOPT_REAL,
     .initial = "0.5",
     .help = "step of an iteration, above 0 and at most 1"},
    {.name = "region_top",
     .type = CLOPT_INTEGER,
     .legal = "0..",
     .initial = "0",
     .help = "first row of the region of interest, a homogeneous one with speckle"},
    {.name = "region_left",
     .type = CLOPT_INTEGER,
     .legal = "0..",
     .initial = "0",
     .help = "first column of it"},
    {.name = "region_rows",
     .type = CLOPT_INTEGER,
     .legal = "1..",
     .help = "rows of it; 128, or as many as there are"},
    {.name = "region_columns",
     .type = CLOPT_INTEGER,
     .legal = "1..",
     .help = "columns of it; 128, or as many as there are"},
    {.name = NULL},
};

static const struct clopt_knob knobs[] = {
    {.optimization = "geometry",
     .parameter = "block_size",
     .macro = "BLOCK_SIZE",
     .legal = "16, 32",
     .initial = "16",
     .help = "rows and columns of the blocks that work-groups keep in local memory"},
    {.optimization = "branches",
     .parameter = "padding",
     .macro = "PADDING",
     .legal = "0, 1",
     .initial = "0",
     .help = "1: blocks have a border of neighbours in place of arrays for each edge"},
    {.optimization = "branches",
     .parameter = "separate",
     .macro = "SEPARATE",
     .legal = "0, 1",
     .initial = "0",
     .kernels = "srad_cuda_1",
     .help = "1: each edge of a block has a branch of its own, in place of one chain for all edges "
             "and corners"},
    {.optimization = "memory",
     .parameter = "direct",
     .macro = "DIRECT",
     .legal = "0, 1",
     .initial = "0",
     .help = "1: pixels read their neighbours from global memory, and blocks keep nothing"},
    {.optimization = "memory",
     .parameter = "fused",
     .macro = "FUSED",
     .legal = "0, 1",
     .initial = "0",
     .kernels = "srad_cuda_1",
     .help = "1: srad_cuda_1 makes the next image by itself, without differences and coefficients "
             "in global memory"},
    {.parameter = NULL},
};

static const struct clopt_parameter results[] = {
    {.name = "image", .type = CLOPT_FILE, .help = "the despeckled image as a PGM file (P5)"},
    {.name = NULL},
};

static size_t block_size(const struct clopt_problem *problem)
{
    return (size_t)clopt_values_integer(problem->knobs, "block_size");
}

static bool is_fused(const struct clopt_problem *problem)
{
    return clopt_values_integer(problem->knobs, "fused");
}

/* Checks values that depend on each other. */
static enum clopt_status check_values(const struct clopt_problem *problem,
                                      struct clopt_error *error)
{
    double lambda = clopt_values_real(problem->inputs, "lambda");
    bool padding = clopt_values_integer(problem->knobs, "padding");
    bool separate = clopt_values_integer(problem->knobs, "separate");
    if (!(lambda > 0 && lambda <= 1))
        return clopt_fail(error, CLOPT_INVALID, "lambda = %g: must be above 0 and at most 1",
                          lambda);
    if (padding && separate)
        return clopt_fail(error, CLOPT_INVALID,
                          "separate = 1 means nothing with padding = 1: edges have no branches");
    bool direct = clopt_values_integer(problem->knobs, "direct");
    if (is_fused(problem) && (padding || separate || direct))
        return clopt_fail(error, CLOPT_INVALID, "%s = 1 means nothing with fused = 1",
                          padding    ? "padding"
                          : separate ? "separate"
                                     : "direct");
    if (direct && (padding || separate))
        return clopt_fail(error, CLOPT_INVALID,
                          "%s = 1 means nothing with direct = 1: blocks have no edges",
                          padding ? "padding" : "separate");
    return CLOPT_OK;
}

/* Counts the work of all iterations over `pixels` pixels of whole blocks.
 *
 * Operations: a pixel takes 4 subtractions for its differences and 29 for the coefficient, two of
 * them comparisons (srad_cuda_1), and 10 for what flows (srad_cuda_2). Bytes: the image is read,
 * four differences and the coefficient are written; all of them are read, and the image written.
 * Neighbours that several work-groups read count once. With `fused`, srad_cuda_1 does all that and
 * reads and writes images alone; after an odd number of iterations srad_cuda_2 copies one. */
static void count_work(unsigned kernel, bool fused, double pixels, int64_t iterations,
                       struct clopt_kernel_work *work)
{
    double all = pixels * (double)iterations;
    work->operations = all * (kernel == SRAD_1 ? 33 : 10);
    work->bytes = all * sizeof(float) * (kernel == SRAD_1 ? 6 : 7);
    if (fused) {
        work->operations = kernel == SRAD_1 ? all * 43 : 0;
        work->bytes = 2 * sizeof(float) * (kernel == SRAD_1 ? all : pixels * (iterations % 2));
    }
}

/* Returns the NDRange for an image. */
static struct clopt_ndrange ndrange_of(const struct clopt_problem *problem, size_t rows,
                                       size_t columns)
{
    size_t block = block_size(problem);
    if (is_fused(problem))
        return CLOPT_RANGE2((columns + FUSED_COLUMNS - 1) / FUSED_COLUMNS,
                            (rows + block - 1) / block, 1, 1);
    return CLOPT_RANGE2(clopt_round_up(columns, block), clopt_round_up(rows, block), block, block);
}

static enum clopt_status describe(const struct clopt_problem *problem, const void *user,
                                  const struct clopt_kernel *kernel, struct clopt_kernel_work *work,
                                  struct clopt_error *error)
{
    const struct srad_state *state = user;
    CLOPT_TRY(check_values(problem, error));
    unsigned index = (unsigned)(kernel - kernels);
    size_t block = block_size(problem);
    *work = (struct clopt_kernel_work){.ndrange = ndrange_of(problem, 0, 0)};
    if (!state && clopt_values_has(problem->inputs, "input"))
        return CLOPT_OK; /* the file has not been read yet */
    size_t rows = state ? state->image.rows : (size_t)clopt_values_integer(problem->inputs, "rows");
    size_t columns =
        state ? state->image.columns : (size_t)clopt_values_integer(problem->inputs, "columns");
    work->ndrange = ndrange_of(problem, rows, columns);
    double pixels = (double)clopt_round_up(rows, block) * (double)clopt_round_up(columns, block);
    count_work(index, is_fused(problem), pixels,
               clopt_values_integer(problem->inputs, "iterations"), work);
    return CLOPT_OK;
}

static size_t reference_bytes(const struct srad_image *image)
{
    return image->rows * image->columns * sizeof(float);
}

static void teardown(void *user)
{
    CLOPT_FREED struct srad_state *state = user;
    if (state->reference)
        clopt_cached_release(state->reference, reference_bytes(&state->image));
    srad_image_destroy(&state->image);
}

static enum clopt_status fill_reference(void *user, void *data, size_t bytes,
                                        struct clopt_error *error)
{
    const struct srad_state *state = user;
    (void)bytes;
    return srad_reference_make(&state->image, state->lambda, state->iterations, data, error);
}

static enum clopt_status setup(const struct clopt_problem *problem, void **user,
                               struct clopt_error *error)
{
    struct srad_state *state = *user = clopt_calloc(1, sizeof *state);
    state->lambda = clopt_values_real(problem->inputs, "lambda");
    state->iterations = (size_t)clopt_values_integer(problem->inputs, "iterations");
    CLOPT_TRY(srad_image_create(problem, &state->image, error));
    const void *reference = NULL;
    CLOPT_TRY(clopt_cached(problem, "reference", reference_bytes(&state->image), fill_reference,
                           state, &reference, error));
    state->reference = reference;
    return CLOPT_OK;
}

static enum clopt_status prepare(void *user, const struct clopt_problem *problem,
                                 struct clopt_session *session)
{
    static const char *const names[] = {"J", "C", "N", "S", "W", "E"};
    const struct srad_image *image = &((const struct srad_state *)user)->image;
    size_t bytes = srad_image_bytes(image);
    unsigned last = is_fused(problem) ? C : E;
    CLOPT_TRY(clopt_buffer(session, J, names[J], CLOPT_IN_OUT, bytes, image->intensities));
    for (unsigned id = C; id <= last; id++)
        CLOPT_TRY(clopt_buffer(session, id, names[id], CLOPT_SCRATCH, bytes, NULL));
    return CLOPT_OK;
}

/* Starts to read rows of an image on the device. */
static struct clopt_rows begin_rows(struct clopt_session *session, const struct srad_image *image,
                                    unsigned buffer)
{
    return clopt_rows_begin(session, buffer, image->stride * sizeof(float), image->rows);
}

/* Measures the region of interest on the device. */
static enum clopt_status measure_region(const struct srad_image *image, unsigned buffer,
                                        struct clopt_session *session,
                                        struct srad_statistics *statistics)
{
    const struct srad_region *region = &image->region;
    struct clopt_rows rows = begin_rows(session, image, buffer);
    const float *row;
    rows.count = region->top + region->rows; /* no more is read */
    *statistics = (struct srad_statistics){0};
    for (size_t i = region->top; i < rows.count && (row = clopt_rows_find(&rows, i)); i++)
        srad_statistics_add(statistics, row + region->left, region->columns);
    return clopt_rows_end(&rows);
}

/* Measures the speckle of an image on the device. */
static enum clopt_status measure_speckle(const struct srad_image *image, unsigned buffer,
                                         struct clopt_session *session, float *q0sqr)
{
    struct srad_statistics statistics;
    CLOPT_TRY(measure_region(image, buffer, session, &statistics));
    *q0sqr = srad_statistics_speckle(&statistics);
    return CLOPT_OK;
}

static enum clopt_status iterate(const struct srad_state *state, struct clopt_ndrange ndrange,
                                 struct clopt_session *session)
{
    const struct srad_image *image = &state->image;
    int32_t rows = (int32_t)image->rows;
    int32_t columns = (int32_t)image->columns;
    int32_t stride = (int32_t)image->stride;
    float lambda = (float)state->lambda, q0sqr;
    CLOPT_TRY(measure_speckle(image, J, session, &q0sqr));
    CLOPT_TRY(clopt_launch(session, SRAD_1, ndrange, CLOPT_BUFFER(J), CLOPT_BUFFER(C),
                           CLOPT_BUFFER(N), CLOPT_BUFFER(S), CLOPT_BUFFER(W), CLOPT_BUFFER(E),
                           CLOPT_VALUE(rows), CLOPT_VALUE(columns), CLOPT_VALUE(stride),
                           CLOPT_VALUE(q0sqr)));
    return clopt_launch(session, SRAD_2, ndrange, CLOPT_BUFFER(J), CLOPT_BUFFER(C), CLOPT_BUFFER(N),
                        CLOPT_BUFFER(S), CLOPT_BUFFER(W), CLOPT_BUFFER(E), CLOPT_VALUE(rows),
                        CLOPT_VALUE(columns), CLOPT_VALUE(stride), CLOPT_VALUE(lambda));
}

/* The fused kernel makes an image of another one, which is in C and in J by turns. */
static enum clopt_status iterate_fused(const struct srad_state *state, size_t iteration,
                                       struct clopt_ndrange ndrange, struct clopt_session *session)
{
    const struct srad_image *image = &state->image;
    int32_t rows = (int32_t)image->rows;
    int32_t columns = (int32_t)image->columns;
    int32_t stride = (int32_t)image->stride;
    float lambda = (float)state->lambda, q0sqr;
    unsigned from = iteration % 2 ? C : J, to = iteration % 2 ? J : C;
    CLOPT_TRY(measure_speckle(image, from, session, &q0sqr));
    CLOPT_TRY(clopt_launch(session, SRAD_1, ndrange, CLOPT_BUFFER(from), CLOPT_BUFFER(to),
                           CLOPT_VALUE(rows), CLOPT_VALUE(columns), CLOPT_VALUE(stride),
                           CLOPT_VALUE(q0sqr), CLOPT_VALUE(lambda)));
    if (to == C && iteration + 1 == state->iterations)
        CLOPT_TRY(clopt_launch(session, SRAD_2, ndrange, CLOPT_BUFFER(J), CLOPT_BUFFER(C),
                               CLOPT_VALUE(rows), CLOPT_VALUE(stride)));
    return CLOPT_OK;
}

static enum clopt_status launch(void *user, const struct clopt_problem *problem,
                                struct clopt_session *session)
{
    const struct srad_state *state = user;
    struct clopt_ndrange ndrange = ndrange_of(problem, state->image.rows, state->image.columns);
    for (size_t i = 0; i < state->iterations; i++)
        CLOPT_TRY(is_fused(problem) ? iterate_fused(state, i, ndrange, session)
                                    : iterate(state, ndrange, session));
    return CLOPT_OK;
}

static enum clopt_status check(void *user, const struct clopt_problem *problem,
                               struct clopt_session *session, struct clopt_verdict *verdict)
{
    const struct srad_state *state = user;
    (void)problem;
    *verdict = (struct clopt_verdict){
        .bound = srad_reference_bound(state->iterations),
        .text = "relative error of the intensities",
    };
    struct srad_difference difference = {0, SIZE_MAX, verdict->bound};
    struct clopt_rows rows = begin_rows(session, &state->image, J);
    for (size_t i = 0; i < rows.count && clopt_rows_find(&rows, i); i += rows.read)
        srad_compare_band(&state->image, state->reference, &rows, &difference, verdict);
    verdict->error = difference.worst;
    verdict->right = verdict->error <= verdict->bound;
    return clopt_rows_end(&rows);
}

static enum clopt_status summarize(void *user, const struct clopt_problem *problem,
                                   struct clopt_session *session, FILE *stream)
{
    const struct srad_image *image = &((const struct srad_state *)user)->image;
    const struct srad_region *region = &image->region;
    (void)problem;
    struct srad_statistics before = {0};
    struct srad_statistics after;
    for (size_t row = region->top; row < region->top + region->rows; row++)
        srad_statistics_add(&before, image->intensities + row * image->stride + region->left,
                            region->columns);
    CLOPT_TRY(measure_region(image, J, session, &after));
    fprintf(stream, "signal-to-noise before: %.4g\nsignal-to-noise after: %.4g\n",
            srad_statistics_signal_to_noise(&before), srad_statistics_signal_to_noise(&after));
    return CLOPT_OK;
}

/* Turns a row's intensities into pixels of a file. */
static void write_row(const struct srad_image *image, const float *intensities, uint16_t *pixels,
                      FILE *stream)
{
    for (size_t i = 0; i < image->columns; i++) {
        double pixel = round(log((double)intensities[i]) * image->white);
        pixels[i] = (uint16_t)fmin(fmax(pixel, 0), image->white);
    }
    pgm_write_row(stream, pixels, image->columns, image->white);
}

static enum clopt_status write(void *user, const struct clopt_problem *problem,
                               struct clopt_session *session, unsigned result, FILE *stream)
{
    const struct srad_image *image = &((const struct srad_state *)user)->image;
    (void)problem;
    (void)result;
    CLOPT_FREED uint16_t *pixels = clopt_calloc(image->columns, sizeof *pixels);
    pgm_write_head(stream, image->rows, image->columns, image->white);
    struct clopt_rows rows = begin_rows(session, image, J);
    const float *row;
    for (size_t i = 0; i < rows.count && (row = clopt_rows_find(&rows, i)); i++)
        write_row(image, row, pixels, stream);
    return clopt_rows_end(&rows);
}

static const struct clopt_app app = {
    .dwarf = "structured grids",
    .source = "srad.cl",
    .kernels = kernels,
    .inputs = inputs,
    .knobs = knobs,
    .results = results,
    .describe = describe,
    .setup = setup,
    .prepare = prepare,
    .launch = launch,
    .check = check,
    .summarize = summarize,
    .write = write,
    .teardown = teardown,
};

CLOPT_APP_PLUGIN("srad", "speckle-reducing anisotropic diffusion of an image", &app);
