/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what differs between the work-items of a kernel. */
#pragma once

#include <clopt/optimization.h>

/* Prints a line for each variable, branch and loop of the kernel: uniform or divergent along a
 * dimension, which is given as text. */
enum clopt_status clopt_analyze(const struct clopt_transform *transform, const char *dimension,
                                struct clopt_error *error);
