/* SPDX-License-Identifier: BSD-3-Clause */
/* lud: LU decomposition without pivoting, block by block (thesis, section 6.1). */

#include <math.h>

#include "../../shared/matrix_market.h"
#include "check.h"

enum { DIAGONAL, PERIMETER, INTERNAL };
enum { MATRIX };

#define DEFAULT_SIZE 4096

struct lud_state {
    struct lud_matrix matrix;
    struct lud_check check;
};

static const struct clopt_kernel kernels[] = {
    [DIAGONAL] = {"lud_diagonal", 1, false},
    [PERIMETER] = {"lud_perimeter", 1, false},
    [INTERNAL] = {"lud_internal", 2, false},
    {NULL, 0, false},
};

static const struct clopt_parameter inputs[] = {
    {.name = "size",
     .type = CLOPT_INTEGER,
     .legal = "1.." CLOPT_STRING(LUD_MOST_ROWS),
     .initial = CLOPT_STRING(DEFAULT_SIZE),
     .help = "rows of a random, diagonally dominant matrix (the thesis: 4096, 8192; to try: 256); "
             "left out where input is given",
     .without = "input"},
    {.name = "input",
     .type = CLOPT_FILE,
     .help = "Matrix Market file of the matrix (square; rows are not exchanged)"},
    {.name = NULL},
};

static const struct clopt_knob knobs[] = {
    {.optimization = "geometry",
     .parameter = "block_size",
     .macro = "BLOCK_SIZE",
     .legal = "pow2 4.." CLOPT_STRING(LUD_LARGEST_BLOCK),
     .initial = "16",
     .help = "rows and columns of the blocks that work-groups share in local memory"},
    {.optimization = "vector",
     .parameter = "transposed",
     .macro = "TRANSPOSED",
     .legal = "0, 1",
     .initial = "0",
     .kernels = "lud_perimeter lud_internal",
     .help = "1: peri_col of lud_perimeter and peri_row of lud_internal are kept by columns"},
    {.parameter = NULL},
};

static const struct clopt_parameter results[] = {
    {.name = "factors",
     .type = CLOPT_FILE,
     .help = "U and, below the diagonal, L as a Matrix Market file"},
    {.name = NULL},
};

static size_t block_size(const struct clopt_problem *problem)
{
    return (size_t)clopt_values_integer(problem->knobs, "block_size");
}

/* A launch of a kernel where `groups` blocks remain to the right of the diagonal block and below
 * it: the NDRange of the initial code. */
static struct clopt_ndrange ndrange_of(unsigned kernel, size_t block, size_t groups)
{
    switch (kernel) {
    case DIAGONAL:
        return CLOPT_RANGE1(block, block);
    case PERIMETER:
        return CLOPT_RANGE1(groups * 2 * block, 2 * block);
    default:
        return CLOPT_RANGE2(groups * block, groups * block, block, block);
    }
}

/* Counts the work of all launches, for `blocks` blocks of `b` rows each side.
 *
 * Operations: eliminating column k of a matrix of m rows takes m - k divisions and (m - k)^2
 * multiplications and subtractions each. So the diagonal block takes b(b-1)/2 + b(b-1)(2b-1)/3; a
 * block of the perimeter's row b^2(b-1), one of its column b^2 divisions more; an inner block 2b^3.
 * Together that is what the unblocked algorithm takes, about 2/3 n^3, whatever the block size.
 * Bytes: each launch reads every block that it needs once, and writes every block that it changes.
 */
static void count_work(unsigned kernel, double b, double blocks, struct clopt_kernel_work *work)
{
    double remaining = blocks - 1;
    double sum = remaining * blocks / 2;                           /* 1 + 2 + ... */
    double squares = remaining * blocks * (2 * remaining + 1) / 6; /* 1 + 4 + ... */
    double block_bytes = b * b * sizeof(float);
    switch (kernel) {
    case DIAGONAL:
        work->operations = blocks * (b * (b - 1) / 2 + b * (b - 1) * (2 * b - 1) / 3);
        work->bytes = blocks * 2 * block_bytes;
        break;
    case PERIMETER:
        work->operations = sum * (2 * b * b * (b - 1) + b * b);
        work->bytes = (remaining + 4 * sum) * block_bytes;
        break;
    default:
        work->operations = squares * 2 * b * b * b;
        work->bytes = (2 * sum + 2 * squares) * block_bytes;
    }
}

static enum clopt_status describe(const struct clopt_problem *problem, const void *user,
                                  const struct clopt_kernel *kernel, struct clopt_kernel_work *work,
                                  struct clopt_error *error)
{
    const struct lud_state *state = user;
    (void)error;
    const char *path = clopt_values_text(problem->inputs, "input");
    int64_t size = clopt_values_integer(problem->inputs, "size");
    unsigned index = (unsigned)(kernel - kernels);
    size_t block = block_size(problem);
    *work = (struct clopt_kernel_work){.ndrange = ndrange_of(index, block, 0)};
    if (path && !state)
        return CLOPT_OK; /* the file has not been read yet */
    size_t rows = state ? state->matrix.size : (size_t)size;
    size_t blocks = clopt_divide_up(rows, block);
    work->ndrange = ndrange_of(index, block, blocks - 1);
    count_work(index, (double)block, (double)blocks, work);
    return CLOPT_OK;
}

static void teardown(void *user)
{
    CLOPT_FREED struct lud_state *state = user;
    lud_check_fini(&state->check);
    lud_matrix_destroy(&state->matrix);
}

static enum clopt_status setup(const struct clopt_problem *problem, void **user,
                               struct clopt_error *error)
{
    struct lud_state *state = *user = clopt_calloc(1, sizeof *state);
    CLOPT_TRY(lud_matrix_create(problem, &state->matrix, error));
    return lud_check_init(&state->check, &state->matrix, problem->seed, error);
}

static enum clopt_status prepare(void *user, const struct clopt_problem *problem,
                                 struct clopt_session *session)
{
    const struct lud_state *state = user;
    (void)problem;
    return clopt_buffer(session, MATRIX, "matrix", CLOPT_IN_OUT, lud_matrix_bytes(&state->matrix),
                        state->matrix.elements);
}

static enum clopt_status launch(void *user, const struct clopt_problem *problem,
                                struct clopt_session *session)
{
    const struct lud_state *state = user;
    size_t block = block_size(problem);
    size_t blocks = clopt_divide_up(state->matrix.size, block);
    int32_t matrix_dim = (int32_t)state->matrix.stride;
    for (size_t step = 0; step < blocks; step++) {
        int32_t offset = (int32_t)(step * block);
        size_t groups = blocks - step - 1;
        for (unsigned kernel = DIAGONAL; kernel <= INTERNAL; kernel++) {
            if (kernel != DIAGONAL && groups == 0)
                break; /* nothing is left beside the last diagonal block */
            CLOPT_TRY(clopt_launch(session, kernel, ndrange_of(kernel, block, groups),
                                   CLOPT_BUFFER(MATRIX), CLOPT_VALUE(matrix_dim),
                                   CLOPT_VALUE(offset)));
        }
    }
    return CLOPT_OK;
}

/* Reads the factors band by band and sums up their residual. */
static enum clopt_status measure_residual(struct lud_state *state, struct clopt_session *session,
                                          struct lud_residual *residual)
{
    struct clopt_rows rows =
        clopt_rows_begin(session, MATRIX, state->matrix.stride * sizeof(float), state->matrix.size);
    const float *band;
    for (size_t i = 0; i < rows.count && (band = clopt_rows_find(&rows, i)); i += rows.read)
        lud_check_rows(&state->check, residual, band, rows.read);
    return clopt_rows_end(&rows);
}

static void judge(const struct lud_check *check, const struct lud_residual *residual,
                  struct clopt_verdict *verdict)
{
    verdict->error = residual->worst;
    verdict->bound = lud_check_bound(check);
    verdict->right = residual->worst <= verdict->bound;
    if (verdict->right)
        snprintf(verdict->text, sizeof verdict->text, "relative residual of L*U - A");
    else if (isfinite(residual->worst))
        snprintf(verdict->text, sizeof verdict->text,
                 "relative residual of L*U - A, largest in row %zu", residual->worst_row + 1);
    else
        snprintf(verdict->text, sizeof verdict->text,
                 "relative residual of L*U - A: no numbers in row %zu; where the initial code is "
                 "wrong too, the matrix needs its rows exchanged",
                 residual->worst_row + 1);
}

/* All factors must have a small residual. Those of a small random matrix, which is well
 * conditioned, must also agree with the reference's; elsewhere two right programs may differ by
 * far more than their rounding. */
static enum clopt_status check(void *user, const struct clopt_problem *problem,
                               struct clopt_session *session, struct clopt_verdict *verdict)
{
    struct lud_state *state = user;
    (void)problem;
    struct lud_residual residual = {0};
    CLOPT_TRY(measure_residual(state, session, &residual));
    judge(&state->check, &residual, verdict);
    if (!verdict->right || !state->check.reference || !state->matrix.seeded)
        return CLOPT_OK;
    struct clopt_verdict agreement = {0};
    size_t count = state->matrix.stride * state->matrix.stride;
    CLOPT_TRY(clopt_compare(session, MATRIX, CLOPT_FLOAT32, state->check.reference, count,
                            verdict->bound / (double)state->matrix.size, verdict->bound,
                            &agreement));
    if (!agreement.right)
        *verdict = agreement;
    return CLOPT_OK;
}

static enum clopt_status write(void *user, const struct clopt_problem *problem,
                               struct clopt_session *session, unsigned result, FILE *stream)
{
    const struct lud_state *state = user;
    (void)problem;
    (void)result;
    size_t bytes = state->matrix.size * state->matrix.stride * sizeof(float);
    CLOPT_FREED float *factors = malloc(bytes);
    CLOPT_NEED(factors, clopt_session_error(session));
    CLOPT_TRY(clopt_read(session, MATRIX, 0, bytes, factors));
    matrix_market_write(stream, "LU factors: U, and below its diagonal L, without ones",
                        state->matrix.size, factors, state->matrix.stride);
    return CLOPT_OK;
}

static const struct clopt_app app = {
    .dwarf = "dense linear algebra",
    .source = "lud.cl",
    .kernels = kernels,
    .inputs = inputs,
    .knobs = knobs,
    .results = results,
    .describe = describe,
    .setup = setup,
    .prepare = prepare,
    .launch = launch,
    .check = check,
    .write = write,
    .teardown = teardown,
};

CLOPT_APP_PLUGIN("lud", "LU decomposition of a dense matrix, block by block", &app);
