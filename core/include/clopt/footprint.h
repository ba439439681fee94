/* SPDX-License-Identifier: BSD-3-Clause */
/* Which elements of global memory a work-group reads in a part of a kernel.
 *
 * A footprint is a box: an element's index is a part that is the same for the group and all
 * iterations, and in each direction a number of steps between `least` and `most`, each as long as
 * the direction's `terms` say. Work-items and iterations of loops inside the part make
 * steps; every element of the box is read by those that execute the part. (As the tiles of Verdoolaege et al.: Polyhedral parallel
 * code generation for CUDA, ACM TACO 9, 2013, but only boxes whose every element is read.) */
#ifndef CLOPT_FOOTPRINT_H
#define CLOPT_FOOTPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <clopt/error.h>
#include <clopt/loop.h>
#include <clopt/source.h>

enum {
    CLOPT_MOST_DIRECTIONS = 3,
    CLOPT_MOST_FACTORS = 3,
    CLOPT_MOST_LENGTH = 3,     /* terms */
    CLOPT_FOOTPRINT_LOOPS = 4, /* loops of a part whose counters are in one index */
};

/* The steps that one access makes in a direction. */
struct clopt_steps {
    int64_t items[3];                     /* for each local identity */
    int64_t loops[CLOPT_FOOTPRINT_LOOPS]; /* for each iteration of the footprint's loops */
    int64_t offset;
};

/* A product of a number and what is the same in the whole launch: parameters of the kernel, or
 * expressions of them and of the NDRange's sizes. */
struct clopt_length {
    int64_t number;
    unsigned count;
    const struct clopt_variable *parameters[CLOPT_MOST_FACTORS]; /* NULL: an expression */
    const struct clopt_node *expressions[CLOPT_MOST_FACTORS];
};

struct clopt_direction {
    struct clopt_length terms[CLOPT_MOST_LENGTH]; /* their sum is a step's length, in elements */
    unsigned term_count;
    int64_t least;
    int64_t most;
};

/* One access: a subscript, or *. */
struct clopt_footprint_access {
    const struct clopt_node *node;
    struct clopt_steps steps[CLOPT_MOST_DIRECTIONS];
};

struct clopt_footprint {
    const struct clopt_variable *array;                       /* a parameter of the kernel */
    struct clopt_direction directions[CLOPT_MOST_DIRECTIONS]; /* the longest steps first */
    unsigned direction_count;
    const struct clopt_node *loops[CLOPT_FOOTPRINT_LOOPS];
    unsigned loop_count;
    struct clopt_footprint_access *accesses;
    size_t access_count;
    uint64_t elements; /* of the box */
    uint64_t reads;    /* that the group makes of them, at most */
};

struct clopt_footprints {
    struct clopt_footprint *items;
    size_t count;
    /* The first access of which no footprint is known, and why; NULL: none. */
    const struct clopt_node *refused;
    const char *reason;
};

/* Finds the footprints of all reads of global memory that `part`, a statement of the kernel, makes
 * by work-groups of `local` work-items. */
CLOPT_API enum clopt_status clopt_footprints_find(const struct clopt_source *source,
                                                  const struct clopt_node *part,
                                                  const size_t local[3],
                                                  struct clopt_footprints *footprints,
                                                  struct clopt_error *error);
CLOPT_API void clopt_footprints_fini(struct clopt_footprints *footprints);

#endif
