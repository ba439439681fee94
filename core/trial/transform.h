/* SPDX-License-Identifier: BSD-3-Clause */
/* A kernel on its way to becoming a variant: what optimization plugins see as clopt_transform. */
#ifndef CLOPT_TRIAL_TRANSFORM_H
#define CLOPT_TRIAL_TRANSFORM_H

#include <stdint.h>

#include <clopt/optimization.h>

struct clopt_transform {
    const char *kernel; /* the four are not owned */
    const char *file;
    const struct clopt_device_info *device; /* NULL: none in particular */
    bool any_local_size;
    char *source;              /* NULL during a check */
    struct clopt_lines *lines; /* where its lines come from; NULL: they are the file's */
    char *label;               /* the file's name once that is not known any more, or NULL */
    char *options;
    size_t source_bytes;          /* of the initial code */
    size_t most_bytes;            /* that the source may grow to */
    struct clopt_ndrange initial; /* dimensions 0: not known */
    struct clopt_ndrange current; /* initial with the change applied */
    struct clopt_ndrange_change change;
};

/* Starts with the initial code: copies source (may be NULL) and options. */
enum clopt_status clopt_transform_init(struct clopt_transform *transform, const char *kernel,
                                       const char *file, const char *source, const char *options,
                                       const struct clopt_ndrange *ndrange,
                                       struct clopt_error *error);
void clopt_transform_fini(struct clopt_transform *transform);

/* Parses what the steps have made, if they have rewritten anything: the proof that it can be
 * compiled. */
enum clopt_status clopt_transform_check(const struct clopt_transform *transform,
                                        struct clopt_error *error);

/* Replaces the source by a text whose lines are its own. */
enum clopt_status clopt_transform_set_source(struct clopt_transform *transform, const char *source,
                                             struct clopt_error *error);

/* The value of a group count that a variant's kernel takes as an argument. */
uint64_t clopt_ndrange_group_count(const struct clopt_ndrange *initial,
                                   const struct clopt_ndrange_change *change, size_t index);

/* Maps an NDRange of the initial code to the variant's. Unknown (0) sizes stay unknown. */
struct clopt_ndrange clopt_ndrange_map(const struct clopt_ndrange *initial,
                                       const struct clopt_ndrange_change *change);

#endif
