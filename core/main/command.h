/* SPDX-License-Identifier: BSD-3-Clause */
/* The commands of the clopt program, and what they share in reading their command line. */
#pragma once

#include <getopt.h>

#include "file/file.h"
#include "number/values.h"
#include "plugin/registry.h"
#include "results/results.h"
#include "schema/command.h"
#include "schema/compiler_options.h"
#include "text/json.h"

/* Runs the program: `clopt -c study.ini`, or `clopt COMMAND ...`. */
CLOPT_API int clopt_main(int argc, char **argv);

/* The commands, in the order of help; clopt_NAME_command is the schema of each. A new one is a row
 * here, and a file. */
#define CLOPT_COMMANDS(COMMAND)                                                                    \
    COMMAND(devices), COMMAND(plugins), COMMAND(init), COMMAND(tune), COMMAND(new), COMMAND(run),  \
        COMMAND(check), COMMAND(profile), COMMAND(capture), COMMAND(apply), COMMAND(report),       \
        COMMAND(compare), COMMAND(merge), COMMAND(status), COMMAND(advise), COMMAND(simulate),     \
        COMMAND(export), COMMAND(reproduce), COMMAND(transform), COMMAND(complete),                \
        COMMAND(worker)

#define CLOPT_COMMAND_NAMED(NAME) clopt_##NAME##_command
extern const struct clopt_command CLOPT_COMMANDS(CLOPT_COMMAND_NAMED);

/* All of them; the last is NULL. */
extern const struct clopt_command *const clopt_commands[];

/* Studies, which need no word for it, and the program itself. */
extern const struct clopt_command clopt_study_schema;
extern const struct clopt_command clopt_program;

/* Writes a study for the kernels of a file, as `clopt init` does, and says nothing. */
enum clopt_status clopt_init_draft(const struct clopt_global_options *global, const char *file,
                                   const char *study, const struct clopt_compiler_options *compiler,
                                   struct clopt_error *error);

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
