/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows how far a study has come, and what is best so far. */
#include <stdlib.h>

#include "base/text.h"
#include "contest/standing.h"
#include "contest/tuning.h"
#include "supervisor/schedule.h"
#include "supervisor/track.h"

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
    for (size_t t = 0; t < schedule->track_count; t++) {
        const struct clopt_contest *contest = schedule->tracks[t].contests[0];
        if (!contest)
            continue;
        if (contest->tuning)
            done = show_search(schedule, contest->tuning);
        if (doing.length)
            clopt_text_append(&doing, "; ");
        if (schedule->track_count > 1)
            clopt_text_printf(&doing,
                              "%s: ", schedule->run->study->devices[contest->where.device].label);
        append_doing(&doing, contest, clopt_track_is_open(&schedule->tracks[t]));
        append_best(&doing, contest);
    }
    clopt_progress_show(schedule->progress, done,
                        doing.length ? clopt_text_string(&doing) : "starting");
    clopt_text_fini(&doing);
}
