/* SPDX-License-Identifier: BSD-3-Clause */
/* The worker process: answers a supervisor's requests until the connection closes.
 *
 * A request is an object with "op" and the fields below; the answer has "status" (enum
 * clopt_status) and "message" where it failed, and "seconds", an object of what each stage took.
 * In between come notes {"stage": NAME} whenever a stage begins, so that the supervisor can tell
 * where a worker hangs or dies.
 *
 *   {"op": "list"}                                   -> "devices": [device ...]
 *   {"op": "open", "device": device, "ordinal": N, "builds": path}   -> "device": device
 *   {"op": "peaks"}                                  -> "peaks": peaks
 *   {"op": "make", "id": N, "trial": trial}          -> "variant": variant
 *   {"op": "make", "id": N, "trial": trial, "variant": variant}: as another worker made it
 *   {"op": "build", "id": N}     -> "build_ns", "deferred_ns", "kept", "launched", "log"
 *   {"op": "build", "id": N, "unless_launched": true}: what has been launched before is not built
 *   {"op": "verify", "id": N, "known": digest}: of a result that was right; or without it
 *       -> "deferred_ns", "verified", "error", "bound", "text", "digest", "work": {kernel:
 *          [arithmetic, ops, bytes]}
 *   {"op": "sample", "id": N, "count": N, "max_ns": N}
 *       -> "kernels": [name ..., ""], "times_ns": [[time ...] ...]
 *   {"op": "save", "id": N, "path": path}: writes the binary of what was built
 *   {"op": "drop", "id": N} */
#ifndef CLOPT_WORKER_WORKER_H
#define CLOPT_WORKER_WORKER_H

#include "plugin/registry.h"

/* Serves requests that come in on a connected socket. */
enum clopt_status clopt_worker_serve(int file, const struct clopt_registry *registry,
                                     const char *kernel_path, struct clopt_error *error);

#endif
