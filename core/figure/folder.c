/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the files of a report, and writes them. */
#include "figure/folder.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/program.h"
#include "figure/figure.h"

#define LONGEST_PART 60 /* of a file's name */

/* Appends what is harmless in the name of a file, and a _ for the rest. */
static void append_part(struct clopt_text *name, const char *part)
{
    for (size_t i = 0; part[i] && i < LONGEST_PART; i++) {
        bool plain = isalnum((unsigned char)part[i]) || strchr("_.-", part[i]);
        bool follows = name->length && name->data[name->length - 1] == '_';
        if (plain && (i > 0 || part[i] != '.'))
            clopt_text_append_char(name, part[i]);
        else if (!follows)
            clopt_text_append_char(name, '_');
    }
}

static bool is_taken(const struct clopt_report_folder *folder, const char *name)
{
    for (size_t i = 0; i < folder->count; i++)
        if (strcmp(folder->names[i], name) == 0)
            return true;
    return false;
}

/* For the caller to free; NULL when memory runs out. */
static char *name_file(const struct clopt_report_folder *folder, const char *const *parts,
                       size_t part_count, const char *ending)
{
    for (size_t number = 1;; number++) {
        struct clopt_text name = {0};
        for (size_t i = 0; i < part_count; i++) {
            clopt_text_append(&name, name.length && *parts[i] ? "-" : "");
            append_part(&name, parts[i]);
        }
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

enum clopt_status clopt_report_folder_write(struct clopt_report_folder *folder,
                                            const char *const *parts, size_t part_count,
                                            const char *ending, const struct clopt_text *data,
                                            struct clopt_error *error)
{
    char *name = data->failed ? NULL : name_file(folder, parts, part_count, ending);
    char *path = name ? clopt_path_join(folder->path, name) : NULL;
    enum clopt_status status = path ? clopt_file_write_soon(path, data->data, data->length, error)
                                    : clopt_fail_memory(error);
    if (!status)
        fprintf(folder->stream, "%s\n", path);
    if (status)
        free(name);
    else
        status = keep_name(folder, name, error);
    free(path);
    return status;
}

enum clopt_status clopt_report_folder_draw(struct clopt_report_folder *folder,
                                           const char *const *parts, size_t part_count,
                                           const char *gnuplot, const char *format,
                                           struct clopt_text *script, struct clopt_error *error)
{
    /* -d: what the user has set for figures of their own is not asked for. */
    char *const argv[] = {"gnuplot", "-d", NULL};
    struct clopt_text drawn = {0}, svg = {0};
    bool is_svg = strcmp(format, "svg") == 0;
    enum clopt_status status =
        script->failed ? clopt_fail_memory(error)
                       : clopt_program_run(gnuplot, argv, clopt_text_string(script), &drawn, error);
    if (!status && is_svg)
        clopt_figure_append_svg(&svg, clopt_text_string(&drawn), "figure", parts[part_count - 1]);
    if (!status)
        status = clopt_report_folder_write(folder, parts, part_count, format,
                                           is_svg ? &svg : &drawn, error);
    clopt_text_fini(&drawn);
    clopt_text_fini(&svg);
    clopt_text_clear(script);
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
