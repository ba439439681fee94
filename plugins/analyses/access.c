/* SPDX-License-Identifier: BSD-3-Clause */
/* What devices give for the patterns in which a kernel accesses memory, and for other layouts. */
#include "analyses/access.h"
#include "analyses/analyses.h"

#include <math.h>

#include "text/json.h"

#define LEAST_GAIN 1.3 /* below, noise of the probes may be all there is */

/* Returns the point of a distance: one that depends on a size is as far as any. */
static unsigned point_of(const char *distance)
{
    char *end;
    double number = fabs((double)strtol(distance, &end, 10));
    unsigned point = 0;
    while (point + 1 < CLOPT_ACCESS_POINTS && (*end || (double)(1u << point) < number))
        point++;
    return point;
}

/* Finds what was probed like a pattern; CLOPT_ACCESS_KINDS: nothing. */
static enum clopt_access_kind kind_of(const json_t *pattern, unsigned *point)
{
    const char *item = clopt_json_string(pattern, "work_item");
    const char *distance = clopt_json_string(pattern, "work_group_distance");
    bool focused = strcmp(clopt_json_string(pattern, "work_group"), "focused") == 0;
    bool row = strcmp(item, "row") == 0, single = strcmp(item, "single") == 0;
    *point = *distance ? point_of(distance) : 0;
    if (strcmp(item, "unknown") == 0)
        return CLOPT_ACCESS_SCATTERED;
    if (focused)
        return row ? CLOPT_ACCESS_ROW : CLOPT_ACCESS_KINDS; /* else caches have it */
    if (!*distance)
        return CLOPT_ACCESS_KINDS;
    if (row)
        return CLOPT_ACCESS_APART;
    if (*point && (single || strcmp(item, "column") == 0))
        return CLOPT_ACCESS_STRIDED;
    return clopt_access_kind_find(item);
}

/* What accesses become where an array is transposed, or what belongs together is put side by side.
 */
static enum clopt_access_kind other_of(enum clopt_access_kind kind)
{
    switch (kind) {
    case CLOPT_ACCESS_APART:
        return CLOPT_ACCESS_COLUMN;
    case CLOPT_ACCESS_COLUMN:
        return CLOPT_ACCESS_APART;
    case CLOPT_ACCESS_STRIDED:
    case CLOPT_ACCESS_SCATTERED:
        return CLOPT_ACCESS_SINGLE;
    default:
        return CLOPT_ACCESS_KINDS;
    }
}

static const char *layout_words(enum clopt_access_kind kind)
{
    return kind == CLOPT_ACCESS_APART || kind == CLOPT_ACCESS_COLUMN        ? "transposed"
           : kind == CLOPT_ACCESS_STRIDED || kind == CLOPT_ACCESS_SCATTERED ? "side by side"
                                                                            : "";
}

struct clopt_probed *clopt_probed_list(const struct clopt_results_table *table, size_t *count)
{
    size_t number = json_array_size(table->patterns);
    struct clopt_probed *list = clopt_calloc(number, sizeof *list);
    *count = 0;
    for (size_t i = 0; i < number; i++) {
        const json_t *pattern = json_array_get(table->patterns, i);
        struct clopt_probed next = {.array = clopt_json_string(pattern, "array")};
        next.kind = kind_of(pattern, &next.point);
        bool known = next.kind == CLOPT_ACCESS_KINDS;
        if (!known)
            next.other = other_of(next.kind);
        if (next.kind != CLOPT_ACCESS_STRIDED)
            next.point = 0;
        for (size_t k = 0; k < *count; k++)
            known |= strcmp(list[k].array, next.array) == 0 && list[k].kind == next.kind &&
                     list[k].point == next.point;
        if (!known)
            list[(*count)++] = next;
    }
    return list;
}

/* ---- the table ---- */

static struct clopt_cell *put_rate(struct clopt_grid *grid, double rate)
{
    return clopt_grid_printf(grid, rate, "%.3g", rate);
}

struct clopt_access_rates clopt_probed_rates(const struct clopt_results *results, size_t device)
{
    const char *text = results->devices[device].access;
    json_auto_t *json = text ? json_loads(text, 0, NULL) : NULL;
    return clopt_access_from_json(json);
}

/* Fills the three cells of a device. */
static void fill_device(struct clopt_grid *grid, const struct clopt_access_rates *rates,
                        const struct clopt_probed *probed)
{
    unsigned best = 0;
    const double *own = rates->gbytes_per_s[probed->kind];
    bool widths = probed->kind != CLOPT_ACCESS_STRIDED && clopt_access_points(probed->kind) > 1;
    put_rate(grid, own[probed->point]);
    for (unsigned p = 1; p < clopt_access_points(probed->kind) && widths; p++)
        if (!best || own[p] > own[best])
            best = p;
    struct clopt_cell *cell = put_rate(grid, best ? own[best] : NAN);
    if (!isnan(cell->number))
        clopt_cell_remark(cell, "(%u)", 1u << best);
    cell = put_rate(
        grid, probed->other == CLOPT_ACCESS_KINDS ? NAN : rates->gbytes_per_s[probed->other][0]);
    if (!isnan(cell->number))
        clopt_cell_remark(cell, "%s", layout_words(probed->kind));
}

static void add_columns(const struct clopt_results *results, struct clopt_grid *grid)
{
    static const char *const parts[] = {"", ", vectors", ", other layout"};
    clopt_grid_set_heading(grid, "What devices give for such accesses, in GB/s of their elements");
    clopt_grid_add_columns(grid, "*Array, *Pattern");
    for (size_t d = 0; d < results->device_count; d++) {
        struct clopt_access_rates rates = clopt_probed_rates(results, d);
        for (size_t i = 0; i < 3 && clopt_access_any(&rates); i++)
            clopt_grid_add_column(grid, i ? "=%s%s" : "#%s%s", results->devices[d].label, parts[i]);
    }
}

void clopt_access_tabulate(const struct clopt_results *results,
                           const struct clopt_results_table *table, struct clopt_document *document)
{
    size_t count;
    struct clopt_grid grid = {0};
    CLOPT_FREED struct clopt_probed *list = clopt_probed_list(table, &count);
    add_columns(results, &grid);
    bool any = grid.column_count > 2; /* of a device */
    for (size_t i = 0; i < count && any; i++) {
        const char *name = clopt_access_kind_name(list[i].kind);
        CLOPT_OWNED(clopt_text) array = {0};
        clopt_text_append_printable(&array, list[i].array);
        clopt_grid_add_row(&grid, "%s", clopt_text_string(&array));
        if (list[i].kind == CLOPT_ACCESS_STRIDED)
            clopt_grid_put(&grid, "%s %u%s", name, 1u << list[i].point,
                           list[i].point + 1 == CLOPT_ACCESS_POINTS ? " or more" : "");
        else
            clopt_grid_put(&grid, "%s", name);
        for (size_t d = 0; d < results->device_count; d++) {
            struct clopt_access_rates rates = clopt_probed_rates(results, d);
            if (clopt_access_any(&rates))
                fill_device(&grid, &rates, &list[i]);
        }
    }
    clopt_document_table(document, &grid);
}

/* ---- words ---- */

void clopt_access_advise(struct clopt_text *text, const struct clopt_results *results,
                         const struct clopt_results_table *table, size_t device)
{
    size_t count;
    const struct clopt_access_rates rates = clopt_probed_rates(results, device);
    CLOPT_FREED struct clopt_probed *list = clopt_probed_list(table, &count);
    for (size_t i = 0; i < count; i++) {
        if (list[i].other == CLOPT_ACCESS_KINDS || strcmp(list[i].array, "?") == 0)
            continue;
        double own = rates.gbytes_per_s[list[i].kind][list[i].point];
        double other = rates.gbytes_per_s[list[i].other][0];
        if (!(other >= LEAST_GAIN * own))
            continue;
        clopt_text_printf(text, "%s", text->length ? "; " : "On ");
        if (text->length == strlen("On "))
            clopt_text_printf(text, "%s, ", results->devices[device].label);
        clopt_text_append_printable(text, list[i].array);
        clopt_text_printf(text, " %s", layout_words(list[i].kind));
        if (list[i].other == CLOPT_ACCESS_COLUMN || list[i].other == CLOPT_ACCESS_APART) {
            clopt_text_append(text, ", by memory(layout=transposed:");
            clopt_text_append_printable(text, list[i].array);
            clopt_text_append(text, "),");
        }
        clopt_text_printf(text, " would give %.3g GB/s instead of %.3g", other, own);
    }
}
