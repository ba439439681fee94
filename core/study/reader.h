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
