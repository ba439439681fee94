/* SPDX-License-Identifier: BSD-3-Clause */
/* Winners of a study, and whose kernels they are of: a kernel is recognised by its name, its
 * program's source and options, and its device. */
#ifndef CLOPT_LAYER_WINNERS_H
#define CLOPT_LAYER_WINNERS_H

#include "layer/layer.h"

#define CLOPT_MOST_ARGUMENTS 256
#define CLOPT_MOST_ADDED     8

/* What is said of a winner (capture/winners.h). */
struct clopt_winner {
    char kernel[255], source[65], device[128], variant[200];
    char *options; /* of the application's program */
    char *build;   /* of the winner's */
    char *code;
    char types[CLOPT_MOST_ARGUMENTS +
               1]; /* of arguments, a letter each: f and d are compared as reals */
    struct {
        size_t initial_local, local_size, divided_items, merged_items, merged_groups, multiple;
        int only;
    } sizes[3];
    unsigned dimensions;
    int whole_groups, distinct_buffers;
    size_t added_count, multiple_count;
    struct {
        unsigned number;
        size_t value;
    } added[CLOPT_MOST_ADDED], multiples[CLOPT_MOST_ADDED];
    const char *failure; /* why it is not launched any more; NULL: it is */
};

bool clopt_winners_any(void);

/* Finds the winner of a kernel on a device, with the layer's lock held; NULL: there is none. */
const struct clopt_winner *clopt_winners_find(struct clopt_kernel_object *kernel,
                                              const char *device);

/* Says why a winner is not launched any more, with the layer's lock held. */
void clopt_winners_give_up(const struct clopt_winner *winner, const char *failure);

#endif
