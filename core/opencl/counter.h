/* SPDX-License-Identifier: BSD-3-Clause */
/* What counts or measures a device: an extension of kind COUNTER, whose operations are a struct
 * clopt_counter. Callers find counters by their use. */
#pragma once

#include <jansson.h>

#include "opencl/context.h"

enum clopt_counter_use {
    CLOPT_COUNTS_LAUNCHES, /* of each kernel, where a study has `counters = yes` */
    CLOPT_COUNTS_ENERGY,  /* one count, in nJ, idle power included: studies may ask for the least */
    CLOPT_COUNTS_WAITS,   /* one count: the share of what was begun and ended last in which threads
                           * waited for a processor */
    CLOPT_MEASURES_PEAKS, /* struct clopt_peaks (trial/rate.h) */
    CLOPT_MEASURES_ACCESS, /* rates of access to memory in each pattern */
    CLOPT_MEASURES_CLOCK,  /* struct clopt_clock, with "host_works" and "host_resolution_ns" */
};

/* What was counted so far. Its texts live as long as the counter's state. */
struct clopt_reading {
    const char *name, *unit; /* "cache_misses", "" */
    const char *source;      /* who counts, and what is to be known of it */
    double value;            /* NaN: it was never counted */
};

/* Those that count need all functions but `measure`, the others `measure` alone. */
struct clopt_counter {
    /* Opens what counts on a device, for so many kernels. CLOPT_INFEASIBLE: it is not for such
     * devices, and others are asked; CLOPT_FAILED says why it cannot count here. */
    enum clopt_status (*open)(const struct clopt_context *context, unsigned kernels, void **state,
                              struct clopt_error *error);
    enum clopt_status (*begin)(void *state, struct clopt_error *error);
    /* Ends what was begun, and adds it to what a kernel has. */
    enum clopt_status (*end)(void *state, unsigned kernel, struct clopt_error *error);
    /* Gets count `number` of a kernel; false: the one before was the last. */
    bool (*get)(const void *state, unsigned kernel, unsigned number, struct clopt_reading *count);
    void (*close)(void *state);
    /* Measures an idle device once, as the JSON that rates are stored as: a new reference. */
    enum clopt_status (*measure)(const struct clopt_context *context, json_t **rates,
                                 struct clopt_error *error);
    enum clopt_counter_use use;
};
