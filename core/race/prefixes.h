/* SPDX-License-Identifier: BSD-3-Clause */
/* What the first steps of a kernel's best variant are alone: reports show what each step gives. */
#pragma once

#include "race/race.h"

/* In a race that looks for a winner, enters what the best of each kernel begins with so far, as far
 * as that is not known yet, and shows it: twice, before and after the finals. True: there is
 * something to measure. */
bool clopt_prefixes_enter(struct clopt_race *race);
