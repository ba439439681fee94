/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells which stage a process is in, and how long each has taken. */
#ifndef CLOPT_WORKER_STAGE_CLOCK_H
#define CLOPT_WORKER_STAGE_CLOCK_H

#include <stdint.h>

#include <clopt/error.h>

#include "protocol/stage.h"

struct clopt_stage_clock {
    void (*begins)(void *user, enum clopt_stage stage); /* called for each stage; may be NULL */
    void *user;
    unsigned depth; /* stages within a stage are part of it */
    enum clopt_stage stage;
    int64_t began_ns;
    double seconds[CLOPT_STAGES];
};

/* Begin a stage and end it; the end hands its status through. */
void clopt_stage_begin(struct clopt_stage_clock *clock, enum clopt_stage stage);
enum clopt_status clopt_stage_end(struct clopt_stage_clock *clock, enum clopt_status status);

#endif
