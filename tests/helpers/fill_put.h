/* SPDX-License-Identifier: BSD-3-Clause */
/* What each of the stores of tests/helpers/fill_store is made of. */
#pragma once

#include "store/store.h"

#define SAMPLES 10

/* One variant of lud_internal on one device: sample i takes first_ns + i * step_ns in process i, of
 * which a quarter again in lud_perimeter, and half again more in the whole run. */
struct row {
    const char *name;
    enum clopt_outcome outcome;
    double first_ns; /* 0: no samples */
    double step_ns;
    bool verified;
    const char *fingerprint;
    const char *stage;
    const char *reason;
    int lines_changed;
    bool abandoned;     /* has three samples of one process */
    bool no_trial;      /* was infeasible, or still has to come */
    bool whole_program; /* lud_perimeter has the same trial */
};

extern struct clopt_store *filled;
extern bool three; /* kernels, each with variants of its own */
extern struct clopt_error fill_error;

/* Ends the program with fill_error if something has failed. */
void must(enum clopt_status status);

/* Describes a variant as a study does: "loops(unroll=4)+vector(width=2)" by its steps, another name
 * by a macro that is its number. For the caller to free. */
char *describe(const char *name, int number);

void put_samples(int64_t trial, const struct row *row);

void put_counter(int64_t trial, const char *kernel, const char *name, double value,
                 const char *unit, const char *source);

/* Puts variants of one device and problem, with their trials, samples and counters. */
void put_rows(const struct row *all, size_t count, int64_t device, int64_t problem,
              const char *how);
