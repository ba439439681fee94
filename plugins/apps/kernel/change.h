/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells which results a run has changed: where it has changed none, whatever does nothing is as
 * right as the kernel. */
#pragma once

#include "data.h"
#include "definition.h"

#define KERNEL_UNCHANGED 256 /* bytes of a text */

/* Whether any element is not what it was before the run: its contents, or clopt's poison. */
bool kernel_is_changed(const struct kernel_argument *argument, struct kernel_values values,
                       const struct kernel_datum *datum);

/* Names the results that the run has not changed from which they were learned ("": there is none).
 * Where it has changed no result at all, and nothing else says what is right, that is
 * CLOPT_WRONG_RESULT. */
void kernel_learn_unchanged(const struct kernel_definition *definition,
                            const struct kernel_datum *data, struct kernel_scope *scope,
                            char unchanged[KERNEL_UNCHANGED]);
