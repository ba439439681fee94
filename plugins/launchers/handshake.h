/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said until a host is ready: what clopt is there, what the study is, which files it lacks.
 * A host that does not keep to it fails: with CLOPT_INVALID it is refused for good. */
#pragma once

#include "launchers/host.h"

/* Begins anew, as a launcher was started. */
void clopt_handshake_begin(struct clopt_host *host);

/* Compares the clopt there, and tells it what it needs for the study. */
enum clopt_status clopt_handshake_identity(struct clopt_host *host, const json_t *json,
                                           struct clopt_error *fault);

/* Takes the numbers of the files that are wanted, each of which is sent once; where none is, the
 * host is ready. */
enum clopt_status clopt_handshake_wanted(struct clopt_host *host, const json_t *json,
                                         struct clopt_error *fault);

/* Sends the next file that is wanted, once nothing else waits to be sent. */
enum clopt_status clopt_handshake_send(struct clopt_host *host, struct clopt_error *fault);
