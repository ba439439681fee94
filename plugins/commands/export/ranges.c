/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the winners of a kernel by size: of what was measured at several problems. */
#include <math.h>

#include "commands/export/unit.h"

#define PRECISION     0.02 /* as [measure] precision is */
#define MOST_RUNNERS  12   /* beside the winner of a problem, the fastest first, */
#define LEAST_RUNNING 0.6  /* as fast as that at least: who may win between problems */

/* A program that is fast at one of the problems, and the same program made for the others. */
struct candidate {
    struct clopt_export_variant **made; /* one a problem; NULL: it has no time there */
};

/* The problems of a kernel on a device, and who won there. */
struct field {
    struct clopt_export_unit **units;
    size_t count;
    size_t device;
    struct candidate *candidates; /* the initial code first */
    size_t candidate_count;
};

static void field_fini(struct field *field)
{
    for (size_t i = 0; i < field->candidate_count; i++)
        free(field->candidates[i].made);
    free(field->candidates);
    free(field->units);
}

/* ---- who may win ---- */

static const struct clopt_result *cell_of(const struct field *field,
                                          const struct clopt_view_row *row)
{
    return &row->row->cells[field->device];
}

/* Whether two variants are the same program, launched in the same way. */
static bool are_same(const struct clopt_export_variant *a, const struct clopt_export_variant *b)
{
    CLOPT_OWNED(clopt_text) first = {0}, second = {0};
    struct clopt_ndrange nothing = {.dimensions = a->ndrange.dimensions};
    clopt_export_append_change(&first, clopt_export_change(a), &nothing);
    clopt_export_append_change(&second, clopt_export_change(b), &nothing);
    return strcmp(a->row->row->name, b->row->row->name) == 0 && strcmp(a->text, b->text) == 0 &&
           strcmp(a->options, b->options) == 0 &&
           strcmp(clopt_text_string(&first), clopt_text_string(&second)) == 0;
}

/* Returns the variant of a problem that has a name and a time, which it makes where that was not
 * done; NULL: there is none. */
static struct clopt_export_variant *find_made(const struct field *field,
                                              struct clopt_export_unit *unit, const char *name)
{
    for (size_t i = 0; i < unit->view->row_count; i++) {
        const struct clopt_view_row *row = &unit->view->rows[i];
        if (!row->rival && strcmp(row->row->name, name) == 0 && cell_of(field, row)->ranked)
            return clopt_export_find(unit, row, field->device);
    }
    return NULL;
}

/* Enters a variant of a problem as the candidate that it is. */
static void enter(struct field *field, size_t problem, struct clopt_export_variant *variant)
{
    for (size_t c = 0; c < field->candidate_count; c++)
        for (size_t k = 0; k < field->count; k++) {
            const struct clopt_export_variant *other = field->candidates[c].made[k];
            if (other && are_same(other, variant)) {
                field->candidates[c].made[problem] = variant;
                return;
            }
        }
    struct candidate *added =
        clopt_array_add(&field->candidates, &field->candidate_count, sizeof *added);
    added->made = clopt_calloc(field->count, sizeof(struct clopt_export_variant *));
    added->made[problem] = variant;
}

/* Makes a variant for all problems where it has a time; one that was written by hand is none. */
static void enter_everywhere(struct field *field, const char *name)
{
    for (size_t p = 0; p < field->count; p++) {
        struct clopt_export_variant *made = find_made(field, field->units[p], name);
        if (made && !clopt_trial_alternative(&made->trial))
            enter(field, p, made);
    }
}

/* Whether a variant has a time at several problems. */
static bool is_common(const struct field *field, const char *name)
{
    size_t count = 0;
    for (size_t k = 0; k < field->count; k++) {
        const struct clopt_view *view = field->units[k]->view;
        for (size_t i = 0; i < view->row_count; i++)
            count += strcmp(view->rows[i].row->name, name) == 0 &&
                     cell_of(field, &view->rows[i])->ranked;
    }
    return count > 1;
}

/* Enters who comes after the winner of a problem, where their times at other sizes are known. */
static void enter_runners(struct field *field, const struct clopt_export_unit *unit)
{
    size_t count = 0;
    CLOPT_FREED struct clopt_export_ranked *ranked =
        clopt_export_rank(unit->view, field->device, &count);
    for (size_t i = 0; i < count && i < MOST_RUNNERS; i++) {
        const char *name = ranked[i].row->row->name;
        if (ranked[i].speedup >= LEAST_RUNNING * ranked->speedup && is_common(field, name))
            enter_everywhere(field, name);
    }
}

/* Makes what is fast at a problem for all of them. */
static void enter_all(struct field *field)
{
    for (size_t k = 0; k < field->count; k++)
        enter(field, k, field->units[k]->variants);
    for (size_t k = 0; k < field->count; k++) {
        const struct clopt_export_unit *from = field->units[k];
        const struct clopt_export_variant *winner = &from->variants[from->chosen[field->device]];
        if (winner != from->variants)
            enter_everywhere(field, winner->row->row->name);
    }
    for (size_t k = 0; k < field->count; k++)
        enter_runners(field, field->units[k]);
}

/* ---- who wins where ---- */

static void fill_table(const struct field *field, double *losses, double *gains)
{
    for (size_t c = 0; c < field->candidate_count; c++)
        for (size_t k = 0; k < field->count; k++) {
            const struct clopt_export_variant *made = field->candidates[c].made[k];
            size_t at = c * field->count + k;
            losses[at] = NAN;
            if (!made)
                continue;
            const struct clopt_result_time *time =
                clopt_view_time(made->view, made->row, field->device);
            losses[at] = fmax(0, 1 / time->efficiency.median - 1);
            gains[at] = !time->different ? 0 : time->speedup.median > 1 ? 1 : -1;
        }
}

/* Adds the ranges to the problem that is exported. Its own variants are preferred: their sources
 * say how they were measured with it. */
static void add_ranges(const struct field *field, size_t leader,
                       const struct clopt_size_ranges *found)
{
    struct clopt_export_unit *unit = field->units[leader];
    for (size_t i = 0; i < found->count; i++) {
        const struct clopt_size_range *size = &found->items[i];
        const struct candidate *candidate = &field->candidates[size->variant];
        bool own = !unit->request->wisdom && candidate->made[leader];
        struct clopt_export_range *range =
            clopt_array_add(&unit->ranges, &unit->range_count, sizeof *range);
        size_t problem = own ? leader : size->largest;
        *range = (struct clopt_export_range){.size = *size,
                                             .device = field->device,
                                             .made = candidate->made[problem],
                                             .from = field->units[problem]};
    }
}

/* Counts the work-groups of a candidate's launch for a size. */
static size_t count_groups(const void *user, size_t variant, const size_t global[3])
{
    const struct field *field = user;
    const struct candidate *candidate = &field->candidates[variant];
    const struct clopt_export_variant *made = NULL;
    size_t groups = 1;
    for (size_t k = 0; k < field->count && !made; k++)
        made = candidate->made[k];
    struct clopt_ndrange range = made->ndrange;
    for (unsigned d = 0; d < range.dimensions; d++)
        range.global[d] = clopt_round_up(global[d], clopt_ndrange_factor(range.local[d]));
    range = clopt_ndrange_map(&range, clopt_export_change(made));
    for (unsigned d = 0; d < range.dimensions; d++)
        groups *= clopt_divide_up(range.global[d], clopt_ndrange_factor(range.local[d]));
    return groups;
}

static void find_ranges(struct field *field, size_t leader)
{
    size_t count = field->count;
    enter_all(field);
    CLOPT_FREED double *losses = clopt_calloc(field->candidate_count * count, sizeof *losses);
    CLOPT_FREED double *gains = clopt_calloc(field->candidate_count * count, sizeof *gains);
    CLOPT_FREED size_t(*global)[3] = clopt_calloc(count, sizeof *global);
    CLOPT_FREED double *best_ns = clopt_calloc(count, sizeof *best_ns);
    const struct clopt_export_unit *unit = field->units[leader];
    int64_t compute_units = unit->results->devices[field->device].compute_units;
    fill_table(field, losses, gains);
    for (size_t k = 0; k < count; k++) {
        const struct clopt_export_variant *initial = field->units[k]->variants;
        memcpy(global[k], initial->ndrange.global, sizeof global[k]);
        best_ns[k] = clopt_view_time(initial->view, initial->row, field->device)->interval.median /
                     (1 + losses[k]);
    }
    const struct clopt_size_table table = {
        .size_count = count,
        .variant_count = field->candidate_count,
        .dimensions = unit->dimensions,
        .global = (const void *)global,
        .losses = losses,
        .gains = gains,
        .precision = PRECISION,
        .best_ns = best_ns,
        .compute_units = compute_units > 0 ? (size_t)compute_units : 0,
        .count_groups = count_groups,
        .user = field,
    };
    CLOPT_OWNED(clopt_size_ranges) found = clopt_size_ranges_grow(&table, unit->request->choice);
    if (found.count == 1 && found.items->variant == 0)
        return; /* nothing wins */
    add_ranges(field, leader, &found);
    for (size_t k = 0; k < count; k++)
        field->units[k]->sized[field->device] = true;
}

/* Whether two problems are of one program of an application. */
static bool are_together(const struct clopt_export_unit *a, const struct clopt_export_unit *b)
{
    return strcmp(a->kernel, b->kernel) == 0 &&
           strcmp(a->view->problem->app, b->view->problem->app) == 0 &&
           a->dimensions == b->dimensions &&
           strcmp(a->variants->options, b->variants->options) == 0;
}

/* Whether a problem has a time of the initial code, which all of its variants are compared with. */
static bool counts(const struct clopt_export_unit *unit, size_t device)
{
    return unit->chosen[device] != CLOPT_NO_ROW && !unit->sized[device] &&
           unit->variants->row->row->cells[device].ranked;
}

void clopt_export_find_ranges(struct clopt_export_unit *units, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t d = 0; units[i].exported && d < units[i].results->device_count; d++) {
            CLOPT_OWNED(field) field = {.device = d};
            size_t leader = 0;
            field.units = clopt_calloc(count, sizeof(struct clopt_export_unit *));
            for (size_t k = 0; k < count && counts(&units[i], d); k++) {
                if (!counts(&units[k], d) || !are_together(&units[i], &units[k]))
                    continue;
                leader = k == i ? field.count : leader;
                field.units[field.count++] = &units[k];
            }
            if (field.count > 1)
                find_ranges(&field, leader);
        }
}

/* ---- as variants of what is exported ---- */

/* Moves a variant, which may be of another problem, to those that are exported. */
static size_t take(struct clopt_export_unit *unit, struct clopt_export_variant *made)
{
    struct clopt_export_variant *added =
        clopt_array_add(&unit->variants, &unit->count, sizeof *added);
    size_t number = unit->count - 1;
    *added = *made;
    memset(made, 0, sizeof *made);
    free(added->file);
    added->file = clopt_text_format("%s-%zu.cl", unit->name, number);
    added->run = number;
    return number;
}

void clopt_export_take_ranges(struct clopt_export_unit *unit)
{
    size_t own = unit->count;
    for (size_t i = 0; i < unit->range_count; i++) {
        unit->ranges[i].variant = SIZE_MAX;
        for (size_t v = 0; v < own; v++)
            if (unit->ranges[i].made == &unit->variants[v])
                unit->ranges[i].variant = v;
    }
    for (size_t i = 0; i < unit->range_count; i++) {
        struct clopt_export_range *range = &unit->ranges[i];
        for (size_t k = 0; k < i && range->variant == SIZE_MAX; k++)
            if (range->made == unit->ranges[k].made)
                range->variant = unit->ranges[k].variant;
        if (range->variant == SIZE_MAX)
            range->variant = take(unit, range->made);
    }
}

/* ---- what is said of them ---- */

/* Whether there are smaller sizes in a range than those that were measured. */
static bool is_lowest(const struct clopt_size_range *size)
{
    for (unsigned d = 0; d < 3; d++)
        if (size->low[d] > 0)
            return false;
    return true;
}

void clopt_export_say_loss(struct clopt_text *text, const struct clopt_size_range *size)
{
    if (size->tested)
        clopt_text_printf(text, "%.1f%% is lost on average, %.1f%% at most", 100 * size->mean,
                          100 * size->most);
    else if (size->sizes)
        clopt_text_append(text, "what is lost is not known");
    else
        clopt_text_append(text, "no size in it was measured, its times are computed");
    if (size->sizes)
        clopt_text_printf(text, " at sizes that were left out (%zu of %zu)", size->tested,
                          size->sizes);
    if (size->bound > 0)
        clopt_text_printf(text, "; less than %.2g%% at others, with 95%%", 100 * size->bound);
    if (size->sizes && is_lowest(size)) {
        clopt_text_append(text, "; nothing was measured below ");
        for (unsigned d = 0; d < 3 && size->least[d]; d++)
            clopt_text_printf(text, "%s%zu", d ? " x " : "", size->least[d]);
    }
}

void clopt_export_say_ranges(struct clopt_text *text, const struct clopt_export_unit *unit)
{
    for (size_t i = 0; i < unit->range_count; i++) {
        const struct clopt_export_range *range = &unit->ranges[i];
        const struct clopt_export_variant *variant =
            unit->request->wisdom ? range->made : &unit->variants[range->variant];
        clopt_text_printf(text, "clopt: %s on %s, global size ", unit->kernel,
                          unit->results->devices[range->device].label);
        for (unsigned d = 0; d < unit->dimensions; d++) {
            clopt_text_printf(text, "%s%zu..", d ? " x " : "", range->size.low[d]);
            if (range->size.high[d] < SIZE_MAX)
                clopt_text_printf(text, "%zu", range->size.high[d]);
        }
        clopt_text_printf(text, ": %s; ", variant->row->label);
        clopt_export_say_loss(text, &range->size);
        clopt_text_append_char(text, '\n');
    }
}
