/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a study of launches that were captured: its inputs are those of the application, and what
 * is right is what the application's own kernels have left. */
#pragma once

#include "commands/capture/launch.h"
#include "plugin/registry.h"

/* Writes kernel.ini, kernel.cl and the arrays into a folder, which must not be there yet: of one
 * launch, or of several as steps, which clopt_sequence_length() has found. `source` is the
 * program's, and `application` its name. CLOPT_INVALID says what of the launches a study cannot
 * have. */
enum clopt_status clopt_captured_write(const struct clopt_captured *const *launches, size_t count,
                                       const char *source, const char *application,
                                       const char *folder, const struct clopt_registry *registry,
                                       struct clopt_error *error);
