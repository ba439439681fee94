/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts and files that a description names. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* asprintf() */
#endif
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *kernel_reader_keep(struct kernel_reader *reader, char *text)
{
    struct kernel_tables *tables = &reader->definition->tables;
    if (text)
        tables->texts[tables->text_count++] = text;
    return text;
}

const char *kernel_reader_path(struct kernel_reader *reader, const char *name)
{
    char *path;
    if (asprintf(&path, "%s%s", *name == '/' ? "" : reader->definition->folder, name) < 0)
        path = NULL;
    return kernel_reader_keep(reader, path);
}

enum clopt_status kernel_reader_folder(struct kernel_reader *reader)
{
    const char *study = reader->description->study;
    const char *slash = strrchr(study, '/');
    reader->definition->folder = strndup(study, slash ? (size_t)(slash - study) + 1 : 0);
    return reader->definition->folder ? CLOPT_OK : clopt_fail_memory(reader->error);
}

struct clopt_parameter *kernel_reader_next_input(struct kernel_reader *reader)
{
    struct clopt_parameter *input = reader->definition->tables.inputs;
    while (input->name)
        input++;
    return input;
}

/* Refuses a file that cannot be read. */
static enum clopt_status check_file(const struct kernel_reader *reader,
                                    const struct kernel_place *place, const char *path)
{
    struct clopt_error reason;
    FILE *stream;
    if (clopt_file_open(path, &stream, &reason))
        return kernel_fail(place, reader->error, "%s", reason.message);
    fclose(stream);
    return CLOPT_OK;
}

enum clopt_status kernel_reader_add_file(struct kernel_reader *reader,
                                         const struct kernel_place *place, const char *name,
                                         const char *suffix, const char *file)
{
    char *text;
    const char *path = kernel_reader_path(reader, file);
    const char *input =
        kernel_reader_keep(reader, asprintf(&text, "%s %s", name, suffix) < 0 ? NULL : text);
    if (!path || !input)
        return clopt_fail_memory(reader->error);
    if (check_file(reader, place, path))
        return CLOPT_INVALID;
    *kernel_reader_next_input(reader) = (struct clopt_parameter){
        .name = input, .type = CLOPT_FILE, .initial = path, .help = "a file that the study names"};
    return CLOPT_OK;
}

/* Tells whether a word of a command names a file, as the command itself would find it. */
static bool is_file(const struct kernel_reader *reader, const char *word)
{
    struct stat about;
    char *path;
    if (asprintf(&path, "%s%s", *word == '/' ? "" : reader->definition->folder, word) < 0)
        return false;
    bool found = stat(path, &about) == 0 && S_ISREG(about.st_mode);
    free(path);
    return found;
}

enum clopt_status kernel_reader_add_program(struct kernel_reader *reader,
                                            const struct kernel_place *place, const char *command)
{
    enum clopt_status status = CLOPT_OK;
    struct kernel_tables *tables = &reader->definition->tables;
    tables->programs[tables->program_count++] = command;
    for (command += strspn(command, " \t"); *command && !status;
         command += strspn(command, " \t")) {
        char suffix[16];
        char *word = strndup(command, strcspn(command, " \t"));
        if (!word)
            return clopt_fail_memory(reader->error);
        command += strlen(word);
        snprintf(suffix, sizeof suffix, "%u", reader->program_files + 1);
        if (is_file(reader, word)) {
            status = reader->program_files++ == KERNEL_MOST_PROGRAM_FILES
                         ? kernel_fail(place, reader->error, "programs name more than %d files",
                                       KERNEL_MOST_PROGRAM_FILES)
                         : kernel_reader_add_file(reader, place, "program", suffix, word);
        }
        free(word);
    }
    return status;
}

/* Reads <lud.cl>: a file below clopt's own folders of kernels. */
static enum clopt_status read_own_source(struct kernel_reader *reader,
                                         const struct kernel_place *place, struct clopt_app *app)
{
    size_t length = strlen(place->value);
    if (length < 3 || place->value[length - 1] != '>' || place->value[1] == '/' ||
        strstr(place->value, ".."))
        return kernel_fail(place, reader->error, "expected <FILE.cl>, or a path");
    app->source = kernel_reader_keep(reader, strndup(place->value + 1, length - 2));
    return app->source ? CLOPT_OK : clopt_fail_memory(reader->error);
}

enum clopt_status kernel_reader_source(struct kernel_reader *reader,
                                       const struct clopt_section *section, struct clopt_app *app)
{
    const struct clopt_setting *setting = kernel_setting(section, "source");
    struct kernel_place place = kernel_place_of(section, setting);
    if (!setting)
        return kernel_fail(&place, reader->error, "source = FILE.cl is missing");
    if (*setting->value == '<')
        return read_own_source(reader, &place, app);
    const char *path = kernel_reader_path(reader, setting->value);
    if (!path)
        return clopt_fail_memory(reader->error);
    if (check_file(reader, &place, path))
        return CLOPT_INVALID;
    app->source = path;
    app->source_is_path = true;
    return CLOPT_OK;
}

/* Appends -I for each folder of a list. */
static enum clopt_status append_includes(struct kernel_reader *reader, FILE *stream)
{
    const struct clopt_setting *setting = kernel_setting(reader->app, "include");
    struct kernel_place place = kernel_place_of(reader->app, setting);
    const char *list = setting ? setting->value : "";
    char *part;
    while ((part = kernel_next_part(&list))) {
        const char *path = *part == '/' ? "" : reader->definition->folder;
        if (strpbrk(part, " \t\"'") || strpbrk(path, " \t\"'")) {
            free(part);
            return kernel_fail(&place, reader->error,
                               "OpenCL compilers cannot find files in a folder with blanks or "
                               "quotes in its name");
        }
        fprintf(stream, " -I %s%s", path, part);
        free(part);
    }
    return CLOPT_OK;
}

enum clopt_status kernel_reader_options(struct kernel_reader *reader,
                                        const struct clopt_section *section, struct clopt_app *app)
{
    const struct clopt_setting *setting = kernel_setting(section, "options");
    char *options = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&options, &size);
    if (!stream)
        return clopt_fail_memory(reader->error);
    fputs(setting ? setting->value : "", stream);
    enum clopt_status status = append_includes(reader, stream);
    if (fclose(stream) != 0 && !status)
        status = clopt_fail_memory(reader->error);
    app->options = kernel_reader_keep(reader, options);
    return status;
}
