/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the processors may change their frequency while something is measured. */
#pragma once

#include <stdbool.h>

#define CLOPT_GOVERNOR_MAX 32

/* Reads how Linux governs the frequency of the first processor, from `root`/cpu0/cpufreq (NULL: the
 * system's folder). False where nothing can be read, as in most virtual machines. */
bool clopt_governor_read(const char *root, char governor[CLOPT_GOVERNOR_MAX]);

/* Whether a governor holds the frequency as constant as it can. */
bool clopt_governor_is_steady(const char *governor);
