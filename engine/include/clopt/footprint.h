/* SPDX-License-Identifier: BSD-3-Clause */
/* Which elements of global memory a work-group reads in a part of a kernel.
 *
 * A footprint is a box: an element's index is a part that is the same for the work-group and all
 * iterations, and in each direction a number of strides between `least` and `most`. Work-items and
 * iterations of loops inside the part move along the directions; every element of the box is read
 * by those that execute the part. (As the tiles of Verdoolaege et al.: Polyhedral parallel code
 * generation for CUDA, ACM TACO 9, 2013, but only boxes whose every element is read.) */
#pragma once

#include <clopt/loop.h>

enum {
    CLOPT_MOST_DIRECTIONS = 3,
    CLOPT_MOST_FACTORS = 3,
    CLOPT_MOST_STRIDE_TERMS = 3,
    CLOPT_MOST_BOXES = 4,
    CLOPT_FOOTPRINT_LOOPS = 4, /* loops of a part whose counters are in one index */
    /* What moves: the three local identities, then the iterations of the loops. */
    CLOPT_MOST_ITERATORS = 3 + CLOPT_FOOTPRINT_LOOPS,
};

/* Where an access is in a direction, in strides: an offset, and what each iterator adds. */
struct clopt_coordinate {
    int64_t factors[CLOPT_MOST_ITERATORS];
    int64_t offset;
};

/* A product of a number and what is the same in the whole launch: parameters of the kernel, or
 * expressions of them and of the NDRange's sizes. */
struct clopt_stride_term {
    int64_t number;
    unsigned count;
    const struct clopt_variable *parameters[CLOPT_MOST_FACTORS]; /* NULL: an expression */
    const struct clopt_node *expressions[CLOPT_MOST_FACTORS];
};

struct clopt_direction {
    struct clopt_stride_term
        terms[CLOPT_MOST_STRIDE_TERMS]; /* the stride: their sum, in elements */
    unsigned term_count;
    int64_t least;
    int64_t most;
};

/* A part of a footprint, by its coordinates, whose corners are read. */
struct clopt_box {
    int64_t least[CLOPT_MOST_DIRECTIONS];
    int64_t most[CLOPT_MOST_DIRECTIONS];
};

/* One access: a subscript, or *. */
struct clopt_footprint_access {
    const struct clopt_node *node;
    struct clopt_coordinate coordinates[CLOPT_MOST_DIRECTIONS];
};

struct clopt_footprint {
    const struct clopt_variable *array; /* a parameter of the kernel; NULL: not known */
    const char *reason; /* why the footprint of the only access is not known; NULL: it is */
    struct clopt_direction directions[CLOPT_MOST_DIRECTIONS]; /* the longest strides first */
    unsigned direction_count;
    struct clopt_box boxes[CLOPT_MOST_BOXES]; /* all that is read is in them: one, or a cross */
    unsigned box_count;
    const struct clopt_node *loops[CLOPT_FOOTPRINT_LOOPS];
    unsigned loop_count;
    bool is_strip; /* of iterations of the part */
    struct clopt_footprint_access *accesses;
    size_t access_count;
    uint64_t elements; /* of the box */
    uint64_t reads;    /* that the work-group makes of them, at most */
};

struct clopt_footprints {
    struct clopt_footprint *items;
    size_t count;
};

/* A part of a kernel: its body, or a loop. */
struct clopt_footprint_part {
    const struct clopt_source *source;
    const struct clopt_node *node;
    const size_t *local; /* the size of work-groups, three numbers */
    int64_t strip;       /* so many iterations of the loop are meant, if its trip count is not known
                          */
    bool rows;           /* of work-items are told apart where one ends as the next begins, too */
};

/* Finds the footprints of all reads of global memory that a part makes. */
CLOPT_API void clopt_footprints_find(const struct clopt_footprint_part *part,
                                     struct clopt_footprints *footprints);
CLOPT_API void clopt_footprints_fini(struct clopt_footprints *footprints);
