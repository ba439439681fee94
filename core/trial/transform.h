/* SPDX-License-Identifier: BSD-3-Clause */
/* A kernel on its way to becoming a variant: what optimization plugins see as clopt_transform. */
#pragma once

#include <clopt/optimization.h>

/* Starts with the initial code: copies source (may be NULL) and options. */
void clopt_transform_init(struct clopt_transform *transform, const char *kernel, const char *file,
                          const char *source, const char *options,
                          const struct clopt_ndrange *ndrange);
void clopt_transform_fini(struct clopt_transform *transform);

/* Has what rewrote the source, if anything did, prove that it can be compiled. */
enum clopt_status clopt_transform_check(struct clopt_transform *transform,
                                        struct clopt_error *error);

/* The bytes of local memory of an argument that had `bytes` in the initial code, once the first
 * `added` arguments of a change were added. */
size_t clopt_local_bytes(const struct clopt_ndrange_change *change, size_t added, unsigned argument,
                         size_t bytes);

/* The value of an argument that a variant's kernel takes in addition, or the bytes of a buffer;
 * `bytes` is that of the local memory that it is about in the initial code. */
uint64_t clopt_added_value(const struct clopt_ndrange *initial,
                           const struct clopt_ndrange_change *change, size_t index, size_t bytes);

/* Maps an NDRange of the initial code to the variant's. Unknown (0) sizes stay unknown. */
struct clopt_ndrange clopt_ndrange_map(const struct clopt_ndrange *initial,
                                       const struct clopt_ndrange_change *change);

/* What a change demands of a launch that is not so. */
struct clopt_unmet {
    enum {
        CLOPT_MET,
        CLOPT_UNMET_LOCAL,    /* local_multiple, local_only */
        CLOPT_UNMET_GROUPS,   /* whole_groups */
        CLOPT_UNMET_INTEGER,  /* an argument is none, or not known, */
        CLOPT_UNMET_MULTIPLE, /* no multiple, */
        CLOPT_UNMET_EQUALS,   /* another number, */
        CLOPT_UNMET_COVERS,   /* or less than the work-items of a dimension */
    } what;
    unsigned dimension;
    size_t local, items;                          /* there, if each work-group is whole */
    const struct clopt_argument_multiple *demand; /* of an argument */
    int64_t value;                                /* that this has */
};

/* Checks a launch of the initial code; `read` reads an argument, false: it is no integer. */
struct clopt_unmet clopt_launch_unmet(
    const struct clopt_ndrange *initial, const struct clopt_ndrange_change *change,
    bool (*read)(const void *user, unsigned argument, int64_t *value), const void *user);

/* How a launch permutes a buffer: its elements are rows. It has no padding: bytes are compared. */
struct clopt_layout_shape {
    uint32_t element_bytes;
    uint32_t narrow; /* 1: they are floats there, and half here */
    uint64_t block;  /* rows that are interleaved; 0: all of them */
    uint64_t width;  /* of a row, in elements */
    uint64_t rows;
};

/* Finds how a layout permutes a buffer of so many bytes in a launch over a range (as after
 * local_size), as above. `unmet` gets the first of its needs that is not so, or NULL. False: the
 * bytes are no whole rows. */
bool clopt_layout_shape_find(const struct clopt_layout *layout, uint64_t bytes,
                             const struct clopt_ndrange *range, clopt_affine_symbol_value read,
                             const void *user, struct clopt_layout_shape *shape,
                             const struct clopt_launch_need **unmet);

/* The program of kernels that permute (permute.cl), over how many work-items they do so, and the
 * bytes of what has the layout: its last block is whole. */
extern const char clopt_permute_source[];
size_t clopt_permute_items(const struct clopt_layout_shape *shape);
size_t clopt_permute_bytes(const struct clopt_layout_shape *shape);

/* Say what a launch computes, "argument 2 + 2", and what it must have for a layout. */
struct clopt_text;
void clopt_form_say(struct clopt_text *text, const struct clopt_affine *form);
void clopt_need_say(struct clopt_text *text, const struct clopt_launch_need *need);
