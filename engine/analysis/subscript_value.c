/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads expressions as affine forms, and records the accesses that they make. */
#include <clopt/memory.h>

#include "analysis/walker.h"
#include "kernel/effect.h"

#define DEEPEST_CALL 16

/* Keys of symbols. */
static const char group_start[] = "group's start";
static const char group_number[] = "group's number";

/* ---- accesses ---- */

static void record(struct clopt_walker *walker, const struct clopt_node *node,
                   const struct clopt_content *location, unsigned access, unsigned width)
{
    struct clopt_subscripts *found = walker->found;
    if (walker->silent)
        return;
    struct clopt_subscript *added =
        clopt_array_add(&found->accesses, &found->access_count, sizeof *added);
    *added = (struct clopt_subscript){node,  location->array, access,
                                      width, walker->loops,   location->affine};
}

static bool is_device_memory(const struct clopt_node *node)
{
    return node->space == CLOPT_SPACE_GLOBAL || node->space == CLOPT_SPACE_CONSTANT;
}

/* Makes what an operation has of which only is known that it depends on both operands. */
static struct clopt_content combine(struct clopt_walker *walker, const struct clopt_node *node,
                                    const struct clopt_content *a, const struct clopt_content *b)
{
    unsigned depends = clopt_content_depends(walker, a) | clopt_content_depends(walker, b);
    struct clopt_content value = clopt_content_computed(walker, node, 0, depends);
    if (!depends)
        clopt_walker_set_node(walker, &value.affine, node);
    return value;
}

static struct clopt_content add(struct clopt_walker *walker, const struct clopt_node *node,
                                const struct clopt_content *a, const struct clopt_content *b,
                                int64_t factor)
{
    struct clopt_content sum = {a->affine, a->array ? a->array : b->array};
    if (!clopt_affine_add(&sum.affine, &b->affine, factor))
        sum.affine = combine(walker, node, a, b).affine;
    return sum;
}

/* Where a subscript, *, ->, or what is a part of one of them, leads to; nothing is accessed yet. */
static struct clopt_content locate(struct clopt_walker *walker, const struct clopt_node *node)
{
    struct clopt_content location = clopt_walker_evaluate(walker, node->children[0]);
    if (node->kind != CLOPT_NODE_SUBSCRIPT)
        return location;
    struct clopt_content index = clopt_walker_evaluate(walker, node->children[1]);
    if (!node->is_array && !node->children[0]->is_array)
        return add(walker, node, &location, &index, 1);
    location.affine = combine(walker, node, &location, &index).affine;
    return location;
}

/* Reads or writes what a place holds; returns what is read. */
static struct clopt_content note_access(struct clopt_walker *walker, const struct clopt_node *node,
                                        unsigned access)
{
    struct clopt_content location = locate(walker, node);
    if (node->is_array)
        return location; /* its elements are accessed further up */
    if (is_device_memory(node) && (location.array || node->space == CLOPT_SPACE_GLOBAL))
        record(walker, node, &location, access, 1);
    if (!is_device_memory(node) || node->is_volatile)
        return clopt_content_unknown(walker, node, 0);
    return clopt_content_computed(walker, node, 0, clopt_content_depends(walker, &location));
}

/* ---- expressions ---- */

/* What is written through pointers is not followed, and small integers hold what fits. */
static struct clopt_content evaluate_variable(struct clopt_walker *walker,
                                              const struct clopt_node *node)
{
    const struct clopt_content *value = &walker->values[node->variable->index];
    if (clopt_node_is_exposed(node, NULL))
        return clopt_content_unknown(walker, node, 0);
    return node->bits && node->bits < 32
               ? clopt_content_computed(walker, node, 0, clopt_content_depends(walker, value))
               : *value;
}

/* Gives an expression a value: a variable, or memory. */
static void assign(struct clopt_walker *walker, const struct clopt_node *node,
                   const struct clopt_content *value, unsigned access)
{
    node = clopt_node_bare(node);
    if (node->kind == CLOPT_NODE_VARIABLE) {
        clopt_walker_set(walker, node->variable->index, value);
        return;
    }
    if (node->kind == CLOPT_NODE_SUBSCRIPT || node->kind == CLOPT_NODE_UNARY ||
        (node->kind == CLOPT_NODE_MEMBER && strcmp(node->op, "->") == 0)) {
        note_access(walker, node, access);
        return;
    }
    /* A part of a vector or a record, whose others stay as they are. */
    const struct clopt_node *whole = clopt_node_whole(node);
    unsigned depends = clopt_content_depends(walker, value);
    if (whole->kind == CLOPT_NODE_VARIABLE)
        depends |= clopt_content_depends(walker, &walker->values[whole->variable->index]);
    struct clopt_content part = clopt_content_computed(walker, node, 0, depends);
    if (node->child_count)
        assign(walker, node->children[0], &part, access);
}

/* The local identity in a dimension. */
static struct clopt_affine item_symbol(struct clopt_walker *walker, unsigned dimension)
{
    if (walker->local && walker->local[dimension] == 1) /* it is 0 */
        return clopt_affine_constant(0);
    return clopt_affine_symbol(clopt_walker_symbol(walker, CLOPT_SYMBOL_ITEM, dimension, NULL, NULL,
                                                   CLOPT_DEPENDS_ITEM(dimension)));
}

/* What is the same for the work-items of a work-group, by a name of its own. */
static struct clopt_affine group_symbol(struct clopt_walker *walker, unsigned dimension,
                                        const char *name)
{
    return clopt_affine_symbol(
        clopt_walker_symbol(walker, CLOPT_SYMBOL_UNIFORM, dimension, name, NULL, 0));
}

/* Divides a global identity by the size of work-groups: what is left is the local one, the quotient
 * is the work-group's number. */
static bool divide_identity(struct clopt_walker *walker, const struct clopt_affine *identity,
                            const struct clopt_affine *size, bool rest, struct clopt_content *value)
{
    int64_t divisor = 0;
    if (!walker->local || identity->count > 2 || !clopt_affine_is_constant(size, &divisor))
        return false;
    for (unsigned d = 0; d < 3; d++) {
        const struct clopt_affine item = item_symbol(walker, d);
        struct clopt_affine global = group_symbol(walker, d, group_start);
        if (!clopt_affine_add(&global, &item, 1) || !clopt_affine_equals(&global, identity) ||
            walker->local[d] != (size_t)divisor)
            continue;
        value->affine = rest ? item : group_symbol(walker, d, group_number);
        return true;
    }
    return false;
}

/* What an operator makes of two values. */
static struct clopt_content operate(struct clopt_walker *walker, const struct clopt_node *node,
                                    const char *op, const struct clopt_content *a,
                                    const struct clopt_content *b)
{
    struct clopt_content value = {.affine = a->affine};
    bool minus = strcmp(op, "-") == 0;
    if (strcmp(op, "+") == 0 || (minus && !b->array))
        return add(walker, node, a, b, minus ? -1 : 1);
    if (!minus && clopt_affine_operate(&value.affine, op, &b->affine))
        return value;
    if ((*op == '/' || *op == '%') && !a->array &&
        divide_identity(walker, &a->affine, &b->affine, *op == '%', &value))
        return value;
    return combine(walker, node, a, b);
}

static struct clopt_content evaluate_binary(struct clopt_walker *walker,
                                            const struct clopt_node *node)
{
    const struct clopt_content a = clopt_walker_evaluate(walker, node->children[0]);
    const struct clopt_content b = clopt_walker_evaluate(walker, node->children[1]);
    if (clopt_node_is_logical(node))
        clopt_walker_forget(walker, node, node->children[1]);
    if (strcmp(node->op, ",") == 0)
        return b;
    return operate(walker, node, node->op, &a, &b);
}

/* Reads assignments, ++ and --. */
static struct clopt_content evaluate_update(struct clopt_walker *walker,
                                            const struct clopt_node *node)
{
    const struct clopt_node *location = clopt_node_bare(node->children[0]);
    struct clopt_content value = {.affine = clopt_affine_constant(1)};
    bool plain = strcmp(node->op, "=") == 0;
    char op[sizeof node->op] = ""; /* of += and ++ alike */
    memcpy(op, node->op, strlen(node->op) - 1);
    if (node->kind == CLOPT_NODE_ASSIGN)
        value = clopt_walker_evaluate(walker, node->children[1]);
    if (location->kind != CLOPT_NODE_VARIABLE) {
        assign(walker, location, &value, plain ? CLOPT_WRITE : CLOPT_READ | CLOPT_WRITE);
        return plain ? value : clopt_content_unknown(walker, node, 0);
    }
    const struct clopt_content old = evaluate_variable(walker, location);
    if (!plain)
        value = operate(walker, node, op, &old, &value);
    clopt_walker_set(walker, location->variable->index, &value);
    return node->kind == CLOPT_NODE_POSTFIX ? old : evaluate_variable(walker, location);
}

static struct clopt_content evaluate_unary(struct clopt_walker *walker,
                                           const struct clopt_node *node)
{
    const struct clopt_node *operand = clopt_node_bare(node->children[0]);
    const struct clopt_affine minus = clopt_affine_constant(-1);
    if (clopt_node_is_step(node))
        return evaluate_update(walker, node);
    if (strcmp(node->op, "*") == 0)
        return note_access(walker, node, CLOPT_READ);
    if (strcmp(node->op, "&") == 0 && operand->kind == CLOPT_NODE_SUBSCRIPT)
        return locate(walker, operand);
    struct clopt_content value = clopt_walker_evaluate(walker, operand);
    if (strcmp(node->op, "+") == 0 ||
        (strcmp(node->op, "-") == 0 && clopt_affine_multiply(&value.affine, &minus)))
        return value;
    return clopt_content_computed(walker, node, 0, clopt_content_depends(walker, &value));
}

/* ---- calls ---- */

/* Reads the functions of a work-item's location. get_global_id() is get_local_id() and a number of
 * the work-group. */
static bool evaluate_location(struct clopt_walker *walker, const struct clopt_node *call,
                              struct clopt_content *value)
{
    static const char *const of_group[] = {"get_group_id",    "get_num_groups",    "get_local_size",
                                           "get_global_size", "get_global_offset", "get_work_dim"};
    bool item = strcmp(call->name, "get_local_id") == 0;
    bool global = strcmp(call->name, "get_global_id") == 0;
    const char *group = global ? group_start : NULL;
    for (size_t i = 0; i < sizeof of_group / sizeof of_group[0]; i++)
        if (strcmp(call->name, of_group[i]) == 0)
            group = of_group[i];
    if (!item && !group)
        return false;
    const struct clopt_node *argument = call->child_count ? call->children[0] : NULL;
    unsigned dimension = argument ? (unsigned)argument->value : 0;
    *value = (struct clopt_content){.array = NULL};
    if (argument && (!argument->known || dimension > 2)) {
        *value = clopt_content_computed(walker, call, 0, item || global ? CLOPT_DEPENDS_ITEMS : 0);
        return true;
    }
    value->affine = item_symbol(walker, dimension);
    if (walker->local && strcmp(call->name, "get_local_size") == 0) {
        value->affine = clopt_affine_constant((int64_t)walker->local[dimension]);
    } else if (group) {
        const struct clopt_content start = {.affine = group_symbol(walker, dimension, group)};
        if (!global)
            clopt_walker_set_node(walker, &start.affine, call);
        *value = global ? add(walker, call, value, &start, 1) : start;
    }
    return true;
}

/* A bound changes what happens at the edges only: min(x, bound) is taken for x. */
static struct clopt_content evaluate_bound(struct clopt_walker *walker,
                                           const struct clopt_node *call,
                                           const struct clopt_content *arguments, unsigned depends)
{
    const struct clopt_content *differing = NULL;
    unsigned count = 0;
    for (size_t i = 0; i < call->child_count && i < 3; i++)
        if (clopt_content_depends(walker, &arguments[i])) {
            differing = &arguments[i];
            count++;
        }
    return count == 1 && !walker->local ? *differing
                                        : clopt_content_computed(walker, call, 0, depends);
}

/* Reads vload4(offset, pointer) and vstore4(data, offset, pointer). */
static bool evaluate_vector(struct clopt_walker *walker, const struct clopt_node *call,
                            const struct clopt_content *arguments)
{
    bool load = clopt_name_starts(call->name, "vload");
    bool store = clopt_name_starts(call->name, "vstore");
    unsigned width = (unsigned)strtoul(call->name + strcspn(call->name, "0123456789"), NULL, 10);
    size_t first = store;
    if ((!load && !store) || call->child_count < first + 2 || !width)
        return false;
    struct clopt_content offset = arguments[first];
    struct clopt_content location = arguments[first + 1];
    const struct clopt_node *pointer = call->children[first + 1];
    if (!location.array)
        return true;
    const struct clopt_affine factor = clopt_affine_constant(width);
    unsigned depends =
        clopt_content_depends(walker, &offset) | clopt_content_depends(walker, &location);
    if (!clopt_affine_multiply(&offset.affine, &factor))
        offset.affine = clopt_content_computed(walker, pointer, 1, depends).affine;
    location = add(walker, call, &location, &offset, 1);
    record(walker, call, &location, load ? CLOPT_READ : CLOPT_WRITE, width);
    return true;
}

/* Whether a function returns in other locations than at its end. */
static bool returns_early(const struct clopt_node *body)
{
    const struct clopt_node *first = clopt_node_find(body, CLOPT_NODE_RETURN);
    return first && first != body->children[body->child_count - 1];
}

/* Walks through a function of the user's with the values of its arguments. */
static struct clopt_content enter_function(struct clopt_walker *walker,
                                           const struct clopt_node *call,
                                           const struct clopt_content *arguments)
{
    const struct clopt_function *callee = call->callee;
    unsigned outer = walker->returned;
    if (walker->depth == DEEPEST_CALL)
        return clopt_content_unknown(walker, call, 0);
    for (size_t i = 0; i < callee->parameter_count && i < call->child_count; i++)
        clopt_walker_set(walker, callee->parameters[i]->index, &arguments[i]);
    walker->returned = 0;
    walker->depth++;
    clopt_walker_walk(walker, callee->body);
    walker->depth--;
    unsigned returned = walker->returned & (CLOPT_DEPENDS_ITEMS | walker->loops);
    walker->returned = outer;
    return returns_early(callee->body) ? clopt_content_unknown(walker, call, 0)
                                       : clopt_content_computed(walker, call, 0, returned);
}

/* Functions of OpenCL that are given a pointer to global memory. */
static void use_arguments(struct clopt_walker *walker, const struct clopt_node *call,
                          struct clopt_content *arguments)
{
    bool atomic = clopt_name_starts(call->name, "atom");
    for (size_t i = 0; i < call->child_count; i++) {
        if (!arguments[i].array || clopt_name_starts(call->name, "prefetch"))
            continue;
        if (!atomic) /* how much of it is accessed is not known */
            arguments[i].affine = clopt_content_unknown(walker, call, (unsigned)i + 1).affine;
        record(walker, call, &arguments[i], CLOPT_READ | CLOPT_WRITE, 1);
    }
}

static struct clopt_content evaluate_builtin(struct clopt_walker *walker,
                                             const struct clopt_node *call,
                                             struct clopt_content *arguments, unsigned depends)
{
    const char *name = call->name;
    bool differs = clopt_name_starts(name, "atom") || clopt_call_numbers_items(call);
    bool whole = call->bits >= 32 && !strstr(name, "_sat");
    if (strcmp(name, "min") == 0 || strcmp(name, "max") == 0 || strcmp(name, "clamp") == 0)
        return evaluate_bound(walker, call, arguments, depends);
    if (clopt_name_starts(name, "convert_") && call->child_count == 1 && whole)
        return arguments[0];
    if ((strcmp(name, "mul24") == 0 || strcmp(name, "mad24") == 0) &&
        clopt_affine_multiply(&arguments[0].affine, &arguments[1].affine))
        return add(walker, call, &arguments[0], &arguments[2], 1);
    if (!evaluate_vector(walker, call, arguments))
        use_arguments(walker, call, arguments);
    return differs ? clopt_content_unknown(walker, call, 0)
                   : clopt_content_computed(walker, call, 0, depends);
}

static struct clopt_content evaluate_call(struct clopt_walker *walker,
                                          const struct clopt_node *call)
{
    struct clopt_content value;
    if (evaluate_location(walker, call, &value))
        return value;
    CLOPT_FREED struct clopt_content *arguments =
        clopt_calloc(call->child_count + 3, sizeof *arguments);
    unsigned depends = 0;
    for (size_t i = 0; i < call->child_count; i++) {
        arguments[i] = clopt_walker_evaluate(walker, call->children[i]);
        depends |= clopt_content_depends(walker, &arguments[i]);
    }
    return call->callee ? enter_function(walker, call, arguments)
                        : evaluate_builtin(walker, call, arguments, depends);
}

/* ---- all expressions ---- */

static struct clopt_content evaluate_parts(struct clopt_walker *walker,
                                           const struct clopt_node *node)
{
    unsigned depends = 0;
    for (size_t i = 0; i < node->child_count; i++) {
        struct clopt_content part = clopt_walker_evaluate(walker, node->children[i]);
        depends |= clopt_content_depends(walker, &part);
    }
    return clopt_content_computed(walker, node, 0, depends);
}

static struct clopt_content evaluate_choice(struct clopt_walker *walker,
                                            const struct clopt_node *node)
{
    struct clopt_content condition = clopt_walker_evaluate(walker, node->children[0]);
    struct clopt_content yes = clopt_walker_evaluate(walker, node->children[1]);
    struct clopt_content no = clopt_walker_evaluate(walker, node->children[2]);
    clopt_walker_forget(walker, node, node->children[1]);
    clopt_walker_forget(walker, node, node->children[2]);
    if (yes.array == no.array && clopt_affine_equals(&yes.affine, &no.affine))
        return yes;
    struct clopt_content value = clopt_content_computed(walker, node, 0,
                                                        clopt_content_depends(walker, &condition) |
                                                            clopt_content_depends(walker, &yes) |
                                                            clopt_content_depends(walker, &no));
    value.array = yes.array == no.array ? yes.array : NULL;
    return value;
}

static struct clopt_content evaluate_cast(struct clopt_walker *walker,
                                          const struct clopt_node *node)
{
    struct clopt_content value = clopt_walker_evaluate(walker, node->children[0]);
    if (value.array || node->bits < 32)
        value.affine =
            clopt_content_computed(walker, node, 0, clopt_content_depends(walker, &value)).affine;
    return value;
}

struct clopt_content clopt_walker_evaluate(struct clopt_walker *walker,
                                           const struct clopt_node *node)
{
    if (node->known)
        return (struct clopt_content){.affine = clopt_affine_constant(node->value)};
    switch (node->kind) {
    case CLOPT_NODE_VARIABLE:
        return evaluate_variable(walker, node);
    case CLOPT_NODE_PAREN:
        return clopt_walker_evaluate(walker, node->children[0]);
    case CLOPT_NODE_CAST:
        return evaluate_cast(walker, node);
    case CLOPT_NODE_CALL:
        return evaluate_call(walker, node);
    case CLOPT_NODE_SUBSCRIPT:
        return note_access(walker, node, CLOPT_READ);
    case CLOPT_NODE_MEMBER:
        if (strcmp(node->op, "->") == 0)
            return note_access(walker, node, CLOPT_READ);
        return evaluate_parts(walker, node);
    case CLOPT_NODE_UNARY:
        return evaluate_unary(walker, node);
    case CLOPT_NODE_BINARY:
        return evaluate_binary(walker, node);
    case CLOPT_NODE_ASSIGN:
    case CLOPT_NODE_POSTFIX:
        return evaluate_update(walker, node);
    case CLOPT_NODE_CONDITIONAL:
        return evaluate_choice(walker, node);
    case CLOPT_NODE_SIZEOF:
        return clopt_content_computed(walker, node, 0, 0);
    default:
        return evaluate_parts(walker, node);
    }
}
