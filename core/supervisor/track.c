/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes the contests on the devices that share hardware to their end, one after the other. */
#include "supervisor/schedule.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/text.h"
#include "contest/finals.h"
#include "contest/joint.h"
#include "contest/standing.h"
#include "contest/tuning.h"
#include "supervisor/ending.h"

#define STRAGGLER_S     1.0 /* processors wait so long for the last builds */
#define SETTLING_ROUNDS 3   /* then those who cannot win have left a sweep */

/* What shares of a time limit pass before nothing more is built, at the earliest, and nothing more
 * is measured: the rest is for what is in hand, and for the finalists. */
#define BUILDING  0.6
#define SEARCHING 0.75 /* instead, once a generation of a search has been measured */
#define MEASURING 0.9
#define JOINING   0.8 /* times these, where the best variants of several kernels come after them */
#define FINALS    3   /* times what others take is what finalists take */

/* ---- contests ---- */

/* Gives a contest its share of the time that is left. */
static void set_deadline(struct clopt_track *track)
{
    const struct clopt_schedule *schedule = track->schedule;
    double limit_s = schedule->run->study->measure.time_s;
    size_t contests = track->contests_left + 1 + (track->contests[1] != NULL);
    track->contest_began_ns = clopt_now_ns();
    track->finals_began_ns = 0;
    double left_s = limit_s - (double)(track->contest_began_ns - schedule->began_ns) * 1e-9;
    track->share_s = limit_s > 0 ? fmax(left_s, 0) / (double)contests : INFINITY;
}

/* Whether this share of a contest's time is over. */
static bool is_past(const struct clopt_track *track, double share)
{
    return (double)(clopt_now_ns() - track->contest_began_ns) * 1e-9 > share * track->share_s;
}

/* Whether a contest is to take no more time for what comes before such a share of it. The joint
 * variant has what is left, and is measured in one process at least. */
static bool is_late(const struct clopt_track *track, double share)
{
    const struct clopt_contest *contest = track->contests[0];
    if (contest->joined)
        return is_past(track, 1) && !clopt_contest_count(contest, clopt_contender_is_untried);
    return is_past(track, clopt_joint_is_wanted(contest) ? JOINING * share : share);
}

/* The share of its time for which a contest builds: what is in hand then is measured, and finalists
 * meet again, each of which takes what the others have taken on average. */
static double building_share(const struct clopt_track *track)
{
    static const enum clopt_stage measuring[] = {CLOPT_STAGE_SETUP, CLOPT_STAGE_LAUNCH,
                                                 CLOPT_STAGE_VERIFY, CLOPT_STAGE_SAMPLE};
    const struct clopt_contest *contest = track->contests[0];
    struct clopt_tally tally = clopt_schedule_tally(track->schedule);
    double ended = (double)(tally.over - tally.skipped), seconds = 0;
    if (ended < CLOPT_FINALISTS)
        return BUILDING;
    for (size_t i = 0; i < sizeof measuring / sizeof *measuring; i++)
        seconds += track->schedule->pool->seconds[measuring[i]];
    size_t left =
        clopt_contest_count(contest, clopt_contender_is_in_hand) + FINALS * CLOPT_FINALISTS;
    return fmax(BUILDING, MEASURING - (double)left * seconds / ended / track->share_s);
}

static void begin_contest(struct clopt_track *track, struct clopt_contest **contest)
{
    const struct clopt_schedule *schedule = track->schedule;
    const struct clopt_study *study = schedule->run->study;
    while (schedule->track_of[clopt_space_group(study, track->next_contest).device] !=
           track->number)
        track->next_contest++;
    *contest = calloc(1, sizeof **contest);
    track->contests_left--;
    if (*contest)
        clopt_contest_init(*contest, schedule->run, track->next_contest++);
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

/* Whether a sweep has something to wait for: what is built joins it. Those in hand may leave no
 * room for others until the next sweep has measured them, too. */
static bool expects_others(const struct clopt_contest *contest)
{
    return clopt_contest_count(contest, clopt_contender_is_unbuilt) || wants_trials(contest) ||
           (!clopt_contest_count(contest, clopt_contender_is_in_hand) && expects_more(contest));
}

/* Sees to it that there is a contest, and a second one where nothing of the first is left to build;
 * they look at their next trials. */
void clopt_track_fill(struct clopt_track *track)
{
    const struct clopt_error *failure = track->schedule->run->failure;
    struct clopt_contest **contests = track->contests;
    if (!contests[0]) {
        contests[0] = contests[1];
        contests[1] = NULL;
        if (!contests[0] && track->contests_left)
            begin_contest(track, &contests[0]);
        set_deadline(track);
    } else if (!contests[1] && track->contests_left && !contests[0]->on_cpu &&
               !expects_more(contests[0])) {
        begin_contest(track, &contests[1]);
    }
    for (size_t i = 0; i < 2 && !failure->status; i++)
        if (contests[i] && contests[i]->tuning)
            clopt_tuning_advance(contests[i]);
    for (size_t i = 0; i < 2 && !failure->status; i++)
        if (contests[i] && (contests[i]->filling = wants_trials(contests[i])))
            clopt_contest_look(contests[i]);
}

/* ---- sweeps ---- */

/* Finds a member's sweep, or the first one that gets ready for that; NULL: there is none. */
static struct clopt_job *find_sweep(const struct clopt_track *track, size_t member,
                                    enum clopt_job_kind kind)
{
    struct clopt_job *sweep = NULL;
    while ((sweep = clopt_schedule_find(track->schedule, kind, track->contests[0], sweep)) &&
           sweep->member != member)
        ;
    return sweep;
}

bool clopt_track_is_open(const struct clopt_track *track)
{
    const struct clopt_contest *contest = track->contests[0];
    return contest && clopt_schedule_find(track->schedule, CLOPT_JOB_SWEEP, contest, NULL);
}

size_t clopt_track_processors(const struct clopt_track *track)
{
    const struct clopt_contest *contest = track->contests[0];
    const size_t all = track->schedule->processors;
    if (!contest)
        return 0;
    if (clopt_schedule_goes_alone(contest))
        return all;
    size_t units = contest->device->info.compute_units;
    return !contest->on_cpu ? contest->members : units < all ? units : all;
}

/* Ends the sweeps whose task is over, and decides whose samples are enough. */
static void collect(struct clopt_track *track)
{
    struct clopt_contest *contest = track->contests[0];
    struct clopt_job *sweep = NULL;
    bool changed = false;
    while ((sweep = clopt_schedule_find(track->schedule, CLOPT_JOBS_SWEEPS, contest, sweep))) {
        bool over = !sweep->task.seat;
        if (sweep->task.waiting)
            clopt_sweep_release(sweep);
        changed |= sweep->changed || over;
        sweep->changed = false;
        if (!over)
            continue;
        clopt_job_end(sweep);
        if (sweep->kind == CLOPT_JOB_STANDBY)
            continue;
        if (contest->on_cpu)
            clopt_pool_pause(track->schedule->pool, false);
        clopt_finals_end_sweep(contest, sweep->member);
    }
    if (changed)
        clopt_standing_decide(contest);
    for (size_t i = 0; i < 2; i++)
        if (track->contests[i])
            clopt_standing_release(track->contests[i]);
}

static void begin_sweep(struct clopt_track *track, size_t member, enum clopt_job_kind kind)
{
    struct clopt_contest *contest = track->contests[0];
    const struct clopt_job sweep = {.kind = kind, .contest = contest, .member = member};
    clopt_schedule_begin(track->schedule, &sweep, NULL, contest->devices[member]);
}

/* Lets the sweep that has got ready use the device, or begins one. */
static void open_sweep(struct clopt_track *track, size_t member)
{
    struct clopt_job *next = find_sweep(track, member, CLOPT_JOB_STANDBY);
    if (track->contests[0]->on_cpu)
        clopt_pool_pause(track->schedule->pool, true);
    if (!next) {
        begin_sweep(track, member, CLOPT_JOB_SWEEP);
        return;
    }
    clopt_sweep_open(next);
    clopt_pool_wake(track->schedule->pool, &next->task);
}

/* Has the processes of a device's next sweeps get ready: that of the first one while the first
 * contenders are built; further ones, too, where there are processors enough, else when it is known
 * that they are needed. */
static void prepare_sweeps(struct clopt_track *track, size_t member)
{
    struct clopt_contest *contest = track->contests[0];
    const struct clopt_schedule *schedule = track->schedule;
    const struct clopt_job *active = find_sweep(track, member, CLOPT_JOB_SWEEP);
    uint64_t processes = schedule->run->study->measure.processes;
    bool settled = active && !active->expects && active->rounds >= SETTLING_ROUNDS;
    size_t all = active != NULL, most = schedule->builders / CLOPT_PROCESSORS_A_SWEEP;
    struct clopt_job *sweep = NULL;
    while ((sweep = clopt_schedule_find(schedule, CLOPT_JOB_STANDBY, contest, sweep))) {
        if (sweep->member != member)
            continue;
        all++;
        if (!sweep->task.seat)
            continue;
        sweep->loads = sweep->loads || settled;
        if (sweep->task.waiting && clopt_sweep_can_admit(sweep))
            clopt_pool_wake(schedule->pool, &sweep->task);
    }
    uint64_t swept = clopt_contest_initial(contest)->sweeps / contest->members;
    bool early = all * contest->members <= most && swept + all < processes;
    bool late = all == 1 && settled && clopt_contest_wants_samples(contest, member);
    if ((early || late) && all < CLOPT_SWEEPS &&
        !clopt_contest_count(contest, clopt_contender_races))
        begin_sweep(track, member, CLOPT_JOB_STANDBY);
    if (!expects_more(contest)) /* processors have nothing better to do */
        clopt_pool_warm(schedule->pool, most < CLOPT_SWEEPS ? most : CLOPT_SWEEPS,
                        schedule->run->failure);
}

/* Goes on with the sweep that uses a device. */
static void go_on_sweeping(struct clopt_track *track, struct clopt_job *sweep)
{
    struct clopt_contest *contest = track->contests[0];
    struct clopt_schedule *schedule = track->schedule;
    bool alone = contest->on_cpu || sweep->stops || clopt_schedule_goes_alone(contest);
    sweep->expects = !alone && expects_others(contest);
    sweep->held = clopt_schedule_yields(schedule, track, clopt_track_processors(track));
    if (sweep->task.waiting && !sweep->held && (!sweep->expects || clopt_sweep_can_admit(sweep)))
        clopt_pool_wake(schedule->pool, &sweep->task);
    if (!alone && !sweep->held && sweep->task.seat)
        prepare_sweeps(track, sweep->member);
    if (!alone && !expects_more(contest))
        clopt_schedule_prepare_rechecks(track);
}

/* Whether a sweep can begin as far as others are concerned: on a CPU not while something is built,
 * but for what takes much longer than all else. */
static bool may_use_device(struct clopt_track *track)
{
    struct clopt_schedule *schedule = track->schedule;
    const struct clopt_contest *contest = track->contests[0];
    size_t busy = clopt_schedule_count(schedule, CLOPT_JOBS_APART, true);
    track->wants_device = true;
    if (clopt_schedule_yields(schedule, track, clopt_track_processors(track)))
        return false;
    if (!contest->on_cpu && !clopt_schedule_goes_alone(contest))
        return true;
    size_t open = clopt_schedule_count(schedule, CLOPT_JOB_SWEEP, true);
    if (clopt_schedule_goes_alone(contest))
        return busy == 0 && open == 0;
    if (busy == schedule->builders || !clopt_pool_can_pause(schedule->pool) ||
        clopt_track_is_open(track) ||
        (open && clopt_track_processors(track) + open > schedule->processors)) {
        track->idle_since_ns = 0;
        return false;
    }
    if (!track->idle_since_ns)
        track->idle_since_ns = clopt_now_ns();
    return busy == 0 || (double)(clopt_now_ns() - track->idle_since_ns) * 1e-9 > STRAGGLER_S;
}

/* Whether a sweep can begin now. */
static bool may_sweep(struct clopt_track *track, size_t member)
{
    const struct clopt_contest *contest = track->contests[0];
    if (!clopt_contest_wants_samples(contest, member) || is_late(track, MEASURING))
        return false;
    if (contest->on_cpu && !clopt_schedule_goes_alone(contest) &&
        (clopt_contest_count(contest, clopt_contender_waits) || wants_trials(contest))) {
        track->idle_since_ns = 0;
        return false;
    }
    return may_use_device(track);
}

/* ---- the time limit ---- */

/* Whether a search is in vain: nothing can be compared with its initial code. */
static bool is_vain(const struct clopt_contest *contest)
{
    return contest->tuning && clopt_contender_has_failed(clopt_contest_initial(contest));
}

/* Leaves out what is not built, or later what is not measured; a study goes on with it. */
static void leave_out(struct clopt_track *track)
{
    struct clopt_contest *contest = track->contests[0];
    bool late = is_late(track, MEASURING) || is_vain(contest);
    struct clopt_job *sweep = NULL;
    contest->cut |= expects_more(contest);
    clopt_schedule_cancel(track->schedule, CLOPT_JOBS_PHASES, contest);
    while (late && (sweep = clopt_schedule_find(track->schedule, CLOPT_JOB_SWEEP, contest, sweep)))
        sweep->stops = true;
    clopt_contest_leave_out(contest, late && !clopt_track_is_open(track));
    if (is_vain(contest))
        contest->tally.not_reached = 0; /* by a time limit */
}

/* ---- the whole ---- */

/* Returns how many seconds the finalists may take yet: as long as all that came before, unless more
 * was asked for. */
static double finals_left(const struct clopt_track *track)
{
    const struct clopt_study *study = track->schedule->run->study;
    int64_t now = clopt_now_ns();
    if (study->measure.precision_named || clopt_contest_has_time(track->contests[0]))
        return INFINITY;
    return 1e-9 * (double)(2 * track->finals_began_ns - track->contest_began_ns - now);
}

static void end_contest(struct clopt_track *track)
{
    struct clopt_contest *contest = track->contests[0];
    if (!is_vain(contest))
        clopt_ending_put(contest,
                         &(struct clopt_ending){
                             .late = is_late(track, MEASURING),
                             .spent = finals_left(track) <= 0,
                             .took_s = 1e-9 * (double)(clopt_now_ns() - track->finals_began_ns),
                         });
    clopt_standing_put_noise(contest);
    contest->tally.over = contest->order.count;
    clopt_tally_add(&track->schedule->tally, &contest->tally);
    clopt_contest_fini(contest);
    free(contest);
    track->contests[0] = NULL;
}

/* Goes on with all members; whether one is in use. */
static bool go_on_measuring(struct clopt_track *track)
{
    struct clopt_contest *contest = track->contests[0];
    bool open = false;
    track->wants_device = false;
    size_t first = clopt_contest_initial(contest)->sweeps; /* on a CPU they have to alternate */
    for (size_t i = 0; i < contest->members; i++) {
        size_t member = (first + i) % contest->members;
        struct clopt_job *sweep = find_sweep(track, member, CLOPT_JOB_SWEEP);
        if (contest->lost[member] || (!sweep && !may_sweep(track, member)))
            continue;
        open = true;
        if (sweep)
            go_on_sweeping(track, sweep);
        else
            open_sweep(track, member);
    }
    return open;
}

/* Compares the finalists that may win, and checks them. False: that is done. */
static bool go_on_with_finalists(struct clopt_track *track)
{
    struct clopt_contest *contest = track->contests[0];
    const unsigned builds = CLOPT_JOBS_PHASES | CLOPT_JOB_RECHECK;
    if (!clopt_schedule_find(track->schedule, builds, contest, NULL) && !contest->joined &&
        !is_late(track, MEASURING)) {
        if (!may_use_device(track))
            return true;
        if (!track->finals_began_ns)
            track->finals_began_ns = clopt_now_ns();
        if (contest->racing || clopt_finals_race(contest, finals_left(track))) {
            go_on_measuring(track);
            return true;
        }
    }
    clopt_schedule_cancel(track->schedule, CLOPT_JOB_STANDBY, contest);
    return clopt_schedule_recheck(track);
}

/* Takes the next step with the contest that is measured. */
static void go_on(struct clopt_track *track)
{
    struct clopt_contest *contest = track->contests[0];
    bool measured = clopt_contest_initial(contest)->count > 0;
    if (is_vain(contest) ||
        is_late(track, contest->tuning && measured ? SEARCHING : building_share(track)))
        leave_out(track);
    bool more = clopt_contest_count(contest, clopt_contender_is_in_hand) || expects_more(contest);
    if (clopt_schedule_goes_alone(contest) && !clopt_track_is_open(track))
        clopt_schedule_cancel(track->schedule, CLOPT_JOB_STANDBY, contest);
    if (go_on_measuring(track))
        return;
    if (!more && !go_on_with_finalists(track) && !clopt_joint_enter(contest))
        end_contest(track);
    for (size_t member = 0; more && member < contest->members; member++)
        if (!contest->on_cpu && !track->wants_device && !clopt_schedule_goes_alone(contest) &&
            !contest->lost[member])
            prepare_sweeps(track, member);
}

/* Takes note of members that are lost: what still runs on one ends. */
static void lose_members(struct clopt_track *track)
{
    const struct clopt_contest *contest = track->contests[0];
    struct clopt_job *sweep = NULL;
    for (size_t i = 0; i < 2; i++)
        if (track->contests[i])
            clopt_contest_lose_members(track->contests[i]);
    while ((sweep = clopt_schedule_find(track->schedule, CLOPT_JOBS_SWEEPS, contest, sweep)))
        if (sweep->task.seat && contest->lost[sweep->member])
            clopt_pool_cancel(track->schedule->pool, &sweep->task);
}

void clopt_track_advance(struct clopt_track *track)
{
    const struct clopt_error *failure = track->schedule->run->failure;
    lose_members(track);
    collect(track);
    if (!failure->status)
        go_on(track);
    for (size_t i = 0; i < 2 && track->contests[0] && !failure->status; i++)
        if (track->contests[i])
            clopt_schedule_hand_out(track, track->contests[i]);
}
