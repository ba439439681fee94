/* SPDX-License-Identifier: BSD-3-Clause */
/* What clopt has to know of an OpenCL implementation that the standard does not ask it to tell. */
#pragma once

#include <stdbool.h>

#include "file/sha256.h"

struct clopt_traits {
    const char *platform; /* the beginning of CL_PLATFORM_NAME */
    /* The driver caches builds on disk by itself, code for a local size included: another process
     * builds again from source and gets it at once. Else (NULL) it loads the program's binary. The
     * environment variable that names the folder, and that below the user's cache without it. */
    const char *cache_variable;
    const char *cache_folder;
    /* It may put compilation off until a kernel's first launch, with each local size. */
    bool compiles_at_launch;
    bool runs_compiled; /* on processors: no launch is said to run while that compiles */
    /* It checks every access of a kernel by itself, which must not be given room for wrong ones. */
    bool checks_accesses;
    const char *verbose; /* the option with which it says in its log what a kernel needs; or NULL */
    /* Before a program, this keeps it from computing several work-items by vectors; NULL: nothing
     * is needed for that. */
    const char *scalar;
};

/* Returns the traits of a platform; those of an unknown one make no assumption. */
const struct clopt_traits *clopt_traits_find(const char *platform);

/* The environment that pins the threads of CPU runtimes to cores: pairs of name and value, ended
 * by NULL. All of them are set for every worker; each runtime reads its own. */
extern const char *const clopt_pin_environment[];

/* The environment variables that tell drivers where to cache what they compile of a program's
 * binary: names, ended by NULL. Workers get a folder beside those binaries. */
extern const char *const clopt_cache_environment[];

/* Those that keep drivers from caching, ended by NULL. Workers do without: each process would
 * compile once more what another one has. */
extern const char *const clopt_no_cache_environment[];

/* Returns the folder in which a driver caches builds, which the caller frees, and has those of all
 * drivers cache them in another one. */
char *clopt_traits_cache_folder(const struct clopt_traits *traits);
void clopt_traits_use_cache(const char *folder);

/* Adds the environment variables by which drivers compile differently. */
void clopt_traits_hash_environment(struct clopt_sha256 *hash);
