/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides what is built, checked and measured next. */
#include "supervisor/schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "supervisor/finalists.h"
#include "supervisor/schedule_jobs.h"
#include "supervisor/standing.h"
#include "supervisor/tuning.h"

#define STRAGGLER_S     1.0 /* processors wait so long for the last builds */
#define SETTLING_ROUNDS 3   /* then those who cannot win have left a sweep */

/* What shares of a time limit pass before nothing more is built, and nothing more is measured: the
 * rest is for the finalists. */
#define BUILDING 0.6
#define SEARCHING                                                                                  \
    0.8 /* instead: each of its generations is measured when the next one is built                 \
         */
#define MEASURING 0.9

enum clopt_status clopt_schedule_init(struct clopt_schedule *schedule, const struct clopt_run *run,
                                      struct clopt_pool *pool, struct clopt_progress *progress,
                                      size_t jobs, struct clopt_error *error)
{
    *schedule = (struct clopt_schedule){.run = run,
                                        .pool = pool,
                                        .progress = progress,
                                        .jobs = calloc(jobs, sizeof *schedule->jobs),
                                        .job_count = jobs,
                                        .began_ns = clopt_now_ns()};
    return schedule->jobs ? CLOPT_OK : clopt_fail_memory(error);
}

/* Frees a contest. */
static void free_contest(struct clopt_contest **contest)
{
    if (*contest)
        clopt_contest_fini(*contest);
    free(*contest);
    *contest = NULL;
}

void clopt_schedule_fini(struct clopt_schedule *schedule)
{
    for (size_t i = 0; i < CLOPT_SWEEPS; i++)
        if (schedule->sweeps[i].contest)
            clopt_sweep_end(&schedule->sweeps[i], schedule->pool);
    for (size_t i = 0; schedule->jobs && i < schedule->job_count; i++)
        clopt_trial_fini(&schedule->jobs[i].trial);
    free(schedule->jobs);
    free_contest(&schedule->contests[0]);
    free_contest(&schedule->contests[1]);
    *schedule = (struct clopt_schedule){0};
}

static void add_tally(struct clopt_tally *sum, const struct clopt_tally *tally)
{
    sum->built += tally->built;
    sum->over += tally->over;
    sum->skipped += tally->skipped;
    sum->not_reached += tally->not_reached;
}

struct clopt_tally clopt_schedule_tally(const struct clopt_schedule *schedule)
{
    struct clopt_tally sum = schedule->tally;
    for (size_t i = 0; i < 2; i++)
        if (schedule->contests[i])
            add_tally(&sum, &schedule->contests[i]->tally);
    return sum;
}

static bool has_failed(const struct clopt_schedule *schedule)
{
    return schedule->run->failure->status;
}

/* ---- contests ---- */

/* Gives a contest its share of the time that is left. */
static void set_deadline(struct clopt_schedule *schedule)
{
    double limit_s = schedule->run->study->measure.time_s;
    size_t contests = clopt_space_group_count(schedule->run->study) - schedule->next_contest + 1 +
                      (schedule->contests[1] != NULL);
    schedule->contest_began_ns = clopt_now_ns();
    double left_s = limit_s - (double)(schedule->contest_began_ns - schedule->began_ns) * 1e-9;
    schedule->share_s = limit_s > 0 ? fmax(left_s, 0) / (double)contests : INFINITY;
}

/* Whether this share of a contest's time is over. */
static bool is_past(const struct clopt_schedule *schedule, double share)
{
    return (double)(clopt_now_ns() - schedule->contest_began_ns) * 1e-9 > share * schedule->share_s;
}

static void begin_contest(struct clopt_schedule *schedule, struct clopt_contest **contest)
{
    *contest = calloc(1, sizeof **contest);
    if (*contest)
        clopt_contest_init(*contest, schedule->run, schedule->next_contest++,
                           schedule->run->failure);
    else
        clopt_fail_memory(schedule->run->failure);
}

/* Whether something of a contest is still to be built. */
static bool expects_more(const struct clopt_contest *contest)
{
    return clopt_contest_count(contest, clopt_contender_is_unbuilt) ||
           !clopt_contest_is_exhausted(contest);
}

/* Whether a contest takes more trials in hand now. On a CPU, where nothing is built while it is
 * measured, it takes many at once. */
static bool wants_trials(const struct clopt_contest *contest)
{
    size_t in_hand = clopt_contest_count(contest, clopt_contender_is_in_hand);
    return clopt_contest_has_next(contest) && in_hand < CLOPT_MOST_IN_HAND &&
           (!contest->on_cpu || contest->tuning || in_hand <= CLOPT_MOST_IN_HAND / 2 ||
            contest->filling);
}

/* Sees to it that there is a contest, and a second one where nothing of the first is left to build;
 * they look at their next trials. */
static void fill(struct clopt_schedule *schedule)
{
    bool more = schedule->next_contest < clopt_space_group_count(schedule->run->study);
    struct clopt_contest **contests = schedule->contests;
    if (!contests[0]) {
        contests[0] = contests[1];
        contests[1] = NULL;
        if (!contests[0] && more)
            begin_contest(schedule, &contests[0]);
        set_deadline(schedule);
    } else if (!contests[1] && more && !contests[0]->on_cpu && !expects_more(contests[0])) {
        begin_contest(schedule, &contests[1]);
    }
    for (size_t i = 0; i < 2 && !has_failed(schedule); i++)
        if (contests[i] && contests[i]->tuning)
            clopt_tuning_advance(contests[i], schedule->run->failure);
    for (size_t i = 0; i < 2 && !has_failed(schedule); i++)
        if (contests[i] && (contests[i]->filling = wants_trials(contests[i])))
            clopt_contest_look(contests[i], schedule->run->failure);
}

/* ---- sweeps ---- */

static struct clopt_sweep *standby(struct clopt_schedule *schedule)
{
    for (size_t i = 0; i < CLOPT_SWEEPS; i++)
        if (schedule->sweeps[i].contest && &schedule->sweeps[i] != schedule->active)
            return &schedule->sweeps[i];
    return NULL;
}

/* Ends the sweeps whose task is over, and decides whose samples are enough. */
static void collect(struct clopt_schedule *schedule)
{
    bool changed = false;
    for (size_t i = 0; i < CLOPT_SWEEPS; i++) {
        struct clopt_sweep *sweep = &schedule->sweeps[i];
        changed |= sweep->changed || clopt_sweep_is_over(sweep);
        sweep->changed = false;
        if (!clopt_sweep_is_over(sweep))
            continue;
        clopt_sweep_end(sweep, schedule->pool);
        if (schedule->active == sweep) {
            schedule->active = NULL;
            clopt_pool_pause(schedule->pool, false);
            clopt_finalists_end_race(schedule->contests[0]);
        }
    }
    if (changed)
        clopt_standing_decide(schedule->contests[0]);
    for (size_t i = 0; i < 2; i++)
        if (schedule->contests[i])
            clopt_finalists_release(schedule->contests[i]);
}

static void begin_sweep(struct clopt_schedule *schedule, bool open)
{
    struct clopt_contest *contest = schedule->contests[0];
    struct clopt_error *failure = schedule->run->failure;
    struct clopt_sweep *sweep = schedule->sweeps;
    while (sweep->contest)
        sweep++;
    if (clopt_sweep_init(sweep, contest, failure))
        return;
    if (open) {
        schedule->active = sweep;
        clopt_sweep_open(sweep, schedule->pool);
    }
    clopt_pool_begin(schedule->pool, contest->where.device, &sweep->task, failure);
}

/* Ends the sweeps that got ready for nothing. */
static void cancel_standby(struct clopt_schedule *schedule)
{
    struct clopt_sweep *useless;
    while ((useless = standby(schedule))) {
        if (useless->task.seat)
            clopt_pool_cancel(schedule->pool, &useless->task);
        clopt_sweep_end(useless, schedule->pool);
    }
}

/* Lets the sweep that has got ready use the device, or begins one. */
static void open_sweep(struct clopt_schedule *schedule)
{
    struct clopt_sweep *next = standby(schedule);
    if (!next) {
        begin_sweep(schedule, true);
        return;
    }
    schedule->active = next;
    clopt_sweep_open(next, schedule->pool);
    clopt_pool_wake(schedule->pool, &next->task);
}

/* Has the processes of the next sweeps get ready: that of the first one while the first contenders
 * are built; further ones, too, where there are processors enough, else when it is known that they
 * are needed. */
static void prepare_sweeps(struct clopt_schedule *schedule)
{
    struct clopt_contest *contest = schedule->contests[0];
    const struct clopt_sweep *active = schedule->active;
    uint64_t processes = schedule->run->study->measure.processes;
    bool settled = active && !active->expects && active->rounds >= SETTLING_ROUNDS;
    size_t all = clopt_schedule_count_sweeps(schedule, false),
           most = schedule->job_count / CLOPT_PROCESSORS_A_SWEEP;
    for (size_t i = 0; i < CLOPT_SWEEPS; i++) {
        struct clopt_sweep *sweep = &schedule->sweeps[i];
        if (!sweep->contest || sweep == active || clopt_sweep_is_over(sweep))
            continue;
        sweep->loads = sweep->loads || settled;
        if (sweep->task.waiting && clopt_sweep_can_admit(sweep))
            clopt_pool_wake(schedule->pool, &sweep->task);
    }
    bool early = all <= most && clopt_contest_initial(contest)->sweeps + all < processes;
    bool late = all == 1 && settled && clopt_contest_count(contest, clopt_contender_wants_samples);
    if ((early || late) && all < CLOPT_SWEEPS &&
        !clopt_contest_count(contest, clopt_contender_races))
        begin_sweep(schedule, false);
    if (!expects_more(contest)) /* processors have nothing better to do */
        clopt_pool_warm(schedule->pool, most < CLOPT_SWEEPS ? most : CLOPT_SWEEPS,
                        schedule->run->failure);
}

/* Goes on with the sweep that uses the device. */
static void go_on_sweeping(struct clopt_schedule *schedule)
{
    struct clopt_contest *contest = schedule->contests[0];
    struct clopt_sweep *sweep = schedule->active;
    bool alone = contest->on_cpu || sweep->stops || clopt_schedule_goes_alone(contest);
    sweep->expects = !alone && expects_more(contest);
    if (sweep->task.waiting && (!sweep->expects || clopt_sweep_can_admit(sweep)))
        clopt_pool_wake(schedule->pool, &sweep->task);
    if (!alone && !clopt_sweep_is_over(sweep))
        prepare_sweeps(schedule);
    if (!alone && !sweep->expects)
        clopt_schedule_prepare_rechecks(schedule);
}

/* Whether a sweep can begin now: on a CPU not while something is built, but for what takes much
 * longer than all else. */
static bool may_sweep(struct clopt_schedule *schedule)
{
    const struct clopt_contest *contest = schedule->contests[0];
    size_t busy = clopt_schedule_count_jobs(schedule);
    if (!clopt_contest_count(contest, clopt_contender_wants_samples) ||
        is_past(schedule, MEASURING))
        return false;
    if (clopt_schedule_goes_alone(contest))
        return busy == 0;
    if (!contest->on_cpu)
        return true;
    if (clopt_contest_count(contest, clopt_contender_waits) || wants_trials(contest) ||
        busy == schedule->job_count || !clopt_pool_can_pause(schedule->pool)) {
        schedule->idle_since_ns = 0;
        return false;
    }
    if (!schedule->idle_since_ns)
        schedule->idle_since_ns = clopt_now_ns();
    return busy == 0 || (double)(clopt_now_ns() - schedule->idle_since_ns) * 1e-9 > STRAGGLER_S;
}

/* ---- the time limit ---- */

/* Leaves out what is not built, or later what is not measured; a study goes on with it. */
static void leave_out(struct clopt_schedule *schedule)
{
    struct clopt_contest *contest = schedule->contests[0];
    bool late = is_past(schedule, MEASURING);
    clopt_schedule_cancel_builds(schedule, contest);
    if (late && schedule->active)
        schedule->active->stops = true;
    clopt_contest_leave_out(contest, late && !schedule->active);
}

/* ---- finalists ---- */

/* Compares the finalists that may win, and checks them. False: that is done. */
static bool go_on_with_finalists(struct clopt_schedule *schedule)
{
    struct clopt_contest *contest = schedule->contests[0];
    if (!clopt_schedule_works_on(schedule, contest) && !is_past(schedule, MEASURING) &&
        clopt_finalists_race(contest) > 0) {
        open_sweep(schedule);
        return true;
    }
    cancel_standby(schedule);
    return clopt_schedule_recheck(schedule);
}

/* ---- the whole ---- */

static void end_contest(struct clopt_schedule *schedule)
{
    struct clopt_contest *contest = schedule->contests[0];
    clopt_contest_put_noise(contest, schedule->run->failure);
    contest->tally.over = contest->order.count;
    add_tally(&schedule->tally, &contest->tally);
    free_contest(&schedule->contests[0]);
}

/* Takes the next step with the contest that is measured. */
static void go_on(struct clopt_schedule *schedule)
{
    struct clopt_contest *contest = schedule->contests[0];
    if (is_past(schedule, contest->tuning ? SEARCHING : BUILDING))
        leave_out(schedule);
    bool more = clopt_contest_count(contest, clopt_contender_is_in_hand) || expects_more(contest);
    if (clopt_schedule_goes_alone(contest) && !schedule->active)
        cancel_standby(schedule);
    if (schedule->active) {
        go_on_sweeping(schedule);
    } else if (may_sweep(schedule)) {
        if (contest->on_cpu)
            clopt_pool_pause(schedule->pool, true);
        open_sweep(schedule);
    } else if (more) {
        if (!contest->on_cpu && !clopt_schedule_goes_alone(contest))
            prepare_sweeps(schedule);
    } else if (!go_on_with_finalists(schedule)) {
        end_contest(schedule);
    }
}

bool clopt_schedule_advance(struct clopt_schedule *schedule)
{
    fill(schedule);
    if (has_failed(schedule) || !schedule->contests[0])
        return false;
    clopt_schedule_limit_builds(schedule);
    collect(schedule);
    go_on(schedule);
    for (size_t i = 0; i < 2 && schedule->contests[0] && !has_failed(schedule); i++)
        if (schedule->contests[i])
            clopt_schedule_hand_out(schedule, schedule->contests[i]);
    return true;
}
