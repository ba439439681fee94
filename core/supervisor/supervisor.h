/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a study: hands its trials out to workers, and survives what becomes of them. */
#pragma once

#include "pool/pool.h"
#include "store/store.h"

struct clopt_candidate;
struct clopt_run;
struct clopt_watcher; /* supervisor/watcher.h */

struct clopt_supervisor_options {
    const char *plugin_path;
    const char *kernel_path;
    const char *store_path;
    unsigned jobs;       /* workers that build at the same time; 0: one a processor */
    unsigned retry;      /* outcomes that are not left at that: bits, 1u << outcome */
    FILE *notices;       /* gets what could not be measured of a device, and why */
    const char *program; /* the clopt program of workers; NULL: this process's */

    /* Hears of each candidate that has ended; may be NULL. */
    void (*ended)(void *user, const struct clopt_run *run, const struct clopt_candidate *candidate);
    void *user;

    const struct clopt_watcher *watcher;
};

/* Finds the devices of a study, and with them its combinations and samples: devices[i] is the first
 * member of study->devices[i]; further members come after all. The caller frees the array, after an
 * error, too. Workers are the pool's; NULL: others, which end then. */
enum clopt_status clopt_supervisor_find_devices(struct clopt_study *study,
                                                const struct clopt_supervisor_options *options,
                                                struct clopt_pool *pool,
                                                struct clopt_pool_device **devices,
                                                struct clopt_error *error);

/* Refuses a study of energy whose devices do not tell theirs. */
enum clopt_status clopt_supervisor_check_energy(const struct clopt_study *study,
                                                struct clopt_pool *pool, struct clopt_error *error);

/* Runs the study. What is in the store already is not done again. CLOPT_INTERRUPTED after SIGINT,
 * SIGTERM or SIGHUP: everything that was finished is in the store. */
enum clopt_status clopt_supervisor_run(struct clopt_study *study, struct clopt_store *store,
                                       const struct clopt_supervisor_options *options,
                                       struct clopt_error *error);
