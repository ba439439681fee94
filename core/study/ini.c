/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads INI files through inih, without falling into its traps: it cuts long lines and section
 * names, knows no line numbers while it calls back, and says nothing of empty sections. */
#include "study/ini.h"

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
#include "study/t1.h"

/* inih cuts what is longer, and needs room for the end of a line. */
#define MOST_SECTION 49
#define MOST_LINE    (INI_MAX_LINE - 4)
#define MOST_FILES   64

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

static void fini_setting(struct clopt_ini_setting *setting)
{
    free(setting->key);
    free(setting->value);
    free(setting->origin);
}

void clopt_ini_fini(struct clopt_ini *ini)
{
    for (size_t i = 0; i < ini->count; i++) {
        struct clopt_ini_section *section = &ini->sections[i];
        for (size_t j = 0; j < section->count; j++)
            fini_setting(&section->settings[j]);
        free(section->settings);
        free(section->name);
        free(section->origin);
    }
    free(ini->sections);
    *ini = (struct clopt_ini){0};
}

struct clopt_ini_section *clopt_ini_section(const struct clopt_ini *ini, const char *name)
{
    for (size_t i = 0; i < ini->count; i++)
        if (strcmp(ini->sections[i].name, name) == 0)
            return &ini->sections[i];
    return NULL;
}

const struct clopt_ini_setting *clopt_ini_setting(const struct clopt_ini_section *section,
                                                  const char *key)
{
    for (size_t i = 0; section && i < section->count; i++)
        if (strcmp(section->settings[i].key, key) == 0)
            return &section->settings[i];
    return NULL;
}

/* Finds or adds a section; NULL when memory runs out. */
static struct clopt_ini_section *provide_section(struct clopt_ini *ini, const char *name,
                                                 const char *origin)
{
    struct clopt_ini_section *section = clopt_ini_section(ini, name);
    if (section)
        return section;
    section = realloc(ini->sections, (ini->count + 1) * sizeof *section);
    if (!section)
        return NULL;
    ini->sections = section;
    section += ini->count;
    *section = (struct clopt_ini_section){.name = strdup(name), .origin = strdup(origin)};
    if (!section->name || !section->origin) {
        free(section->name);
        free(section->origin);
        return NULL;
    }
    ini->count++;
    return section;
}

/* Adds a setting, or replaces the one of the same key. */
static enum clopt_status put_setting(struct clopt_ini_section *section, const char *key,
                                     const char *value, const char *origin,
                                     struct clopt_error *error)
{
    struct clopt_ini_setting setting = {strdup(key), strdup(value), strdup(origin)};
    if (!setting.key || !setting.value || !setting.origin)
        goto memory;
    struct clopt_ini_setting *old = (struct clopt_ini_setting *)clopt_ini_setting(section, key);
    if (old) {
        fini_setting(old);
        *old = setting;
        return CLOPT_OK;
    }
    struct clopt_ini_setting *settings =
        realloc(section->settings, (section->count + 1) * sizeof *settings);
    if (!settings)
        goto memory;
    section->settings = settings;
    settings[section->count++] = setting;
    return CLOPT_OK;
memory:
    fini_setting(&setting);
    return clopt_fail_memory(error);
}

/* Copies all of one INI into another, where it wins. */
static enum clopt_status merge(struct clopt_ini *into, const struct clopt_ini *from,
                               struct clopt_error *error)
{
    for (size_t i = 0; i < from->count; i++) {
        const struct clopt_ini_section *source = &from->sections[i];
        struct clopt_ini_section *section = provide_section(into, source->name, source->origin);
        if (!section)
            return clopt_fail_memory(error);
        for (size_t j = 0; j < source->count; j++) {
            const struct clopt_ini_setting *setting = &source->settings[j];
            enum clopt_status status =
                put_setting(section, setting->key, setting->value, setting->origin, error);
            if (status)
                return status;
        }
    }
    return CLOPT_OK;
}

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

/* Copies a name with runs of blanks made one blank, and none at the ends. */
static void copy_name(const char *from, size_t length, char *to)
{
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        bool blank = isspace((unsigned char)from[i]);
        if (blank && (!used || to[used - 1] == ' '))
            continue;
        to[used++] = blank ? ' ' : from[i];
    }
    if (used && to[used - 1] == ' ')
        used--;
    to[used] = '\0';
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
    char name[MOST_SECTION + 1];
    const char *end = strchr(line, ']');
    if (!end)
        return refuse(source, "a section needs a closing ]");
    const char *rest = end + 1 + strspn(end + 1, " \t\r");
    if (*rest && *rest != ';' && *rest != '#')
        return refuse(source, "unexpected text behind ]: %s", rest);
    if (end - line - 1 > MOST_SECTION)
        return refuse(source, "section name longer than %d characters", MOST_SECTION);
    copy_name(line + 1, (size_t)(end - line - 1), name);
    if (!*name)
        return refuse(source, "a section needs a name");
    char *origin = make_origin(source);
    struct clopt_ini_section *section = origin ? provide_section(source->ini, name, origin) : NULL;
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
    if (strlen(line) > MOST_LINE) {
        refuse(source, "line longer than %d characters", MOST_LINE);
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

static const char *check_value(const char *value)
{
    if (!*value)
        return "has no value";
    if (*value == ';')
        return "a value cannot start with a semicolon";
    return NULL;
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
    const char *wrong = check_value(value);
    if (wrong)
        return refuse(source, "[%s] %s: %s", section->name, key, wrong);
    const struct clopt_ini_setting *old = clopt_ini_setting(section, key);
    if (old)
        return refuse(source, "[%s] %s: already set at %s", section->name, key, old->origin);
    char *origin = make_origin(source);
    source->status = origin ? put_setting(section, key, value, origin, source->error)
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

/* Removes the include, which has been followed. */
static void drop_setting(struct clopt_ini_section *section, const struct clopt_ini_setting *setting)
{
    size_t index = (size_t)(setting - section->settings);
    fini_setting(&section->settings[index]);
    section->count--;
    memmove(&section->settings[index], &section->settings[index + 1],
            (section->count - index) * sizeof *setting);
}

static enum clopt_status open_source(struct source *source)
{
    struct stat about;
    source->file = fopen(source->path, "re");
    if (!source->file || fstat(fileno(source->file), &about))
        return clopt_fail(source->error, CLOPT_INVALID, "%s: cannot be read: %s", source->path,
                          strerror(errno));
    if (S_ISCHR(about.st_mode) || S_ISBLK(about.st_mode))
        return clopt_fail(source->error, CLOPT_INVALID, "%s: this is a device, not a file",
                          source->path);
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
        drop_setting(study, include);
    }
    if (status == CLOPT_OK)
        status = merge(ini, &own, error);
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

/* Finds the one section that a name without its kind, such as lud or "geometry coarse", stands for:
 * NULL where none or several. A name that only others with a label begin with stands for those. */
static struct clopt_ini_section *find_bare(const struct clopt_ini *ini, const char *name,
                                           size_t *matches)
{
    struct clopt_ini_section *found = NULL;
    size_t length = strlen(name);
    *matches = 0;
    for (int labelled = 0; labelled < 2 && *matches == 0; labelled++)
        for (size_t i = 0; i < ini->count; i++) {
            const char *blank = strchr(ini->sections[i].name, ' ');
            if (blank && strncmp(blank + 1, name, length) == 0 &&
                blank[1 + length] == (labelled ? ' ' : '\0')) {
                found = &ini->sections[i];
                ++*matches;
            }
        }
    return *matches == 1 ? found : NULL;
}

/* Reports a name that several sections have. */
static enum clopt_status fail_bare(const struct clopt_ini *ini, const char *text, const char *name,
                                   struct clopt_error *error)
{
    struct clopt_text known = {0};
    size_t length = strlen(name);
    for (size_t i = 0; i < ini->count; i++) {
        const char *blank = strchr(ini->sections[i].name, ' ');
        if (blank && strncmp(blank + 1, name, length) == 0 &&
            (!blank[1 + length] || blank[1 + length] == ' '))
            clopt_text_printf(&known, "%s\"%s\"", known.length ? ", " : "", ini->sections[i].name);
    }
    clopt_fail(error, CLOPT_INVALID, "-s %s: %s may mean %s; write the one that is meant", text,
               name, clopt_text_string(&known));
    clopt_text_fini(&known);
    return CLOPT_INVALID;
}

static enum clopt_status override_section(struct clopt_ini *ini, const char *text, const char *name,
                                          const char *key, const char *value,
                                          struct clopt_error *error)
{
    static const char origin[] = "command line";
    struct clopt_ini_section *section = clopt_ini_section(ini, name);
    size_t matches = 0;
    if (!section)
        section = find_bare(ini, name, &matches);
    if (matches > 1)
        return fail_bare(ini, text, name, error);
    if (strcmp(name, "study") == 0 && strcmp(key, "include") == 0)
        return clopt_fail(error, CLOPT_INVALID, "-s %s: include works in files only", text);
    if (!section)
        section = provide_section(ini, name, origin);
    return section ? put_setting(section, key, value, origin, error) : clopt_fail_memory(error);
}

/* Cuts blanks at both ends, in place. */
static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}

/* Says why a value could not stand in a file: what is effective must be readable as an INI. */
static const char *check_override(const char *name, const char *key, const char *value)
{
    if (!*name || !*key)
        return "expected section.key=value";
    if (strlen(name) > MOST_SECTION || strchr(name, ']'))
        return "no section has such a name";
    if (strlen(key) + strlen(value) + 3 > MOST_LINE)
        return "too long";
    for (const char *c = value; *c; c++)
        if (iscntrl((unsigned char)*c) || (*c == ' ' && c[1] == ';'))
            return "a value cannot hold control characters, or a semicolon behind a blank";
    return check_value(value);
}

enum clopt_status clopt_ini_put(struct clopt_ini *ini, const char *section, const char *key,
                                const char *value, const char *origin, struct clopt_error *error)
{
    const char *wrong = check_override(section, key, value);
    if (wrong)
        return clopt_fail(error, CLOPT_INVALID, "%s: [%s] %s: %s", origin, section, key, wrong);
    struct clopt_ini_section *made = provide_section(ini, section, origin);
    return made ? put_setting(made, key, value, origin, error) : clopt_fail_memory(error);
}

enum clopt_status clopt_ini_override(struct clopt_ini *ini, const char *text,
                                     struct clopt_error *error)
{
    char *copy = strdup(text);
    if (!copy)
        return clopt_fail_memory(error);
    char name[MOST_SECTION + 2] = "";
    char *equals = strchr(copy, '=');
    if (equals)
        *equals = '\0';
    char *dot = equals ? strrchr(copy, '.') : NULL;
    enum clopt_status status;
    const char *wrong = "expected section.key=value";
    if (dot) {
        *dot = '\0';
        size_t length = strlen(copy);
        copy_name(copy, length > MOST_SECTION ? MOST_SECTION + 1 : length, name);
        wrong = check_override(name, trim(dot + 1), trim(equals + 1));
    }
    if (wrong)
        status = clopt_fail(error, CLOPT_INVALID, "-s %s: %s", text, wrong);
    else
        status = override_section(ini, text, name, trim(dot + 1), trim(equals + 1), error);
    free(copy);
    return status;
}
