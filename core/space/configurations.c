/* SPDX-License-Identifier: BSD-3-Clause */
/* Combinations of parameter values, by number: a product of components. */
#include "space/configurations.h"

#include <clopt/memory.h>

struct clopt_configurations {
    struct clopt_component **components; /* by their first parameter; the last changes fastest */
    size_t count;
};

/* What constraints are about, found once. */
struct search {
    const struct clopt_configured *configured;
    struct clopt_bound_constraint *constraints;
    size_t constraint_count;
    size_t group[CLOPT_MOST_PARAMETERS]; /* the first parameter of a parameter's component */
};

/* Gives each variable of a constraint its parameter, or its value. */
static enum clopt_status bind(const struct clopt_configured *configured,
                              const struct clopt_constraint *constraint,
                              struct clopt_bound_constraint *bound, struct clopt_error *error)
{
    const struct clopt_expression *expression = constraint->expression;
    size_t count = expression->variable_count;
    *bound = (struct clopt_bound_constraint){.expression = expression, .name = constraint->name};
    bound->variables = clopt_calloc(count + 1, sizeof *bound->variables);
    for (size_t i = 0; i < count; i++) {
        const char *name = expression->variables[i];
        struct clopt_bound_variable *variable = &bound->variables[i];
        size_t domain = 0;
        while (domain < configured->count && strcmp(configured->domains[domain].name, name) != 0)
            domain++;
        variable->is_parameter = domain < configured->count;
        variable->parameter = domain;
        enum clopt_status status = CLOPT_OK;
        if (variable->is_parameter && !configured->domains[domain].values)
            status = clopt_expression_refuse(expression, i, error, "%s is not a number", name);
        else if (!variable->is_parameter &&
                 !(configured->lookup &&
                   configured->lookup(configured->user, i, name, &variable->number)))
            status = clopt_expression_refuse(expression, i, error, "%s has no value", name);
        if (status)
            return clopt_fail_within(error, "%s", constraint->name);
        if (variable->is_parameter)
            bound->parameters |= UINT64_C(1) << domain;
    }
    return CLOPT_OK;
}

/* Puts the parameters of each constraint into one group. */
static void join_groups(struct search *search)
{
    for (size_t i = 0; i < search->configured->count; i++)
        search->group[i] = i;
    for (size_t c = 0; c < search->constraint_count; c++) {
        uint64_t parameters = search->constraints[c].parameters;
        size_t least = search->configured->count;
        for (size_t i = 0; i < search->configured->count; i++)
            if (parameters >> i & 1 && search->group[i] < least)
                least = search->group[i];
        for (size_t i = 0; i < search->configured->count; i++) {
            size_t group = search->group[i];
            if (!(parameters >> i & 1) || group == least)
                continue;
            for (size_t j = 0; j < search->configured->count; j++)
                if (search->group[j] == group)
                    search->group[j] = least;
        }
    }
}

/* Returns the parameters of the component whose first one is `first`. */
static uint64_t members_of(const struct search *search, size_t first)
{
    uint64_t members = 0;
    for (size_t i = first; i < search->configured->count; i++)
        if (search->group[i] == first)
            members |= UINT64_C(1) << i;
    return members;
}

/* Constraints without parameters hold or fail as a whole: they make a component of their own. */
static enum clopt_status make_components(const struct search *search, uint64_t *budget,
                                         struct clopt_configurations *made,
                                         struct clopt_error *error)
{
    const struct clopt_component_parts parts = {search->configured->domains, search->constraints,
                                                search->constraint_count, budget};
    made->components = clopt_calloc(search->configured->count + 1, sizeof *made->components);
    CLOPT_TRY(clopt_component_create(&parts, 0, &made->components[made->count++], error));
    for (size_t i = 0; i < search->configured->count; i++)
        if (search->group[i] == i)
            CLOPT_TRY(clopt_component_create(&parts, members_of(search, i),
                                             &made->components[made->count++], error));
    return CLOPT_OK;
}

enum clopt_status clopt_configurations_create(const struct clopt_configured *configured,
                                              uint64_t *budget,
                                              struct clopt_configurations **configurations,
                                              struct clopt_error *error)
{
    struct search search = {.configured = configured};
    struct clopt_configurations *made = clopt_calloc(1, sizeof *made);
    search.constraints = clopt_calloc(configured->constraint_count + 1, sizeof *search.constraints);
    enum clopt_status status = CLOPT_OK;
    *configurations = made;
    for (size_t i = 0; i < configured->constraint_count && status == CLOPT_OK; i++)
        status = bind(configured, configured->constraints[i],
                      &search.constraints[search.constraint_count++], error);
    if (status == CLOPT_OK) {
        join_groups(&search);
        status = make_components(&search, budget, made, error);
    }
    for (size_t i = 0; i < search.constraint_count; i++)
        free(search.constraints[i].variables);
    free(search.constraints);
    return status;
}

void clopt_configurations_destroy(struct clopt_configurations *configurations)
{
    if (!configurations)
        return;
    for (size_t i = 0; i < configurations->count; i++)
        clopt_component_destroy(configurations->components[i]);
    free(configurations->components);
    free(configurations);
}

uint64_t clopt_configurations_count(const struct clopt_configurations *configurations)
{
    uint64_t count = 1;
    for (size_t i = 0; i < configurations->count; i++)
        count = clopt_count_multiply(count, clopt_component_count(configurations->components[i]));
    return count;
}

void clopt_configurations_get(const struct clopt_configurations *configurations, uint64_t index,
                              size_t *choice)
{
    for (size_t i = configurations->count; i-- > 0;) {
        const struct clopt_component *component = configurations->components[i];
        uint64_t count = clopt_component_count(component);
        clopt_component_get(component, index % count, choice);
        index /= count;
    }
}

uint64_t clopt_configurations_find(const struct clopt_configurations *configurations,
                                   const size_t *choice)
{
    uint64_t index = 0;
    for (size_t i = 0; i < configurations->count; i++) {
        const struct clopt_component *component = configurations->components[i];
        uint64_t own = clopt_component_find(component, choice);
        if (own == UINT64_MAX)
            return UINT64_MAX;
        index = index * clopt_component_count(component) + own;
    }
    return index;
}
