/* SPDX-License-Identifier: BSD-3-Clause */
/* The hosts of a study: what they are told, and how they are waited for. */
#pragma once

#include "supervisor/supervisor.h"

/* All that hosts of a run need; all zero: it has none. */
struct clopt_run_hosts {
    struct clopt_host_setup setup;
    struct clopt_host *items;
    size_t count;
};

/* Asks the hosts of the study, and waits until each is ready, or does not come; those that are
 * ready are the pool's then. Files travel to them. Fails where none comes, or where one has another
 * clopt, or none. `errors` is a folder for what launchers print. */
enum clopt_status clopt_run_hosts_open(struct clopt_run_hosts *hosts,
                                       const struct clopt_study *study,
                                       const struct clopt_supervisor_options *options,
                                       const char *errors, struct clopt_pool *pool,
                                       struct clopt_error *error);
void clopt_run_hosts_fini(struct clopt_run_hosts *hosts);
