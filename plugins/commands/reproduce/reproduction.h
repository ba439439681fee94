/* SPDX-License-Identifier: BSD-3-Clause */
/* The files that `clopt reproduce` leaves behind. */
#pragma once

#include "commands/reproduce/reproduce.h"

#define CLOPT_REPRODUCTION_STUDY  "study.ini"
#define CLOPT_REPRODUCTION_BINARY "program.binary"

/* The trial that was looked for, as the store has it. */
struct clopt_found_trial {
    const char *store_path;
    int64_t trial; /* 0: there is none */
    char *key;
    char *device; /* label */
    char *platform;
    char *device_name;
    char *app;
    char *problem;
    char *kernel;
    char *name;
    char *trial_json;
    char *reason;
    char *config;
};

/* Puts "crashed in stage launch: REASON" into a text that the caller frees. */
char *clopt_ending_text(enum clopt_outcome outcome, const char *stage, const char *reason);

/* Writes source, options, log, trial and README into a folder that has study and binary already.
 * README says how the trial ended before, and now. */
enum clopt_status clopt_reproduction_write(const char *folder,
                                           const struct clopt_found_trial *found,
                                           const char *endings[2],
                                           const struct clopt_reproduction *reproduction,
                                           struct clopt_error *error);
