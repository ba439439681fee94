/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps a server, and all that it starts, within a folder. */
#pragma once

#include <clopt/error.h>

#include "number/values.h"
#include "schema/command.h"

/* What the server's user lets callers reach. */
struct serve_reach {
    const char *folder; /* is read and written */
    const char *temporary;
    struct clopt_list readable; /* folders besides those of the system */
};

/* Has Linux (Landlock) refuse, from now on and also to child processes, what is outside of these
 * folders and of those that programs are run from, and connections by TCP. CLOPT_FAILED: it cannot.
 */
enum clopt_status serve_confine(const struct serve_reach *reach,
                                const struct clopt_global_options *global,
                                struct clopt_error *error);

/* Refuses a path that is not surely below the working directory: absolute, with .., by a link. */
enum clopt_status serve_check_path(const char *path, struct clopt_error *error);

/* Refuses a study that starts programs, here or elsewhere; `path` may be of another file. */
enum clopt_status serve_check_study(const char *path, const struct clopt_registry *registry,
                                    struct clopt_error *error);
