/* SPDX-License-Identifier: BSD-3-Clause */
/* The sections that studies have without plugins, and the keys of those that never change. */
#include "study/schema.h"

#include "trial/observer.h"

#define AT(member) offsetof(struct clopt_study, member)

/* ---- [study] ---- */

static const struct clopt_key study_keys[] = {
    CLOPT_KEY("title", VALUE, TEXT, NULL, NULL, AT(title),
              "what reports are headed with [the file's name]"),
    CLOPT_KEY("seed", VALUE, INTEGER, "0..", "1", AT(seed),
              "all pseudo-random inputs follow from it"),
    CLOPT_KEY("devices", LIST, TEXT, NULL, NULL, AT(chosen_devices),
              "the devices to use: labels, or parts of their platforms or names [all]"),
    CLOPT_KEY(
        "found", VALUE, TEXT, NULL, NULL, AT(found),
        "what clopt init or check has found to be wrong: said first, until this line is taken out"),
    CLOPT_KEY("include", INCLUDE, TEXT, NULL, NULL, 0,
              "files whose settings hold where this one has none"),
    {0},
};

/* A study is called after its file where it has no title. */
static enum clopt_status provide_title(const struct clopt_study_reading *reading)
{
    struct clopt_study *study = reading->study;
    if (study->title)
        return CLOPT_OK;
    const char *slash = strrchr(study->path, '/');
    const char *name = slash ? slash + 1 : study->path;
    const char *dot = strrchr(name, '.');
    study->title =
        dot && dot != name ? clopt_strndup(name, (size_t)(dot - name)) : clopt_strdup(name);
    return CLOPT_OK;
}

static const struct clopt_study_section study_section = {
    .kind = "study", .keys = study_keys, .finish = provide_title};

/* ---- [measure] ---- */

#define FLAG(NAME, INITIAL, HELP)                                                                  \
    CLOPT_KEY(#NAME, VALUE, BOOLEAN, NULL, INITIAL, AT(measure.NAME), HELP)

static const struct clopt_key measure_keys[] = {
    CLOPT_KEY("precision", VALUE, SHARE, NULL, "2%", AT(measure.precision),
              "how much slower than the best the named variant may be"),
    CLOPT_KEY("min_samples", VALUE, INTEGER, "1..1000000", "5", AT(measure.min_samples),
              "samples that each variant gets at least"),
    CLOPT_KEY("max_samples", VALUE, INTEGER, "1..1000000", "200", AT(measure.max_samples),
              "samples that a variant gets at most"),
    CLOPT_KEY("max_time", VALUE, TIME, NULL, "10s", AT(measure.max_time_s),
              "time that one variant is measured at most"),
    CLOPT_KEY("processes", VALUE, INTEGER, "1..1000", "3", AT(measure.processes),
              "processes that the samples come from"),
    CLOPT_KEY("abandon", VALUE, FACTOR, NULL, "3x", AT(measure.abandon),
              "give up what is this much slower than the best"),
    FLAG(keep_builds, "yes", "take compiled programs from earlier studies, and keep them"),
    FLAG(counters, "no", "store what drivers tell and Oclgrind counts of each variant"),
    FLAG(peaks, "yes", "measure what the device can do at most"),
    FLAG(pin, "yes", "pin the threads of runtimes to cores"),
    CLOPT_KEY("verify", NAME, TEXT, "results, <observer>", "results", AT(measure.verifier),
              "how variants are checked: by their results alone, or by what runs them once more"),
    CLOPT_KEY("aim", WORD, TEXT, "table, winner", "table", AT(measure.winner_only),
              "winner: what cannot be the best gets no more samples"),
    CLOPT_KEY("objective", WORD, TEXT, "time, energy, energy-delay", "time", AT(measure.objective),
              "what is made as small as possible"),
    CLOPT_KEY("time", NONE, TIME, NULL, "none", AT(measure.time_s),
              "time limit of the whole study"),
    {0},
};

static enum clopt_status check_samples(const struct clopt_study_reading *reading)
{
    struct clopt_measure *measure = &reading->study->measure;
    const struct clopt_ini_section *section = clopt_ini_section(reading->ini, "measure");
    const struct clopt_ini_setting *setting = clopt_ini_setting(section, "min_samples");
    measure->precision_named = clopt_ini_setting(section, "precision");
    if (measure->min_samples <= measure->max_samples)
        return CLOPT_OK;
    if (!setting)
        setting = clopt_ini_setting(section, "max_samples");
    return clopt_fail(reading->error, CLOPT_INVALID,
                      "%s: [measure] min_samples = %llu is more than max_samples = %llu",
                      setting ? setting->origin : reading->study->path,
                      (unsigned long long)measure->min_samples,
                      (unsigned long long)measure->max_samples);
}

/* Finds out what verifies, what counts, and what observes. */
static enum clopt_status find_observers(const struct clopt_study_reading *reading)
{
    struct clopt_measure *measure = &reading->study->measure;
    const struct clopt_plugin_entry *entry;
    for (size_t i = 0; (entry = clopt_registry_entry(reading->registry, CLOPT_KIND_OBSERVER, i));
         i++) {
        const struct clopt_observer *observer = entry->extension->operations;
        clopt_list_add(&measure->observers, entry->extension->name);
        if (strcmp(entry->extension->name, measure->verifier) == 0)
            measure->verifies = observer;
        if (observer->counts)
            measure->counter = entry->extension;
    }
    return clopt_key_check(measure_keys, "verify", reading,
                           clopt_ini_section(reading->ini, "measure"));
}

static enum clopt_status finish_measure(const struct clopt_study_reading *reading)
{
    CLOPT_TRY(check_samples(reading));
    return find_observers(reading);
}

static const struct clopt_study_section measure_section = {
    .kind = "measure", .keys = measure_keys, .finish = finish_measure};

/* ---- [limits] ---- */

static const struct clopt_key limit_keys[] = {
    CLOPT_KEY("setup", VALUE, TIME, NULL, "120s", AT(limits.setup_s),
              "time to make inputs and the reference result"),
    CLOPT_KEY("build", VALUE, TIME, NULL, "60s", AT(limits.build_s), "time to build a variant"),
    CLOPT_KEY("launch", VALUE, TIME, NULL, "60s", AT(limits.launch_s), "time of the first launch"),
    CLOPT_KEY("trial", VALUE, TIME, NULL, "300s", AT(limits.trial_s),
              "time of a trial in one worker"),
    CLOPT_KEY("memory", VALUE, INTEGER, "0..", "0", AT(limits.memory_bytes),
              "bytes of memory of a worker; 0: 90% of the machine's"),
    CLOPT_KEY("source", VALUE, INTEGER, "0..", "0", AT(limits.source_bytes),
              "bytes of a rewritten program; 0: 64 times the source, and at least 256Ki"),
    {0},
};

static const struct clopt_study_section limits_section = {.kind = "limits", .keys = limit_keys};

/* ---- all of them ---- */

static const struct clopt_study_section *const own_sections[] = {
    &study_section,         &clopt_section_device, &clopt_section_app, &clopt_section_optimization,
    &clopt_section_combine, &measure_section,      &limits_section,
};

#define OWN_SECTIONS (sizeof own_sections / sizeof *own_sections)

const struct clopt_study_section *clopt_study_section(const struct clopt_registry *registry,
                                                      size_t index)
{
    const struct clopt_plugin_entry *entry;
    if (index < OWN_SECTIONS)
        return own_sections[index];
    if (!registry)
        return NULL;
    entry = clopt_registry_entry(registry, CLOPT_KIND_SECTION, index - OWN_SECTIONS);
    return entry ? entry->extension->operations : NULL;
}

const struct clopt_study_section *clopt_section_of(const struct clopt_registry *registry,
                                                   const struct clopt_ini_section *section)
{
    const struct clopt_study_section *kind;
    for (size_t i = 0; (kind = clopt_study_section(registry, i)); i++)
        if (clopt_section_is(kind, section, NULL))
            return kind;
    return NULL;
}

enum clopt_status clopt_study_read_plain(const struct clopt_study_reading *reading)
{
    const struct clopt_study_section *kind;
    for (size_t i = 0; (kind = clopt_study_section(reading->registry, i)); i++)
        if (!kind->label && kind->keys)
            CLOPT_TRY(clopt_keys_read(kind->keys, clopt_ini_section(reading->ini, kind->kind), NULL,
                                      reading->study, reading->error));
    return CLOPT_OK;
}
