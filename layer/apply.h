/* SPDX-License-Identifier: BSD-3-Clause */
/* A winner in the place of a kernel, for one launch. */
#pragma once

#include "layer/layer.h"
#include "library/winner.h"

struct clopt_replacement {
    const struct clopt_launch *launch;
    struct clopt_winner *winner;
    struct clopt_record_row *row;
    struct clopt_kernel_object *kernel; /* kept */
    struct clopt_argument_copy *arguments;
    size_t count;
    struct clopt_winner_launch sizes;
};

/* Sets the arguments of a kernel of the layer's own; false: it does not take them. */
bool clopt_arguments_set(const struct clopt_argument_copy *arguments, size_t count,
                         cl_kernel kernel);

/* Launches the winner with such arguments; returns why that cannot be done, or NULL. */
const char *clopt_replacement_launch(const struct clopt_replacement *made,
                                     const struct clopt_argument_copy *arguments,
                                     cl_uint wait_count, const cl_event *wait_for, cl_event *event);

/* Launches the kernel and the winner, each on a copy of all memory that the launch gets, and
 * compares what they leave there: the application's own memory is read alone. Returns what differs,
 * or why they cannot be compared, or NULL (check.c). */
const char *clopt_replacement_check(const struct clopt_replacement *made);
