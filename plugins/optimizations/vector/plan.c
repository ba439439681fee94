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

/* ---- strides of expressions ---- */

/* Symbols of forms: the number of the lane, and whatever lane 0 has. */
enum { LANE = 1, BASE = 2 };

struct reading {
    const struct plan *plan;
    bool open; /* the stride of one of its variables is still looked for */
};

static bool is_uniform(void *user, const struct clopt_node *node)
{
    const struct reading *reading = user;
    return !clopt_node_diverges(reading->plan->divergence, node);
}

static bool read_part(void *user, const struct clopt_node *node, struct clopt_affine *form);

static bool read(struct reading *reading, const struct clopt_node *node, struct clopt_affine *form)
{
    const struct clopt_affine_reader reader = {read_part, is_uniform, reading};
    return clopt_affine_evaluate(&reader, node, form);
}

/* Reads two operands, of which one leads somewhere, and the other one is an index: of any width, it
 * leads to an element. */
static bool read_element(struct reading *reading, const struct clopt_node *node, int sign,
                         struct clopt_affine *form)
{
    struct clopt_affine index;
    bool fits = read(reading, node->children[0], form) &&
                read(reading, node->children[1], &index) && clopt_affine_add(form, &index, sign);
    form->wraps = false;
    return fits;
}

/* Reads the address that a subscript or * names, in elements. */
static bool read_address(struct reading *reading, const struct clopt_node *node,
                         struct clopt_affine *form)
{
    if (node->kind == CLOPT_NODE_PAREN)
        return read_address(reading, node->children[0], form);
    if (node->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(node, "*"))
        return read(reading, node->children[0], form);
    return node->kind == CLOPT_NODE_SUBSCRIPT && clopt_node_is_address(node->children[0]) &&
           read_element(reading, node, 1, form);
}

bool plan_is_identity(const struct clopt_node *call)
{
    return clopt_node_dimension(call, "get_global_id") == 0 ||
           clopt_node_dimension(call, "get_local_id") == 0;
}

/* Makes what moves by so much from lane to lane. */
static bool move(int64_t stride, bool wraps, struct clopt_affine *form)
{
    const struct clopt_affine lane = clopt_affine_symbol(LANE);
    *form = clopt_affine_symbol(BASE);
    form->wraps = wraps && stride;
    return clopt_affine_add(form, &lane, stride);
}

/* Reads what differs between lanes: what is narrowed to a signed type is taken to fit. */
static bool read_diverging(struct reading *reading, const struct clopt_node *node,
                           struct clopt_affine *form)
{
    const struct clopt_node *child = node->child_count ? node->children[0] : NULL;
    const struct stride *stride;
    switch (node->kind) {
    case CLOPT_NODE_VARIABLE:
        stride = &reading->plan->strides[node->variable->index];
        reading->open |= stride->state == STRIDE_OPEN;
        return stride->state != STRIDE_NONE &&
               move(stride->value, node->bits == 32 && !node->is_signed, form);
    case CLOPT_NODE_PAREN:
        return read(reading, child, form);
    case CLOPT_NODE_CAST:
        if (node->bits < 32 || child->bits < 32 || !read(reading, child, form))
            return false;
        form->wraps = !node->is_signed;
        return true;
    case CLOPT_NODE_CALL:
        return plan_is_identity(node) && move(1, false, form);
    case CLOPT_NODE_UNARY:
        if (clopt_node_is_operator(node, "&"))
            return !child->is_array && read_address(reading, child, form);
        return clopt_node_is_operator(node, "+") && read(reading, child, form);
    case CLOPT_NODE_BINARY:
        return node->is_pointer &&
               read_element(reading, node, clopt_node_is_operator(node, "-") ? -1 : 1, form);
    default:
        return false;
    }
}

static bool read_part(void *user, const struct clopt_node *node, struct clopt_affine *form)
{
    return is_uniform(user, node) ? move(0, false, form) : read_diverging(user, node, form);
}

/* The stride of what was read, of so many bits: what wraps in 32 bits moves otherwise in 64. */
static struct stride stride_in(const struct reading *reading, const struct clopt_affine *form,
                               unsigned bits)
{
    int64_t stride = 0;
    if (!clopt_affine_factor(form, LANE, &stride) || stride > PLAN_MOST_STRIDE ||
        stride < -PLAN_MOST_STRIDE || (stride && form->wraps && bits == 64))
        return none;
    return reading->open ? (struct stride){STRIDE_OPEN, 0} : (struct stride){STRIDE_KNOWN, stride};
}

static struct stride stride_of(const struct plan *plan, const struct clopt_node *node)
{
    struct reading reading = {.plan = plan};
    struct clopt_affine form;
    if (is_uniform(&reading, node))
        return (struct stride){STRIDE_KNOWN, 0};
    return read(&reading, node, &form) ? stride_in(&reading, &form, node->bits) : none;
}

static struct stride address_stride(const struct plan *plan, const struct clopt_node *node)
{
    struct reading reading = {.plan = plan};
    struct clopt_affine form;
    return read_address(&reading, node, &form) ? stride_in(&reading, &form, 0) : none;
}

/* ---- variables ---- */

/* Whether all lanes come to a write together, seen from where its variable is declared. */
static bool is_common(const struct plan *plan, const struct clopt_node *write,
                      const struct clopt_variable *variable)
{
    const struct clopt_node *declarator = variable->declarator;
    for (const struct clopt_node *node = write; node != plan->scope; node = node->parent) {
        bool inside = declarator && clopt_node_contains(node, declarator);
        if (!inside && clopt_node_is_region(plan->divergence, node))
            return false;
    }
    return true;
}

static bool can_be_affine(const struct clopt_variable *variable)
{
    if (variable->is_parameter || variable->is_array || variable->is_volatile ||
        variable->space != CLOPT_SPACE_PRIVATE || !variable->declarator)
        return false;
    return variable->is_pointer ? !clopt_space_may_be_private(variable->pointee)
                                : variable->bits >= 32;
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

/* The stride of a value where a variable holds it, which may be wider. */
static struct stride held(const struct plan *plan, const struct clopt_node *value,
                          const struct clopt_variable *variable)
{
    const struct stride stride = stride_of(plan, value);
    bool wraps = value->bits == 32 && !value->is_signed && variable->bits == 64;
    return wraps && stride.value ? none : stride;
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
    const struct clopt_node *lvalue = clopt_node_written(node);
    bool changed = false;
    if (node->kind == CLOPT_NODE_DECLARATOR && node->condition)
        changed = visit(user, node, node->variable);
    else if (lvalue && lvalue->kind == CLOPT_NODE_VARIABLE)
        changed = visit(user, node, lvalue->variable);
    for (size_t i = 0; i < node->child_count; i++)
        changed |= plan_visit_writes(node->children[i], visit, user);
    return changed;
}

bool plan_can_hold(const struct clopt_variable *variable)
{
    return variable->space == CLOPT_SPACE_PRIVATE && !variable->is_pointer &&
           !variable->is_record && !variable->is_volatile && variable->width == 1 &&
           clopt_scalar_is_number(variable->scalar) &&
           !(variable->is_array && variable->is_parameter);
}

static void choose_forms(struct plan *plan)
{
    const struct clopt_node *body = plan->source->kernel->body;
    size_t count = plan->source->variable_count;
    for (size_t i = 0; i < count; i++) {
        const struct clopt_variable *variable = plan->source->variables[i];
        /* Where its lvalue matters, and not its value alone, it stays what it is, once a lane. */
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

/* Whether iterations share an array of their work-item: what they write is known to be apart. */
static bool is_shared(const struct iteration_facts *iterations,
                      const struct clopt_variable *variable)
{
    return variable->is_array && variable->space == CLOPT_SPACE_PRIVATE &&
           !clopt_node_declares(iterations->loop->body, variable);
}

/* The counter of a loop is affine in the number of the iteration. */
static void choose_iterations(struct plan *plan, const struct iteration_facts *iterations)
{
    plan->strides[iterations->trip.counter->index] =
        (struct stride){STRIDE_KNOWN, iterations->trip.step};
    for (size_t i = 0; i < plan->source->variable_count; i++)
        if (iterations->operators[i] || iterations->ordered[i] ||
            is_shared(iterations, plan->source->variables[i])) {
            plan->forms[i] = iterations->operators[i] ? FORM_VECTOR : FORM_UNIFORM;
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

void plan_init(struct plan *plan, const struct clopt_source *source,
               const struct clopt_divergence *divergence, const struct iteration_facts *iterations)
{
    size_t count = source->variable_count;
    *plan = (struct plan){.source = source, .divergence = divergence, .iterations = iterations};
    plan->scope = iterations ? iterations->loop->body : source->kernel->body;
    plan->forms = clopt_source_table(source, count, sizeof *plan->forms);
    plan->strides = clopt_source_table(source, count, sizeof *plan->strides);
    choose_forms(plan);
    if (iterations)
        choose_iterations(plan, iterations);
    find_strides(plan);
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
