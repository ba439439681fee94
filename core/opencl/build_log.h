/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads numbers that compilers say of a kernel in their build log. */
#ifndef CLOPT_OPENCL_BUILD_LOG_H
#define CLOPT_OPENCL_BUILD_LOG_H

#include <stdbool.h>

/* Returns the name of fact number `fact` ("registers") and its unit; NULL: there are no more. */
const char *clopt_build_log_fact(unsigned fact, const char **unit);

/* Finds what a log (NULL: there is none) says of a kernel; false: nothing. */
bool clopt_build_log_find(const char *log, const char *kernel, unsigned fact, double *value);

#endif
