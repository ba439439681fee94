/* SPDX-License-Identifier: BSD-3-Clause */
/* A recorded space as something to learn from: a kernel on a device, and what its variants gained.
 */
#pragma once

#include "analysis/profile.h"
#include "trial/rate.h"

/* A device, as far as it is known. */
struct clopt_training_record_device {
    char type[16]; /* cpu, gpu, ... */
    double compute_units;
    struct clopt_peaks peaks;
};

struct clopt_training_record_variant {
    char *name; /* "vector(across=4)+geometry(granularity=2)"; "initial code" */
    const struct clopt_profile *profile;
    double gain; /* logarithm to base 2 of the speed-up over the initial code */
};

struct clopt_training_record {
    char *kernel;
    char *app;
    char *problem;
    char *device_name;
    struct clopt_training_record_device device;
    struct clopt_profile *profiles;
    size_t profile_count;
    struct clopt_training_record_variant *variants; /* those that were right and have a profile */
    size_t count;
    size_t initial;
    size_t best;
};

/* Reads a recorded space (`clopt report --space`). CLOPT_INVALID says what it lacks. */
enum clopt_status clopt_training_record_init(struct clopt_training_record *record,
                                             const json_t *document, struct clopt_error *error);
void clopt_training_record_fini(struct clopt_training_record *record);
