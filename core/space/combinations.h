/* SPDX-License-Identifier: BSD-3-Clause */
/* The combinations of parameter values that an app has with its problems, devices and kernels. */
#ifndef CLOPT_SPACE_COMBINATIONS_H
#define CLOPT_SPACE_COMBINATIONS_H

#include <stddef.h>
#include <stdint.h>

#include "space/configurations.h"

/* Combinations with one problem, device and kernel. */
struct clopt_combinations {
    struct clopt_configurations *configurations;
    uint64_t count;
    uint64_t nothing; /* number of the initial values; UINT64_MAX: they are not among them */
};

struct clopt_study_constraint;
struct clopt_study_parameter;

/* The parameters of an app, and their combinations that satisfy the constraints. */
struct clopt_app_parameters {
    const struct clopt_study_parameter
        *members[CLOPT_MOST_PARAMETERS]; /* those of the study that the app has */
    size_t count;
    const struct clopt_study_constraint
        *constraints[CLOPT_MOST_CONSTRAINTS]; /* that are about it */
    size_t constraint_count;
    size_t problems; /* 1, where no constraint names an input; and so on */
    size_t devices;
    size_t kernels;
    struct clopt_combinations *cells; /* (problem * devices + device) * kernels + kernel */
};

void clopt_app_parameters_destroy(struct clopt_app_parameters *parameters);

#endif
