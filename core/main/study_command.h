/* SPDX-License-Identifier: BSD-3-Clause */
/* What a command line that runs a study says. */
#ifndef CLOPT_MAIN_STUDY_COMMAND_H
#define CLOPT_MAIN_STUDY_COMMAND_H

#include "main/command.h"
#include "main/usage.h"
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
    bool help;
    struct clopt_global_options global;
};

/* Takes an option that all such commands have, by its letter; -1: it is none of those. */
int clopt_study_command_take(struct clopt_study_command *command, int option, char *argument);

/* Overrides a value of the study by "section.key=value", which must outlive the command. */
int clopt_study_command_set(struct clopt_study_command *command, const char *text);

/* Runs the study, or does what else the options say; returns an exit code. */
int clopt_study_command_run(struct clopt_study_command *command);

#endif
