/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a study from an INI file, checked against the plugins that it names. */
#pragma once

#include "space/study.h"

/* One -s section.key=value of the command line. */
struct clopt_override {
    const char *text;
    bool weak; /* only where the study says nothing of it */
};

/* Reads and checks a study. CLOPT_INVALID: `study.ini:12: [measure] precison: unknown key; did you
 * mean precision?`. CLOPT_PLUGIN_UNUSABLE: a plugin that it names cannot be used. */
enum clopt_status clopt_study_read(const char *path, const struct clopt_registry *registry,
                                   const struct clopt_override *overrides, size_t override_count,
                                   struct clopt_study **study, struct clopt_error *error);

/* Whether a text may be the name of a host. */
bool clopt_host_name_is_legal(const char *name);

/* Completes what is known of a host; `launcher` is for one that names none, NULL the standard one.
 */
enum clopt_status clopt_study_complete_host(const struct clopt_registry *registry,
                                            struct clopt_study_host *host, const char *launcher,
                                            struct clopt_error *error);
