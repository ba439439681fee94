/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of a variant: timed runs, several to a sample where kernels are short. */
#pragma once

#include "worker/session.h"

struct clopt_sample_block {
    size_t columns;   /* the app's kernels, then the whole run, then the share of it that threads
                       * waited for a processor */
    size_t count;     /* rows */
    double waited_ns; /* in all */
    double least_ns;  /* a run of the quickest, less what its threads waited; infinite: no time */
    double *times_ns; /* row-major; of another objective in 1e-9 of its unit */
    bool verified;    /* the only sample is the run that was verified */
};

/* Takes samples until there are `count`, or `max_ns` have passed, but at least one. The first ones
 * choose how many runs make a sample. Where the run that verified it took longer than the
 * workspace's once_ns, and was timed, that is the one sample: no warming up shows in it. The caller
 * frees block->times_ns, whatever the status is.
 *
 * Where the workspace says so, a sample on a processor whose threads waited for it while others had
 * it (clopt_waits_end()) is taken again after a pause, which lets the others have their turn
 * before it, twice at most; the one that was disturbed least is kept, as it was measured. That ends
 * where most samples of late were disturbed: then one more is, too. */
enum clopt_status clopt_samples_take(struct clopt_session *session, enum clopt_objective objective,
                                     size_t count, int64_t max_ns,
                                     struct clopt_sample_block *block);
