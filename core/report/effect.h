/* SPDX-License-Identifier: BSD-3-Clause */
/* What a parameter does to the best speed-up: of many kernels and devices, from many stores. */
#ifndef CLOPT_REPORT_EFFECT_H
#define CLOPT_REPORT_EFFECT_H

#include "report/report.h"
#include "results/results.h"

/* The fastest variant that has one value. */
struct clopt_effect_point {
    const struct clopt_results_row *row; /* NULL: there is none with a time */
    struct clopt_interval speedup;       /* over the baseline */
};

/* A kernel and problem on a device. */
struct clopt_effect {
    const char *kernel;
    const char *problem;
    const char *app;
    char *label; /* the kernel, with its problem where others have its name */
    size_t device;
    const struct clopt_results_row *baseline;
    struct clopt_interval initial; /* the initial code over the baseline */
    struct clopt_effect_point *points;
    size_t best; /* of the points that set the parameter; CLOPT_NO_ROW: none */
};

struct clopt_effects {
    const struct clopt_report_effects *request;
    struct clopt_results **results; /* of each store */
    size_t result_count;
    const struct clopt_results_device **devices;
    size_t device_count;
    char **values; /* in ascending order; number 0 is "none": it is not set */
    size_t value_count;
    struct clopt_effect *items; /* a device's are together */
    size_t count;
};

/* Reads the stores. Texts in it are one line each. */
enum clopt_status clopt_effects_init(struct clopt_effects *effects,
                                     const struct clopt_report_effects *request,
                                     struct clopt_error *error);
void clopt_effects_fini(struct clopt_effects *effects);

/* What a variant sets a parameter to, such as "granularity" or "geometry.granularity", for the
 * caller to free: several values are joined by *; NULL: nothing, or memory ran out. */
char *clopt_effect_value(const char *variant, const char *parameter);

/* Names a device: by its label, or by its platform where others have that label, too. */
const char *clopt_effects_device(const struct clopt_effects *effects, size_t device);

/* Computes the geometric mean of the speed-ups of a device's kernels with value number `value`, or
 * with the best one (CLOPT_NO_ROW); `samples` says of how many. Their intervals are independent. */
struct clopt_interval clopt_effects_mean(const struct clopt_effects *effects, size_t device,
                                         size_t value);

#endif
