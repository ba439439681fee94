/* SPDX-License-Identifier: BSD-3-Clause */
/* Has a device's peaks measured, in a worker of its own. */
#ifndef CLOPT_SUPERVISOR_PEAKS_H
#define CLOPT_SUPERVISOR_PEAKS_H

#include <signal.h>

#include "supervisor/loop.h"
#include "trial/rate.h"

/* Measures the peaks of one of the loop's devices while nothing else goes on there. Whatever goes
 * wrong with that leaves them unknown, and `cause` says why; so does `*stop` (may be NULL), once it
 * is set. Fails only where the loop does. */
enum clopt_status clopt_peaks_find(struct clopt_loop *loop, size_t device,
                                   const volatile sig_atomic_t *stop, struct clopt_peaks *peaks,
                                   struct clopt_error *cause, struct clopt_error *error);

/* Whether there is any sense in measuring a device: one that emulates another has no peaks. */
bool clopt_peaks_make_sense(const struct clopt_device_info *device);

#endif
