/* SPDX-License-Identifier: BSD-3-Clause */
/* The settings that an optimization has for one kernel, by number. */
#pragma once

#include "space/study.h"

/* A setting gives each parameter one value of its list. A parameter that means nothing beside the
 * values of the others (struct clopt_parameter: with, without) has its initial value, whether the
 * list holds it or not: no two settings are the same. The last parameter changes fastest. */
struct clopt_settings {
    const struct clopt_study_optimization *optimization;
    size_t values[CLOPT_LONGEST_TABLE];  /* of each parameter */
    size_t nothing[CLOPT_LONGEST_TABLE]; /* which of them changes nothing; SIZE_MAX: none */
    uint64_t foreign; /* bits of the knobs that the app has for other kernels: they have no value */
    uint64_t named;   /* bits of the parameters on which others depend */
    uint64_t count;   /* how many settings change something */
    uint64_t skipped; /* number, among all, of the one that changes nothing; UINT64_MAX: none */
};

/* Finds out what a parameter depends on; the lists of those before it and its own are there.
 * CLOPT_INVALID where it cannot mean anything, although it has values that are not initial. */
enum clopt_status clopt_settings_link(const struct clopt_study_optimization *optimization,
                                      size_t parameter, struct clopt_setting_link *link,
                                      struct clopt_error *error);

/* Counts the settings for a kernel of an app. */
void clopt_settings_init(struct clopt_settings *settings,
                         const struct clopt_study_optimization *optimization,
                         const struct clopt_plugin_entry *app, const struct clopt_kernel *kernel);

/* Whether a parameter means something where those in `changed` (a bit each) change something. */
bool clopt_settings_mean(const struct clopt_settings *settings, size_t parameter, uint64_t changed);

/* Makes the values of a step: those with number choice[i] in the lists of the parameters, as far as
 * they mean something; SIZE_MAX is the initial one. The caller destroys them in any case. */
enum clopt_status clopt_settings_make(const struct clopt_settings *settings, const size_t *choice,
                                      struct clopt_values **values, struct clopt_error *error);

/* Finds setting number `index` of those that change something: the numbers of the values in the
 * lists; SIZE_MAX: of a parameter that means nothing. */
void clopt_settings_choose(const struct clopt_settings *settings, uint64_t index, size_t *choice);
