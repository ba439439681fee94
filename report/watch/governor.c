/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the processors may change their frequency while something is measured. */
#include "watch/governor.h"

#include <limits.h>
#include <string.h>

#include <clopt/owned.h>

#define SYSTEM_ROOT "/sys/devices/system/cpu"

bool clopt_governor_read(const char *root, char governor[CLOPT_GOVERNOR_MAX])
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/cpu0/cpufreq/scaling_governor", root ? root : SYSTEM_ROOT);
    CLOPT_CLOSED FILE *stream = fopen(path, "re");
    if (!stream || !fgets(governor, CLOPT_GOVERNOR_MAX, stream))
        return false;
    governor[strcspn(governor, "\n")] = '\0';
    return *governor;
}

bool clopt_governor_is_steady(const char *governor)
{
    return strcmp(governor, "performance") == 0 || strcmp(governor, "userspace") == 0;
}
