/* SPDX-License-Identifier: BSD-3-Clause */
/* The worker process: answers a supervisor's requests until the connection closes.
 *
 * A request is an object with "op" and the fields below; the answer has "status" (enum
 * clopt_status) and "message" where it failed, and "seconds", an object of what each stage took.
 * Notes {"stage": NAME, "began_ns": N} of each stage that begins go another way, over the
 * connection with the next number, so that the supervisor can tell where a worker hangs or is lost,
 * and need not wake up for each.
 *
 * A note has as "part" what is known by then of the answer, which counts where the stage ends the
 * worker.
 *
 *   {"op": "list"}                                   -> "devices": [device ...]
 *   {"op": "open", "device": device, "ordinal": N, "builds": path}   -> "device": device
 *   {"op": "peaks"}                                  -> "peaks": peaks
 *   {"op": "access"}                                 -> "access": rates
 *   {"op": "energy"}: fails where energy cannot be read
 *   {"op": "trial", "id": N, "from": STAGE, "until": STAGE}: takes a variant from one stage to
 *       another, with "drop": true no further, by way of
 *     make     "trial": trial, "observers": [name ...] that look at it, "initial": true where
 *                  it is the initial code for the first time
 *                  -> "variant": variant, "kernels": [name ..., ""], and what they add
 *              or with "variant": variant, as another worker made it, -> nothing
 *     build    "observers": as above
 *                  -> "build_ns", "deferred_ns", "cached", "launched", "log", "built", and what
 *                     they add; with "recall": true what has been launched before is not
 *                     built, and that is all
 *     setup    with "inputs": true makes inputs; with "set_up": true buffers, too
 *     verify   "known": digest of a result that was right, or nothing; "work": true where wanted
 *                  -> "deferred_ns", "verified", "error", "bound", "text", "digest",
 *                     "work": {kernel: [arithmetic, ops, bytes]}
 *     sample   "count": N, "max_ns": N, "objective": name or nothing, which is time
 *                  -> "times_ns": [[time of each kernel ..., whole] ...]
 *       and what takes a variant that is not built,
 *         "check": name        fails with what that observer finds
 *         "explain": true      tells as "explained" what observers find
 *       or a built one alone:
 *         "save": path         writes its binary
 *         and what its observers report ("counters": true, say, or "count": trial) */
#pragma once

#include "plugin/registry.h"

/* Serves requests that come in on a connected socket; notes go to that with the next number. */
enum clopt_status clopt_worker_serve(int file, const struct clopt_registry *registry,
                                     const char *plugin_path, const char *kernel_path,
                                     struct clopt_error *error);
