/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads [combine] products: which optimizations are applied one after the other. */
#include "study/schema.h"
#include "text/suggest.h"

#define MOST_PRODUCTS 65536

#define AT(member) offsetof(struct clopt_study, member)

static const struct clopt_key keys[] = {
    CLOPT_KEY("products", VALUE, TEXT, NULL, "alone", AT(combine),
              "which optimizations are applied together: alone, pairs, all, or a list such as a+b"),
    CLOPT_KEY("sample", VALUE, INTEGER, "1..1000000", NULL, AT(sample),
              "variants of each kernel, drawn at random [all]"),
    CLOPT_KEY("winners", VALUE, BOOLEAN, NULL, "yes", AT(winners),
              "try the best variants of an app's kernels together"),
    {0},
};

/* What reading needs all along. */
struct reading {
    struct clopt_study *study;
    const char *origin;
    struct clopt_error *error;
};

/* Fails with a message after what it is about. */
#define FAIL_PRODUCT(reading, product, ...)                                                        \
    (clopt_fail((reading)->error, CLOPT_INVALID, __VA_ARGS__),                                     \
     clopt_fail_within((reading)->error, "%s: [combine] products = %s", (reading)->origin,         \
                       product))

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
        return FAIL_PRODUCT(reading, study->combine, "more than %d products", MOST_PRODUCTS);
    clopt_array_grow(&study->products, study->product_count, sizeof *study->products);
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

/* Adds all products of `size` optimizations in the study's order that begin with `start`. */
static enum clopt_status add_ordered(struct reading *reading, const struct clopt_product *start,
                                     size_t size, bool fresh)
{
    const struct clopt_study *study = reading->study;
    if (start->count == size)
        return add_product(reading, start, fresh);
    size_t first = start->count ? start->members[start->count - 1] + 1 : 0;
    for (size_t i = first; i < study->optimization_count; i++) {
        if (applies(study, start, entry_of(study, i)))
            continue;
        struct clopt_product longer = *start;
        longer.members[longer.count++] = i;
        CLOPT_TRY(add_ordered(reading, &longer, size, fresh));
    }
    return CLOPT_OK;
}

/* Words for many products, and how many optimizations each puts together at most. */
static const struct word {
    const char *name;
    size_t most;
} words[] = {{"alone", 1}, {"pairs", 2}, {"all", CLOPT_MAX_STEPS}};

#define WORD_COUNT (sizeof words / sizeof *words)

/* What all parameters of a study are called in a product. */
static const char parameters_name[] = "parameters";

static enum clopt_status fail_member(const struct reading *reading, const char *product,
                                     const char *name)
{
    const struct clopt_study *study = reading->study;
    const char *names[CLOPT_MOST_NAMES];
    size_t count = 0;
    for (; count < WORD_COUNT; count++)
        names[count] = words[count].name;
    for (size_t i = 0; i < study->optimization_count && count < CLOPT_MOST_NAMES; i++)
        names[count++] = study->optimizations[i].name;
    CLOPT_OWNED(clopt_text) advice = clopt_suggest_or_list(name, names, count, "there are");
    FAIL_PRODUCT(reading, product, "%s: no such optimization in this study; %s", name,
                 clopt_text_string(&advice));
    return CLOPT_INVALID;
}

/* Ends the first name of "name label+..."; returns what is after it, or NULL. */
static char *cut_member(char *text, char **name)
{
    char *rest = strchr(text, '+');
    if (rest)
        *rest++ = '\0';
    *name = clopt_text_trim(text);
    return rest;
}

/* Adds all products that begin with `start` and go on as the text `rest` says (NULL: end). */
static enum clopt_status add_written(struct reading *reading, const char *product,
                                     const struct clopt_product *start, const char *rest)
{
    if (!rest)
        return add_product(reading, start, false);
    if (start->count == CLOPT_MAX_STEPS)
        return FAIL_PRODUCT(reading, product, "more than %d optimizations", CLOPT_MAX_STEPS);
    CLOPT_FREED char *copy = clopt_strdup(rest);
    char *name;
    const char *after = cut_member(copy, &name);
    enum clopt_status status = CLOPT_OK;
    bool found = reading->study->parameter_count && strcmp(name, parameters_name) == 0;
    if (found && start->parameters)
        status = FAIL_PRODUCT(reading, product, "parameters can be in a product once");
    else if (found) {
        struct clopt_product longer = *start;
        longer.parameters = true;
        status = add_written(reading, product, &longer, after);
    }
    for (size_t i = 0; i < reading->study->optimization_count && status == CLOPT_OK; i++) {
        const struct clopt_study_optimization *member = &reading->study->optimizations[i];
        if (strcmp(member->name, name) != 0 && strcmp(member->entry->extension->name, name) != 0)
            continue; /* a name without a label is every section of the optimization */
        found = true;
        struct clopt_product longer = *start;
        longer.members[longer.count++] = i;
        status = add_written(reading, product, &longer, after);
    }
    if (!*name)
        status = FAIL_PRODUCT(reading, product, "an optimization is missing beside +");
    else if (!found)
        status = fail_member(reading, product, name);
    return status;
}

/* Adds what one item of the list means. */
static enum clopt_status add_item(struct reading *reading, const char *item)
{
    struct clopt_product none = {.count = 0};
    const struct word *word = words;
    while (word < words + WORD_COUNT && strcmp(word->name, item) != 0)
        word++;
    if (word == words + WORD_COUNT)
        return add_written(reading, item, &none, item);
    const struct clopt_study *study = reading->study;
    struct clopt_product parameters = {.parameters = true};
    size_t total = study->optimization_count + (study->parameter_count != 0);
    bool fresh = !study->product_count;
    for (size_t size = 1; size <= word->most && size <= total; size++) {
        if (study->parameter_count)
            CLOPT_TRY(add_ordered(reading, &parameters, size - 1, fresh));
        CLOPT_TRY(add_ordered(reading, &none, size, fresh));
    }
    return CLOPT_OK;
}

static enum clopt_status read_products(const struct clopt_study_reading *all)
{
    struct clopt_study *study = all->study;
    const struct clopt_ini_setting *setting =
        clopt_ini_setting(clopt_ini_section(all->ini, "combine"), "products");
    struct reading reading = {
        .study = study, .origin = setting ? setting->origin : "default", .error = all->error};
    CLOPT_OWNED(clopt_list) list = {0};
    if (clopt_list_parse(study->combine, CLOPT_TEXT, MOST_PRODUCTS, &list, all->error))
        return clopt_fail_within(all->error, "%s: [combine] products", reading.origin);
    for (size_t i = 0; i < list.count; i++)
        CLOPT_TRY(add_item(&reading, list.items[i]));
    return CLOPT_OK;
}

const struct clopt_study_section clopt_section_combine = {
    .kind = "combine", .keys = keys, .finish = read_products};
