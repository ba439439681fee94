/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches in a recording: what would have been found, after how many trials and how long. */
#ifndef CLOPT_SEARCH_REPLAY_H
#define CLOPT_SEARCH_REPLAY_H

#include "search/recording.h"
#include "search/search.h"

/* After a trial. */
struct clopt_replayed {
    double fraction; /* the recording's best time, divided by the best found; 0: none is right */
    double cost_s;   /* of all trials so far */
};

/* Runs a search until so many trials were made, or all; gives what `trials`, which has room for
 * `budget`, and how many were made. */
enum clopt_status clopt_replay(const struct clopt_recording *recording,
                               const struct clopt_strategy *strategy, uint64_t seed, size_t budget,
                               struct clopt_replayed *trials, size_t *count,
                               struct clopt_error *error);

#endif
