/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides what is built, checked and measured next: has the tracks go on beside each other. */
#include "supervisor/schedule.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "contest/standing.h"
#include "contest/tuning.h"

/* ---- which devices share hardware ---- */

/* Whether a device of a study is the machine's processors, or has a member that the other has. */
static bool is_shared(const struct clopt_run *run, size_t one, size_t other)
{
    const struct clopt_pool_device *devices = run->devices;
    if (clopt_device_is_cpu(&devices[one].info) || clopt_device_is_cpu(&devices[other].info))
        return clopt_device_is_cpu(&devices[one].info) && clopt_device_is_cpu(&devices[other].info);
    size_t a = one;
    do {
        size_t b = other;
        do
            if (devices[a].ordinal == devices[b].ordinal &&
                strcmp(devices[a].info.platform, devices[b].info.platform) == 0)
                return true;
        while ((b = devices[b].next));
    } while ((a = devices[a].next));
    return false;
}

/* Puts a device of the study on a track: that of those before it with which it shares hardware. */
static void assign(struct clopt_schedule *schedule, size_t device)
{
    size_t *track_of = schedule->track_of;
    track_of[device] = device;
    for (size_t i = 0; i < device; i++) {
        size_t one = track_of[i], other = track_of[device];
        for (size_t j = 0; j <= device && is_shared(schedule->run, device, i); j++)
            if (track_of[j] == one || track_of[j] == other)
                track_of[j] = one < other ? one : other;
    }
}

/* Makes a track ready; returns how many sweeps it may have. */
static size_t init_track(struct clopt_schedule *schedule, size_t number)
{
    const struct clopt_study *study = schedule->run->study;
    struct clopt_track *track = &schedule->tracks[number];
    size_t most = 0;
    *track = (struct clopt_track){.schedule = schedule, .number = number};
    for (size_t d = 0; d < study->device_count; d++) {
        size_t members = clopt_run_count_members(schedule->run, d);
        if (schedule->track_of[d] != number)
            continue;
        most = members > most ? members : most;
        track->contests_left += clopt_space_group_count(study) / study->device_count;
    }
    return CLOPT_SWEEPS * most;
}

void clopt_schedule_init(struct clopt_schedule *schedule, const struct clopt_run *run,
                         struct clopt_progress *progress, size_t builders)
{
    size_t devices = run->study->device_count, seats = builders;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    *schedule = (struct clopt_schedule){.run = run,
                                        .pool = run->pool,
                                        .progress = progress,
                                        .jobs = calloc(CLOPT_MOST_SEATS, sizeof *schedule->jobs),
                                        .builders = builders,
                                        .tracks = calloc(devices, sizeof *schedule->tracks),
                                        .track_of = calloc(devices, sizeof *schedule->track_of),
                                        .processors = processors > 0 ? (size_t)processors : 1,
                                        .began_ns = clopt_now_ns()};
    if (!schedule->jobs || !schedule->tracks || !schedule->track_of) {
        clopt_fail_memory(run->failure);
        return;
    }
    for (size_t d = 0; d < devices; d++)
        assign(schedule, d);
    for (size_t d = 0; d < devices; d++) {
        seats += init_track(schedule, d);
        schedule->several |= schedule->track_of[d] != 0;
    }
    if (seats > CLOPT_MOST_SEATS)
        clopt_fail(run->failure, CLOPT_INVALID, "%s: more than %d devices at the same time",
                   run->study->path, (CLOPT_MOST_SEATS / 2) / CLOPT_SWEEPS);
    else
        run->pool->seat_count = schedule->job_count = seats;
}

void clopt_schedule_fini(struct clopt_schedule *schedule)
{
    size_t tracks = schedule->tracks ? schedule->run->study->device_count : 0;
    struct clopt_job *job = NULL;
    while ((job = clopt_schedule_find(schedule, ~0u, NULL, job)))
        clopt_job_end(job);
    for (size_t i = 0; i < 2 * tracks; i++) {
        struct clopt_contest *contest = schedule->tracks[i / 2].contests[i % 2];
        if (contest)
            clopt_contest_fini(contest);
        free(contest);
    }
    free(schedule->jobs);
    free(schedule->tracks);
    free(schedule->track_of);
    *schedule = (struct clopt_schedule){0};
}

struct clopt_tally clopt_schedule_tally(const struct clopt_schedule *schedule)
{
    struct clopt_tally sum = schedule->tally;
    for (size_t i = 0; i < 2 * schedule->run->study->device_count; i++) {
        const struct clopt_contest *contest = schedule->tracks[i / 2].contests[i % 2];
        if (contest)
            clopt_tally_add(&sum, &contest->tally);
    }
    return sum;
}

/* ---- jobs ---- */

void clopt_schedule_begin(struct clopt_schedule *schedule, const struct clopt_job *like,
                          struct clopt_contender *contender, size_t device)
{
    struct clopt_job *job = schedule->jobs;
    while (job->contest)
        job++;
    *job = *like;
    if (like->kind == CLOPT_JOB_SWEEP)
        clopt_sweep_open(job);
    if (contender ? clopt_job_init(job, contender) : clopt_sweep_init(job))
        clopt_pool_begin(schedule->pool, device, &job->task, schedule->run->failure);
    else
        job->contest = NULL;
}

struct clopt_job *clopt_schedule_find(const struct clopt_schedule *schedule, unsigned kinds,
                                      const struct clopt_contest *contest,
                                      const struct clopt_job *after)
{
    size_t i = after ? (size_t)(after - schedule->jobs) + 1 : 0;
    for (; i < schedule->job_count; i++) {
        struct clopt_job *job = &schedule->jobs[i];
        if (job->contest && (job->kind & kinds) && (!contest || job->contest == contest))
            return job;
    }
    return NULL;
}

size_t clopt_schedule_count(const struct clopt_schedule *schedule, unsigned kinds, bool busy)
{
    size_t count = 0;
    const struct clopt_job *job = NULL;
    while ((job = clopt_schedule_find(schedule, kinds, NULL, job)))
        count += !busy || (job->task.seat && !job->task.waiting);
    return count;
}

void clopt_schedule_cancel(struct clopt_schedule *schedule, unsigned kinds,
                           const struct clopt_contest *contest)
{
    struct clopt_job *job = NULL;
    while ((job = clopt_schedule_find(schedule, kinds, contest, job))) {
        if (job->task.seat)
            clopt_pool_cancel(schedule->pool, &job->task);
        clopt_job_end(job);
    }
}

bool clopt_schedule_goes_alone(const struct clopt_contest *contest)
{
    return clopt_contest_count(contest, clopt_contender_was_killed);
}

/* ---- processors ---- */

/* How urgently a track needs processors that nothing else uses; 0: it does not. What is being
 * measured goes on to its end, and a worker that was killed for want of memory is tried alone. */
static unsigned urgency(const struct clopt_track *track)
{
    const struct clopt_contest *contest = track->contests[0];
    if (!contest)
        return 0;
    if (contest->on_cpu && clopt_track_is_open(track))
        return 3;
    if (clopt_schedule_goes_alone(contest))
        return 2;
    return contest->on_cpu && track->wants_device;
}

bool clopt_schedule_yields(const struct clopt_schedule *schedule, const struct clopt_track *track,
                           size_t processors)
{
    unsigned own = urgency(track);
    for (size_t t = 0; t < schedule->run->study->device_count; t++) {
        const struct clopt_track *other = &schedule->tracks[t];
        unsigned theirs = other == track ? 0 : urgency(other);
        if (theirs && (theirs > own || (theirs == own && other < track)) &&
            clopt_track_processors(other) + processors > schedule->processors)
            return true;
    }
    return false;
}

bool clopt_schedule_advance(struct clopt_schedule *schedule)
{
    const struct clopt_error *failure = schedule->run->failure;
    size_t tracks = schedule->run->study->device_count;
    bool more = false;
    clopt_schedule_limit_builds(schedule);
    schedule->first = (schedule->first + 1) % tracks;
    for (size_t i = 0; i < tracks && !failure->status; i++) {
        struct clopt_track *track = &schedule->tracks[(schedule->first + i) % tracks];
        clopt_track_fill(track);
        if (failure->status || !track->contests[0])
            continue;
        clopt_track_advance(track);
        more = true;
    }
    return more && !failure->status;
}

/* ---- progress ---- */

/* Appends the speed-up of the best variant of each kernel, and the variant's name where there is
 * but one kernel. */
static void append_best(struct clopt_text *text, const struct clopt_contest *contest)
{
    const char *before = "; best: ";
    for (size_t k = 0; k < contest->kernel_count; k++) {
        struct clopt_contender *leader = contest->standing[k].leader;
        if (!leader || leader->role)
            continue;
        struct clopt_interval ratio =
            clopt_standing_ratio(contest, clopt_contest_initial(contest), leader, k);
        if (!(ratio.median > 1))
            continue;
        char *name = contest->kernel_count == 1 ? clopt_trial_name(&leader->trial) : NULL;
        clopt_text_printf(text, "%s%.3gx %s", before, ratio.median,
                          name ? name : contest->kernels[k].name);
        free(name);
        before = ", ";
    }
}

static bool is_counted(const struct clopt_contender *contender)
{
    return contender->phase == CLOPT_PHASE_COUNT;
}

/* Appends what is being done with a contest. */
static void append_doing(struct clopt_text *text, const struct clopt_contest *contest,
                         bool measuring)
{
    size_t unbuilt = clopt_contest_count(contest, clopt_contender_is_unbuilt);
    size_t counting = clopt_contest_count(contest, is_counted);
    size_t racing = clopt_contest_count(contest, clopt_contender_races);
    if (unbuilt && unbuilt == counting && !measuring)
        clopt_text_printf(text, "counting %zu under Oclgrind", counting);
    else if (unbuilt && !measuring)
        clopt_text_printf(text, "building %zu", unbuilt);
    else if (racing)
        clopt_text_printf(text, "comparing the best %zu", racing);
    else if (measuring)
        clopt_text_printf(text, "measuring %zu",
                          clopt_contest_count(contest, clopt_contender_wants_samples));
    else
        clopt_text_append(text, "checking the best with other inputs");
}

/* Shows trials of a search, and when its time is over; returns how many trials there were. */
static double show_search(const struct clopt_schedule *schedule, const struct clopt_tuning *tuning)
{
    struct clopt_progress *progress = schedule->progress;
    double limit_s = schedule->run->study->measure.time_s;
    progress->total = clopt_tuning_limit(tuning);
    progress->ends = limit_s > 0;
    if (progress->ends)
        progress->end_ns = schedule->began_ns + (int64_t)(limit_s * 1e9);
    return (double)clopt_tuning_trials(tuning);
}

void clopt_schedule_show(const struct clopt_schedule *schedule)
{
    struct clopt_text doing = {0};
    if (!clopt_progress_is_due(schedule->progress))
        return;
    struct clopt_tally tally = clopt_schedule_tally(schedule);
    double done = (double)tally.over;
    schedule->progress->skipped = tally.skipped;
    for (size_t t = 0; t < schedule->run->study->device_count; t++) {
        const struct clopt_contest *contest = schedule->tracks[t].contests[0];
        if (!contest)
            continue;
        if (contest->tuning)
            done = show_search(schedule, contest->tuning);
        if (doing.length)
            clopt_text_append(&doing, "; ");
        if (schedule->several)
            clopt_text_printf(&doing,
                              "%s: ", schedule->run->study->devices[contest->where.device].label);
        append_doing(&doing, contest, clopt_track_is_open(&schedule->tracks[t]));
        append_best(&doing, contest);
    }
    clopt_progress_show(schedule->progress, done,
                        doing.length ? clopt_text_string(&doing) : "starting");
    clopt_text_fini(&doing);
}
