/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the files of a report, and writes them into a folder. */
#include "document/format.h"

/* For the caller to free. */
static char *name_file(const struct clopt_file_set *files, const char *stem, const char *ending)
{
    for (size_t number = 1;; number++) {
        char *name = number > 1 ? clopt_text_format("%s-%zu.%s", stem, number, ending)
                                : clopt_text_format("%s.%s", stem, ending);
        if (!clopt_file_set_has(files, name))
            return name;
        free(name);
    }
}

void clopt_report_folder_add(struct clopt_file_set *files, const char *stem, const char *ending,
                             struct clopt_text *data)
{
    CLOPT_FREED char *name = name_file(files, stem, ending);
    clopt_file_set_add_text(files, name, data);
}

enum clopt_status clopt_report_folder_write(struct clopt_file_set *files, const char *path,
                                            FILE *stream, struct clopt_error *error)
{
    files->grows = true;
    files->folder = path;
    files->stream = stream;
    return clopt_file_set_write(files, CLOPT_FILES_MANIFEST,
                                json_pack("{s:s}", "format", "clopt-files"), error);
}
