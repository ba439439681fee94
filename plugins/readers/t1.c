/* SPDX-License-Identifier: BSD-3-Clause */
/* Translates T1 tuning files: the file as a whole, and the space that it describes. */
#include "readers/t1_parts.h"

#include <math.h>

#include "readers/readers.h"
#include "text/suggest.h"

#define NEWEST_FORMAT 1
#define MOST_NAMES    32

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

void clopt_t1_fail(struct clopt_t1 *t1, const struct clopt_t1_node *node, const char *format, ...)
{
    char reason[1024];
    va_list arguments;
    if (t1->status)
        return;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    t1->status = clopt_fail(t1->error, CLOPT_INVALID, "%s: %s%s%s", t1->path, node->where,
                            node->where[0] ? ": " : "", reason);
}

/* Puts a value into the study; `node` is where it comes from. */
static void put(struct clopt_t1 *t1, const struct clopt_t1_node *node, const char *section,
                const char *key, const char *value)
{
    CLOPT_OWNED(clopt_text) origin = {0};
    clopt_text_printf(&origin, "%s: %s", t1->path, node->where);
    if (!t1->status)
        t1->status =
            clopt_ini_put(t1->ini, section, key, value, clopt_text_string(&origin), t1->error);
}

void clopt_t1_put_text(struct clopt_t1 *t1, const struct clopt_t1_node *node, const char *section,
                       const char *key, struct clopt_text *value)
{
    put(t1, node, section, key, clopt_text_string(value));
    clopt_text_fini(value);
}

static void check_member(struct clopt_t1 *t1, const struct clopt_t1_node *node,
                         const struct clopt_t1_member *rows, const char *others, const char *key)
{
    char words[256], *rest;
    const char *names[MOST_NAMES];
    size_t count = 0;
    for (; rows && rows->name; rows++)
        names[count++] = rows->name;
    snprintf(words, sizeof words, "%s", others);
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        names[count++] = word;
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], key) == 0)
            return;
    const char *near = clopt_suggest(key, names, count);
    struct clopt_t1_node member = clopt_t1_member(node, key);
    clopt_t1_fail(t1, &member, "not supported%s%s%s", near ? "; did you mean " : "",
                  near ? near : "", near ? "?" : "");
}

void clopt_t1_object(struct clopt_t1 *t1, const struct clopt_t1_node *node,
                     const struct clopt_t1_member *rows, const char *others)
{
    const char *key;
    json_t *value;
    if (!json_is_object(node->json))
        clopt_t1_fail(t1, node, node->json ? "this must be an object" : "missing");
    json_object_foreach((json_t *)node->json, key, value) check_member(t1, node, rows, others, key);
    for (; rows && rows->name && !t1->status; rows++) {
        struct clopt_t1_node member = clopt_t1_member(node, rows->name);
        if (rows->read)
            rows->read(t1, &member);
        else if (member.json)
            put(t1, &member, rows->section, rows->key, clopt_t1_text(t1, node, rows->name));
    }
}

size_t clopt_t1_count(struct clopt_t1 *t1, const struct clopt_t1_node *node)
{
    if (node->json && !json_is_array(node->json))
        clopt_t1_fail(t1, node, "this must be an array");
    return t1->status ? 0 : json_array_size(node->json);
}

const char *clopt_t1_text(struct clopt_t1 *t1, const struct clopt_t1_node *node, const char *key)
{
    const struct clopt_t1_node member = *key ? clopt_t1_member(node, key) : *node;
    const char *text = json_string_value(member.json);
    if (text && *text)
        return text;
    clopt_t1_fail(t1, &member, member.json ? "this must be a text" : "missing");
    return "";
}

size_t clopt_t1_word(struct clopt_t1 *t1, const struct clopt_t1_node *node, const char *key,
                     const char *words, bool needed)
{
    const struct clopt_t1_node member = clopt_t1_member(node, key);
    const char *given = json_string_value(member.json), *word = words;
    CLOPT_OWNED(clopt_text) known = {0};
    size_t length;
    if (!member.json && needed)
        clopt_t1_fail(t1, &member, "missing");
    if (!member.json)
        return 0;
    for (size_t i = 0; *word; i++, word += length + (word[length] == ' ')) {
        length = strcspn(word, " ");
        if (given && strncmp(word, given, length) == 0 && !given[length])
            return i;
        clopt_text_printf(&known, "%s%.*s", i ? ", " : "", (int)length, word);
    }
    clopt_t1_fail(t1, &member, "%s is not supported; it must be one of %s", given ? given : "this",
                  clopt_text_string(&known));
    return 0;
}

void clopt_t1_append_number(struct clopt_text *text, const json_t *number)
{
    if (json_is_integer(number))
        clopt_text_printf(text, "%lld", (long long)json_integer_value(number));
    else
        clopt_text_printf(text, "%.17g", json_real_value(number));
}

/* ---- ConfigurationSpace ---- */

static const char types[] = "int uint float bool string";

/* Writes the value that the initial code has. */
static void read_default(struct clopt_t1 *t1, const struct clopt_t1_node *node, const char *section)
{
    struct clopt_text text = {0};
    if (json_is_number(node->json))
        clopt_t1_append_number(&text, node->json);
    else if (json_is_boolean(node->json))
        clopt_text_append(&text, json_is_true(node->json) ? "1" : "0");
    else if (json_is_string(node->json))
        clopt_text_append(&text, json_string_value(node->json));
    else if (node->json)
        clopt_t1_fail(t1, node, "this must be a number, a text, true or false");
    if (node->json)
        clopt_t1_put_text(t1, node, section, "initial", &text);
}

static void read_parameter(struct clopt_t1 *t1, const struct clopt_t1_node *node)
{
    static const char *const names[] = {"int", "uint", "float", "bool", "string"};
    struct clopt_t1_node name_node = clopt_t1_member(node, "Name");
    struct clopt_t1_node values = clopt_t1_member(node, "Values");
    struct clopt_t1_node initial = clopt_t1_member(node, "Default");
    struct clopt_text list = {0};
    char section[64];
    clopt_t1_object(t1, node, NULL, "Name Type Values Default");
    const char *name = clopt_t1_text(t1, node, "Name");
    size_t type = clopt_t1_word(t1, node, "Type", types, true);
    if (snprintf(section, sizeof section, "parameter %s", name) >= (int)sizeof section)
        clopt_t1_fail(t1, &name_node, "this name is too long");
    if (clopt_ini_section(t1->ini, section))
        clopt_t1_fail(t1, &name_node, "parameter %s is defined twice", name);
    clopt_t1_append_values(t1, &values, names[type], &list);
    clopt_t1_put_text(t1, &values, section, "values", &list);
    read_default(t1, &initial, section);
}

static void read_parameters(struct clopt_t1 *t1, const struct clopt_t1_node *node)
{
    if (!node->json)
        clopt_t1_fail(t1, node, "this must be an array");
    for (size_t i = 0, count = clopt_t1_count(t1, node); i < count; i++) {
        struct clopt_t1_node item = clopt_t1_item(node, i);
        read_parameter(t1, &item);
    }
}

static void read_conditions(struct clopt_t1 *t1, const struct clopt_t1_node *node)
{
    for (size_t i = 0, count = clopt_t1_count(t1, node); i < count; i++) {
        char key[32];
        snprintf(key, sizeof key, "condition_%zu", i + 1);
        const struct clopt_t1_member rows[] = {{"Expression", NULL, "constraints", key},
                                               {.name = NULL}};
        struct clopt_t1_node item = clopt_t1_item(node, i);
        clopt_t1_object(t1, &item, rows, "Parameters");
        clopt_t1_text(t1, &item, "Expression");
    }
}

static void read_space(struct clopt_t1 *t1, const struct clopt_t1_node *node)
{
    static const struct clopt_t1_member rows[] = {{"TuningParameters", read_parameters, NULL, NULL},
                                                  {"Conditions", read_conditions, NULL, NULL},
                                                  {.name = NULL}};
    clopt_t1_object(t1, node, rows, "");
}

/* ---- the rest ---- */

static void check_version(struct clopt_t1 *t1, const struct clopt_t1_node *node)
{
    if (node->json && json_integer_value(node->json) != NEWEST_FORMAT)
        clopt_t1_fail(t1, node, "only version %d is supported", NEWEST_FORMAT);
}

/* How others log and write results means nothing here, where a store and reports do. */
static void read_general(struct clopt_t1 *t1, const struct clopt_t1_node *node)
{
    static const struct clopt_t1_member rows[] = {{"FormatVersion", check_version, NULL, NULL},
                                                  {"BenchmarkName", NULL, "study", "title"},
                                                  {.name = NULL}};
    if (node->json)
        clopt_t1_object(t1, node, rows, "LoggingLevel TimeUnit OutputFile OutputFormat");
}

/* A number of configurations is a sample of the space; other budgets clopt does not have. */
static void read_budget(struct clopt_t1 *t1, const struct clopt_t1_node *node)
{
    for (size_t i = 0, count = clopt_t1_count(t1, node); i < count; i++) {
        struct clopt_t1_node item = clopt_t1_item(node, i);
        struct clopt_t1_node value = clopt_t1_member(&item, "BudgetValue");
        double number = json_number_value(value.json);
        struct clopt_text text = {0};
        clopt_t1_object(t1, &item, NULL, "Type BudgetValue");
        clopt_t1_word(t1, &item, "Type", "ConfigurationCount", true);
        if (!(number >= 1 && number <= 1e9 && floor(number) == number))
            clopt_t1_fail(t1, &value, "this must be an integer from 1 to 1000000000");
        clopt_text_printf(&text, "%.0f", number);
        clopt_t1_put_text(t1, &value, "combine", "sample", &text);
    }
}

static enum clopt_status read_study(const json_t *document, const char *path, const char *folder,
                                    struct clopt_ini *ini, struct clopt_error *error)
{
    static const struct clopt_t1_member rows[] = {
        {"General", read_general, NULL, NULL},
        {"KernelSpecification", clopt_t1_read_kernel, NULL, NULL},
        {"ConfigurationSpace", read_space, NULL, NULL},
        {"Budget", read_budget, NULL, NULL},
        {.name = NULL}};
    struct clopt_t1 t1 = {.path = path, .folder = folder, .ini = ini, .error = error};
    struct clopt_t1_node root = {.json = document};
    clopt_t1_object(&t1, &root, rows, "Search");
    return t1.status;
}

/* One that lacks something is to be told what. */
static bool is_t1(const json_t *document)
{
    return json_object_get(document, "General") ||
           json_object_get(document, "KernelSpecification") ||
           json_object_get(document, "ConfigurationSpace");
}

const struct clopt_reader clopt_reader_t1 = {
    .form = "a T1 tuning file (object \"KernelSpecification\")",
    .knows = is_t1,
    .study = read_study};
