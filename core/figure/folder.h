/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder into which a report writes files that are named after what they show. */
#ifndef CLOPT_FIGURE_FOLDER_H
#define CLOPT_FIGURE_FOLDER_H

#include <stddef.h>
#include <stdio.h>

#include "base/text.h"

struct clopt_report_folder {
    const char *path;
    FILE *stream; /* gets the path of each file, one a line */
    char **names; /* of the files that were written */
    size_t count;
};

/* Writes a file called "lud-size_64-lud_internal.svg" after its parts, and, where there is one of
 * this name from the same report, "...-2.svg"; replaces files of before. */
enum clopt_status clopt_report_folder_write(struct clopt_report_folder *folder,
                                            const char *const *parts, size_t part_count,
                                            const char *ending, const struct clopt_text *data,
                                            struct clopt_error *error);

/* Has gnuplot draw a script, which is emptied, and writes that so; `format` as --format has it. */
enum clopt_status clopt_report_folder_draw(struct clopt_report_folder *folder,
                                           const char *const *parts, size_t part_count,
                                           const char *gnuplot, const char *format,
                                           struct clopt_text *script, struct clopt_error *error);
void clopt_report_folder_fini(struct clopt_report_folder *folder);

#endif
