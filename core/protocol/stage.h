/* SPDX-License-Identifier: BSD-3-Clause */
/* The stages of a trial: what has a time limit of its own, and what wall time is accounted to. */
#pragma once

enum clopt_stage {
    CLOPT_STAGE_OPEN,   /* open the device */
    CLOPT_STAGE_PEAKS,  /* measure what the device can do at most */
    CLOPT_STAGE_SETUP,  /* make or read the inputs, compute the reference */
    CLOPT_STAGE_MAKE,   /* rewrite the source */
    CLOPT_STAGE_BUILD,  /* compile it */
    CLOPT_STAGE_LAUNCH, /* first launch, with the compilation that the driver put off */
    CLOPT_STAGE_VERIFY, /* check the result */
    CLOPT_STAGE_SAMPLE, /* timed runs */
    CLOPT_STAGE_COUNT,  /* runs in which it is counted what is executed */
    CLOPT_STAGES
};

const char *clopt_stage_name(enum clopt_stage stage);

/* Finds a stage by its name, which may be NULL; CLOPT_STAGES: there is none. */
enum clopt_stage clopt_stage_find(const char *name);
