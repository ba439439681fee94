/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the texts of results, gives all up in the end, and answers what is computed of them. */
#include "results/results.h"

#include <math.h>

char *clopt_results_keep(struct clopt_results *results, const char *text)
{
    CLOPT_OWNED(clopt_text) clean = {0};
    if (!text)
        return NULL;
    if (results->printable)
        clopt_text_append_printable(&clean, text);
    else
        clopt_text_append(&clean, text);
    return clopt_arena_copy(&results->arena, clopt_text_string(&clean), clean.length);
}

/* Whether a label does not tell a device from others: as in drafts; where it says its kind, in a
 * report of several stores, whose names follow an @; where it says another kind than it is of. */
static bool is_nameless(const struct clopt_results *results,
                        const struct clopt_results_device *device)
{
    static const char *const names[] = {"default", "device", "cpu", "gpu"};
    size_t length = strcspn(device->label, "@");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && strncmp(device->label, names[i], length) == 0)
            return i < 2 || results->origin_count ||
                   (device->type && strcmp(device->type, names[i]) != 0);
    return false;
}

/* What people call a device: after its platform, or what its name says beside its vendor. */
static char *short_name(const struct clopt_results_device *device)
{
    static char pocl[] = "PoCL", intel[] = "Intel";
    static const char vendor[] = "NVIDIA ";
    if (strcmp(device->platform, "Portable Computing Language") == 0)
        return pocl;
    if (strncmp(device->platform, intel, strlen(intel)) == 0)
        return intel;
    return device->name + (strncmp(device->name, vendor, strlen(vendor)) == 0 ? strlen(vendor) : 0);
}

void clopt_results_name_devices(struct clopt_results *results)
{
    for (size_t i = 0; i < results->device_count && results->printable; i++) {
        struct clopt_results_device *device = &results->devices[i];
        const char *name = short_name(device), *store = device->label + strcspn(device->label, "@");
        bool equal = false;
        for (size_t k = 0; k < results->device_count; k++)
            equal |= k != i && (strcmp(short_name(&results->devices[k]), name) == 0 ||
                                strcmp(results->devices[k].label, name) == 0);
        if (!is_nameless(results, device) || (equal && !*store))
            continue;
        CLOPT_FREED char *label = clopt_text_format("%s%s", name, equal ? store : "");
        device->label = clopt_results_keep(results, label);
    }
}

static void destroy_table(struct clopt_results_table *table, size_t device_count)
{
    for (size_t i = 0; i < table->row_count; i++) {
        for (size_t d = 0; d < device_count; d++) {
            struct clopt_result *cell = &table->rows[i].cells[d];
            json_decref(cell->counters);
            for (int scope = 0; scope < CLOPT_SCOPE_COUNT; scope++)
                clopt_medians_fini(&cell->medians[scope]);
            free(cell->waited);
        }
        free(table->rows[i].published);
    }
    free(table->rows);
    json_decref(table->patterns);
}

void clopt_results_destroy(struct clopt_results *results)
{
    if (!results)
        return;
    for (size_t i = 0; i < results->table_count; i++)
        destroy_table(&results->tables[i], results->device_count);
    for (size_t i = 0; i < results->problem_count; i++) {
        destroy_table(&results->problems[i].rivals, results->device_count);
        json_decref(results->problems[i].inputs);
    }
    free(results->published);
    free(results->origins);
    free(results->work.activities);
    free(results->work.members);
    free(results->tables);
    free(results->devices);
    free(results->problems);
    free(results->work.stages);
    clopt_arena_fini(&results->arena);
    free(results);
}

size_t clopt_results_problem_end(const struct clopt_results *results, size_t first)
{
    size_t end = first;
    while (end < results->table_count &&
           results->tables[end].problem == results->tables[first].problem)
        end++;
    return end;
}

size_t clopt_table_find_row(const struct clopt_results_table *table, const char *name, size_t guess)
{
    for (size_t i = 0; i < table->row_count; i++) {
        size_t row = (guess + i) % table->row_count;
        if (strcmp(table->rows[row].name, name) == 0)
            return row;
    }
    return CLOPT_NO_ROW;
}

struct clopt_rates clopt_results_rates(const struct clopt_results *results,
                                       const struct clopt_result *result)
{
    const struct clopt_store_work *work = &result->row->table->work;
    bool timed = results->objective == CLOPT_OBJECTIVE_TIME;
    return clopt_rates_compute(work->arithmetic, work->operations, work->bytes,
                               timed ? result->times[CLOPT_SCOPE_KERNEL].interval.median : NAN,
                               &results->devices[result->device].peaks);
}

enum clopt_status clopt_results_read(const char *path, struct clopt_results **results,
                                     struct clopt_error *error)
{
    CLOPT_HELD(clopt_store) store = NULL;
    CLOPT_TRY(clopt_store_open_read(path, &store, error));
    return clopt_results_gather(store, true, results, error);
}

bool clopt_selection_has(const struct clopt_selection *selection,
                         const struct clopt_results *results,
                         const struct clopt_results_table *table, size_t device)
{
    return clopt_is_asked_for(selection->device, results->devices[device].label) &&
           clopt_is_asked_for(selection->problem, results->problems[table->problem].label) &&
           clopt_is_asked_for(selection->kernel, table->kernel);
}
