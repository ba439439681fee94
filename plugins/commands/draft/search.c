/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the sections of a first study that searches. */
#include "commands/draft/draft.h"

#include "text/token.h"
#include "trial/transform.h"
#include "trial/trial.h"

#define MOST_VALUES   64
#define MOST_SECTIONS 4

/* What comes after the optimizations. */
static const char ending[] = "\n; `clopt tune` composes any of them. Most variants are clearly "
                             "slower than the best:\n"
                             "; few samples show it.\n"
                             "[search]\n"
                             "strategy = model\n"
                             "\n[measure]\n"
                             "min_samples = 3\n"
                             "max_samples = 100\n"
                             "max_time = 1500ms\n"
                             "abandon = 1.5x\n";

struct clopt_ndrange clopt_draft_ndrange(unsigned dimensions)
{
    struct clopt_ndrange ndrange =
        dimensions > 1 ? CLOPT_RANGE2(0, 0, 16, 16) : CLOPT_RANGE1(0, 64);
    if (dimensions > 2)
        ndrange.dimensions = dimensions;
    return ndrange;
}

/* Sections while they are written. */
struct sections {
    const struct clopt_plugin_entry *optimization; /* the one at hand */
    const struct clopt_draft_search *asked;
    struct clopt_text *study;
};

/* ---- sections for programs that call some functions ---- */

#define CALLS "calls "  /* then the names of the functions, in the first line of a section */
#define WAITS "waits: " /* before a line */

/* Whether each of the study's results has to be exact. */
static bool is_exact(const char *study)
{
    bool results = false;
    size_t others = 0, exact = 0;
    for (const char *line = study; *line; line += strcspn(line, "\n"), line += *line != '\0') {
        size_t length = strcspn(line, "\n");
        const char *end = memchr(line, ';', length), *value = memchr(line, '=', length);
        CLOPT_FREED char *words =
            clopt_text_format("%.*s", (int)(end ? (size_t)(end - line) : length), line);
        if (*line == '[')
            results = strncmp(line, "[results", strlen("[results")) == 0;
        else if (results && value && strchr(words, '='))
            *(strstr(words, "exact") || strstr(words, "ignore") ? &exact : &others) += 1;
    }
    return exact && !others;
}

/* Whether a program calls one of the functions that a line names. */
static bool calls_one(const char *program, const char *line)
{
    CLOPT_FREED char *names = clopt_text_format("%.*s ", (int)strcspn(line, "\n"), line);
    const char *at = program;
    for (struct clopt_token token; (token = clopt_token_next(&at)).kind != CLOPT_TOKEN_END;) {
        char word[32];
        int length = snprintf(word, sizeof word, " %.*s ", (int)token.length, token.text);
        if (token.kind == CLOPT_TOKEN_NAME && length < (int)sizeof word && strstr(names, word))
            return true;
    }
    return false;
}

/* Returns the lines of a section, without the first one where that says which programs it is for;
 * "" where it is for others. */
static const char *find_lines(const struct sections *sections,
                              const struct clopt_search_section *section)
{
    const char *lines = section->lines;
    if (strncmp(lines, CALLS, strlen(CALLS)) != 0)
        return lines;
    const struct clopt_draft_search *asked = sections->asked;
    return !is_exact(asked->study) && calls_one(asked->program, lines) ? strchr(lines, '\n') + 1
                                                                       : "";
}

/* ---- writing ---- */

/* Asks the optimization whether it refuses a value whatever the kernel. */
static enum clopt_status check_value(const struct sections *sections,
                                     const struct clopt_parameter *parameter, const char *value,
                                     struct clopt_error *error)
{
    const struct clopt_optimization *optimization = sections->optimization->extension->optimization;
    struct clopt_ndrange ndrange = clopt_draft_ndrange(sections->asked->dimensions);
    CLOPT_OWNED(clopt_transform) transform = {0};
    CLOPT_HELD(clopt_values) values = clopt_step_values_create(sections->optimization);
    CLOPT_TRY(clopt_values_set(values, parameter, value, error));
    clopt_transform_init(&transform, "any kernel", NULL, NULL, NULL, &ndrange);
    transform.any_local_size = true;
    return optimization->check ? optimization->check(&transform, values, error) : CLOPT_OK;
}

/* Appends a line "name = values" of a section, without the values that are refused. */
static enum clopt_status put_line(const struct sections *sections, const char *name,
                                  const char *values, struct clopt_error *error)
{
    const struct clopt_extension *extension = sections->optimization->extension;
    const struct clopt_parameter *parameter =
        clopt_parameter_find(extension->optimization->parameters, name);
    struct clopt_text *study = sections->study;
    CLOPT_OWNED(clopt_list) list = {0};
    size_t good = 0;
    if (!parameter)
        return clopt_fail(error, CLOPT_INVALID, "%s has no parameter %s to search", extension->name,
                          name);
    CLOPT_TRY(clopt_list_parse(values, parameter->type, MOST_VALUES, &list, error));
    for (size_t i = 0; i < list.count; i++) {
        enum clopt_status tried = check_value(sections, parameter, list.items[i], error);
        if (tried == CLOPT_OK && good++)
            clopt_text_printf(study, ", %s", list.items[i]);
        else if (tried == CLOPT_OK)
            clopt_text_printf(study, "%s = %s", name, list.items[i]);
        else if (tried != CLOPT_INFEASIBLE)
            return tried;
    }
    clopt_text_append(study, good ? "\n" : "");
    return CLOPT_OK;
}

static enum clopt_status put_section(const struct sections *sections, size_t number,
                                     struct clopt_error *error)
{
    const struct clopt_extension *extension = sections->optimization->extension;
    const struct clopt_search_section *section = &extension->optimization->search[number];
    char name[64], values[512];
    static const char *const labels[MOST_SECTIONS] = {"", " later", " last", " end"};
    size_t before = 0; /* sections of the same optimization */
    for (size_t i = 0; i < number; i++)
        before += *extension->optimization->search[i].lines != '\0';
    const char *lines = find_lines(sections, section);
    if (section->dimensions > sections->asked->dimensions || !*lines)
        return CLOPT_OK;
    clopt_text_printf(sections->study, "\n[optimization %s%s]\n", extension->name, labels[before]);
    for (const char *line = lines; *line; line += strcspn(line, "\n") + 1) {
        bool waits = strncmp(line, WAITS, strlen(WAITS)) == 0;
        if (waits && !calls_one(sections->asked->program, " barrier work_group_barrier"))
            continue;
        line += waits ? strlen(WAITS) : 0;
        if (sscanf(line, "%63[^= ] = %511[^\n]", name, values) != 2)
            return clopt_fail(error, CLOPT_INVALID, "%s: \"%s\" is not a line of a section",
                              extension->name, line);
        CLOPT_TRY(put_line(sections, name, values, error));
    }
    return CLOPT_OK;
}

/* Whether an optimization has a section of this number. */
static bool has_section(const struct clopt_plugin_entry *entry, size_t number)
{
    if (entry->extension->kind != CLOPT_KIND_OPTIMIZATION ||
        !entry->extension->optimization->search)
        return false;
    const struct clopt_search_section *sections = entry->extension->optimization->search;
    for (size_t i = 0; i <= number; i++)
        if (!sections[i].lines)
            return false;
    return true;
}

enum clopt_status clopt_draft_put_search(const struct clopt_draft_search *asked,
                                         struct clopt_text *study, struct clopt_error *error)
{
    const struct clopt_plugin_entry *entry;
    clopt_text_append(study,
                      "\n; What is searched: any of these together, in this order or with one "
                      "of them in another\n; place. Fewer values, or sections, are searched "
                      "faster; `clopt plugins` lists all.\n");
    for (size_t number = 0; number < MOST_SECTIONS; number++)
        for (size_t i = 0; (entry = clopt_registry_entry(asked->registry, CLOPT_KIND_ANY, i)); i++)
            if (has_section(entry, number))
                CLOPT_TRY(put_section(&(struct sections){entry, asked, study}, number, error));
    clopt_text_append(study, ending);
    return CLOPT_OK;
}
