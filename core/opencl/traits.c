/* SPDX-License-Identifier: BSD-3-Clause */
/* What clopt has to know of OpenCL implementations. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* secure_getenv() */
#endif
#include "opencl/traits.h"

#include <stdlib.h>
#include <string.h>

#include <clopt/memory.h>

#include "file/file.h"
#include "text/text.h"

#define INTEL_SCALAR                                                                               \
    "#define kernel __kernel __attribute__((intel_vec_len_hint(1)))\n"                             \
    "#define __kernel __kernel __attribute__((intel_vec_len_hint(1)))\n"

static const struct clopt_traits table[] = {
    {"Portable Computing Language", .cache_variable = "POCL_CACHE_DIR",
     .cache_folder = "pocl/kcache", .compiles_at_launch = true, .runs_compiled = true},
    {"Intel(R) OpenCL", .scalar = INTEL_SCALAR},
    {"NVIDIA CUDA", .compiles_at_launch = true, .verbose = "-cl-nv-verbose"},
    {"Oclgrind", .checks_accesses = true},
};

static const struct clopt_traits unknown = {"", .compiles_at_launch = true};

const char *const clopt_pin_environment[] = {
    "POCL_AFFINITY",
    "1", /* PoCL */
    "DPCPP_CPU_CU_AFFINITY",
    "close", /* Intel's CPU runtime */
    "DPCPP_CPU_PLACES",
    "cores", /* the same */
    NULL,
};

const char *const clopt_cache_environment[] = {
    "CUDA_CACHE_PATH", /* NVIDIA: a program's binary is PTX, which is compiled when it is loaded */
    NULL,
};

const char *const clopt_no_cache_environment[] = {"CUDA_CACHE_DISABLE", NULL};

/* What the names of variables begin with that drivers read. */
static const char *const compiler_environment[] = {"POCL_", "CL_CONFIG_", "CUDA_",
                                                   "IGC_",  "AMD_",       "OCLGRIND_BUILD_"};

/* Those among them that only say where something is cached. */
static const char *const cache_folders[] = {"POCL_CACHE_DIR", "CUDA_CACHE_PATH"};

#define MOST_VARIABLES 256

extern char **environ;

const struct clopt_traits *clopt_traits_find(const char *platform)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strncmp(platform, table[i].platform, strlen(table[i].platform)) == 0)
            return &table[i];
    return &unknown;
}

char *clopt_traits_cache_folder(const struct clopt_traits *traits)
{
    const char *named = secure_getenv(traits->cache_variable),
               *caches = secure_getenv("XDG_CACHE_HOME");
    const char *home = secure_getenv("HOME");
    return named    ? clopt_strdup(named)
           : caches ? clopt_path_join(caches, traits->cache_folder)
                    : clopt_text_format("%s/.cache/%s", home ? home : "~", traits->cache_folder);
}

void clopt_traits_use_cache(const char *folder)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].cache_variable)
            setenv(table[i].cache_variable, folder, 1);
}

/* Whether a variable, as NAME=VALUE, has this name. */
static bool is_called(const char *variable, const char *name)
{
    size_t length = strlen(name);
    return strncmp(variable, name, length) == 0 && variable[length] == '=';
}

/* Whether a variable may change what a driver compiles. */
static bool decides_build(const char *variable)
{
    for (size_t i = 0; clopt_pin_environment[i]; i += 2)
        if (is_called(variable, clopt_pin_environment[i]))
            return false;
    for (size_t i = 0; i < sizeof cache_folders / sizeof *cache_folders; i++)
        if (is_called(variable, cache_folders[i]))
            return false;
    for (size_t i = 0; i < sizeof compiler_environment / sizeof *compiler_environment; i++)
        if (strncmp(variable, compiler_environment[i], strlen(compiler_environment[i])) == 0)
            return true;
    return false;
}

static int compare_variables(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void clopt_traits_hash_environment(struct clopt_sha256 *hash)
{
    const char *variables[MOST_VARIABLES];
    size_t count = 0;
    for (char **variable = environ; variable && *variable && count < MOST_VARIABLES; variable++)
        if (decides_build(*variable))
            variables[count++] = *variable;
    qsort(variables, count, sizeof *variables, compare_variables);
    for (size_t i = 0; i < count; i++)
        clopt_sha256_add_string(hash, variables[i]);
}
