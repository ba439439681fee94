/* SPDX-License-Identifier: BSD-3-Clause */
/* What clopt has to know of OpenCL implementations. */
#include "opencl/traits.h"

#include <stddef.h>
#include <string.h>

static const struct clopt_traits table[] = {
    {"Portable Computing Language", true, false},
    {"Oclgrind", false, true},
};

static const struct clopt_traits unknown = {"", false, false};

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

const struct clopt_traits *clopt_traits_find(const char *platform)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strncmp(platform, table[i].platform, strlen(table[i].platform)) == 0)
            return &table[i];
    return &unknown;
}
