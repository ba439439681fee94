/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files share that tell what a file holds. */
#pragma once

#include <clopt/source.h>

#include "frontend/normalise.h"
#include "text/text.h"
#include "text/token.h"

#define MOST_MACROS   64
#define MOST_KERNELS  256

/* The outline comes first: it is what the caller gets. */
struct made_outline {
    struct clopt_outline outline;
    struct clopt_arena arena;
    struct clopt_outline_macro macros[MOST_MACROS];
    const char *kernels[MOST_KERNELS];
    const char *standard;      /* as in the outline */
    struct clopt_text given;   /* options */
    struct clopt_text options; /* those, and what lets the program be read */
};

enum clopt_status clopt_outline_add_macro(struct made_outline *made, const char *name,
                                          size_t length, const char *value, size_t value_length,
                                          struct clopt_error *error);
bool clopt_outline_has_macro(const struct made_outline *made, const char *name, size_t length);

/* Normalises the program; macros that are missing are defined, one after the other, by what they
 * are used for, and where names of a later OpenCL C are missing, that is taken. */
enum clopt_status clopt_outline_read(struct made_outline *made, const char *file, const char *text,
                                     struct clopt_normal *normal, struct clopt_error *error);
