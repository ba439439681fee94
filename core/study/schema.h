/* SPDX-License-Identifier: BSD-3-Clause */
/* The schema of a study: its sections, and the keys of each, a row each, from which they are read,
 * checked, printed and completed. A new key is a row; a new section is an extension of kind
 * SECTION, whose operations are a struct clopt_study_section. */
#pragma once

#include "schema/key.h"
#include "space/study.h"
#include "study/ini.h"

#define CLOPT_MOST_NAMES 64 /* that are worth a suggestion */

/* What the readers of sections share. */
struct clopt_study_reading {
    struct clopt_ini *ini; /* a section may set what is effective beside what was said */
    const struct clopt_registry *registry;
    struct clopt_study *study;
    struct clopt_error *error;
};

struct clopt_study_section {
    /* Reads one section of a kind with labels. */
    enum clopt_status (*read)(const struct clopt_study_reading *reading,
                              const struct clopt_ini_section *section, const char *label);

    /* Does what is to be done after the last section of the kind; NULL: nothing. */
    enum clopt_status (*finish)(const struct clopt_study_reading *reading);

    const char *kind;  /* the first word of its name */
    const char *label; /* what help calls the others; NULL: there are none, and the study is read */
    const struct clopt_key *keys; /* NULL: any */
    bool is_optional;             /* printed only where the study has it */
    bool is_early;                /* read before apps, whose problems depend on it */

    /* Returns the parameters that are keys of a section, too; NULL: none, or nobody has them. */
    const struct clopt_parameter *(*parameters)(const struct clopt_registry *registry,
                                                const struct clopt_ini_section *section);
};

/* Returns section `index` in the order in which they are read and printed: clopt's own, then those
 * of the registry (NULL: none); NULL at the end. */
const struct clopt_study_section *clopt_study_section(const struct clopt_registry *registry,
                                                      size_t index);

/* Each in a file of its own. Apps come before optimizations, whose knobs are theirs. */
extern const struct clopt_study_section clopt_section_device, clopt_section_app,
    clopt_section_optimization, clopt_section_combine;

/* Tells whether a section is of a kind; `label` (may be NULL) gets what follows the first word. */
bool clopt_section_is(const struct clopt_study_section *kind,
                      const struct clopt_ini_section *section, const char **label);

/* Returns the kind of a section; NULL: none, it may describe an app. */
const struct clopt_study_section *clopt_section_of(const struct clopt_registry *registry,
                                                   const struct clopt_ini_section *section);

/* Reads the keys of a section (NULL: it is not there) into what their rows say. Keys that are
 * neither in a row nor a parameter are refused. */
enum clopt_status clopt_keys_read(const struct clopt_key *keys,
                                  const struct clopt_ini_section *section,
                                  const struct clopt_parameter *parameters, void *into,
                                  struct clopt_error *error);

/* Lists the words that a value may be, or usually is, and names of extensions; none of numbers. */
struct clopt_list clopt_key_words(const struct clopt_key *key,
                                  const struct clopt_registry *registry);

/* Checks that the value of a text is one of its words. */
enum clopt_status clopt_key_check(const struct clopt_key *keys, const char *name,
                                  const struct clopt_study_reading *reading,
                                  const struct clopt_ini_section *section);

/* Returns the value of a key, or its default. */
const char *clopt_key_value(const struct clopt_key *keys, const struct clopt_ini_section *section,
                            const char *name);

/* Puts "FILE:LINE: [section] " in front of a message. */
enum clopt_status clopt_study_fail_at(const char *origin, const struct clopt_ini_section *section,
                                      struct clopt_error *error);

/* Makes the list of one value that holds where a study sets none. */
void clopt_study_list_initial(const struct clopt_value *value, struct clopt_list *list);

/* Parses the list of a setting. */
enum clopt_status clopt_study_list_setting(const struct clopt_ini_section *section,
                                           const struct clopt_ini_setting *setting,
                                           enum clopt_type type, struct clopt_list *list,
                                           struct clopt_error *error);

/* Whether the study has a device of that label. */
bool clopt_study_has_device(const struct clopt_study *study, const char *label);

/* Returns the app that reports call so; NULL: none that has been read. */
const struct clopt_plugin_entry *clopt_study_app(const struct clopt_study *study, const char *name);

/* Checks that the study has the apps and kernels that a section is for. */
enum clopt_status clopt_study_check_targets(const struct clopt_study_reading *reading,
                                            const struct clopt_ini_section *section,
                                            const struct clopt_list *apps,
                                            const struct clopt_list *kernels);

/* Reads the sections without labels, whose keys are always the same. */
enum clopt_status clopt_study_read_plain(const struct clopt_study_reading *reading);

/* Writes the effective configuration as an INI. */
char *clopt_study_print(const struct clopt_study_reading *reading);

/* ---- apps that a study describes: which of its sections are theirs ---- */

/* What [app NAME] or [app NAME LABEL] means. */
struct clopt_study_title {
    const struct clopt_plugin_entry *plugin;
    const char *label; /* NULL: none; points into the section's name */
};

/* Finds the plugin that a section [app ...] names. */
enum clopt_status clopt_study_read_title(const struct clopt_ini_section *section,
                                         const struct clopt_registry *registry,
                                         struct clopt_study_title *title,
                                         struct clopt_error *error);

/* Tells whether a section describes some app of the study. */
bool clopt_study_is_description(const struct clopt_ini *ini, const struct clopt_registry *registry,
                                const struct clopt_ini_section *section);

/* Appends the kinds of sections that describe apps of the study, each once, to `count` names;
 * returns how many names there are then, at most `most`. */
size_t clopt_study_add_kinds(const struct clopt_ini *ini, const struct clopt_registry *registry,
                             const char **names, size_t count, size_t most);

/* Finds the section that lists an app's inputs: [app ...] itself, or the one that a description
 * has for them. NULL: the study has none. */
const struct clopt_ini_section *clopt_study_inputs_section(const struct clopt_ini *ini,
                                                           const struct clopt_study_title *title,
                                                           const struct clopt_ini_section *section);

/* Collects the sections of an app, and lets the plugin define it, under the limits of the study; an
 * app that no study describes is the plugin's own. */
enum clopt_status clopt_study_define_app(const struct clopt_study_reading *reading,
                                         const struct clopt_ini_section *section,
                                         const struct clopt_study_title *title,
                                         const struct clopt_plugin_entry **entry);
