/* SPDX-License-Identifier: BSD-3-Clause */
/* The sections of a study whose keys are always the same. */
#ifndef CLOPT_STUDY_KEYS_H
#define CLOPT_STUDY_KEYS_H

#include "space/study.h"
#include "study/ini.h"
#include "text/text.h"

/* Tells whether a section's name is [study], [combine], [measure] or [limits]. */
bool clopt_study_is_plain(const char *section);

/* Returns the section of key number `index` of these sections, with its name and default, which is
 * NULL where there is none; NULL: there are no more keys. */
const char *clopt_study_plain_key(size_t index, const char **name, const char **initial);

/* Sets all keys of the plain sections, from the INI or to their defaults. */
enum clopt_status clopt_study_read_plain(const struct clopt_ini *ini, struct clopt_study *study,
                                         struct clopt_error *error);

/* Sets the limits that hold where no study says others. */
enum clopt_status clopt_study_default_limits(struct clopt_limits *limits,
                                             struct clopt_error *error);

/* Reports a key that a section does not know, with the nearest of `names`. */
enum clopt_status clopt_study_unknown_key(const struct clopt_ini_section *section,
                                          const struct clopt_ini_setting *setting,
                                          const char *const *names, size_t count,
                                          struct clopt_error *error);

/* Writes one plain section with the origin of each value. */
void clopt_study_print_plain(struct clopt_text *text, const struct clopt_ini *ini,
                             const char *section);

/* Writes "key = value ; origin", in several lines where that is long. */
void clopt_study_print_value(struct clopt_text *text, const char *key, const char *value,
                             const char *origin);

#endif
