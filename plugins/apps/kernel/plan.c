/* SPDX-License-Identifier: BSD-3-Clause */
/* All launches of a run, evaluated once. */
#include "plan.h"

/* ---- walking ---- */

/* Evaluates how often something is repeated. */
static int64_t count_repetitions(struct kernel_scope *scope,
                                 const struct kernel_expressions *repeat)
{
    return repeat->count ? kernel_evaluate_integer(scope, repeat, 0, 0) : 1;
}

void kernel_walk(const struct kernel_definition *definition, struct kernel_scope *scope,
                 kernel_visit visit, void *user)
{
    const struct clopt_error *error = scope->error;
    size_t launches = 0;
    int64_t count = count_repetitions(scope, &definition->repeat);
    if (count > KERNEL_MOST_LAUNCHES)
        kernel_fail(&definition->repeat.position, scope->error, "%" PRId64 " is more than %d",
                    count, KERNEL_MOST_LAUNCHES);
    for (int64_t i = 0; i < count && !error->status; i++)
        for (size_t s = 0; s < definition->step_count && !error->status; s++) {
            const struct kernel_step *step = kernel_step_of(definition, scope->problem, s);
            kernel_scope_move(scope, i, 0);
            int64_t times = count_repetitions(scope, &step->repeat);
            for (int64_t j = 0; j < times && !error->status; j++) {
                kernel_scope_move(scope, i, j);
                if (launches++ == KERNEL_MOST_LAUNCHES)
                    kernel_fail(&step->position, scope->error, "more than %d launches in a run",
                                KERNEL_MOST_LAUNCHES);
                if (!step->when.count || kernel_evaluate(scope, &step->when, 0).real != 0)
                    visit(user, scope, step);
            }
        }
}

/* ---- planning ---- */

/* Evaluates one argument. Until the plan is complete, the value of a scalar is an offset. */
static void plan_argument(struct kernel_plan *plan, struct kernel_scope *scope,
                          const struct kernel_argument *argument)
{
    static const enum clopt_argument_kind kinds[] = {[KERNEL_SCALAR] = CLOPT_ARGUMENT_VALUE,
                                                     [KERNEL_BUFFER] = CLOPT_ARGUMENT_BUFFER,
                                                     [KERNEL_LOCAL] = CLOPT_ARGUMENT_LOCAL,
                                                     [KERNEL_SAMPLER] = CLOPT_ARGUMENT_SAMPLER,
                                                     [KERNEL_NULL] = CLOPT_ARGUMENT_VALUE};
    struct clopt_argument *planned =
        clopt_array_add(&plan->arguments, &plan->argument_count, sizeof *planned);
    unsigned char value[KERNEL_MOST_VALUE_BYTES] = {0};
    *planned = (struct clopt_argument){.kind = kinds[argument->kind], .buffer = argument->number};
    if (argument->kind == KERNEL_SAMPLER)
        planned->value = &argument->sampler;
    if (argument->kind == KERNEL_LOCAL)
        planned->bytes = kernel_argument_bytes(argument, scope);
    if (argument->kind == KERNEL_NULL)
        planned->bytes = sizeof(void *); /* a null handle, as OpenCL has it */
    if (argument->kind == KERNEL_SCALAR)
        planned->bytes = kernel_argument_evaluate(argument, scope, value);
    for (size_t at = 0; planned->kind == CLOPT_ARGUMENT_VALUE && at < planned->bytes; at += 8)
        memcpy(clopt_array_add(&plan->values, &plan->value_count, 8), value + at, 8);
}

static void plan_launch(void *user, struct kernel_scope *scope, const struct kernel_step *step)
{
    struct kernel_plan *plan = user;
    struct kernel_launch *launch =
        clopt_array_add(&plan->launches, &plan->launch_count, sizeof *launch);
    *launch = (struct kernel_launch){.kernel = step->kernel,
                                     .repetition = scope->i,
                                     .ndrange = kernel_step_ndrange(step, scope),
                                     .first_argument = plan->argument_count,
                                     .argument_count = step->argument_count};
    for (size_t i = 0; i < step->argument_count && !scope->error->status; i++) {
        const struct kernel_step_argument *argument = &step->arguments[i];
        plan_argument(plan, scope, argument->shared ? argument->shared : &argument->own);
    }
}

/* Points the values of arguments to where they are; a plan that failed goes away. */
static void settle(struct kernel_plan *plan, const struct clopt_error *error)
{
    const uint64_t *value = plan->values;
    if (error->status)
        kernel_plan_fini(plan);
    for (size_t i = 0; i < plan->argument_count; i++) {
        struct clopt_argument *argument = &plan->arguments[i];
        if (argument->kind != CLOPT_ARGUMENT_VALUE)
            continue;
        argument->value = value;
        value += (argument->bytes + 7) / 8;
    }
}

/* Writes the parameters as a text, for the caller to free. */
static char *print_parameters(const struct kernel_names *names, const struct clopt_problem *problem)
{
    struct clopt_text text = {0};
    for (size_t i = 0; i <= names->parameter_count; i++) {
        const char *name = i ? names->parameters[i - 1] : CLOPT_ALTERNATIVE;
        const char *value =
            problem->parameters ? clopt_values_text(problem->parameters, name) : NULL;
        clopt_text_printf(&text, "%s\n", value ? value : "");
    }
    return clopt_text_take(&text);
}

void kernel_plan_provide(const struct kernel_definition *definition, struct kernel_scope *scope,
                         struct kernel_plan *plan)
{
    char *parameters = print_parameters(&definition->names, scope->problem);
    if (plan->parameters && strcmp(plan->parameters, parameters) == 0) {
        free(parameters);
        return;
    }
    kernel_plan_fini(plan);
    plan->parameters = parameters;
    kernel_walk(definition, scope, plan_launch, plan);
    settle(plan, scope->error);
}

void kernel_plan_single(const struct kernel_step *step, struct kernel_scope *scope,
                        struct kernel_plan *plan)
{
    *plan = (struct kernel_plan){0};
    plan_launch(plan, scope, step);
    settle(plan, scope->error);
}

void kernel_plan_fini(struct kernel_plan *plan)
{
    free(plan->launches);
    free(plan->arguments);
    free(plan->values);
    free(plan->parameters);
    *plan = (struct kernel_plan){0};
}
