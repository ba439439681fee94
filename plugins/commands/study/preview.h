/* SPDX-License-Identifier: BSD-3-Clause */
/* What the searches of a study would try first. */
#pragma once

#include "commands/study/dry_run.h"

struct clopt_preview;

/* Shows variants of each kernel, in an order that the seed makes: those that a search of its first
 * generation tries, without those that turn out infeasible when they are made. It is for a process
 * that has not opened OpenCL: children make them. All arguments must outlive it. */
struct clopt_preview *clopt_preview_create(const struct clopt_study *study,
                                           const struct clopt_device_info *devices,
                                           const char *kernel_path);
void clopt_preview_destroy(struct clopt_preview *preview);
CLOPT_HOLDER(clopt_preview, clopt_preview_destroy);

struct clopt_dry_run_search clopt_preview_search(struct clopt_preview *preview);
