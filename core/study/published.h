/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of times that others have published. */
#pragma once

#include "space/study.h"

/* Reads a CSV file (RFC 4180) whose first line names the columns: figure, app, kernel, problem,
 * variant, device, time_s and outcome, in any order, and others that do not count. Rows without a
 * variant are left out, and so are those of figures that are not among `figures`, unless `count` is
 * 0. CLOPT_INVALID: "FILE:LINE: ...". */
enum clopt_status clopt_published_read(const char *path, char *const *figures, size_t count,
                                       struct clopt_published_list *list,
                                       struct clopt_error *error);
