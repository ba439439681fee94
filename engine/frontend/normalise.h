/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a kernel's text independent of other files and of macros; comments and layout stay. */
#pragma once

#include "frontend/parse.h"

struct clopt_normal {
    char *text;
    struct clopt_lines lines;
    uint64_t shape;           /* of the text as it was given; 0: it is the same */
    struct clopt_parse parse; /* of the text, where it is the same; else all zero */
};

/* Expands every macro that the user defined, in the text or by -D, follows #include, and drops what
 * #if leaves out. Macros of OpenCL itself (M_PI_F, CLK_LOCAL_MEM_FENCE, as_float) stay: what they
 * are is each device's own affair. The result means the same with and without the -D options.
 * CLOPT_INVALID for text that clang or the preprocessor refuses. If `from` is not NULL, it says
 * where the lines of the text come from. The caller ends `normal` where that fails, too. */
enum clopt_status clopt_normalise(const char *file, const char *text,
                                  const struct clopt_lines *from,
                                  const struct clopt_build_options *options,
                                  struct clopt_normal *normal, struct clopt_error *error);
void clopt_normal_fini(struct clopt_normal *normal);
