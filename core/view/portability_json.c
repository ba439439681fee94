/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells machines how the best variant of each device does on the others. */
#include "view/portability.h"

#include "base/json.h"
#include "base/text.h"

/* Packs a fraction, under a name of its own, and its interval. */
static json_t *fraction_to_json(const char *name, const struct clopt_interval *fraction)
{
    return json_pack("{s:o, s:o, s:o, s:b, s:I}", name, clopt_json_real(fraction->median), "low",
                     clopt_json_real(fraction->low), "high", clopt_json_real(fraction->high),
                     "attained", fraction->attained, "processes", (json_int_t)fraction->processes);
}

/* What a variant does on a device. */
static json_t *cell_to_json(const struct clopt_portability *portability,
                            const struct clopt_view_row *row, size_t device)
{
    const struct clopt_view *view = portability->view;
    const struct clopt_result *result = &row->row->cells[device];
    const struct clopt_result_time *time = &result->times[view->scope];
    const struct clopt_interval none = clopt_interval_estimate(NULL, NULL, 0);
    json_t *cell = fraction_to_json("efficiency", result->present ? &time->efficiency : &none);
    bool aliased = result->present && result->alias != CLOPT_NO_ROW;
    json_t *about = json_pack(
        "{s:o, s:b, s:s?, s:b, s:b, s:b, s:o}", "device",
        clopt_json_text(view->results->devices[device].label), "counted",
        portability->counts[device], "outcome",
        result->present ? clopt_outcome_name(result->outcome) : NULL, "verified",
        result->trial.verified, "abandoned", result->trial.abandoned, "best", time->best,
        "alias_of", clopt_json_text(aliased ? row->table->rows[result->alias].name : NULL));
    if (!cell || !about || json_object_update(about, cell) != 0) {
        json_decref(about);
        about = NULL;
    }
    json_decref(cell);
    return about;
}

static json_t *row_to_json(const struct clopt_portability *portability, size_t number)
{
    const struct clopt_view *view = portability->view;
    json_t *cells = json_array();
    for (size_t d = 0; d < view->results->device_count; d++)
        clopt_json_append(&cells, cell_to_json(portability, &view->rows[number], d));
    return json_pack("{s:o, s:o, s:o}", "variant", clopt_json_text(view->rows[number].label),
                     "all_devices", fraction_to_json("metric", &portability->metrics[number]),
                     "devices", cells);
}

static json_t *matrix_to_json(const struct clopt_portability *portability)
{
    const struct clopt_view *view = portability->view;
    bool run = view->scope == CLOPT_SCOPE_RUN;
    size_t most = portability->most;
    json_t *rows = json_array();
    for (size_t i = 0; i < view->row_count; i++)
        if (portability->listed[i])
            clopt_json_append(&rows, row_to_json(portability, i));
    return json_pack(
        "{s:o, s:o, s:s, s:o, s:o, s:o}", "app", clopt_json_text(view->problem->app), "problem",
        clopt_json_text(view->problem->label), "scope", run ? "run" : "kernel", "kernel",
        clopt_json_text(run ? NULL : view->table->kernel), "most_portable",
        clopt_json_text(most == CLOPT_NO_ROW ? NULL : view->rows[most].label), "variants", rows);
}

/* Appends the matrices of a problem to the array that `user` is. */
static enum clopt_status append_matrices(void *user, const struct clopt_views *views,
                                         struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < views->count && !status; i++) {
        struct clopt_portability portability;
        status = clopt_portability_init(&portability, &views->items[i], error);
        if (status)
            return status;
        if (portability.best_count > 1 &&
            json_array_append_new(user, matrix_to_json(&portability)) != 0)
            status = clopt_fail_memory(error);
        clopt_portability_fini(&portability);
    }
    return status;
}

json_t *clopt_portability_to_json(const struct clopt_results *results, struct clopt_error *error)
{
    json_t *matrices = json_array();
    if (matrices && clopt_views_visit(results, append_matrices, matrices, error) == CLOPT_OK)
        return matrices;
    json_decref(matrices);
    return NULL;
}
