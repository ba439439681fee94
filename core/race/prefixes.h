/* SPDX-License-Identifier: BSD-3-Clause */
/* What the first steps of a kernel's best variant are alone: a report shows what each step gives.
 */
#ifndef CLOPT_RACE_PREFIXES_H
#define CLOPT_RACE_PREFIXES_H

#include "race/race.h"

/* Once a race that looks for a winner has tried its variants, enters those that the best of each
 * kernel begins with and that are not known yet, and shows them. True: there is one to be measured.
 */
bool clopt_prefixes_enter(struct clopt_race *race);

#endif
