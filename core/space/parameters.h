/* SPDX-License-Identifier: BSD-3-Clause */
/* The parameters of a study's apps: which combinations of values there are, and what they are. */
#pragma once

#include "space/configurations.h"
#include "space/space.h"

/* Combinations with one problem, device and kernel. */
struct clopt_combinations {
    struct clopt_configurations *configurations;
    uint64_t count;
    uint64_t nothing; /* number of the initial values; UINT64_MAX: they are not among them */
};

/* The parameters of an app, and their combinations that satisfy the constraints. */
struct clopt_app_parameters {
    const struct clopt_study_parameter
        *members[CLOPT_MOST_PARAMETERS]; /* those of the study that the app has */
    size_t count;
    const struct clopt_constraint *constraints[CLOPT_MOST_CONSTRAINTS]; /* that are about it */
    size_t constraint_count;
    size_t problems; /* 1, where no constraint names an input; and so on */
    size_t devices;
    size_t kernels;
    struct clopt_combinations *cells; /* (problem * devices + device) * kernels + kernel */
};

void clopt_app_parameters_destroy(struct clopt_app_parameters *parameters);

/* Lists what constraints may name: parameters, inputs of apps, and what is known of a device, at
 * most `most`; returns how many. The names are the study's. */
size_t clopt_study_name_variables(const struct clopt_study *study, const char **names, size_t most);

/* Finds, for each app with parameters, the combinations that satisfy the constraints: once a study
 * has been read, and again where its devices are known, if constraints name them; `devices` is NULL
 * before, and such constraints are left out. */
enum clopt_status clopt_study_find_combinations(struct clopt_study *study,
                                                const struct clopt_device_info *devices,
                                                struct clopt_error *error);

/* Gives a trial of an app all parameters, with their initial values. */
void clopt_study_initial_parameters(const struct clopt_study *study,
                                    const struct clopt_plugin_entry *app,
                                    struct clopt_trial *trial);

/* How many combinations a kernel has, without the initial values. */
uint64_t clopt_study_combination_count(const struct clopt_subspace *space);

/* Finds combination number `index`: its values' numbers in the lists of the app's parameters. */
void clopt_study_combination(const struct clopt_subspace *space, uint64_t index, size_t *choice);

/* Sets a trial's parameters, which have their initial values, to value number choice[i] of the
 * app's parameter number i (SIZE_MAX: its initial value). CLOPT_INFEASIBLE, without a message,
 * where the constraints do not allow that. */
enum clopt_status clopt_study_choose_values(const struct clopt_subspace *space,
                                            const size_t *choice, struct clopt_trial *trial,
                                            struct clopt_error *error);
