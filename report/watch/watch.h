/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks on while a study runs: shows and stores what it does, where the time goes, what its devices
 * can do at most, and what is named as the best. */
#pragma once

#include "supervisor/watcher.h"
#include "watch/progress.h"
#include "watch/timeline.h"

struct clopt_watch {
    struct clopt_watcher watcher; /* for a supervisor's options */
    struct clopt_progress progress;
    struct clopt_timeline timeline;
};

/* Begins to look on, for a terminal and a line of CLOPT_PROGRESS bytes, each of which may be NULL;
 * the caller ends it. */
void clopt_watch_begin(struct clopt_watch *watch, FILE *stream, char *line);
void clopt_watch_end(struct clopt_watch *watch);

/* Operations of the watcher, which has itself as `user`: warns of what disturbs measurements, and
 * finds what devices can do at most; names the best of a race in the store and, where the study
 * searches it, in a note: how near the best it is, and why nothing more was tried. */
void clopt_watch_devices(void *user, const struct clopt_schedule *schedule);
void clopt_watch_name(void *user, const struct clopt_race *race, const struct clopt_ending *ending);
