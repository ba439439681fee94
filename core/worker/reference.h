/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets an app that has no reference of its own learn it from a run on the device. */
#ifndef CLOPT_WORKER_REFERENCE_H
#define CLOPT_WORKER_REFERENCE_H

#include "worker/workspace.h"

/* Runs the app's `reference`, or its initial code, twice for the problem at hand: what the first
 * run computes is learned, and the second must agree with it. Does nothing where the app knows by
 * itself or has learned already; fails again as it did before. `trial` is one that waits for it,
 * and `session` what has been built of that. CLOPT_WRONG_RESULT: two runs disagree, or one writes
 * outside of its buffers. */
enum clopt_status clopt_reference_learn(struct clopt_workspace *workspace,
                                        struct clopt_context *context, const char *kernel_path,
                                        const struct clopt_trial *trial,
                                        struct clopt_session *session, struct clopt_error *error);

#endif
