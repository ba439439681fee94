/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses which variants of a kernel are exported, and for which devices. */
#include "commands/export/unit.h"

/* Returns the number of the variant that a row is, and adds it where it is none yet. */
static size_t add_variant(struct clopt_export_unit *unit, const struct clopt_view_row *row)
{
    for (size_t i = 0; i < unit->count; i++)
        if (unit->variants[i].row == row)
            return i;
    struct clopt_export_variant *variant =
        clopt_array_add(&unit->variants, &unit->count, sizeof *variant);
    variant->view = unit->view;
    variant->row = row;
    variant->run = unit->count - 1;
    return variant->run;
}

static bool is_wanted(const struct clopt_export_unit *unit, size_t device)
{
    return clopt_is_asked_for(unit->request->device, unit->results->devices[device].label);
}

static const struct clopt_view_row *find_initial(const struct clopt_view *view)
{
    for (size_t i = 0; i < view->row_count; i++)
        if (view->rows[i].initial)
            return &view->rows[i];
    return NULL;
}

/* Returns the best variant of a device; the initial code where there is no difference from it.
 * What programs take unseen, as winners, surely is faster. */
static const struct clopt_view_row *find_best(const struct clopt_export_unit *unit, size_t device,
                                              const struct clopt_view_row *initial)
{
    const struct clopt_view *view = unit->view;
    const struct clopt_view_row *best = clopt_summary_best(view, device);
    if (!best || !initial->row->cells[device].ranked)
        return best;
    const struct clopt_result_time *time = &best->row->cells[device].times[view->scope];
    bool gains = unit->request->wisdom ? time->different : time->verdict != CLOPT_VERDICT_SAME;
    return gains ? best : initial;
}

/* Finds the variant that the user names, which must be right on a device that is wanted. */
static enum clopt_status find_named(const struct clopt_export_unit *unit,
                                    const struct clopt_view_row **named, struct clopt_error *error)
{
    const struct clopt_view *view = unit->view;
    const char *name = unit->request->variant;
    const char *reason = NULL;
    for (size_t i = 0; i < view->row_count; i++)
        for (size_t d = 0; d < unit->results->device_count; d++) {
            const struct clopt_result *cell = &view->rows[i].row->cells[d];
            if (strcmp(view->rows[i].row->name, name) != 0 || !cell->present || !is_wanted(unit, d))
                continue;
            *named = &view->rows[i];
            if (view->rows[i].rival)
                return clopt_fail(error, CLOPT_INVALID,
                                  "%s: %s is a native program, and no variant", unit->kernel, name);
            if (cell->ranked)
                return CLOPT_OK;
            reason = clopt_result_missing(cell);
        }
    return reason ? clopt_fail(error, CLOPT_INVALID, "%s: %s: was not seen to be right: %s",
                               unit->kernel, name, reason)
                  : clopt_fail(
                        error, CLOPT_INVALID,
                        "%s: %s: no variant of this kernel; `clopt report STORE --csv` lists them",
                        unit->kernel, name);
}

/* Chooses for all other devices: the most portable one of several. */
static void choose_preferred(struct clopt_export_unit *unit, const struct clopt_view_row *named)
{
    CLOPT_OWNED(clopt_portability) portability;
    const struct clopt_view_row *row = named;
    size_t devices = 0;
    for (size_t d = 0; d < unit->results->device_count; d++)
        if (unit->chosen[d] != CLOPT_NO_ROW && devices++ == 0 && !named)
            row = unit->variants[unit->chosen[d]].row;
    clopt_portability_init(&portability, unit->view);
    if (!named && devices > 1 && portability.most != CLOPT_NO_ROW)
        row = &unit->view->rows[portability.most];
    unit->preferred = add_variant(unit, row);
}

/* Says why there is nothing to export: the time was over, or what became of the initial code. */
static enum clopt_status fail_empty(const struct clopt_export_unit *unit,
                                    const struct clopt_view_row *initial, struct clopt_error *error)
{
    const char *device = unit->request->device;
    CLOPT_OWNED(clopt_text) why = {0};
    bool shortage = clopt_summary_shortage(&why, unit->results);
    for (size_t d = 0; d < unit->results->device_count && !shortage; d++) {
        const struct clopt_result *cell = &initial->row->cells[d];
        if (cell->present && is_wanted(unit, d) && !cell->ranked)
            clopt_text_printf(&why, "%sinitial code on %s: %s", why.length ? "; " : "",
                              unit->results->devices[d].label, clopt_result_missing(cell));
    }
    return clopt_fail(error, CLOPT_FAILED,
                      "%s: no variant was measured and seen to be right%s%s%s%s", unit->kernel,
                      device ? " on " : "", device ? device : "", why.length ? ": " : "",
                      clopt_text_string(&why));
}

enum clopt_status clopt_export_choose(struct clopt_export_unit *unit, struct clopt_error *error)
{
    const struct clopt_view *view = unit->view;
    const struct clopt_view_row *named = NULL, *initial = find_initial(view);
    size_t devices = 0;
    if (!initial)
        return clopt_fail(error, CLOPT_INVALID, "%s: the store has no initial code of it",
                          unit->kernel);
    unit->chosen = clopt_calloc(unit->results->device_count, sizeof *unit->chosen);
    unit->sized = clopt_calloc(unit->results->device_count, sizeof *unit->sized);
    add_variant(unit, initial);
    if (unit->request->variant)
        CLOPT_TRY(find_named(unit, &named, error));
    for (size_t d = 0; d < unit->results->device_count; d++) {
        const struct clopt_view_row *row = named && named->row->cells[d].ranked ? named
                                           : named                              ? NULL
                                                   : find_best(unit, d, initial);
        unit->chosen[d] = CLOPT_NO_ROW;
        if (!row || !is_wanted(unit, d))
            continue;
        devices++;
        unit->chosen[d] = add_variant(unit, row);
    }
    if (!devices)
        return fail_empty(unit, initial, error);
    choose_preferred(unit, named);
    return CLOPT_OK;
}
