/* SPDX-License-Identifier: BSD-3-Clause */
/* The jobs that are under way. */
#include "supervisor/jobs.h"

#include <stdlib.h>

enum clopt_status clopt_jobs_init(struct clopt_jobs *jobs, struct clopt_loop *loop, size_t count,
                                  struct clopt_error *error)
{
    *jobs = (struct clopt_jobs){.loop = loop, .items = calloc(count, sizeof *jobs->items)};
    jobs->count = jobs->items ? count : 0;
    return jobs->items ? CLOPT_OK : clopt_fail_memory(error);
}

void clopt_jobs_fini(struct clopt_jobs *jobs)
{
    for (size_t i = 0; i < jobs->count; i++)
        clopt_job_fini(&jobs->items[i]);
    free(jobs->items);
    *jobs = (struct clopt_jobs){0};
}

size_t clopt_jobs_busy(const struct clopt_jobs *jobs, const struct clopt_group *group)
{
    size_t busy = 0;
    for (size_t i = 0; i < jobs->count; i++)
        busy += jobs->items[i].contender && (!group || jobs->items[i].group == group);
    return busy;
}

struct clopt_job *clopt_jobs_free(struct clopt_jobs *jobs)
{
    for (size_t i = 0; i < jobs->count; i++)
        if (!jobs->items[i].contender)
            return &jobs->items[i];
    return NULL;
}

bool clopt_jobs_are_rechecking(const struct clopt_jobs *jobs, unsigned problem)
{
    for (size_t i = 0; i < jobs->count; i++)
        if (jobs->items[i].contender && jobs->items[i].kind == CLOPT_JOB_RECHECK &&
            jobs->items[i].problem == problem)
            return true;
    return false;
}

bool clopt_jobs_can_pause(const struct clopt_jobs *jobs)
{
    for (size_t i = 0; i < jobs->count; i++)
        if (jobs->items[i].contender && !clopt_loop_can_pause(jobs->loop, &jobs->items[i].task))
            return false;
    return true;
}

void clopt_jobs_pause(struct clopt_jobs *jobs, bool paused)
{
    for (size_t i = 0; paused != jobs->paused && i < jobs->count; i++)
        if (jobs->items[i].contender)
            clopt_loop_pause(jobs->loop, &jobs->items[i].task, paused);
    jobs->paused = paused;
}

void clopt_jobs_cancel_builds(struct clopt_jobs *jobs, const struct clopt_group *group)
{
    for (size_t i = 0; i < jobs->count; i++) {
        struct clopt_job *job = &jobs->items[i];
        if (!job->contender || job->group != group || job->kind == CLOPT_JOB_RECHECK)
            continue;
        clopt_loop_cancel(jobs->loop, &job->task);
        clopt_job_cancel(job);
    }
}

void clopt_jobs_collect(struct clopt_jobs *jobs)
{
    for (size_t i = 0; i < jobs->count; i++) {
        jobs->built += jobs->items[i].built;
        jobs->items[i].built = false;
    }
}
