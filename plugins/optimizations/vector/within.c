/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the turns of a loop the lanes of vectors.
 *
 * Lanes execute statement by statement together, so none of the turns that become one may touch
 * what another one of them writes. Each lane accumulates results of its own; they are put together
 * behind the loop. What is left of the turns is done one by one. */
#include "within.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <clopt/loop.h>

#include "code.h"
#include "turns.h"

struct within {
    struct clopt_rewriting *rewriting;
    const struct within_request *request;
};

enum clopt_status within_check(const struct within_request *request, struct clopt_error *error)
{
    enum clopt_status status = clopt_loops_check(request->loops, error);
    if (status || request->width > 1)
        return status;
    if (strcmp(request->loops, "innermost") != 0)
        return clopt_fail(error, CLOPT_INFEASIBLE, "loops = %s means nothing with within = 1",
                          request->loops);
    return request->reassociate ? clopt_fail(error, CLOPT_INFEASIBLE,
                                             "reassociate = yes means nothing with within = 1")
                                : CLOPT_OK;
}

/* ---- names ---- */

static bool choose_names(struct code *code, const struct clopt_node *loop)
{
    for (size_t i = 0; i < clopt_source_variable_count(code->source); i++) {
        const struct clopt_variable *variable = clopt_source_variable(code->source, i);
        enum form form = code->plan->forms[i];
        bool inside = variable->declarator && clopt_node_contains(loop->body, variable->declarator);
        bool outside = form == FORM_VECTOR && !inside;
        unsigned first = outside ? 0 : 1;
        unsigned last = form == FORM_SCALARS && inside ? code->width : outside ? 1 : 0;
        for (unsigned lane = first; lane < last; lane++) {
            const char *name =
                clopt_source_fresh(code->source, variable->name, outside ? code->width : lane);
            if (!name)
                return false;
            code->names[i * code->width + lane] = name;
        }
    }
    return true;
}

/* ---- results ---- */

static bool is_call(const char *operator)
{
    return operator[0] == 'm';
}

/* What a lane's result starts with. */
static void put_start(struct code *code, const struct clopt_variable *variable,
                      const char *operator)
{
    code_put(code, "(");
    code_put_type(code, variable->scalar);
    code_put(code, ")(");
    if (is_call(operator))
        code_put(code, variable->name);
    else
        code_put(code, *operator== '*' ? "1" : * operator== '&' ? "-1" : "0");
    code_put(code, ")");
}

static bool is_outside_vector(const struct code *code, const struct clopt_node *loop,
                              const struct clopt_variable *variable)
{
    return code->plan->forms[variable->index] == FORM_VECTOR &&
           !(variable->declarator && clopt_node_contains(loop->body, variable->declarator));
}

/* Puts the vectors that stand for variables from outside the loop. */
static void put_vectors(struct code *code, const struct turns_facts *facts)
{
    for (size_t i = 0; i < clopt_source_variable_count(code->source); i++) {
        const struct clopt_variable *variable = clopt_source_variable(code->source, i);
        if (!is_outside_vector(code, facts->loop, variable))
            continue;
        code_put_type(code, variable->scalar);
        code_printf(code, " %s", code->names[i * code->width]);
        if (facts->operators[i]) {
            code_put(code, " = ");
            put_start(code, variable, facts->operators[i]);
        }
        code_put(code, ";\n");
    }
}

static void put_results(struct code *code, const struct turns_facts *facts)
{
    for (size_t i = 0; i < clopt_source_variable_count(code->source); i++) {
        const char *operator= facts->operators[i];
        const char *name = clopt_source_variable(code->source, i)->name;
        const char *vector = code->names[i * code->width];
        if (!operator)
            continue;
        for (unsigned lane = 0; is_call(operator) && lane < code->width; lane++)
            code_printf(code, "\n%s = %s(%s, %s.s%x);", name, operator, name, vector, lane);
        if (is_call(operator))
            continue;
        code_printf(code, "\n%s %s= ", name, operator);
        for (unsigned lane = 0; lane < code->width; lane++) {
            if (lane)
                code_printf(code, " %s ", operator);
            code_printf(code, "%s.s%x", vector, lane);
        }
        code_put(code, ";");
    }
}

/* ---- the loop ---- */

static bool has_rest(const struct turns_facts *facts, unsigned width)
{
    return !facts->trip.count_known || facts->trip.count % width != 0;
}

static void put_head(struct code *code, const struct turns_facts *facts, bool apart)
{
    const struct clopt_trip *trip = &facts->trip;
    const struct clopt_node *loop = facts->loop;
    int64_t step = trip->step < 0 ? -trip->step : trip->step;
    code_put(code, "for (");
    if (!trip->declared)
        code_copy(code, loop->init->begin, loop->init->end);
    else if (!apart)
        code_copy(code, loop->init->begin, loop->init->stop);
    code_put(code, trip->declared && !apart ? " " : "; ");
    if (trip->count_known && !has_rest(facts, code->width))
        code_copy(code, loop->condition->begin, loop->condition->end);
    else if (trip->count_known)
        code_printf(code, "%s %c %" PRId64, trip->counter->name, trip->step < 0 ? '>' : '<',
                    trip->first_value + (trip->count - trip->count % code->width) * trip->step);
    else
        clopt_trip_put_condition(&facts->printer, code->output, loop, trip, code->width);
    code_printf(code, "; %s %c= %" PRId64 ") ", trip->counter->name, trip->step < 0 ? '-' : '+',
                step * code->width);
}

static void put_body(struct code *code, const struct clopt_node *body)
{
    bool bare = body->kind != CLOPT_NODE_COMPOUND;
    code_put(code, bare ? "{\n" : "");
    code_put_statement(code, body);
    code_put(code, bare ? "\n}" : "");
}

/* Puts the turns that are left, one by one. */
static void put_rest(struct code *code, const struct turns_facts *facts)
{
    const struct clopt_node *loop = facts->loop;
    code_put(code, "\nfor (; ");
    code_copy(code, loop->condition->begin, loop->condition->end);
    code_put(code, "; ");
    code_copy(code, loop->step->begin, loop->step->end);
    code_put(code, ") ");
    code_copy(code, loop->body->begin, loop->body->stop);
}

static bool needs_declarations(const struct code *code, const struct clopt_node *loop)
{
    for (unsigned type = 0; type < CODE_SCALARS; type++)
        if (code->numbers[type])
            return true;
    for (size_t i = 0; i < clopt_source_variable_count(code->source); i++)
        if (is_outside_vector(code, loop, clopt_source_variable(code->source, i)))
            return true;
    return false;
}

/* Puts everything around a body that was put before. */
static void put_loop(struct code *code, const struct turns_facts *facts,
                     const struct clopt_output *body, const struct clopt_node *statement)
{
    bool rest = has_rest(facts, code->width);
    bool apart = rest && facts->trip.declared;
    bool braces =
        apart || needs_declarations(code, facts->loop) || clopt_rewriting_needs_braces(statement);
    code_put(code, braces ? "{" : "");
    code_put_numbers(code, code->output);
    code_put(code, braces ? "\n" : "");
    if (apart) {
        code_copy(code, facts->loop->init->begin, facts->loop->init->stop);
        code_put(code, "\n");
    }
    put_vectors(code, facts);
    put_head(code, facts, apart);
    clopt_output_append(code->output, body);
    put_results(code, facts);
    if (rest)
        put_rest(code, facts);
    code_put(code, braces ? "\n}" : "");
}

/* Prints the body as vector code, and then the loop, if that gains something. */
static enum clopt_status put_turns(struct within *within, const struct turns_facts *facts,
                                   struct code *code, const struct clopt_node *statement,
                                   struct clopt_error *error)
{
    struct clopt_output *outer = within->rewriting->output;
    if (!code->output || !code->names || !choose_names(code, facts->loop))
        return clopt_fail_memory(error);
    put_body(code, facts->loop->body);
    struct clopt_output *output = code->output;
    bool complete = clopt_output_text(output) != NULL;
    code->output = outer;
    if (complete && !code->failed && code->gains)
        put_loop(code, facts, output, statement);
    code->output = output;
    if (!complete || code->failed)
        return clopt_fail_memory(error);
    if (code->gains)
        return CLOPT_OK;
    return clopt_source_refuse(code->source, code->obstacle ? code->obstacle : facts->loop, error,
                               "nothing becomes vector code: %s",
                               code->obstacle ? code->reason : "nothing differs between the turns");
}

static enum clopt_status rewrite(struct within *within, const struct turns_facts *facts,
                                 const struct clopt_divergence *divergence,
                                 const struct clopt_node *statement, struct clopt_error *error)
{
    struct clopt_source *source = within->rewriting->source;
    struct plan plan = {0};
    enum clopt_status status = plan_init(&plan, source, divergence, &facts->turns, error);
    struct code code = {.width = within->request->width,
                        .source = source,
                        .divergence = divergence,
                        .plan = &plan,
                        .output = clopt_output_create()};
    code.names = calloc(clopt_source_variable_count(source) * code.width + 1, sizeof *code.names);
    code_init_printer(&code);
    if (!status)
        status = turns_check_forms(facts, &plan, error);
    if (!status)
        status = put_turns(within, facts, &code, statement, error);
    clopt_output_destroy(code.output);
    free(code.names);
    plan_fini(&plan);
    return status;
}

static enum clopt_status put_vectorized(struct within *within, const struct clopt_node *loop,
                                        const struct clopt_node *statement,
                                        struct clopt_error *error)
{
    struct clopt_source *source = within->rewriting->source;
    struct turns_facts facts;
    struct clopt_divergence *divergence = NULL;
    enum clopt_status status = turns_find(&facts, source, loop, within->request->width,
                                          within->request->reassociate, error);
    struct clopt_identity identity = {.inside = true, .loop = loop, .varying = facts.varying};
    if (!status)
        status = clopt_divergence_create(source, identity, &divergence, error);
    if (!status)
        status = rewrite(within, &facts, divergence, statement, error);
    clopt_divergence_destroy(divergence);
    turns_fini(&facts);
    return status;
}

static bool replace(void *user, struct clopt_output *output, const struct clopt_node *node)
{
    struct within *within = user;
    struct clopt_rewriting *rewriting = within->rewriting;
    const struct clopt_node *loop = node->kind == CLOPT_NODE_ATTRIBUTED ? node->body : node;
    (void)output;
    if (rewriting->status)
        return true;
    if (!clopt_node_is_loop(loop) || rewriting->factors[loop->index] < 0)
        return false;
    rewriting->factors[loop->index] = -1; /* once is enough */
    struct clopt_error error = {0};
    enum clopt_status status = put_vectorized(within, loop, node, &error);
    return clopt_rewriting_decide(rewriting, status, &error) || rewriting->status;
}

enum clopt_status within_apply(struct clopt_transform *transform,
                               const struct within_request *request, struct clopt_error *error)
{
    struct clopt_rewriting rewriting;
    struct within within = {&rewriting, request};
    enum clopt_status status =
        clopt_rewriting_init(&rewriting, transform, request->loops, 1, error);
    if (!status) {
        rewriting.printer.user = &within;
        rewriting.printer.replace = replace;
        status = clopt_rewriting_finish(&rewriting, transform);
    }
    clopt_rewriting_fini(&rewriting);
    return status;
}
