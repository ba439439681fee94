/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the time of an application goes, from its start to its end, and what to do about it. */
#include "commands/capture/activities.h"

#include <math.h>

#include "commands/capture/profile.h"

/* Of a run: that is worth a hint. */
#define WORTH_SAYING 0.1

/* What people are told: what takes so much of the run, and what to do about it. Of some counts only
 * how long no device does anything meanwhile. */
static const struct {
    const char *what, *hint; /* NULL: there is nothing to do about it */
    bool idle;
} advice[CLOPT_ACTIVITIES + 1] = {
    [CLOPT_BUILDS] =
        {"building programs takes",
         "keep what it builds: CLOPT_KEEP_BINARIES in clopt-apply(1), or CL_PROGRAM_BINARIES",
         false},
    [CLOPT_COPIES] = {"copying takes",
                      "let data stay on the device, or pin it: CL_MEM_ALLOC_HOST_PTR", false},
    [CLOPT_MAPS] = {"mapping takes", "let data stay on the device", false},
    [CLOPT_LAUNCHES] = {"launching kernels takes", "launch fewer and larger ones", true},
    [CLOPT_WAITS] = {"waiting for devices that have nothing to do takes",
                     "enqueue more before it waits", true},
    [CLOPT_OUTSIDE] = {"what the host does while no device works takes",
                       "let it do that while they work", true},
};

/* Returns the time of something that the processes did, each for itself; the last one is what the
 * run has beyond that. */
static uint64_t time_of(const struct clopt_application *application, size_t activity)
{
    const struct clopt_record *record = application->record;
    uint64_t known = 0;
    if (activity < CLOPT_ACTIVITIES)
        return record->activity_ns[activity];
    for (size_t i = 0; i < CLOPT_ACTIVITIES; i++)
        known += record->activity_ns[i];
    return application->wall_ns > known ? application->wall_ns - known : 0;
}

static double share_of(const struct clopt_application *application, double ns)
{
    double all = 0;
    for (size_t i = 0; i <= CLOPT_ACTIVITIES; i++)
        all += (double)time_of(application, i);
    return all > 0 ? ns / all : 0;
}

/* Returns how long a run could be shorter: a device also copies what the host does not wait for. */
static double cost_of(const struct clopt_application *application,
                      const struct clopt_queue_timeline *timeline, size_t activity)
{
    if (advice[activity].idle)
        return timeline->idle_ns[activity];
    double ns = (double)time_of(application, activity);
    return activity < CLOPT_LAUNCHES ? fmax(ns, timeline->busy_ns[activity]) : ns;
}

bool clopt_activities_advise(const struct clopt_application *application,
                             const struct clopt_queue_timeline *timeline,
                             struct clopt_document *document)
{
    size_t most = CLOPT_BUILDS;
    double kernels = (double)clopt_record_total_ns(application->record);
    for (size_t i = 0; i < CLOPT_ACTIVITIES; i++)
        if (advice[i].hint &&
            cost_of(application, timeline, i) > cost_of(application, timeline, most))
            most = i;
    double cost = cost_of(application, timeline, most);
    double share = share_of(application, cost), of_kernels = share_of(application, kernels);
    bool other = cost > kernels && share >= WORTH_SAYING;
    if (other)
        clopt_document_printf(document, CLOPT_SENTENCE_ANSWER,
                              "First: %s %.0f%% of the run, all kernels %.0f%%: %s.",
                              advice[most].what, 100 * share, 100 * of_kernels, advice[most].hint);
    else if (of_kernels < WORTH_SAYING && kernels > 0)
        clopt_document_printf(document, CLOPT_SENTENCE_ANSWER,
                              "Kernels take %.1f%% of the run: faster ones change little.",
                              100 * of_kernels);
    return other;
}

void clopt_activities_table(const struct clopt_application *application,
                            const struct clopt_queue_timeline *timeline,
                            struct clopt_document *document)
{
    const struct clopt_record *record = application->record;
    struct clopt_grid grid = {0};
    double idle = 0;
    clopt_grid_set_heading(&grid, "The run by what it did");
    clopt_grid_add_columns(&grid, "*What, #Calls, =ms, =% of run, =Devices idle %");
    for (size_t i = 0; i <= CLOPT_ACTIVITIES; i++) {
        double ns = (double)time_of(application, i);
        idle += timeline->idle_ns[i];
        clopt_grid_add_row(&grid, "%s", clopt_activity_name(i, false));
        if (i < CLOPT_OUTSIDE)
            clopt_grid_put_number(&grid, (double)record->activity_calls[i], 0);
        else
            clopt_grid_skip(&grid, 1);
        clopt_grid_put_number(&grid, ns / 1e6, 3);
        clopt_grid_put_number(&grid, 100 * share_of(application, ns), 1);
        clopt_grid_put_number(&grid, 100 * share_of(application, timeline->idle_ns[i]), 1);
    }
    clopt_document_table(document, &grid);
    clopt_document_printf(
        document, CLOPT_SENTENCE_PLAIN,
        "Kernels take %.1f%% of the run. Devices idle: of the run, while no queue ran a command; "
        "%.1f%% in all, at least. What blocks counts as waiting until its own command begins. Of "
        "several threads in calls the first of these rows counts; of several processes each "
        "counts.",
        100 * share_of(application, (double)clopt_record_total_ns(record)),
        100 * share_of(application, idle));
}

void clopt_activities_data(const struct clopt_application *application,
                           struct clopt_document *document)
{
    json_t *rows = json_object();
    for (size_t i = 0; i <= CLOPT_ACTIVITIES; i++)
        json_object_set_new(rows, clopt_activity_name(i, false),
                            json_integer((json_int_t)time_of(application, i)));
    clopt_document_data(document, "run_ns", json_integer((json_int_t)application->wall_ns));
    clopt_document_data(document, "run_by_activity_ns", rows);
}
