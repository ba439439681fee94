/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters of a variant: what its driver tells, what it does on the processor, and what Oclgrind
 * counts. */
#pragma once

#include "worker/session.h"

/* A counter in an answer is a list: kernel, name, value, unit, source. */

/* Returns what the driver and its compiler tell of a built variant. */
json_t *clopt_session_driver_counters(const struct clopt_session *session);

/* Runs a verified variant for a while, and adds what the counters of plugins count of each kernel
 * in its launches of one run. */
enum clopt_status clopt_session_count_launches(struct clopt_session *session, json_t *counters);

/* Runs a built variant once, in a worker under Oclgrind, and reads what that has counted. */
enum clopt_status clopt_session_count(struct clopt_session *session, json_t **counters);
