/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures how many multiply-adds a device can do, each of which is two operations. */
#include "worker/peak_meter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

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

union number {
    cl_float single;
    cl_double dual;
    cl_uint integer;
};

/* Makes a number, and reads one. */
static union number number_of(enum clopt_arithmetic arithmetic, unsigned value)
{
    union number number;
    if (arithmetic == CLOPT_ARITHMETIC_SINGLE)
        number.single = (cl_float)value;
    else if (arithmetic == CLOPT_ARITHMETIC_DOUBLE)
        number.dual = value;
    else
        number.integer = value;
    return number;
}

static double value_of(enum clopt_arithmetic arithmetic, const void *data)
{
    union number number;
    if (arithmetic == CLOPT_ARITHMETIC_DOUBLE)
        return memcpy(&number.dual, data, sizeof number.dual), number.dual;
    memcpy(&number.integer, data, sizeof number.integer);
    return arithmetic == CLOPT_ARITHMETIC_SINGLE ? (double)number.single : number.integer;
}

/* One arithmetic kernel: what it needs, and what it did. */
struct chain {
    enum clopt_arithmetic arithmetic;
    unsigned width;
    size_t bytes; /* of a number */
    struct clopt_peak_launch launch;
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

static enum clopt_status create_chain_buffers(const struct clopt_peak_meter *meter,
                                              struct chain *chain)
{
    char starts[STARTS * sizeof(cl_double)];
    for (unsigned i = 0; i < STARTS; i++) {
        union number start = number_of(chain->arithmetic, i % 64);
        memcpy(starts + i * chain->bytes, &start, chain->bytes);
    }
    enum clopt_status status =
        clopt_peak_create_buffer(meter, STARTS * chain->bytes, starts, &chain->starts);
    if (!status)
        status = clopt_peak_create_buffer(meter, chain->launch.global * chain->bytes, NULL,
                                          &chain->grown);
    return status;
}

/* Launches with more and more rounds, until it takes long enough. */
static enum clopt_status lengthen(const struct clopt_peak_meter *meter, struct chain *chain,
                                  double wanted_ns)
{
    enum clopt_status status = CLOPT_OK;
    for (;;) {
        status = clopt_peak_set(meter, &chain->launch, 4, sizeof chain->rounds, &chain->rounds);
        if (!status)
            status = clopt_peak_try(meter, &chain->launch, &chain->time_ns);
        if (status || chain->time_ns >= wanted_ns || clopt_now_ns() >= meter->deadline_ns)
            return status;
        chain->rounds *= 2;
        if (multiply_adds_per_item(chain) > MOST_GROWN) {
            chain->rounds /= 2;
            return CLOPT_OK;
        }
    }
}

static enum clopt_status chain_init(const struct clopt_peak_meter *meter, const char *name,
                                    struct chain *chain)
{
    union number one = number_of(chain->arithmetic, 1);
    chain->rounds = 1;
    enum clopt_status status =
        clopt_peak_launch_init(meter, name, CLOPT_PEAK_ITEMS_PER_UNIT, LOCAL_SIZE, &chain->launch);
    if (!status)
        status = create_chain_buffers(meter, chain);
    if (!status)
        status = clopt_peak_set(meter, &chain->launch, 0, sizeof chain->grown, &chain->grown);
    if (!status)
        status = clopt_peak_set(meter, &chain->launch, 1, sizeof chain->starts, &chain->starts);
    if (!status)
        status = clopt_peak_set(meter, &chain->launch, 2, chain->bytes, &one);
    if (!status)
        status = clopt_peak_set(meter, &chain->launch, 3, chain->bytes, &one);
    return status ? status : lengthen(meter, chain, CLOPT_PEAK_TRIAL_NS);
}

static void chain_fini(struct chain *chain)
{
    clopt_peak_launch_fini(&chain->launch);
    clopt_peak_release(&chain->grown);
    clopt_peak_release(&chain->starts);
}

/* Checks what the last launch left. */
static enum clopt_status check_chain(const struct clopt_peak_meter *meter,
                                     const struct chain *chain)
{
    char *grown = NULL;
    double expected = multiply_adds_per_item(chain);
    enum clopt_status status =
        clopt_peak_read(meter, chain->grown, chain->launch.global * chain->bytes, (void **)&grown);
    for (size_t i = 0; i < chain->launch.global && !status; i++)
        if (value_of(chain->arithmetic, grown + i * chain->bytes) != expected)
            status = clopt_peak_fail_result(meter, &chain->launch);
    free(grown);
    return status;
}

/* Takes samples of so many rounds, and raises the rate to theirs. */
static enum clopt_status sample_chain(const struct clopt_peak_meter *meter, struct chain *chain,
                                      cl_uint rounds, double *rate)
{
    int64_t began = clopt_now_ns();
    chain->rounds = rounds;
    enum clopt_status status =
        clopt_peak_set(meter, &chain->launch, 4, sizeof chain->rounds, &chain->rounds);
    if (!status)
        status = clopt_peak_try(meter, &chain->launch, &chain->time_ns);
    for (unsigned taken = 0; !status && clopt_peak_goes_on(meter, began, taken); taken++) {
        double time_ns;
        status = clopt_peak_run(meter, &chain->launch, &time_ns);
        chain->time_ns = fmin(chain->time_ns, time_ns);
    }
    if (!status)
        status = clopt_peak_check_time(meter, &chain->launch, chain->time_ns);
    if (!status)
        status = check_chain(meter, chain);
    if (!status)
        *rate = fmax(*rate, chain_rate(chain)); /* NaN gives way */
    return status;
}

enum clopt_status clopt_peak_measure_arithmetic(const struct clopt_peak_meter *meter,
                                                enum clopt_arithmetic arithmetic, unsigned width,
                                                double *rate)
{
    struct chain chains[2] = {{.width = 1}, {.width = width}};
    enum clopt_status status = CLOPT_OK;
    for (int i = 0; i < 2 && !status; i++) {
        chains[i].arithmetic = arithmetic;
        chains[i].bytes = kinds[arithmetic].bytes;
        status = chain_init(meter, kinds[arithmetic].names[i], &chains[i]);
    }
    struct chain *best = &chains[!status && chain_rate(&chains[1]) > chain_rate(&chains[0])];
    if (!status)
        status = lengthen(meter, best, CLOPT_PEAK_LAUNCH_NS);
    cl_uint rounds = best->rounds;
    if (!status)
        status = sample_chain(meter, best, rounds, rate);
    if (!status && rounds >= SHORTER)
        status = sample_chain(meter, best, rounds / SHORTER, rate);
    chain_fini(&chains[0]);
    chain_fini(&chains[1]);
    return status;
}
