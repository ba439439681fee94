/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of a study, as all that takes part in it sees it. */
#pragma once

#include "file/file_hash.h"
#include "pool/pool.h"
#include "store/store.h"

struct clopt_candidate;

struct clopt_run {
    const struct clopt_study *study;
    struct clopt_store *store;
    struct clopt_pool *pool;
    struct clopt_pool_device *devices; /* the first member of each of the study, more members */
    int64_t *device_rows;              /* of the study's, in the store */
    const char *kernel_path;
    struct clopt_file_hashes *files; /* the inputs that have been read */
    unsigned retry;                  /* outcomes to try again: bits, 1u << outcome */
    bool counts;                     /* an observer counts what every variant executes */
    FILE *notices;
    /* Hears of each candidate that has ended; may be NULL. */
    void (*ended)(void *user, const struct clopt_run *run, const struct clopt_candidate *candidate);
    void *user;
    struct clopt_error *failure; /* gets what ends the study: the store failed, say */
};

/* Counts the members of a device of the study. */
static inline size_t clopt_run_count_members(const struct clopt_run *run, size_t device)
{
    size_t count = 1;
    while ((device = run->devices[device].next))
        count++;
    return count;
}
