/* SPDX-License-Identifier: BSD-3-Clause */
/* A winner in the place of a kernel, for one launch. */
#pragma once

#include "layer/layer.h"
#include "library/winner.h"

struct clopt_replacement {
    const struct clopt_launch *launch;
    struct clopt_winner *winner;
    struct clopt_winner *plain; /* while the layouts of that one are not made; NULL: nothing */
    struct clopt_record_row *row;
    struct clopt_kernel_object *kernel; /* kept */
    struct clopt_argument_copy *arguments;
    size_t count;
    struct clopt_winner_launch sizes;
    const char *unfit;         /* why the launch does not fit its winner; NULL: it does */
    double kernel_s, winner_s; /* the least that both took when they were compared; 0: unknown */
    unsigned compared;         /* how often they were */

    /* Of a winner that has other layouts: */
    struct clopt_layout_shape shapes[CLOPT_MOST_LAYOUTS];
    cl_mem permuted[CLOPT_MOST_LAYOUTS];             /* what it gets; NULL: not made yet */
    struct clopt_permuted *held[CLOPT_MOST_LAYOUTS]; /* NULL: that is of this launch alone */
    double permuted_s; /* the least that it took to make them; 0: unknown */
};

/* Launches that read a buffer unchanged before it gets another layout, at least: for so many more
 * the time for that has to pay. */
#define CLOPT_FEWEST_READS 8

/* The calls of the driver that programs of winners are made by. */
struct clopt_program_calls clopt_replacement_calls(void);

/* Returns the winner's kernel, which is made once; NULL: it cannot be built. */
cl_kernel clopt_replacement_kernel(const struct clopt_replacement *made);

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
const char *clopt_replacement_check(struct clopt_replacement *made);

/* Returns a kernel that permutes buffers (core/trial/permute.cl), for the caller to release; NULL:
 * it cannot be built. */
cl_kernel clopt_permuting_kernel(const struct clopt_replacement *made, const char *name);

/* Returns why the buffers of a launch do not get the layouts of its winner now, or NULL, and counts
 * the launch (layout.c). */
const char *clopt_layouts_check(const struct clopt_replacement *made);

/* Have the launch get what its buffers are in the layouts of its winner: what is beside them, or,
 * for comparisons, copies of such arguments that it makes and waits for. Return why that cannot be,
 * or NULL. */
const char *clopt_layouts_take(struct clopt_replacement *made);
const char *clopt_layouts_make(struct clopt_replacement *made,
                               const struct clopt_argument_copy *arguments);

/* Gives up what a launch has got. */
void clopt_layouts_drop(struct clopt_replacement *made);

/* Returns what takes the place of a winner on a device that it was not measured on, with the lock
 * held: a copy, of which a failure is not that of the winner. NULL: memory has run out
 * (sibling.c). */
struct clopt_winner *clopt_sibling_adopt(struct clopt_winner *winner, const char *device);

/* Checks the winner of a sibling, or one that has other layouts, and times it against the kernel
 * itself, unless an earlier process has done so. Returns why it is not launched, or NULL. */
const char *clopt_sibling_try(struct clopt_replacement *made);
