/* SPDX-License-Identifier: BSD-3-Clause */
/* What an app does with its results: learns, checks, summarizes and writes them. */
#include "result.h"

#include <math.h>
#include <stdlib.h>

#include "array.h"
#include "compare.h"
#include "program.h"

/* Reads a result back; for the caller to free. */
static enum clopt_status read_result(const struct kernel_state *state,
                                     const struct kernel_argument *argument,
                                     const struct clopt_problem *problem,
                                     struct clopt_session *session, void **data, size_t *count,
                                     size_t *bytes)
{
    struct clopt_error *error = clopt_session_error(session);
    struct kernel_scope scope;
    kernel_scope_init(&scope, &state->definition->names, problem);
    *data = NULL;
    enum clopt_status status = kernel_argument_size(argument, &scope, count, bytes, error);
    if (!status && !(*data = malloc(*bytes)))
        status = clopt_fail_memory(error);
    if (!status)
        status = clopt_read(session, argument->number, 0, *bytes, *data);
    if (status) {
        free(*data);
        *data = NULL;
    }
    return status;
}

enum clopt_status kernel_result_learn(void *user, const struct clopt_problem *problem,
                                      struct clopt_session *session)
{
    struct kernel_state *state = user;
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < state->definition->argument_count && !status; i++) {
        const struct kernel_argument *argument = &state->definition->arguments[i];
        struct kernel_datum *datum = &state->data[i];
        size_t count;
        if (!kernel_argument_is_expected(argument))
            continue;
        free(datum->expected);
        status = read_result(state, argument, problem, session, &datum->expected, &count,
                             &datum->expected_bytes);
        if (!status)
            status = kernel_compare_refuse_nan(argument, kernel_datum_expected(argument, datum),
                                               clopt_session_error(session));
    }
    state->approximate = problem->is_approximate;
    return status;
}

/* Compares one result. */
static enum clopt_status check_result(const struct kernel_state *state, size_t index,
                                      const struct clopt_problem *problem,
                                      struct clopt_session *session, struct clopt_verdict *verdict)
{
    const struct kernel_argument *argument = &state->definition->arguments[index];
    const struct kernel_datum *datum = &state->data[index];
    void *actual;
    size_t count;
    size_t bytes;
    enum clopt_status status =
        read_result(state, argument, problem, session, &actual, &count, &bytes);
    if (status)
        return status;
    struct kernel_values found = {actual, count};
    struct kernel_values expected = kernel_datum_expected(argument, datum);
    struct clopt_error *error = clopt_session_error(session);
    bool approximate = state->approximate || problem->is_approximate;
    if (argument->tolerance.program)
        status = kernel_program_compare(state->definition, argument, problem, found, expected,
                                        verdict, error);
    else
        status = kernel_compare(argument, approximate, found, expected, verdict, error);
    free(actual);
    return status;
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
    *verdict = (struct clopt_verdict){.error = -1};
    for (size_t i = 0; i < state->definition->argument_count; i++) {
        const struct kernel_argument *argument = &state->definition->arguments[i];
        struct clopt_verdict one = {0};
        if (!kernel_argument_is_result(argument) || argument->tolerance.how == KERNEL_IGNORED)
            continue;
        enum clopt_status status = check_result(state, i, problem, session, &one);
        if (status)
            return status;
        if (!one.right || ratio(&one) > ratio(verdict))
            *verdict = one;
        if (!one.right)
            break;
    }
    return CLOPT_OK;
}

/* Prints a line on a result: how many elements, and between what they are. */
static enum clopt_status summarize_result(const struct kernel_state *state,
                                          const struct kernel_argument *argument,
                                          const struct clopt_problem *problem,
                                          struct clopt_session *session, FILE *stream)
{
    char name[KERNEL_WORD];
    void *data;
    size_t count;
    size_t bytes;
    enum clopt_status status =
        read_result(state, argument, problem, session, &data, &count, &bytes);
    if (status)
        return status;
    kernel_type_name(&argument->type, name);
    fprintf(stream, "%s: %zu %s", argument->name, count, name);
    if (argument->type.kind == KERNEL_REAL && argument->type.width == 1) {
        double least = INFINITY;
        double most = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            double value = kernel_load_real(&argument->type,
                                            (const char *)data + i * argument->type.scalar_bytes);
            least = fmin(least, value);
            most = fmax(most, value);
        }
        fprintf(stream, " from %.6g to %.6g", least, most);
    }
    fputs("\n", stream);
    free(data);
    return CLOPT_OK;
}

enum clopt_status kernel_result_summarize(void *user, const struct clopt_problem *problem,
                                          struct clopt_session *session, FILE *stream)
{
    const struct kernel_state *state = user;
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < state->definition->argument_count && !status; i++)
        if (kernel_argument_is_result(&state->definition->arguments[i]))
            status =
                summarize_result(state, &state->definition->arguments[i], problem, session, stream);
    return status;
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
    struct clopt_error *error = clopt_session_error(session);
    struct kernel_scope scope;
    void *data;
    size_t count;
    size_t bytes;
    if (!argument)
        return clopt_fail(error, CLOPT_FAILED, "there is no result number %u", result);
    enum clopt_status status =
        read_result(state, argument, problem, session, &data, &count, &bytes);
    if (status)
        return status;
    kernel_scope_init(&scope, &state->definition->names, problem);
    status = kernel_array_write(argument, data, count, &scope, stream, error);
    free(data);
    return status;
}
