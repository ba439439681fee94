/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the files of a report, and writes them. */
#include "document/folder.h"

#define MANIFEST ".clopt-files.json" /* of what reports have written to a folder */

/* For the caller to free; NULL when memory runs out. */
static char *name_file(const struct clopt_file_set *files, const char *stem, const char *ending)
{
    for (size_t number = 1;; number++) {
        struct clopt_text name = {0};
        clopt_text_append(&name, stem);
        if (number > 1)
            clopt_text_printf(&name, "-%zu", number);
        clopt_text_printf(&name, ".%s", ending);
        char *taken = clopt_text_take(&name);
        if (!taken || !clopt_file_set_has(files, taken))
            return taken;
        free(taken);
    }
}

enum clopt_status clopt_report_folder_add(struct clopt_file_set *files, const char *stem,
                                          const char *ending, struct clopt_text *data,
                                          struct clopt_error *error)
{
    CLOPT_FREED char *name = name_file(files, stem, ending);
    return name ? clopt_file_set_add_text(files, name, data, error) : clopt_fail_memory(error);
}

enum clopt_status clopt_report_folder_write(struct clopt_file_set *files, const char *path,
                                            FILE *stream, struct clopt_error *error)
{
    files->grows = true;
    return clopt_file_set_write(files, path, MANIFEST, json_pack("{s:s}", "format", "clopt-files"),
                                stream, error);
}
