/* SPDX-License-Identifier: BSD-3-Clause */
/* The types that elements of buffers and scalar arguments can have. */
#pragma once

#include <clopt/expression.h>
#include <clopt/scalar.h>

#include "reading.h"

enum kernel_kind {
    KERNEL_SIGNED = CLOPT_CLASS_SIGNED,
    KERNEL_UNSIGNED = CLOPT_CLASS_UNSIGNED,
    KERNEL_REAL = CLOPT_CLASS_REAL,
    KERNEL_STRUCT,
};

#define KERNEL_MOST_COMPONENTS 64

struct kernel_type {
    enum kernel_kind kind;
    enum clopt_scalar scalar;      /* NONE: a structure */
    size_t scalar_bytes;           /* of one number, or of a whole structure */
    unsigned width;                /* elements of a vector; 1 for a scalar */
    struct kernel_member *members; /* of a structure; NULL: its bytes are all that is known */
    size_t member_count;
};

/* A member of a structure. */
struct kernel_member {
    struct kernel_type type;
    size_t offset; /* in bytes */
    size_t count;  /* of an array; else 1 */
};

/* One of the numbers that an element consists of; or the bytes of a structure. */
struct kernel_component {
    struct kernel_type type;
    size_t offset;  /* in bytes */
    bool is_member; /* of a structure */
};

/* How many components an element has, at most KERNEL_MOST_COMPONENTS, and one of them. */
size_t kernel_type_components(const struct kernel_type *type);
struct kernel_component kernel_type_component(const struct kernel_type *type, size_t index);

void kernel_type_fini(struct kernel_type *type);

/* Reads a type, for kernel_type_fini(); `word` is its first word, which has been read, and what
 * follows it is scanned. */
void kernel_type_read(struct kernel_scan *scan, const char *word, struct kernel_type *type);

/* Reads a type from its name alone, such as "float4"; false where that is none. */
bool kernel_type_named(const char *name, struct kernel_type *type);

/* Bytes of an element: a vector of 3 has the room of 4. */
size_t kernel_type_bytes(const struct kernel_type *type);

/* Writes the name as OpenCL C has it. */
void kernel_type_name(const struct kernel_type *type, char name[KERNEL_WORD]);

/* Stores a number as one scalar of the type; false where it does not fit. */
bool kernel_store_number(const struct kernel_type *type, struct clopt_number number, void *to);

/* Store a number as one scalar of the type, and read it back. The number must fit; false where a
 * real one does not. */
void kernel_store_integer(const struct kernel_type *type, int64_t value, void *to);
bool kernel_store_real(const struct kernel_type *type, double value, void *to);
double kernel_load_real(const struct kernel_type *type, const void *from);
int64_t kernel_load_integer(const struct kernel_type *type, const void *from);

/* Loads a number as a real one; where 53 bits do not hold it, it is near enough for a tolerance. */
double kernel_load_number(const struct kernel_type *type, const void *from);

/* The same of so many, `stride` bytes apart. */
void kernel_load_numbers(const struct kernel_type *type, const void *from, size_t stride,
                         size_t count, double *numbers);

/* Sorts scalars in ascending order; NaN is above all numbers. */
void kernel_type_sort(const struct kernel_type *type, void *numbers, size_t count);

/* Tell what integers the type can hold, also as a real number without rounding. */
void kernel_type_range(const struct kernel_type *type, int64_t *least, int64_t *most);
