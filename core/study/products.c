/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads [combine] products: which optimizations are applied one after the other. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "study/section.h"
#include "study/sections.h"
#include "text/array.h"
#include "text/suggest.h"
#include "text/text.h"

#define MOST_PRODUCTS 65536

/* What reading needs all along. */
struct reading {
    struct clopt_study *study;
    const char *origin;
    struct clopt_error *error;
};

static enum clopt_status fail_product(const struct reading *reading, const char *product,
                                      const char *format, ...) CLOPT_PRINTF(3, 4);
static enum clopt_status fail_product(const struct reading *reading, const char *product,
                                      const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return clopt_fail(reading->error, CLOPT_INVALID, "%s: [combine] products = %s: %s",
                      reading->origin, product, message);
}

static bool is_known(const struct clopt_study *study, const struct clopt_product *product)
{
    for (size_t i = 0; i < study->product_count; i++)
        if (study->products[i].count == product->count &&
            study->products[i].parameters == product->parameters &&
            memcmp(study->products[i].members, product->members,
                   product->count * sizeof product->members[0]) == 0)
            return true;
    return false;
}

/* Adds a product, unless it is there. */
static enum clopt_status add_product(struct reading *reading, const struct clopt_product *product,
                                     bool fresh)
{
    struct clopt_study *study = reading->study;
    if (!fresh && is_known(study, product))
        return CLOPT_OK;
    if (study->product_count == MOST_PRODUCTS)
        return fail_product(reading, study->combine, "more than %d products", MOST_PRODUCTS);
    if (!clopt_array_grow(&study->products, study->product_count, sizeof *study->products))
        return clopt_fail_memory(reading->error);
    study->products[study->product_count++] = *product;
    return CLOPT_OK;
}

static const struct clopt_plugin_entry *entry_of(const struct clopt_study *study, size_t member)
{
    return study->optimizations[member].entry;
}

/* Whether a product applies an optimization, be it with values of another section. */
static bool applies(const struct clopt_study *study, const struct clopt_product *product,
                    const struct clopt_plugin_entry *entry)
{
    for (size_t i = 0; i < product->count; i++)
        if (entry_of(study, product->members[i]) == entry)
            return true;
    return false;
}

/* Adds all products of `size` different optimizations in the study's order that begin as `start`
 * does. */
static enum clopt_status add_ordered(struct reading *reading, const struct clopt_product *start,
                                     size_t size, bool fresh)
{
    const struct clopt_study *study = reading->study;
    if (start->count == size)
        return add_product(reading, start, fresh);
    size_t first = start->count ? start->members[start->count - 1] + 1 : 0;
    enum clopt_status status = CLOPT_OK;
    for (size_t i = first; i < study->optimization_count && status == CLOPT_OK; i++) {
        if (applies(study, start, entry_of(study, i)))
            continue;
        struct clopt_product longer = *start;
        longer.members[longer.count++] = i;
        status = add_ordered(reading, &longer, size, fresh);
    }
    return status;
}

/* Returns how many optimizations alone, pairs or all puts together at most; 0: no such word. */
static size_t most_members(const char *word)
{
    if (strcmp(word, "alone") == 0)
        return 1;
    if (strcmp(word, "pairs") == 0)
        return 2;
    return strcmp(word, "all") == 0 ? CLOPT_MAX_STEPS : 0;
}

/* What all parameters of a study are called in a product. */
static const char parameters_name[] = "parameters";

/* How an optimization is called in a product: its name, and its label after a blank. */
static bool is_called(const struct clopt_study_optimization *optimization, const char *name)
{
    const char *own = optimization->entry->plugin->name;
    size_t length = strlen(own);
    if (strncmp(name, own, length) != 0)
        return false;
    if (!name[length])
        return true; /* any section of it */
    return name[length] == ' ' && optimization->label &&
           strcmp(name + length + 1, optimization->label) == 0;
}

static enum clopt_status fail_member(const struct reading *reading, const char *product,
                                     const char *name)
{
    const struct clopt_study *study = reading->study;
    struct clopt_text known = {0};
    char *calls[CLOPT_MOST_NAMES];
    size_t count = 0;
    for (size_t i = 0; i < study->optimization_count && count < CLOPT_MOST_NAMES; i++) {
        const struct clopt_study_optimization *optimization = &study->optimizations[i];
        struct clopt_text call = {0};
        clopt_text_printf(&call, "%s%s%s", optimization->entry->plugin->name,
                          optimization->label ? " " : "",
                          optimization->label ? optimization->label : "");
        clopt_text_printf(&known, "%s%s", count ? ", " : "", clopt_text_string(&call));
        calls[count] = clopt_text_take(&call);
        count += calls[count] != NULL;
    }
    const char *near = clopt_suggest(name, (const char *const *)calls, count);
    if (near)
        fail_product(reading, product, "%s: no such optimization in this study; did you mean %s?",
                     name, near);
    else
        fail_product(reading, product,
                     "%s: neither alone, pairs, all nor an optimization of this study, which has "
                     "%s",
                     name, count ? clopt_text_string(&known) : "none");
    clopt_text_fini(&known);
    while (count)
        free(calls[--count]);
    return CLOPT_INVALID;
}

/* Ends the first name of "name label+..."; returns what is after it, or NULL. */
static char *cut_member(char *text, char **name)
{
    char *rest = strchr(text, '+');
    if (rest)
        *rest++ = '\0';
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    *name = text;
    return rest;
}

/* Adds all products that begin as `start` does and go on as the text `rest` (NULL: at its end)
 * says. */
static enum clopt_status add_written(struct reading *reading, const char *product,
                                     const struct clopt_product *start, const char *rest)
{
    if (!rest)
        return add_product(reading, start, false);
    if (start->count == CLOPT_MAX_STEPS)
        return fail_product(reading, product, "more than %d optimizations", CLOPT_MAX_STEPS);
    char *copy = strdup(rest);
    if (!copy)
        return clopt_fail_memory(reading->error);
    char *name;
    const char *after = cut_member(copy, &name);
    enum clopt_status status = CLOPT_OK;
    bool found = reading->study->parameter_count && strcmp(name, parameters_name) == 0;
    if (found && start->parameters)
        status = fail_product(reading, product, "parameters can be in a product once");
    else if (found) {
        struct clopt_product longer = *start;
        longer.parameters = true;
        status = add_written(reading, product, &longer, after);
    }
    for (size_t i = 0; i < reading->study->optimization_count && status == CLOPT_OK; i++) {
        if (!is_called(&reading->study->optimizations[i], name))
            continue;
        found = true;
        struct clopt_product longer = *start;
        longer.members[longer.count++] = i;
        status = add_written(reading, product, &longer, after);
    }
    if (!*name)
        status = fail_product(reading, product, "an optimization is missing beside +");
    else if (!found)
        status = fail_member(reading, product, name);
    free(copy);
    return status;
}

/* Adds what one item of the list means. */
static enum clopt_status add_item(struct reading *reading, const char *item)
{
    struct clopt_product none = {.count = 0};
    size_t most = most_members(item);
    if (!most)
        return add_written(reading, item, &none, item);
    const struct clopt_study *study = reading->study;
    struct clopt_product parameters = {.parameters = true};
    size_t total = study->optimization_count + (study->parameter_count != 0);
    bool fresh = !study->product_count;
    enum clopt_status status = CLOPT_OK;
    for (size_t size = 1; size <= most && size <= total && status == CLOPT_OK; size++) {
        if (study->parameter_count)
            status = add_ordered(reading, &parameters, size - 1, fresh);
        if (status == CLOPT_OK)
            status = add_ordered(reading, &none, size, fresh);
    }
    return status;
}

enum clopt_status clopt_study_read_products(struct clopt_study *study, const struct clopt_ini *ini,
                                            struct clopt_error *error)
{
    const struct clopt_ini_setting *setting =
        clopt_ini_setting(clopt_ini_section(ini, "combine"), "products");
    struct reading reading = {
        .study = study, .origin = setting ? setting->origin : "default", .error = error};
    struct clopt_list list;
    enum clopt_status status =
        clopt_list_parse(study->combine, CLOPT_TEXT, MOST_PRODUCTS, &list, error);
    if (status)
        return clopt_fail_within(error, "%s: [combine] products", reading.origin);
    for (size_t i = 0; i < list.count && status == CLOPT_OK; i++)
        status = add_item(&reading, list.items[i]);
    clopt_list_fini(&list);
    return status;
}
