/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs one trial of a study once more, in a worker, and reports all about it. */
#pragma once

#include "pool/query.h"
#include "store/store.h"

struct clopt_reproduce_options {
    struct clopt_process_settings settings; /* but for the workers' folder */
    const struct clopt_limits *limits;
    const struct clopt_measure *measure;
    const char *platform; /* of the device, exactly */
    const char *device;   /* its name, exactly */
    json_t *trial;        /* clopt_trial_to_json()'s */
    const char *binary;   /* the file that gets what the driver made of it */
    FILE *stream;         /* gets a line for each stage, as it goes */
};

/* What became of it. */
struct clopt_reproduction {
    struct clopt_device_info device;
    enum clopt_outcome outcome;
    struct clopt_reply reply;     /* the worker's, and why it is not ok */
    struct clopt_error no_binary; /* why there is none, although it was built */
};

/* Runs a trial through make, build, first launch, check and a few samples, as a study does, and
 * then builds it once more, in a worker of its own, for the binary. A trial that fails is no
 * error: CLOPT_DEVICE_LOST where the device is not there, or another status where no worker could
 * be had. */
enum clopt_status clopt_reproduce(const struct clopt_reproduce_options *options,
                                  struct clopt_reproduction *reproduction,
                                  struct clopt_error *error);
void clopt_reproduction_fini(struct clopt_reproduction *reproduction);
