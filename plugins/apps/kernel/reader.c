/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts and files that a description names. */
#include "definition.h"

#include <sys/stat.h>

const char *kernel_reader_keep(struct kernel_reader *reader, const char *format, ...)
{
    struct kernel_tables *tables = &reader->definition->tables;
    va_list arguments;
    va_start(arguments, format);
    char *text = clopt_text_vformat(format, arguments);
    va_end(arguments);
    return tables->texts[tables->text_count++] = text;
}

/* The folder before a name that is relative to the study. */
static const char *folder_before(const struct kernel_reader *reader, const char *name)
{
    return *name == '/' ? "" : reader->definition->folder;
}

struct clopt_parameter *kernel_reader_next_input(struct kernel_reader *reader)
{
    struct clopt_parameter *input = reader->definition->tables.inputs;
    while (input->name)
        input++;
    return input;
}

/* Makes the path of a file that the study names, and refuses one that cannot be read. */
static const char *find_file(struct kernel_reader *reader, const struct kernel_position *position,
                             const char *name)
{
    struct clopt_error reason;
    CLOPT_CLOSED FILE *stream = NULL;
    const char *path = kernel_reader_keep(reader, "%s%s", folder_before(reader, name), name);
    if (clopt_file_open(path, &stream, &reason))
        kernel_fail(position, reader->error, "%s", reason.message);
    return path;
}

const char *kernel_reader_add_file(struct kernel_reader *reader,
                                   const struct kernel_position *position, const char *name,
                                   const char *suffix, const char *file)
{
    const char *input = kernel_reader_keep(reader, "%s %s", name, suffix);
    *kernel_reader_next_input(reader) =
        (struct clopt_parameter){.name = input,
                                 .type = CLOPT_FILE,
                                 .initial = find_file(reader, position, file),
                                 .help = "a file that the study names"};
    return input;
}

/* Tells whether a word of a command names a file, as the command itself would find it. */
static bool is_file(const struct kernel_reader *reader, const char *word)
{
    struct stat about;
    CLOPT_FREED char *path = clopt_text_format("%s%s", folder_before(reader, word), word);
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

void kernel_reader_add_program(struct kernel_reader *reader, const struct kernel_position *position,
                               const char *command)
{
    struct kernel_tables *tables = &reader->definition->tables;
    tables->programs[tables->program_count++] = command;
    for (command += strspn(command, " \t"); *command && !reader->error->status;
         command += strspn(command, " \t")) {
        char suffix[16];
        size_t length = strcspn(command, " \t");
        CLOPT_FREED char *word = clopt_strndup(command, length);
        command += length;
        snprintf(suffix, sizeof suffix, "%u", reader->program_files + 1);
        if (!is_file(reader, word))
            continue;
        if (reader->program_files++ == KERNEL_MOST_PROGRAM_FILES)
            kernel_fail(position, reader->error, "programs name more than %d files",
                        KERNEL_MOST_PROGRAM_FILES);
        else
            kernel_reader_add_file(reader, position, "program", suffix, word);
    }
}

void kernel_reader_source(struct kernel_reader *reader, const struct clopt_section *section,
                          struct clopt_app *app)
{
    const struct clopt_setting *setting = kernel_setting(section, "source");
    struct kernel_position position = kernel_position_of(section, setting);
    size_t length = strlen(position.value);
    bool own = *position.value == '<'; /* <lud.cl>: a file below clopt's own folders of kernels */
    app->source_is_path = !own;
    if (!setting)
        kernel_fail(&position, reader->error, "source = FILE.cl is missing");
    else if (!own)
        app->source = find_file(reader, &position, setting->value);
    else if (length < 3 || position.value[length - 1] != '>' || position.value[1] == '/' ||
             strstr(position.value, ".."))
        kernel_fail(&position, reader->error, "expected <FILE.cl>, or a path");
    else
        app->source = kernel_reader_keep(reader, "%.*s", (int)length - 2, position.value + 1);
}

/* Appends -I for each folder of a list. */
static void append_includes(struct kernel_reader *reader, struct clopt_text *options)
{
    struct kernel_position position =
        kernel_position_of(reader->app, kernel_setting(reader->app, "include"));
    const char *list = position.value;
    for (char *part; (part = kernel_next_part(&list)); free(part)) {
        const char *folder = folder_before(reader, part);
        if (strpbrk(part, " \t\"'") || strpbrk(folder, " \t\"'"))
            kernel_fail(&position, reader->error,
                        "OpenCL compilers cannot find files in a folder with blanks or quotes in "
                        "its name");
        clopt_text_printf(options, " -I %s%s", folder, part);
    }
}

void kernel_reader_options(struct kernel_reader *reader, const struct clopt_section *section,
                           struct clopt_app *app)
{
    const struct clopt_setting *setting = kernel_setting(section, "options");
    CLOPT_OWNED(clopt_text) options = {0};
    clopt_text_append(&options, setting ? setting->value : "");
    append_includes(reader, &options);
    app->options = kernel_reader_keep(reader, "%s", clopt_text_string(&options));
}
