/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs kernels of clopt's own on an opened device. */
#pragma once

#include "opencl/context.h"
#include "opencl/event_time.h"

/* After a failure `status` and `error` say why, and calls do nothing. */
struct clopt_runner {
    const struct clopt_context *context;
    cl_program program; /* not owned */
    enum clopt_status status;
    struct clopt_error *error;
    int64_t deadline_ns; /* of peaks: further launches than each needs begin before */
};

/* One kernel with its NDRange. */
struct clopt_own_launch {
    const char *name;
    cl_kernel kernel;
    size_t global;
    size_t local; /* 0: the device chooses */
    size_t rows;  /* in the second dimension, with work-groups of one row; 0: there is none */
};

/* Reports a call that failed (CL_SUCCESS: it did not). */
void clopt_runner_check(struct clopt_runner *runner, const char *call, cl_int code);

/* Builds a program of clopt's own, unless there is one. */
void clopt_runner_build(struct clopt_runner *runner, const char *name, const char *source,
                        const char *options);

/* Makes the kernel of a launch. */
void clopt_runner_prepare(struct clopt_runner *runner, struct clopt_own_launch *launch);
void clopt_runner_release_launch(struct clopt_own_launch *launch);

/* Sets an argument. */
void clopt_runner_set(struct clopt_runner *runner, const struct clopt_own_launch *launch,
                      cl_uint index, size_t bytes, const void *value);

/* How long a launch took by its event, and by the host's clock from the call until it was over. */
struct clopt_launch_time {
    double event_ns;
    double host_ns;
    char reason[CLOPT_EVENT_REASON]; /* why the event's is none; "": it may be one */
};

/* Launches a kernel, and times it by both clocks. */
void clopt_runner_time(struct clopt_runner *runner, const struct clopt_own_launch *launch,
                       struct clopt_launch_time *time);

/* Launches a kernel, and returns how long it took by the device's clock, which was measured: not
 * less than that, so that the shortest of some is none that an event has made up. */
double clopt_runner_run(struct clopt_runner *runner, const struct clopt_own_launch *launch);

/* Makes a buffer, with a copy of `data` unless that is NULL; reads one, for the caller to free; and
 * releases one, if there is any. */
cl_mem clopt_runner_create_buffer(struct clopt_runner *runner, size_t bytes, const void *data);
void *clopt_runner_read(struct clopt_runner *runner, cl_mem buffer, size_t bytes);
void clopt_runner_release(cl_mem buffer);
