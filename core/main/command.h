/* SPDX-License-Identifier: BSD-3-Clause */
/* The commands of the clopt program. */
#pragma once

#include <jansson.h>

#include "schema/command.h"

/* Runs the program: `clopt -c study.ini`, or `clopt COMMAND ...`. */
CLOPT_API int clopt_main(int argc, char **argv);

extern const struct clopt_command clopt_devices_command;
extern const struct clopt_command clopt_plugins_command;
extern const struct clopt_command clopt_init_command;
extern const struct clopt_command clopt_tune_command;
extern const struct clopt_command clopt_new_command;
extern const struct clopt_command clopt_run_command;
extern const struct clopt_command clopt_check_command;
extern const struct clopt_command clopt_profile_command;
extern const struct clopt_command clopt_capture_command;
extern const struct clopt_command clopt_apply_command;
extern const struct clopt_command clopt_report_command;
extern const struct clopt_command clopt_compare_command;
extern const struct clopt_command clopt_merge_command;
extern const struct clopt_command clopt_status_command;
extern const struct clopt_command clopt_advise_command;
extern const struct clopt_command clopt_simulate_command;
extern const struct clopt_command clopt_export_command;
extern const struct clopt_command clopt_reproduce_command;
extern const struct clopt_command clopt_transform_command;
extern const struct clopt_command clopt_complete_command;
extern const struct clopt_command clopt_worker_command;

/* All of them, in the order of help; the last is NULL. */
extern const struct clopt_command *const clopt_commands[];

/* Studies, which need no word for it, and the program itself. */
extern const struct clopt_command clopt_study_schema;
extern const struct clopt_command clopt_program;

/* Checks the initial code of the apps of a study (`clopt check`), within a time for all of them.
 * The caller releases the array: an object an app, as --json prints them, or with its "error".
 * NULL: an error. */
json_t *clopt_check_drafted(const struct clopt_global_options *global, const char *study,
                            const char *device, int64_t limit_s, struct clopt_error *error);

/* Prints "clopt: message" on stderr and returns the exit code of its status. */
int clopt_report_error(const struct clopt_error *error);
