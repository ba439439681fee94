/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers as NumPy arrays: a vector is a last dimension, a structure one of bytes. */
#pragma once

#include "compare.h"

/* Reads a .npy file into the memory of a buffer, whose type and shape it must have. */
void kernel_array_load(const struct kernel_argument *argument, const char *path,
                       struct kernel_scope *scope, void *data);

/* Writes elements of a buffer as a .npy file: in the buffer's shape, or as one dimension where that
 * has another size. */
void kernel_array_write(const struct kernel_argument *argument, struct kernel_values values,
                        struct kernel_scope *scope, FILE *stream);
