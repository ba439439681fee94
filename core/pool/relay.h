/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt worker` on another host: runs workers for a supervisor that is not on this machine. */
#pragma once

#include "pool/process.h"

/* Serves a supervisor over standard input and output, until it hangs up or says nothing any more.
 * Of the settings the paths count. */
enum clopt_status clopt_relay_serve(const struct clopt_process_settings *settings,
                                    struct clopt_error *error);
