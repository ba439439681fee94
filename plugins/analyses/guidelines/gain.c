/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what each optimization alone, and each of its parameters, gives to a kernel. */
#include "analyses/guidelines/guidelines.h"

#include <math.h>

/* ---- keys ---- */

/* Returns which optimization a variant is made by alone, all macros being one; NULL: by several, or
 * by none. */
static const char *find_only(struct clopt_guidelines *guidelines, const char *variant)
{
    struct clopt_piece only = {NULL, 0};
    size_t last = SIZE_MAX;
    for (struct clopt_name_value value = clopt_name_begin(variant); clopt_name_next(&value);) {
        bool first = last == SIZE_MAX, same = value.number == last;
        if (!first && !same && (only.length || value.optimization.length))
            return NULL;
        only = value.optimization;
        last = value.number;
    }
    return last == SIZE_MAX
               ? NULL
               : clopt_arena_copy(&guidelines->arena, only.text ? only.text : "", only.length);
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
        !*optimization ? "macros of the kernel"
        : parameter    ? clopt_guidelines_keep(
                             guidelines, clopt_text_format("%s(%s=...)", optimization, key->parameter))
                    : optimization;
}

static void add_keys(struct clopt_guidelines *guidelines, const char *variant)
{
    const char *only = find_only(guidelines, variant);
    if (!only)
        return;
    add_key(guidelines, only, NULL);
    for (struct clopt_name_value value = clopt_name_begin(variant);
         *only && clopt_name_next(&value);)
        add_key(guidelines, only, &value.name);
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

/* Whether a variant by the optimization of a key alone has that key, and its value. */
static bool has_key(struct clopt_guidelines *guidelines, const struct clopt_guideline_key *key,
                    const char *variant, const char **set)
{
    *set = NULL;
    if (!key->parameter)
        return true;
    for (struct clopt_name_value value = clopt_name_begin(variant); clopt_name_next(&value);)
        if (clopt_piece_is(value.name, key->parameter))
            *set = clopt_arena_copy(&guidelines->arena, value.value.text, value.value.length);
    return *set;
}

static struct pair find_pair(struct clopt_guidelines *guidelines,
                             const struct clopt_guideline_key *key,
                             const struct clopt_results_table *table, size_t device,
                             const char *const *only)
{
    struct pair pair = {0};
    if (is_faster(&table->rows[table->initial], NULL, device))
        pair.without = &table->rows[table->initial];
    for (size_t i = 0; i < table->row_count; i++) {
        const struct clopt_results_row *row = &table->rows[i];
        const char *value;
        if (!only[i] || strcmp(only[i], key->optimization) != 0)
            continue;
        bool with = has_key(guidelines, key, row->name, &value);
        if (with && is_faster(row, pair.with, device)) {
            pair.with = row;
            pair.value = value;
        } else if (!with && pair.without && is_faster(row, pair.without, device))
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
    if (!(gain.median > 0))
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
    CLOPT_FREED const char **only = clopt_calloc(table->row_count + 1, sizeof *only);
    for (size_t i = 0; i < table->row_count; i++) {
        only[i] = find_only(guidelines, table->rows[i].name);
        add_keys(guidelines, table->rows[i].name);
    }
    for (size_t d = 0; d < results->device_count; d++) {
        of.device = clopt_guidelines_device(guidelines, &results->devices[d]);
        for (of.key = 0; of.key < guidelines->key_count; of.key++) {
            struct pair pair = find_pair(guidelines, &guidelines->keys[of.key], table, d, only);
            if (pair.with && pair.without && !is_known(guidelines, &of))
                add_gain(guidelines, results, &pair, &of, d);
        }
    }
}
