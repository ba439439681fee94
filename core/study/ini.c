/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds what INI files say: sections and their settings. */
#include "study/ini.h"

#include <ctype.h>

#include "text/text.h"

/* Looking for a name takes time with each of them. */
#define MOST_NAMES 5000

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

struct clopt_ini_section *clopt_ini_provide(struct clopt_ini *ini, const char *name,
                                            const char *origin)
{
    struct clopt_ini_section *section = clopt_ini_section(ini, name);
    if (section)
        return section;
    section = clopt_array_add(&ini->sections, &ini->count, sizeof *section);
    section->name = clopt_strdup(name);
    section->origin = clopt_strdup(origin);
    return section;
}

void clopt_ini_set(struct clopt_ini_section *section, const char *key, const char *value,
                   const char *origin)
{
    struct clopt_ini_setting *setting = (struct clopt_ini_setting *)clopt_ini_setting(section, key);
    if (setting)
        fini_setting(setting);
    else
        setting = clopt_array_add(&section->settings, &section->count, sizeof *setting);
    *setting =
        (struct clopt_ini_setting){clopt_strdup(key), clopt_strdup(value), clopt_strdup(origin)};
}

void clopt_ini_drop(struct clopt_ini_section *section, const struct clopt_ini_setting *setting)
{
    size_t index = (size_t)(setting - section->settings);
    fini_setting(&section->settings[index]);
    section->count--;
    memmove(&section->settings[index], &section->settings[index + 1],
            (section->count - index) * sizeof *setting);
}

void clopt_ini_merge(struct clopt_ini *into, const struct clopt_ini *from)
{
    for (size_t i = 0; i < from->count; i++) {
        const struct clopt_ini_section *source = &from->sections[i];
        struct clopt_ini_section *section = clopt_ini_provide(into, source->name, source->origin);
        for (size_t j = 0; j < source->count; j++) {
            const struct clopt_ini_setting *setting = &source->settings[j];
            clopt_ini_set(section, setting->key, setting->value, setting->origin);
        }
    }
}

void clopt_ini_copy_name(const char *from, size_t length, char *to)
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

const char *clopt_ini_check_value(const char *value)
{
    if (!*value)
        return "has no value";
    return *value == ';' ? "a value cannot start with a semicolon" : NULL;
}

/* Says so of a whole setting. */
static const char *check_setting(const char *name, const char *key, const char *value)
{
    if (!*name || !*key)
        return "expected section.key=value";
    if (strchr(name, ']'))
        return "no section has such a name";
    for (const char *c = value; *c; c++)
        if (iscntrl((unsigned char)*c) || (*c == ' ' && c[1] == ';'))
            return "a value cannot hold control characters, or a semicolon after a blank";
    return clopt_ini_check_value(value);
}

bool clopt_ini_may_continue(const char *text)
{
    const char *end = text + clopt_word_length(text);
    const char *equals = end + strspn(end, " \t");
    bool is_key = end > text && (*equals == ':' || (*equals == '=' && equals[1] != '='));
    return !strchr(";#[", *text) && !is_key;
}

enum clopt_status clopt_ini_put(struct clopt_ini *ini, const char *section, const char *key,
                                const char *value, const char *origin, struct clopt_error *error)
{
    const char *wrong = check_setting(section, key, value);
    if (wrong)
        return clopt_fail(error, CLOPT_INVALID, "%s: [%s] %s: %s", origin, section, key, wrong);
    struct clopt_ini_section *made = clopt_ini_provide(ini, section, origin);
    if (ini->count > MOST_NAMES || made->count > MOST_NAMES)
        return clopt_fail(error, CLOPT_INVALID, "%s: more than %d of these", origin, MOST_NAMES);
    clopt_ini_set(made, key, value, origin);
    return CLOPT_OK;
}

/* ---- sets what the command line overrides: section.key=value ---- */

/* Finds the section that a name without its kind, such as lud or "geometry coarse", means, the last
 * one of several, and lists these. A name that only others with a label begin with means those. */
static struct clopt_ini_section *find_bare(const struct clopt_ini *ini, const char *name,
                                           size_t *matches, struct clopt_text *known)
{
    struct clopt_ini_section *found = NULL;
    size_t length = strlen(name);
    for (int labelled = 0; labelled < 2 && *matches == 0; labelled++)
        for (size_t i = 0; i < ini->count; i++) {
            const char *blank = strchr(ini->sections[i].name, ' ');
            if (!blank || strncmp(blank + 1, name, length) != 0 ||
                blank[1 + length] != (labelled ? ' ' : '\0'))
                continue;
            found = &ini->sections[i];
            clopt_text_printf(known, "%s\"%s\"", ++*matches > 1 ? ", " : "", found->name);
        }
    return found;
}

/* What -s says, taken apart. */
struct setting {
    const char *text; /* the whole */
    const char *section, *key, *value;
    bool weak; /* only where the file says nothing of it */
};

static enum clopt_status override_section(struct clopt_ini *ini, const struct setting *setting,
                                          struct clopt_error *error)
{
    static const char origin[] = "command line";
    const char *name = setting->section;
    struct clopt_ini_section *section = clopt_ini_section(ini, name);
    CLOPT_OWNED(clopt_text) known = {0};
    size_t matches = 0;
    if (!section)
        section = find_bare(ini, name, &matches, &known);
    if (matches > 1)
        return clopt_fail(error, CLOPT_INVALID,
                          "-s %s: %s may mean %s; write the one that is meant", setting->text, name,
                          clopt_text_string(&known));
    if (strcmp(name, "study") == 0 && strcmp(setting->key, "include") == 0)
        return clopt_fail(error, CLOPT_INVALID, "-s %s: include works in files only",
                          setting->text);
    if (setting->weak && section && clopt_ini_setting(section, setting->key))
        return CLOPT_OK;
    if (!section)
        section = clopt_ini_provide(ini, name, origin);
    clopt_ini_set(section, setting->key, setting->value, origin);
    return CLOPT_OK;
}

enum clopt_status clopt_ini_override(struct clopt_ini *ini, const char *text, bool weak,
                                     struct clopt_error *error)
{
    CLOPT_FREED char *copy = clopt_strdup(text);
    struct setting setting = {.text = text, .section = copy, .weak = weak};
    char *equals = strchr(copy, '=');
    if (equals)
        *equals = '\0';
    char *dot = equals ? strrchr(copy, '.') : NULL;
    const char *wrong = "expected section.key=value";
    if (dot) {
        *dot = '\0';
        clopt_ini_copy_name(copy, strlen(copy), copy);
        setting.key = clopt_text_trim(dot + 1);
        setting.value = clopt_text_trim(equals + 1);
        wrong = check_setting(copy, setting.key, setting.value);
    }
    if (wrong)
        return clopt_fail(error, CLOPT_INVALID, "-s %s: %s", text, wrong);
    return override_section(ini, &setting, error);
}
