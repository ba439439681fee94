/* SPDX-License-Identifier: BSD-3-Clause */
/* Studies that a program runs through the library. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* secure_getenv() */
#endif
#include <clopt/experiment.h>

#include <math.h>

#include "race/race.h"
#include "study/reader.h"
#include "supervisor/supervisor.h"
#include "view/view.h"
#include "watch/watch.h"

struct clopt_experiment {
    char *study;
    struct clopt_override *overrides; /* their texts are its own */
    size_t count;
};

struct clopt_experiment *clopt_experiment_create(const char *study)
{
    struct clopt_experiment *experiment = clopt_calloc(1, sizeof *experiment);
    experiment->study = clopt_strdup(study);
    return experiment;
}

void clopt_experiment_destroy(struct clopt_experiment *experiment)
{
    if (!experiment)
        return;
    for (size_t i = 0; i < experiment->count; i++)
        free((char *)experiment->overrides[i].text);
    free(experiment->overrides);
    free(experiment->study);
    free(experiment);
}

void clopt_experiment_set(struct clopt_experiment *experiment, const char *setting)
{
    struct clopt_override *override =
        clopt_array_add(&experiment->overrides, &experiment->count, sizeof *override);
    override->text = clopt_strdup(setting);
}

/* Who hears of outcomes. */
struct hearer {
    clopt_tell_result tell;
    void *user;
};

/* The median of what was measured of a candidate's kernel; NaN: nothing was. */
static double median_of(const struct clopt_candidate *candidate)
{
    const struct clopt_kernel *kernels = candidate->trial.app->extension->app->kernels;
    const struct clopt_samples *samples = &candidate->samples;
    size_t column = 0;
    while (column + 1 < samples->column_count && &kernels[column] != candidate->trial.kernel)
        column++;
    return clopt_samples_median(samples, column);
}

/* Hands an outcome on to who has asked for it. */
static void tell_outcome(void *user, const struct clopt_run *run,
                         const struct clopt_candidate *candidate)
{
    const struct hearer *hearer = user;
    const struct clopt_study *study = run->study;
    const struct clopt_trial *trial = &candidate->trial;
    CLOPT_FREED char *name = clopt_trial_name(trial);
    CLOPT_FREED char *problem = clopt_inputs_label(trial->app, trial->inputs);
    const char *device = "";
    bool ok = candidate->row.outcome == CLOPT_OUTCOME_OK;
    for (size_t d = 0; d < study->device_count; d++)
        if (run->device_rows[d] == candidate->row.device)
            device = study->devices[d].label;
    hearer->tell(hearer->user,
                 &(struct clopt_result_told){.app = trial->app->extension->name,
                                             .problem = problem,
                                             .kernel = trial->kernel ? trial->kernel->name : "",
                                             .device = device,
                                             .variant = name,
                                             .outcome = clopt_outcome_name(candidate->row.outcome),
                                             .reason = ok ? NULL : candidate->row.reason,
                                             .time_ns = median_of(candidate),
                                             .speedup = NAN});
}

enum clopt_status clopt_experiment_run(struct clopt_experiment *experiment, const char *store_path,
                                       clopt_tell_result tell, void *user,
                                       struct clopt_error *error)
{
    CLOPT_HELD(clopt_registry) registry = NULL;
    CLOPT_HELD(clopt_study) study = NULL;
    CLOPT_HELD(clopt_store) store = NULL;
    const char *program = secure_getenv("CLOPT_PROGRAM");
    struct clopt_watch watch;
    const struct clopt_supervisor_options options = {.store_path = store_path,
                                                     .program =
                                                         program ? program : CLOPT_BINDIR "/clopt",
                                                     .ended = tell ? tell_outcome : NULL,
                                                     .user = &(struct hearer){tell, user},
                                                     .watcher = &watch.watcher};
    CLOPT_TRY(clopt_registry_open(NULL, &registry, error));
    CLOPT_TRY(clopt_study_read(experiment->study, registry, experiment->overrides,
                               experiment->count, &study, error));
    CLOPT_TRY(clopt_store_open(store_path, &store, error));
    clopt_watch_begin(&watch, NULL, NULL);
    enum clopt_status status = clopt_supervisor_run(study, store, &options, error);
    clopt_watch_end(&watch);
    return status;
}

/* Tells of a variant of a kernel on each device. */
static void tell_row(const struct clopt_results *results, const struct clopt_results_row *row,
                     clopt_tell_result tell, void *user)
{
    const struct clopt_results_table *table = row->table;
    const struct clopt_results_problem *problem = &results->problems[table->problem];
    for (size_t d = 0; d < results->device_count; d++) {
        const struct clopt_result *cell = &row->cells[d];
        const struct clopt_result_time *time = &cell->times[CLOPT_SCOPE_KERNEL];
        if (!cell->present)
            continue;
        tell(user,
             &(struct clopt_result_told){
                 .app = problem->app,
                 .problem = problem->label,
                 .kernel = table->kernel,
                 .device = results->devices[d].label,
                 .variant = row->name,
                 .outcome = clopt_outcome_name(cell->outcome),
                 .reason = cell->outcome == CLOPT_OUTCOME_OK ? NULL : clopt_result_missing(cell),
                 .time_ns = cell->ranked ? time->interval.median : NAN,
                 .speedup = cell->ranked ? time->speedup.median : NAN,
                 .best = cell->ranked && time->best});
    }
}

enum clopt_status clopt_experiment_read(const char *store_path, clopt_tell_result tell, void *user,
                                        struct clopt_error *error)
{
    CLOPT_HELD(clopt_results) results = NULL;
    CLOPT_HELD(clopt_store) store = NULL;
    CLOPT_TRY(clopt_store_open_read(store_path, &store, error));
    CLOPT_TRY(clopt_results_gather(store, true, &results, error));
    for (size_t t = 0; t < results->table_count; t++)
        for (size_t r = 0; r < results->tables[t].row_count; r++)
            tell_row(results, &results->tables[t].rows[r], tell, user);
    return CLOPT_OK;
}
