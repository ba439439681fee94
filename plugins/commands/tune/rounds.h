/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches at several sizes. */
#pragma once

#include "commands/study/study_command.h"

/* Runs a study whose sizes have the values that `sizes` says, "n = pow2 128..4096; m = 64, 128": at
 * the ends and the middle, then at values between those whose winners differ; in between, what won
 * at one size is measured at the others. The last run has all sizes that were tuned. Returns an
 * exit code. */
int clopt_tune_sizes(struct clopt_study_command *command, const char *sizes);
