/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers a search with what is recorded. */
#include "search/replay.h"

#include <math.h>

enum clopt_status clopt_replay(const struct clopt_recording *recording,
                               const struct clopt_strategy *strategy, uint64_t seed, size_t budget,
                               struct clopt_replayed *trials, size_t *count,
                               struct clopt_error *error)
{
    const struct clopt_search_space space = clopt_recording_space(recording);
    struct clopt_replayed now = {0};
    struct clopt_search *search;
    bool more = true;
    enum clopt_status status = clopt_search_create(strategy, &space, seed, &search, error);
    for (*count = 0; *count < budget && !status;) {
        size_t trial;
        status = clopt_search_ask(search, &trial, &more, error);
        if (status || !more)
            break;
        const struct clopt_recorded *result =
            clopt_recording_find(recording, clopt_search_point(search, trial));
        now.fraction = fmax(now.fraction, recording->best_ms / result->time_ms);
        now.cost_s += result->cost_s;
        trials[(*count)++] = now;
        status = clopt_search_tell(search, trial, result->time_ms, result->cost_s, error);
    }
    clopt_search_destroy(search);
    return status;
}
