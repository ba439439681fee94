/* SPDX-License-Identifier: BSD-3-Clause */
/* The patterns of a kernel's accesses, as devices were probed with them. */
#pragma once

#include "results/results.h"
#include "shared/access_rates.h"

/* A pattern of an array, as it was probed. */
struct clopt_probed {
    const char *array;
    enum clopt_access_kind kind;
    unsigned point;               /* of one that is strided */
    enum clopt_access_kind other; /* in another layout; CLOPT_ACCESS_KINDS: there is none */
};

/* Lists the patterns of a table once each, for the caller to free. */
struct clopt_probed *clopt_probed_list(const struct clopt_results_table *table, size_t *count);

/* Returns what a device gives; not known are NaN. */
struct clopt_access_rates clopt_probed_rates(const struct clopt_results *results, size_t device);
