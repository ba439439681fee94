/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures how fast a device reads global memory. */
#include "counters/peak_parts.h"

#include <math.h>

#include "process/clock.h"

#define LEAST_BYTES ((uint64_t)256 << 20)
#define MOST_BYTES  ((uint64_t)4 << 30)
#define MOST_LOCAL  256
#define MOST_PARTS  16
#define TRIAL_BYTES ((uint64_t)32 << 20) /* of the buffer, by which the kernel is chosen */

/* One way to read a buffer. */
struct reading {
    const char *name;
    size_t element_bytes;
    size_t per_unit; /* work-items */
    size_t local;
};

/* Work-groups of one, which read on and on, are what CPUs like; GPUs need whole work-groups, which
 * read what lies together at a time, and many of them. */
static const struct reading readings[] = {
    {"peak_read_wide", 64, 64, 1},
    {"peak_read", 16, CLOPT_PEAK_ITEMS_PER_UNIT, MOST_LOCAL},
};

#define READINGS (sizeof readings / sizeof *readings)

/* What so many numbers of a filled buffer come to, modulo 2^32. */
static cl_uint sum_of(uint64_t count)
{
    uint64_t pairs = count % 2 ? (count - 1) / 2 * count : count / 2 * (count - 1);
    return (cl_uint)pairs * CLOPT_PEAK_HASH;
}

/* A buffer, and a kernel that reads it. */
struct reader {
    struct clopt_runner *runner;
    uint64_t bytes;
    cl_mem buffer;
    cl_mem sums; /* one a work-item */
    const struct reading *reading;
    struct clopt_own_launch launch;
    cl_ulong steps; /* elements that each work-item reads */
    cl_ulong first; /* of the buffer's elements */
    double time_ns; /* the shortest of a launch */
};

/* The bytes of a launch. */
static uint64_t bytes_read(const struct reader *reader)
{
    return reader->steps * reader->launch.global * reader->reading->element_bytes;
}

static double reader_rate(const struct reader *reader)
{
    return (double)bytes_read(reader) / reader->time_ns;
}

/* Replaces the buffer by one of so many bytes, and fills it. */
static void make_buffer(struct reader *reader, uint64_t bytes)
{
    struct clopt_runner *runner = reader->runner;
    struct clopt_own_launch launch;
    clopt_runner_release(reader->buffer);
    reader->bytes = bytes;
    reader->buffer = clopt_runner_create_buffer(runner, (size_t)bytes, NULL);
    clopt_peak_prepare(runner, "peak_fill", readings[0].per_unit, readings[0].local, &launch);
    cl_ulong count = bytes / readings[0].element_bytes;
    cl_ulong steps = runner->status ? 0 : (count + launch.global - 1) / launch.global;
    clopt_runner_set(runner, &launch, 0, sizeof reader->buffer, &reader->buffer);
    clopt_runner_set(runner, &launch, 1, sizeof steps, &steps);
    clopt_runner_set(runner, &launch, 2, sizeof count, &count);
    clopt_runner_run(runner, &launch);
    clopt_runner_release_launch(&launch);
}

/* Reads the first bytes of the buffer, as many as can be shared out. */
static void read_bytes(struct reader *reader, uint64_t bytes)
{
    struct clopt_runner *runner = reader->runner;
    struct clopt_own_launch *launch = &reader->launch;
    uint64_t most = bytes / reader->reading->element_bytes / 4;
    if (runner->status)
        return;
    if (launch->global > most)
        launch->global = (size_t)(most - most % launch->local);
    if (launch->global == 0) {
        runner->status = clopt_fail(runner->error, CLOPT_OUT_OF_RESOURCES,
                                    "only %" PRIu64 " bytes of memory", bytes);
        return;
    }
    reader->first = 0;
    reader->steps = bytes / reader->reading->element_bytes / launch->global / 4 * 4;
    clopt_runner_set(runner, launch, 0, sizeof reader->sums, &reader->sums);
    clopt_runner_set(runner, launch, 1, sizeof reader->buffer, &reader->buffer);
    clopt_runner_set(runner, launch, 2, sizeof reader->steps, &reader->steps);
    clopt_runner_set(runner, launch, 3, sizeof reader->first, &reader->first);
    reader->time_ns = clopt_peak_try(runner, launch);
}

/* Finds the better way to read a part of the buffer. */
static void choose_reading(struct reader *reader)
{
    struct reader best = *reader;
    for (size_t i = 0; i < READINGS && !reader->runner->status; i++) {
        struct reader other = *reader;
        other.reading = &readings[i];
        clopt_peak_prepare(reader->runner, readings[i].name, readings[i].per_unit,
                           readings[i].local, &other.launch);
        read_bytes(&other, reader->bytes < TRIAL_BYTES ? reader->bytes : TRIAL_BYTES);
        bool better =
            !reader->runner->status && (!best.reading || reader_rate(&other) > reader_rate(&best));
        clopt_runner_release_launch(better ? &best.launch : &other.launch);
        if (better)
            best = other;
    }
    *reader = best;
}

static void check_sums(const struct reader *reader)
{
    cl_uint sum = 0;
    CLOPT_FREED cl_uint *sums =
        clopt_runner_read(reader->runner, reader->sums, reader->launch.global * sizeof *sums);
    for (size_t i = 0; i < reader->launch.global && !reader->runner->status; i++)
        sum += sums[i];
    if (reader->runner->status)
        return;
    uint64_t before = reader->first * reader->reading->element_bytes / sizeof sum;
    uint64_t end = before + bytes_read(reader) / sizeof sum;
    clopt_peak_check_result(reader->runner, &reader->launch, sum == sum_of(end) - sum_of(before));
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Finds the size of a buffer that caches cannot hold, and the largest one that may be made. */
static uint64_t find_sizes(struct clopt_runner *runner, uint64_t *most)
{
    const struct clopt_device_info *info = &runner->context->info;
    cl_ulong cache = 0;
    clopt_runner_check(runner, "clGetDeviceInfo",
                       clGetDeviceInfo(runner->context->id, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE,
                                       sizeof cache, &cache, NULL));
    *most = smaller(info->global_memory_bytes / 8, info->max_allocation_bytes);
    *most = smaller(*most, MOST_BYTES);
    uint64_t bytes = cache + cache / 4;
    bytes = smaller(bytes < LEAST_BYTES ? LEAST_BYTES : bytes, *most);
    return bytes - bytes % readings[0].element_bytes;
}

/* Reads from larger and larger buffers, until it takes long enough. */
static void widen(struct reader *reader, uint64_t most)
{
    struct clopt_runner *runner = reader->runner;
    read_bytes(reader, reader->bytes);
    while (!runner->status && reader->time_ns < CLOPT_PEAK_LAUNCH_NS && reader->bytes <= most / 2 &&
           clopt_now_ns() < runner->deadline_ns) {
        uint64_t bytes = reader->bytes;
        make_buffer(reader, 2 * bytes);
        if (runner->status) { /* there is no room: go back */
            runner->status = CLOPT_OK;
            make_buffer(reader, most = bytes);
        }
        read_bytes(reader, reader->bytes);
    }
}

/* Takes samples of one part of the buffer after the other, which are so large that a launch takes
 * long enough, and no longer, lest other processes are in the way: as each is read again only after
 * all the others, no cache has more of them than of the whole. */
static void sample_parts(struct reader *reader)
{
    struct clopt_runner *runner = reader->runner;
    double lengths = floor(reader->time_ns / CLOPT_PEAK_LAUNCH_NS);
    cl_ulong parts = lengths < 1 ? 1 : lengths < MOST_PARTS ? (cl_ulong)lengths : MOST_PARTS;
    if (reader->steps / parts < 4)
        parts = 1;
    reader->steps = reader->steps / parts / 4 * 4;
    reader->time_ns = INFINITY;
    clopt_runner_set(runner, &reader->launch, 2, sizeof reader->steps, &reader->steps);
    int64_t began = clopt_now_ns();
    for (unsigned taken = 0; !taken || clopt_peak_goes_on(runner, began, taken); taken++) {
        reader->first = taken % parts * reader->steps * reader->launch.global;
        clopt_runner_set(runner, &reader->launch, 3, sizeof reader->first, &reader->first);
        reader->time_ns = fmin(reader->time_ns, clopt_runner_run(runner, &reader->launch));
    }
    clopt_peak_check_time(runner, &reader->launch, reader->time_ns);
}

void clopt_peak_measure_memory(struct clopt_runner *runner, double *rate)
{
    struct reader reader = {.runner = runner};
    uint64_t most;
    uint64_t bytes = find_sizes(runner, &most);
    size_t items =
        runner->context->info.compute_units * (size_t)CLOPT_PEAK_ITEMS_PER_UNIT + MOST_LOCAL;
    reader.sums = clopt_runner_create_buffer(runner, items * sizeof(cl_uint), NULL);
    make_buffer(&reader, bytes);
    choose_reading(&reader);
    if (!runner->status)
        widen(&reader, most);
    if (!runner->status)
        sample_parts(&reader);
    check_sums(&reader);
    if (!runner->status)
        *rate = reader_rate(&reader);
    clopt_runner_release_launch(&reader.launch);
    clopt_runner_release(reader.buffer);
    clopt_runner_release(reader.sums);
}
