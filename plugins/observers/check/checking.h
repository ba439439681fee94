/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs kernels that check themselves. */
#pragma once

#include "trial/observer.h"

#define CLOPT_SHADOW_MIB 512 /* by default */

/* Runs kernels that check themselves (check/check.h). Settings: "shadow_mib": at most, the variant
 * is run as often as this takes, 0: no shadows; "mixes": plain accesses beside atomic functions are
 * data races, too. Its report has "accesses", expressions that were checked; "proven", accesses
 * that are inside, whatever the launch; "skipped", and "skipped_line" of the first, that could not
 * be checked; "passes", runs that it took; "unwritten", names of outputs that are not written
 * whole; "kinds" of findings, as SARIF describes rules. */
extern const struct clopt_observer clopt_checker;
