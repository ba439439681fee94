/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads numbers that compilers say of a kernel in their build log. */
#pragma once

#include <stdbool.h>

/* Returns the name of fact number `fact` ("registers") and its unit; NULL after the last. */
const char *clopt_build_log_fact(unsigned fact, const char **unit);

/* Finds what a log (NULL: there is none) says of a kernel; false: nothing. */
bool clopt_build_log_find(const char *log, const char *kernel, unsigned fact, double *value);
