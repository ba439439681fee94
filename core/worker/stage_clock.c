/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells which stage a process is in, and how long each has taken. */
#include "worker/stage_clock.h"

#include "base/clock.h"

void clopt_stage_begin(struct clopt_stage_clock *clock, enum clopt_stage stage)
{
    if (clock->depth++)
        return;
    clock->stage = stage;
    clock->began_ns = clopt_now_ns();
    if (clock->begins)
        clock->begins(clock->user, stage);
}

enum clopt_status clopt_stage_end(struct clopt_stage_clock *clock, enum clopt_status status)
{
    if (--clock->depth == 0)
        clock->seconds[clock->stage] += (double)(clopt_now_ns() - clock->began_ns) * 1e-9;
    return status;
}
