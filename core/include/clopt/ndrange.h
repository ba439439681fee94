/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the index space of a kernel launch, and how a variant changes it. */
#pragma once

#include <clopt/form.h>

/* Of arguments that a variant takes in addition, at most. */
#define CLOPT_MOST_ADDED 8

/* Arguments that have to be multiples of something, at most. */
#define CLOPT_MOST_MULTIPLES 8

/* What the parts of an argument's local memory are aligned to: the largest type of OpenCL C. */
#define CLOPT_LOCAL_ALIGNMENT 128

/* An NDRange in work-items. Unused dimensions hold 1 (0 is read as 1). */
struct clopt_ndrange {
    unsigned dimensions; /* 1, 2 or 3 */
    size_t global[3];    /* a multiple of local */
    size_t local[3];
};

#define CLOPT_RANGE1(global0, local0)                                                              \
    ((struct clopt_ndrange){1, {(global0), 1, 1}, {(local0), 1, 1}})
#define CLOPT_RANGE2(global0, global1, local0, local1)                                             \
    ((struct clopt_ndrange){2, {(global0), (global1), 1}, {(local0), (local1), 1}})
#define CLOPT_RANGE3(global0, global1, global2, local0, local1, local2)                            \
    ((struct clopt_ndrange){3, {(global0), (global1), (global2)}, {(local0), (local1), (local2)}})

/* Divide a size, and round it up, to whole work-groups, say. */
static inline size_t clopt_divide_up(size_t size, size_t part)
{
    return size / part + (size % part != 0);
}

static inline size_t clopt_round_up(size_t size, size_t multiple)
{
    return clopt_divide_up(size, multiple) * multiple;
}

#define CLOPT_LAYOUT_NEEDS  8
#define CLOPT_MOST_LAYOUTS  4
#define CLOPT_LAUNCH_GLOBAL ((unsigned)101) /* + dimension: the global size */
#define CLOPT_LAUNCH_LOCAL  ((unsigned)105) /* + dimension: the local size */

/* What a number that each launch computes has to be. A symbol of the form is 1 + the number of an
 * argument, an integer, or CLOPT_LAUNCH_GLOBAL or _LOCAL. */
struct clopt_launch_need {
    unsigned multiple; /* a multiple of this; 0: it is 0 or more */
    struct clopt_affine form;
};

/* Another order of the elements of a buffer, for the variant's launches alone: the host permutes
 * the buffer before and after. A buffer is rows of the same length. */
struct clopt_layout {
    unsigned argument;       /* the buffer */
    unsigned element_bytes;  /* 1, 2, 4, 8 or 16 */
    bool narrow;             /* floats, in rows of 1, that are half there; they are only read */
    unsigned block;          /* so many rows are interleaved, element by element; 0: all of them */
    struct clopt_affine row; /* the elements of a row, of such symbols */
    struct clopt_launch_need needs[CLOPT_LAYOUT_NEEDS]; /* other launches are refused */
    unsigned need_count;
};

/* The value of an integer argument of the initial code, where all launches of a run pass the same;
 * known of the first so many arguments. */
#define CLOPT_MOST_KNOWN 32
struct clopt_known_argument {
    bool known;
    int64_t value;
};

/* How a variant's NDRange follows from that of the initial code; 0 in a field is "as it is".
 * Applied in the order of the fields, for each dimension: local_size replaces the local size (the
 * global size is rounded up to a multiple of it), divided_items multiplies the number of
 * work-groups, merged_items divides local and global size alike (rounding the local size up),
 * merged_groups divides the number of work-groups (rounding up). */
struct clopt_ndrange_change {
    size_t local_size[3];
    size_t divided_items[3];
    size_t merged_items[3];
    size_t merged_groups[3];
    size_t local_multiple[3]; /* a launch whose local size (as after local_size) is not a multiple
                                 of this is refused: the kernel would be wrong */
    bool local_only[3];       /* and one whose local size is another multiple */
    bool whole_groups;        /* and one whose global size is not a multiple of local_size */
    bool distinct_buffers;    /* a launch that passes a buffer twice is refused */

    /* A launch is refused where an integer argument is not a multiple of a power of two, or less
     * than its global size (as after local_size) in dimension covers - 1 (0: in none), or another
     * number than `equals` (0: any will do). Argument CLOPT_LAUNCH_GLOBAL + dimension is the
     * launch's global size. */
    struct clopt_argument_multiple {
        unsigned argument;
        unsigned multiple;
        unsigned covers;
        unsigned equals;
    } multiples[CLOPT_MOST_MULTIPLES];
    size_t multiple_count;

    /* What the variant's kernel takes after the arguments of the initial code, a ulong each, or a
     * buffer. */
    struct clopt_added_argument {
        /* The bytes that a work-group had in argument `number`, which leads to local memory, before
         * that was made `merged` times as long; they are rounded up to CLOPT_LOCAL_ALIGNMENT.
         * False: the launch's number of work-groups in dimension `number` (as after local_size),
         * divided by `merged` and rounded up. */
        bool local;
        unsigned number;
        size_t merged;
        bool rows; /* it is the number of rows of layout `number` */

        /* Not 0: it is a buffer of so many bytes for each work-group (as after divided_items), of
         * zeros when it is made. What a launch of the kernel leaves there is right for the next, of
         * any size. Launches that may run at the same time need a buffer each. One at most is. */
        size_t zeroed;
    } added[CLOPT_MOST_ADDED];
    size_t added_count;

    struct clopt_layout layouts[CLOPT_MOST_LAYOUTS];
    size_t layout_count;
};

/* What a factor of a change is, where 0 is written for 1. */
static inline size_t clopt_ndrange_factor(size_t written)
{
    return written ? written : 1;
}
