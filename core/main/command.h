/* SPDX-License-Identifier: BSD-3-Clause */
/* The commands of the clopt program, and what they share in reading their command line. */
#pragma once

#include <getopt.h>

#include "file/file.h"
#include "number/values.h"
#include "plugin/registry.h"
#include "results/results.h"
#include "schema/command.h"
#include "text/json.h"

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

/* ---- what they share ---- */

#define CLOPT_DEFAULT_LIMIT_S 60
#define CLOPT_LONGEST_LIMIT_S 86400

/* Runs what reads a user's source in a child, for so many seconds at most. */
enum clopt_status clopt_command_apart(int64_t limit_s,
                                      enum clopt_status (*work)(void *user,
                                                                struct clopt_error *error),
                                      void *user, struct clopt_error *error);

/* Returns the store that a command takes as its only argument; says what is wrong, and returns
 * NULL, where there is none or more. */
const char *clopt_store_argument(const char *command, int argc, char *const *argv);

/* --device, --problem and --kernel, for lists that begin at a struct clopt_selection. */
extern const struct clopt_option clopt_selection_options[];

/* Sets an input of an app from "name=value". */
enum clopt_status clopt_input_set(const struct clopt_plugin_entry *app, struct clopt_values *inputs,
                                  const char *assignment, struct clopt_error *error);

/* Whether the report may be coloured: on a terminal that can, unless NO_COLOR is set. */
bool clopt_wants_color(void);

/* Says what was written, and the command that is next: what is written is between its two
 * parts. */
void clopt_tell_next(const char *written, const char *before, const char *after);
