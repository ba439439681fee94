/* SPDX-License-Identifier: BSD-3-Clause */
/* What a kernel does, as numbers by which kernels can be compared. */
#pragma once

#include <jansson.h>

#include <clopt/ndrange.h>
#include <clopt/source.h>

#include "trial/variant.h"

/* Counts are of one work-item, as logarithms to base 2 of 1 + count; an iteration of a loop counts
 * as often as the loop iterates or, where that is not known, 256 times (fewer, as its step is
 * longer); the branch of two that is rarely taken does not count. Shares are of all accesses to
 * global memory, by neighbours along dimension 0 unless the name says otherwise. */
enum clopt_profile_feature {
    CLOPT_PROFILE_FLOATS,    /* additions, multiplications and comparisons of floating point */
    CLOPT_PROFILE_FUNCTIONS, /* divisions and built-in functions such as sqrt */
    CLOPT_PROFILE_INTEGERS,
    CLOPT_PROFILE_DOUBLE,        /* share of double precision among the floats */
    CLOPT_PROFILE_READS,         /* of global and constant memory, different ones */
    CLOPT_PROFILE_WRITES,        /* of global memory */
    CLOPT_PROFILE_LOCAL,         /* accesses to local memory, different ones */
    CLOPT_PROFILE_INTENSITY,     /* logarithm of operations an access to global memory */
    CLOPT_PROFILE_CONTIGUOUS,    /* share: neighbours access neighbours */
    CLOPT_PROFILE_FOCUSED,       /* share: all access the same element */
    CLOPT_PROFILE_SCATTERED,     /* share: strides and what is not known */
    CLOPT_PROFILE_STRIDED,       /* share of those: at a distance that is known */
    CLOPT_PROFILE_FOCUSED_Y,     /* share: neighbours along dimension 1 access the same element */
    CLOPT_PROFILE_ROWS,          /* share: a work-item reads along a row, or a block */
    CLOPT_PROFILE_NEIGHBOURS,    /* share: a work-item reads the elements around one */
    CLOPT_PROFILE_BARRIERS,      /* count as above */
    CLOPT_PROFILE_ATOMICS,       /* count as above */
    CLOPT_PROFILE_DIVERGENT,     /* branches and loops that differ between work-items */
    CLOPT_PROFILE_LOOPS,         /* how many */
    CLOPT_PROFILE_DEPTH,         /* of nested loops */
    CLOPT_PROFILE_TRIP_COUNT,    /* of the innermost loop that counts, as above; unknown: 0 */
    CLOPT_PROFILE_LOCAL_BYTES,   /* of local arrays, as above */
    CLOPT_PROFILE_PRIVATE_BYTES, /* of private variables, as above */
    CLOPT_PROFILE_SIZE,          /* of its text, in operators and operands, as above */
    CLOPT_PROFILE_VECTOR_WIDTH,  /* the widest type that it computes with */
    CLOPT_PROFILE_DIMENSIONS,    /* of the NDRange */
    CLOPT_PROFILE_WORK_ITEMS,    /* all, as above; 0: not known */
    CLOPT_PROFILE_GROUP_X,       /* the local size of each of two dimensions, as above */
    CLOPT_PROFILE_GROUP_Y,
    CLOPT_PROFILE_ELEMENTS, /* that accesses to global memory read or write: 4 of a vload4 */
    CLOPT_PROFILE_LOCAL_ELEMENTS,
    CLOPT_PROFILE_FLOAT_INSTRUCTIONS, /* floats and functions, one for all elements of a vector */
    CLOPT_PROFILE_INTEGER_INSTRUCTIONS,
    CLOPT_PROFILE_COUNT,
};

struct clopt_profile {
    double values[CLOPT_PROFILE_COUNT];
};

extern const char *const clopt_profile_names[CLOPT_PROFILE_COUNT];

/* Makes the profile of a kernel that is launched with an NDRange. */
void clopt_profile_find(const struct clopt_source *source, const struct clopt_ndrange *ndrange,
                        struct clopt_profile *profile);

/* Makes the profile of one of the kernels of a variant, which its file names in messages. */
enum clopt_status clopt_variant_profile(const struct clopt_trial *trial,
                                        const struct clopt_variant *variant, const char *file,
                                        const struct clopt_kernel *kernel,
                                        struct clopt_profile *profile, struct clopt_error *error);

/* Turn a profile into JSON, by the names of its features, and back; false where one is missing. */
json_t *clopt_profile_to_json(const struct clopt_profile *profile);
bool clopt_profile_from_json(const json_t *json, struct clopt_profile *profile);
