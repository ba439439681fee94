/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of a table of parameters. */
#include "number/values.h"

#include "text/suggest.h"

static size_t parameter_count(const struct clopt_parameter *parameters)
{
    size_t count = 0;
    while (parameters && parameters[count].name)
        count++;
    return count;
}

static struct clopt_values *allocate(size_t count)
{
    struct clopt_values *values = clopt_calloc(1, sizeof *values + count * sizeof values->items[0]);
    values->count = count;
    return values;
}

struct clopt_values *clopt_values_create(const struct clopt_parameter *parameters)
{
    struct clopt_values *values = allocate(parameter_count(parameters));
    for (size_t i = 0; i < values->count; i++) {
        const struct clopt_parameter *parameter = &parameters[i];
        struct clopt_value *item = &values->items[i];
        if (parameter->initial)
            clopt_value_parse(parameter->initial, parameter->type, item, NULL);
        item->name = parameter->name;
        item->type = parameter->type;
    }
    return values;
}

/* Makes the names the values' own. */
static struct clopt_values *take_names(struct clopt_values *values)
{
    for (size_t i = 0; i < values->count; i++)
        values->items[i].name = clopt_strdup(values->items[i].name);
    values->owns_names = true;
    return values;
}

struct clopt_values *clopt_values_create_apart(const struct clopt_parameter *parameters)
{
    return take_names(clopt_values_create(parameters));
}

struct clopt_values *clopt_values_copy(const struct clopt_values *values)
{
    struct clopt_values *copy = values ? allocate(values->count) : NULL;
    for (size_t i = 0; copy && i < copy->count; i++) {
        copy->items[i] = values->items[i];
        if (values->items[i].text)
            copy->items[i].text = clopt_strdup(values->items[i].text);
    }
    return copy && values->owns_names ? take_names(copy) : copy;
}

void clopt_values_destroy(struct clopt_values *values)
{
    if (!values)
        return;
    for (size_t i = 0; i < values->count; i++) {
        free(values->items[i].text);
        if (values->owns_names)
            free((char *)values->items[i].name);
    }
    free(values);
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

bool clopt_values_equal(const struct clopt_values *a, const struct clopt_values *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->items[i].name, b->items[i].name) != 0 ||
            !same_text(a->items[i].text, b->items[i].text))
            return false;
    return true;
}

const struct clopt_value *clopt_values_find(const struct clopt_values *values, const char *name)
{
    for (size_t i = 0; values && i < values->count; i++)
        if (strcmp(values->items[i].name, name) == 0)
            return &values->items[i];
    return NULL;
}

const char *clopt_parameter_legal(const struct clopt_parameter *parameter)
{
    return parameter->type == CLOPT_BOOLEAN && !parameter->legal ? "no, yes" : parameter->legal;
}

enum clopt_status clopt_values_set(struct clopt_values *values,
                                   const struct clopt_parameter *parameter, const char *text,
                                   struct clopt_error *error)
{
    struct clopt_value *item = (struct clopt_value *)clopt_values_find(values, parameter->name);
    struct clopt_value value;
    if (!item)
        return clopt_fail(error, CLOPT_INVALID, "%s: no such parameter", parameter->name);
    if (clopt_parameter_read(parameter, text, &value, error))
        return clopt_fail(error, CLOPT_INVALID, "%s = %s", parameter->name,
                          error ? error->message : "");
    value.name = item->name;
    free(item->text);
    *item = value;
    return CLOPT_OK;
}

const struct clopt_parameter *clopt_parameter_find(const struct clopt_parameter *parameters,
                                                   const char *name)
{
    for (size_t i = 0; parameters && parameters[i].name; i++)
        if (strcmp(parameters[i].name, name) == 0)
            return &parameters[i];
    return NULL;
}

enum clopt_status clopt_parameter_unknown(const struct clopt_parameter *parameters,
                                          const char *owner, const char *name,
                                          struct clopt_error *error)
{
    const char *names[CLOPT_LONGEST_TABLE];
    size_t count = 0;
    for (; parameters && parameters[count].name && count < CLOPT_LONGEST_TABLE; count++)
        names[count] = parameters[count].name;
    const char *near = clopt_suggest(name, names, count);
    return clopt_fail(error, CLOPT_INVALID, "%s has no parameter %s%s%s%s", owner, name,
                      near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

/* Finds the number of the parameter whose name are the first `length` characters of a text. */
static size_t find_number(const struct clopt_parameter *parameters, const char *name, size_t length)
{
    size_t i = 0;
    while (parameters[i].name &&
           (strlen(parameters[i].name) != length || memcmp(parameters[i].name, name, length) != 0))
        i++;
    return i;
}

bool clopt_parameters_named(const struct clopt_parameter *parameters, const char *names,
                            uint64_t *bits)
{
    *bits = 0;
    for (const char *word = names ? names : ""; *(word += strspn(word, " "));) {
        size_t length = strcspn(word, " ");
        size_t number = find_number(parameters, word, length);
        if (!parameters[number].name)
            return false;
        *bits |= CLOPT_PARAMETER_BIT(number);
        word += length;
    }
    return true;
}

/* Whether a value is another than the initial one. */
static bool is_changed(const struct clopt_parameter *parameter, const struct clopt_value *value)
{
    CLOPT_OWNED(clopt_value) initial = {0};
    if (!value->text || !parameter->initial)
        return value->text;
    return clopt_value_parse(parameter->initial, parameter->type, &initial, NULL) ||
           strcmp(initial.text, value->text) != 0;
}

/* Refuses a value because of those of other parameters. */
static enum clopt_status fail_meaning(const struct clopt_values *values, size_t index,
                                      uint64_t others, bool with, struct clopt_error *error)
{
    const struct clopt_value *value = &values->items[index];
    const struct clopt_value *other = NULL;
    CLOPT_OWNED(clopt_text) names = {0};
    size_t count = 0;
    for (size_t i = 0; i < values->count; i++)
        if (others & CLOPT_PARAMETER_BIT(i)) {
            other = &values->items[i];
            clopt_text_printf(&names, "%s%s", count++ ? " or " : "", other->name);
        }
    if (other && (!with || (count == 1 && other->text)))
        clopt_fail(error, CLOPT_INVALID, "%s = %s means nothing with %s = %s", value->name,
                   value->text, other->name, other->text);
    else
        clopt_fail(error, CLOPT_INVALID, "%s = %s means nothing without %s", value->name,
                   value->text, clopt_text_string(&names));
    return CLOPT_INVALID;
}

enum clopt_status clopt_values_check_meaning(const struct clopt_parameter *parameters,
                                             const struct clopt_values *values,
                                             struct clopt_error *error)
{
    uint64_t changed = 0;
    for (size_t i = 0; i < values->count; i++)
        if (is_changed(&parameters[i], &values->items[i]))
            changed |= CLOPT_PARAMETER_BIT(i);
    for (size_t i = 0; i < values->count; i++) {
        uint64_t with;
        uint64_t without;
        if (!(changed & CLOPT_PARAMETER_BIT(i)))
            continue;
        clopt_parameters_named(parameters, parameters[i].with, &with);
        clopt_parameters_named(parameters, parameters[i].without, &without);
        if (with && !(with & changed))
            return fail_meaning(values, i, with, true, error);
        if (without & changed)
            return fail_meaning(values, i, without & changed, false, error);
    }
    return CLOPT_OK;
}

json_t *clopt_values_to_json(const struct clopt_values *values)
{
    json_t *json = json_object();
    for (size_t i = 0; json && i < values->count; i++) {
        const struct clopt_value *value = &values->items[i];
        if (value->text && json_object_set_new(json, value->name, json_string(value->text))) {
            json_decref(json);
            json = NULL;
        }
    }
    return json;
}

static enum clopt_status set_from_json(struct clopt_values *values,
                                       const struct clopt_parameter *parameters, const char *name,
                                       const json_t *text, struct clopt_error *error)
{
    const struct clopt_parameter *parameter = clopt_parameter_find(parameters, name);
    if (!parameter)
        return clopt_fail(error, CLOPT_INVALID, "%s: no such parameter", name);
    if (!json_is_string(text))
        return clopt_fail(error, CLOPT_INVALID, "%s: not a text", name);
    return clopt_values_set(values, parameter, json_string_value(text), error);
}

enum clopt_status clopt_values_from_json(const struct clopt_parameter *parameters,
                                         const json_t *json, struct clopt_values **values,
                                         struct clopt_error *error)
{
    *values = NULL;
    if (!json_is_object(json))
        return clopt_fail(error, CLOPT_INVALID, "values: not a JSON object");
    CLOPT_HELD(clopt_values) made = clopt_values_create(parameters);
    const char *name;
    json_t *text;
    json_object_foreach((json_t *)json, name, text)
    {
        CLOPT_TRY(set_from_json(made, parameters, name, text, error));
    }
    *values = made;
    made = NULL;
    return CLOPT_OK;
}
