/* SPDX-License-Identifier: BSD-3-Clause */
/* What kernels that check themselves have found, in words. */
#pragma once

#include "observers/check/check.h"

/* Adds the findings of a kernel's log to an array: an object each, the same finding once. Of a
 * `later` run of the same launches, what depends on shadows alone. */
void clopt_findings_add(json_t *findings, const struct clopt_check_program *program,
                        const char *kernel, const uint32_t *log, bool later);

/* The name of a kind of findings, such as "data-race", and what it is. */
const char *clopt_fault_name(enum clopt_fault fault);
const char *clopt_fault_about(enum clopt_fault fault);
