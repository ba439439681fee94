/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the best variants of a store as files to use. */
#include "commands/export/export.h"

#include <ctype.h>
#include <math.h>

#include "commands/export/unit.h"

struct export
{
    const struct clopt_export_request *request;
    struct clopt_results *results;
    struct clopt_query *query;  /* NULL: there is none, */
    struct clopt_error without; /* and why */
    bool *chosen;               /* of each table of the results: it is exported */
    size_t count;
};

/* ---- which kernels, with which problem ---- */

static bool is_wanted(const struct export *export, const struct clopt_results_table *table)
{
    const struct clopt_export_request *request = export->request;
    const char *problem = export->results->problems[table->problem].label;
    return !clopt_table_is_combined(table) && clopt_is_asked_for(request->kernel, table->kernel) &&
           clopt_is_asked_for(request->problem, problem);
}

/* Returns the time of a table's initial code on the device where it takes longest. */
static double slowest(const struct export *export, const struct clopt_results_table *table)
{
    double most = -1;
    for (size_t d = 0; d < export->results->device_count && table->initial != CLOPT_NO_ROW; d++) {
        const struct clopt_result *cell = &table->rows[table->initial].cells[d];
        if (clopt_result_shown(cell, CLOPT_SCOPE_KERNEL))
            most = fmax(most, cell->times[CLOPT_SCOPE_KERNEL].interval.median);
    }
    return most;
}

static bool is_same_kernel(const struct export *export, const struct clopt_results_table *a,
                           const struct clopt_results_table *b)
{
    const struct clopt_results_problem *problems = export->results->problems;
    return strcmp(a->kernel, b->kernel) == 0 &&
           strcmp(problems[a->problem].app, problems[b->problem].app) == 0;
}

/* Of each kernel that is launched, chooses the problem that takes longest; winners are of all. */
static enum clopt_status choose_tables(struct export *export, struct clopt_error *error)
{
    const struct clopt_results *results = export->results;
    for (size_t t = 0; t < results->table_count; t++) {
        const struct clopt_results_table *table = &results->tables[t];
        bool chosen = is_wanted(export, table) && slowest(export, table) != 0;
        for (size_t other = 0; other < t && chosen && !export->request->wisdom; other++) {
            const struct clopt_results_table *rival = &results->tables[other];
            if (!export->chosen[other] || !is_same_kernel(export, table, rival))
                continue;
            chosen = slowest(export, table) > slowest(export, rival);
            export->chosen[other] = !chosen;
        }
        export->chosen[t] = chosen;
        export->count += chosen;
    }
    if (export->count)
        return CLOPT_OK;
    return clopt_fail(error, CLOPT_INVALID, "the store has no results%s%s%s%s%s",
                      export->request->kernel ? " of kernel " : "",
                      export->request->kernel ? export->request->kernel : "",
                      export->request->problem ? " with problem " : "",
                      export->request->problem ? export->request->problem : "",
                      results->table_count ? "; `clopt report STORE` shows what there is" : "");
}

static enum clopt_status check_device(const struct export *export, struct clopt_error *error)
{
    const char *wanted = export->request->device;
    CLOPT_OWNED(clopt_text) list = {0};
    for (size_t d = 0; wanted && d < export->results->device_count; d++) {
        if (strcmp(export->results->devices[d].label, wanted) == 0)
            return CLOPT_OK;
        clopt_text_printf(&list, "%s%s", list.length ? ", " : "",
                          export->results->devices[d].label);
    }
    if (!wanted)
        return CLOPT_OK;
    return clopt_fail(error, CLOPT_INVALID, "%s: no device of the store; these are: %s", wanted,
                      clopt_text_string(&list));
}

/* ---- one kernel ---- */

static void variant_fini(struct clopt_export_variant *variant)
{
    clopt_trial_fini(&variant->trial);
    clopt_variant_fini(&variant->made);
    free(variant->file);
    free(variant->text);
    free(variant->options);
    json_decref(variant->trace);
}

static void unit_fini(struct clopt_export_unit *unit)
{
    const struct clopt_plugin_entry *app = unit->count ? unit->variants->trial.app : NULL;
    for (size_t i = 0; app && unit->sources && app->extension->app->kernels[i].name; i++)
        clopt_source_destroy(unit->sources[i]);
    for (size_t i = 0; i < unit->count; i++)
        variant_fini(&unit->variants[i]);
    for (size_t i = 0; i < unit->other_count; i++) {
        variant_fini(unit->others[i]);
        free(unit->others[i]);
    }
    free(unit->others);
    free(unit->ranges);
    free(unit->sized);
    clopt_app_source_fini(&unit->source);
    clopt_file_set_fini(&unit->files);
    free(unit->variants);
    free(unit->chosen);
    free(unit->sources);
    free(unit->macro);
    free(unit->name);
}

/* Whether a kernel of another app that is exported has the same name. */
static bool is_ambiguous(const struct export *export, const struct clopt_results_table *table)
{
    for (size_t t = 0; t < export->results->table_count; t++)
        if (export->chosen[t] && &export->results->tables[t] != table &&
            strcmp(export->results->tables[t].kernel, table->kernel) == 0)
            return true;
    return false;
}

/* Names what is written after the kernel and, where that is needed, after its app. */
static enum clopt_status unit_init(struct clopt_export_unit *unit, bool with_app,
                                   struct clopt_error *error)
{
    unit->kernel = unit->view->table->kernel;
    unit->name = clopt_text_format("%s%s%s", with_app ? unit->view->problem->app : "",
                                   with_app ? "_" : "", unit->kernel);
    unit->macro = clopt_strdup(unit->name);
    for (char *c = unit->macro; *c; c++) {
        if (!isalnum((unsigned char)*c) && *c != '_')
            return clopt_fail(error, CLOPT_INVALID, "%s: no name of a kernel", unit->name);
        *c = (char)toupper((unsigned char)*c);
    }
    return CLOPT_OK;
}

/* Whether a variant has a time beside that of the initial code. */
static bool is_compared(const struct clopt_view *view, size_t device)
{
    bool any = false;
    for (size_t i = 0; i < view->row_count; i++)
        any |= !view->rows[i].initial && view->rows[i].row->cells[device].ranked;
    return any;
}

/* Says what is exported, and what is not. */
static void tell(const struct clopt_export_unit *unit)
{
    CLOPT_OWNED(clopt_text) text = {0};
    if (unit->results->run.found)
        clopt_text_printf(&text, "clopt: %s: what was measured is known to be wrong: %s\n",
                          unit->view->problem->title, unit->results->run.found);
    for (size_t d = 0; d < unit->results->device_count; d++) {
        if (unit->chosen[d] == CLOPT_NO_ROW)
            continue;
        const struct clopt_view_row *row = unit->variants[unit->chosen[d]].row;
        clopt_text_printf(&text, "clopt: %s: %s on %s: ", unit->view->problem->title,
                          unit->view->name, unit->results->devices[d].label);
        if (unit->chosen[d] == 0 && !unit->request->variant && !is_compared(unit->view, d))
            clopt_text_append(&text, "no variant has a time; the initial code is exported");
        else if (unit->chosen[d] == 0 && !unit->request->variant)
            clopt_text_printf(&text,
                              "nothing is surely %s than the initial code, which is exported",
                              clopt_objective_words(unit->results->objective)->better);
        else
            clopt_text_append(&text, row->label);
        if (!row->initial)
            clopt_summary_gain(&text, unit->view, row, d);
        clopt_text_append(&text, "\n");
    }
    clopt_export_say_ranges(unit->request->ranges ? unit->request->ranges : &text, unit);
    if (unit->no_host.status && !unit->request->wisdom)
        clopt_text_printf(&text, "clopt: note: %s: no host programs: %s\n", unit->kernel,
                          unit->no_host.message);
    clopt_text_print(unit->request->notices, "%s", clopt_text_string(&text));
}

static enum clopt_status write_files(struct clopt_export_unit *unit, struct clopt_error *error)
{
    CLOPT_FREED char *manifest = clopt_text_format("%s.json", unit->name);
    clopt_export_take_ranges(unit);
    CLOPT_TRY(clopt_export_trace(unit, error));
    clopt_export_add_sources(unit);
    clopt_export_add_header(unit);
    if (!unit->no_host.status)
        CLOPT_TRY(clopt_export_add_hosts(unit, error));
    return clopt_file_set_write(&unit->files, manifest, clopt_export_to_json(unit), error);
}

static enum clopt_status write_unit(struct clopt_export_unit *unit, struct clopt_error *error)
{
    size_t count = 0;
    const struct clopt_kernel *kernels = unit->variants->trial.app->extension->app->kernels;
    while (kernels[count].name)
        count++;
    unit->sources = clopt_calloc(count, sizeof(struct clopt_source *));
    if (unit->request->wisdom)
        clopt_export_add_winners(unit);
    else
        CLOPT_TRY(write_files(unit, error));
    if (unit->request->notices)
        tell(unit);
    return CLOPT_OK;
}

/* Says which kernels cannot be made again; that is an error where there are no others. */
static enum clopt_status tell_unmade(const struct export *export, size_t made,
                                     const struct clopt_text *unmade, struct clopt_error *error)
{
    FILE *notices = export->request->notices;
    if (unmade->length && !made)
        return clopt_fail(error, CLOPT_FAILED, "%s", unmade->data + strlen("\nclopt: "));
    if (unmade->length && notices)
        clopt_text_print(notices, "%s\n", unmade->data + 1);
    return CLOPT_OK;
}

/* What is exported, and other problems of the same kernels, by which sizes are told apart. */
struct units {
    struct clopt_export_unit *items;
    size_t count;
};

static void units_fini(struct units *units)
{
    for (size_t i = 0; i < units->count; i++)
        unit_fini(&units->items[i]);
    free(units->items);
}

/* Whether a table is exported, or one of another problem of such a kernel. */
static bool is_needed(const struct export *export, const struct clopt_results_table *table)
{
    bool needed = export->chosen[table - export->results->tables];
    bool sized =
        !export->request->variant && is_wanted(export, table) && slowest(export, table) != 0;
    for (size_t t = 0; t < export->results->table_count && sized; t++)
        needed |= export->chosen[t] && is_same_kernel(export, &export->results->tables[t], table);
    return needed;
}

/* Chooses and makes the variants of a view. What cannot be made is said in `unmade`. */
static enum clopt_status add_unit(struct export *export, const struct clopt_view *view,
                                  struct units *units, struct clopt_text *unmade,
                                  struct clopt_error *error)
{
    struct clopt_export_unit *unit = &units->items[units->count++];
    struct clopt_error why = {0};
    *unit = (struct clopt_export_unit){
        .request = export->request,
        .results = export->results,
        .view = view,
        .query = export->query,
        .files = {.folder = export->request->folder, .stream = export->request->stream},
        .no_host = export->without,
        .exported = export->chosen[view->table - export->results->tables]};
    CLOPT_TRY(unit_init(unit, is_ambiguous(export, view->table), error));
    enum clopt_status status = clopt_export_choose(unit, &why);
    if (status && unit->exported) {
        *error = why;
        return status;
    }
    if (!status && !clopt_export_make(unit, &why))
        return CLOPT_OK;
    if (unit->exported)
        clopt_text_printf(unmade, "\nclopt: %s", why.message);
    unit_fini(unit);
    units->count--;
    return CLOPT_OK;
}

static enum clopt_status export_views(struct export *export, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_views) views = clopt_views_make(export->results);
    CLOPT_OWNED(clopt_text) unmade = {0};
    CLOPT_OWNED(units) units = {clopt_calloc(views.count, sizeof *units.items), 0};
    size_t made = 0;
    for (size_t i = 0; i < views.count; i++)
        if (views.items[i].scope == CLOPT_SCOPE_KERNEL && is_needed(export, views.items[i].table))
            CLOPT_TRY(add_unit(export, &views.items[i], &units, &unmade, error));
    if (!export->request->variant)
        clopt_export_find_ranges(units.items, units.count);
    for (size_t i = 0; i < units.count; i++) {
        if (!units.items[i].exported)
            continue;
        made++;
        CLOPT_TRY(write_unit(&units.items[i], error));
    }
    return tell_unmade(export, made, &unmade, error);
}

/* ---- all of it ---- */

static enum clopt_status write_folder(struct export *export, struct clopt_error *error)
{
    static const struct clopt_limits limits = {
        .setup_s = 600, .build_s = 600, .launch_s = 600, .trial_s = 600};
    CLOPT_OWNED(clopt_query) query = {0};
    if (!export->request->wisdom)
        CLOPT_TRY(clopt_folder_create(export->request->folder, error));
    if (!clopt_query_open(&query, &export->request->settings, &limits, &export->without))
        export->query = &query;
    return export_views(export, error);
}

enum clopt_status clopt_export(struct clopt_store *store,
                               const struct clopt_export_request *request,
                               struct clopt_error *error)
{
    CLOPT_HELD(clopt_results) results = NULL;
    CLOPT_TRY(clopt_results_gather(store, false, &results, error));
    CLOPT_FREED bool *chosen = clopt_calloc(results->table_count, sizeof *chosen);
    struct export export = {.request = request, .results = results, .chosen = chosen};
    CLOPT_TRY(choose_tables(&export, error));
    CLOPT_TRY(check_device(&export, error));
    return write_folder(&export, error);
}
