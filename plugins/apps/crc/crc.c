/* SPDX-License-Identifier: BSD-3-Clause */
/* crc: cyclic redundancy checks of a stream of bytes (thesis, section 6.2). */

#include <errno.h>

#include "crc32.h"
#include "crc8.h"
#include "data.h"

enum { COMPUTE, REDUCE, BLOCKS, COMBINE };
enum { DATA, TABLES, ANSWERS, SUM, PARTS, OPERATORS };

#define DEFAULT_SIZE       50000000
#define DEFAULT_POLYNOMIAL "0x07"

/* Vectors of 16 answers that a work-item of reduce takes. */
#define REDUCE_VECTORS 64

/* Blocks of a work-item of crc32_blocks with `wide`. */
#define WIDE_BLOCKS 16

struct crc_state {
    bool crc32; /* else CRC-8 */
    uint8_t *data;
    size_t size;
    uint32_t start;    /* what the kernels add to */
    uint32_t expected; /* the CRC */
    uint8_t crc8_tables[CRC8_TABLES][256];
    struct crc8_answers answers;
    uint32_t crc32_tables[CRC32_SLICES][256];
    struct crc32_operator operators[CRC32_OPERATORS];
};

static const struct clopt_kernel kernels[] = {
    [COMPUTE] = {"compute", 1, true},
    [REDUCE] = {"reduce", 1, true},
    [BLOCKS] = {"crc32_blocks", 1, true},
    [COMBINE] = {"crc32_combine", 1, true},
    {NULL, 0, false},
};

/* Work-groups that every device takes; blocks are much work for a work-item. */
static const size_t local_sizes[] = {[COMPUTE] = 256, [REDUCE] = 64, [BLOCKS] = 64, [COMBINE] = 64};

static const struct clopt_parameter inputs[] = {
    {.name = "size",
     .type = CLOPT_INTEGER,
     .legal = "0.." CLOPT_STRING(CRC_MOST_BYTES),
     .initial = CLOPT_STRING(DEFAULT_SIZE),
     .help = "bytes of a random stream (the thesis: 50M, 100M, 200M; to try: 1M); left out where "
             "input is given",
     .without = "input"},
    {.name = "input", .type = CLOPT_FILE, .help = "file whose bytes are checked"},
    {.name = "kernel",
     .type = CLOPT_TEXT,
     .legal = "crc8, crc32",
     .initial = "crc8",
     .help = "CRC-8 byte by byte (compute, reduce), or zlib's CRC-32 by blocks (crc32_blocks, "
             "crc32_combine)"},
    {.name = "polynomial",
     .type = CLOPT_TEXT,
     .initial = DEFAULT_POLYNOMIAL,
     .help = "polynomial of crc8 without x^8, from 0x00 to 0xff; the first is that of SMBus",
     .without = "kernel"},
    {.name = NULL},
};

static const struct clopt_knob knobs[] = {
    {.optimization = "vector",
     .parameter = "wide",
     .macro = "WIDE",
     .legal = "0, 1",
     .initial = "0",
     .kernels = "crc32_blocks",
     .help =
         "1: crc32_blocks divides by vectors of 64 bytes, without tables, and 64 KiB a work-item"},
    {.parameter = NULL},
};

static bool is_crc32(const struct clopt_problem *problem)
{
    return strcmp(clopt_values_text(problem->inputs, "kernel"), "crc32") == 0;
}

static enum clopt_status parse_polynomial(const struct clopt_problem *problem, uint8_t *polynomial,
                                          struct clopt_error *error)
{
    const char *text = clopt_values_text(problem->inputs, "polynomial");
    char *end;
    errno = 0;
    unsigned long number = strtoul(text, &end, 0);
    if (*text < '0' || *text > '9' || *end || errno || number > 0xff)
        return clopt_fail(error, CLOPT_INVALID, "polynomial = %s: not a number from 0x00 to 0xff",
                          text);
    *polynomial = (uint8_t)number;
    return CLOPT_OK;
}

/* How many work-items have something to do; one at least, so that there is a launch. */
static size_t count_items(const struct clopt_problem *problem, unsigned kernel, size_t size)
{
    size_t items = size;
    if (kernel == REDUCE)
        items = (size + REDUCE_VECTORS * 16 - 1) / (REDUCE_VECTORS * 16);
    else if (kernel != COMPUTE)
        items = crc32_blocks(size);
    if (kernel == BLOCKS && clopt_values_integer(problem->knobs, "wide"))
        items = (items + WIDE_BLOCKS - 1) / WIDE_BLOCKS;
    return items ? items : 1;
}

static struct clopt_ndrange ndrange_of(const struct clopt_problem *problem, unsigned kernel,
                                       size_t size)
{
    size_t local = local_sizes[kernel];
    return CLOPT_RANGE1(clopt_round_up(count_items(problem, kernel, size), local), local);
}

/* Counts the bits that are set in all numbers from 1 to `last`. Bit i is clear in 2^i numbers, set
 * in the next 2^i, and so on, from 0 on. */
static double count_set_bits(uint64_t last)
{
    uint64_t count = 0;
    for (unsigned i = 0; last >> i; i++) {
        uint64_t half = UINT64_C(1) << i;
        uint64_t rest = (last + 1) % (2 * half);
        count += (last + 1) / (2 * half) * half + (rest > half ? rest - half : 0);
    }
    return (double)count;
}

/* Counts the binary digits of a number. */
static double count_bits(uint64_t number)
{
    unsigned bits = 0;
    while (number >> bits)
        bits++;
    return bits;
}

/* Counts the work of a run. Shifts, masks, comparisons of bits, XORs and what it takes to find an
 * entry of a table count as one operation each; loops and guards do not.
 *
 * compute         32 times shift, remainder, comparison; per set bit a multiplication and an
 * addition reduce          an XOR a byte crc32_blocks    a mask and an XOR a byte, and a shift of
 * three bytes in four (the first bytes of a word need none); it makes no difference here that a few
 * bytes go one by one crc32_combine   32 times shift, mask, comparison; per operator four masks,
 * three shifts and XORs
 *
 * Bytes: data, answers and parts once each, and those tables and operators that a size needs. */
static void count_work(unsigned kernel, size_t size, struct clopt_kernel_work *work)
{
    double n = (double)size;
    double blocks = (double)crc32_blocks(size);
    double tables = count_bits(size);
    double operators = blocks < 2 ? 0 : count_bits(crc32_blocks(size) - 2) + 1;
    double applied = blocks < 2 ? 0 : blocks - 1 + count_set_bits(crc32_blocks(size) - 2);
    work->arithmetic = CLOPT_ARITHMETIC_INTEGER;
    switch (kernel) {
    case COMPUTE:
        work->operations = n * CRC8_TABLES * 3 + count_set_bits(size) * 2;
        work->bytes = 2 * n + tables * 256;
        break;
    case REDUCE:
        work->operations = n;
        work->bytes = n + sizeof(uint32_t);
        break;
    case BLOCKS:
        work->operations = n * 2.75;
        work->bytes = n + CRC32_SLICES * 256 * sizeof(uint32_t) + blocks * sizeof(uint32_t);
        break;
    default:
        work->operations = blocks * 32 * 3 + applied * 10 + blocks;
        work->bytes = (blocks + 1) * sizeof(uint32_t) + operators * sizeof(struct crc32_operator);
    }
}

static enum clopt_status describe(const struct clopt_problem *problem, const void *user,
                                  const struct clopt_kernel *kernel, struct clopt_kernel_work *work,
                                  struct clopt_error *error)
{
    const struct crc_state *state = user;
    uint8_t polynomial;
    CLOPT_TRY(parse_polynomial(problem, &polynomial, error));
    unsigned index = (unsigned)(kernel - kernels);
    *work = (struct clopt_kernel_work){.ndrange = CLOPT_RANGE1(0, local_sizes[index])};
    bool launched = is_crc32(problem) == (index >= BLOCKS);
    if (!launched || (clopt_values_has(problem->inputs, "input") && !state))
        return CLOPT_OK; /* not in this run, or the file has not been read yet */
    size_t size = state ? state->size : (size_t)clopt_values_integer(problem->inputs, "size");
    work->ndrange = ndrange_of(problem, index, size);
    count_work(index, size, work);
    return CLOPT_OK;
}

static void teardown(void *user)
{
    CLOPT_FREED struct crc_state *state = user;
    free(state->data);
}

static enum clopt_status setup(const struct clopt_problem *problem, void **user,
                               struct clopt_error *error)
{
    uint8_t polynomial = 0;
    CLOPT_TRY(parse_polynomial(problem, &polynomial, error));
    struct crc_state *state = *user = clopt_calloc(1, sizeof *state);
    CLOPT_TRY(crc_data_create(problem, &state->data, &state->size, error));
    state->crc32 = is_crc32(problem);
    if (state->crc32) {
        crc32_make_tables(state->crc32_tables);
        crc32_make_operators(state->crc32_tables[0], state->size, state->operators);
        state->start = crc32_of_zeros(state->operators, state->size);
        state->expected = crc32_of(state->crc32_tables, state->data, state->size);
    } else {
        crc8_make_tables(polynomial, state->crc8_tables);
        crc8_answers_init(&state->answers, state->crc8_tables[0]);
        state->expected = crc8_of(state->crc8_tables, state->data, state->size);
    }
    return CLOPT_OK;
}

/* A buffer cannot be empty. */
static size_t at_least_one(size_t bytes)
{
    return bytes ? bytes : 1;
}

static enum clopt_status prepare_crc8(const struct crc_state *state, struct clopt_session *session)
{
    CLOPT_TRY(clopt_buffer(session, TABLES, "tables", CLOPT_INPUT, sizeof state->crc8_tables,
                           state->crc8_tables));
    return clopt_buffer(session, ANSWERS, "answers", CLOPT_OUTPUT, at_least_one(state->size), NULL);
}

static enum clopt_status prepare_crc32(const struct crc_state *state, struct clopt_session *session)
{
    CLOPT_TRY(clopt_buffer(session, TABLES, "tables", CLOPT_INPUT, sizeof state->crc32_tables,
                           state->crc32_tables));
    CLOPT_TRY(clopt_buffer(session, OPERATORS, "operators", CLOPT_INPUT, sizeof state->operators,
                           state->operators));
    return clopt_buffer(session, PARTS, "parts", CLOPT_SCRATCH,
                        at_least_one(crc32_blocks(state->size)) * sizeof(uint32_t), NULL);
}

static enum clopt_status prepare(void *user, const struct clopt_problem *problem,
                                 struct clopt_session *session)
{
    const struct crc_state *state = user;
    (void)problem;
    CLOPT_TRY(
        clopt_buffer(session, DATA, "data", CLOPT_INPUT, at_least_one(state->size), state->data));
    CLOPT_TRY(clopt_buffer(session, SUM, "crc", CLOPT_IN_OUT, sizeof state->start, &state->start));
    return state->crc32 ? prepare_crc32(state, session) : prepare_crc8(state, session);
}

static enum clopt_status launch_crc8(const struct clopt_problem *problem,
                                     const struct crc_state *state, struct clopt_session *session)
{
    uint32_t size = (uint32_t)state->size;
    int32_t tables = CRC8_TABLES;
    CLOPT_TRY(clopt_launch(session, COMPUTE, ndrange_of(problem, COMPUTE, state->size),
                           CLOPT_BUFFER(DATA), CLOPT_BUFFER(TABLES), CLOPT_BUFFER(ANSWERS),
                           CLOPT_VALUE(size), CLOPT_VALUE(tables)));
    return clopt_launch(session, REDUCE, ndrange_of(problem, REDUCE, state->size),
                        CLOPT_BUFFER(ANSWERS), CLOPT_BUFFER(SUM), CLOPT_VALUE(size));
}

static enum clopt_status launch_crc32(const struct clopt_problem *problem,
                                      const struct crc_state *state, struct clopt_session *session)
{
    uint64_t size = state->size;
    uint32_t parts = (uint32_t)crc32_blocks(state->size);
    CLOPT_TRY(clopt_launch(session, BLOCKS, ndrange_of(problem, BLOCKS, state->size),
                           CLOPT_BUFFER(DATA), CLOPT_BUFFER(TABLES), CLOPT_BUFFER(PARTS),
                           CLOPT_VALUE(size)));
    return clopt_launch(session, COMBINE, ndrange_of(problem, COMBINE, state->size),
                        CLOPT_BUFFER(PARTS), CLOPT_BUFFER(OPERATORS), CLOPT_BUFFER(SUM),
                        CLOPT_VALUE(parts));
}

static enum clopt_status launch(void *user, const struct clopt_problem *problem,
                                struct clopt_session *session)
{
    const struct crc_state *state = user;
    return state->crc32 ? launch_crc32(problem, state, session)
                        : launch_crc8(problem, state, session);
}

/* Compares all answers of compute, band by band: their XOR alone would hide that two are exchanged,
 * or that as many are missing as cancel out. */
static enum clopt_status check_answers(const struct crc_state *state, struct clopt_session *session,
                                       struct clopt_verdict *verdict)
{
    size_t mismatches = 0, first = 0;
    const uint8_t *band;
    struct clopt_rows rows = clopt_rows_begin(session, ANSWERS, 1, state->size);
    for (size_t at = 0; at < rows.count && (band = clopt_rows_find(&rows, at)); at += rows.read) {
        const struct crc8_band here = {state->data + at, band, rows.read,
                                       state->size - at - rows.read};
        size_t wrong = 0, found = crc8_answers_compare(&state->answers, &here, &wrong);
        if (found && !mismatches)
            first = at + wrong;
        mismatches += found;
    }
    verdict->error = (double)mismatches;
    snprintf(verdict->text, sizeof verdict->text,
             "what %zu bytes add is wrong, the first at byte %zu", mismatches, first);
    return clopt_rows_end(&rows);
}

static enum clopt_status check(void *user, const struct clopt_problem *problem,
                               struct clopt_session *session, struct clopt_verdict *verdict)
{
    const struct crc_state *state = user;
    (void)problem;
    uint32_t crc;
    verdict->error = verdict->bound = 0;
    if (!state->crc32)
        CLOPT_TRY(check_answers(state, session, verdict));
    if (verdict->error > 0)
        return CLOPT_OK;
    CLOPT_TRY(clopt_read(session, SUM, 0, sizeof crc, &crc));
    verdict->right = crc == state->expected;
    verdict->error = verdict->right ? 0 : 1;
    if (!verdict->right)
        snprintf(verdict->text, sizeof verdict->text, "the CRC is %" PRIx32 " instead of %" PRIx32,
                 crc, state->expected);
    else
        snprintf(verdict->text, sizeof verdict->text, "%s",
                 state->crc32 ? "the CRC" : "what each byte adds, and the CRC");
    return CLOPT_OK;
}

static enum clopt_status summarize(void *user, const struct clopt_problem *problem,
                                   struct clopt_session *session, FILE *stream)
{
    const struct crc_state *state = user;
    (void)problem;
    uint32_t crc;
    CLOPT_TRY(clopt_read(session, SUM, 0, sizeof crc, &crc));
    if (state->crc32)
        fprintf(stream, "crc32: %08" PRIx32 "\n", crc);
    else
        fprintf(stream, "crc8: 0x%02" PRIx32 "\n", crc);
    return CLOPT_OK;
}

static const struct clopt_app app = {
    .dwarf = "combinational logic",
    .source = "crc.cl",
    .options = "-D REDUCE_VECTORS=" CLOPT_STRING(REDUCE_VECTORS) " -D CRC32_BLOCK=" CLOPT_STRING(
        CRC32_BLOCK) " -D WIDE_BLOCKS=" CLOPT_STRING(WIDE_BLOCKS),
    .kernels = kernels,
    .inputs = inputs,
    .knobs = knobs,
    .describe = describe,
    .setup = setup,
    .prepare = prepare,
    .launch = launch,
    .check = check,
    .summarize = summarize,
    .teardown = teardown,
};

CLOPT_APP_PLUGIN("crc", "cyclic redundancy checks of a stream of bytes", &app);
