/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes random kernels whose variables are computed from each other, to try rewriting on. */
#pragma once

#include <stdint.h>

/* Returns kernel number `number`, for the caller to free: 64 work-items in groups of 16, free of
 * data races and of undefined behaviour. Chains of variables of several types, from memory or from
 * identities, are used across barriers, in blocks, branches, loops and functions that are inlined,
 * where few names are declared again and again: in the file, as parameters, in inner blocks. Every
 * third has reqd_work_group_size. */
char *random_chains(uint64_t number);

/* The same with groups of preprocessor lines that hold macros of no text, buffers whose pointers
 * are moved by bytes, and half precision in memory. */
char *random_dialects(uint64_t number);

/* The same in OpenCL C 2.0 and 3.0, without half precision, which PoCL 3.1 and Oclgrind lack there.
 */
char *random_versions(uint64_t number);
