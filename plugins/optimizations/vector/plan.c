/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides how merged work-items hold each variable, and what is affine in the lane's number.
 *
 * A signed integer must not overflow, so that what is affine stays so when it gets wider. What an
 * unsigned one of 32 bits wraps to may be used as an index at most: no lane may then be outside its
 * array, so that no lane wraps where another one does not.
 *
 * What core says of access patterns is for people, and takes min(x, bound) for x, and sums for what
 * they would be without overflow; vectors want proof. */
#include "plan.h"

static const struct stride none = {STRIDE_NONE, 0};

static struct stride stride_of(const struct plan *plan, const struct clopt_node *node);

/* ---- strides of expressions ---- */

static struct stride known(int64_t value)
{
    if (value > PLAN_MOST_STRIDE || value < -PLAN_MOST_STRIDE)
        return none;
    return (struct stride){STRIDE_KNOWN, value};
}

static struct stride sum(struct stride a, struct stride b, int sign)
{
    if (a.state == STRIDE_NONE || b.state == STRIDE_NONE)
        return none;
    if (a.state == STRIDE_OPEN || b.state == STRIDE_OPEN)
        return (struct stride){STRIDE_OPEN, 0};
    return known(a.value + sign * b.value);
}

static struct stride product(struct stride a, int64_t factor)
{
    if (a.state != STRIDE_KNOWN)
        return a;
    if (factor > PLAN_MOST_STRIDE || factor < -PLAN_MOST_STRIDE)
        return none;
    return known(a.value * factor);
}

/* What of a stride is left when its value is converted. */
static struct stride convert(struct stride stride, enum clopt_scalar from, enum clopt_scalar to)
{
    if (stride.state != STRIDE_KNOWN || stride.value == 0)
        return stride;
    bool wide = clopt_scalar_is_integer(from) && clopt_scalar_is_integer(to) &&
                clopt_scalar_bits(from) >= 32 && clopt_scalar_bits(to) >= 32;
    bool widens = clopt_scalar_bits(to) > clopt_scalar_bits(from);
    return wide && (!widens || clopt_scalar_is_signed(from)) ? stride : none;
}

static struct stride operand(const struct plan *plan, const struct clopt_node *node,
                             enum clopt_scalar to)
{
    return convert(stride_of(plan, node), node->scalar, to);
}

/* An index of any width leads to an element. */
static struct stride index_stride(const struct plan *plan, const struct clopt_node *node)
{
    struct stride stride = stride_of(plan, node);
    if (stride.state == STRIDE_KNOWN && stride.value != 0 && clopt_scalar_bits(node->scalar) < 32)
        return none;
    return stride;
}

static bool leads_somewhere(const struct clopt_node *node)
{
    return node->is_pointer || node->is_array;
}

/* The stride of the address that a subscript or * names, in elements. */
static struct stride address_stride(const struct plan *plan, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_PAREN)
        return address_stride(plan, node->children[0]);
    if (node->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(node, "*"))
        return stride_of(plan, node->children[0]);
    if (node->kind != CLOPT_NODE_SUBSCRIPT || !leads_somewhere(node->children[0]))
        return none;
    return sum(stride_of(plan, node->children[0]), index_stride(plan, node->children[1]), 1);
}

static struct stride binary_stride(const struct plan *plan, const struct clopt_node *node)
{
    const struct clopt_node *a = node->children[0];
    const struct clopt_node *b = node->children[1];
    bool adds = clopt_node_is_operator(node, "+");
    if (adds || clopt_node_is_operator(node, "-")) {
        int sign = adds ? 1 : -1;
        if (!node->is_pointer)
            return leads_somewhere(a) || leads_somewhere(b)
                       ? none
                       : sum(operand(plan, a, node->scalar), operand(plan, b, node->scalar), sign);
        return leads_somewhere(a) ? sum(stride_of(plan, a), index_stride(plan, b), sign)
                                  : sum(index_stride(plan, a), stride_of(plan, b), sign);
    }
    if (clopt_node_is_operator(node, "*") && b->known)
        return product(operand(plan, a, node->scalar), b->value);
    if (clopt_node_is_operator(node, "*") && a->known)
        return product(operand(plan, b, node->scalar), a->value);
    if (clopt_node_is_operator(node, "<<") && b->known && b->value >= 0 && b->value < 20)
        return product(operand(plan, a, node->scalar), (int64_t)1 << b->value);
    return none;
}

bool plan_is_identity(const struct clopt_node *call)
{
    return clopt_node_dimension(call, "get_global_id") == 0 ||
           clopt_node_dimension(call, "get_local_id") == 0;
}

static struct stride unary_stride(const struct plan *plan, const struct clopt_node *node)
{
    const struct clopt_node *child = node->children[0];
    if (clopt_node_is_operator(node, "&"))
        return child->is_array ? none : address_stride(plan, child);
    if (clopt_node_is_operator(node, "+"))
        return operand(plan, child, node->scalar);
    if (clopt_node_is_operator(node, "-"))
        return product(operand(plan, child, node->scalar), -1);
    return none;
}

static struct stride stride_of(const struct plan *plan, const struct clopt_node *node)
{
    if (!clopt_node_diverges(plan->divergence, node))
        return known(0);
    switch (node->kind) {
    case CLOPT_NODE_VARIABLE:
        return plan->strides[node->variable->index];
    case CLOPT_NODE_PAREN:
        return stride_of(plan, node->children[0]);
    case CLOPT_NODE_CAST:
        if (node->is_pointer || node->children[0]->is_pointer)
            return none;
        return operand(plan, node->children[0], node->scalar);
    case CLOPT_NODE_CALL:
        return plan_is_identity(node) ? known(1) : none;
    case CLOPT_NODE_UNARY:
        return unary_stride(plan, node);
    case CLOPT_NODE_BINARY:
        return binary_stride(plan, node);
    default:
        return none;
    }
}

/* ---- where lanes part ---- */

static const struct clopt_node *find_guard(const struct plan *plan)
{
    for (size_t i = 0; i < plan->scope->child_count; i++) {
        const struct clopt_node *node = plan->scope->children[i];
        if (clopt_node_find(node, CLOPT_NODE_RETURN) &&
            clopt_node_is_region(plan->divergence, node))
            return node;
    }
    return NULL;
}

/* Whether all lanes come to a write together, seen from where its variable is declared. */
static bool is_common(const struct plan *plan, const struct clopt_node *write,
                      const struct clopt_variable *variable)
{
    const struct clopt_node *declarator = variable->declarator;
    const struct clopt_node *guard = plan->guard;
    for (const struct clopt_node *node = write; node != plan->scope; node = node->parent) {
        bool inside = declarator && clopt_node_contains(node, declarator);
        if (!inside && clopt_node_is_region(plan->divergence, node))
            return false;
    }
    return !guard || clopt_node_is_before(write, guard) ||
           (declarator && !clopt_node_is_before(declarator, guard));
}

/* ---- variables ---- */

static bool can_be_affine(const struct clopt_variable *variable)
{
    if (variable->is_parameter || variable->is_array || variable->is_volatile ||
        variable->space != CLOPT_SPACE_PRIVATE || !variable->declarator)
        return false;
    return variable->is_pointer ? variable->pointee != CLOPT_SPACE_PRIVATE : variable->bits >= 32;
}

/* Whether an expression is a statement, or a part of one between commas, or of a for's head. */
static bool is_alone(const struct clopt_node *node)
{
    const struct clopt_node *parent = node->parent;
    while (parent->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(parent, ",")) {
        node = parent;
        parent = node->parent;
    }
    return !clopt_node_is_expression(parent) && parent->condition != node;
}

/* The stride of a value where a variable holds it. */
static struct stride held(const struct plan *plan, const struct clopt_node *value,
                          const struct clopt_variable *variable)
{
    return variable->is_pointer ? stride_of(plan, value) : operand(plan, value, variable->scalar);
}

/* What a declarator, an assignment, ++ or -- does to the stride of what it changes. */
static struct stride written(const struct plan *plan, const struct clopt_node *node,
                             const struct clopt_variable *variable)
{
    const struct clopt_node *value = node->kind == CLOPT_NODE_DECLARATOR
                                         ? node->condition
                                         : node->children[node->child_count - 1];
    if (node->kind == CLOPT_NODE_DECLARATOR)
        return held(plan, value, variable);
    if (!is_alone(node) || !is_common(plan, node, variable))
        return none;
    if (node->kind != CLOPT_NODE_ASSIGN)
        return (struct stride){STRIDE_OPEN, 0};
    if (clopt_node_is_operator(node, "="))
        return held(plan, value, variable);
    bool moves = clopt_node_is_operator(node, "+=") || clopt_node_is_operator(node, "-=");
    bool together = !clopt_node_diverges(plan->divergence, value);
    return moves && together && !clopt_scalar_is_real(value->scalar)
               ? (struct stride){STRIDE_OPEN, 0}
               : none;
}

/* Takes note of what a variable gets. */
static bool meet(void *user, const struct clopt_node *node, const struct clopt_variable *variable)
{
    struct plan *plan = user;
    struct stride stride = written(plan, node, variable);
    struct stride *so_far = &plan->strides[variable->index];
    if (stride.state == STRIDE_OPEN || so_far->state == STRIDE_NONE)
        return false;
    if (so_far->state == STRIDE_OPEN)
        *so_far = stride;
    else if (stride.state == STRIDE_KNOWN && stride.value == so_far->value)
        return false;
    else
        *so_far = none;
    return true;
}

bool plan_visit_writes(const struct clopt_node *node, plan_visit_write visit, void *user)
{
    const struct clopt_node *place = clopt_node_written(node);
    bool changed = false;
    if (node->kind == CLOPT_NODE_DECLARATOR && node->condition)
        changed = visit(user, node, node->variable);
    else if (place && place->kind == CLOPT_NODE_VARIABLE)
        changed = visit(user, node, place->variable);
    for (size_t i = 0; i < node->child_count; i++)
        changed |= plan_visit_writes(node->children[i], visit, user);
    return changed;
}

bool plan_can_hold(const struct clopt_variable *variable)
{
    return variable->space == CLOPT_SPACE_PRIVATE && !variable->is_pointer &&
           !variable->is_record && !variable->is_volatile && variable->width == 1 &&
           variable->scalar != CLOPT_SCALAR_NONE && variable->scalar != CLOPT_SCALAR_BOOL &&
           !(variable->is_array && variable->is_parameter);
}

static void choose_forms(struct plan *plan)
{
    const struct clopt_node *body = plan->source->kernel->body;
    size_t count = plan->source->variable_count;
    for (size_t i = 0; i < count; i++) {
        const struct clopt_variable *variable = plan->source->variables[i];
        /* Where its place matters, and not its value alone, it stays what it is, once a lane. */
        bool placed = (variable->uses & CLOPT_ADDRESS) ||
                      (variable->is_array && clopt_variable_find_other_use(variable, body, false));
        bool diverges = clopt_variable_diverges(plan->divergence, variable);
        if (!diverges)
            plan->forms[i] = FORM_UNIFORM;
        else if (!placed && plan_can_hold(variable))
            plan->forms[i] = FORM_VECTOR;
        else
            plan->forms[i] = FORM_SCALARS;
        plan->strides[i] = none;
        if (diverges && !placed && can_be_affine(variable))
            plan->strides[i].state = STRIDE_OPEN;
    }
}

/* The counter of a loop is affine in the number of the iteration. */
static void choose_iterations(struct plan *plan, const struct iteration_facts *iterations)
{
    plan->strides[iterations->trip.counter->index] = known(iterations->trip.step);
    for (size_t i = 0; i < plan->source->variable_count; i++)
        if (iterations->operators[i]) {
            plan->forms[i] = FORM_VECTOR;
            plan->strides[i] = none;
        }
}

static void find_strides(struct plan *plan)
{
    size_t count = plan->source->variable_count;
    while (plan_visit_writes(plan->scope, meet, plan))
        continue;
    for (size_t i = 0; i < count; i++)
        if (plan->strides[i].state == STRIDE_KNOWN)
            plan->forms[i] = FORM_AFFINE;
}

enum clopt_status plan_init(struct plan *plan, const struct clopt_source *source,
                            const struct clopt_divergence *divergence,
                            const struct iteration_facts *iterations, struct clopt_error *error)
{
    size_t count = source->variable_count;
    *plan = (struct plan){.source = source, .divergence = divergence};
    plan->scope = iterations ? iterations->loop->body : source->kernel->body;
    plan->forms = clopt_source_table(source, count, sizeof *plan->forms);
    plan->strides = clopt_source_table(source, count, sizeof *plan->strides);
    if (!plan->forms || !plan->strides)
        return clopt_fail_memory(error);
    plan->guard = find_guard(plan);
    choose_forms(plan);
    if (iterations)
        choose_iterations(plan, iterations);
    find_strides(plan);
    return CLOPT_OK;
}

static bool get(struct stride found, int64_t *stride)
{
    *stride = found.value;
    return found.state == STRIDE_KNOWN;
}

bool plan_stride(const struct plan *plan, const struct clopt_node *node, int64_t *stride)
{
    return get(stride_of(plan, node), stride);
}

bool plan_address_stride(const struct plan *plan, const struct clopt_node *node, int64_t *stride)
{
    return get(address_stride(plan, node), stride);
}
