/* SPDX-License-Identifier: BSD-3-Clause */
/* The best variants of a device, named in words, the fastest first: what cannot be told apart from
 * the best is one row. */
#include <math.h>

#include "analyses/analyses.h"
#include "text/variant_name.h"

#define MOST         10
#define MOST_TIED    3  /* of what is tied with the best that have rows of their own */
#define LONGEST_NAME 24 /* where all are as short, they are as they are */

struct leaders {
    const struct clopt_view *view;
    size_t device;
    struct clopt_document *document;
    const struct clopt_view_row **rows; /* those with a time, the best first */
    size_t count;
    bool worded;
    struct clopt_unit unit;
    struct clopt_grid grid;
};

/* ---- in words ---- */

/* Appends the name of a parameter as words: local_size is "local". */
static void append_parameter(struct clopt_text *text, struct clopt_piece name)
{
    static const char size[] = "_size";
    size_t ends = sizeof size - 1;
    if (name.length > ends && strncmp(name.text + name.length - ends, size, ends) == 0)
        name.length -= ends;
    for (size_t i = 0; i < name.length; i++)
        clopt_text_append_char(text, name.text[i] == '_' ? ' ' : name.text[i]);
}

/* Appends a parameter with its value: "unroll 8", "2 items", "flatten", "no flatten". */
static void append_setting(struct clopt_text *text, const struct clopt_name_value *value)
{
    bool items = clopt_piece_is(value->name, "granularity");
    if (clopt_piece_is(value->value, "no"))
        clopt_text_append(text, "no ");
    if (!items)
        append_parameter(text, value->name);
    if (clopt_piece_is(value->value, "yes") || clopt_piece_is(value->value, "no"))
        return;
    clopt_text_append(text, items ? "" : " ");
    clopt_text_append_bytes(text, value->value.text, value->value.length);
    clopt_text_append(text, items ? " items" : "");
}

/* Appends a macro as its source has it. */
static void append_macro(struct clopt_text *text, const struct clopt_name_value *value)
{
    clopt_text_append_bytes(text, value->name.text, value->name.length);
    clopt_text_append(text, "=");
    clopt_text_append_bytes(text, value->value.text, value->value.length);
}

/* Appends a name in words: "local 64x16, 2 items, stride 32 + vector width 4" is
 * geometry(local_size=64x16,granularity=2,stride=32)+vector(width=4). Names of several kernels are
 * as they are. */
static void append_words(struct clopt_text *text, const char *name)
{
    struct clopt_name_value value = clopt_name_begin(name);
    size_t step = 0;
    bool whole = strstr(name, " in ") || !*value.rest;
    clopt_text_append(text, whole ? name : "");
    for (bool first = true; !whole && clopt_name_next(&value); first = false) {
        bool begins = first || value.number != step;
        bool macro = !value.optimization.length;
        step = value.number;
        clopt_text_append(text, first ? "" : begins && !macro ? " + " : ", ");
        if (begins && !macro && !clopt_piece_is(value.optimization, "geometry")) {
            clopt_text_append_bytes(text, value.optimization.text, value.optimization.length);
            clopt_text_append(text, " ");
        }
        (macro ? append_macro : append_setting)(text, &value);
    }
}

/* ---- rows ---- */

static const struct clopt_result_time *time_of(const struct leaders *leaders,
                                               const struct clopt_view_row *row)
{
    return clopt_view_time(leaders->view, row, leaders->device);
}

static void put_name(struct leaders *leaders, const struct clopt_view_row *row)
{
    CLOPT_OWNED(clopt_text) name = {0};
    if (leaders->worded)
        append_words(&name, row->label);
    struct clopt_cell *cell = clopt_grid_add_row(
        &leaders->grid, "%s", leaders->worded ? clopt_text_string(&name) : row->label);
    if (leaders->worded)
        cell->whole = clopt_strdup(row->label);
}

static void add_row(struct leaders *leaders, const struct clopt_view_row *row)
{
    const struct clopt_result_time *time = time_of(leaders, row);
    struct clopt_grid *grid = &leaders->grid;
    put_name(leaders, row);
    struct clopt_cell *cell = row->initial ? clopt_grid_put_number(grid, 1, 3)
                                           : clopt_grid_put_interval(grid, &time->speedup, 3, 1);
    cell->best = time->best;
    cell->color = clopt_variant_color(leaders->document, row->row->name);
    cell->equal = !row->initial && !isnan(time->speedup.median) && !time->different;
    clopt_grid_put_number(grid, time->interval.median / leaders->unit.nanounits, 3);
    if (time->best)
        clopt_grid_put(grid, "best")->number = 1;
    else if (!isnan(time->efficiency.median))
        clopt_grid_printf(grid, time->efficiency.median, "%s%.0f%%",
                          time->tied ? "\xe2\x89\x88 " : "", 100 * time->efficiency.median);
}

/* Whether a row is tied with the best, and one of those that are counted. */
static bool is_tied(const struct leaders *leaders, const struct clopt_view_row *row)
{
    return time_of(leaders, row)->tied && !row->initial && !row->rival;
}

/* Adds what is tied with the best, from the row `first`, as one row. */
static void add_ties(struct leaders *leaders, size_t first, size_t count)
{
    struct clopt_interval range = {.median = NAN, .low = INFINITY, .high = 0};
    bool different = false;
    if (!count)
        return;
    for (size_t i = first, left = count; left; i++) {
        const struct clopt_result_time *time = time_of(leaders, leaders->rows[i]);
        if (!is_tied(leaders, leaders->rows[i]))
            continue;
        left--;
        different |= time->different;
        range.low = fmin(range.low, time->speedup.median);
        range.high = fmax(range.high, time->speedup.median);
        range.median = isnan(range.median) ? time->speedup.median : range.median;
    }
    clopt_grid_add_row(&leaders->grid, "%zu more: no difference", count);
    clopt_grid_put_interval(&leaders->grid, &range, 3, 1)->equal = !different;
    clopt_grid_skip(&leaders->grid, 1);
    clopt_grid_put(&leaders->grid, "\xe2\x89\x88");
}

static void add_rows(struct leaders *leaders)
{
    size_t ties = 0, shown = 0, told = 0;
    for (size_t i = 0; i < leaders->count; i++)
        ties += is_tied(leaders, leaders->rows[i]);
    size_t alone = ties > MOST_TIED + 1 ? MOST_TIED : ties;
    for (size_t i = 0; i < leaders->count; i++) {
        const struct clopt_view_row *row = leaders->rows[i];
        bool tied = is_tied(leaders, row), other = row->initial || row->rival;
        if (tied && told++ == alone)
            add_ties(leaders, i, ties - alone);
        if (!other && (shown == MOST || (tied && told > alone)))
            continue;
        add_row(leaders, row);
        shown += !other;
    }
}

void clopt_leaders_tabulate(const struct clopt_view *view, size_t device,
                            struct clopt_document *document)
{
    struct leaders leaders = {
        .view = view, .device = device, .document = document, .grid = {.bars = true}};
    leaders.rows = clopt_view_rank(view, device, &leaders.count);
    if (leaders.count > 1) {
        const struct clopt_result_time *time = time_of(&leaders, leaders.rows[0]);
        leaders.unit = clopt_unit_choose(view->results->objective, time->interval.median);
        for (size_t i = 0; i < leaders.count; i++)
            leaders.worded |= strlen(leaders.rows[i]->label) > LONGEST_NAME;
        clopt_grid_set_heading(&leaders.grid,
                               "The best on %s, over the initial code [95%% interval]",
                               view->results->devices[device].label);
        clopt_grid_add_column(&leaders.grid, "*Variant");
        clopt_grid_add_column(&leaders.grid, "=%s",
                              clopt_objective_words(view->results->objective)->gain);
        clopt_grid_add_column(&leaders.grid, "#Median %s", leaders.unit.name);
        clopt_grid_add_column(&leaders.grid, "?#Of best");
        add_rows(&leaders);
        clopt_document_table(document, &leaders.grid);
    }
    clopt_grid_fini(&leaders.grid);
    free(leaders.rows);
}
