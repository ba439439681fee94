/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds variants that take a winner's place in launches that do not fit it: its work-groups need
 * not divide them, or an argument is no multiple of what it asks for. */
#include "commands/export/unit.h"

#define MOST_MADE 64 /* of those that are fastest */
#define PROBES    8  /* launches near the measured one, which is smaller by so many work-groups */

/* ---- launches near the measured one ---- */

/* A launch and what is asked of it. */
struct probe {
    struct clopt_ndrange ndrange;
    const struct clopt_ndrange_change *change;
};

/* Guesses an integer argument of a launch: a bound is its global size, as is what has to be a
 * multiple; what has to have a value has it. */
static bool guess_integer(const void *user, unsigned argument, int64_t *value)
{
    const struct probe *probe = user;
    *value = (int64_t)probe->ndrange.global[0];
    for (size_t i = 0; i < probe->change->multiple_count; i++) {
        const struct clopt_argument_multiple *demand = &probe->change->multiples[i];
        if (demand->argument == argument && demand->covers)
            *value = (int64_t)probe->ndrange.global[demand->covers - 1];
        if (demand->argument == argument && demand->equals)
            *value = demand->equals;
    }
    return true;
}

/* Whether a launch that has so many work-groups less in each dimension fits a variant. */
static bool fits(const struct clopt_export_variant *variant, size_t groups)
{
    struct probe probe = {variant->ndrange, clopt_export_change(variant)};
    for (unsigned d = 0; d < probe.ndrange.dimensions; d++) {
        size_t less = groups * probe.ndrange.local[d];
        if (less < probe.ndrange.global[d])
            probe.ndrange.global[d] -= less;
    }
    return clopt_launch_unmet(&probe.ndrange, probe.change, guess_integer, &probe).what ==
           CLOPT_MET;
}

/* Notes which launches fit a variant; returns how many fitted none before. */
static size_t note_fitting(const struct clopt_export_variant *variant, bool fitting[PROBES])
{
    size_t more = 0;
    for (size_t i = 0; i < PROBES; i++) {
        bool fit = fits(variant, i);
        more += fit && !fitting[i];
        fitting[i] |= fit;
    }
    return more;
}

/* ---- who takes its place ---- */

static int compare_speed(const void *a, const void *b)
{
    const struct clopt_export_ranked *x = a, *y = b;
    return (x->speedup < y->speedup) - (x->speedup > y->speedup);
}

struct clopt_export_ranked *clopt_export_rank(const struct clopt_view *view, size_t device,
                                              size_t *count)
{
    struct clopt_export_ranked *ranked = clopt_calloc(view->row_count, sizeof *ranked);
    *count = 0;
    for (size_t i = 0; i < view->row_count; i++) {
        const struct clopt_view_row *row = &view->rows[i];
        const struct clopt_result_time *time = clopt_view_time(view, row, device);
        if (row->rival || row->initial || !row->row->cells[device].ranked || !time->different ||
            time->speedup.median <= 1)
            continue;
        ranked[(*count)++] = (struct clopt_export_ranked){row, time->speedup.median};
    }
    qsort(ranked, *count, sizeof *ranked, compare_speed);
    return ranked;
}

size_t clopt_export_find_substitutes(struct clopt_export_unit *unit,
                                     const struct clopt_export_variant *winner, size_t device,
                                     const struct clopt_export_variant **found)
{
    size_t count = 0, found_count = 0;
    CLOPT_FREED struct clopt_export_ranked *ranked = clopt_export_rank(unit->view, device, &count);
    bool fitting[PROBES] = {false};
    bool permutes = clopt_export_change(winner)->layout_count; /* not before that is worth it */
    size_t left = PROBES - (permutes ? 0 : note_fitting(winner, fitting));
    for (size_t i = 0; left && i < count && i < MOST_MADE; i++) {
        if (strcmp(ranked[i].row->row->name, winner->row->row->name) == 0)
            continue;
        const struct clopt_export_variant *made = clopt_export_find(unit, ranked[i].row, device);
        bool can = made && !clopt_trial_alternative(&made->trial) &&
                   !clopt_export_change(made)->layout_count;
        size_t more = can ? note_fitting(made, fitting) : 0;
        if (more)
            found[found_count++] = made;
        left = found_count < CLOPT_MOST_SUBSTITUTES ? left - more : 0;
    }
    return found_count;
}
