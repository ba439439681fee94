/* SPDX-License-Identifier: BSD-3-Clause */
/* What a command line that runs a study says. */
#ifndef CLOPT_MAIN_STUDY_COMMAND_H
#define CLOPT_MAIN_STUDY_COMMAND_H

#include "base/sha256.h"
#include "main/command.h"
#include "main/usage.h"
#include "store/store.h"
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
    unsigned jobs;
    unsigned retry;
    struct clopt_shard shard;
    bool dry_run;
    bool print_config;
    bool csv;
    bool json;
    bool quiet;
    bool is_part; /* of what others report */
    bool help;
    struct clopt_global_options global;
};

/* Takes an option that all such commands have, by its letter; -1: it is none of those. */
int clopt_study_command_take(struct clopt_study_command *command, int option, char *argument);

/* Overrides a value of the study by "section.key=value", which must outlive the command. */
int clopt_study_command_set(struct clopt_study_command *command, const char *text);

/* What ranks of a study have to know of it before they begin. */
struct clopt_study_look {
    char *store;                   /* its path, for the caller to free, after an error, too */
    char *config;                  /* in force, as well */
    char devices[CLOPT_HASH_SIZE]; /* the same where all devices of the study are equal */
    bool joins; /* the best variants of an app's kernels, once all shards are done */
};

enum clopt_status clopt_study_command_look(const struct clopt_study_command *command,
                                           struct clopt_study_look *look,
                                           struct clopt_error *error);

/* Prints the report of a store that the study has written, and what failed in it: `*code`. */
enum clopt_status clopt_study_command_print(const struct clopt_study_command *command,
                                            struct clopt_store *store, enum clopt_exit *code,
                                            struct clopt_error *error);

/* Runs the study, or does what else the options say; returns an exit code. */
int clopt_study_command_run(struct clopt_study_command *command);

#endif
