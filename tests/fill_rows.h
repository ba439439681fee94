/* SPDX-License-Identifier: BSD-3-Clause */
/* The variants of the study that tests/fill_store puts into a store, on two devices. */
#ifndef CLOPT_TESTS_FILL_ROWS_H
#define CLOPT_TESTS_FILL_ROWS_H

#include "store/store.h"

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

static const struct row pocl[] = {
    {.name = "initial code",
     .outcome = CLOPT_OUTCOME_OK,
     .first_ns = 1000e3,
     .step_ns = 10e3,
     .verified = true,
     .fingerprint = "f0",
     .whole_program = true},
    {.name = "geometry(block_size=8)",
     .outcome = CLOPT_OUTCOME_OK,
     .first_ns = 2000e3,
     .step_ns = 10e3,
     .verified = true,
     .fingerprint = "f1",
     .whole_program = true},
    {.name = "geometry(block_size=32)",
     .outcome = CLOPT_OUTCOME_OK,
     .first_ns = 500e3,
     .step_ns = 10e3,
     .verified = true,
     .fingerprint = "f2",
     .whole_program = true},
    {.name = "geometry(block_size=64)",
     .outcome = CLOPT_OUTCOME_INFEASIBLE,
     .no_trial = true,
     .reason = "work-group of 4096 work-items, device has 1024",
     .whole_program = true},
    {.name = "geometry(local_size=16)",
     .outcome = CLOPT_OUTCOME_OK,
     .first_ns = 505e3,
     .step_ns = 10e3,
     .verified = true,
     .fingerprint = "f3"},
    {.name = "loops(unroll=1)",
     .outcome = CLOPT_OUTCOME_OK,
     .first_ns = 0,
     .step_ns = 0,
     .verified = true,
     .fingerprint = "f0"},
    {.name = "loops(unroll=2)",
     .outcome = CLOPT_OUTCOME_OK,
     .first_ns = 1005e3,
     .step_ns = 10e3,
     .verified = true,
     .fingerprint = "f0"},
    {.name = "loops(unroll=4)",
     .outcome = CLOPT_OUTCOME_OK,
     .first_ns = 990e3,
     .step_ns = 100,
     .verified = true,
     .fingerprint = "f6",
     .lines_changed = 12},
    {.name = "loops(unroll=8)",
     .outcome = CLOPT_OUTCOME_OK,
     .first_ns = 0,
     .step_ns = 0,
     .verified = true,
     .fingerprint = "f2"},
    {.name = "geometry(block_size=16,granularity=4,dimension=0)+vector(width=4)+loops(unroll=4)",
     .outcome = CLOPT_OUTCOME_OK,
     .first_ns = 95e3,
     .step_ns = 1e3,
     .verified = true,
     .fingerprint = "f11",
     .lines_changed = 140},
    {.name = "vector(width=2)",
     .outcome = CLOPT_OUTCOME_OK,
     .first_ns = 100e3,
     .step_ns = 10e3,
     .verified = false,
     .fingerprint = "f7"},
    {.name = "vector(width=4)",
     .outcome = CLOPT_OUTCOME_WRONG_RESULT,
     .fingerprint = "f8",
     .stage = "verify",
     .reason = "relative residual of L*U - A is 0.5, at most 1e-06 is right"},
    {.name = "vector(width=8)",
     .outcome = CLOPT_OUTCOME_CRASHED,
     .fingerprint = "f9",
     .stage = "launch",
     .reason = "killed by signal 11 (SIGSEGV)"},
    {.name = "vector(width=16)",
     .outcome = CLOPT_OUTCOME_OK,
     .first_ns = 9000e3,
     .step_ns = 10e3,
     .verified = true,
     .fingerprint = "f10",
     .abandoned = true},
};

static const struct row intel[] = {
    {.name = "initial code",
     .outcome = CLOPT_OUTCOME_OK,
     .first_ns = 200e3,
     .step_ns = 1e3,
     .verified = true,
     .fingerprint = "f0",
     .whole_program = true},
    {.name = "geometry(block_size=8)",
     .outcome = CLOPT_OUTCOME_OK,
     .first_ns = 400e3,
     .step_ns = 1e3,
     .verified = true,
     .fingerprint = "f1",
     .whole_program = true},
    {.name = "geometry(block_size=32)",
     .outcome = CLOPT_OUTCOME_PENDING,
     .first_ns = 350e3,
     .step_ns = 1e3,
     .verified = true,
     .fingerprint = "f2",
     .whole_program = true},
    {.name = "geometry(block_size=64)",
     .outcome = CLOPT_OUTCOME_INFEASIBLE,
     .no_trial = true,
     .reason = "work-group of 4096 work-items, device has 1024",
     .whole_program = true},
    {.name = "geometry(local_size=16)", .outcome = CLOPT_OUTCOME_PENDING, .no_trial = true},
    {.name = "loops(unroll=1)",
     .outcome = CLOPT_OUTCOME_OK,
     .first_ns = 0,
     .step_ns = 0,
     .verified = true,
     .fingerprint = "f0"},
    {.name = "loops(unroll=2)",
     .outcome = CLOPT_OUTCOME_BUILD_FAILED,
     .stage = "build",
     .reason = "clBuildProgram: CL_BUILD_PROGRAM_FAILURE (-11)\nkernel.cl:3: error: \"oops\""},
};

#endif
