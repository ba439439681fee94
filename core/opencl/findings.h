/* SPDX-License-Identifier: BSD-3-Clause */
/* What Oclgrind has found in the kernels of this process. */
#pragma once

#include <clopt/error.h>

/* CLOPT_WRONG_RESULT quotes the first thing that Oclgrind has written to its log since the process
 * was started. A process that does not run under Oclgrind has nothing to say. */
enum clopt_status clopt_findings_check(struct clopt_error *error);
