/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the processors may change their frequency while something is measured. */
#include "supervisor/governor.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define SYSTEM_ROOT "/sys/devices/system/cpu"

bool clopt_governor_read(const char *root, char governor[CLOPT_GOVERNOR_MAX])
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/cpu0/cpufreq/scaling_governor", root ? root : SYSTEM_ROOT);
    FILE *stream = fopen(path, "re");
    if (!stream)
        return false;
    bool read = fgets(governor, CLOPT_GOVERNOR_MAX, stream) != NULL;
    fclose(stream);
    if (read)
        governor[strcspn(governor, "\n")] = '\0';
    return read && *governor;
}

bool clopt_governor_is_steady(const char *governor)
{
    return strcmp(governor, "performance") == 0 || strcmp(governor, "userspace") == 0;
}
