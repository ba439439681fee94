/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes one store of those that several machines have written about the same study. */
#ifndef CLOPT_STORE_MERGE_H
#define CLOPT_STORE_MERGE_H

#include <stdbool.h>
#include <stdio.h>

#include <clopt/error.h>

enum clopt_merge_flags {
    CLOPT_MERGE_REPLACE = 1, /* a file that is there; the caller knows which shards are missing */
    CLOPT_MERGE_POOL = 2,    /* the devices of all hosts, which have to be equal */
};

/* Writes a new store of one run, which has what the newest runs of the stores at `paths` have
 * together; samples of a trial that several of them took add up. Devices of several hosts stay
 * apart, "LABEL@HOST", unless they did shards, or are pooled. The file appears when it is whole.
 * CLOPT_INVALID, and no file: the stores do not belong together; each trial that ended differently
 * in two of them is told to `notices`, as are shards that are missing or have not ended. `flags`
 * may be several. */
enum clopt_status clopt_store_merge(const char *const *paths, size_t count, const char *output,
                                    enum clopt_merge_flags flags, FILE *notices,
                                    struct clopt_error *error);

#endif
