/* SPDX-License-Identifier: BSD-3-Clause */
/* Translates T1 tuning files: the file as a whole, and the space that it describes. */
#include "study/t1.h"

#include <math.h>
#include <string.h>

#include "study/t1_parts.h"
#include "text/suggest.h"

#define NEWEST_FORMAT 1

/* ---- the JSON ---- */

struct clopt_t1_node clopt_t1_member(const struct clopt_t1_node *node, const char *key)
{
    struct clopt_t1_node member = {.json = json_object_get(node->json, key)};
    snprintf(member.where, sizeof member.where, "%.100s%s%.50s", node->where,
             node->where[0] ? "." : "", key);
    return member;
}

struct clopt_t1_node clopt_t1_item(const struct clopt_t1_node *node, size_t index)
{
    struct clopt_t1_node item = {.json = json_array_get(node->json, index)};
    snprintf(item.where, sizeof item.where, "%.130s[%zu]", node->where, index);
    return item;
}

enum clopt_status clopt_t1_fail(const struct clopt_t1 *t1, const struct clopt_t1_node *node,
                                const char *format, ...)
{
    char reason[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return clopt_fail(t1->error, CLOPT_INVALID, "%s: %s%s%s", t1->path, node->where,
                      node->where[0] ? ": " : "", reason);
}

enum clopt_status clopt_t1_check_object(const struct clopt_t1 *t1, const struct clopt_t1_node *node,
                                        const char *const *known)
{
    if (!json_is_object(node->json))
        return clopt_t1_fail(t1, node, node->json ? "this must be an object" : "missing");
    size_t count = 0;
    while (known[count])
        count++;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)node->json, key, value)
    {
        size_t i = 0;
        while (i < count && strcmp(known[i], key) != 0)
            i++;
        if (i < count)
            continue;
        struct clopt_t1_node member = clopt_t1_member(node, key);
        const char *near = clopt_suggest(key, known, count);
        if (near)
            return clopt_t1_fail(t1, &member, "not supported; did you mean %s?", near);
        return clopt_t1_fail(t1, &member, "not supported");
    }
    return CLOPT_OK;
}

enum clopt_status clopt_t1_text(const struct clopt_t1 *t1, const struct clopt_t1_node *node,
                                const char **text)
{
    *text = json_string_value(node->json);
    if (!*text || !**text)
        return clopt_t1_fail(t1, node, node->json ? "this must be a text" : "missing");
    return CLOPT_OK;
}

enum clopt_status clopt_t1_word(const struct clopt_t1 *t1, const struct clopt_t1_node *node,
                                const char *const *words, size_t usual, size_t *number)
{
    *number = usual;
    if (!node->json)
        return CLOPT_OK;
    const char *word = json_string_value(node->json);
    struct clopt_text known = {0};
    for (size_t i = 0; words[i]; i++) {
        if (word && strcmp(word, words[i]) == 0) {
            *number = i;
            clopt_text_fini(&known);
            return CLOPT_OK;
        }
        clopt_text_printf(&known, "%s%s", i ? ", " : "", words[i]);
    }
    clopt_t1_fail(t1, node, "%s is not supported; it must be one of %s", word ? word : "this",
                  clopt_text_string(&known));
    clopt_text_fini(&known);
    return CLOPT_INVALID;
}

enum clopt_status clopt_t1_put(const struct clopt_t1 *t1, const struct clopt_t1_node *node,
                               const char *section, const char *key, const char *value)
{
    struct clopt_text origin = {0};
    clopt_text_printf(&origin, "%s: %s", t1->path, node->where);
    enum clopt_status status =
        clopt_ini_put(t1->ini, section, key, value, clopt_text_string(&origin), t1->error);
    clopt_text_fini(&origin);
    return status;
}

enum clopt_status clopt_t1_copy_text(const struct clopt_t1 *t1, const struct clopt_t1_node *node,
                                     const char *section, const char *key)
{
    const char *text;
    if (!node->json)
        return CLOPT_OK;
    enum clopt_status status = clopt_t1_text(t1, node, &text);
    return status ? status : clopt_t1_put(t1, node, section, key, text);
}

enum clopt_status clopt_t1_put_text(const struct clopt_t1 *t1, const struct clopt_t1_node *node,
                                    const char *section, const char *key, struct clopt_text *value)
{
    enum clopt_status status = value->failed
                                   ? clopt_fail_memory(t1->error)
                                   : clopt_t1_put(t1, node, section, key, clopt_text_string(value));
    clopt_text_fini(value);
    return status;
}

enum clopt_status clopt_t1_append_file(const struct clopt_t1 *t1, const struct clopt_t1_node *node,
                                       struct clopt_text *text)
{
    const char *name;
    enum clopt_status status = clopt_t1_text(t1, node, &name);
    if (status == CLOPT_OK)
        clopt_text_printf(text, "%s%s", *name == '/' ? "" : t1->folder, name);
    return status;
}

void clopt_t1_append_number(struct clopt_text *text, const json_t *number)
{
    if (json_is_integer(number))
        clopt_text_printf(text, "%lld", (long long)json_integer_value(number));
    else
        clopt_text_printf(text, "%.17g", json_real_value(number));
}

/* ---- ConfigurationSpace ---- */

/* Writes the value that the initial code has. */
static enum clopt_status read_default(const struct clopt_t1 *t1, const struct clopt_t1_node *node,
                                      const char *section)
{
    struct clopt_text text = {0};
    if (!node->json)
        return CLOPT_OK;
    if (json_is_number(node->json))
        clopt_t1_append_number(&text, node->json);
    else if (json_is_boolean(node->json))
        clopt_text_append(&text, json_is_true(node->json) ? "1" : "0");
    else if (json_is_string(node->json))
        clopt_text_append(&text, json_string_value(node->json));
    else
        return clopt_t1_fail(t1, node, "this must be a number, a text, true or false");
    return clopt_t1_put_text(t1, node, section, "initial", &text);
}

static enum clopt_status read_parameter(const struct clopt_t1 *t1, const struct clopt_t1_node *node)
{
    static const char *const known[] = {"Name", "Type", "Values", "Default", NULL};
    static const char *const types[] = {"int", "uint", "float", "bool", "string", NULL};
    struct clopt_t1_node name_node = clopt_t1_member(node, "Name");
    struct clopt_t1_node type_node = clopt_t1_member(node, "Type");
    struct clopt_t1_node values = clopt_t1_member(node, "Values");
    struct clopt_t1_node initial = clopt_t1_member(node, "Default");
    const char *name;
    size_t type;
    enum clopt_status status = clopt_t1_check_object(t1, node, known);
    if (status == CLOPT_OK)
        status = clopt_t1_text(t1, &name_node, &name);
    if (status == CLOPT_OK)
        status = type_node.json ? clopt_t1_word(t1, &type_node, types, 0, &type)
                                : clopt_t1_fail(t1, &type_node, "missing");
    if (status)
        return status;
    char section[64];
    struct clopt_text list = {0};
    if (snprintf(section, sizeof section, "parameter %s", name) >= (int)sizeof section)
        return clopt_t1_fail(t1, &name_node, "this name is too long");
    if (clopt_ini_section(t1->ini, section))
        return clopt_t1_fail(t1, &name_node, "there is another parameter %s", name);
    status = clopt_t1_values(t1, &values, types[type], &list);
    if (status)
        clopt_text_fini(&list);
    else
        status = clopt_t1_put_text(t1, &values, section, "values", &list);
    return status ? status : read_default(t1, &initial, section);
}

static enum clopt_status read_condition(const struct clopt_t1 *t1, const struct clopt_t1_node *node,
                                        size_t number)
{
    static const char *const known[] = {"Expression", "Parameters", NULL};
    struct clopt_t1_node expression = clopt_t1_member(node, "Expression");
    const char *text;
    char key[32];
    enum clopt_status status = clopt_t1_check_object(t1, node, known);
    if (status == CLOPT_OK)
        status = clopt_t1_text(t1, &expression, &text);
    snprintf(key, sizeof key, "condition_%zu", number);
    return status ? status : clopt_t1_put(t1, &expression, "constraints", key, text);
}

static enum clopt_status read_space(const struct clopt_t1 *t1, const struct clopt_t1_node *node)
{
    static const char *const known[] = {"TuningParameters", "Conditions", NULL};
    struct clopt_t1_node parameters = clopt_t1_member(node, "TuningParameters");
    struct clopt_t1_node conditions = clopt_t1_member(node, "Conditions");
    enum clopt_status status = clopt_t1_check_object(t1, node, known);
    if (status == CLOPT_OK && !json_is_array(parameters.json))
        status = clopt_t1_fail(t1, &parameters, "this must be an array");
    for (size_t i = 0; i < json_array_size(parameters.json) && status == CLOPT_OK; i++) {
        struct clopt_t1_node item = clopt_t1_item(&parameters, i);
        status = read_parameter(t1, &item);
    }
    if (status == CLOPT_OK && conditions.json && !json_is_array(conditions.json))
        status = clopt_t1_fail(t1, &conditions, "this must be an array");
    for (size_t i = 0; i < json_array_size(conditions.json) && status == CLOPT_OK; i++) {
        struct clopt_t1_node item = clopt_t1_item(&conditions, i);
        status = read_condition(t1, &item, i + 1);
    }
    return status;
}

/* ---- the rest ---- */

/* How others log and write results means nothing here, where a store and reports do. */
static enum clopt_status read_general(const struct clopt_t1 *t1, const struct clopt_t1_node *node)
{
    static const char *const known[] = {"FormatVersion",
                                        "BenchmarkName",
                                        "LoggingLevel",
                                        "TimeUnit",
                                        "OutputFile",
                                        "OutputFormat",
                                        NULL};
    struct clopt_t1_node version = clopt_t1_member(node, "FormatVersion");
    struct clopt_t1_node name = clopt_t1_member(node, "BenchmarkName");
    if (!node->json)
        return CLOPT_OK;
    enum clopt_status status = clopt_t1_check_object(t1, node, known);
    if (status == CLOPT_OK && version.json && json_integer_value(version.json) != NEWEST_FORMAT)
        status = clopt_t1_fail(t1, &version, "only version %d is supported", NEWEST_FORMAT);
    return status ? status : clopt_t1_copy_text(t1, &name, "study", "title");
}

/* A number of configurations is a sample of the space; other budgets clopt does not have. */
static enum clopt_status read_budget(const struct clopt_t1 *t1, const struct clopt_t1_node *node)
{
    static const char *const known[] = {"Type", "BudgetValue", NULL};
    static const char *const types[] = {"ConfigurationCount", NULL};
    enum clopt_status status = CLOPT_OK;
    if (node->json && !json_is_array(node->json))
        return clopt_t1_fail(t1, node, "this must be an array");
    for (size_t i = 0; i < json_array_size(node->json) && status == CLOPT_OK; i++) {
        struct clopt_t1_node item = clopt_t1_item(node, i);
        struct clopt_t1_node type = clopt_t1_member(&item, "Type");
        struct clopt_t1_node value = clopt_t1_member(&item, "BudgetValue");
        double number = json_number_value(value.json);
        struct clopt_text text = {0};
        size_t word;
        status = clopt_t1_check_object(t1, &item, known);
        if (status == CLOPT_OK)
            status = type.json ? clopt_t1_word(t1, &type, types, 0, &word)
                               : clopt_t1_fail(t1, &type, "missing");
        if (status == CLOPT_OK && !(number >= 1 && number <= 1e9 && floor(number) == number))
            status = clopt_t1_fail(t1, &value, "this must be an integer from 1 to 1000000000");
        if (status)
            break;
        clopt_text_printf(&text, "%.0f", number);
        status = clopt_t1_put_text(t1, &value, "combine", "sample", &text);
    }
    return status;
}

static enum clopt_status read_file(const struct clopt_t1 *t1, const struct clopt_t1_node *root)
{
    static const char *const known[] = {
        "General", "ConfigurationSpace", "KernelSpecification", "Search", "Budget", NULL};
    struct clopt_t1_node general = clopt_t1_member(root, "General");
    struct clopt_t1_node space = clopt_t1_member(root, "ConfigurationSpace");
    struct clopt_t1_node kernel = clopt_t1_member(root, "KernelSpecification");
    struct clopt_t1_node budget = clopt_t1_member(root, "Budget");
    enum clopt_status status = clopt_t1_check_object(t1, root, known);
    if (status == CLOPT_OK)
        status = read_general(t1, &general);
    if (status == CLOPT_OK)
        status = clopt_t1_kernel(t1, &kernel);
    if (status == CLOPT_OK)
        status = read_space(t1, &space);
    if (status == CLOPT_OK)
        status = read_budget(t1, &budget);
    return status;
}

enum clopt_status clopt_t1_read(FILE *stream, const char *path, const char *folder,
                                struct clopt_ini *ini, struct clopt_error *error)
{
    struct clopt_t1 t1 = {.path = path, .folder = folder, .ini = ini, .error = error};
    json_error_t wrong;
    json_t *json = json_loadf(stream, JSON_REJECT_DUPLICATES, &wrong);
    if (!json)
        return clopt_fail(error, CLOPT_INVALID, "%s:%d: %s", path, wrong.line, wrong.text);
    struct clopt_t1_node root = {.json = json};
    enum clopt_status status = read_file(&t1, &root);
    json_decref(json);
    return status;
}
