/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the values of tunable parameters in the descriptions of variants. */
#include "results/tunables.h"

/* What is found on the way. */
struct search {
    const struct clopt_results_table *table;
    struct clopt_tunables *found;
    json_t *neutral; /* by parameter: the value that changes nothing, where it is known */
    json_t *follows; /* names of two optimizations, "loops>geometry", that stand in this order */
    json_t *shared;  /* values by parameter and value: equal ones are one */
    bool ordered;    /* some two stand in both orders */
};

json_t *clopt_tunable_value(const char *text)
{
    char again[24];
    long long number = strtoll(text, NULL, 10);
    snprintf(again, sizeof again, "%lld", number);
    return strcmp(again, text) == 0 ? json_integer(number) : json_string(text);
}

/* Makes a number of a text that is one and has few enough digits to be written the same way by all
 * programs. */
static json_t *real_or_text(const char *text)
{
    char again[32];
    double number = strtod(text, NULL);
    snprintf(again, sizeof again, "%.15g", number);
    return strtod(again, NULL) == number && !strpbrk(again, "einf") ? json_real(number)
                                                                    : json_string(text);
}

size_t clopt_tunable_step(struct clopt_text *product, struct clopt_piece optimization)
{
    size_t before = 0;
    for (const char *at = clopt_text_string(product); *at; at += *at == '+') {
        before += strcspn(at, ".+") == optimization.length &&
                  strncmp(at, optimization.text, optimization.length) == 0;
        at += strcspn(at, "+");
    }
    clopt_text_append(product, product->length ? "+" : "");
    size_t name = product->length;
    clopt_text_append_bytes(product, optimization.text, optimization.length);
    if (before)
        clopt_text_printf(product, ".%zu", before + 1);
    return name;
}

/* Whether a variant's name says the value of a parameter of some optimization. */
static bool is_named(const char *variant, const char *parameter)
{
    struct clopt_name_value value = clopt_name_begin(variant);
    bool named = false;
    while (!named && clopt_name_next(&value))
        named = value.optimization.length && clopt_piece_is(value.name, parameter);
    return named;
}

static void note_parameter(struct search *search, const char *label)
{
    if (!json_object_get(search->found->values, label))
        json_object_set_new(search->found->values, label, json_array());
}

/* Takes the macros from a description. */
static void take_macros(struct search *search, const json_t *description, json_t *row)
{
    size_t index;
    const json_t *macro;
    json_array_foreach(json_object_get(description, "parameters"), index, macro)
    {
        const char *name = json_string_value(json_object_get(macro, "name"));
        const char *type = json_string_value(json_object_get(macro, "type"));
        const char *value = json_string_value(json_object_get(macro, "value"));
        if (!name || !type || !value)
            continue;
        note_parameter(search, name);
        json_object_set_new(row, name,
                            strcmp(type, "integer") == 0 ? clopt_tunable_value(value)
                            : strcmp(type, "real") == 0  ? real_or_text(value)
                                                         : json_string(value));
    }
}

/* Takes the values of a step, which is called `step`. A name leaves out what changes nothing. */
static void take_values(struct search *search, const char *variant, const char *step,
                        const json_t *values, json_t *row)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)values, name, value)
    {
        if (!json_is_string(value))
            continue;
        CLOPT_FREED char *label = clopt_text_format("%s.%s", step, name);
        json_t *own = clopt_tunable_value(json_string_value(value));
        note_parameter(search, label);
        json_object_set_new(row, label, own);
        if (!is_named(variant, name) && !json_object_get(search->neutral, label))
            json_object_set(search->neutral, label, own);
    }
}

/* Notes which steps of a product come before the last one. */
static void note_order(struct search *search, const char *product, const char *last)
{
    for (const char *at = product; at < last; at += strcspn(at, "+") + 1) {
        int length = (int)strcspn(at, "+");
        CLOPT_FREED char *order = clopt_text_format("%.*s>%s", length, at, last);
        CLOPT_FREED char *reverse = clopt_text_format("%s>%.*s", last, length, at);
        json_object_set_new(search->follows, order, json_true());
        search->ordered |= json_object_get(search->follows, reverse) != NULL;
    }
}

/* Takes all steps of a description, and their order. */
static void take_steps(struct search *search, const char *variant, const json_t *description,
                       json_t *row)
{
    CLOPT_OWNED(clopt_text) product = {0};
    size_t index;
    const json_t *step;
    json_array_foreach(json_object_get(description, "steps"), index, step)
    {
        const char *optimization = json_string_value(json_object_get(step, "optimization"));
        if (!optimization)
            continue;
        size_t name =
            clopt_tunable_step(&product, (struct clopt_piece){optimization, strlen(optimization)});
        take_values(search, variant, product.data + name, json_object_get(step, "values"), row);
        note_order(search, product.data, product.data + name);
    }
    if (product.length)
        json_object_set_new(row, CLOPT_TUNABLE_ORDER, json_string(product.data));
}

/* Takes what each variant sets. */
static enum clopt_status take_rows(struct search *search, size_t device, struct clopt_error *error)
{
    const struct clopt_results_table *table = search->table;
    for (size_t i = 0; i < table->row_count; i++) {
        const struct clopt_results_row *variant = &table->rows[i];
        if (!variant->cells[device].present)
            continue;
        json_auto_t *description =
            variant->description ? json_loads(variant->description, 0, NULL) : NULL;
        if (variant->description && !description)
            return clopt_fail(error, CLOPT_FAILED,
                              "%s: the store's description of %s cannot be read", table->kernel,
                              variant->name);
        json_t *row = search->found->rows[i] = json_object();
        take_macros(search, description, row);
        take_steps(search, variant->name, description, row);
    }
    if (search->ordered)
        note_parameter(search, CLOPT_TUNABLE_ORDER);
    return CLOPT_OK;
}

/* Returns the value of a parameter that equals one, which is added if there is none. */
static json_t *share_value(struct search *search, const char *label, json_t *value)
{
    CLOPT_FREED char *written = json_dumps(value, JSON_ENCODE_ANY);
    CLOPT_FREED char *key = clopt_text_format("%s %s", label, written);
    json_t *known = json_object_get(search->shared, key);
    if (known)
        return known;
    json_object_set(search->shared, key, value);
    json_array_append(json_object_get(search->found->values, label), value);
    return value;
}

/* Gives a variant a value of each parameter, in the order of the parameters. */
static json_t *complete(struct search *search, const json_t *row)
{
    json_t *whole = json_object();
    const char *label;
    json_t *values;
    json_object_foreach(search->found->values, label, values)
    {
        json_t *value = json_object_get(row, label);
        if (!value)
            value = json_object_get(search->neutral, label);
        value = share_value(search, label, value ? value : json_null());
        json_object_set(whole, label, value);
    }
    return whole;
}

/* Leaves out what was not tuned. */
static void drop_constants(struct search *search)
{
    const char *label;
    json_t *values;
    void *next;
    json_object_foreach_safe(search->found->values, next, label, values)
    {
        if (json_array_size(values) > 1)
            continue;
        for (size_t i = 0; i < search->found->row_count; i++)
            if (search->found->rows[i])
                json_object_del(search->found->rows[i], label);
        json_object_del(search->found->values, label);
    }
}

/* Refuses variants that have the same values, since one would hide the other. */
static enum clopt_status compare_rows(struct search *search, struct clopt_error *error)
{
    const struct clopt_results_row *variants = search->table->rows;
    json_auto_t *seen = json_object(); /* numbers of rows by their values */
    for (size_t i = 0; i < search->found->row_count; i++) {
        const json_t *row = search->found->rows[i];
        if (!row)
            continue;
        CLOPT_FREED char *values = json_dumps(row, JSON_COMPACT);
        const json_t *other = json_object_get(seen, values);
        if (other)
            return clopt_fail(
                error, CLOPT_FAILED, "%s: the store describes %s and %s by the same values",
                search->table->kernel, variants[json_integer_value(other)].name, variants[i].name);
        json_object_set_new(seen, values, json_integer((json_int_t)i));
    }
    return CLOPT_OK;
}

static enum clopt_status find_all(struct search *search, size_t device, struct clopt_error *error)
{
    struct clopt_tunables *found = search->found;
    CLOPT_TRY(take_rows(search, device, error));
    for (size_t i = 0; i < found->row_count; i++) {
        if (!found->rows[i])
            continue;
        json_t *row = complete(search, found->rows[i]);
        json_decref(found->rows[i]);
        found->rows[i] = row;
    }
    drop_constants(search);
    return compare_rows(search, error);
}

enum clopt_status clopt_tunables_init(struct clopt_tunables *tunables,
                                      const struct clopt_results_table *table, size_t device,
                                      struct clopt_error *error)
{
    *tunables = (struct clopt_tunables){
        .values = json_object(),
        .rows = clopt_calloc(table->row_count, sizeof *tunables->rows),
        .row_count = table->row_count,
    };
    struct search search = {
        .table = table,
        .found = tunables,
        .neutral = json_object(),
        .follows = json_object(),
        .shared = json_object(),
    };
    enum clopt_status status = find_all(&search, device, error);
    json_decref(search.neutral);
    json_decref(search.follows);
    json_decref(search.shared);
    if (status)
        clopt_tunables_fini(tunables);
    return status;
}

void clopt_tunables_fini(struct clopt_tunables *tunables)
{
    for (size_t i = 0; tunables->rows && i < tunables->row_count; i++)
        json_decref(tunables->rows[i]);
    free(tunables->rows);
    json_decref(tunables->values);
    *tunables = (struct clopt_tunables){.row_count = 0};
}
