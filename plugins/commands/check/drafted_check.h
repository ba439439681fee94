/* SPDX-License-Identifier: BSD-3-Clause */
/* What other commands ask the checker. */
#pragma once

#include "main/command.h"

/* Checks the initial code of the apps of a study (`clopt check`), within a time for all of them.
 * The caller releases the array: an object an app, as --json prints them, or with its "error".
 * NULL: an error. */
json_t *clopt_check_drafted(const struct clopt_global_options *global, const char *study,
                            const char *device, int64_t limit_s, struct clopt_error *error);
