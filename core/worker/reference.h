/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets an app that has no reference of its own learn it from a run on the device. */
#ifndef CLOPT_WORKER_REFERENCE_H
#define CLOPT_WORKER_REFERENCE_H

#include "worker/session.h"

/* Runs the app's `reference`, or its initial code, twice for the problem at hand: what the first
 * run computes is learned, and the second must agree with it. What was learned on this device is
 * cached: other processes, of later studies, too, learn it from there. Does nothing where the app
 * knows by itself or has learned already; fails again as it did before. `waiting` is a built
 * variant that is to be checked. CLOPT_WRONG_RESULT: two runs disagree, or one writes outside of
 * its buffers. */
enum clopt_status clopt_reference_learn(struct clopt_session *waiting, struct clopt_error *error);

#endif
