/* SPDX-License-Identifier: BSD-3-Clause */
/* Counters of variants beside those of the initial code, and what they say of speed-ups. */
#include "results/counters.h"

#include <math.h>

#define LEAST_SIDE  3   /* variants that gain, and that lose, which are compared */
#define LEAST_APART 0.8 /* of all pairs of the two that a counter tells apart */
#define MOST_SAID   3

/* ---- values ---- */

static const struct clopt_result *cell_of(const struct clopt_counted *counters, size_t row)
{
    return &counters->table->rows[row].cells[counters->device];
}

static const char *source_of(const json_t *known, const char *name)
{
    return json_string_value(json_array_get(json_object_get(known, name), 2));
}

/* Says how Oclgrind has counted a row, which always has instructions; "": not at all. */
static const char *counted_by(const json_t *known)
{
    const char *source = source_of(known, "instructions");
    return source ? source : "";
}

double clopt_counted_value(const struct clopt_counted *counters, size_t row, const char *name)
{
    const json_t *known = cell_of(counters, row)->counters;
    const json_t *counter = json_object_get(known, name);
    if (counter)
        return json_number_value(json_array_get(counter, 0));
    /* Of what Oclgrind counts, only what is not 0 is kept. */
    const struct clopt_result *initial = clopt_table_initial(counters->table, counters->device);
    const char *source = initial ? source_of(initial->counters, name) : NULL;
    bool may_be_0 = !source || strcmp(source, counted_by(known)) == 0;
    return may_be_0 && *counted_by(known) ? 0 : NAN;
}

double clopt_counted_ratio(const struct clopt_counted *counters, size_t row, const char *name)
{
    if (counters->table->initial == CLOPT_NO_ROW)
        return NAN;
    double initial = clopt_counted_value(counters, counters->table->initial, name);
    double value = clopt_counted_value(counters, row, name);
    return initial > 0 ? value / initial : (value + 1) / (initial + 1);
}

bool clopt_counted_knows(const struct clopt_counted *counters, size_t row)
{
    const struct clopt_result *cell = cell_of(counters, row);
    const struct clopt_result *initial = clopt_table_initial(counters->table, counters->device);
    return initial && cell != initial && cell->ranked && cell->alias == CLOPT_NO_ROW &&
           cell->counters && initial->counters &&
           strcmp(counted_by(cell->counters), counted_by(initial->counters)) == 0 &&
           cell->times[CLOPT_SCOPE_KERNEL].speedup.median > 0;
}

bool clopt_counted_is_time(const char *name)
{
    static const char *const names[] = {"cpu_cycles", "cpu_time", "context_switches"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

void clopt_counted_append_lack(struct clopt_text *text, const struct clopt_results *results,
                               size_t device)
{
    for (size_t t = 0; t < results->table_count; t++) {
        const struct clopt_result *initial = clopt_table_initial(&results->tables[t], device);
        const char *source = initial ? source_of(initial->counters, "cpu_time") : NULL;
        const char *lack = source ? strchr(source, '(') : NULL;
        if (lack) { /* the same for all */
            clopt_text_printf(text, "; %.*s", (int)(strlen(lack) - 2), lack + 1);
            return;
        }
    }
}

double clopt_counted_ratio_or_1(const struct clopt_counted *counters, size_t row, const char *name)
{
    double ratio = clopt_counted_ratio(counters, row, name);
    return isnan(ratio) ? 1 : ratio;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Whether a counter is the same in all variants. */
static bool is_constant(const struct clopt_counted *counters, const char *name)
{
    for (size_t i = 0; i < counters->table->row_count; i++)
        if (clopt_counted_knows(counters, i) && clopt_counted_ratio_or_1(counters, i, name) != 1)
            return false;
    return true;
}

struct clopt_counted clopt_counted_find(const struct clopt_results_table *table, size_t device)
{
    json_auto_t *seen = json_pack("{s:b}", CLOPT_COUNTER_PERMUTING, true); /* none of a program */
    struct clopt_counted counters = {.table = table, .device = device};
    for (size_t row = 0; row < table->row_count; row++) {
        const char *name;
        json_t *value;
        json_object_foreach(table->rows[row].cells[device].counters, name, value)
        {
            if (json_object_get(seen, name))
                continue;
            json_object_set_new(seen, name, json_true());
            if (is_constant(&counters, name))
                continue;
            clopt_array_grow(&counters.names, counters.count, sizeof *counters.names);
            counters.names[counters.count++] = name;
        }
    }
    if (counters.count)
        qsort(counters.names, counters.count, sizeof *counters.names, compare_names);
    return counters;
}

void clopt_counted_fini(struct clopt_counted *counters)
{
    free(counters->names);
    *counters = (struct clopt_counted){.count = 0};
}

/* ---- words ---- */

/* Ratios of one counter in variants that gain, and in those that lose. */
struct sides {
    double *ratios[2]; /* gain, lose */
    size_t counts[2];
};

/* 0: the variant gains beyond doubt, 1: it loses, 2: neither. */
static size_t side_of(const struct clopt_counted *counters, size_t row)
{
    const struct clopt_result_time *time = &cell_of(counters, row)->times[CLOPT_SCOPE_KERNEL];
    return !clopt_counted_knows(counters, row) || !time->different ? 2
           : time->speedup.median > 1                              ? 0
                                                                   : 1;
}

static void fill_sides(const struct clopt_counted *counters, const char *name, struct sides *sides)
{
    sides->counts[0] = sides->counts[1] = 0;
    for (size_t row = 0; row < counters->table->row_count; row++) {
        size_t side = side_of(counters, row);
        if (side < 2)
            sides->ratios[side][sides->counts[side]++] =
                clopt_counted_ratio_or_1(counters, row, name);
    }
}

/* Returns the share of pairs in which the one that gains has less of a counter; ties are halves. */
static double separate(const struct clopt_counted *counters, const char *name, struct sides *sides)
{
    double less = 0;
    fill_sides(counters, name, sides);
    if (clopt_counted_is_time(name))
        return 0.5;
    for (size_t i = 0; i < sides->counts[0]; i++)
        for (size_t k = 0; k < sides->counts[1]; k++) {
            double difference = sides->ratios[0][i] - sides->ratios[1][k];
            less += difference < 0 ? 1 : difference == 0 ? 0.5 : 0;
        }
    return less / (double)(sides->counts[0] * sides->counts[1]);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, clopt_numbers_compare);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* Appends "40% fewer global loads", as a median ratio says. */
static void append_ratio(struct clopt_text *text, double ratio, const char *what, bool bytes)
{
    if (ratio == 1)
        clopt_text_printf(text, "as many%s", what);
    else if (ratio < 1)
        clopt_text_printf(text, "%.0f%% %s%s", 100 * (1 - ratio), bytes ? "less" : "fewer", what);
    else if (ratio < 2)
        clopt_text_printf(text, "%.0f%% more%s", 100 * (ratio - 1), what);
    else
        clopt_text_printf(text, "%.3g times as many%s", ratio, what);
}

/* Says it of one counter, whose name becomes words. */
static void append_counter(struct clopt_text *text, const char *name, struct sides *sides,
                           double apart)
{
    char words[64];
    bool bytes = strstr(name, "_bytes");
    snprintf(words, sizeof words, " %s", name);
    for (char *c = words; *c; c++)
        if (*c == '_')
            *c = ' ';
    append_ratio(text, median(sides->ratios[0], sides->counts[0]), words, bytes);
    clopt_text_append(text, " (those that lose: ");
    append_ratio(text, median(sides->ratios[1], sides->counts[1]), "", bytes);
    clopt_text_printf(text, "; tells %.0f%% of pairs apart)", 100 * fmax(apart, 1 - apart));
}

/* Appends the counters that tell the sides apart, the best first. */
static void append_counters(const struct clopt_counted *counters, struct sides *sides,
                            struct clopt_text *text)
{
    double last = INFINITY;
    const char *before = "have ";
    for (size_t said = 0; said < MOST_SAID;) {
        double next = 0;
        for (size_t i = 0; i < counters->count; i++) {
            double apart = fabs(separate(counters, counters->names[i], sides) - 0.5);
            next = apart < last && apart > next ? apart : next;
        }
        if (next < LEAST_APART - 0.5)
            return;
        for (size_t i = 0; i < counters->count && said < MOST_SAID; i++) {
            double apart = separate(counters, counters->names[i], sides);
            if (fabs(apart - 0.5) != next)
                continue;
            clopt_text_append(text, before);
            append_counter(text, counters->names[i], sides, apart);
            before = ", ";
            said++;
        }
        last = next;
    }
}

void clopt_counted_explain(const struct clopt_counted *counters, const char *device,
                           struct clopt_text *text)
{
    size_t rows = counters->table->row_count;
    CLOPT_FREED double *room = clopt_calloc(2 * rows, sizeof *room);
    struct sides sides = {.ratios = {room, room + rows}};
    CLOPT_OWNED(clopt_text) said = {0};
    fill_sides(counters, "", &sides);
    size_t gain = sides.counts[0], lose = sides.counts[1];
    if (gain >= LEAST_SIDE && lose >= LEAST_SIDE)
        append_counters(counters, &sides, &said);
    if (said.length)
        clopt_text_printf(text,
                          "%s: beside the initial code, the %zu variants that gain %s; %zu lose",
                          device, gain, clopt_text_string(&said), lose);
}
