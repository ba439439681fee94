/* SPDX-License-Identifier: BSD-3-Clause */
/* The commands of the clopt program. */
#pragma once

#include <getopt.h>

#include "file/file.h"
#include "number/values.h"
#include "plugin/registry.h"
#include "schema/command.h"
#include "text/json.h"

/* Runs the program: `clopt -c study.ini`, or `clopt COMMAND ...`. */
CLOPT_API int clopt_main(int argc, char **argv);

/* The command that studies are, which need no word for it: clopt -c STUDY.ini. */
#define CLOPT_STUDY_COMMAND "study"

/* The options in front of all commands. */
extern const struct clopt_command clopt_program;

/* The command that is core's own. */
extern const struct clopt_command clopt_worker_command;

/* Prints "clopt: message" on stderr and returns the exit code of its status. */
int clopt_report_error(const struct clopt_error *error);
