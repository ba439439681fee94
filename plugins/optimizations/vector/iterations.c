/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out whether iterations of a loop may become lanes, and what they hold in common. */
#include "iterations.h"

/* ---- memory ---- */

static enum clopt_status check_accesses(const struct iteration_facts *facts,
                                        const struct clopt_accesses *accesses, unsigned width,
                                        struct clopt_error *error)
{
    struct clopt_nest nest = {1, {facts->loop, NULL}, {&facts->trip, NULL}};
    struct clopt_distance distance = {1, width - 1};
    for (size_t i = 0; i < accesses->count; i++)
        for (size_t j = 0; j < accesses->count; j++) {
            const struct clopt_access *a = &accesses->items[i];
            const struct clopt_access *b = &accesses->items[j];
            /* Lanes store one after the other. */
            bool stores = i == j && !a->reads;
            if (stores || clopt_node_declares(facts->loop->body, a->root) ||
                !clopt_accesses_depend(&nest, a, b, &distance))
                continue;
            return clopt_source_refuse(
                facts->source, a->node, error,
                "%s may be accessed in line %u by one of the next iterations, so they cannot be "
                "executed together",
                a->root ? a->root->name : "memory", clopt_source_line(facts->source, b->node));
        }
    return CLOPT_OK;
}

static enum clopt_status check_memory(const struct iteration_facts *facts, unsigned width,
                                      struct clopt_error *error)
{
    struct clopt_accesses accesses = {0};
    enum clopt_status status = clopt_accesses_add(&accesses, facts->loop->body, error);
    if (!status)
        status = check_accesses(facts, &accesses, width, error);
    clopt_accesses_fini(&accesses);
    return status;
}

/* ---- private variables ---- */

struct visit {
    struct iteration_facts *facts;
    bool reassociate;
    enum clopt_status status;
    struct clopt_error *error;
};

static void visit_result(struct visit *visit, const struct clopt_node *node,
                         const struct clopt_variable *variable, const char *op)
{
    struct iteration_facts *facts = visit->facts;
    bool holds = variable->width == 1 && variable->scalar != CLOPT_SCALAR_NONE &&
                 variable->scalar != CLOPT_SCALAR_BOOL && !variable->is_pointer;
    if (!holds)
        visit->status =
            clopt_source_refuse(facts->source, node, visit->error,
                                "%s is accumulated, which vectors cannot hold", variable->name);
    else if (clopt_scalar_is_real(variable->scalar) && !visit->reassociate)
        visit->status = clopt_source_refuse(
            facts->source, node, visit->error,
            "%s would be accumulated in another order, which changes floating-point results: "
            "reassociate = yes allows that",
            variable->name);
    facts->operators[variable->index] = op;
    facts->varying[variable->index] = true;
}

static void visit_variable(void *user, const struct clopt_node *node,
                           struct clopt_variable *variable, unsigned access)
{
    struct visit *visit = user;
    struct iteration_facts *facts = visit->facts;
    const char *op = NULL;
    bool writes = (access & (CLOPT_WRITE | CLOPT_ADDRESS)) != 0;
    bool done = variable->space != CLOPT_SPACE_PRIVATE || variable == facts->trip.counter ||
                clopt_node_declares(facts->loop->body, variable) ||
                facts->operators[variable->index];
    if (visit->status || done || !writes)
        return;
    /* The name of an array that is read somewhere is no address that goes anywhere. */
    if (variable->is_array && !(access & CLOPT_WRITE))
        return;
    enum clopt_dependence dependence = clopt_loop_dependence(facts->loop, variable, &op);
    if (variable->is_array || (access & CLOPT_ADDRESS) || dependence == CLOPT_DEPENDENCE_OTHER)
        visit->status = clopt_source_refuse(
            facts->source, node, visit->error,
            "%s goes from iteration to iteration, so these cannot be executed together",
            variable->name);
    else if (dependence == CLOPT_DEPENDENCE_REDUCTION)
        visit_result(visit, node, variable, op);
}

enum clopt_status iterations_check_forms(const struct iteration_facts *facts,
                                         const struct plan *plan, struct clopt_error *error)
{
    for (size_t i = 0; i < facts->source->variable_count; i++) {
        const struct clopt_variable *variable = facts->source->variables[i];
        bool own = variable == facts->trip.counter ||
                   clopt_node_declares(facts->loop->body, variable) || facts->operators[i];
        if (own || plan->forms[i] == FORM_UNIFORM)
            continue;
        if (plan->forms[i] == FORM_SCALARS)
            return clopt_source_refuse(
                facts->source, facts->loop, error,
                "%s differs from iteration to iteration, and vectors cannot hold it",
                variable->name);
        if (!clopt_loop_ends_variable(facts->loop, variable))
            return clopt_source_refuse(facts->source, facts->loop, error,
                                       "%s of the last iteration is used after the loop",
                                       variable->name);
    }
    return CLOPT_OK;
}

/* ---- the whole ---- */

static enum clopt_status check_count(const struct iteration_facts *facts, unsigned width,
                                     struct clopt_error *error)
{
    const struct clopt_trip *trip = &facts->trip;
    if (trip->count_known && trip->count < width)
        return clopt_source_refuse(facts->source, facts->loop, error,
                                   "the loop has %lld iterations, which is less than %u",
                                   (long long)trip->count, width);
    if (!trip->count_known && trip->unequal)
        return clopt_source_refuse(
            facts->source, facts->loop, error,
            "how many iterations are left cannot be told in the loop's types");
    return CLOPT_OK;
}

enum clopt_status iterations_find(struct iteration_facts *facts, const struct clopt_source *source,
                                  const struct clopt_node *loop, unsigned width, bool reassociate,
                                  struct clopt_error *error)
{
    size_t count = source->variable_count;
    *facts = (struct iteration_facts){.source = source, .loop = loop};
    facts->varying = clopt_source_table(source, count, sizeof *facts->varying);
    facts->operators = clopt_source_table(source, count, sizeof *facts->operators);
    if (!facts->varying || !facts->operators)
        return clopt_fail_memory(error);
    enum clopt_status status =
        clopt_loop_check_order(source, loop, true, "vectorized", &facts->trip, error);
    if (!status)
        status = check_count(facts, width, error);
    if (!status)
        status = check_memory(facts, width, error);
    struct visit visit = {facts, reassociate, status, error};
    clopt_node_visit_uses(loop->body, visit_variable, &visit);
    if (visit.status)
        return visit.status;
    facts->varying[facts->trip.counter->index] = true;
    return CLOPT_OK;
}
