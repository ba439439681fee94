/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a study, and checks it against the plugins that it names. */
#include "study/reader.h"

#include "space/composition.h"
#include "space/parameters.h"
#include "study/schema.h"
#include "text/suggest.h"

/* More trials than anyone can wait for: a typing error. */
#define MOST_TRIALS UINT64_C(10000000000)

/* More than can be numbered wherever trials are. */
#define MOST_POINTS UINT64_C(1000000000000000000)

#define MOST_KINDS 32

/* Appends the names of a study's sections: "[study], [device LABEL] and [limits]". */
static void append_sections(const struct clopt_registry *registry, struct clopt_text *text)
{
    const struct clopt_study_section *kind;
    for (size_t i = 0; (kind = clopt_study_section(registry, i)); i++) {
        const char *between = !i ? "" : clopt_study_section(registry, i + 1) ? ", " : " and ";
        clopt_text_printf(text, "%s[%s%s%s]", between, kind->kind, kind->label ? " " : "",
                          kind->label ? kind->label : "");
    }
}

/* Says what is wrong with a section that no study has, and that describes none of its apps. */
static void describe_unknown(const struct clopt_study_reading *reading, const char *name,
                             struct clopt_text *text)
{
    const char *kinds[MOST_KINDS];
    const struct clopt_study_section *section;
    size_t own = 0;
    for (; own < MOST_KINDS && (section = clopt_study_section(reading->registry, own)); own++)
        kinds[own] = section->kind;
    size_t count = clopt_study_add_kinds(reading->ini, reading->registry, kinds, own, MOST_KINDS);
    char kind[64];
    size_t length = strcspn(name, " "), number = 0;
    snprintf(kind, sizeof kind, "%.*s", (int)length, name);
    const char *near = clopt_suggest(kind, kinds, count);
    while (near && kinds[number] != near)
        number++;
    if (near && strcmp(near, kind) != 0) {
        clopt_text_printf(text, "unknown section; did you mean [%s%s]?", near, name + length);
    } else if (near && number >= own) {
        clopt_text_append(text, "describes no app of this study; those with a label are [app NAME "
                                "LABEL]");
    } else if (near && !clopt_study_section(reading->registry, number)->label) {
        clopt_text_printf(text, "this section is just [%s]", near);
    } else if (near) {
        clopt_text_printf(text, "needs a name, as in [%s NAME]", near);
    } else {
        clopt_text_append(text, "unknown section; there are ");
        append_sections(reading->registry, text);
        for (size_t i = own; i < count; i++)
            clopt_text_printf(text, "%s[%s]", i == own ? "; of its apps " : ", ", kinds[i]);
    }
}

/* Checks that each section is of a kind or describes an app, which is known once all apps are. */
static enum clopt_status check_section(const struct clopt_study_reading *reading,
                                       const struct clopt_ini_section *section)
{
    const struct clopt_ini *ini = reading->ini;
    struct clopt_study_title title;
    if (clopt_section_of(reading->registry, section) ||
        clopt_study_is_description(ini, reading->registry, section))
        return CLOPT_OK;
    for (size_t i = 0; i < ini->count; i++)
        if (clopt_section_is(&clopt_section_app, &ini->sections[i], NULL))
            CLOPT_TRY(clopt_study_read_title(&ini->sections[i], reading->registry, &title,
                                             reading->error));
    CLOPT_OWNED(clopt_text) wrong = {0};
    describe_unknown(reading, section->name, &wrong);
    return clopt_fail(reading->error, CLOPT_INVALID, "%s: [%s]: %s", section->origin, section->name,
                      clopt_text_string(&wrong));
}

/* Reads all sections of a kind that has labels, and ends the kind. */
static enum clopt_status read_kind(const struct clopt_study_reading *reading,
                                   const struct clopt_study_section *kind)
{
    const char *label;
    for (size_t i = 0; kind->label && i < reading->ini->count; i++)
        if (clopt_section_is(kind, &reading->ini->sections[i], &label))
            CLOPT_TRY(kind->read(reading, &reading->ini->sections[i], label));
    return kind->finish ? kind->finish(reading) : CLOPT_OK;
}

static enum clopt_status check_size(const struct clopt_study *study, struct clopt_error *error)
{
    if (!study->app_count)
        return clopt_fail(error, CLOPT_INVALID, "%s: no [app NAME]: nothing to study", study->path);
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

static enum clopt_status interpret(const struct clopt_study_reading *reading)
{
    struct clopt_study *study = reading->study;
    for (size_t i = 0; i < reading->ini->count; i++)
        CLOPT_TRY(check_section(reading, &reading->ini->sections[i]));
    CLOPT_TRY(clopt_study_read_plain(reading));
    const struct clopt_study_section *kind;
    for (int late = 0; late < 2; late++)
        for (size_t i = 0; (kind = clopt_study_section(reading->registry, i)); i++)
            if (kind->is_early != late)
                CLOPT_TRY(read_kind(reading, kind));
    CLOPT_TRY(clopt_study_find_combinations(study, NULL, reading->error));
    clopt_study_compose(study);
    CLOPT_TRY(check_size(study, reading->error));
    study->effective = clopt_study_print(reading);
    return CLOPT_OK;
}

enum clopt_status clopt_study_read(const char *path, const struct clopt_registry *registry,
                                   const struct clopt_override *overrides, size_t override_count,
                                   struct clopt_study **study, struct clopt_error *error)
{
    *study = NULL;
    struct clopt_ini ini = {0};
    struct clopt_study *made = clopt_calloc(1, sizeof *made);
    made->path = clopt_strdup(path);
    enum clopt_status status = clopt_ini_read(path, registry, &ini, error);
    for (size_t i = 0; i < override_count && status == CLOPT_OK; i++)
        status = clopt_ini_override(&ini, overrides[i].text, overrides[i].weak, error);
    if (status == CLOPT_OK)
        status = interpret(&(struct clopt_study_reading){&ini, registry, made, error});
    clopt_ini_fini(&ini);
    if (status)
        clopt_study_destroy(made);
    else
        *study = made;
    return status;
}
