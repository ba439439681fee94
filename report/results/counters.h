/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters of variants beside those of the initial code. */
#pragma once

#include "results/results.h"

/* The counters that differ among the variants of a kernel on a device. */
struct clopt_counted {
    const struct clopt_results_table *table;
    size_t device;
    const char **names; /* the results' */
    size_t count;
};

struct clopt_counted clopt_counted_find(const struct clopt_results_table *table, size_t device);
void clopt_counted_fini(struct clopt_counted *counters);

/* Returns a counter of a row, which is 0 where Oclgrind has counted others only; NaN: not known. */
double clopt_counted_value(const struct clopt_counted *counters, size_t row, const char *name);

/* Returns a counter of a row over that of the initial code; where that has none of it, both are
 * taken to have one more. NaN where either was not counted. */
double clopt_counted_ratio(const struct clopt_counted *counters, size_t row, const char *name);

/* The same, with no difference where that is not known. */
double clopt_counted_ratio_or_1(const struct clopt_counted *counters, size_t row, const char *name);

/* Whether a counter is time by another name, which explains no time. */
bool clopt_counted_is_time(const char *name);

/* Appends "; no hardware counters: " and why, where the counters of a device say so. */
void clopt_counted_append_lack(struct clopt_text *text, const struct clopt_results *results,
                               size_t device);

/* Whether a row was measured and counted, and so was the initial code, with the same problem. */
bool clopt_counted_knows(const struct clopt_counted *counters, size_t row);

/* Says which counters tell the variants that gain from those that lose; nothing where none does. */
void clopt_counted_explain(const struct clopt_counted *counters, const char *device,
                           struct clopt_text *text);
