/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a study, and checks it against the plugins that it names. */
#include "study/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "space/parameters.h"
#include "space/space.h"
#include "study/description.h"
#include "study/ini.h"
#include "study/keys.h"
#include "study/sections.h"
#include "text/suggest.h"
#include "text/text.h"

/* More trials than anyone can wait for: a typing error. */
#define MOST_TRIALS UINT64_C(10000000000)

/* More than can be numbered wherever trials are. */
#define MOST_POINTS UINT64_C(1000000000000000000)

#define MOST_KINDS 32

/* Reports a section that no study has, and that describes none of its apps. */
static enum clopt_status fail_section(const struct clopt_ini *ini,
                                      const struct clopt_registry *registry,
                                      const struct clopt_ini_section *section,
                                      struct clopt_error *error)
{
    const char *kinds[MOST_KINDS] = {"study",       "device",       "app",       "parameter",
                                     "constraints", "optimization", "combine",   "search",
                                     "measure",     "limits",       "published", "rival"};
    const size_t own = 12;
    size_t count = clopt_study_add_kinds(ini, registry, kinds, own, MOST_KINDS);
    char kind[64];
    size_t length = strcspn(section->name, " ");
    snprintf(kind, sizeof kind, "%.*s", (int)length, section->name);
    const char *near = clopt_suggest(kind, kinds, count);
    if (near && strcmp(near, kind) != 0)
        return clopt_fail(error, CLOPT_INVALID, "%s: [%s]: unknown section; did you mean [%s%s]?",
                          section->origin, section->name, near, section->name + length);
    if (near && (clopt_study_is_plain(near) || strcmp(near, "constraints") == 0))
        return clopt_fail(error, CLOPT_INVALID, "%s: [%s]: this section is just [%s]",
                          section->origin, section->name, near);
    for (size_t i = own; i < count; i++)
        if (near == kinds[i])
            return clopt_fail(error, CLOPT_INVALID,
                              "%s: [%s]: describes no app of this study; those with a label are "
                              "[app NAME LABEL]",
                              section->origin, section->name);
    if (near)
        return clopt_fail(error, CLOPT_INVALID, "%s: [%s]: needs a name, as in [%s NAME]",
                          section->origin, section->name, near);
    struct clopt_text more = {0};
    for (size_t i = own; i < count; i++)
        clopt_text_printf(&more, "%s[%s]", i == own ? "; of its apps " : ", ", kinds[i]);
    clopt_fail(error, CLOPT_INVALID,
               "%s: [%s]: unknown section; there are [study], [device LABEL], [app NAME], "
               "[parameter NAME], [constraints], [optimization NAME], [combine], [search], "
               "[measure], [limits], [published LABEL] and [rival LABEL]%s",
               section->origin, section->name, clopt_text_string(&more));
    clopt_text_fini(&more);
    return CLOPT_INVALID;
}

static bool is_kind(const struct clopt_ini_section *section, const char *kind)
{
    size_t length = strlen(kind);
    return strncmp(section->name, kind, length) == 0 && section->name[length] == ' ';
}

/* Reports the first app whose plugin is missing: it might have known a section. */
static enum clopt_status check_apps(const struct clopt_ini *ini,
                                    const struct clopt_registry *registry,
                                    struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    struct clopt_study_title title;
    for (size_t i = 0; i < ini->count && status == CLOPT_OK; i++)
        if (is_kind(&ini->sections[i], "app"))
            status = clopt_study_read_title(&ini->sections[i], registry, &title, error);
    return status;
}

static enum clopt_status check_sections(const struct clopt_ini *ini,
                                        const struct clopt_registry *registry,
                                        struct clopt_error *error)
{
    for (size_t i = 0; i < ini->count; i++) {
        const struct clopt_ini_section *section = &ini->sections[i];
        if (!clopt_study_is_plain(section->name) && !is_kind(section, "device") &&
            !is_kind(section, "app") && !is_kind(section, "optimization") &&
            !is_kind(section, "parameter") && strcmp(section->name, "constraints") != 0 &&
            !is_kind(section, "published") && !is_kind(section, "rival") &&
            !clopt_study_is_description(ini, registry, section)) {
            enum clopt_status status = check_apps(ini, registry, error);
            return status ? status : fail_section(ini, registry, section, error);
        }
    }
    return CLOPT_OK;
}

/* Reads all sections of one kind. */
static enum clopt_status read_kind(
    const struct clopt_ini *ini, const char *kind,
    enum clopt_status (*read)(struct clopt_study *, const struct clopt_ini_section *, const char *,
                              const struct clopt_registry *, struct clopt_error *),
    const struct clopt_registry *registry, struct clopt_study *study, struct clopt_error *error)
{
    for (size_t i = 0; i < ini->count; i++) {
        const struct clopt_ini_section *section = &ini->sections[i];
        if (!is_kind(section, kind))
            continue;
        enum clopt_status status =
            read(study, section, section->name + strlen(kind) + 1, registry, error);
        if (status)
            return status;
    }
    return CLOPT_OK;
}

/* Reads all apps; one that the study describes has other sections, too. */
static enum clopt_status read_apps(const struct clopt_ini *ini,
                                   const struct clopt_registry *registry, struct clopt_study *study,
                                   struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < ini->count && status == CLOPT_OK; i++)
        if (is_kind(&ini->sections[i], "app"))
            status = clopt_study_read_app(study, ini, &ini->sections[i], registry, error);
    return status;
}

/* A study is called after its file where it has no title. */
static enum clopt_status provide_title(struct clopt_study *study, struct clopt_error *error)
{
    if (study->title)
        return CLOPT_OK;
    const char *slash = strrchr(study->path, '/');
    const char *name = slash ? slash + 1 : study->path;
    const char *dot = strrchr(name, '.');
    study->title = dot && dot != name ? strndup(name, (size_t)(dot - name)) : strdup(name);
    return study->title ? CLOPT_OK : clopt_fail_memory(error);
}

static enum clopt_status check_size(const struct clopt_study *study, struct clopt_error *error)
{
    if (!study->app_count)
        return clopt_fail(error, CLOPT_INVALID, "%s: no [app NAME]: there is nothing to study",
                          study->path);
    uint64_t trials = 0;
    for (size_t group = 0; group < clopt_space_group_count(study); group++) {
        uint64_t count = clopt_space_count(study, group);
        if (clopt_space_count_all(study, group) > MOST_POINTS)
            return clopt_fail(error, CLOPT_INVALID,
                              "%s: more than 10^18 trials; shorten the lists of values",
                              study->path);
        if (count > MOST_TRIALS || (trials += count) > MOST_TRIALS)
            return clopt_fail(error, CLOPT_INVALID,
                              "%s: more than %llu trials; shorten the lists of values, or choose a "
                              "sample of the variants: [combine] sample = 1000",
                              study->path, (unsigned long long)MOST_TRIALS);
    }
    return CLOPT_OK;
}

static enum clopt_status interpret(const struct clopt_ini *ini,
                                   const struct clopt_registry *registry, struct clopt_study *study,
                                   struct clopt_error *error)
{
    enum clopt_status status = check_sections(ini, registry, error);
    if (status == CLOPT_OK)
        status = clopt_study_read_plain(ini, study, error);
    if (status == CLOPT_OK)
        status = provide_title(study, error);
    if (status == CLOPT_OK)
        status = read_kind(ini, "device", clopt_study_read_device, registry, study, error);
    if (status == CLOPT_OK)
        status = clopt_study_default_device(study, error);
    if (status == CLOPT_OK)
        status = clopt_study_choose_devices(study, ini, error);
    if (status == CLOPT_OK)
        status = read_kind(ini, "parameter", clopt_study_read_parameter, registry, study, error);
    if (status == CLOPT_OK)
        status = read_apps(ini, registry, study, error);
    if (status == CLOPT_OK)
        status = clopt_study_read_constraints(study, ini, error);
    if (status == CLOPT_OK)
        status =
            read_kind(ini, "optimization", clopt_study_read_optimization, registry, study, error);
    if (status == CLOPT_OK)
        status = read_kind(ini, "published", clopt_study_read_published, registry, study, error);
    if (status == CLOPT_OK)
        status = read_kind(ini, "rival", clopt_study_read_rival, registry, study, error);
    if (status == CLOPT_OK)
        status = clopt_study_read_products(study, ini, error);
    if (status == CLOPT_OK)
        status = clopt_study_finish_search(study, ini, error);
    if (status == CLOPT_OK)
        status = clopt_study_find_combinations(study, NULL, error);
    if (status == CLOPT_OK)
        status = check_size(study, error);
    if (status == CLOPT_OK) {
        study->effective = clopt_study_print(study, ini);
        status = study->effective ? CLOPT_OK : clopt_fail_memory(error);
    }
    return status;
}

enum clopt_status clopt_study_read(const char *path, const struct clopt_registry *registry,
                                   const struct clopt_override *overrides, size_t override_count,
                                   struct clopt_study **study, struct clopt_error *error)
{
    *study = NULL;
    struct clopt_ini ini = {0};
    struct clopt_study *made = calloc(1, sizeof *made);
    if (!made || !(made->path = strdup(path))) {
        free(made);
        return clopt_fail_memory(error);
    }
    enum clopt_status status = clopt_ini_read(path, &ini, error);
    for (size_t i = 0; i < override_count && status == CLOPT_OK; i++)
        status = clopt_ini_override(&ini, overrides[i].text, overrides[i].weak, error);
    if (status == CLOPT_OK)
        status = interpret(&ini, registry, made, error);
    clopt_ini_fini(&ini);
    if (status)
        clopt_study_destroy(made);
    else
        *study = made;
    return status;
}
