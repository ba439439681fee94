/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the time of an application goes, from its start to its end, and what to do about it. */
#include "commands/capture/activities.h"

#include "commands/capture/profile.h"

/* Of a run: that is worth a hint. */
#define WORTH_SAYING 0.1

static const struct {
    const char *name, *hint; /* what people are told to do about it, or NULL */
} activities[] = {
    [CLOPT_OPENS] = {"opening contexts", NULL},
    [CLOPT_BUILDS] = {"building programs", "keep what it builds: CL_PROGRAM_BINARIES"},
    [CLOPT_COPIES] = {"copying", "let data stay on the device, or pin it: CL_MEM_ALLOC_HOST_PTR"},
    [CLOPT_MAPS] = {"mapping", "let data stay on the device"},
    [CLOPT_LAUNCHES] = {"launching kernels", "launch fewer and larger ones"},
    [CLOPT_WAITS] = {"waiting for the device", NULL},
    [CLOPT_OUTSIDE] = {"outside of these calls", NULL},
    [CLOPT_ACTIVITIES] = {"before OpenCL and after", NULL},
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

static double share_of(const struct clopt_application *application, uint64_t ns)
{
    uint64_t all = 0;
    for (size_t i = 0; i <= CLOPT_ACTIVITIES; i++)
        all += time_of(application, i);
    return all ? (double)ns / (double)all : 0;
}

void clopt_activities_advise(const struct clopt_application *application,
                             struct clopt_document *document)
{
    size_t most = CLOPT_ACTIVITIES;
    uint64_t kernels = clopt_record_total_ns(application->record);
    for (size_t i = 0; i < CLOPT_ACTIVITIES; i++)
        if (activities[i].hint &&
            (most == CLOPT_ACTIVITIES || time_of(application, i) > time_of(application, most)))
            most = i;
    uint64_t time = time_of(application, most);
    double share = share_of(application, time), of_kernels = share_of(application, kernels);
    if (time > kernels && share >= WORTH_SAYING)
        clopt_document_printf(document, CLOPT_SENTENCE_ANSWER,
                              "First: %s takes %.0f%% of the run, all kernels %.0f%%: %s.",
                              activities[most].name, 100 * share, 100 * of_kernels,
                              activities[most].hint);
    else if (of_kernels < WORTH_SAYING && kernels)
        clopt_document_printf(document, CLOPT_SENTENCE_ANSWER,
                              "Kernels take %.1f%% of the run: faster ones change little.",
                              100 * of_kernels);
}

void clopt_activities_table(const struct clopt_application *application,
                            struct clopt_document *document)
{
    const struct clopt_record *record = application->record;
    struct clopt_grid grid = {0};
    clopt_grid_set_heading(&grid, "The run by what it did");
    clopt_grid_add_columns(&grid, "*What, #Calls, =ms, =% of run");
    for (size_t i = 0; i <= CLOPT_ACTIVITIES; i++) {
        uint64_t ns = time_of(application, i);
        clopt_grid_add_row(&grid, "%s", activities[i].name);
        if (i < CLOPT_OUTSIDE)
            clopt_grid_put_number(&grid, (double)record->activity_calls[i], 0);
        else
            clopt_grid_skip(&grid, 1);
        clopt_grid_put_number(&grid, (double)ns / 1e6, 3);
        clopt_grid_put_number(&grid, 100 * share_of(application, ns), 1);
    }
    clopt_document_table(document, &grid);
    clopt_document_printf(
        document, CLOPT_SENTENCE_PLAIN,
        "Kernels take %.1f%% of the run; a device did none in the rest of it. What blocks counts "
        "as "
        "waiting until its own command begins. Of several threads in calls the first of these "
        "rows counts; of several processes each counts.",
        100 * share_of(application, clopt_record_total_ns(record)));
}

void clopt_activities_data(const struct clopt_application *application,
                           struct clopt_document *document)
{
    json_t *rows = json_object();
    for (size_t i = 0; i <= CLOPT_ACTIVITIES; i++)
        json_object_set_new(rows, activities[i].name,
                            json_integer((json_int_t)time_of(application, i)));
    clopt_document_data(document, "run_ns", json_integer((json_int_t)application->wall_ns));
    clopt_document_data(document, "run_by_activity_ns", rows);
}
