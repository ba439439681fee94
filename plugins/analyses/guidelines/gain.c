/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what optimizations, alone and together, and each of their parameters give to a kernel. */
#include "analyses/guidelines/guidelines.h"

#include <math.h>

/* ---- keys ---- */

/* Returns the optimizations that a variant is made by, "loops+memory", or "" for macros alone;
 * NULL: by none, or by both. */
static const char *find_names(struct clopt_guidelines *guidelines, const char *variant)
{
    CLOPT_OWNED(clopt_text) names = {0};
    size_t last = SIZE_MAX;
    bool macros = false;
    for (struct clopt_name_value value = clopt_name_begin(variant); clopt_name_next(&value);) {
        if (value.number == last)
            continue;
        last = value.number;
        macros |= !value.optimization.length;
        clopt_text_printf(&names, "%s%.*s", names.length ? "+" : "", (int)value.optimization.length,
                          value.optimization.text ? value.optimization.text : "");
    }
    return last == SIZE_MAX || (macros && names.length)
               ? NULL
               : clopt_arena_copy(&guidelines->arena, clopt_text_string(&names), names.length);
}

static void add_key(struct clopt_guidelines *guidelines, const char *optimization,
                    const struct clopt_piece *parameter)
{
    for (size_t i = 0; i < guidelines->key_count; i++) {
        const struct clopt_guideline_key *key = &guidelines->keys[i];
        if (strcmp(key->optimization, optimization) == 0 &&
            (parameter ? key->parameter && clopt_piece_is(*parameter, key->parameter)
                       : !key->parameter))
            return;
    }
    struct clopt_guideline_key *key =
        clopt_array_add(&guidelines->keys, &guidelines->key_count, sizeof *key);
    *key = (struct clopt_guideline_key){.optimization = optimization};
    if (parameter)
        key->parameter = clopt_arena_copy(&guidelines->arena, parameter->text, parameter->length);
    key->label =
        !*optimization ? "a macro of the kernel"
        : parameter    ? clopt_guidelines_keep(
                             guidelines, clopt_text_format("%s(%s=...)", optimization, key->parameter))
                    : optimization;
}

static void add_keys(struct clopt_guidelines *guidelines, const char *variant, const char *names)
{
    if (!names)
        return;
    add_key(guidelines, names, NULL);
    if (*names && !strchr(names, '+'))
        for (struct clopt_name_value value = clopt_name_begin(variant); clopt_name_next(&value);)
            add_key(guidelines, names, &value.name);
}

/* ---- gains ---- */

/* What is compared: with a key, and without. */
struct pair {
    const struct clopt_results_row *with, *without;
    const char *value;
};

static bool is_faster(const struct clopt_results_row *row, const struct clopt_results_row *best,
                      size_t device)
{
    double median = row->cells[device].times[CLOPT_SCOPE_KERNEL].interval.median;
    return row->cells[device].ranked && !isnan(median) &&
           (!best || median < best->cells[device].times[CLOPT_SCOPE_KERNEL].interval.median);
}

/* Whether a variant, by optimizations of these names, has a key, and its value. */
static bool has_key(struct clopt_guidelines *guidelines, const struct clopt_guideline_key *key,
                    const char *variant, const char *names, const char **set)
{
    *set = NULL;
    if (!names || strcmp(names, key->optimization) != 0)
        return false;
    if (!key->parameter)
        return true;
    for (struct clopt_name_value value = clopt_name_begin(variant); clopt_name_next(&value);)
        if (clopt_piece_is(value.name, key->parameter))
            *set = clopt_arena_copy(&guidelines->arena, value.value.text, value.value.length);
    return *set;
}

static bool is_same_piece(struct clopt_piece a, struct clopt_piece b)
{
    return a.length == b.length && (!a.length || memcmp(a.text, b.text, a.length) == 0);
}

/* Whether a variant sets no parameter that another one does not set. */
static bool sets_no_other(const char *variant, const char *other)
{
    for (struct clopt_name_value value = clopt_name_begin(variant); clopt_name_next(&value);) {
        bool known = false;
        for (struct clopt_name_value has = clopt_name_begin(other); clopt_name_next(&has);)
            known |= is_same_piece(value.optimization, has.optimization) &&
                     is_same_piece(value.name, has.name);
        if (!known)
            return false;
    }
    return true;
}

static struct pair find_pair(struct clopt_guidelines *guidelines,
                             const struct clopt_guideline_key *key,
                             const struct clopt_results_table *table, size_t device,
                             const char *const *names)
{
    struct pair pair = {0};
    const char *value;
    for (size_t i = 0; i < table->row_count; i++) {
        const struct clopt_results_row *row = &table->rows[i];
        if (has_key(guidelines, key, row->name, names[i], &value) &&
            is_faster(row, pair.with, device)) {
            pair.with = row;
            pair.value = value;
        }
    }
    for (size_t i = 0; i < table->row_count && pair.with; i++) {
        const struct clopt_results_row *row = &table->rows[i];
        if ((i == table->initial || names[i]) && sets_no_other(row->name, pair.with->name) &&
            !has_key(guidelines, key, row->name, names[i], &value) &&
            is_faster(row, pair.without, device))
            pair.without = row;
    }
    return pair;
}

static void add_gain(struct clopt_guidelines *guidelines, const struct clopt_results *results,
                     const struct pair *pair, const struct clopt_guideline_gain *of, size_t device)
{
    const struct clopt_results_table *table = pair->with->table;
    const struct clopt_result_time *time = &pair->with->cells[device].times[CLOPT_SCOPE_KERNEL];
    bool over_initial = pair->without == &table->rows[table->initial];
    struct clopt_interval gain =
        over_initial ? time->speedup
                     : clopt_results_ratio(results, &pair->without->cells[device],
                                           &pair->with->cells[device], CLOPT_SCOPE_KERNEL);
    enum clopt_verdict_kind verdict =
        over_initial ? time->verdict : clopt_verdict_find(&gain, table->noise[device].noise);
    if (verdict != CLOPT_VERDICT_FASTER && verdict != CLOPT_VERDICT_SLOWER &&
        verdict != CLOPT_VERDICT_SAME)
        return;
    struct clopt_guideline_gain *added =
        clopt_array_add(&guidelines->gains, &guidelines->gain_count, sizeof *added);
    *added = *of;
    added->row = pair->with;
    added->over = pair->without;
    added->value = pair->value;
    added->gain = gain;
    added->pays = verdict == CLOPT_VERDICT_FASTER;
}

/* Whether a newer run of the same store has said it. */
static bool is_known(const struct clopt_guidelines *guidelines,
                     const struct clopt_guideline_gain *gain)
{
    for (size_t i = 0; i < guidelines->gain_count; i++) {
        const struct clopt_guideline_gain *known = &guidelines->gains[i];
        if (known->store == gain->store && known->kernel == gain->kernel &&
            known->device == gain->device && known->key == gain->key &&
            known->objective == gain->objective &&
            strcmp(known->problem->label, gain->problem->label) == 0)
            return true;
    }
    return false;
}

void clopt_guidelines_add(struct clopt_guidelines *guidelines,
                          const struct clopt_guideline_subject *subject)
{
    const struct clopt_results *results = subject->results;
    const struct clopt_results_table *table = subject->table;
    struct clopt_guideline_gain of = {.kernel = subject->kernel,
                                      .store = subject->store,
                                      .objective = results->objective,
                                      .problem = &results->problems[table->problem]};
    CLOPT_FREED const char **names = clopt_calloc(table->row_count + 1, sizeof *names);
    for (size_t i = 0; i < table->row_count; i++) {
        names[i] = find_names(guidelines, table->rows[i].name);
        add_keys(guidelines, table->rows[i].name, names[i]);
    }
    for (size_t d = 0; d < results->device_count; d++) {
        of.device = clopt_guidelines_device(guidelines, &results->devices[d]);
        for (of.key = 0; of.key < guidelines->key_count; of.key++) {
            struct pair pair = find_pair(guidelines, &guidelines->keys[of.key], table, d, names);
            if (pair.with && pair.without && !is_known(guidelines, &of))
                add_gain(guidelines, results, &pair, &of, d);
        }
    }
}
