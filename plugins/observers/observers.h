/* SPDX-License-Identifier: BSD-3-Clause */
/* What observes variants. */
#pragma once

#include "trial/observer.h"

extern const struct clopt_observer clopt_lines_observer;    /* counts lines that are compiled */
extern const struct clopt_observer clopt_patterns_observer; /* of accesses to global memory */
extern const struct clopt_observer clopt_profiles_observer; /* of what kernels do */
