/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what a study does, and shows on a terminal how far it has come. */
#include "watch/progress.h"

#include <sys/ioctl.h>

#include "process/clock.h"
#include "race/ranking.h"
#include "race/tuning.h"

#define GAP_NS ((int64_t)100 * 1000 * 1000)

void clopt_progress_begin(struct clopt_progress *progress, FILE *stream, uint64_t total)
{
    *progress =
        (struct clopt_progress){.stream = stream, .total = total, .began_ns = clopt_now_ns()};
}

/* Appends seconds as people say them. */
static void append_left(struct clopt_text *text, double seconds)
{
    unsigned long whole = seconds < 1 ? 1 : (unsigned long)(seconds + 0.5), minutes = whole / 60;
    if (minutes >= 60)
        clopt_text_printf(text, ", about %lu h %02lu min left", minutes / 60, minutes % 60);
    else if (minutes)
        clopt_text_printf(text, ", about %lu min %02lu s left", minutes, whole % 60);
    else
        clopt_text_printf(text, ", about %lu s left", whole);
}

/* Estimates when all will be done. */
static void estimate(struct clopt_progress *progress, double done, int64_t now)
{
    double worked = done - (double)progress->skipped;
    double left = (double)progress->total - done;
    if (done == progress->done || worked < 1 || progress->ends || !progress->total)
        return;
    progress->done = done;
    progress->end_ns =
        now + (int64_t)((double)(now - progress->began_ns) / worked * (left > 0 ? left : 0));
}

/* Returns the columns of the terminal that the line has to fit in. */
static int columns_of(FILE *stream)
{
    struct winsize size;
    return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

bool clopt_progress_is_due(const struct clopt_progress *progress)
{
    return (progress->stream || progress->line) && clopt_now_ns() - progress->shown_ns >= GAP_NS;
}

void clopt_progress_show(struct clopt_progress *progress, double done, const char *doing)
{
    int64_t now = clopt_now_ns();
    if (!clopt_progress_is_due(progress))
        return;
    progress->shown_ns = now;
    estimate(progress, done, now);
    CLOPT_OWNED(clopt_text) line = {0};
    clopt_text_printf(&line, "%.0f", done);
    if (progress->total)
        clopt_text_printf(&line, " of %llu", (unsigned long long)progress->total);
    clopt_text_append(&line, " trials");
    if (progress->end_ns && (progress->ends || done < (double)progress->total))
        append_left(&line, (double)(progress->end_ns - now) * 1e-9);
    clopt_text_printf(&line, ", %s", doing);
    if (progress->line)
        snprintf(progress->line, CLOPT_PROGRESS, "%s", line.data);
    if (!progress->stream)
        return;
    fprintf(progress->stream, CLOPT_CLEAR_LINE "%.*s", columns_of(progress->stream) - 1, line.data);
    fflush(progress->stream);
}

void clopt_progress_end(struct clopt_progress *progress)
{
    if (progress->stream)
        fputs(CLOPT_CLEAR_LINE, progress->stream);
}

/* ---- what a run does ---- */

/* Appends the speed-up of the best variant of each kernel, and its name where that is one. */
static void append_best(struct clopt_text *text, const struct clopt_race *race)
{
    const char *before = "; best: ";
    for (size_t k = 0; k < race->kernel_count; k++) {
        struct clopt_candidate *leader = race->ranking[k].leader;
        if (!leader || leader->role)
            continue;
        double gain = clopt_ranking_gain(race, leader, k);
        if (!(gain > 1))
            continue;
        CLOPT_FREED char *name = race->kernel_count == 1 ? clopt_trial_name(&leader->trial) : NULL;
        clopt_text_printf(text, "%s%.3gx %s", before, gain, name ? name : race->kernels[k].name);
        before = ", ";
    }
}

static bool is_counted(const struct clopt_candidate *candidate)
{
    return candidate->phase == CLOPT_PHASE_COUNT;
}

/* Appends what is being done with a race. */
static void append_doing(struct clopt_text *text, const struct clopt_race *race, bool measuring)
{
    size_t unbuilt = clopt_race_count(race, clopt_candidate_is_unbuilt);
    size_t counting = clopt_race_count(race, is_counted);
    size_t finalists = clopt_race_count(race, clopt_candidate_is_finalist);
    if (unbuilt && unbuilt == counting && !measuring)
        clopt_text_printf(text, "counting %zu under Oclgrind", counting);
    else if (unbuilt && !measuring)
        clopt_text_printf(text, "building %zu", unbuilt);
    else if (finalists)
        clopt_text_printf(text, "comparing the best %zu", finalists);
    else if (measuring)
        clopt_text_printf(text, "measuring %zu",
                          clopt_race_count(race, clopt_candidate_wants_samples));
    else
        clopt_text_append(text, "checking the best with other inputs");
}

void clopt_progress_describe(const struct clopt_schedule *schedule, struct clopt_text *text)
{
    const char *before = "";
    for (size_t t = 0; t < schedule->run->study->device_count; t++) {
        const struct clopt_race *race = schedule->queues[t].races[0];
        if (!race)
            continue;
        clopt_text_append(text, before);
        before = "; ";
        if (schedule->several)
            clopt_text_printf(text,
                              "%s: ", schedule->run->study->devices[race->where.device].label);
        append_doing(text, race, clopt_device_queue_is_open(&schedule->queues[t]));
        append_best(text, race);
    }
}

/* Takes over from a search when its time is over; returns how many trials there were. */
static double follow_search(struct clopt_progress *progress, const struct clopt_schedule *schedule,
                            const struct clopt_tuning *tuning)
{
    double limit_s = schedule->run->study->measure.time_s;
    progress->total = clopt_tuning_limit(tuning);
    progress->ends = limit_s > 0;
    if (progress->ends)
        progress->end_ns = schedule->began_ns + (int64_t)(limit_s * 1e9);
    return (double)clopt_tuning_trials(tuning);
}

void clopt_progress_follow(struct clopt_progress *progress, const struct clopt_schedule *schedule,
                           const char *doing)
{
    CLOPT_OWNED(clopt_text) text = {0};
    if (!clopt_progress_is_due(progress))
        return;
    struct clopt_tally tally = clopt_schedule_tally(schedule);
    double done = (double)tally.over;
    progress->skipped = tally.skipped;
    progress->total = schedule->trials;
    progress->began_ns = schedule->began_ns;
    for (size_t t = 0; t < schedule->run->study->device_count; t++) {
        const struct clopt_race *race = schedule->queues[t].races[0];
        if (race && race->tuning)
            done = follow_search(progress, schedule, race->tuning);
    }
    clopt_progress_describe(schedule, &text);
    clopt_progress_show(progress, done,
                        doing         ? doing
                        : text.length ? clopt_text_string(&text)
                                      : "starting");
}
