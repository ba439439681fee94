/* SPDX-License-Identifier: BSD-3-Clause */
/* Apps that a study describes: which of its sections are theirs. */
#pragma once

#include "study/schema.h"

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
