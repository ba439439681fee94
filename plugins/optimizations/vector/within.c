/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the iterations of a loop the lanes of vectors.
 *
 * Lanes execute statement by statement together, so none of the iterations that become one may
 * access what another one of them writes. Each lane accumulates results of its own, which are put
 * together after the loop, or, where their order counts, adds to one after the lane before it. The
 * iterations that are left are executed one by one. */
#include "vector.h"

#include "../shared/counted.h"
#include "code.h"

/* ---- what forbids it ---- */

/* Refuses variables from outside the loop that vectors cannot hold, or that are read after it. */
static enum clopt_status check_forms(const struct iteration_facts *facts, const struct plan *plan,
                                     struct clopt_error *error)
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
            "with !=, iterations that are left cannot be counted; write < or > in the loop's head");
    return CLOPT_OK;
}

/* Finds out whether iterations may be executed together, and what they hold in common. */
static enum clopt_status find_facts(struct iteration_facts *facts,
                                    const struct clopt_source *source,
                                    const struct clopt_node *loop,
                                    const struct within_request *request, struct clopt_error *error)
{
    size_t count = source->variable_count;
    *facts = (struct iteration_facts){.source = source, .loop = loop};
    facts->varying = clopt_source_table(source, count, sizeof *facts->varying);
    facts->operators = clopt_source_table(source, count, sizeof *facts->operators);
    facts->ordered = clopt_source_table(source, count, sizeof *facts->ordered);
    CLOPT_TRY(clopt_loop_check_order(source, loop, true, "vectorized", &facts->trip, error));
    CLOPT_TRY(check_count(facts, request->width, error));
    const struct clopt_iteration_order order = {.source = source,
                                                .loop = loop,
                                                .trip = &facts->trip,
                                                .most = request->width - 1,
                                                .in_order = true,
                                                .reassociate = request->reassociate,
                                                .so = "these cannot be executed together",
                                                .operators = facts->operators,
                                                .ordered = facts->ordered};
    CLOPT_TRY(clopt_loop_check_iterations(&order, error));
    for (size_t i = 0; i < count; i++) {
        facts->varying[i] = facts->operators[i] || facts->ordered[i];
        if (facts->operators[i] && !plan_can_hold(source->variables[i]))
            return clopt_source_refuse(source, loop, error,
                                       "%s is accumulated, which vectors cannot hold",
                                       source->variables[i]->name);
    }
    facts->varying[facts->trip.counter->index] = true;
    return CLOPT_OK;
}

/* ---- vectors ---- */

/* Returns what a lane's result starts with. */
static struct clopt_node *start(struct code *code, struct clopt_variable *variable, const char *op)
{
    const char *type = scalar_name(variable->scalar);
    if (clopt_operator_is_call(op))
        return clopt_build(code->source, NULL, "($s$u)($v)", type, code->width, variable);
    return clopt_build(code->source, NULL, "($s$u)($d)", type, code->width,
                       clopt_operator_start(op));
}

/* Adds the vectors that hold variables from outside the loop. */
static void add_vectors(struct code *code, const struct iteration_facts *facts,
                        struct clopt_nodes *list)
{
    for (size_t i = 0; i < code->source->variable_count; i++) {
        struct clopt_variable *variable = code->source->variables[i];
        if (!code_is_outer(code, variable))
            continue;
        struct clopt_variable *vector = clopt_coarsening_variable(&code->coarsening, variable, 0);
        const char *op = facts->operators[i];
        clopt_nodes_put(code->source, list, facts->loop, "$V = $n;", vector,
                        op ? start(code, variable, op) : NULL);
    }
}

/* Adds what puts the lanes' results together. */
static void add_results(struct code *code, const struct iteration_facts *facts,
                        struct clopt_nodes *list)
{
    struct clopt_source *source = code->source;
    for (size_t i = 0; i < source->variable_count; i++) {
        const char *op = facts->operators[i];
        struct clopt_variable *variable = source->variables[i];
        struct clopt_variable *vector = clopt_coarsening_variable(&code->coarsening, variable, 0);
        struct clopt_node *all = NULL;
        for (unsigned lane = 0; op && lane < code->width; lane++) {
            const char *component = code_component(lane);
            if (clopt_operator_is_call(op))
                clopt_nodes_put(source, list, facts->loop, "$v = $s($v, $v.$s);", variable, op,
                                variable, vector, component);
            else
                all = all ? clopt_build(source, facts->loop, "$n $s $v.$s", all, op, vector,
                                        component)
                          : clopt_build(source, facts->loop, "$v.$s", vector, component);
        }
        if (all)
            clopt_nodes_put(source, list, facts->loop, "$v $s= $n;", variable, op, all);
    }
}

/* ---- the loop ---- */

/* Returns what takes the place of the loop. */
static struct clopt_node *build_loop(struct code *code, const struct iteration_facts *facts,
                                     struct clopt_node *body)
{
    const struct clopt_node *loop = facts->loop;
    const struct clopt_trip *trip = &facts->trip;
    struct clopt_source *source = code->source;
    struct clopt_nodes list = {0};
    bool rest = !trip->count_known || trip->count % code->width != 0;
    bool apart = rest && trip->declared;
    struct clopt_node *condition =
        rest ? clopt_trip_condition(&(struct clopt_cloning){.source = source}, loop, trip,
                                    code->width)
             : loop->condition;
    code_add_numbers(code, &list);
    if (apart)
        clopt_nodes_add(source, &list, loop->init);
    add_vectors(code, facts, &list);
    clopt_nodes_put(source, &list, loop, "for ($n; $n; $v += $l) $n", apart ? NULL : loop->init,
                    condition, trip->counter, trip->step * code->width, body);
    add_results(code, facts, &list);
    if (rest)
        clopt_nodes_put(source, &list, loop, "for (; $n; $n) $n", loop->condition, loop->step,
                        loop->body);
    return list.count == 1 ? list.items[0] : clopt_build(source, loop, "{ $N }", &list);
}

struct within {
    struct clopt_rewriting rewriting;
    const struct within_request *request;
    struct clopt_ndrange_change launch; /* what it has to be for rows that are aligned */
    bool *aligned;                      /* by variable: arrays whose rows are */
    bool functions; /* whose accuracy alone is defined were called with vectors */
};

/* Builds what takes the place of a loop. */
static enum clopt_status vectorize(struct within *within, const struct clopt_node *loop,
                                   struct clopt_node **built, struct clopt_error *error)
{
    const struct within_request *request = within->request;
    struct clopt_source *source = within->rewriting.source;
    struct iteration_facts facts;
    struct plan plan = {0};
    struct code code = {
        .width = request->width, .source = source, .plan = &plan, .functions = request->functions};
    struct clopt_node *body = NULL;
    CLOPT_TRY(find_facts(&facts, source, loop, request, error));
    struct clopt_identity identity = {.inside = true, .loop = loop, .varying = facts.varying};
    plan_init(&plan, source, clopt_divergence_create(source, identity), &facts);
    CLOPT_TRY(check_forms(&facts, &plan, error));
    if (request->aligned)
        CLOPT_TRY(alignment_init(&code.alignment, &plan, code.width, 1, error));
    code_init(&code, NULL, false);
    code.ordered = facts.ordered;
    code.parts = clopt_source_table(source, source->node_count, sizeof *code.parts);
    CLOPT_TRY(code_body(&code, loop->body, &body, error));
    *built = build_loop(&code, &facts, body);
    if (!code.gains.operations)
        CLOPT_TRY(clopt_source_refuse(
            source, code.obstacle ? code.obstacle : loop, error, "nothing becomes vector code: %s",
            code.obstacle ? code.reason : "nothing differs between the iterations"));
    if (request->aligned)
        CLOPT_TRY(alignment_require(&code.alignment, &within->launch, error));
    for (size_t i = 0; request->aligned && i < source->variable_count; i++)
        within->aligned[i] |= code.alignment.arrays[i];
    within->functions |= code.gains.functions;
    return CLOPT_OK;
}

/* ---- the kernel ---- */

/* Whether a declarator is of an array whose rows are aligned; what was made is not in the table. */
static bool is_aligned(const struct clopt_source *source, const struct clopt_node *declarator,
                       const bool *aligned)
{
    return declarator->variable->index < source->variable_count &&
           aligned[declarator->variable->index];
}

/* Declares the arrays once more whose rows are aligned. */
static void align_arrays(struct clopt_source *source, struct clopt_node *node, const bool *aligned,
                         unsigned width)
{
    const struct clopt_cloning plain = {.source = source, .plain = true};
    bool changed = false;
    for (size_t i = node->child_count; i-- > 0;)
        align_arrays(source, node->children[i], aligned, width);
    for (size_t i = 0; node->kind == CLOPT_NODE_DECLARE && i < node->child_count; i++)
        changed |= is_aligned(source, node->children[i], aligned);
    for (size_t i = 0; changed && i < node->child_count; i++) {
        const struct clopt_node *declarator = node->children[i], *value = declarator->condition;
        struct clopt_variable *variable = declarator->variable;
        if (is_aligned(source, declarator, aligned))
            variable = alignment_declare(source, variable, width);
        clopt_insert_before(source, node,
                            clopt_build(source, node, "$V = $n;", variable,
                                        value ? clopt_clone(&plain, value) : NULL));
    }
    if (changed)
        clopt_remove(source, node);
}

/* Returns what a chosen loop becomes, with its pragmas; NULL: it stays, and those inside it are
 * asked for. */
static struct clopt_node *change(void *user, const struct clopt_node *node)
{
    struct within *within = user;
    struct clopt_rewriting *rewriting = &within->rewriting;
    const struct clopt_node *loop = node->kind == CLOPT_NODE_ATTRIBUTED ? node->body : node;
    int *factor = &rewriting->factors[loop->index];
    struct clopt_node *built = NULL;
    struct clopt_error error = {0};
    if (rewriting->status || *factor < 0)
        return NULL;
    *factor = -1; /* it is asked for once */
    enum clopt_status status = vectorize(within, loop, &built, &error);
    return clopt_rewriting_decide(rewriting, status, &error) ? built : NULL;
}

enum clopt_status within_apply(struct clopt_transform *transform,
                               const struct within_request *request, struct clopt_error *error)
{
    struct within within = {.request = request};
    struct clopt_rewriting *rewriting = &within.rewriting;
    CLOPT_TRY(counted_apply(transform, request->loops, error));
    if (!clopt_rewriting_init(rewriting, transform, request->loops, 1, error)) {
        struct clopt_source *source = rewriting->source;
        const struct clopt_cloning cloning = {.source = source, .user = &within, .node = change};
        struct clopt_node *body = source->kernel->body;
        within.aligned = clopt_source_table(source, source->variable_count, sizeof *within.aligned);
        clopt_replace(source, body, clopt_clone(&cloning, body));
        align_arrays(source, source->kernel->body, within.aligned, request->width);
        if (request->functions && rewriting->changed && !within.functions)
            rewriting->status =
                clopt_source_refuse(source, source->kernel->body, error, CODE_NO_FUNCTION);
    }
    CLOPT_TRY(clopt_rewriting_finish(rewriting, transform));
    return clopt_transform_change_ndrange(transform, &within.launch, error);
}
