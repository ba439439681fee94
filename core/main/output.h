/* SPDX-License-Identifier: BSD-3-Clause */
/* The options that say in which format a document is written: one for each format there is. */
#ifndef CLOPT_MAIN_OUTPUT_H
#define CLOPT_MAIN_OUTPUT_H

#include "document/format.h"
#include "main/usage.h"

#define CLOPT_MOST_OPTIONS 64
#define CLOPT_OUTPUT_FIRST 1000 /* getopt_long() returns this for the first format, and so on */
#define CLOPT_OUTPUT_LAST  1099 /* and this for --format */
#define CLOPT_OUTPUT_ALL   1097
#define CLOPT_OUTPUT_BRIEF 1098

/* All zero is text on stdout. */
struct clopt_output {
    const struct clopt_format *format; /* NULL: text */
    const char *folder;                /* of figures */
    const char *figure;                /* --format */
    char extent;                       /* of text: 'a' all, 'b' brief; 0: brief on a terminal */
};

/* Adds the options of formats to a command's own, which end with zeros; `all` has room for
 * CLOPT_MOST_OPTIONS. */
void clopt_output_options(const struct option *own, struct option *all);

/* Takes one of them from getopt_long(); returns an exit code. */
int clopt_output_take(struct clopt_output *output, const char *command, int option);

/* Refuses what does not go together. */
int clopt_output_check(const struct clopt_output *output, const char *command);

/* Begins a document for the format; `program` is what JSON calls it. */
struct clopt_document clopt_output_begin(const struct clopt_output *output, const char *program);

/* Refuses a format of figures that there is not, before anything is computed. */
enum clopt_status clopt_output_prepare(const struct clopt_output *output,
                                       struct clopt_error *error);

/* Writes a document to stdout, or a folder, unless `status` says that it failed; frees it. */
enum clopt_status clopt_output_finish(const struct clopt_output *output,
                                      struct clopt_document *document, enum clopt_status status,
                                      struct clopt_error *error);

#endif
