/* SPDX-License-Identifier: BSD-3-Clause */
/* Completes [search]: what it does not say, and what does not go with it. */
#include "strategies/strategies.h"

#define DEFAULT_TIME_S 600 /* where nothing else would end it */

#define AT(member) offsetof(struct clopt_study, search.member)

static const struct clopt_key keys[] = {
    CLOPT_KEY(
        "strategy", NAME, TEXT, "<strategy>", NULL, AT(strategy),
        "how variants are chosen; `clopt plugins --kind=strategy` lists them [the standard one]"),
    CLOPT_KEY("trials", VALUE, INTEGER, "1..1000000", NULL, AT(trials),
              "variants of each kernel at most [any number]"),
    CLOPT_KEY("time", NONE, TIME, NULL, NULL, AT(time_s),
              "time limit, in place of that of [measure]"),
    CLOPT_KEY("seed", VALUE, INTEGER, "0..", NULL, AT(seed),
              "which variants are drawn [the study's]"),
    CLOPT_KEY("first", VALUE, TEXT, NULL, NULL, AT(first), "names of variants to try first"),
    {0},
};

/* Finds the strategy that is named, or the standard one. */
static enum clopt_status find_strategy(const struct clopt_registry *registry,
                                       struct clopt_search_plan *search, struct clopt_error *error)
{
    const struct clopt_plugin_entry *entry;
    if (search->strategy) {
        CLOPT_TRY(
            clopt_registry_find(registry, CLOPT_KIND_STRATEGY, search->strategy, &entry, error));
        search->chosen = entry->extension->operations;
        return CLOPT_OK;
    }
    for (size_t i = 0; (entry = clopt_registry_entry(registry, CLOPT_KIND_STRATEGY, i)); i++) {
        search->chosen = entry->extension->operations;
        if (!search->chosen->standard)
            continue;
        search->strategy = clopt_strdup(entry->extension->name);
        return CLOPT_OK;
    }
    return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                      "no plugin has a standard strategy; name one: [search] strategy");
}

/* Takes a list of variants apart, whose names have commas in parentheses. */
static void add_starts(struct clopt_search_plan *search)
{
    for (const char *at = search->first ? search->first : ""; *at;) {
        size_t length = 0, depth = 0;
        at += strspn(at, " \t,");
        for (; at[length] && (depth || at[length] != ','); length++)
            depth += (at[length] == '(') - (depth && at[length] == ')');
        if (length)
            clopt_search_plan_add(search, at, length, NULL);
        at += length;
    }
}

/* Completes what the section does not say, and checks what does not go with it. */
static enum clopt_status finish_search(const struct clopt_study_reading *reading)
{
    struct clopt_study *study = reading->study;
    struct clopt_error *error = reading->error;
    const struct clopt_ini_section *section = clopt_ini_section(reading->ini, "search");
    struct clopt_search_plan *search = &study->search;
    const struct clopt_ini_setting *named = section ? clopt_ini_setting(section, "strategy") : NULL;
    if (!section)
        return CLOPT_OK;
    if (find_strategy(reading->registry, search, error))
        return clopt_fail_within(error, "%s: [search] strategy",
                                 named ? named->origin : section->origin);
    if (!clopt_ini_setting(section, "seed"))
        search->seed = study->seed;
    if (search->time_s > 0)
        study->measure.time_s = search->time_s;
    else if (!search->trials && !(study->measure.time_s > 0))
        study->measure.time_s = DEFAULT_TIME_S;
    study->measure.winner_only = true;
    add_starts(search);
    if (study->sample)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: [search] and [combine] sample exclude each other: say trials = %llu "
                          "in [search]",
                          section->origin, (unsigned long long)study->sample);
    if (study->optimization_count > CLOPT_MAX_STEPS)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: [search]: %zu sections [optimization NAME], %d at most can be "
                          "combined",
                          section->origin, study->optimization_count, CLOPT_MAX_STEPS);
    return CLOPT_OK;
}

const struct clopt_study_section clopt_section_search = {
    .kind = "search", .keys = keys, .is_optional = true, .finish = finish_search};
