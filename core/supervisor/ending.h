/* SPDX-License-Identifier: BSD-3-Clause */
/* Records and says how races end. */
#pragma once

#include "race/race.h"

/* How the comparison of the finalists ended. */
struct clopt_ending {
    bool late;     /* the study's time was over */
    bool spent;    /* they have had CLOPT_FINALS_SHARE of all that came before */
    double took_s; /* they have had */
    double need_s; /* a search of so long would have measured its best often enough; 0: it has */
};

/* Names the best of each kernel, for the store and, where the study searches it, in a note: how
 * near the best it is, and why nothing more was tried. */
void clopt_ending_put(struct clopt_race *race, const struct clopt_ending *end);
