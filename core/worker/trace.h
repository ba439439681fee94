/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes what an app does in a run, so that a program without the app can do the same. */
#pragma once

#include "worker/session.h"

/* Launches and writes that are noted at most. */
#define CLOPT_MOST_TRACED 1000

/* So much of the contents of each buffer is written to a file at most. */
#define CLOPT_MOST_TRACED_BYTES ((size_t)1 << 20)

/* Note a launch, in terms of the initial code, and a write to a buffer, if the session has a trace:
 * {"kernel", "global", "local", "arguments": [{"buffer"} or {"local"} or {"value": hex}]},
 * {"buffer", "offset", "value"}. */
void clopt_trace_launch(struct clopt_session *session, const struct clopt_asked_launch *launch);
void clopt_trace_write(struct clopt_session *session, unsigned buffer, size_t offset, size_t bytes,
                       const void *source);

/* Runs a built variant once, and tells in what its app does, {"events", "buffers", "cut": there
 * were more events}. Of its buffers {"name", "bytes", "image", "output"} with "fill", the byte that
 * all of it holds, or "file", which gets what it starts from (or the beginning of that) and whose
 * name begins with `prefix`, or neither, if that does not count. The caller's reference. */
enum clopt_status clopt_session_trace(struct clopt_session *session, const char *prefix,
                                      json_t **trace);
