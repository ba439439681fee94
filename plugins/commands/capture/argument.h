/* SPDX-License-Identifier: BSD-3-Clause */
/* What a captured argument is in a study. */
#pragma once

#include <clopt/source.h>

#include "commands/capture/launch.h"
#include "text/text.h"

/* What the elements of a buffer are. */
struct clopt_array_element {
    char name[64]; /* as studies have it */
    size_t bytes;
    enum clopt_scalar scalar; /* NONE: bytes */
    unsigned width;
};

/* Appends what a study says of an argument: of a buffer its type, of others all, such as "float 1".
 * `element` is set for buffers and images; CLOPT_INVALID: a study cannot have it. */
enum clopt_status clopt_argument_define(const struct clopt_variable *parameter,
                                        const struct clopt_captured_argument *argument,
                                        struct clopt_text *definition,
                                        struct clopt_array_element *element,
                                        struct clopt_error *error);

/* Copies whole elements of a captured buffer to a file, with a head where that is called .npy.
 * `nan` tells whether they have NaN, which no comparison takes for right. */
enum clopt_status clopt_argument_copy(const char *from, const char *to,
                                      const struct clopt_array_element *element, size_t count,
                                      bool *nan, struct clopt_error *error);
