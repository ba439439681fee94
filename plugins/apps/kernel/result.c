/* SPDX-License-Identifier: BSD-3-Clause */
/* What an app does with its results: learns, checks, summarizes and writes them. */
#include "result.h"

#include <math.h>

#include "array.h"

/* Reads a result back, for the caller to free. What goes wrong is in the error of the scope. */
static struct kernel_values read_result(const struct kernel_argument *argument,
                                        struct kernel_scope *scope, struct clopt_session *session)
{
    size_t bytes = kernel_argument_bytes(argument, scope);
    if (scope->error->status)
        return (struct kernel_values){0};
    void *data = malloc(bytes);
    if (!data)
        clopt_fail_memory(scope->error);
    else if (clopt_read(session, argument->number, 0, bytes, data)) {
        free(data);
        data = NULL;
    }
    return (struct kernel_values){data, kernel_argument_count(argument, scope)};
}

static struct kernel_scope begin(const struct kernel_state *state,
                                 const struct clopt_problem *problem, struct clopt_session *session)
{
    return kernel_scope_begin(&state->definition->names, problem, clopt_session_error(session));
}

enum clopt_status kernel_result_learn(void *user, const struct clopt_problem *problem,
                                      struct clopt_session *session)
{
    struct kernel_state *state = user;
    struct kernel_scope scope = begin(state, problem, session);
    for (size_t i = 0; i < state->definition->argument_count && !scope.error->status; i++) {
        const struct kernel_argument *argument = &state->definition->arguments[i];
        struct kernel_datum *datum = &state->data[i];
        if (!kernel_argument_is_expected(argument))
            continue;
        free((void *)datum->expected.data);
        datum->expected = read_result(argument, &scope, session);
        kernel_compare_refuse_nan(argument, datum->expected, scope.error);
    }
    state->approximate = problem->is_approximate;
    return scope.error->status;
}

/* Compares one result. */
static void check_result(const struct kernel_state *state, size_t index, struct kernel_scope *scope,
                         struct clopt_session *session, struct clopt_verdict *verdict)
{
    const struct kernel_argument *argument = &state->definition->arguments[index];
    struct kernel_pair pair = {argument, read_result(argument, scope, session),
                               state->data[index].expected,
                               state->approximate || scope->problem->is_approximate};
    if (scope->error->status)
        return;
    if (argument->tolerance.program)
        kernel_program_compare(state->definition, &pair, scope, verdict);
    else
        kernel_compare(&pair, verdict, scope->error);
    free((void *)pair.actual.data);
}

/* An error as a multiple of what is allowed, to order results by that are compared otherwise. */
static double ratio(const struct clopt_verdict *verdict)
{
    return verdict->error > 0 ? verdict->error / verdict->bound : verdict->error;
}

/* All results must be right; the verdict is that of the first that is wrong, or of the worst. */
enum clopt_status kernel_result_check(void *user, const struct clopt_problem *problem,
                                      struct clopt_session *session, struct clopt_verdict *verdict)
{
    const struct kernel_state *state = user;
    struct kernel_scope scope = begin(state, problem, session);
    struct clopt_verdict one = {.right = true};
    *verdict = (struct clopt_verdict){.error = -1};
    for (size_t i = 0; i < state->definition->argument_count && one.right; i++) {
        const struct kernel_argument *argument = &state->definition->arguments[i];
        if (!kernel_argument_is_result(argument) || argument->tolerance.how == KERNEL_IGNORED)
            continue;
        check_result(state, i, &scope, session, &one);
        if (scope.error->status)
            break;
        if (!one.right || ratio(&one) > ratio(verdict))
            *verdict = one;
    }
    return scope.error->status;
}

/* Prints a line on a result: how many elements, and between what they are. */
static void summarize_result(const struct kernel_argument *argument, struct kernel_values values,
                             FILE *stream)
{
    const struct kernel_type *type = &argument->type;
    char name[KERNEL_WORD];
    double least = INFINITY, most = -INFINITY;
    bool is_real = type->kind == KERNEL_REAL && type->width == 1;
    kernel_type_name(type, name);
    fprintf(stream, "%s: %zu %s", argument->name, values.count, name);
    for (size_t i = 0; i < values.count && is_real; i++) {
        double value = kernel_load_real(type, (const char *)values.data + i * type->scalar_bytes);
        least = fmin(least, value);
        most = fmax(most, value);
    }
    if (is_real)
        fprintf(stream, " from %.6g to %.6g", least, most);
    fputs("\n", stream);
}

enum clopt_status kernel_result_summarize(void *user, const struct clopt_problem *problem,
                                          struct clopt_session *session, FILE *stream)
{
    const struct kernel_state *state = user;
    struct kernel_scope scope = begin(state, problem, session);
    for (size_t i = 0; i < state->definition->argument_count && !scope.error->status; i++) {
        const struct kernel_argument *argument = &state->definition->arguments[i];
        if (!kernel_argument_is_result(argument))
            continue;
        struct kernel_values values = read_result(argument, &scope, session);
        if (values.data)
            summarize_result(argument, values, stream);
        free((void *)values.data);
    }
    return scope.error->status;
}

/* Finds a result by its number in the table. */
static const struct kernel_argument *find_result(const struct kernel_definition *definition,
                                                 unsigned number)
{
    for (size_t i = 0; i < definition->argument_count; i++)
        if (kernel_argument_is_result(&definition->arguments[i]) && number-- == 0)
            return &definition->arguments[i];
    return NULL;
}

enum clopt_status kernel_result_write(void *user, const struct clopt_problem *problem,
                                      struct clopt_session *session, unsigned result, FILE *stream)
{
    const struct kernel_state *state = user;
    const struct kernel_argument *argument = find_result(state->definition, result);
    struct kernel_scope scope = begin(state, problem, session);
    if (!argument)
        return clopt_fail(scope.error, CLOPT_FAILED, "no result has the number %u", result);
    struct kernel_values values = read_result(argument, &scope, session);
    if (values.data)
        kernel_array_write(argument, values, &scope, stream);
    free((void *)values.data);
    return scope.error->status;
}
