/* SPDX-License-Identifier: BSD-3-Clause */
/* The variants that [combine] sample chooses. */
#ifndef CLOPT_SPACE_SAMPLE_H
#define CLOPT_SPACE_SAMPLE_H

#include <clopt/device.h>

#include "space/study.h"

/* Chooses the samples of all kernels in all groups, where the study asks for any: variants in an
 * order that the seed makes, the same for all problems and devices, without those that are
 * infeasible. `devices` has one entry for each device of the study. `notices` is told of a kernel
 * with fewer feasible variants than were asked for. Without this call, the infeasible are chosen,
 * too. */
enum clopt_status clopt_study_draw_samples(struct clopt_study *study,
                                           const struct clopt_device_info *devices, FILE *notices,
                                           struct clopt_error *error);

/* Counts the variants of a group that were drawn and left out. */
uint64_t clopt_study_count_infeasible(const struct clopt_study *study, size_t group);

#endif
