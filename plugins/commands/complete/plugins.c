/* SPDX-License-Identifier: BSD-3-Clause */
/* Offers what plugins have, by themselves or as a study describes them. */
#include "commands/complete/completion.h"

#include "commands/shared/usage.h"
#include "study/reader.h"
#include "text/variant_name.h"

#define MOST_VALUES 16 /* of a parameter: more are no help */

/* Finds what the command line names; false where plugins cannot be looked for. */
bool clopt_completion_open(struct clopt_completion *completion)
{
    struct clopt_error error;
    const char *argument = completion->argument;
    if (clopt_registry_open(completion->plugin_path, &completion->registry, &error))
        return false;
    if (completion->trusts)
        clopt_registry_trust(completion->registry);
    if (completion->study_path)
        clopt_study_read(completion->study_path, completion->registry, NULL, 0, &completion->study,
                         &error);
    if (completion->study && argument)
        completion->study_app = clopt_study_find_app(completion->study, argument);
    if (completion->study_app)
        completion->app = completion->study_app->entry;
    else if (argument)
        clopt_registry_find(completion->registry, CLOPT_KIND_APP, argument, &completion->app, NULL);
    return true;
}

/* Returns plugin number `index` of all that there are; NULL at the end. */
static const struct clopt_extension *next_plugin(struct clopt_completion *completion, size_t index)
{
    if (index == 0 && !clopt_completion_open(completion))
        return NULL;
    const struct clopt_plugin_entry *entry =
        clopt_registry_entry(completion->registry, CLOPT_KIND_ANY, index);
    return entry ? entry->extension : NULL;
}

void clopt_completion_fini(struct clopt_completion *completion)
{
    clopt_study_destroy(completion->study);
    clopt_registry_close(completion->registry);
}

/* The legal values of a parameter; a knob's are the app's, and NULL without it. */
static const char *find_legal(const struct clopt_completion *completion, const char *optimization,
                              const struct clopt_parameter *parameter)
{
    const struct clopt_knob *knob = completion->app ? completion->app->extension->app->knobs : NULL;
    for (; parameter->knob && knob && knob->parameter; knob++)
        if (strcmp(knob->optimization, optimization) == 0 &&
            strcmp(knob->parameter, parameter->name) == 0)
            return knob->legal;
    return clopt_parameter_legal(parameter);
}

/* Offers the values of a parameter; from byte `stem` of the word on, there is one. */
static void offer_legal(const struct clopt_completion *completion, size_t stem,
                        const struct clopt_parameter *parameter, const char *legal,
                        const char *ending)
{
    const char *lists[] = {legal, parameter->suggest, parameter->initial};
    struct clopt_list list = {0};
    for (size_t i = 0; i < 3 && !list.count; i++)
        if (lists[i] && clopt_list_parse(lists[i], parameter->type, MOST_VALUES, &list, NULL))
            clopt_list_fini(&list);
    for (size_t i = 0; i < list.count && parameter->type != CLOPT_FILE; i++)
        clopt_offer(completion, stem, NULL, "%s%s", list.items[i], ending);
    clopt_list_fini(&list);
    if (parameter->type == CLOPT_FILE)
        clopt_offer_files(completion, stem, "");
}

/* What is around a step's name and values; of a parameter alone, around "name=value". */
struct around {
    const char *before, *between, *after;
};

static const struct around nothing = {"", "", ""};

/* Offers "name=" with what is in front of it, or values where the word has a name and = from byte
 * `stem` on. */
static void offer_assignment(const struct clopt_completion *completion, size_t stem,
                             struct around around, const char *optimization,
                             const struct clopt_parameter *parameter)
{
    const char *word = completion->word + stem;
    size_t length = strcspn(word, "=");
    for (; parameter && parameter->name; parameter++) {
        const char *legal = find_legal(completion, optimization, parameter);
        if (parameter->knob && !legal)
            continue;
        if (!word[length])
            clopt_offer(completion, stem, parameter->help, "%s%s=", around.before, parameter->name);
        else if (strncmp(parameter->name, word, length) == 0 && !parameter->name[length])
            offer_legal(completion, stem + length + 1, parameter, legal, around.after);
    }
}

/* Offers an optimization with its values from byte `stem` of the word on, with commas between
 * them. */
static void offer_step(const struct clopt_completion *completion, size_t stem,
                       const struct clopt_extension *extension, struct around around)
{
    const struct clopt_optimization *optimization = extension->operations;
    const char *word = completion->word + stem;
    char lead[64];
    int length =
        snprintf(lead, sizeof lead, "%s%s%s", around.before, extension->name, around.between);
    if (!strpbrk(word, around.between)) {
        if (*around.between == '=')
            clopt_offer(completion, stem, extension->summary, "%s", lead);
        else
            offer_assignment(completion, stem, (struct around){lead, "", ""}, extension->name,
                             optimization->parameters);
    } else if (strncmp(word, lead, (size_t)length) == 0) {
        const char *comma = strrchr(word, ',');
        stem += comma ? (size_t)(comma - word) + 1 : (size_t)length;
        offer_assignment(completion, stem, (struct around){"", "", around.after}, extension->name,
                         optimization->parameters);
    }
}

static void offer_steps(struct clopt_completion *completion, size_t stem, struct around around)
{
    const struct clopt_extension *extension;
    for (size_t i = 0; (extension = next_plugin(completion, i)); i++)
        if (extension->kind == CLOPT_KIND_OPTIMIZATION)
            offer_step(completion, stem, extension, around);
}

void clopt_offer_extensions(struct clopt_completion *completion, enum clopt_kind kind, size_t stem)
{
    const struct clopt_extension *extension;
    for (size_t i = 0; (extension = next_plugin(completion, i)); i++)
        if (extension->kind == (uint32_t)kind)
            clopt_offer(completion, stem, extension->summary, "%s", extension->name);
}

void clopt_offer_plugins(struct clopt_completion *completion, const char *kind)
{
    const struct clopt_extension *extension;
    for (size_t i = 0; (extension = next_plugin(completion, i)); i++)
        if (extension->kind == CLOPT_KIND_APP ||
            (!*kind && extension->kind == CLOPT_KIND_OPTIMIZATION))
            clopt_offer(completion, 0, extension->summary, "%s", extension->name);
    for (size_t i = 0; completion->study && i < completion->study->app_count; i++)
        if (completion->study->apps[i].entry->base)
            clopt_offer(completion, 0, "described by the study", "%s",
                        completion->study->apps[i].entry->extension->name);
}

void clopt_offer_parameters(struct clopt_completion *completion, const char *section,
                            const char *plugin)
{
    const struct clopt_plugin_entry *entry = NULL;
    size_t stem = strlen(section) + 1;
    if (strncmp(completion->word, section, stem - 1) != 0 || completion->word[stem - 1] != '.' ||
        (!completion->registry && !clopt_completion_open(completion)) ||
        clopt_registry_find(completion->registry, CLOPT_KIND_ANY, plugin, &entry, NULL))
        return;
    const struct clopt_parameter *parameters = entry->extension->kind == CLOPT_KIND_APP
                                                   ? entry->extension->app->inputs
                                                   : entry->extension->optimization->parameters;
    offer_assignment(completion, stem, nothing, plugin, parameters);
}

void clopt_offer_inputs(struct clopt_completion *completion, const char *text)
{
    size_t length = strcspn(completion->word, "=");
    (void)text;
    if (!clopt_completion_open(completion) || !completion->app)
        return;
    const struct clopt_app *described = completion->app->extension->app;
    if (!described->define || completion->study_app) /* which defines it */
        offer_assignment(completion, 0, nothing, "", described->inputs);
    const struct clopt_study_app *app = completion->study_app;
    for (size_t i = 0; app && completion->word[length] && i < app->problem_count; i++)
        for (size_t j = 0; j < app->problems[i]->count; j++)
            if (app->problems[i]->items[j].text)
                clopt_offer(completion, 0, "in the study", "%s=%s", app->problems[i]->items[j].name,
                            app->problems[i]->items[j].text);
}

void clopt_offer_kernels(struct clopt_completion *completion, const char *text)
{
    const struct clopt_kernel *kernel = NULL;
    (void)text;
    if (clopt_completion_open(completion) && completion->app)
        kernel = completion->app->extension->app->kernels;
    for (; kernel && kernel->name; kernel++)
        clopt_offer(completion, 0, NULL, "%s", kernel->name);
}

/* Offers the parameters of the study, with which the names of variants begin. */
static void offer_tunables(const struct clopt_completion *completion)
{
    size_t length = strcspn(completion->word, "=");
    for (size_t i = 0; completion->study && i < completion->study->parameter_count; i++) {
        const struct clopt_study_parameter *parameter = &completion->study->parameters[i];
        if (!completion->word[length])
            clopt_offer(completion, 0, parameter->help, "%s=", parameter->name);
        for (size_t j = 0; completion->word[length] && j < parameter->values.count; j++)
            clopt_offer(completion, 0, NULL, "%s=%s", parameter->name, parameter->values.items[j]);
    }
}

void clopt_offer_variants(struct clopt_completion *completion, const char *text)
{
    struct clopt_name_value value = {.rest = completion->word};
    (void)text;
    while (clopt_name_next(&value))
        ;
    size_t step = (size_t)(value.step.text - completion->word);
    offer_steps(completion, step, (struct around){"", "(", ")"});
    if (!step)
        offer_tunables(completion);
}

void clopt_offer_optimizations(struct clopt_completion *completion)
{
    offer_steps(completion, 0, (struct around){"--", "=", ""});
}
