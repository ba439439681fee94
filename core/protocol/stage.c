/* SPDX-License-Identifier: BSD-3-Clause */
/* The stages of a trial, by name. */
#include "protocol/stage.h"

#include <string.h>

static const char *const names[] = {"open",   "peaks",  "setup",  "make", "build",
                                    "launch", "verify", "sample", "count"};

const char *clopt_stage_name(enum clopt_stage stage)
{
    return names[stage];
}

enum clopt_stage clopt_stage_find(const char *name)
{
    enum clopt_stage stage = 0;
    while (stage < CLOPT_STAGES && !(name && strcmp(names[stage], name) == 0))
        stage++;
    return stage;
}
