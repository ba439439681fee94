/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads INI files through inih, without falling into its traps: it cuts long lines and section
 * names, knows no line numbers while it calls back, and says nothing of empty sections. */
#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "base/values.h"
#include "study/ini_parts.h"
#include "study/t1.h"

#define MOST_FILES 64

/* One file on its way in. */
struct source {
    const char *path;
    const struct source *includer;
    dev_t device; /* identify the file, for cycles */
    ino_t inode;
    FILE *file;
    size_t line;
    char *buffer; /* getline()'s */
    size_t capacity;
    struct clopt_ini *ini;
    size_t section; /* that the line belongs to; SIZE_MAX: none yet */
    enum clopt_status status;
    struct clopt_error *error;
};

/* Reports what is wrong with the current line; ends the reading. */
static int refuse(struct source *source, const char *format, ...) CLOPT_PRINTF(2, 3);
static int refuse(struct source *source, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    source->status =
        clopt_fail(source->error, CLOPT_INVALID, "%s:%zu: %s", source->path, source->line, message);
    return 0;
}

static char *make_origin(const struct source *source)
{
    struct clopt_text origin = {0};
    clopt_text_printf(&origin, "%s:%zu", source->path, source->line);
    return clopt_text_take(&origin);
}

/* Notes a line that opens a section: inih forgets those without keys. */
static int enter_section(struct source *source, const char *line)
{
    char name[CLOPT_INI_MOST_SECTION + 1];
    const char *end = strchr(line, ']');
    if (!end)
        return refuse(source, "a section needs a closing ]");
    const char *rest = end + 1 + strspn(end + 1, " \t\r");
    if (*rest && *rest != ';' && *rest != '#')
        return refuse(source, "unexpected text behind ]: %s", rest);
    if (end - line - 1 > CLOPT_INI_MOST_SECTION)
        return refuse(source, "section name longer than %d characters", CLOPT_INI_MOST_SECTION);
    clopt_ini_copy_name(line + 1, (size_t)(end - line - 1), name);
    if (!*name)
        return refuse(source, "a section needs a name");
    char *origin = make_origin(source);
    struct clopt_ini_section *section =
        origin ? clopt_ini_provide(source->ini, name, origin) : NULL;
    free(origin);
    if (!section) {
        source->status = clopt_fail_memory(source->error);
        return 0;
    }
    source->section = (size_t)(section - source->ini->sections);
    return 1;
}

/* Checks one line of the file, without its end; returns where its text begins, or NULL. */
static const char *check_line(struct source *source, size_t length)
{
    char *line = source->buffer;
    if (strlen(line) != length) {
        refuse(source, "this is not text: it holds a NUL");
        return NULL;
    }
    while (length && isspace((unsigned char)line[length - 1]))
        line[--length] = '\0';
    if (source->line == 1 && strncmp(line, "\xEF\xBB\xBF", 3) == 0)
        line += 3;
    while (isspace((unsigned char)*line))
        line++; /* an indented line would continue the value above */
    if (*line == ';' || *line == '#')
        return "";
    if (strlen(line) > CLOPT_INI_MOST_LINE) {
        refuse(source, "line longer than %d characters", CLOPT_INI_MOST_LINE);
        return NULL;
    }
    if (*line == '[' && !enter_section(source, line))
        return NULL;
    return line;
}

/* Hands inih the next line, as fgets() would. */
static char *read_line(char *line, int size, void *user)
{
    struct source *source = user;
    if (source->status)
        return NULL;
    errno = 0;
    ssize_t length = getline(&source->buffer, &source->capacity, source->file);
    if (length < 0) {
        if (ferror(source->file))
            source->status = clopt_fail(source->error, CLOPT_INVALID, "%s: cannot be read: %s",
                                        source->path, strerror(errno));
        return NULL;
    }
    source->line++;
    const char *text = check_line(source, (size_t)length);
    if (!text)
        return NULL;
    snprintf(line, (size_t)size, "%s\n", text);
    return line;
}

/* Takes one "key = value" from inih. */
static int take_setting(void *user, const char *section_name, const char *key, const char *value)
{
    (void)section_name; /* enter_section() knows it better */
    struct source *source = user;
    if (source->status)
        return 0;
    if (source->section == SIZE_MAX)
        return refuse(source, "%s: stands before the first [section]", key);
    struct clopt_ini_section *section = &source->ini->sections[source->section];
    if (!*key)
        return refuse(source, "[%s] a key is missing in front of =", section->name);
    const char *wrong = clopt_ini_check_value(value);
    if (wrong)
        return refuse(source, "[%s] %s: %s", section->name, key, wrong);
    const struct clopt_ini_setting *old = clopt_ini_setting(section, key);
    if (old)
        return refuse(source, "[%s] %s: already set at %s", section->name, key, old->origin);
    char *origin = make_origin(source);
    source->status = origin ? clopt_ini_set(section, key, value, origin, source->error)
                            : clopt_fail_memory(source->error);
    free(origin);
    return source->status == CLOPT_OK;
}

/* Reads one file, without what it includes, into source->ini. */
static enum clopt_status read_alone(struct source *source)
{
    int line = ini_parse_stream(read_line, source, take_setting, source);
    if (source->status == CLOPT_OK && line != 0)
        source->status = clopt_fail(source->error, CLOPT_INVALID,
                                    "%s:%d: neither [section] nor key = value", source->path, line);
    return source->status;
}

static enum clopt_status read_tree(const char *path, const struct source *includer, size_t *files,
                                   struct clopt_ini *ini, struct clopt_error *error);

/* Reads the files that `setting` names, beside `source`, into `ini`. */
static enum clopt_status read_includes(const struct source *source,
                                       const struct clopt_ini_setting *setting, size_t *files,
                                       struct clopt_ini *ini)
{
    struct clopt_list list;
    enum clopt_status status =
        clopt_list_parse(setting->value, CLOPT_TEXT, MOST_FILES, &list, source->error);
    if (status)
        return clopt_fail_within(source->error, "%s: [study] include", setting->origin);
    for (size_t i = 0; i < list.count && status == CLOPT_OK; i++) {
        char *path = clopt_path_beside(source->path, list.items[i]);
        status = path ? read_tree(path, source, files, ini, source->error)
                      : clopt_fail_memory(source->error);
        free(path);
    }
    clopt_list_fini(&list);
    return status;
}

static enum clopt_status open_source(struct source *source)
{
    struct stat about;
    enum clopt_status status = clopt_file_open_text(source->path, &source->file, source->error);
    if (status)
        return status;
    if (fstat(fileno(source->file), &about))
        return clopt_fail(source->error, CLOPT_INVALID, "%s: cannot be read: %s", source->path,
                          strerror(errno));
    source->device = about.st_dev;
    source->inode = about.st_ino;
    for (const struct source *other = source->includer; other; other = other->includer)
        if (other->device == source->device && other->inode == source->inode)
            return clopt_fail(source->error, CLOPT_INVALID,
                              "%s: [study] include: %s includes itself", source->includer->path,
                              source->path);
    return CLOPT_OK;
}

static bool is_json(const char *path)
{
    size_t length = strlen(path);
    return length > 5 && strcmp(path + length - 5, ".json") == 0;
}

/* Reads a T1 tuning file, whose own files are beside it, and not beside the study. */
static enum clopt_status read_t1(const struct source *source)
{
    const struct source *study = source;
    while (study->includer)
        study = study->includer;
    const char *slash = strrchr(study->path, '/');
    size_t length = slash ? (size_t)(slash - study->path) + 1 : 0;
    const char *path = source->path;
    path += strncmp(path, study->path, length) == 0 ? length : 0;
    char *folder = clopt_path_beside(path, "");
    enum clopt_status status =
        folder ? clopt_t1_read(source->file, source->path, folder, source->ini, source->error)
               : clopt_fail_memory(source->error);
    free(folder);
    return status;
}

/* Reads a file with its includes, and merges all of it into `ini`. */
static enum clopt_status read_tree(const char *path, const struct source *includer, size_t *files,
                                   struct clopt_ini *ini, struct clopt_error *error)
{
    struct clopt_ini own = {0};
    struct source source = {
        .path = path, .includer = includer, .ini = &own, .section = SIZE_MAX, .error = error};
    if (++*files > MOST_FILES)
        return clopt_fail(error, CLOPT_INVALID, "%s: more than %d files are included", path,
                          MOST_FILES);
    enum clopt_status status = open_source(&source);
    if (status == CLOPT_OK)
        status = is_json(path) ? read_t1(&source) : read_alone(&source);
    if (source.file)
        fclose(source.file);
    source.file = NULL;
    free(source.buffer);

    struct clopt_ini_section *study = clopt_ini_section(&own, "study");
    const struct clopt_ini_setting *include = clopt_ini_setting(study, "include");
    if (status == CLOPT_OK && include) {
        status = read_includes(&source, include, files, ini);
        clopt_ini_drop(study, include);
    }
    if (status == CLOPT_OK)
        status = clopt_ini_merge(ini, &own, error);
    clopt_ini_fini(&own);
    return status;
}

enum clopt_status clopt_ini_read(const char *path, struct clopt_ini *ini, struct clopt_error *error)
{
    *ini = (struct clopt_ini){0};
    size_t files = 0;
    enum clopt_status status = read_tree(path, NULL, &files, ini, error);
    if (status)
        clopt_ini_fini(ini);
    return status;
}
