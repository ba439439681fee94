/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files share that measure peaks. */
#pragma once

#include <clopt/app.h>

#include "opencl/runner.h"

/* A launch lasts about as long as this, so that its beginning and end do not count; candidates are
 * chosen by shorter ones. */
#define CLOPT_PEAK_LAUNCH_NS 5e6
#define CLOPT_PEAK_TRIAL_NS  1e6

/* Work-items that fill a GPU's compute unit. */
#define CLOPT_PEAK_ITEMS_PER_UNIT 2048

/* Makes a launch of so many work-items for each compute unit of the device. */
void clopt_peak_prepare(struct clopt_runner *runner, const char *name, size_t per_unit,
                        size_t local, struct clopt_own_launch *launch);

/* Launches a kernel a few times, and returns the shortest time. */
double clopt_peak_try(struct clopt_runner *runner, const struct clopt_own_launch *launch);

/* Whether another sample is to be taken, of which `taken` are there since then. */
bool clopt_peak_goes_on(const struct clopt_runner *runner, int64_t began_ns, unsigned taken);

/* Report a time that is none, and a result that is not right. */
void clopt_peak_check_time(struct clopt_runner *runner, const struct clopt_own_launch *launch,
                           double time_ns);
void clopt_peak_check_result(struct clopt_runner *runner, const struct clopt_own_launch *launch,
                             bool right);

/* Measure in G operations, or bytes, a second. A kind of arithmetic is measured with the faster one
 * of two kernels, of scalars and of vectors of a width. */
void clopt_peak_measure_arithmetic(struct clopt_runner *runner, enum clopt_arithmetic arithmetic,
                                   unsigned width, double *rate);
void clopt_peak_measure_memory(struct clopt_runner *runner, double *rate);

/* Of its arithmetic kernels: steps in each round, and chains of a work-item. */
#define CLOPT_PEAK_STEPS  32
#define CLOPT_PEAK_CHAINS 8

/* What an index into the buffer is multiplied by. */
#define CLOPT_PEAK_HASH 2654435761u
