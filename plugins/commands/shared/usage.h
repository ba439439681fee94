/* SPDX-License-Identifier: BSD-3-Clause */
/* What commands share in reading their command line. */
#pragma once

#include "main/command.h"
#include "space/study.h"

#define CLOPT_DEFAULT_LIMIT_S 60
#define CLOPT_LEGAL_LIMIT     "1s..24h"

/* Opens libclang, if it can, for all children that this process will have: a child that opens it
 * takes longer for that than to parse a kernel. */
void clopt_command_open_clang(void);

/* Runs what reads a user's source in a child, for so many seconds at most. */
enum clopt_status clopt_command_apart(int64_t limit_s,
                                      enum clopt_status (*work)(void *user,
                                                                struct clopt_error *error),
                                      void *user, struct clopt_error *error);

/* Returns the store that a command takes as its only argument; says what is wrong, and returns
 * NULL, where there is none or more. */
const char *clopt_store_argument(const char *command, int argc, char *const *argv);

/* Sets an input of an app from "name=value". */
enum clopt_status clopt_input_set(const struct clopt_plugin_entry *app, struct clopt_values *inputs,
                                  const char *assignment, struct clopt_error *error);

/* Whether the report may be coloured: on a terminal that can, unless NO_COLOR is set. */
bool clopt_wants_color(void);

/* Says what was written, and the command that is next: what is written is between its two
 * parts. */
void clopt_tell_next(const char *written, const char *before, const char *after);

/* Says on stderr what is known to be wrong in a study. */
void clopt_study_tell_found(const struct clopt_study *study);

/* Finds an app of a study by its plugin's name or, where the study describes it, by its label;
 * NULL: none. */
const struct clopt_study_app *clopt_study_find_app(const struct clopt_study *study,
                                                   const char *name);
