/* SPDX-License-Identifier: BSD-3-Clause */
/* What an optimization plugin offers to clopt, and what clopt offers to it.
 *
 * An optimization turns a kernel into a variant of it. It gets the kernel's source as the
 * optimizations before it in the study left it, and changes the source, the build options or the
 * NDRange, or says why it cannot. It is a pure function of what it is given. */
#ifndef CLOPT_OPTIMIZATION_H
#define CLOPT_OPTIMIZATION_H

#include <stdbool.h>
#include <stddef.h>

#include <clopt/device.h>
#include <clopt/error.h>
#include <clopt/ndrange.h>
#include <clopt/plugin.h>
#include <clopt/value.h>

struct clopt_transform; /* one kernel on its way to becoming a variant */
struct clopt_source;    /* the tree of a kernel: clopt/source.h */

struct clopt_optimization {
    /* What a study may set. Parameters marked as knobs are carried out by the app. */
    const struct clopt_parameter *parameters;

    /* Says, quickly and without rewriting, that values cannot work: CLOPT_INFEASIBLE with a reason
     * that a report can print. Anything it lets pass may still be refused by apply. NULL: nothing
     * to say. The transform has no source here, and may have no NDRange and no device. */
    enum clopt_status (*check)(const struct clopt_transform *transform,
                               const struct clopt_values *values, struct clopt_error *error);

    /* Changes the kernel; CLOPT_INFEASIBLE with a reason where that is not possible. NULL: all
     * parameters are knobs. */
    enum clopt_status (*apply)(struct clopt_transform *transform, const struct clopt_values *values,
                               struct clopt_error *error);
};

/* ---- what the transform is about; texts stay valid until the transform changes ---- */

CLOPT_API const char *clopt_transform_kernel(const struct clopt_transform *transform);

/* The whole OpenCL C source, and the build options (-D, -I, -cl-...) that go with it. */
CLOPT_API const char *clopt_transform_source(const struct clopt_transform *transform);
CLOPT_API const char *clopt_transform_options(const struct clopt_transform *transform);

/* The name that messages give to the source: a file's path. */
CLOPT_API const char *clopt_transform_file(const struct clopt_transform *transform);

/* Where its lines come from, for clopt_source_create(); NULL: from themselves. */
struct clopt_lines;
CLOPT_API const struct clopt_lines *clopt_transform_lines(const struct clopt_transform *transform);

/* Parses the source as it is now, by clopt_source_create(). The caller destroys the tree. */
CLOPT_API enum clopt_status clopt_transform_parse(const struct clopt_transform *transform,
                                                  struct clopt_source **source,
                                                  struct clopt_error *error);

/* Functions whose bodies take the place of their calls in the kernel. */
enum clopt_inlining {
    CLOPT_INLINE_BARRIERS, /* that hold a barrier: all of them, or it is CLOPT_INFEASIBLE */
    CLOPT_INLINE_LOOPS,    /* that hold a loop, where they can */
    CLOPT_INLINE_BRANCHES, /* that hold a loop or a branch, where they can */
    CLOPT_INLINE_ALL,      /* as with CLOPT_INLINE_BARRIERS, and others where they can */
};

/* Parses it with functions inlined, as clopt_source_create_inlined() does. */
CLOPT_API enum clopt_status clopt_transform_parse_inlined(const struct clopt_transform *transform,
                                                          enum clopt_inlining what,
                                                          struct clopt_source **source,
                                                          struct clopt_error *error);

/* The NDRange of the variant so far (the largest launch), or NULL where it is not known; global
 * sizes of 0 are unknown. */
CLOPT_API const struct clopt_ndrange *clopt_transform_ndrange(
    const struct clopt_transform *transform);

/* Whether the app lets the kernel run with any local size. */
CLOPT_API bool clopt_transform_any_local_size(const struct clopt_transform *transform);

/* The device that the variant is for, or NULL for none in particular. */
CLOPT_API const struct clopt_device_info *clopt_transform_device(
    const struct clopt_transform *transform);

/* ---- what apply may change; all copy what they are given ---- */

/* Sets the source from an output, which knows from which lines of the user's file its lines come,
 * so that messages of later steps can name these. CLOPT_FAILED: memory has run out, in the output
 * too. */
struct clopt_output;
CLOPT_API enum clopt_status clopt_transform_set_output(struct clopt_transform *transform,
                                                       const struct clopt_output *output,
                                                       struct clopt_error *error);
CLOPT_API enum clopt_status clopt_transform_add_option(struct clopt_transform *transform,
                                                       const char *option,
                                                       struct clopt_error *error);

/* Changes the NDRange that this step has found, where `change` has other fields than 0; what
 * earlier steps have changed multiplies up. `group_counts` are for a new parameter each, a ulong
 * after all others, of the kernel. CLOPT_INFEASIBLE: there are CLOPT_MOST_GROUP_COUNTS. */
CLOPT_API enum clopt_status clopt_transform_change_ndrange(
    struct clopt_transform *transform, const struct clopt_ndrange_change *change,
    struct clopt_error *error);

/* Whether work-groups have so many work-items in a dimension at each launch, as far as is known,
 * and no later step can change that: then a kernel may be right for no other local size, which its
 * change says (local_multiple and local_only). */
CLOPT_API bool clopt_transform_has_local_size(const struct clopt_transform *transform,
                                              unsigned dimension, size_t size);

#endif
