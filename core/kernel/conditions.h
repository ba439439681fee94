/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells what #if leaves of a source. */
#ifndef CLOPT_KERNEL_CONDITIONS_H
#define CLOPT_KERNEL_CONDITIONS_H

#include <clopt/error.h>

/* Copies the lines that a compiler with these options would see, without blank ones and those of #if
 * itself; macros stay as they are. The caller frees them. CLOPT_INVALID for a text that clang
 * refuses. */
enum clopt_status clopt_conditions_apply(const char *file, const char *text, const char *options,
                                         char **left, struct clopt_error *error);

#endif
