/* SPDX-License-Identifier: BSD-3-Clause */
/* What the sections of apps and optimizations have in common: keys, lists and kernels. */
#ifndef CLOPT_STUDY_SECTION_H
#define CLOPT_STUDY_SECTION_H

#include <clopt/app.h>

#include "number/values.h"
#include "plugin/registry.h"
#include "space/study.h"
#include "study/ini.h"

#define CLOPT_MOST_NAMES  64   /* that are worth a suggestion */
#define CLOPT_MOST_VALUES 4096 /* of one list */

/* Puts "FILE:LINE: [section] " in front of a message. */
enum clopt_status clopt_study_fail_at(const char *origin, const struct clopt_ini_section *section,
                                      struct clopt_error *error);

/* Refuses keys that are neither one of `keys`, which end with NULL, nor a parameter. */
enum clopt_status clopt_study_check_keys(const struct clopt_ini_section *section,
                                         const char *const *keys,
                                         const struct clopt_parameter *parameters,
                                         struct clopt_error *error);

/* Makes the list of one value that holds where a study sets none. */
enum clopt_status clopt_study_list_initial(const struct clopt_value *value, struct clopt_list *list,
                                           struct clopt_error *error);

/* Parses the list of a setting. */
enum clopt_status clopt_study_list_setting(const struct clopt_ini_section *section,
                                           const struct clopt_ini_setting *setting,
                                           enum clopt_type type, struct clopt_list *list,
                                           struct clopt_error *error);

/* Finds a kernel of an app; NULL where it has none of that name. */
const struct clopt_kernel *clopt_study_find_kernel(const struct clopt_plugin_entry *app,
                                                   const char *name);

/* Appends the names of an app's kernels to `count` names, CLOPT_MOST_NAMES at most; returns how
 * many there are then. */
size_t clopt_study_name_kernels(const struct clopt_plugin_entry *app, const char **names,
                                size_t count);

/* Reads `apps` and `kernels`, which say what a section is for, and checks that the study has them.
 * Lists of what is not set stay empty. */
enum clopt_status clopt_study_read_targets(const struct clopt_study *study,
                                           const struct clopt_ini_section *section,
                                           struct clopt_list *apps, struct clopt_list *kernels,
                                           struct clopt_error *error);

/* Reports a name in `kernels` that no kernel has, with the nearest of `names`. */
enum clopt_status clopt_study_fail_kernel(const struct clopt_ini_section *section, const char *name,
                                          const char *const *names, size_t count,
                                          struct clopt_error *error);

#endif
