/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a study of a launch that was captured: its inputs are those of the application, and what
 * is right is what the application's own kernel has left. */
#pragma once

#include "capture/launch.h"
#include "plugin/registry.h"

/* Writes kernel.ini, kernel.cl and the arrays into a folder, which must not be there yet; `source`
 * is the program's, and `application` its name. CLOPT_INVALID says what of the launch a study
 * cannot have. */
enum clopt_status clopt_captured_write(const struct clopt_captured *launch, const char *source,
                                       const char *application, const char *folder,
                                       const struct clopt_registry *registry,
                                       struct clopt_error *error);
