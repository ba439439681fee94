/* SPDX-License-Identifier: BSD-3-Clause */
/* What a buffer holds before a run. */
#pragma once

#include "expressions.h"
#include "type.h"

enum kernel_filling {
    KERNEL_NOTHING,
    KERNEL_ZERO,
    KERNEL_CONSTANT,
    KERNEL_RAMP,
    KERNEL_UNIFORM,
    KERNEL_NORMAL,
    KERNEL_INTEGERS,
    KERNEL_BYTES,
    KERNEL_NANS,
    KERNEL_INFINITIES,
    KERNEL_DENORMALS,
    KERNEL_PERMUTATION,
    KERNEL_OFFSETS,
    KERNEL_FILE,
    KERNEL_MEMBERS, /* of a structure: each has its own */
};

struct kernel_content {
    enum kernel_filling filling;
    struct kernel_expressions numbers;  /* in the brackets */
    struct kernel_expressions diagonal; /* what is added to a matrix's diagonal; none: nothing */
    char *file;                         /* as the study writes it */
    struct kernel_content *members;     /* one for each of the structure's; NULL: none */
    size_t member_count;
    bool is_sorted;
    struct kernel_expressions count; /* elements that it fills; none: all that are left */
    struct kernel_content *next;     /* of the elements after these; NULL: there are none */
};

/* Reads the rest of a value as content for elements of a type. */
void kernel_content_read(struct kernel_scan *scan, const struct kernel_type *type,
                         struct kernel_content *content);
void kernel_content_fini(struct kernel_content *content);

/* Elements in host memory, in rows of `columns`. */
struct kernel_elements {
    const struct kernel_type *type;
    size_t count;
    size_t columns;
    unsigned char *data;
};

/* Fills elements, whose bytes are 0, with anything but a file's content. Random numbers follow from
 * the seed of the problem and from `name`. */
void kernel_content_fill(const struct kernel_content *content, const char *name,
                         struct kernel_elements elements, struct kernel_scope *scope);
