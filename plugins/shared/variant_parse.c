/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads names of variants, "geometry(block_size=32)+loops(unroll=4)". */
#include "shared/variant_parse.h"

#include "text/variant_name.h"

static char *copy_piece(struct clopt_piece piece)
{
    return clopt_strndup(piece.text, piece.length);
}

/* Sets one of the trial's parameters. */
static enum clopt_status set_parameter(struct clopt_trial *trial, const char *name,
                                       const char *value, struct clopt_error *error)
{
    const struct clopt_value *item = clopt_values_find(trial->parameters, name);
    if (!item)
        return clopt_fail(error, CLOPT_INVALID, "no [parameter %s]", name);
    const struct clopt_parameter parameter = {.name = name, .type = item->type};
    return clopt_values_set(trial->parameters, &parameter, value, error);
}

static enum clopt_status set_value(struct clopt_step *step, const char *name, const char *value,
                                   struct clopt_error *error)
{
    const struct clopt_extension *extension = step->optimization->extension;
    const struct clopt_parameter *parameters = extension->optimization->parameters;
    const struct clopt_parameter *parameter = clopt_parameter_find(parameters, name);
    return parameter ? clopt_values_set(step->values, parameter, value, error)
                     : clopt_parameter_unknown(parameters, extension->name, name, error);
}

static enum clopt_status add_step(struct clopt_trial *trial, struct clopt_piece optimization,
                                  const struct clopt_registry *registry, struct clopt_error *error)
{
    if (trial->step_count == CLOPT_MOST_STEPS)
        return clopt_fail(error, CLOPT_INVALID, "more than %d optimizations", CLOPT_MOST_STEPS);
    struct clopt_step *step = &trial->steps[trial->step_count];
    CLOPT_FREED char *name = copy_piece(optimization);
    CLOPT_TRY(
        clopt_registry_find(registry, CLOPT_KIND_OPTIMIZATION, name, &step->optimization, error));
    step->kernel = NULL;
    step->values = clopt_step_values_create(step->optimization);
    trial->step_count++;
    return CLOPT_OK;
}

/* Takes in one value of a name; `begins`: it is the first of its step. */
static enum clopt_status take_value(struct clopt_trial *trial, const struct clopt_name_value *taken,
                                    bool begins, const struct clopt_registry *registry,
                                    struct clopt_error *error)
{
    bool macro = !taken->optimization.length;
    CLOPT_TRY(begins && !macro ? add_step(trial, taken->optimization, registry, error) : CLOPT_OK);
    CLOPT_FREED char *name = copy_piece(taken->name), *value = copy_piece(taken->value);
    return macro ? set_parameter(trial, name, value, error)
                 : set_value(&trial->steps[trial->step_count - 1], name, value, error);
}

/* Gives the steps that have none the kernel that their name ends with. Without an app the trial's
 * kernel is the only one that is known: the steps of others are left out. */
static enum clopt_status end_part(struct clopt_trial *trial, struct clopt_piece name,
                                  struct clopt_error *error)
{
    const struct clopt_kernel *kernel = trial->app ? trial->app->extension->app->kernels : NULL;
    size_t first = 0;
    while (first < trial->step_count && trial->steps[first].kernel)
        first++;
    while (kernel && kernel->name && !clopt_piece_is(name, kernel->name))
        kernel++;
    if (trial->app && !kernel->name)
        return clopt_fail(error, CLOPT_INVALID, "%s has no kernel %.*s",
                          trial->app->extension->name, (int)name.length, name.text);
    if (!trial->app && clopt_piece_is(name, trial->kernel->name))
        kernel = trial->kernel;
    for (size_t i = first; i < trial->step_count && kernel; i++)
        trial->steps[i].kernel = kernel;
    while (!kernel && trial->step_count > first)
        clopt_values_destroy(trial->steps[--trial->step_count].values);
    return CLOPT_OK;
}

static enum clopt_status parse_name(struct clopt_trial *trial, const char *name,
                                    const struct clopt_registry *registry,
                                    struct clopt_error *error)
{
    struct clopt_name_value value = clopt_name_begin(name);
    const char *part = NULL; /* the steps after those whose kernel was named; NULL: none was */
    for (bool more = true; more;) {
        const char *step = value.step.text;
        more = clopt_name_next(&value);
        if (value.kernel.length) {
            CLOPT_TRY(end_part(trial, value.kernel, error));
            part = value.step.text != step ? value.step.text : value.rest;
        }
        if (more)
            CLOPT_TRY(take_value(trial, &value, value.step.text != step, registry, error));
    }
    const char *wrong = part ? part : value.rest;
    if (part ? *part != '\0' : value.expected != NULL)
        return clopt_fail(error, CLOPT_INVALID,
                          *wrong ? "expected %s at \"%s\"" : "expected %s at its end",
                          part ? "STEPS in KERNEL" : value.expected, wrong);
    if (part && !trial->step_count)
        return clopt_fail(error, CLOPT_INVALID, "has no steps in %s", trial->kernel->name);
    if (part)
        trial->kernel = trial->steps[0].kernel;
    return CLOPT_OK;
}

enum clopt_status clopt_trial_parse_name(struct clopt_trial *trial, const char *name,
                                         const struct clopt_registry *registry,
                                         struct clopt_error *error)
{
    clopt_trial_clear(trial);
    if (strcmp(name, CLOPT_INITIAL_CODE) == 0 || !parse_name(trial, name, registry, error))
        return CLOPT_OK;
    clopt_trial_clear(trial);
    return clopt_fail_within(error, "variant %s", name);
}
