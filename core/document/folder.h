/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder into which a report writes files that are named after what they show. */
#ifndef CLOPT_DOCUMENT_FOLDER_H
#define CLOPT_DOCUMENT_FOLDER_H

#include <stddef.h>
#include <stdio.h>

#include <clopt/error.h>

#include "text/text.h"

struct clopt_report_folder {
    const char *path;
    FILE *stream; /* gets the path of each file, one a line */
    char **names; /* of the files that were written */
    size_t count;
};

/* Writes a file "STEM.ENDING", and, where there is one of this name from the same report,
 * "STEM-2.ENDING". */
enum clopt_status clopt_report_folder_write(struct clopt_report_folder *folder, const char *stem,
                                            const char *ending, const struct clopt_text *data,
                                            struct clopt_error *error);
void clopt_report_folder_fini(struct clopt_report_folder *folder);

#endif
