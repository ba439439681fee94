/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the files of a report, and writes them. */
#include "document/folder.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "file/file.h"

static bool is_taken(const struct clopt_report_folder *folder, const char *name)
{
    for (size_t i = 0; i < folder->count; i++)
        if (strcmp(folder->names[i], name) == 0)
            return true;
    return false;
}

/* For the caller to free; NULL when memory runs out. */
static char *name_file(const struct clopt_report_folder *folder, const char *stem,
                       const char *ending)
{
    for (size_t number = 1;; number++) {
        struct clopt_text name = {0};
        clopt_text_append(&name, stem);
        if (number > 1)
            clopt_text_printf(&name, "-%zu", number);
        clopt_text_printf(&name, ".%s", ending);
        char *taken = clopt_text_take(&name);
        if (!taken || !is_taken(folder, taken))
            return taken;
        free(taken);
    }
}

/* Adds the name of a file to those that were written, whose it is then. */
static enum clopt_status keep_name(struct clopt_report_folder *folder, char *name,
                                   struct clopt_error *error)
{
    char **names = realloc(folder->names, (folder->count + 1) * sizeof *names);
    if (!names) {
        free(name);
        return clopt_fail_memory(error);
    }
    folder->names = names;
    names[folder->count++] = name;
    return CLOPT_OK;
}

enum clopt_status clopt_report_folder_write(struct clopt_report_folder *folder, const char *stem,
                                            const char *ending, const struct clopt_text *data,
                                            struct clopt_error *error)
{
    char *name = data->failed ? NULL : name_file(folder, stem, ending);
    char *path = name ? clopt_path_join(folder->path, name) : NULL;
    enum clopt_status status = path ? clopt_file_write_soon(path, data->data, data->length, error)
                                    : clopt_fail_memory(error);
    if (!status)
        clopt_text_print(folder->stream, "%s\n", path);
    if (status)
        free(name);
    else
        status = keep_name(folder, name, error);
    free(path);
    return status;
}

void clopt_report_folder_fini(struct clopt_report_folder *folder)
{
    for (size_t i = 0; i < folder->count; i++)
        free(folder->names[i]);
    free(folder->names);
    folder->names = NULL;
    folder->count = 0;
}
