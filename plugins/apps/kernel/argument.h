/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of kernels: scalars, buffers or none, local memory, images, samplers. */
#pragma once

#include "content.h"
#include "tolerance.h"

#define KERNEL_MOST_ARGUMENTS   64
#define KERNEL_MOST_BUFFERS     32
#define KERNEL_MOST_VALUE_BYTES 128

enum kernel_argument_kind {
    KERNEL_SCALAR,
    KERNEL_BUFFER,
    KERNEL_LOCAL,
    KERNEL_SAMPLER,
    KERNEL_NULL /* in the place of a buffer */
};

struct kernel_argument {
    const char *name;
    struct kernel_position position;
    enum kernel_argument_kind kind;
    struct kernel_type type;
    struct kernel_expressions values; /* of a scalar, or the lengths of a buffer's dimensions */

    struct clopt_sampler sampler; /* of a sampler */

    /* of a buffer, or of an image: then `values` are its width, height and depth */
    bool is_image;
    enum clopt_channel channel;
    unsigned number; /* by which clopt knows it */
    enum clopt_buffer_use use;
    struct kernel_content content;
    struct kernel_tolerance tolerance; /* where it is a result */
    const char *content_input;         /* the app's input that names a file; NULL: there is none */
    const char *expected_input;
};

/* Whether a buffer is a result: what is compared and written to files. */
bool kernel_argument_is_result(const struct kernel_argument *argument);

/* Whether it is a result that the reference says the right values of: no file does. */
bool kernel_argument_is_expected(const struct kernel_argument *argument);

/* Reads the value of a key of [arguments], or an argument that a step has for itself; to be
 * finished in any case. */
void kernel_argument_read(const struct kernel_position *position, const char *name,
                          struct kernel_argument *argument, struct clopt_error *error);
void kernel_argument_fini(struct kernel_argument *argument);

/* Whether a structure can be passed by value: its members are known and few enough. */
bool kernel_argument_by_value(const struct kernel_type *type);

/* Evaluates a scalar, or a structure, into at most KERNEL_MOST_VALUE_BYTES; returns how many. */
size_t kernel_argument_evaluate(const struct kernel_argument *argument, struct kernel_scope *scope,
                                unsigned char *value);

/* Evaluates the bytes of a buffer or of local memory; 0 of what is neither. */
size_t kernel_argument_bytes(const struct kernel_argument *argument, struct kernel_scope *scope);
