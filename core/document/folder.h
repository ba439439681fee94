/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that a report writes into a folder, named after what they show. */
#ifndef CLOPT_DOCUMENT_FOLDER_H
#define CLOPT_DOCUMENT_FOLDER_H

#include "file/file_set.h"

/* Adds a file "STEM.ENDING", and, where there is one of this name from the same report,
 * "STEM-2.ENDING". Empties the text. */
enum clopt_status clopt_report_folder_add(struct clopt_file_set *files, const char *stem,
                                          const char *ending, struct clopt_text *data,
                                          struct clopt_error *error);

/* Writes all files to a folder that is there, and prints their paths, one a line. Files that no
 * report has written there before are not replaced: CLOPT_INVALID names one, and nothing is
 * written. */
enum clopt_status clopt_report_folder_write(struct clopt_file_set *files, const char *path,
                                            FILE *stream, struct clopt_error *error);

#endif
