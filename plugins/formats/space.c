/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints recorded spaces in a few bytes a variant, for searches and advice to learn from. */
#include <math.h>

#include "formats/formats.h"
#include "store/cursor.h"
#include "text/json.h"

#define MS_PER_S 1e3
#define DIGITS   1e4 /* that are kept of a time: more are noise */

#define PROFILE_DIGITS 1e2 /* after the point of what is a logarithm or a share */

struct making {
    const struct clopt_exchange *exchange;
    json_t *steps;    /* texts, each once */
    json_t *features; /* names */
    json_t *profiles; /* [feature, ...], each once */
    json_t *numbers;  /* of a text its number among them */
    json_t *variants; /* [[number of a step, ...], ms or null, s, number of a profile or null] */
};

static json_t *round_time(double value)
{
    if (!(value > 0))
        return json_null();
    double unit = pow(10, floor(log10(value))) / DIGITS;
    char text[32];
    snprintf(text, sizeof text, "%.5g", round(value / unit) * unit);
    return json_real(strtod(text, NULL));
}

/* Returns the number of an item, which a text identifies, in a list; appends a new one, which it
 * takes. */
static json_t *number_item(struct making *making, const char *text, json_t *list, json_t *item)
{
    json_t *number = json_object_get(making->numbers, text);
    if (number) {
        json_decref(item);
        return json_incref(number);
    }
    number = json_integer((json_int_t)json_array_size(list));
    json_object_set(making->numbers, text, number);
    json_array_append_new(list, item);
    return number;
}

static json_t *number_step(struct making *making, struct clopt_piece step)
{
    CLOPT_OWNED(clopt_text) text = {0};
    clopt_text_append_bytes(&text, step.text, step.length);
    const char *name = clopt_text_string(&text);
    return number_item(making, name, making->steps, clopt_json_text(name));
}

/* Lists the values of a profile in the order of the features, which the first one names. */
static json_t *list_features(struct making *making, const json_t *profile)
{
    json_t *values = json_array(), *value;
    const char *name;
    size_t index;
    if (!json_array_size(making->features))
        json_object_foreach((json_t *)profile, name, value)
            json_array_append_new(making->features, json_string(name));
    json_array_foreach(making->features, index, value)
    {
        double number = json_number_value(json_object_get(profile, json_string_value(value)));
        number = round(number * PROFILE_DIGITS) / PROFILE_DIGITS;
        json_array_append_new(values, number == floor(number) ? json_integer((json_int_t)number)
                                                              : json_real(number));
    }
    return values;
}

/* Returns the number of a variant's profile; null where there is none. */
static enum clopt_status number_profile(struct making *making,
                                        const struct clopt_store_trial *trial, json_t **number,
                                        struct clopt_error *error)
{
    const struct clopt_exchange *exchange = making->exchange;
    *number = json_null();
    if (!trial->fingerprint)
        return CLOPT_OK;
    struct clopt_cursor row =
        clopt_cursor_begin(exchange->store, CLOPT_SQL_GET_PROFILE, error, "iss",
                           exchange->problem->id, exchange->table->kernel, trial->fingerprint);
    clopt_cursor_next(&row);
    const char *text = clopt_cursor_text(&row, "profile");
    json_auto_t *profile = text ? json_loads(text, 0, NULL) : NULL;
    if (profile)
        *number = number_item(making, text, making->profiles, list_features(making, profile));
    return clopt_cursor_end(&row);
}

static double sum_ms(const json_t *times)
{
    size_t index;
    const json_t *time;
    double sum = 0;
    json_array_foreach(times, index, time) sum += json_number_value(time);
    return sum;
}

static enum clopt_status append_variant(void *user, const struct clopt_exchange_entry *entry,
                                        struct clopt_error *error)
{
    struct making *making = user;
    struct clopt_name_value value = clopt_name_begin(entry->row->name);
    if (entry->result->outcome == CLOPT_OUTCOME_INFEASIBLE)
        return CLOPT_OK;
    json_t *steps = json_array();
    for (size_t next = 0; clopt_name_next(&value);)
        if (value.number >= next) {
            json_array_append_new(steps, number_step(making, value.step));
            next = value.number + 1;
        }
    json_t *profile;
    enum clopt_status status = number_profile(making, &entry->result->trial, &profile, error);
    double cost_ms = (isnan(entry->compile_ms) ? 0 : entry->compile_ms) + sum_ms(entry->times_ms);
    json_t *variant = json_pack("[o, o, o, o]", steps, round_time(entry->time_ms),
                                round_time(cost_ms / MS_PER_S), profile);
    json_array_append_new(making->variants, variant);
    return status;
}

static enum clopt_status make_document(const struct clopt_exchange *exchange, json_t **document,
                                       struct clopt_error *error)
{
    const struct clopt_results *results = exchange->results;
    const struct clopt_results_table *table = exchange->table;
    struct making making = {exchange,     json_array(),  json_array(),
                            json_array(), json_object(), json_array()};
    enum clopt_status status = clopt_exchange_visit(exchange, append_variant, &making, error);
    json_t *device = clopt_json_object(
        "name:s platform:s driver_version:s type:s compute_units:i peaks:o", exchange->device->name,
        exchange->device->platform, exchange->device->driver_version, exchange->device->type,
        exchange->device->compute_units, clopt_peaks_to_json(&exchange->device->peaks));
    /* the values that change nothing, by parameter */
    json_t *initial =
        table->initial == CLOPT_NO_ROW ? NULL : exchange->tunables.rows[table->initial];
    *document = clopt_json_object(
        "format:s version:i program:s app:s problem:s kernel_name:s device_name:s device:o "
        "left_out:i initial:o features:o profiles:o steps:o variants:o",
        "clopt space", INT64_C(2), results->run.version, exchange->problem->app,
        exchange->problem->label, table->kernel, exchange->device->name, device,
        results->run.not_chosen + results->run.not_reached,
        initial ? json_incref(initial) : json_object(), making.features, making.profiles,
        making.steps, making.variants);
    json_decref(making.numbers);
    return status;
}

const struct clopt_exchange_format clopt_exchange_space = {
    .name = "a recorded space", .option = "space", .ending = "space.json", .make = make_document};
