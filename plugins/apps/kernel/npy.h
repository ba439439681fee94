/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes arrays in NumPy's file format .npy, versions 1 to 3. */
#pragma once

#include <clopt/error.h>

#define KERNEL_NPY_DIMENSIONS 32

/* What an array is: little-endian, in C order, so that the last index varies fastest. */
struct kernel_npy {
    char kind;           /* as NumPy has it: f, i, or u, which a truth value is read as, too */
    size_t scalar_bytes; /* 1, 2, 4 or 8 */
    size_t shape[KERNEL_NPY_DIMENSIONS];
    unsigned dimensions; /* 0: a single number */
};

/* How many numbers an array has, and how many bytes they take; only of an array that can be. */
size_t kernel_npy_count(const struct kernel_npy *array);
size_t kernel_npy_bytes(const struct kernel_npy *array);

/* Write what NumPy calls a type, float32, and a shape, (3, 4). */
#define KERNEL_NPY_TEXT (8 + 24 * KERNEL_NPY_DIMENSIONS)
void kernel_npy_print_type(const struct kernel_npy *array, char text[KERNEL_NPY_TEXT]);
void kernel_npy_print_shape(const struct kernel_npy *array, char text[KERNEL_NPY_TEXT]);

/* Reads an array from the beginning of a stream that can be sought in; `name` is for messages. The
 * caller frees the data. CLOPT_INVALID: this is no .npy file, one of a type, byte order or order of
 * elements that is not supported, or its size is not what its header says. */
enum clopt_status kernel_npy_read(FILE *stream, const char *name, struct kernel_npy *array,
                                  void **data, struct clopt_error *error);

/* The same, for a file. */
enum clopt_status kernel_npy_load(const char *path, struct kernel_npy *array, void **data,
                                  struct clopt_error *error);

/* Writes an array. */
void kernel_npy_write(FILE *stream, const struct kernel_npy *array, const void *data);
