/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads INI files through inih, whose buffer of 200 characters is fixed when it is compiled, and
 * which cuts what is longer, forgets sections without keys and does not tell line numbers. So the
 * reader here hands it no line that is longer: of a long value it gets the beginning, which
 * take_setting() replaces by all of it, and the lines that continue a value are added here. Names
 * of sections are read here too; inih gets a short one in their place. */
#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <sys/stat.h>

#include "file/file.h"
#include "number/values.h"
#include "search/reader.h"
#include "study/ini.h"

#define MOST_FILES 64
#define MOST_LINES 10000 /* of all files: looking for a name takes time with each of them */

#define NO_KEY SIZE_MAX
#define BLANKS " \t\v\f\r"

/* What is read in all files together. */
struct reading {
    const struct clopt_registry *registry; /* NULL: none */
    size_t files;
    size_t lines;
};

/* One file on its way in. */
struct source {
    const char *path;
    const struct source *includer;
    struct reading *reading;
    dev_t device; /* identify the file, for cycles */
    ino_t inode;
    FILE *file;
    size_t line;
    char *buffer; /* getline()'s */
    size_t capacity;
    const char *key_text; /* the line with a key that inih has got, and not called back; or NULL */
    struct clopt_ini *ini;
    size_t section; /* that the line belongs to; SIZE_MAX: none yet */
    size_t indent;  /* of the line with the last key; NO_KEY: nothing can be continued */
    struct {
        char *key;   /* whose value is not complete yet */
        size_t line; /* of it */
        struct clopt_text value;
    } setting;
    enum clopt_status status;
    struct clopt_error *error;
};

/* Reports what is wrong with a line; ends the reading. */
static int refuse(struct source *source, size_t line, const char *format, ...) CLOPT_PRINTF(3, 4);
static int refuse(struct source *source, size_t line, const char *format, ...)
{
    CLOPT_OWNED(clopt_text) message = {0};
    va_list arguments;
    va_start(arguments, format);
    clopt_text_vprintf(&message, format, arguments);
    va_end(arguments);
    source->status = clopt_fail(source->error, CLOPT_INVALID, "%s:%zu: %s", source->path, line,
                                clopt_text_string(&message));
    return 0;
}

static char *make_origin(const struct source *source, size_t line)
{
    return clopt_text_format("%s:%zu", source->path, line);
}

/* ---- settings ---- */

/* Adds the setting whose value is complete now; returns whether that was possible. */
static bool end_setting(struct source *source)
{
    if (!source->setting.key || source->status)
        return !source->status;
    struct clopt_ini_section *section = &source->ini->sections[source->section];
    const char *value = clopt_text_string(&source->setting.value);
    const char *wrong = clopt_ini_check_value(value);
    CLOPT_FREED char *origin = make_origin(source, source->setting.line);
    if (wrong)
        refuse(source, source->setting.line, "[%s] %s: %s", section->name, source->setting.key,
               wrong);
    else
        clopt_ini_set(section, source->setting.key, value, origin);
    free(source->setting.key);
    source->setting.key = NULL;
    clopt_text_clear(&source->setting.value);
    return !source->status;
}

static int begin_setting(struct source *source, const char *key)
{
    if (source->section == SIZE_MAX)
        return refuse(source, source->line, "%s: is before the first [section]", key);
    const struct clopt_ini_section *section = &source->ini->sections[source->section];
    if (!*key)
        return refuse(source, source->line, "[%s] a key is missing in front of =", section->name);
    const struct clopt_ini_setting *old = clopt_ini_setting(section, key);
    if (old)
        return refuse(source, source->line, "[%s] %s: already set at %s", section->name, key,
                      old->origin);
    source->setting.key = clopt_strdup(key);
    source->setting.line = source->line;
    return 1;
}

/* Takes one "key = value" from inih, which has seen the beginning of a long value alone. */
static int take_setting(void *user, const char *section_name, const char *key, const char *value)
{
    (void)section_name;
    (void)value;
    struct source *source = user;
    if (source->status || !begin_setting(source, key))
        return 0;
    const char *whole = source->key_text + strcspn(source->key_text, "=:") + 1;
    clopt_text_append(&source->setting.value, whole + strspn(whole, BLANKS));
    source->key_text = NULL;
    return 1;
}

/* ---- lines ---- */

/* Notes a line that opens a section. */
static bool enter_section(struct source *source, char *line)
{
    char *end = strchr(line, ']');
    if (!end)
        return refuse(source, source->line, "a section needs a closing ]");
    const char *rest = end + 1 + strspn(end + 1, " \t\r");
    if (*rest && *rest != ';' && *rest != '#')
        return refuse(source, source->line, "unexpected text after ]: %s", rest);
    clopt_ini_copy_name(line + 1, (size_t)(end - line - 1), line);
    if (!*line)
        return refuse(source, source->line, "a section needs a name");
    CLOPT_FREED char *origin = make_origin(source, source->line);
    source->section =
        (size_t)(clopt_ini_provide(source->ini, line, origin) - source->ini->sections);
    return true;
}

/* Checks one line of the file and cuts its end off; returns where its text begins, or NULL. */
static char *check_line(struct source *source, size_t length)
{
    char *line = source->buffer;
    if (strlen(line) != length) {
        refuse(source, source->line, "this is not text: it holds a NUL");
        return NULL;
    }
    for (size_t i = 0; i < length; i++)
        if (iscntrl((unsigned char)line[i]) && !isspace((unsigned char)line[i])) {
            refuse(source, source->line, "this is not text: it holds a control character, \\x%02x",
                   (unsigned)(unsigned char)line[i]);
            return NULL;
        }
    if (source->line == 1 && strncmp(line, "\xEF\xBB\xBF", 3) == 0)
        line += 3;
    char *comment = line;
    while (*comment &&
           (*comment != ';' || (comment > line && !isspace((unsigned char)comment[-1]))))
        comment++;
    length = (size_t)(comment - line);
    while (length && isspace((unsigned char)line[length - 1]))
        length--;
    line[length] = '\0';
    return line;
}

/* Adds a line that is indented more than the one of the key above to its value, as in Python. */
static bool continue_value(struct source *source, const char *text)
{
    if (!clopt_ini_may_continue(text))
        return refuse(source, source->line,
                      "%s: is indented more than the key above, so it would continue its value; "
                      "begin both lines in the same column",
                      text);
    clopt_text_printf(&source->setting.value, "%s%s", source->setting.value.length ? " " : "",
                      text);
    return true;
}

/* Reads up to the next line that opens a section or has a key, and returns its text for inih; NULL
 * at the end, or after an error. */
static const char *next_line(struct source *source)
{
    errno = 0;
    ssize_t length;
    while ((length = getline(&source->buffer, &source->capacity, source->file)) >= 0) {
        source->line++;
        if (++source->reading->lines > MOST_LINES)
            refuse(source, source->line, "a study has at most %d lines", MOST_LINES);
        char *line = source->status ? NULL : check_line(source, (size_t)length);
        if (!line)
            return NULL;
        size_t indent = strspn(line, BLANKS);
        char *text = line + indent;
        if (!*text || *text == '#')
            continue;
        if (*text != '[' && source->indent != NO_KEY && indent > source->indent) {
            if (!continue_value(source, text))
                return NULL;
            continue;
        }
        if (!end_setting(source))
            return NULL;
        source->indent = *text == '[' ? NO_KEY : indent;
        if (*text == '[')
            return enter_section(source, text) ? "[.]" : NULL;
        return source->key_text = text;
    }
    if (ferror(source->file))
        source->status = clopt_fail(source->error, CLOPT_INVALID, "%s: cannot be read: %s",
                                    source->path, strerror(errno));
    return NULL;
}

/* Reports a line that inih could not read: its own count is of what it has got. */
static bool check_key(struct source *source)
{
    if (source->status || !source->key_text)
        return !source->status;
    return refuse(source, source->line, "neither [section] nor key = value");
}

/* Hands inih the next line, or as much of it as it can take, as fgets() would. */
static char *read_line(char *line, int size, void *user)
{
    struct source *source = user;
    const char *text = check_key(source) ? next_line(source) : NULL;
    if (!text)
        return NULL;
    snprintf(line, (size_t)size, "%.*s\n", size - 2, text);
    return line;
}

/* Reads one file, without what it includes, into source->ini. */
static enum clopt_status read_alone(struct source *source)
{
    if (ini_parse_stream(read_line, source, take_setting, source) < 0)
        clopt_memory_end();
    check_key(source);
    end_setting(source);
    return source->status;
}

static enum clopt_status read_tree(const char *path, const struct source *includer,
                                   struct reading *reading, struct clopt_ini *ini,
                                   struct clopt_error *error);

/* Reads the files that `setting` names, beside `source`, into `ini`. */
static enum clopt_status read_includes(const struct source *source,
                                       const struct clopt_ini_setting *setting,
                                       struct clopt_ini *ini)
{
    CLOPT_OWNED(clopt_list) list = {0};
    if (clopt_list_parse(setting->value, CLOPT_TEXT, MOST_FILES, &list, source->error))
        return clopt_fail_within(source->error, "%s: [study] include", setting->origin);
    for (size_t i = 0; i < list.count; i++) {
        CLOPT_FREED char *path = clopt_path_beside(source->path, list.items[i]);
        CLOPT_TRY(read_tree(path, source, source->reading, ini, source->error));
    }
    return CLOPT_OK;
}

static enum clopt_status open_source(struct source *source)
{
    struct stat about;
    CLOPT_TRY(clopt_file_open_text(source->path, &source->file, source->error));
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

/* Reads a document of others, whose own files are beside it, and not beside the study. */
static enum clopt_status read_document(const struct source *source)
{
    const struct source *study = source;
    const struct clopt_registry *registry = source->reading->registry;
    const struct clopt_reader *reader;
    json_error_t wrong;
    while (study->includer)
        study = study->includer;
    const char *slash = strrchr(study->path, '/');
    size_t length = slash ? (size_t)(slash - study->path) + 1 : 0;
    const char *path = source->path;
    path += strncmp(path, study->path, length) == 0 ? length : 0;
    CLOPT_FREED char *folder = clopt_path_beside(path, "");
    json_auto_t *document = json_loadf(source->file, JSON_REJECT_DUPLICATES, &wrong);
    if (!document)
        return clopt_fail(source->error, CLOPT_INVALID, "%s:%d: %s", source->path, wrong.line,
                          wrong.text);
    if (!registry)
        return clopt_fail(source->error, CLOPT_INVALID, "%s is not an INI file", source->path);
    if (clopt_reader_find(registry, document, true, &reader, source->error))
        return clopt_fail_within(source->error, "%s", source->path);
    return reader->study(document, source->path, folder, source->ini, source->error);
}

/* Reads a file with its includes, and merges all of it into `ini`. */
static enum clopt_status read_tree(const char *path, const struct source *includer,
                                   struct reading *reading, struct clopt_ini *ini,
                                   struct clopt_error *error)
{
    CLOPT_OWNED(clopt_ini) own = {0};
    struct source source = {.path = path,
                            .includer = includer,
                            .reading = reading,
                            .ini = &own,
                            .section = SIZE_MAX,
                            .indent = NO_KEY,
                            .error = error};
    if (++reading->files > MOST_FILES)
        return clopt_fail(error, CLOPT_INVALID, "%s: more than %d files are included", path,
                          MOST_FILES);
    enum clopt_status status = open_source(&source);
    if (status == CLOPT_OK)
        status = clopt_text_ends(path, ".json") ? read_document(&source) : read_alone(&source);
    if (source.file)
        fclose(source.file);
    source.file = NULL;
    free(source.buffer);
    free(source.setting.key);
    clopt_text_fini(&source.setting.value);

    struct clopt_ini_section *study = clopt_ini_section(&own, "study");
    const struct clopt_ini_setting *include = clopt_ini_setting(study, "include");
    if (status == CLOPT_OK && include) {
        status = read_includes(&source, include, ini);
        clopt_ini_drop(study, include);
    }
    if (status == CLOPT_OK)
        clopt_ini_merge(ini, &own);
    return status;
}

enum clopt_status clopt_ini_read(const char *path, const struct clopt_registry *registry,
                                 struct clopt_ini *ini, struct clopt_error *error)
{
    *ini = (struct clopt_ini){0};
    struct reading reading = {.registry = registry};
    return read_tree(path, NULL, &reading, ini, error);
}
