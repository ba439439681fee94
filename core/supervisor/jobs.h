/* SPDX-License-Identifier: BSD-3-Clause */
/* The jobs that are under way: as many as there may be workers that build. */
#ifndef CLOPT_SUPERVISOR_JOBS_H
#define CLOPT_SUPERVISOR_JOBS_H

#include "supervisor/job.h"

struct clopt_jobs {
    struct clopt_loop *loop;
    struct clopt_job *items;
    size_t count;
    size_t built; /* contenders, so far */
    bool paused;
};

enum clopt_status clopt_jobs_init(struct clopt_jobs *jobs, struct clopt_loop *loop, size_t count,
                                  struct clopt_error *error);
void clopt_jobs_fini(struct clopt_jobs *jobs);

/* Counts those that are busy, for one group (NULL: for all). */
size_t clopt_jobs_busy(const struct clopt_jobs *jobs, const struct clopt_group *group);

/* Returns one that is not busy; NULL: there is none. */
struct clopt_job *clopt_jobs_free(struct clopt_jobs *jobs);

/* Whether finalists are being checked with another problem. */
bool clopt_jobs_are_rechecking(const struct clopt_jobs *jobs, unsigned problem);

/* Whether all of them can be paused now; pauses them, or lets them go on. */
bool clopt_jobs_can_pause(const struct clopt_jobs *jobs);
void clopt_jobs_pause(struct clopt_jobs *jobs, bool paused);

/* Ends those that build a group's contenders. */
void clopt_jobs_cancel_builds(struct clopt_jobs *jobs, const struct clopt_group *group);

/* Counts what they have built since this was called last. */
void clopt_jobs_collect(struct clopt_jobs *jobs);

#endif
