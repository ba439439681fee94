/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells what a source says of its macros. */
#pragma once

#include <clopt/source.h>

/* Finds the kernels of a program, and the macros that it uses without a definition: names without
 * small letters that nothing declares, and integers that `options` may set because #ifndef is
 * before their definition. CLOPT_INVALID quotes what is wrong with the program otherwise. */
enum clopt_status clopt_outline_create(const char *file, const char *text, const char *options,
                                       struct clopt_outline **outline, struct clopt_error *error);

/* Returns the option of the first later OpenCL C that reads a program, "-cl-std=CL2.0"; NULL where
 * the program can be read as it is, the options name one, or none does. */
const char *clopt_outline_standard(const char *file, const char *text, const char *options);

void clopt_outline_destroy(struct clopt_outline *outline);
