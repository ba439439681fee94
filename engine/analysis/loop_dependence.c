/* SPDX-License-Identifier: BSD-3-Clause */
/* Loop-carried dependences through private variables, and whether iterations have to follow each
 * other. */
#include <clopt/loop.h>

static bool is_variable(const struct clopt_node *node, const struct clopt_variable *variable)
{
    return clopt_node_names(clopt_node_bare(node), variable);
}

/* ---- accumulations ---- */

/* The operator of an accumulation that a node has, but for what follows it; NULL for others. */
static const char *operator_of(const struct clopt_node *node, const char *after)
{
    static const char *const operators[][2] = {{"+", "+"}, {"-", "+"}, {"*", "*"},
                                               {"&", "&"}, {"|", "|"}, {"^", "^"}};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (*node->op == *operators[i][0] && strcmp(node->op + 1, after) == 0)
            return operators[i][1];
    return NULL;
}

/* The operator of v = v op e, v = e op v, v = min(v, e) and the like. */
static const char *value_operator(const struct clopt_node *value,
                                  const struct clopt_variable *variable)
{
    bool call = value->kind == CLOPT_NODE_CALL && !value->callee;
    if ((!call && value->kind != CLOPT_NODE_BINARY) || value->child_count != 2)
        return NULL;
    const struct clopt_node *left = value->children[0];
    const struct clopt_node *right = value->children[1];
    bool first = is_variable(left, variable) && !clopt_node_uses(right, variable);
    bool second = is_variable(right, variable) && !clopt_node_uses(left, variable);
    if (!first && (!second || clopt_node_is_operator(value, "-")))
        return NULL;
    if (!call)
        return operator_of(value, "");
    static const char *const names[] = {"min", "max", "fmin", "fmax"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(value->name, names[i]) == 0)
            return names[i];
    return NULL;
}

/* The operator by which a statement adds to a variable; NULL where it does something else. */
static const char *accumulation(const struct clopt_node *node,
                                const struct clopt_variable *variable)
{
    if (clopt_node_is_step(node))
        return is_variable(node->children[0], variable) ? "+" : NULL;
    if (node->kind != CLOPT_NODE_ASSIGN || !is_variable(node->children[0], variable))
        return NULL;
    const struct clopt_node *value = clopt_node_bare(node->children[1]);
    if (clopt_node_is_operator(node, "="))
        return value_operator(value, variable);
    return clopt_node_uses(value, variable) ? NULL : operator_of(node, "=");
}

struct search {
    const struct clopt_variable *variable;
    const char *op;
    bool other;
};

static void search_statement(struct search *search, const struct clopt_node *node)
{
    if (!clopt_node_uses(node, search->variable))
        return;
    if (clopt_node_is_expression(node) || node->kind == CLOPT_NODE_DECLARE) {
        const char *op = accumulation(node, search->variable);
        search->other |= !op || (search->op && strcmp(op, search->op) != 0);
        search->op = op;
        return;
    }
    for (size_t i = 0; i < node->child_count; i++)
        search_statement(search, node->children[i]);
}

/* ---- iterations with values of their own ---- */

/* Whether a statement writes a variable in any case, and before it reads it. */
static bool writes_first(const struct clopt_node *node, const struct clopt_variable *variable)
{
    if (node->kind == CLOPT_NODE_FOR && node->init)
        return writes_first(node->init, variable);
    if (node->kind == CLOPT_NODE_COMPOUND) {
        for (size_t i = 0; i < node->child_count; i++) {
            const struct clopt_node *child = node->children[i];
            if (clopt_node_uses(child, variable))
                return writes_first(child, variable);
            if (clopt_node_effects(child) & CLOPT_EFFECT_JUMP)
                return false;
        }
        return false;
    }
    if (node->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(node, ","))
        return writes_first(node->children[!clopt_node_uses(node->children[0], variable)],
                            variable);
    return clopt_node_sets(node, variable);
}

enum clopt_dependence clopt_loop_dependence(const struct clopt_node *loop,
                                            const struct clopt_variable *variable, const char **op)
{
    *op = NULL;
    if (clopt_node_declares(loop->body, variable) || writes_first(loop->body, variable))
        return CLOPT_DEPENDENCE_NONE;
    struct search search = {.variable = variable};
    search_statement(&search, loop->body);
    if (search.other || !search.op)
        return CLOPT_DEPENDENCE_OTHER;
    *op = search.op;
    return CLOPT_DEPENDENCE_REDUCTION;
}

/* ---- what forbids that iterations are executed in another order ---- */

static enum clopt_status refuse(const struct clopt_source *source, const struct clopt_node *node,
                                const char *what, const char *change, struct clopt_error *error)
{
    return clopt_source_refuse(source, node, error, "%s a loop that is to be %s", what, change);
}

static enum clopt_status check_jumps(const struct clopt_source *source,
                                     const struct clopt_node *loop, bool reordered,
                                     const char *change, struct clopt_error *error)
{
    static const struct {
        enum clopt_node_kind kind;
        const char *what;
    } jumps[] = {{CLOPT_NODE_BREAK, "break out of"},
                 {CLOPT_NODE_CONTINUE, "continue in"},
                 {CLOPT_NODE_RETURN, "return from"}};
    const struct clopt_node *jump = clopt_node_find_effect(loop, CLOPT_EFFECT_GOTO);
    if (jump)
        return refuse(source, jump, "goto or an inner case in", change, error);
    for (size_t i = 0; i < (reordered ? sizeof jumps / sizeof *jumps : 1); i++) {
        jump = clopt_loop_find_jump(loop, jumps[i].kind);
        if (jump)
            return refuse(source, jump, jumps[i].what, change, error);
    }
    return CLOPT_OK;
}

/* Private memory that any pointer may lead to: accesses to its variables are not seen. */
static enum clopt_status check_pointers(const struct clopt_source *source,
                                        const struct clopt_node *loop, const char *change,
                                        struct clopt_error *error)
{
    CLOPT_OWNED(clopt_accesses) accesses = {0};
    clopt_accesses_add(&accesses, loop);
    for (size_t i = 0; i < accesses.count; i++) {
        const struct clopt_access *access = &accesses.items[i];
        bool known =
            access->root && (access->root->is_array || access->space != CLOPT_SPACE_PRIVATE);
        if (access->space == CLOPT_SPACE_GENERIC ||
            (!known && access->space == CLOPT_SPACE_PRIVATE))
            CLOPT_TRY(clopt_source_refuse(
                source, access->node, error, "%s in a loop that is to be %s",
                access->node->kind == CLOPT_NODE_CALL ? access->node->name
                                                      : "a pointer into unknown memory",
                change));
    }
    return CLOPT_OK;
}

/* Why a loop does not count: the first part of a trip that was not found. */
static const char *find_uncounted(const struct clopt_node *loop, const struct clopt_trip *trip)
{
    bool steps = loop->kind == CLOPT_NODE_FOR && loop->step && loop->condition;
    return !steps           ? "no step ends its iterations"
           : !trip->counter ? "its step does not move one integer alone, which nothing else changes"
           : !trip->step    ? "its step may change"
           : !trip->bound ? "its condition asks for more than whether the counter comes to a bound"
           : !clopt_loop_is_invariant(loop, trip->bound) ? "its bound may change"
           : loop->init                                  ? "its step may not come to its bound"
                                                         : "its head does not say where it begins";
}

enum clopt_status clopt_loop_check_order(const struct clopt_source *source,
                                         const struct clopt_node *loop, bool reordered,
                                         const char *change, struct clopt_trip *trip,
                                         struct clopt_error *error)
{
    const struct clopt_node *collective = clopt_node_find_effect(loop, CLOPT_EFFECT_COLLECTIVE);
    if (!clopt_trip_find(loop, NULL, trip) || (reordered && !trip->first))
        return clopt_source_refuse(source, loop, error,
                                   "only a loop that counts by a step that stays the same, from a "
                                   "value to another one, can be %s: %s",
                                   change, find_uncounted(loop, trip));
    if (reordered && collective)
        return refuse(source, collective, "barrier in", change, error);
    if (reordered && clopt_node_effects(loop) & CLOPT_EFFECT_ORDERED)
        return refuse(source, loop,
                      "volatile memory, atomics, functions of sub-groups or printf in", change,
                      error);
    CLOPT_TRY(check_jumps(source, loop, reordered, change, error));
    return reordered ? check_pointers(source, loop, change, error) : CLOPT_OK;
}

/* ---- what iterations hand on ---- */

static enum clopt_status check_memory(const struct clopt_iteration_order *order,
                                      struct clopt_error *error)
{
    const struct clopt_nest nest = {1, {order->loop, NULL}, {order->trip, NULL}};
    const struct clopt_distance later = {1, order->most};
    CLOPT_OWNED(clopt_accesses) accesses = {0};
    clopt_accesses_add(&accesses, order->loop);
    for (size_t i = 0; i < accesses.count * accesses.count; i++) {
        const struct clopt_access *a = &accesses.items[i / accesses.count];
        const struct clopt_access *b = &accesses.items[i % accesses.count];
        bool store = order->in_order && a == b && !a->reads;
        if (!store && clopt_accesses_depend(&nest, a, b, &later))
            return clopt_source_refuse(order->source, a->node, error,
                                       "%s may be accessed by another iteration in line %u, so %s "
                                       "(see restrict, registers)",
                                       a->root ? a->root->name : "memory",
                                       clopt_source_line(order->source, b->node), order->so);
    }
    return CLOPT_OK;
}

/* Whether plain statements of a loop's body, and nothing else in it, use a scalar. */
static bool is_of_statements(const struct clopt_node *loop, const struct clopt_variable *variable)
{
    const struct clopt_node *body = loop->body;
    bool compound = body->kind == CLOPT_NODE_COMPOUND;
    bool plain = !variable->is_array && !variable->is_pointer && !variable->is_record;
    for (size_t i = 0; i < (compound ? body->child_count : 1); i++) {
        const struct clopt_node *statement = compound ? body->children[i] : body;
        unsigned uses = clopt_node_uses(statement, variable);
        plain &= !uses || clopt_node_is_expression(statement) ||
                 (statement->kind == CLOPT_NODE_DECLARE && uses == CLOPT_READ);
    }
    return plain;
}

static enum clopt_status check_variable(const struct clopt_iteration_order *order,
                                        const struct clopt_node *node, struct clopt_error *error)
{
    const struct clopt_variable *variable = node->variable;
    const char *op = NULL;
    unsigned access = clopt_node_use(node, order->loop->body);
    /* An access to an element of an array does not pass its address on. */
    if (!(access & (CLOPT_WRITE | CLOPT_ADDRESS)) || variable->space != CLOPT_SPACE_PRIVATE ||
        variable == order->trip->counter || clopt_node_declares(order->loop->body, variable) ||
        (order->handled && order->handled[variable->index]) ||
        (variable->is_array && (order->in_order || !(access & CLOPT_WRITE))))
        return CLOPT_OK;
    enum clopt_dependence dependence = clopt_loop_dependence(order->loop, variable, &op);
    bool changes = dependence == CLOPT_DEPENDENCE_REDUCTION && !order->reassociate &&
                   clopt_scalar_is_real(variable->scalar);
    if (order->ordered && (changes || dependence == CLOPT_DEPENDENCE_OTHER) &&
        !(access & CLOPT_ADDRESS) && is_of_statements(order->loop, variable)) {
        order->ordered[variable->index] = true;
        return CLOPT_OK;
    }
    if (variable->is_array || (access & CLOPT_ADDRESS) || dependence == CLOPT_DEPENDENCE_OTHER)
        return clopt_source_refuse(order->source, node, error,
                                   "%s goes from iteration to iteration, so %s", variable->name,
                                   order->so);
    if (changes)
        return clopt_source_refuse(
            order->source, node, error,
            "%s would be accumulated in another order, which changes floating-point results: "
            "reassociate = yes allows that",
            variable->name);
    order->operators[variable->index] = op;
    return CLOPT_OK;
}

enum clopt_status clopt_loop_check_iterations(const struct clopt_iteration_order *order,
                                              struct clopt_error *error)
{
    const struct clopt_node *body = order->loop->body;
    CLOPT_TRY(check_memory(order, error));
    for (const struct clopt_node *node = body; node; node = clopt_node_next(node, body))
        CLOPT_TRY(check_variable(order, node, error));
    return CLOPT_OK;
}
