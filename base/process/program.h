/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds and runs other programs. */
#pragma once

#include "text/text.h"

/* Finds a program in the folders of PATH. The caller frees the path; NULL: there is none. */
char *clopt_program_find(const char *name);

/* Runs a program with `input` as its standard input, waits for its end, and appends what it printed
 * to `output`. `argv` ends with NULL. Fails where its exit code is not 0, with the first lines of
 * its standard error that name errors as compilers do, or else the last one. */
enum clopt_status clopt_program_run(const char *path, char *const *argv, const char *input,
                                    struct clopt_text *output, struct clopt_error *error);

/* Does so with a line of the shell; messages call it `name`. */
enum clopt_status clopt_shell_run(const char *line, const char *name, struct clopt_text *output,
                                  struct clopt_error *error);
