/* SPDX-License-Identifier: BSD-3-Clause */
/* The sections of a study whose keys are always the same, in one table. */
#include "study/keys.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/ini_parts.h"
#include "text/suggest.h"

enum kind { TEXT, COUNT, BYTES, SHARE, FACTOR, SECONDS, TIME_LIMIT, CHOICE, OBJECTIVE };

struct key {
    const char *section;
    const char *name;
    enum kind kind;
    const char *legal;   /* of a COUNT; of a CHOICE its words, the first of which is true */
    const char *initial; /* the default; NULL: made from the study */
    size_t offset;       /* in struct clopt_study */
};

#define AT(member) offsetof(struct clopt_study, member)

static const struct key keys[] = {
    {"study", "title", TEXT, NULL, NULL, AT(title)},
    {"study", "seed", COUNT, "0..", "1", AT(seed)},
    {"study", "devices", TEXT, NULL, NULL, AT(chosen_devices)},
    {"combine", "products", TEXT, NULL, "alone", AT(combine)},
    {"combine", "sample", COUNT, "1..1000000", NULL, AT(sample)},
    {"combine", "winners", CHOICE, "yes, no", "yes", AT(winners)},
    {"search", "strategy", TEXT, NULL, NULL, AT(search.strategy)},
    {"search", "trials", COUNT, "1..1000000", NULL, AT(search.trials)},
    {"search", "time", TIME_LIMIT, NULL, NULL, AT(search.time_s)},
    {"search", "seed", COUNT, "0..", NULL, AT(search.seed)},
    {"search", "first", TEXT, NULL, NULL, AT(search.first)},
    {"measure", "precision", SHARE, NULL, "2%", AT(measure.precision)},
    {"measure", "min_samples", COUNT, "1..1000000", "5", AT(measure.min_samples)},
    {"measure", "max_samples", COUNT, "1..1000000", "200", AT(measure.max_samples)},
    {"measure", "max_time", SECONDS, NULL, "10s", AT(measure.max_time_s)},
    {"measure", "processes", COUNT, "1..1000", "3", AT(measure.processes)},
    {"measure", "abandon", FACTOR, NULL, "3x", AT(measure.abandon)},
    {"measure", "keep_builds", CHOICE, "yes, no", "yes", AT(measure.keep_builds)},
    {"measure", "counters", CHOICE, "yes, no", "no", AT(measure.counters)},
    {"measure", "peaks", CHOICE, "yes, no", "yes", AT(measure.peaks)},
    {"measure", "pin", CHOICE, "yes, no", "yes", AT(measure.pin)},
    {"measure", "verify", CHOICE, "oclgrind, results", "results", AT(measure.verify_oclgrind)},
    {"measure", "aim", CHOICE, "winner, table", "table", AT(measure.winner_only)},
    {"measure", "objective", OBJECTIVE, NULL, "time", AT(measure.objective)},
    {"measure", "time", TIME_LIMIT, NULL, "none", AT(measure.time_s)},
    {"limits", "setup", SECONDS, NULL, "120s", AT(limits.setup_s)},
    {"limits", "build", SECONDS, NULL, "60s", AT(limits.build_s)},
    {"limits", "launch", SECONDS, NULL, "60s", AT(limits.launch_s)},
    {"limits", "trial", SECONDS, NULL, "300s", AT(limits.trial_s)},
    {"limits", "memory", BYTES, "0..", "0", AT(limits.memory_bytes)},
    {"limits", "source", BYTES, "0..", "0", AT(limits.source_bytes)},
};

#define KEY_COUNT (sizeof keys / sizeof keys[0])

/* Longer values are written in several lines, if they have blanks. */
#define LONGEST_LINE 100

bool clopt_study_is_plain(const char *section)
{
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (strcmp(keys[i].section, section) == 0)
            return true;
    return false;
}

const char *clopt_study_plain_key(size_t index, const char **name, const char **initial)
{
    if (index >= KEY_COUNT)
        return NULL;
    *name = keys[index].name;
    *initial = keys[index].initial;
    return keys[index].section;
}

enum clopt_status clopt_study_unknown_key(const struct clopt_ini_section *section,
                                          const struct clopt_ini_setting *setting,
                                          const char *const *names, size_t count,
                                          struct clopt_error *error)
{
    const char *near = clopt_suggest(setting->key, names, count);
    if (near)
        return clopt_fail(error, CLOPT_INVALID, "%s: [%s] %s: unknown key; did you mean %s?",
                          setting->origin, section->name, setting->key, near);
    struct clopt_text known = {0};
    for (size_t i = 0; i < count; i++)
        clopt_text_printf(&known, "%s%s", i ? ", " : "", names[i]);
    clopt_fail(error, CLOPT_INVALID, "%s: [%s] %s: unknown key; it knows %s", setting->origin,
               section->name, setting->key, count ? clopt_text_string(&known) : "none");
    clopt_text_fini(&known);
    return CLOPT_INVALID;
}

/* Reads a number and the unit after it; returns the unit, or NULL for no number. */
static const char *read_number(const char *text, double *number)
{
    char *end;
    *number = strtod(text, &end);
    if (end == text || !isfinite(*number) || memchr(text, 'x', (size_t)(end - text)))
        return NULL;
    return end + strspn(end, " \t");
}

/* These return NULL, or what is wrong with the text. */
static const char *read_seconds(const char *text, double *seconds)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}};
    const char *unit = read_number(text, seconds);
    for (size_t i = 0; unit && *seconds > 0 && i < sizeof units / sizeof units[0]; i++)
        if (strcmp(unit, units[i].unit) == 0) {
            *seconds *= units[i].seconds;
            return *seconds < 1e9 ? NULL : "longer than 30 years";
        }
    return "not a time such as 500ms, 10s, 2min or 1h";
}

static const char *read_share(const char *text, double *share)
{
    const char *unit = read_number(text, share);
    if (unit && strcmp(unit, "%") == 0)
        *share /= 100;
    else if (unit && *unit)
        unit = NULL;
    return unit && *share > 0 && *share < 1 ? NULL : "not a share between 0% and 100%, such as 2%";
}

static const char *read_factor(const char *text, double *factor)
{
    char *end;
    *factor = strtod(text, &end);
    bool ended = end != text && (!*end || strcmp(end, "x") == 0);
    return ended && *factor > 1 && *factor < 1e9 ? NULL : "not a factor above 1, such as 3x";
}

static const char *read_time_limit(const char *text, double *seconds)
{
    *seconds = 0;
    if (strcmp(text, "none") == 0 || !read_seconds(text, seconds))
        return NULL;
    return "not a time such as 500ms, 10s, 2min or 1h, nor none";
}

/* Reads one of two words. */
static enum clopt_status read_choice(const char *text, const char *words, bool *first,
                                     struct clopt_error *error)
{
    size_t length = strcspn(words, ",");
    *first = strlen(text) == length && strncmp(text, words, length) == 0;
    return *first || strcmp(text, words + length + 2) == 0
               ? CLOPT_OK
               : clopt_fail(error, CLOPT_INVALID, "%s: not one of %s", text, words);
}

/* Reads an integer of a legal range; its message says all that there is to say. */
static enum clopt_status read_count(const char *text, const char *legal, uint64_t *count,
                                    struct clopt_error *error)
{
    struct clopt_value value;
    enum clopt_status status = clopt_value_parse(text, CLOPT_INTEGER, &value, error);
    if (status == CLOPT_OK)
        status = clopt_value_check_legal(&value, legal, error);
    *count = (uint64_t)value.integer;
    free(value.text);
    return status;
}

static enum clopt_status read_key(const struct key *key, const char *text,
                                  struct clopt_study *study, struct clopt_error *error)
{
    void *member = (char *)study + key->offset;
    const char *wrong = NULL;
    switch (key->kind) {
    case TEXT:
        *(char **)member = strdup(text);
        return *(char **)member ? CLOPT_OK : clopt_fail_memory(error);
    case COUNT:
    case BYTES:
        return read_count(text, key->legal, member, error);
    case SHARE:
        wrong = read_share(text, member);
        break;
    case FACTOR:
        wrong = read_factor(text, member);
        break;
    case SECONDS:
        wrong = read_seconds(text, member);
        break;
    case TIME_LIMIT:
        wrong = read_time_limit(text, member);
        break;
    case CHOICE:
        return read_choice(text, key->legal, member, error);
    case OBJECTIVE:
        wrong = clopt_objective_find(text, member) ? NULL : "not one of time, energy, energy-delay";
        break;
    }
    return wrong ? clopt_fail(error, CLOPT_INVALID, "%s: %s", text, wrong) : CLOPT_OK;
}

/* Refuses what a section does not know. */
static enum clopt_status check_section(const struct clopt_ini_section *section,
                                       struct clopt_error *error)
{
    const char *names[KEY_COUNT + 1];
    size_t count = 0;
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (strcmp(keys[i].section, section->name) == 0)
            names[count++] = keys[i].name;
    if (strcmp(section->name, "study") == 0)
        names[count++] = "include"; /* followed already, but worth a suggestion */
    for (size_t i = 0; i < section->count; i++) {
        size_t known = 0;
        while (known < count && strcmp(names[known], section->settings[i].key) != 0)
            known++;
        if (known == count)
            return clopt_study_unknown_key(section, &section->settings[i], names, count, error);
    }
    return CLOPT_OK;
}

static enum clopt_status check_together(const struct clopt_ini *ini,
                                        const struct clopt_study *study, struct clopt_error *error)
{
    const struct clopt_measure *measure = &study->measure;
    if (measure->min_samples <= measure->max_samples)
        return CLOPT_OK;
    const struct clopt_ini_section *section = clopt_ini_section(ini, "measure");
    const struct clopt_ini_setting *setting = clopt_ini_setting(section, "min_samples");
    if (!setting)
        setting = clopt_ini_setting(section, "max_samples");
    return clopt_fail(
        error, CLOPT_INVALID, "%s: [measure] min_samples = %llu is more than max_samples = %llu",
        setting ? setting->origin : study->path, (unsigned long long)measure->min_samples,
        (unsigned long long)measure->max_samples);
}

enum clopt_status clopt_study_read_plain(const struct clopt_ini *ini, struct clopt_study *study,
                                         struct clopt_error *error)
{
    for (size_t i = 0; i < ini->count; i++) {
        if (!clopt_study_is_plain(ini->sections[i].name))
            continue;
        enum clopt_status status = check_section(&ini->sections[i], error);
        if (status)
            return status;
    }
    for (size_t i = 0; i < KEY_COUNT; i++) {
        const struct clopt_ini_setting *setting =
            clopt_ini_setting(clopt_ini_section(ini, keys[i].section), keys[i].name);
        const char *text = setting ? setting->value : keys[i].initial;
        if (!text)
            continue;
        enum clopt_status status = read_key(&keys[i], text, study, error);
        if (status) {
            char reason[sizeof error->message] = "";
            if (error)
                memcpy(reason, error->message, sizeof reason);
            return clopt_fail(error, status, "%s: [%s] %s = %s", setting ? setting->origin : "",
                              keys[i].section, keys[i].name, reason);
        }
    }
    study->measure.precision_named =
        clopt_ini_setting(clopt_ini_section(ini, "measure"), "precision");
    return check_together(ini, study, error);
}

enum clopt_status clopt_study_default_limits(struct clopt_limits *limits, struct clopt_error *error)
{
    struct clopt_study study = {0};
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < KEY_COUNT && !status; i++)
        if (strcmp(keys[i].section, "limits") == 0)
            status = read_key(&keys[i], keys[i].initial, &study, error);
    *limits = study.limits;
    return status;
}

/* Returns where a line ends that begins at `text`: at its end, or at a blank where the rest can
 * stand in a line of its own. */
static const char *find_break(const char *text, size_t room)
{
    const char *end = NULL;
    for (const char *blank = strchr(text, ' '); blank; blank = strchr(blank + 1, ' ')) {
        if (end && (size_t)(blank - text) > room)
            break;
        if (blank > text && blank[-1] != ' ' && blank[1] != ' ' &&
            clopt_ini_may_continue(blank + 1))
            end = blank;
    }
    bool fits = strlen(text) <= room;
    return end && !fits ? end : text + strlen(text);
}

void clopt_study_print_value(struct clopt_text *text, const char *key, const char *value,
                             const char *origin)
{
    if (strlen(key) + strlen(value) + 3 <= LONGEST_LINE) {
        clopt_text_printf(text, "%s = %s ; %s\n", key, value, origin);
        return;
    }
    clopt_text_printf(text, "; %s\n%s =", origin, key);
    size_t room = LONGEST_LINE - 4;
    size_t first = strlen(key) + 3 < room ? room - strlen(key) - 3 : 0;
    for (const char *end; *value; value = end + (*end == ' ')) {
        end = find_break(value, first);
        clopt_text_printf(text, "%s%.*s\n", first == room ? "    " : " ", (int)(end - value),
                          value);
        first = room;
    }
}

void clopt_study_print_plain(struct clopt_text *text, const struct clopt_ini *ini,
                             const char *section)
{
    clopt_text_printf(text, "[%s]\n", section);
    const struct clopt_ini_section *written = clopt_ini_section(ini, section);
    for (size_t i = 0; i < KEY_COUNT; i++) {
        if (strcmp(keys[i].section, section) != 0)
            continue;
        const struct clopt_ini_setting *setting = clopt_ini_setting(written, keys[i].name);
        if (setting)
            clopt_study_print_value(text, keys[i].name, setting->value, setting->origin);
        else if (keys[i].initial)
            clopt_study_print_value(text, keys[i].name, keys[i].initial, "default");
    }
}
