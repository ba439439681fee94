/* SPDX-License-Identifier: BSD-3-Clause */
/* What is asked of the source of a kernel on its way to becoming a variant. */
#pragma once

#include <clopt/optimization.h>

/* Takes the local size of a kernel whose launches are not known from its reqd_work_group_size, in
 * as many dimensions as that has. */
void clopt_transform_require_size(struct clopt_transform *transform);
