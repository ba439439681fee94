/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns a variant into JSON and back, so that another process need not make it again. */
#include <limits.h>

#include "trial/variant.h"

/* A way through the numbers of a change, which writes them to a list or reads them from it. */
struct way {
    json_t *list;
    bool reads;
    size_t next; /* to be read */
    bool wrong;  /* a number is missing or out of its range */
};

/* Writes a number, or returns the next one; `least` where that is wrong. */
static int64_t pass(struct way *way, int64_t value, int64_t least, int64_t most)
{
    if (!way->reads) {
        json_array_append_new(way->list, json_integer((json_int_t)value));
        return value;
    }
    const json_t *number = json_array_get(way->list, way->next++);
    value = (int64_t)json_integer_value(number);
    bool right = json_is_integer(number) && value >= least && value <= most;
    way->wrong |= !right;
    return right ? value : least;
}

static unsigned pass_count(struct way *way, size_t value, size_t most)
{
    return (unsigned)pass(way, (int64_t)value, 0, (int64_t)most);
}

static void pass_sizes(struct way *way, size_t sizes[3])
{
    for (size_t d = 0; d < 3; d++)
        sizes[d] = (size_t)pass(way, (int64_t)sizes[d], 0, INT64_MAX);
}

static void pass_form(struct way *way, struct clopt_affine *form)
{
    form->count = pass_count(way, form->count, CLOPT_AFFINE_TERMS);
    for (unsigned i = 0; i < form->count; i++) {
        struct clopt_term *term = &form->terms[i];
        term->factor = pass(way, term->factor, INT64_MIN, INT64_MAX);
        for (unsigned k = 0; k < CLOPT_TERM_SYMBOLS; k++)
            term->symbols[k] = (unsigned short)pass_count(way, term->symbols[k], USHRT_MAX);
    }
}

static void pass_layout(struct way *way, struct clopt_layout *layout)
{
    layout->argument = pass_count(way, layout->argument, UINT_MAX);
    layout->element_bytes = pass_count(way, layout->element_bytes, UINT_MAX);
    layout->block = pass_count(way, layout->block, UINT_MAX);
    layout->narrow = pass_count(way, layout->narrow, 1);
    pass_form(way, &layout->row);
    layout->need_count = pass_count(way, layout->need_count, CLOPT_LAYOUT_NEEDS);
    for (unsigned i = 0; i < layout->need_count; i++) {
        layout->needs[i].multiple = pass_count(way, layout->needs[i].multiple, UINT_MAX);
        pass_form(way, &layout->needs[i].form);
    }
}

static void pass_change(struct way *way, struct clopt_ndrange_change *change)
{
    pass_sizes(way, change->local_size);
    pass_sizes(way, change->divided_items);
    pass_sizes(way, change->merged_items);
    pass_sizes(way, change->merged_groups);
    pass_sizes(way, change->local_multiple);
    for (size_t d = 0; d < 3; d++)
        change->local_only[d] = pass_count(way, change->local_only[d], 1);
    change->whole_groups = pass_count(way, change->whole_groups, 1);
    change->distinct_buffers = pass_count(way, change->distinct_buffers, 1);
    change->multiple_count = pass_count(way, change->multiple_count, CLOPT_MOST_MULTIPLES);
    for (size_t i = 0; i < change->multiple_count; i++) {
        struct clopt_argument_multiple *own = &change->multiples[i];
        own->argument = pass_count(way, own->argument, UINT_MAX);
        own->multiple = (unsigned)pass(way, own->multiple, 1, UINT_MAX);
        own->covers = pass_count(way, own->covers, 3);
        own->equals = pass_count(way, own->equals, UINT_MAX);
    }
    change->layout_count = pass_count(way, change->layout_count, CLOPT_MOST_LAYOUTS);
    for (size_t i = 0; i < change->layout_count; i++)
        pass_layout(way, &change->layouts[i]);
    change->added_count = pass_count(way, change->added_count, CLOPT_MOST_ADDED);
    for (size_t i = 0; i < change->added_count; i++) {
        struct clopt_added_argument *added = &change->added[i];
        added->local = pass_count(way, added->local, 1);
        added->rows = pass_count(way, added->rows, change->layout_count > 0);
        added->zeroed = (size_t)pass(way, (int64_t)added->zeroed, 0, INT64_MAX);
        added->number = pass_count(way, added->number,
                                   added->rows    ? change->layout_count - 1
                                   : added->local ? UINT_MAX
                                                  : 2);
        added->merged = (size_t)pass(way, (int64_t)added->merged, 1, INT64_MAX);
    }
}

/* Whether launches may be refused that the initial code takes, of another problem say. */
static bool makes_demands(const struct clopt_ndrange_change *change)
{
    bool demands = change->whole_groups || change->multiple_count;
    for (size_t i = 0; i < change->layout_count; i++)
        demands |= change->layouts[i].need_count > 0;
    return demands;
}

json_t *clopt_variant_to_json(const struct clopt_variant *variant)
{
    json_t *changes = json_object();
    bool demands = false;
    for (size_t i = 0; i < variant->change_count; i++) {
        struct clopt_ndrange_change change = variant->changes[i].change;
        struct way way = {.list = json_array()};
        pass_change(&way, &change);
        demands |= makes_demands(&change);
        json_object_set_new(changes, variant->changes[i].kernel->name, way.list);
    }
    return json_pack("{s:s,s:s*,s:s,s:s,s:s,s:i,s:o,s:b}", "source", variant->source, "compiled",
                     variant->compiled, "options", variant->options, "dialect", variant->dialect,
                     "fingerprint", variant->fingerprint, "lines_changed",
                     (int)variant->lines_changed, "changes", changes, "demands", demands);
}

static enum clopt_status read_changes(json_t *changes, const struct clopt_trial *trial,
                                      struct clopt_variant *variant, struct clopt_error *error)
{
    const char *name;
    json_t *list;
    json_object_foreach(changes, name, list)
    {
        struct way way = {.list = list, .reads = true};
        const struct clopt_kernel *kernel = clopt_kernel_find(trial->app, name);
        struct clopt_ndrange_change *change = clopt_variant_add_change(variant, kernel);
        pass_change(&way, change);
        if (way.wrong || !kernel)
            return clopt_fail(error, CLOPT_FAILED, "a variant with a wrong change of its launches");
    }
    return CLOPT_OK;
}

enum clopt_status clopt_variant_from_json(const json_t *json, const struct clopt_trial *trial,
                                          struct clopt_variant *variant, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_variant) made = {0};
    const char *source, *compiled = NULL, *options, *dialect, *fingerprint;
    json_t *changes;
    int lines = 0;
    *variant = made;
    if (json_unpack((json_t *)json, "{s:s,s?s,s:s,s:s,s:s,s:i,s:o}", "source", &source, "compiled",
                    &compiled, "options", &options, "dialect", &dialect, "fingerprint",
                    &fingerprint, "lines_changed", &lines, "changes", &changes) ||
        strlen(fingerprint) >= CLOPT_HASH_SIZE)
        return clopt_fail(error, CLOPT_FAILED, "a variant without source, options or fingerprint");
    memcpy(made.fingerprint, fingerprint, strlen(fingerprint) + 1);
    made.lines_changed = (unsigned)lines;
    CLOPT_TRY(clopt_trial_knobs(trial, &made.knobs, error));
    CLOPT_TRY(read_changes(changes, trial, &made, error));
    made.source = clopt_strdup(source);
    made.compiled = compiled ? clopt_strdup(compiled) : NULL;
    made.options = clopt_strdup(options);
    made.dialect = clopt_strdup(dialect);
    *variant = made;
    made = (struct clopt_variant){0};
    return CLOPT_OK;
}
