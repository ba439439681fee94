/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides what is built, checked and measured next: has the queues go on beside each other. */
#include "supervisor/schedule.h"

#include "supervisor/rules.h"

#define MOST_JOBS (2 * CLOPT_MOST_SEATS) /* those that have ended are free after the next step */

/* ---- which devices share hardware ---- */

/* Whether two devices are on one host, and the same, or both its processors. */
static bool is_same(const struct clopt_pool_device *one, const struct clopt_pool_device *other)
{
    if (one->host != other->host)
        return false;
    if (clopt_device_is_cpu(&one->info) || clopt_device_is_cpu(&other->info))
        return clopt_device_is_cpu(&one->info) && clopt_device_is_cpu(&other->info);
    return one->ordinal == other->ordinal && strcmp(one->info.platform, other->info.platform) == 0;
}

/* Whether a member of one device of a study is the same as one of another device. */
static bool share_hardware(const struct clopt_run *run, size_t one, size_t other)
{
    const struct clopt_pool_device *devices = run->devices;
    size_t a = one;
    do {
        size_t b = other;
        do
            if (is_same(&devices[a], &devices[b]))
                return true;
        while ((b = devices[b].next));
    } while ((a = devices[a].next));
    return false;
}

/* Puts a device of the study on a queue: that of those before it with which it shares hardware. */
static void assign(struct clopt_schedule *schedule, size_t device)
{
    size_t *queue_of = schedule->queue_of;
    queue_of[device] = device;
    for (size_t i = 0; i < device; i++) {
        size_t one = queue_of[i], other = queue_of[device];
        for (size_t j = 0; j <= device && share_hardware(schedule->run, device, i); j++)
            if (queue_of[j] == one || queue_of[j] == other)
                queue_of[j] = one < other ? one : other;
    }
}

/* Makes a queue ready; returns how many measurements it may have. */
static size_t init_queue(struct clopt_schedule *schedule, size_t number)
{
    const struct clopt_study *study = schedule->run->study;
    struct clopt_device_queue *queue = &schedule->queues[number];
    size_t most = 0;
    *queue = (struct clopt_device_queue){.schedule = schedule, .number = number};
    for (size_t d = 0; d < study->device_count; d++) {
        size_t members = clopt_run_count_members(schedule->run, d);
        if (schedule->queue_of[d] != number)
            continue;
        most = members > most ? members : most;
        queue->races_left += clopt_space_group_count(study) / study->device_count;
    }
    return CLOPT_MEASUREMENTS * most;
}

void clopt_schedule_init(struct clopt_schedule *schedule, const struct clopt_run *run,
                         const struct clopt_watcher *watcher, uint64_t trials, size_t builders)
{
    size_t devices = run->study->device_count, seats = builders;
    *schedule = (struct clopt_schedule){
        .run = run,
        .pool = run->pool,
        .watcher = watcher,
        .trials = trials,
        .jobs = clopt_calloc(MOST_JOBS, sizeof *schedule->jobs),
        .on_host = clopt_calloc(run->pool->host_count + 1, sizeof *schedule->on_host),
        .host_count = run->pool->host_count,
        .builders = builders,
        .queues = clopt_calloc(devices, sizeof *schedule->queues),
        .queue_of = clopt_calloc(devices, sizeof *schedule->queue_of),
        .processors = clopt_usable_processors(),
        .began_ns = clopt_now_ns()};
    for (size_t d = 0; d < devices; d++)
        assign(schedule, d);
    for (size_t i = 0; i < run->pool->host_count; i++) {
        size_t processors = run->pool->hosts[i].processors;
        schedule->processors =
            processors > schedule->processors ? processors : schedule->processors;
        seats += run->pool->hosts[i].builders;
    }
    for (size_t d = 0; d < devices; d++) {
        seats += init_queue(schedule, d);
        schedule->several |= schedule->queue_of[d] != 0;
    }
    if (seats > CLOPT_MOST_SEATS)
        clopt_fail(run->failure, CLOPT_INVALID, "%s: more than %d devices at the same time",
                   run->study->path, (CLOPT_MOST_SEATS / 2) / CLOPT_MEASUREMENTS);
    else
        run->pool->seat_count = seats;
}

void clopt_schedule_fini(struct clopt_schedule *schedule)
{
    size_t queues = schedule->queues ? schedule->run->study->device_count : 0;
    struct clopt_job *job = NULL;
    while (schedule->on_host &&
           (job = clopt_schedule_find(schedule, ~0u, NULL, CLOPT_NO_DEVICE, job)))
        clopt_job_end(job);
    for (size_t i = 0; i < 2 * queues; i++) {
        CLOPT_FREED struct clopt_race *race = schedule->queues[i / 2].races[i % 2];
        if (race)
            clopt_race_fini(race);
    }
    free(schedule->jobs);
    free(schedule->on_host);
    free(schedule->queues);
    free(schedule->queue_of);
    *schedule = (struct clopt_schedule){0};
}

void clopt_tally_add(struct clopt_tally *sum, const struct clopt_tally *tally)
{
    sum->built += tally->built;
    sum->over += tally->over;
    sum->skipped += tally->skipped;
    sum->not_reached += tally->not_reached;
}

struct clopt_tally clopt_schedule_tally(const struct clopt_schedule *schedule)
{
    struct clopt_tally sum = schedule->tally;
    for (size_t i = 0; i < 2 * schedule->run->study->device_count; i++) {
        const struct clopt_race *race = schedule->queues[i / 2].races[i % 2];
        if (race)
            clopt_tally_add(&sum, &race->tally);
    }
    return sum;
}

/* ---- jobs ---- */

/* The number of a device's host, as jobs have it. */
static size_t host_of(const struct clopt_schedule *schedule, size_t device)
{
    const struct clopt_host *host = schedule->run->devices[device].host;
    return host ? (size_t)(host - schedule->run->pool->hosts) + 1 : 0;
}

/* Frees the jobs that have ended. */
static void free_jobs(struct clopt_schedule *schedule)
{
    for (size_t host = 0; host <= schedule->host_count; host++) {
        struct clopt_job **at = &schedule->on_host[host], *job;
        while ((job = *at)) {
            if (job->race) {
                at = &job->after;
                continue;
            }
            *at = job->after;
            job->after = schedule->free_jobs;
            schedule->free_jobs = job;
        }
    }
}

/* Finds the first job of a list that is one of some, for a race. */
static struct clopt_job *find_in(struct clopt_job *job, unsigned jobs,
                                 const struct clopt_race *race)
{
    while (job && (!job->race || !clopt_job_is_of(job, jobs) || (race && job->race != race)))
        job = job->after;
    return job;
}

struct clopt_job *clopt_schedule_find(const struct clopt_schedule *schedule, unsigned jobs,
                                      const struct clopt_race *race, size_t device,
                                      const struct clopt_job *after)
{
    const bool all = device == CLOPT_NO_DEVICE;
    size_t host = !all ? host_of(schedule, device) : after ? host_of(schedule, after->device) : 0;
    struct clopt_job *job = find_in(after ? after->after : schedule->on_host[host], jobs, race);
    while (all && !job && host < schedule->host_count)
        job = find_in(schedule->on_host[++host], jobs, race);
    return job;
}

struct clopt_job *clopt_schedule_find_wanted(const struct clopt_schedule *schedule, unsigned jobs,
                                             const struct clopt_want *want)
{
    bool measures = want->phase == CLOPT_PHASE_MEASURE;
    size_t device = measures ? want->race->devices[want->member] : CLOPT_NO_DEVICE;
    struct clopt_job *job = NULL;
    while ((job = clopt_schedule_find(schedule, jobs, want->race, device, job)) &&
           (job->member != want->member || job->recheck.problem != want->problem))
        ;
    return job;
}

/* Returns a job on a device of the pool as it is wanted; NULL: the run has failed. */
static struct clopt_job *add_job(struct clopt_schedule *schedule, const struct clopt_want *want,
                                 size_t device)
{
    struct clopt_job **first = &schedule->on_host[host_of(schedule, device)];
    struct clopt_job *job = schedule->free_jobs;
    if (!job && schedule->job_count == MOST_JOBS) {
        clopt_fail_memory(schedule->run->failure);
        return NULL;
    }
    if (job)
        schedule->free_jobs = job->after;
    else
        job = &schedule->jobs[schedule->job_count++];
    *job = (struct clopt_job){.race = want->race,
                              .phase = want->phase,
                              .standby = want->standby,
                              .member = want->member,
                              .recheck.problem = want->problem,
                              .device = device,
                              .after = *first};
    *first = job;
    return job;
}

bool clopt_schedule_begin(struct clopt_device_queue *queue, const struct clopt_want *want)
{
    struct clopt_schedule *schedule = queue->schedule;
    struct clopt_job *job = NULL;
    size_t device;
    if (clopt_rules_hold(queue, want, &device))
        return false;
    if (!want->candidate && !want->standby)
        job = clopt_schedule_find_wanted(schedule, CLOPT_JOBS_OF_DEVICE, want);
    if (job) {
        clopt_measurement_open(job);
        return true;
    }
    job = add_job(schedule, want, device);
    if (job &&
        (want->candidate ? clopt_job_init(job, want->candidate) : clopt_measurement_init(job)))
        clopt_pool_begin(schedule->pool, device, &job->task, schedule->run->failure);
    else if (job)
        job->race = NULL;
    return !schedule->run->failure->status;
}

void clopt_schedule_cancel(struct clopt_schedule *schedule, unsigned jobs,
                           const struct clopt_race *race)
{
    struct clopt_job *job = NULL;
    while ((job = clopt_schedule_find(schedule, jobs, race, CLOPT_NO_DEVICE, job))) {
        if (job->task.seat)
            clopt_pool_cancel(schedule->pool, &job->task);
        clopt_job_end(job);
    }
}

/* ---- the whole ---- */

bool clopt_schedule_advance(struct clopt_schedule *schedule)
{
    const struct clopt_error *failure = schedule->run->failure;
    size_t queues = schedule->run->study->device_count;
    bool more = false;
    free_jobs(schedule);
    clopt_rules_limit_builds(schedule);
    schedule->first = (schedule->first + 1) % queues;
    for (size_t i = 0; i < queues && !failure->status; i++) {
        struct clopt_device_queue *queue = &schedule->queues[(schedule->first + i) % queues];
        clopt_device_queue_fill(queue);
        if (failure->status || !queue->races[0])
            continue;
        clopt_device_queue_advance(queue);
        more = true;
    }
    return more && !failure->status;
}
