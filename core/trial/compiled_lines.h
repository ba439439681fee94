/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the lines of an OpenCL program that are compiled. */
#pragma once

#include <clopt/error.h>

/* Keeps the lines of an OpenCL program that are compiled with some options, for the caller to free:
 * without comments, empty lines, and #if with what it leaves out. */
enum clopt_status clopt_compiled_lines(const char *file, const char *text, const char *options,
                                       char **lines, struct clopt_error *error);
