/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes [arguments] of a drafted study. */
#ifndef KERNEL_DRAFT_ARGUMENTS_H
#define KERNEL_DRAFT_ARGUMENTS_H

#include "draft_sizes.h"

/* Writes a line for each parameter of the kernel. */
void kernel_draft_arguments(const struct kernel_drafting *drafting);

#endif
