/* SPDX-License-Identifier: BSD-3-Clause */
/* needle: the best global alignment of two sequences, by Needleman and Wunsch (thesis, 6.3). */

#include "alignment.h"

enum { SHARED_1, SHARED_2 };
enum { MATRIX, FIRST, SECOND, SCORES };

#define DEFAULT_LENGTH 4096

static const struct clopt_kernel kernels[] = {
    [SHARED_1] = {"needle_opencl_shared_1", 1, false},
    [SHARED_2] = {"needle_opencl_shared_2", 1, false},
    {NULL, 0, false},
};

static const struct clopt_parameter inputs[] = {
    {.name = "length",
     .type = CLOPT_INTEGER,
     .legal = "1..32704",
     .initial = CLOPT_STRING(DEFAULT_LENGTH),
     .help = "letters of two random sequences (the thesis: 4096, 8192, 16384; to try: 256); left "
             "out where files are given",
     .without = "first"},
    {.name = "first", .type = CLOPT_FILE, .help = "FASTA file of one sequence", .with = "second"},
    {.name = "second",
     .type = CLOPT_FILE,
     .help = "FASTA file of the sequence to align with it",
     .with = "first"},
    {.name = "match",
     .type = CLOPT_INTEGER,
     .legal = "-1000..1000",
     .help = "score of two equal letters, with mismatch; BLOSUM62 without",
     .with = "mismatch"},
    {.name = "mismatch",
     .type = CLOPT_INTEGER,
     .legal = "-1000..1000",
     .help = "score of two different letters, with match",
     .with = "match"},
    {.name = "gap",
     .type = CLOPT_INTEGER,
     .legal = "-1000..0",
     .initial = "-10",
     .help = "score of a letter without a counterpart"},
    {.name = NULL},
};

static const struct clopt_knob knobs[] = {
    {.optimization = "geometry",
     .parameter = "block_size",
     .macro = "BLOCK_SIZE",
     .legal = "pow2 16.." CLOPT_STRING(NEEDLE_LARGEST_BLOCK),
     .initial = "16",
     .help = "rows and columns of the tiles that work-groups compute; up to 64 in local memory"},
    {.optimization = "memory",
     .parameter = "direct",
     .macro = "DIRECT",
     .legal = "0, 1",
     .initial = "0",
     .help =
         "1: a work-item computes a tile by itself, row by row in vectors, without local memory"},
    {.parameter = NULL},
};

static const struct clopt_parameter results[] = {
    {.name = "alignment",
     .type = CLOPT_FILE,
     .help = "an alignment with the best score, in the pair format of EMBOSS"},
    {.name = NULL},
};

/* The matrix in tiles. */
struct tiles {
    size_t size; /* rows and columns of a tile */
    size_t rows; /* of tiles */
    size_t columns;
};

static size_t block_size(const struct clopt_problem *problem)
{
    return (size_t)clopt_values_integer(problem->knobs, "block_size");
}

static bool is_direct(const struct clopt_problem *problem)
{
    return clopt_values_integer(problem->knobs, "direct");
}

/* Returns the work-items of a tile. */
static size_t local_size(const struct clopt_problem *problem)
{
    return is_direct(problem) ? 1 : block_size(problem);
}

static size_t stride_of(const struct clopt_problem *problem,
                        const struct needle_sequences *sequences)
{
    return needle_stride(sequences->second.length, block_size(problem));
}

static struct tiles divide(size_t block, size_t rows, size_t columns)
{
    return (struct tiles){block, (rows + block - 1) / block, (columns + block - 1) / block};
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Counts the tiles of a diagonal. */
static size_t count_tiles(const struct tiles *tiles, size_t diagonal)
{
    size_t from = diagonal < tiles->rows ? 0 : diagonal - tiles->rows + 1;
    return smaller(diagonal, tiles->columns - 1) - from + 1;
}

/* Counts the work of all launches.
 *
 * Operations: a cell takes three additions and two comparisons; cells beyond the ends of the
 * sequences, in tiles that are not full, are computed too. Bytes: a tile reads its letters and the
 * cells around it, where there are any, and writes its own; each launch reads the scores. */
static void count_work(unsigned kernel, const struct tiles *tiles, struct clopt_kernel_work *work)
{
    size_t diagonals = kernel == SHARED_1 ? tiles->rows : tiles->columns - 1;
    double all = 0;
    for (size_t i = 0; i < diagonals; i++)
        all += (double)count_tiles(tiles, kernel == SHARED_1 ? i : tiles->rows + i);
    double b = (double)tiles->size;
    double corner = kernel == SHARED_1;
    double left = kernel == SHARED_1 ? (double)tiles->rows : 0;
    double top = (double)smaller(tiles->rows, tiles->columns);
    if (kernel == SHARED_2)
        top = (double)tiles->columns - top;
    double cells = all * b * b + (2 * all - left - top) * b + all - left - top + corner;
    work->arithmetic = CLOPT_ARITHMETIC_INTEGER;
    work->operations = all * b * b * 5;
    work->bytes = cells * sizeof(int32_t) + all * 2 * b +
                  (double)diagonals * NEEDLE_LETTERS * NEEDLE_LETTERS * sizeof(int32_t);
}

static enum clopt_status describe(const struct clopt_problem *problem, const void *user,
                                  const struct clopt_kernel *kernel, struct clopt_kernel_work *work,
                                  struct clopt_error *error)
{
    const struct needle_sequences *sequences = user;
    size_t block = block_size(problem), local = local_size(problem);
    if (block > NEEDLE_LARGEST_LOCAL && !is_direct(problem))
        return clopt_fail(
            error, CLOPT_INVALID,
            "block_size = %zu needs direct = 1: tiles in local memory have at most %d "
            "rows",
            block, NEEDLE_LARGEST_LOCAL);
    *work = (struct clopt_kernel_work){.ndrange = CLOPT_RANGE1(0, local)};
    if (!sequences && clopt_values_has(problem->inputs, "first"))
        return CLOPT_OK; /* the files have not been read yet */
    size_t length = (size_t)clopt_values_integer(problem->inputs, "length");
    struct tiles tiles = divide(block, sequences ? sequences->first.length : length,
                                sequences ? sequences->second.length : length);
    unsigned index = (unsigned)(kernel - kernels);
    size_t groups = smaller(tiles.rows, index == SHARED_1 ? tiles.columns : tiles.columns - 1);
    work->ndrange = CLOPT_RANGE1(groups * local, local);
    count_work(index, &tiles, work);
    return CLOPT_OK;
}

static enum clopt_status setup(const struct clopt_problem *problem, void **user,
                               struct clopt_error *error)
{
    struct needle_sequences *sequences = *user = clopt_calloc(1, sizeof *sequences);
    return needle_sequences_create(problem, sequences, error);
}

static void teardown(void *user)
{
    needle_sequences_destroy(user);
    free(user);
}

static enum clopt_status prepare(void *user, const struct clopt_problem *problem,
                                 struct clopt_session *session)
{
    const struct needle_sequences *sequences = user;
    size_t rows = needle_continued(sequences->first.length, block_size(problem));
    size_t columns = needle_continued(sequences->second.length, block_size(problem));
    size_t cells = rows * stride_of(problem, sequences);
    CLOPT_TRY(clopt_buffer(session, MATRIX, "matrix", CLOPT_OUTPUT, cells * sizeof(int32_t), NULL));
    CLOPT_TRY(clopt_buffer(session, FIRST, "first", CLOPT_INPUT, rows, sequences->first.letters));
    CLOPT_TRY(
        clopt_buffer(session, SECOND, "second", CLOPT_INPUT, columns, sequences->second.letters));
    return clopt_buffer(session, SCORES, "scores", CLOPT_INPUT, sizeof sequences->scores.table,
                        sequences->scores.table);
}

static enum clopt_status launch(void *user, const struct clopt_problem *problem,
                                struct clopt_session *session)
{
    const struct needle_sequences *sequences = user;
    size_t local = local_size(problem);
    struct tiles tiles =
        divide(block_size(problem), sequences->first.length, sequences->second.length);
    int32_t stride = (int32_t)stride_of(problem, sequences);
    int32_t gap = sequences->scores.gap;
    int32_t last_row = (int32_t)tiles.rows - 1;
    for (size_t i = 0; i < tiles.rows + tiles.columns - 1; i++) {
        int32_t diagonal = (int32_t)i;
        struct clopt_ndrange ndrange = CLOPT_RANGE1(count_tiles(&tiles, i) * local, local);
        if (i < tiles.rows)
            CLOPT_TRY(clopt_launch(session, SHARED_1, ndrange, CLOPT_BUFFER(MATRIX),
                                   CLOPT_BUFFER(FIRST), CLOPT_BUFFER(SECOND), CLOPT_BUFFER(SCORES),
                                   CLOPT_VALUE(stride), CLOPT_VALUE(gap), CLOPT_VALUE(diagonal)));
        else
            CLOPT_TRY(clopt_launch(session, SHARED_2, ndrange, CLOPT_BUFFER(MATRIX),
                                   CLOPT_BUFFER(FIRST), CLOPT_BUFFER(SECOND), CLOPT_BUFFER(SCORES),
                                   CLOPT_VALUE(stride), CLOPT_VALUE(gap), CLOPT_VALUE(diagonal),
                                   CLOPT_VALUE(last_row)));
    }
    return CLOPT_OK;
}

/* Starts to read the matrix back, without the rows that continue it. */
static struct clopt_rows begin_rows(const struct clopt_problem *problem,
                                    struct clopt_session *session,
                                    const struct needle_sequences *sequences)
{
    size_t row_bytes = stride_of(problem, sequences) * sizeof(int32_t);
    return clopt_rows_begin(session, MATRIX, row_bytes, sequences->first.length);
}

static const int32_t *find_row(void *user, size_t row)
{
    return clopt_rows_find(user, row);
}

/* Every cell must follow from its neighbours. */
static enum clopt_status check(void *user, const struct clopt_problem *problem,
                               struct clopt_session *session, struct clopt_verdict *verdict)
{
    const struct needle_sequences *sequences = user;
    struct needle_check check;
    needle_check_init(&check, sequences);
    size_t stride = stride_of(problem, sequences);
    struct clopt_rows rows = begin_rows(problem, session, sequences);
    const int32_t *band;
    for (size_t y = 0; y < rows.count && (band = clopt_rows_find(&rows, y)); y += rows.read)
        needle_check_rows(&check, band, stride, rows.read);
    verdict->error = (double)check.different;
    verdict->bound = 0;
    verdict->right = check.different == 0;
    if (verdict->right)
        snprintf(verdict->text, sizeof verdict->text,
                 "cells that do not follow from their neighbours, of %zu x %zu", rows.count,
                 sequences->second.length);
    else
        snprintf(verdict->text, sizeof verdict->text,
                 "cells that do not follow from their neighbours, first in row %zu, column %zu: "
                 "%ld instead of %ld",
                 check.first_row + 1, check.first_column + 1, (long)check.actual,
                 (long)check.expected);
    needle_check_fini(&check);
    return clopt_rows_end(&rows);
}

static enum clopt_status summarize(void *user, const struct clopt_problem *problem,
                                   struct clopt_session *session, FILE *stream)
{
    const struct needle_sequences *sequences = user;
    size_t stride = stride_of(problem, sequences);
    size_t last = (sequences->first.length - 1) * stride + sequences->second.length - 1;
    int32_t score;
    CLOPT_TRY(clopt_read(session, MATRIX, last * sizeof score, sizeof score, &score));
    fprintf(stream, "score: %ld\n", (long)score);
    return CLOPT_OK;
}

static enum clopt_status write(void *user, const struct clopt_problem *problem,
                               struct clopt_session *session, unsigned result, FILE *stream)
{
    const struct needle_sequences *sequences = user;
    (void)result;
    struct needle_alignment alignment;
    struct clopt_rows rows = begin_rows(problem, session, sequences);
    if (needle_alignment_trace(sequences, find_row, &rows, &alignment))
        needle_alignment_write(sequences, &alignment, stream);
    needle_alignment_free(&alignment);
    return clopt_rows_end(&rows);
}

static const struct clopt_app app = {
    .dwarf = "dynamic programming",
    .source = "needle.cl",
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

CLOPT_APP_PLUGIN("needle", "global alignment of two sequences, after Needleman and Wunsch", &app);
