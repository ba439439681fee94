/* SPDX-License-Identifier: BSD-3-Clause */
/* What looks on while a study runs, for the store and for people: nothing that the supervisor does
 * depends on it. The report library has one (watch/watch.h). */
#pragma once

#include "race/race.h"

struct clopt_schedule;

/* How the comparison of the finalists ended. */
struct clopt_ending {
    bool late;     /* the study's time was over */
    bool spent;    /* they have had CLOPT_FINALS_SHARE of all that came before */
    double took_s; /* they have had */
    double need_s; /* a search of so long would have measured its best often enough; 0: it has */
};

struct clopt_watcher {
    void *user; /* of all of them */
    clopt_worker_begins begins;

    /* Devices are known, and nothing is done yet. */
    void (*start)(void *user, const struct clopt_schedule *schedule);

    /* After each step: writes to the store; then shows it to people. */
    void (*step)(void *user, const struct clopt_schedule *schedule);
    void (*show)(void *user, const struct clopt_schedule *schedule);

    /* The best of a race are known. */
    void (*name)(void *user, const struct clopt_race *race, const struct clopt_ending *ending);

    /* All workers have ended. */
    enum clopt_status (*end)(void *user, const struct clopt_schedule *schedule,
                             struct clopt_error *error);
};
