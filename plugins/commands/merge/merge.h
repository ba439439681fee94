/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes one store of those that several machines have written about the same study. */
#pragma once

#include <clopt/error.h>

/* Writes a new store of one run, which has what the newest runs of the stores at `paths` have
 * together; samples of a trial that several of them took add up. Devices of several hosts stay
 * apart, "LABEL@HOST", unless they did shards, or `pool` is set: then all have to be equal. The
 * file appears when it is whole, and never in the place of another one. CLOPT_INVALID, and no file:
 * the stores do not belong together; each trial that ended differently in two of them is told to
 * `notices`, as are shards that are missing or have not ended. */
enum clopt_status clopt_store_merge(const char *const *paths, size_t count, const char *output,
                                    bool pool, FILE *notices, struct clopt_error *error);

struct clopt_store;

/* Makes a store without a file, for a report on stores of any studies. Of each it has all runs that
 * measured the same initial code. A device is one where stores have other kernels of it; else those
 * of a name are told apart as LABEL@STORE; which store a number is from is kept
 * (CLOPT_SQL_GET_ORIGINS). CLOPT_INVALID: some measure time, and others energy. */
enum clopt_status clopt_store_join(const char *const *paths, size_t count,
                                   struct clopt_store **store, struct clopt_error *error);
