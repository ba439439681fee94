/* SPDX-License-Identifier: BSD-3-Clause */
/* All launches of a run, evaluated once. */
#include "plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- walking ---- */

struct walk {
    struct kernel_scope scope;
    kernel_visit visit;
    void *user;
    size_t launches;
};

/* Evaluates how often something is repeated. */
static enum clopt_status count_repetitions(struct kernel_scope *scope,
                                           const struct kernel_expressions *repeat, int64_t *count,
                                           struct clopt_error *error)
{
    *count = 1;
    return repeat->count ? kernel_evaluate_integer(scope, repeat, 0, 0, count, error) : CLOPT_OK;
}

static enum clopt_status visit_launch(struct walk *walk, const struct kernel_step *step,
                                      struct clopt_error *error)
{
    double when;
    if (walk->launches++ == KERNEL_MOST_LAUNCHES)
        return kernel_fail(&step->place, error, "more than %d launches in a run",
                           KERNEL_MOST_LAUNCHES);
    enum clopt_status status = CLOPT_OK;
    if (step->when.count) {
        struct clopt_number value;
        status = kernel_evaluate(&walk->scope, &step->when, 0, &value, error);
        when = value.real;
    } else {
        when = 1;
    }
    return status || when == 0 ? status : walk->visit(walk->user, &walk->scope, step, error);
}

static enum clopt_status walk_step(struct walk *walk, const struct kernel_step *step, int64_t i,
                                   struct clopt_error *error)
{
    int64_t count;
    kernel_scope_move(&walk->scope, i, 0);
    enum clopt_status status = count_repetitions(&walk->scope, &step->repeat, &count, error);
    for (int64_t j = 0; j < count && !status; j++) {
        if (j > 0)
            kernel_scope_move(&walk->scope, i, j);
        status = visit_launch(walk, step, error);
    }
    return status;
}

enum clopt_status kernel_walk(const struct kernel_definition *definition,
                              const struct clopt_problem *problem, kernel_visit visit, void *user,
                              struct clopt_error *error)
{
    struct walk walk = {.visit = visit, .user = user};
    int64_t count;
    kernel_scope_init(&walk.scope, &definition->names, problem);
    enum clopt_status status = count_repetitions(&walk.scope, &definition->repeat, &count, error);
    if (!status && count > KERNEL_MOST_LAUNCHES)
        status = kernel_fail(&definition->repeat.place, error, "%" PRId64 " is more than %d", count,
                             KERNEL_MOST_LAUNCHES);
    for (int64_t i = 0; i < count && !status; i++)
        for (size_t s = 0; s < definition->step_count && !status; s++)
            status = walk_step(&walk, &definition->steps[s], i, error);
    return status;
}

/* ---- planning ---- */

/* A plan while it grows. */
struct planner {
    struct kernel_plan *plan;
    size_t launch_capacity;
    size_t argument_capacity;
    size_t value_capacity;
};

/* Sees to it that an array has room for so many items more; false when memory runs out. */
static bool make_room(void *array, size_t *capacity, size_t count, size_t more, size_t bytes)
{
    void **items = array;
    if (count + more <= *capacity)
        return true;
    size_t wanted = 2 * (count + more);
    void *grown = realloc(*items, wanted * bytes);
    if (!grown)
        return false;
    *items = grown;
    *capacity = wanted;
    return true;
}

/* Evaluates one argument. Until the plan is complete, the value of a scalar is an offset. */
static enum clopt_status plan_argument(struct planner *planner, struct kernel_scope *scope,
                                       const struct kernel_argument *argument,
                                       struct clopt_error *error)
{
    struct kernel_plan *plan = planner->plan;
    struct clopt_argument *planned = &plan->arguments[plan->argument_count++];
    unsigned char value[KERNEL_MOST_VALUE_BYTES];
    size_t count;
    enum clopt_status status = CLOPT_OK;
    *planned = (struct clopt_argument){.kind = CLOPT_ARGUMENT_BUFFER, .buffer = argument->number};
    if (argument->kind == KERNEL_SAMPLER) {
        planned->kind = CLOPT_ARGUMENT_SAMPLER;
        planned->value = &argument->sampler;
    } else if (argument->kind == KERNEL_LOCAL) {
        planned->kind = CLOPT_ARGUMENT_LOCAL;
        status = kernel_argument_size(argument, scope, &count, &planned->bytes, error);
    } else if (argument->kind == KERNEL_SCALAR) {
        planned->kind = CLOPT_ARGUMENT_VALUE;
        status = kernel_argument_evaluate(argument, scope, value, &planned->bytes, error);
        if (status)
            return status;
        if (!make_room(&plan->values, &planner->value_capacity, plan->value_bytes, planned->bytes,
                       1))
            return clopt_fail_memory(error);
        memcpy(plan->values + plan->value_bytes, value, planned->bytes);
        plan->value_bytes += planned->bytes;
    }
    return status;
}

static enum clopt_status plan_launch(void *user, struct kernel_scope *scope,
                                     const struct kernel_step *step, struct clopt_error *error)
{
    struct planner *planner = user;
    struct kernel_plan *plan = planner->plan;
    if (!make_room(&plan->launches, &planner->launch_capacity, plan->launch_count, 1,
                   sizeof *plan->launches) ||
        !make_room(&plan->arguments, &planner->argument_capacity, plan->argument_count,
                   step->argument_count, sizeof *plan->arguments))
        return clopt_fail_memory(error);
    struct kernel_launch *launch = &plan->launches[plan->launch_count++];
    *launch = (struct kernel_launch){.kernel = step->kernel,
                                     .repetition = scope->i,
                                     .first_argument = plan->argument_count,
                                     .argument_count = step->argument_count};
    enum clopt_status status = kernel_step_ndrange(step, scope, &launch->ndrange, error);
    for (size_t i = 0; i < step->argument_count && !status; i++) {
        const struct kernel_step_argument *argument = &step->arguments[i];
        status = plan_argument(planner, scope, argument->shared ? argument->shared : &argument->own,
                               error);
    }
    return status;
}

/* Points the values of scalars to where they are. */
static void settle_values(struct kernel_plan *plan)
{
    size_t offset = 0;
    for (size_t i = 0; i < plan->argument_count; i++) {
        struct clopt_argument *argument = &plan->arguments[i];
        if (argument->kind != CLOPT_ARGUMENT_VALUE)
            continue;
        argument->value = plan->values + offset;
        offset += argument->bytes;
    }
}

/* Writes the parameters as a text, for the caller to free; NULL when memory runs out. */
static char *print_parameters(const struct kernel_names *names, const struct clopt_problem *problem)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return NULL;
    for (size_t i = 0; i < names->parameter_count; i++) {
        const char *value = problem->parameters
                                ? clopt_values_text(problem->parameters, names->parameters[i])
                                : NULL;
        fprintf(stream, "%s\n", value ? value : "");
    }
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

enum clopt_status kernel_plan_provide(const struct kernel_definition *definition,
                                      const struct clopt_problem *problem, struct kernel_plan *plan,
                                      struct clopt_error *error)
{
    char *parameters = print_parameters(&definition->names, problem);
    if (!parameters)
        return clopt_fail_memory(error);
    if (plan->parameters && strcmp(plan->parameters, parameters) == 0) {
        free(parameters);
        return CLOPT_OK;
    }
    kernel_plan_fini(plan);
    struct planner planner = {.plan = plan};
    enum clopt_status status = kernel_walk(definition, problem, plan_launch, &planner, error);
    if (status) {
        kernel_plan_fini(plan);
        free(parameters);
        return status;
    }
    settle_values(plan);
    plan->parameters = parameters;
    return CLOPT_OK;
}

enum clopt_status kernel_plan_single(const struct kernel_definition *definition,
                                     const struct kernel_step *step,
                                     const struct clopt_problem *problem, struct kernel_plan *plan,
                                     struct clopt_error *error)
{
    struct kernel_scope scope;
    *plan = (struct kernel_plan){0};
    struct planner planner = {.plan = plan};
    kernel_scope_init(&scope, &definition->names, problem);
    enum clopt_status status = plan_launch(&planner, &scope, step, error);
    if (status)
        kernel_plan_fini(plan);
    else
        settle_values(plan);
    return status;
}

void kernel_plan_fini(struct kernel_plan *plan)
{
    free(plan->launches);
    free(plan->arguments);
    free(plan->values);
    free(plan->parameters);
    *plan = (struct kernel_plan){0};
}
