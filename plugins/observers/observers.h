/* SPDX-License-Identifier: BSD-3-Clause */
/* What observes variants. */
#pragma once

#include "trial/observer.h"

extern const struct clopt_observer clopt_counters_observer; /* of drivers and plugins */
extern const struct clopt_observer clopt_lines_observer;    /* counts lines that are compiled */
extern const struct clopt_observer clopt_oclgrind_observer; /* runs variants there, and counts */
extern const struct clopt_observer clopt_patterns_observer; /* of accesses to global memory */
extern const struct clopt_observer clopt_profiles_observer; /* of what kernels do */

/* Reports a run of a built variant as "trace": what its app does, {"events", "buffers", "cut":
 * there were more events}. Events are launches, in terms of the initial code, {"kernel", "global",
 * "local", "arguments": [{"buffer"} or {"local"} or {"value": hex}]}, and writes, {"buffer",
 * "offset", "value"}. Of buffers it has {"name", "bytes", "image", "output"} with "fill", the byte
 * that all of it holds, or "file", which gets what it starts from (or the beginning of that) and
 * whose name begins with what the request has as "trace", or neither, if that does not count. */
extern const struct clopt_observer clopt_trace_observer;
