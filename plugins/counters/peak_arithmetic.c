/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures how many multiply-adds a device can do, each of which is two operations. */
#include "counters/peak_parts.h"

#include <math.h>

#include "process/clock.h"

#define LOCAL_SIZE 128

/* Samples are also taken of launches so many times shorter: other processes are less in their way.
 */
#define SHORTER 4

/* The sum of a work-item stays exact in single precision. */
#define MOST_GROWN ((double)(1 << 24))

/* Numbers from which the chains of two work-items begin, as vectors of any width. */
#define STARTS (16 * (CLOPT_PEAK_CHAINS + 1))

/* The kernels of a kind, of scalars and of vectors, and the bytes of its numbers. */
static const struct {
    const char *names[2];
    size_t bytes;
} kinds[CLOPT_ARITHMETIC_COUNT] = {
    [CLOPT_ARITHMETIC_SINGLE] = {{"peak_single", "peak_single_wide"}, sizeof(cl_float)},
    [CLOPT_ARITHMETIC_DOUBLE] = {{"peak_double", "peak_double_wide"}, sizeof(cl_double)},
    [CLOPT_ARITHMETIC_INTEGER] = {{"peak_integer", "peak_integer_wide"}, sizeof(cl_uint)},
};

/* Stores a number of a kind, and loads one. */
static void store(enum clopt_arithmetic kind, unsigned value, void *to)
{
    const cl_float single = (cl_float)value;
    const cl_double dual = value;
    const cl_uint integer = value;
    const void *const as[] = {&single, &dual, &integer};
    memcpy(to, as[kind], kinds[kind].bytes);
}

static double load(enum clopt_arithmetic kind, const void *from)
{
    cl_float single = 0;
    cl_double dual = 0;
    cl_uint integer = 0;
    void *const as[] = {&single, &dual, &integer};
    memcpy(as[kind], from, kinds[kind].bytes);
    return (double)single + dual + integer; /* two of them are 0 */
}

/* One arithmetic kernel: what it needs, and what it did. */
struct chain {
    enum clopt_arithmetic kind;
    unsigned width;
    size_t bytes; /* of a number */
    struct clopt_own_launch launch;
    cl_mem grown;
    cl_mem starts;
    cl_uint rounds;
    double time_ns; /* the shortest of so many rounds */
};

static double multiply_adds_per_item(const struct chain *chain)
{
    return (double)chain->rounds * CLOPT_PEAK_STEPS * CLOPT_PEAK_CHAINS * chain->width;
}

static double chain_rate(const struct chain *chain)
{
    return 2 * multiply_adds_per_item(chain) * (double)chain->launch.global / chain->time_ns;
}

/* Launches with so many rounds. */
static void try_rounds(struct clopt_runner *runner, struct chain *chain, cl_uint rounds)
{
    chain->rounds = rounds;
    clopt_runner_set(runner, &chain->launch, 4, sizeof chain->rounds, &chain->rounds);
    chain->time_ns = clopt_peak_try(runner, &chain->launch);
}

/* Launches with more and more rounds, until it takes long enough. */
static void lengthen(struct clopt_runner *runner, struct chain *chain, double wanted_ns)
{
    try_rounds(runner, chain, chain->rounds);
    while (!runner->status && chain->time_ns < wanted_ns && clopt_now_ns() < runner->deadline_ns &&
           2 * multiply_adds_per_item(chain) <= MOST_GROWN)
        try_rounds(runner, chain, 2 * chain->rounds);
}

static void chain_init(struct clopt_runner *runner, enum clopt_arithmetic kind, bool is_wide,
                       unsigned width, struct chain *chain)
{
    char one[sizeof(cl_double)], starts[STARTS * sizeof(cl_double)];
    size_t bytes = kinds[kind].bytes;
    *chain = (struct chain){.kind = kind, .width = width, .bytes = bytes, .rounds = 1};
    store(kind, 1, one);
    for (unsigned i = 0; i < STARTS; i++)
        store(kind, i % 64, starts + i * bytes);
    clopt_peak_prepare(runner, kinds[kind].names[is_wide], CLOPT_PEAK_ITEMS_PER_UNIT, LOCAL_SIZE,
                       &chain->launch);
    chain->starts = clopt_runner_create_buffer(runner, STARTS * bytes, starts);
    chain->grown = clopt_runner_create_buffer(runner, chain->launch.global * bytes, NULL);
    clopt_runner_set(runner, &chain->launch, 0, sizeof chain->grown, &chain->grown);
    clopt_runner_set(runner, &chain->launch, 1, sizeof chain->starts, &chain->starts);
    clopt_runner_set(runner, &chain->launch, 2, bytes, one);
    clopt_runner_set(runner, &chain->launch, 3, bytes, one);
    lengthen(runner, chain, CLOPT_PEAK_TRIAL_NS);
}

static void chain_fini(struct chain *chain)
{
    clopt_runner_release_launch(&chain->launch);
    clopt_runner_release(chain->grown);
    clopt_runner_release(chain->starts);
}

/* Checks what the last launch left. */
static void check_chain(struct clopt_runner *runner, const struct chain *chain)
{
    double expected = multiply_adds_per_item(chain);
    CLOPT_FREED char *grown =
        clopt_runner_read(runner, chain->grown, chain->launch.global * chain->bytes);
    for (size_t i = 0; i < chain->launch.global && !runner->status; i++)
        clopt_peak_check_result(runner, &chain->launch,
                                load(chain->kind, grown + i * chain->bytes) == expected);
}

/* Takes samples of so many rounds, and raises the rate to theirs. */
static void sample_chain(struct clopt_runner *runner, struct chain *chain, cl_uint rounds,
                         double *rate)
{
    int64_t began = clopt_now_ns();
    try_rounds(runner, chain, rounds);
    for (unsigned taken = 0; clopt_peak_goes_on(runner, began, taken); taken++)
        chain->time_ns = fmin(chain->time_ns, clopt_runner_run(runner, &chain->launch));
    clopt_peak_check_time(runner, &chain->launch, chain->time_ns);
    check_chain(runner, chain);
    if (!runner->status)
        *rate = fmax(*rate, chain_rate(chain)); /* NaN gives way */
}

void clopt_peak_measure_arithmetic(struct clopt_runner *runner, enum clopt_arithmetic kind,
                                   unsigned width, double *rate)
{
    struct chain chains[2];
    chain_init(runner, kind, false, 1, &chains[0]);
    chain_init(runner, kind, true, width, &chains[1]);
    struct chain *best =
        &chains[!runner->status && chain_rate(&chains[1]) > chain_rate(&chains[0])];
    lengthen(runner, best, CLOPT_PEAK_LAUNCH_NS);
    cl_uint rounds = best->rounds;
    sample_chain(runner, best, rounds, rate);
    if (rounds >= SHORTER)
        sample_chain(runner, best, rounds / SHORTER, rate);
    chain_fini(&chains[0]);
    chain_fini(&chains[1]);
}
