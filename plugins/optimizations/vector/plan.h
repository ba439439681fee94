/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides how merged work-items hold each variable, and what is affine in the lane's number. */
#pragma once

#include <clopt/affine.h>
#include <clopt/divergence.h>
#include <clopt/loop.h>

enum form {
    FORM_UNIFORM, /* once, for all lanes */
    FORM_AFFINE,  /* once, for lane 0: lane l has the value plus l times a constant stride */
    FORM_VECTOR,  /* in the lanes of a vector, or of an array's vectors */
    FORM_SCALARS, /* once for each lane */
};

/* By how much the value of a lane exceeds that of the lane before. */
struct stride {
    enum { STRIDE_OPEN, STRIDE_KNOWN, STRIDE_NONE } state; /* open: still looked for */
    int64_t value;
};

/* Lanes that are iterations of a loop, and not work-items. */
struct iteration_facts {
    const struct clopt_source *source;
    const struct clopt_node *loop;
    struct clopt_trip trip;
    bool *varying;          /* by variable: differs between iterations in any case */
    const char **operators; /* by variable: how every lane accumulates in its own; or NULL */
    bool *ordered;          /* by variable: lanes change it one after the other */
};

struct plan {
    const struct clopt_source *source;
    const struct clopt_node *scope; /* what lanes execute: the kernel's body, or the loop's */
    const struct iteration_facts *iterations; /* NULL: lanes are work-items */
    const struct clopt_divergence *divergence;
    enum form *forms;       /* by variable */
    struct stride *strides; /* by variable */
};

/* The most that neighbouring lanes of something affine differ by. */
#define PLAN_MOST_STRIDE (1 << 20)

/* The most elements of a record of which lanes read the same part. */
#define PLAN_MOST_RECORD 16

/* `iterations` is NULL where lanes are work-items. */
void plan_init(struct plan *plan, const struct clopt_source *source,
               const struct clopt_divergence *divergence, const struct iteration_facts *iterations);

/* Whether lanes hold a constant distance in an integer or pointer, and which (in elements). */
bool plan_stride(const struct plan *plan, const struct clopt_node *node, int64_t *stride);

/* The same of the address of what a[i] or *p names. */
bool plan_address_stride(const struct plan *plan, const struct clopt_node *node, int64_t *stride);

/* Calls `visit` for what gives variables a value below a node: declarators, assignments, ++ and --.
 * Returns whether one of the calls did. */
typedef bool (*plan_visit_write)(void *user, const struct clopt_node *node,
                                 const struct clopt_variable *variable);
bool plan_visit_writes(const struct clopt_node *node, plan_visit_write visit, void *user);

/* Whether vectors can hold a variable, as far as its type goes. */
bool plan_can_hold(const struct clopt_variable *variable);

/* Whether a call asks for what numbers the lanes: get_global_id(0) or get_local_id(0). */
bool plan_is_identity(const struct clopt_node *call);

/* ---- memory whose rows of lanes begin at multiples of a vector's size ---- */

struct alignment {
    const struct plan *plan;
    unsigned width;
    unsigned char *multiples; /* by variable: the power of two, `width` at most, that divides what
                                 an integer holds in lane 0 */
    bool *arrays;             /* by variable: an array in local memory that is to be aligned */
    int64_t most;  /* the largest stride of rows of buffers that are looked at: all buffers are
                      aligned */
    bool *assumed; /* by variable: a parameter that launches have to make a multiple of
                      `width`, for rows of buffers */
};

/* Looks at a kernel whose work-items are merged into lanes, in which get_local_id(0) and
 * get_global_id(0) are multiples of `width`, or at a loop whose iterations are, which begins with a
 * multiple; `most` is 0 where buffers are not looked at. CLOPT_INFEASIBLE: no row of a buffer is
 * aligned otherwise. */
enum clopt_status alignment_init(struct alignment *alignment, const struct plan *plan,
                                 unsigned width, int64_t most, struct clopt_error *error);

/* Notes which arguments have to be multiples of the width, those once that several loops need. */
enum clopt_status alignment_require(const struct alignment *alignment,
                                    struct clopt_ndrange_change *change, struct clopt_error *error);

/* Whether a[i] is aligned like a vector of its type, if the array is; none is if `alignment` is all
 * zero. */
bool alignment_holds(const struct alignment *alignment, const struct clopt_node *row);

/* Whether an assignment stores a short vector as it is to an element of a buffer, and those of all
 * lanes fit into a vector. */
bool alignment_is_wide_store(const struct alignment *alignment, const struct clopt_node *node);

/* Makes the variable to declare in place of an array in local memory, aligned for vectors of its
 * elements. */
struct clopt_variable *alignment_declare(struct clopt_source *source,
                                         const struct clopt_variable *array, unsigned width);
