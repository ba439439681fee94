/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what was run, when and where, and what of it is missing. */
#include <math.h>
#include <time.h>

#include "results/counters.h"
#include "view/view.h"

#define LEAST_PREEMPTED_S 0.1 /* that is said */

double clopt_work_seconds(const struct clopt_results *results, const char *name)
{
    for (size_t i = 0; i < results->work.stage_count; i++)
        if (strcmp(results->work.stages[i].name, name) == 0)
            return results->work.stages[i].seconds;
    return NAN;
}

/* Appends a point in time, in UTC, with its day if `day`. */
static void append_time(struct clopt_text *text, double seconds, bool day)
{
    time_t whole = (time_t)seconds;
    struct tm parts;
    char written[64];
    if (gmtime_r(&whole, &parts) &&
        strftime(written, sizeof written, day ? "%Y-%m-%d %H:%M" : "%H:%M", &parts))
        clopt_text_append(text, written);
}

double clopt_summary_load(const struct clopt_results *results)
{
    double machine = clopt_work_seconds(results, "machine");
    return machine > 0 ? clopt_work_seconds(results, "others") / machine : NAN;
}

void clopt_summary_run(struct clopt_text *text, const struct clopt_results *results)
{
    double load = clopt_summary_load(results);
    clopt_text_append(text, "Measured ");
    append_time(text, results->run.started_s, true);
    if (results->run.ended_s - results->run.started_s >= 60) {
        clopt_text_append(text, " to ");
        append_time(text, results->run.ended_s,
                    floor(results->run.started_s / 86400) != floor(results->run.ended_s / 86400));
    }
    clopt_text_printf(text, " UTC by clopt %s, seed %" PRIu64, results->run.version,
                      results->run.seed);
    if (!results->origin_count)
        clopt_text_printf(text, " (run %" PRId64 " of the store)", results->run.number);
    if (results->run.samples)
        clopt_text_printf(text, ": %" PRId64 " sample%s from %" PRId64 " worker process%s",
                          results->run.samples, results->run.samples == 1 ? "" : "s",
                          results->run.processes, results->run.processes == 1 ? "" : "es");
    clopt_text_append(text, ".");
    if (results->objective != CLOPT_OBJECTIVE_TIME)
        clopt_text_printf(text,
                          " Objective: %s. Energy is what the device took while launches were "
                          "repeated, idle power included; of a processor its packages, with other "
                          "programs and without memory. Kernels of a run share it by their times.",
                          clopt_objective_words(results->objective)->name);
    if (!isnan(load))
        clopt_text_printf(text, " Other programs used %.1f%% of the machine's processors.",
                          100 * load);
    if (results->run.disturbed)
        clopt_text_printf(text,
                          " They disturbed %" PRId64 " worker process%s, with over 10%%: intervals "
                          "are wider for that.",
                          results->run.disturbed, results->run.disturbed == 1 ? "" : "es");
    double preempted_s = clopt_work_seconds(results, "preempted");
    if (preempted_s >= LEAST_PREEMPTED_S)
        clopt_text_printf(
            text,
            " Threads of kernels waited %.1f s for processors that others used, though "
            "samples with more than 10%% of that were taken again.",
            preempted_s);
}

struct clopt_clock clopt_results_clock(const struct clopt_results_device *device)
{
    struct clopt_clock clock = {.source = clopt_clock_find(device->clock.source),
                                .resolution_ns = device->clock.resolution_ns,
                                .overhead_ns = device->clock.overhead_ns,
                                .agreement = device->clock.agreement};
    if (device->clock.reason)
        snprintf(clock.reason, sizeof clock.reason, "%s", device->clock.reason);
    return clock;
}

void clopt_summary_device(struct clopt_text *text, const struct clopt_results_device *device)
{
    clopt_text_printf(text, "%s, %s, driver %s", device->name, device->platform,
                      device->driver_version);
    if (clopt_peaks_any(&device->peaks)) {
        clopt_text_append(text, "; measured peaks: ");
        clopt_peaks_say(text, &device->peaks);
    }
    struct clopt_clock clock = clopt_results_clock(device);
    clopt_text_append(text, clock.source ? "; clock: " : "");
    clopt_clock_say(text, &clock);
}

/* Returns how a run ended that has not ended well; NULL: well. */
static const char *bad_end(const struct clopt_results *results)
{
    const char *status = results->run.status;
    if (!status)
        return results->run.written ? "still goes on" : "was killed";
    return strcmp(status, "interrupted") == 0 ? "was interrupted"
           : strcmp(status, "ok") != 0        ? "ended early"
                                              : NULL;
}

void clopt_say_lacks(struct clopt_document *document, const struct clopt_results *results)
{
    const char *end = bad_end(results);
    CLOPT_OWNED(clopt_text) shortage = {0};
    if (results->run.found)
        clopt_document_printf(document, CLOPT_SENTENCE_WARNING,
                              "What was measured is known to be wrong: %s", results->run.found);
    if (results->run.shards)
        clopt_document_printf(
            document, CLOPT_SENTENCE_WARNING,
            "This has shard%s %s of the study, not all of it; `clopt merge` unites them.",
            strchr(results->run.shards, ',') ? "s" : "", results->run.shards);
    if (clopt_summary_shortage(&shortage, results))
        clopt_document_printf(document, CLOPT_SENTENCE_WARNING, "N%s.",
                              clopt_text_string(&shortage) + 1);
    else if (results->run.not_reached &&
             !strstr(results->run.config, "\n[search]\n")) /* that ends so */
        clopt_document_printf(document, CLOPT_SENTENCE_WARNING,
                              "[measure] time was over before %" PRId64
                              " trial%s: the same command goes on with them.",
                              results->run.not_reached, results->run.not_reached == 1 ? "" : "s");
    if (end)
        clopt_document_printf(
            document, CLOPT_SENTENCE_WARNING, "%s %s: here is what was measured %s.",
            results->origin_count ? "One of these runs" : "This run", end,
            results->run.status || !results->run.written ? "until then" : "so far");
}

/* Appends which of several stores have a device's numbers, each with its kernels. */
static void append_stores(struct clopt_text *text, const struct clopt_results *results,
                          int64_t device)
{
    const char *store = "", *kernel = "";
    for (size_t i = 0; i < results->origin_count; i++) {
        const struct clopt_results_origin *origin = &results->origins[i];
        if (origin->device != device ||
            (strcmp(origin->store, store) == 0 && strcmp(origin->kernel, kernel) == 0))
            continue;
        clopt_text_printf(text, "; %s of store %s", kernel = origin->kernel, store = origin->store);
    }
}

void clopt_say_setting(struct clopt_document *document, const struct clopt_results *results)
{
    struct clopt_text text = {0};
    clopt_document_heading(document, CLOPT_HEADING_SECTION, "How it was measured");
    for (size_t d = 0; d < results->device_count; d++) {
        clopt_text_printf(&text, CLOPT_STRONG "%s" CLOPT_WEAK ": ", results->devices[d].label);
        clopt_summary_device(&text, &results->devices[d]);
        clopt_counted_append_lack(&text, results, d);
        append_stores(&text, results, results->devices[d].id);
        clopt_document_say(document, CLOPT_SENTENCE_ITEM, &text);
    }
    clopt_summary_run(&text, results);
    clopt_document_say(document, CLOPT_SENTENCE_PLAIN, &text);
    if (results->run.not_chosen)
        clopt_text_printf(&text, "Variants that the sample left out: %" PRId64,
                          results->run.not_chosen);
    if (results->run.not_chosen && results->run.not_feasible)
        clopt_text_printf(&text, ", %" PRId64 " of them as infeasible", results->run.not_feasible);
    clopt_document_say(document, CLOPT_SENTENCE_PLAIN, &text);
}

bool clopt_work_is_own(const char *stage)
{
    static const char *const own[] = {"wall",       "waiting", "preempted",
                                      "supervisor", "machine", "others"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(stage, own[i]) == 0)
            return true;
    return false;
}
