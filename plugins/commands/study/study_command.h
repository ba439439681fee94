/* SPDX-License-Identifier: BSD-3-Clause */
/* What a command line that runs a study says. */
#pragma once

#include "commands/shared/output.h"
#include "study/reader.h"

#define CLOPT_MOST_OVERRIDES 256
#define CLOPT_MOST_SHARDS    65536

struct clopt_study_command {
    const char *name; /* of another command that runs studies; NULL: none */
    const char *study_path;
    const char *output; /* NULL: named after the study */
    char *store_path;   /* made by clopt_study_command_run(), for the caller to free */
    struct clopt_override overrides[CLOPT_MOST_OVERRIDES];
    size_t override_count;
    int64_t jobs; /* 0: not given */
    unsigned retry;
    struct clopt_shard shard;
    const char *hosts; /* NULL: those of the study */
    bool dry_run;
    bool print_config;
    bool quiet;
    bool part;                        /* of a command that runs several: it reports nothing */
    const struct clopt_start *starts; /* what a search tries before all others, */
    size_t start_count;               /* where the study searches it */
    const char *live;                 /* a page that is written while the study runs; NULL: none */
    struct clopt_output report;
    struct clopt_global_options global;
};

/* The options that all such commands have, for lists that begin at the structure. */
extern const struct clopt_key clopt_study_options[];

/* Overrides a value of the study by "section.key=value", which must outlive the command. */
enum clopt_status clopt_study_command_set(struct clopt_study_command *command, const char *text,
                                          struct clopt_error *error);

/* Reads a list of outcomes that trials can end in, "crashed, timeout", into one bit each, 1u <<
 * outcome; "all" means all but ok. CLOPT_INVALID names what is none of them. */
enum clopt_status clopt_retry_read(const char *text, unsigned *outcomes, struct clopt_error *error);

/* Returns the path of the store, for the caller to free. */
char *clopt_study_command_store(const struct clopt_study_command *command);

/* Refuses options that do not go together; `name` is the command's. Returns an exit code. */
int clopt_study_command_check(struct clopt_study_command *command, const char *name);

/* Runs the study, or does what else the options say; returns an exit code. */
int clopt_study_command_run(struct clopt_study_command *command);

/* Prints on stderr each problem and device of the newest run on which the initial code failed, with
 * the reason and, where it does not compile, the compiler's log. `code` gets what the program is to
 * end with: CLOPT_EXIT_USAGE for an input that is wrong, CLOPT_EXIT_FAILURE for other failures,
 * CLOPT_EXIT_VERIFICATION where some variant computed something wrong. */
enum clopt_status clopt_failures_print(struct clopt_store *store, enum clopt_exit *code,
                                       struct clopt_error *error);
