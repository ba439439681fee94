/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides what is built, checked and measured next: has the tracks go on beside each other. */
#include "supervisor/schedule.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "supervisor/schedule_jobs.h"
#include "supervisor/track.h"

/* ---- which devices share hardware ---- */

/* Whether a device of a study is the machine's processors, or has a member that the other has. */
static bool is_shared(const struct clopt_run *run, size_t one, size_t other)
{
    const struct clopt_pool_device *devices = run->devices;
    if (clopt_device_is_cpu(&devices[one].info) || clopt_device_is_cpu(&devices[other].info))
        return clopt_device_is_cpu(&devices[one].info) && clopt_device_is_cpu(&devices[other].info);
    for (size_t a = one;; a = devices[a].next) {
        for (size_t b = other;; b = devices[b].next) {
            if (devices[a].ordinal == devices[b].ordinal &&
                strcmp(devices[a].info.platform, devices[b].info.platform) == 0)
                return true;
            if (!devices[b].next)
                break;
        }
        if (!devices[a].next)
            return false;
    }
}

/* Puts each device of the study on a track: that of those with which it shares hardware. */
static void assign(struct clopt_schedule *schedule)
{
    const struct clopt_run *run = schedule->run;
    for (size_t d = 0; d < run->study->device_count; d++) {
        size_t track = schedule->track_count;
        for (size_t i = 0; i < d; i++) {
            size_t other = schedule->track_of[i];
            if (other == track || !is_shared(run, d, i))
                continue;
            if (track == schedule->track_count) {
                track = other;
                continue;
            }
            for (size_t j = 0; j < d; j++) /* it joins two */
                if (schedule->track_of[j] == other)
                    schedule->track_of[j] = track;
        }
        schedule->track_of[d] = track;
        schedule->track_count += track == schedule->track_count;
    }
}

static enum clopt_status init_track(struct clopt_schedule *schedule, size_t number,
                                    struct clopt_error *error)
{
    const struct clopt_study *study = schedule->run->study;
    struct clopt_track *track = &schedule->tracks[number];
    size_t most = 0;
    *track = (struct clopt_track){.schedule = schedule, .number = number};
    for (size_t d = 0; d < study->device_count; d++)
        if (schedule->track_of[d] == number) {
            size_t members = clopt_run_count_members(schedule->run, d);
            most = members > most ? members : most;
            track->contests_left += clopt_space_group_count(study) / study->device_count;
        }
    track->sweep_count = CLOPT_SWEEPS * most;
    track->sweeps = calloc(track->sweep_count + 1, sizeof *track->sweeps);
    return track->sweeps ? CLOPT_OK : clopt_fail_memory(error);
}

enum clopt_status clopt_schedule_init(struct clopt_schedule *schedule, const struct clopt_run *run,
                                      struct clopt_pool *pool, struct clopt_progress *progress,
                                      size_t jobs, struct clopt_error *error)
{
    size_t devices = run->study->device_count;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    *schedule = (struct clopt_schedule){.run = run,
                                        .pool = pool,
                                        .progress = progress,
                                        .jobs = calloc(jobs, sizeof *schedule->jobs),
                                        .job_count = jobs,
                                        .tracks = calloc(devices, sizeof *schedule->tracks),
                                        .track_of = calloc(devices, sizeof *schedule->track_of),
                                        .processors = processors > 0 ? (size_t)processors : 1,
                                        .began_ns = clopt_now_ns()};
    if (!schedule->jobs || !schedule->tracks || !schedule->track_of)
        return clopt_fail_memory(error);
    assign(schedule);
    enum clopt_status status = CLOPT_OK;
    for (size_t t = 0; t < schedule->track_count && !status; t++)
        status = init_track(schedule, t, error);
    return status;
}

void clopt_schedule_fini(struct clopt_schedule *schedule)
{
    for (size_t t = 0; schedule->tracks && t < schedule->track_count; t++)
        clopt_track_fini(&schedule->tracks[t]);
    for (size_t i = 0; schedule->jobs && i < schedule->job_count; i++)
        clopt_trial_fini(&schedule->jobs[i].trial);
    free(schedule->jobs);
    free(schedule->tracks);
    free(schedule->track_of);
    *schedule = (struct clopt_schedule){0};
}

struct clopt_tally clopt_schedule_tally(const struct clopt_schedule *schedule)
{
    struct clopt_tally sum = schedule->tally;
    for (size_t t = 0; t < schedule->track_count; t++)
        for (size_t i = 0; i < 2; i++)
            if (schedule->tracks[t].contests[i])
                clopt_tally_add(&sum, &schedule->tracks[t].contests[i]->tally);
    return sum;
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
    for (size_t t = 0; t < schedule->track_count; t++) {
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
    bool more = false;
    clopt_schedule_limit_builds(schedule);
    schedule->first = (schedule->first + 1) % schedule->track_count;
    for (size_t i = 0; i < schedule->track_count && !failure->status; i++) {
        struct clopt_track *track =
            &schedule->tracks[(schedule->first + i) % schedule->track_count];
        clopt_track_fill(track);
        if (failure->status || !track->contests[0])
            continue;
        clopt_track_advance(track);
        more = true;
    }
    return more && !failure->status;
}
