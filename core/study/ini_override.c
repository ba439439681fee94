/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets what the command line overrides: section.key=value. */
#include "number/values.h"
#include "study/ini_parts.h"
#include "text/text.h"

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

static enum clopt_status override_section(struct clopt_ini *ini, const char *text, const char *name,
                                          const char *key, const char *value, bool weak,
                                          struct clopt_error *error)
{
    static const char origin[] = "command line";
    struct clopt_ini_section *section = clopt_ini_section(ini, name);
    CLOPT_OWNED(clopt_text) known = {0};
    size_t matches = 0;
    if (!section)
        section = find_bare(ini, name, &matches, &known);
    if (matches > 1)
        clopt_fail(error, CLOPT_INVALID, "-s %s: %s may mean %s; write the one that is meant", text,
                   name, clopt_text_string(&known));
    if (matches > 1)
        return CLOPT_INVALID;
    if (strcmp(name, "study") == 0 && strcmp(key, "include") == 0)
        return clopt_fail(error, CLOPT_INVALID, "-s %s: include works in files only", text);
    if (weak && section && clopt_ini_setting(section, key))
        return CLOPT_OK;
    if (!section)
        section = clopt_ini_provide(ini, name, origin);
    return section ? clopt_ini_set(section, key, value, origin, error) : clopt_fail_memory(error);
}

enum clopt_status clopt_ini_override(struct clopt_ini *ini, const char *text, bool weak,
                                     struct clopt_error *error)
{
    CLOPT_FREED char *copy = strdup(text);
    if (!copy)
        return clopt_fail_memory(error);
    char *equals = strchr(copy, '=');
    if (equals)
        *equals = '\0';
    char *dot = equals ? strrchr(copy, '.') : NULL;
    const char *wrong = "expected section.key=value";
    if (dot) {
        *dot = '\0';
        clopt_ini_copy_name(copy, strlen(copy), copy);
        wrong = clopt_ini_check(copy, clopt_text_trim(dot + 1), clopt_text_trim(equals + 1));
    }
    if (wrong)
        return clopt_fail(error, CLOPT_INVALID, "-s %s: %s", text, wrong);
    return override_section(ini, text, copy, clopt_text_trim(dot + 1), clopt_text_trim(equals + 1),
                            weak, error);
}
