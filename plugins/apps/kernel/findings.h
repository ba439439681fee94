/* SPDX-License-Identifier: BSD-3-Clause */
/* Where results differ from what they must be: by blocks, which threads share. */
#pragma once

#include "compare.h"

#define KERNEL_BLOCK ((size_t)2048) /* elements that a thread takes at a time */

/* One comparison. */
struct comparison {
    struct kernel_pair pair;
    /* per component of an element: */
    size_t components;
    struct kernel_component component[KERNEL_MOST_COMPONENTS];
    struct kernel_tolerance tolerance[KERNEL_MOST_COMPONENTS];
    double scale[KERNEL_MOST_COMPONENTS]; /* the mean magnitude of what is expected */
};

/* What it has found. */
struct findings {
    uint64_t differing;
    size_t first; /* element that is wrong */
    size_t first_component;
    size_t worst; /* element that is farthest off */
    double ratio; /* its error, as a multiple of what is allowed */
    double relative;
    double absolute;
    double ulp;
    unsigned char wrong[8]; /* the number that is, of what has no more bytes */
};

/* Returns where a component of an element is. */
const void *kernel_number_at(const struct comparison *comparison,
                             const struct kernel_values *values, size_t element, size_t component);
bool kernel_is_nan(const struct kernel_component *component, const void *from);

/* How many blocks so many elements are, and how many of the elements are in one of these. */
size_t kernel_block_count(size_t elements);
size_t kernel_block_length(size_t elements, size_t block);

/* Loads a component of the elements of a block. */
void kernel_load_block(const struct comparison *comparison, const struct kernel_values *values,
                       size_t block, size_t component, double numbers[KERNEL_BLOCK]);

/* Whether a result has the bytes that are expected. */
bool kernel_are_same(const struct comparison *comparison);

/* Compares all elements, and adds what was found elsewhere, in whatever order that is. */
void kernel_find_differences(const struct comparison *comparison, struct findings *findings);
void kernel_add_findings(const struct findings *more, struct findings *sum);
