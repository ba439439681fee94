/* SPDX-License-Identifier: BSD-3-Clause */
/* Studies that a program runs through the library. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* secure_getenv() */
#endif
#include <clopt/experiment.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "main/study_command.h"
#include "report/view.h"
#include "results/results.h"
#include "supervisor/supervisor.h"

struct clopt_experiment {
    char *study;
    char *settings[CLOPT_MOST_OVERRIDES];
    struct clopt_override overrides[CLOPT_MOST_OVERRIDES];
    size_t count;
};

enum clopt_status clopt_experiment_create(const char *study, struct clopt_experiment **experiment,
                                          struct clopt_error *error)
{
    struct clopt_experiment *made = calloc(1, sizeof *made);
    *experiment = made;
    if (made && (made->study = strdup(study)))
        return CLOPT_OK;
    free(made);
    *experiment = NULL;
    return clopt_fail_memory(error);
}

void clopt_experiment_destroy(struct clopt_experiment *experiment)
{
    for (size_t i = 0; experiment && i < experiment->count; i++)
        free(experiment->settings[i]);
    if (experiment)
        free(experiment->study);
    free(experiment);
}

enum clopt_status clopt_experiment_set(struct clopt_experiment *experiment, const char *setting,
                                       struct clopt_error *error)
{
    if (experiment->count == CLOPT_MOST_OVERRIDES)
        return clopt_fail(error, CLOPT_INVALID, "%s: more than %d settings", setting,
                          CLOPT_MOST_OVERRIDES);
    char *copy = strdup(setting);
    if (!copy)
        return clopt_fail_memory(error);
    experiment->settings[experiment->count] = copy;
    experiment->overrides[experiment->count++].text = copy;
    return CLOPT_OK;
}

enum clopt_status clopt_experiment_run(struct clopt_experiment *experiment, const char *store_path,
                                       clopt_tell_result tell, void *user,
                                       struct clopt_error *error)
{
    struct clopt_registry *registry = NULL;
    struct clopt_study *study = NULL;
    struct clopt_store *store = NULL;
    const char *program = secure_getenv("CLOPT_PROGRAM");
    const struct clopt_supervisor_options options = {.store_path = store_path,
                                                     .program =
                                                         program ? program : CLOPT_BINDIR "/clopt",
                                                     .tell = tell,
                                                     .user = user};
    enum clopt_status status = clopt_registry_open(NULL, &registry, error);
    if (!status)
        status = clopt_study_read(experiment->study, registry, experiment->overrides,
                                  experiment->count, &study, error);
    if (!status)
        status = clopt_store_open(store_path, &store, error);
    if (!status)
        status = clopt_supervisor_run(study, store, &options, error);
    clopt_store_close(store);
    clopt_study_destroy(study);
    clopt_registry_close(registry);
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
    struct clopt_results *results = NULL;
    struct clopt_store *store = NULL;
    enum clopt_status status = clopt_store_open_read(store_path, &store, error);
    if (!status)
        status = clopt_results_gather(store, true, &results, error);
    for (size_t t = 0; !status && t < results->table_count; t++)
        for (size_t r = 0; r < results->tables[t].row_count; r++)
            tell_row(results, &results->tables[t].rows[r], tell, user);
    clopt_results_destroy(results);
    clopt_store_close(store);
    return status;
}
