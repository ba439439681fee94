/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads expressions as forms, and records the accesses that they make. */
#include <stdlib.h>
#include <string.h>

#include "analysis/walker.h"
#include "kernel/effect.h"

#define DEEPEST_CALL 16

/* Keys of symbols. */
static const char group_start[] = "group's start";
static const char group_number[] = "group's number";

/* ---- accesses ---- */

static void record(struct clopt_walker *walker, const struct clopt_node *node,
                   const struct clopt_walker_value *place, unsigned access, unsigned width)
{
    struct clopt_subscripts *found = walker->found;
    if (walker->silent || walker->failed)
        return;
    struct clopt_subscript *accesses =
        realloc(found->accesses, (found->access_count + 1) * sizeof *accesses);
    if (!accesses) {
        walker->failed = true;
        return;
    }
    found->accesses = accesses;
    accesses[found->access_count++] =
        (struct clopt_subscript){node, place->array, access, width, walker->loops, place->form};
}

static bool is_device_memory(const struct clopt_node *node)
{
    return node->space == CLOPT_SPACE_GLOBAL || node->space == CLOPT_SPACE_CONSTANT;
}

static struct clopt_walker_value add_values(struct clopt_walker *walker,
                                            const struct clopt_node *node,
                                            struct clopt_walker_value a,
                                            const struct clopt_walker_value *b, int64_t factor)
{
    unsigned depends = clopt_value_depends(walker, &a) | clopt_value_depends(walker, b);
    if (!clopt_form_add(&a.form, &b->form, factor))
        a.form = clopt_value_computed(walker, node, 0, depends).form;
    if (!a.array)
        a.array = b->array;
    return a;
}

/* Where a subscript, *, ->, or what is a part of one of them, leads to; nothing is accessed yet. */
static struct clopt_walker_value locate(struct clopt_walker *walker, const struct clopt_node *node)
{
    struct clopt_walker_value place = clopt_walker_evaluate(walker, node->children[0]);
    if (node->kind == CLOPT_NODE_SUBSCRIPT) {
        struct clopt_walker_value index = clopt_walker_evaluate(walker, node->children[1]);
        if (!node->is_array && !node->children[0]->is_array)
            return add_values(walker, node, place, &index, 1);
        unsigned depends =
            clopt_value_depends(walker, &place) | clopt_value_depends(walker, &index);
        place.form = clopt_value_computed(walker, node, 0, depends).form;
    }
    return place;
}

/* Reads or writes what a place holds; returns what is read. */
static struct clopt_walker_value note_access(struct clopt_walker *walker,
                                             const struct clopt_node *node, unsigned access)
{
    struct clopt_walker_value place = locate(walker, node);
    if (node->is_array)
        return place; /* its elements are accessed further up */
    if (is_device_memory(node) && (place.array || node->space == CLOPT_SPACE_GLOBAL))
        record(walker, node, &place, access, 1);
    unsigned depends = clopt_value_depends(walker, &place);
    if (!is_device_memory(node))
        depends |= CLOPT_DEPENDS_ITEMS | walker->loops;
    return clopt_value_computed(walker, node, 0, depends);
}

/* ---- expressions ---- */

static void set_variable(struct clopt_walker *walker, const struct clopt_variable *variable,
                         const struct clopt_walker_value *value)
{
    walker->values[variable->index] = *value;
}

static const struct clopt_node *bare(const struct clopt_node *node)
{
    while (node->kind == CLOPT_NODE_PAREN)
        node = node->children[0];
    return node;
}

/* Gives an expression a value: a variable, or memory. */
static void assign(struct clopt_walker *walker, const struct clopt_node *node,
                   const struct clopt_walker_value *value, unsigned access)
{
    node = bare(node);
    if (node->kind == CLOPT_NODE_VARIABLE) {
        set_variable(walker, node->variable, value);
        return;
    }
    if (node->kind == CLOPT_NODE_SUBSCRIPT || node->kind == CLOPT_NODE_UNARY ||
        (node->kind == CLOPT_NODE_MEMBER && strcmp(node->op, "->") == 0)) {
        note_access(walker, node, access);
        return;
    }
    /* A part of a vector or a record. */
    struct clopt_walker_value part =
        clopt_value_computed(walker, node, 0, clopt_value_depends(walker, value));
    if (node->child_count)
        assign(walker, node->children[0], &part, access);
}

/* Divides a global identity by the size of work-groups: what is left is the local one, the quotient
 * is the group's number. */
static bool divide_identity(struct clopt_walker *walker, const struct clopt_form *identity,
                            const struct clopt_form *size, bool rest,
                            struct clopt_walker_value *value)
{
    int64_t divisor = 0;
    if (!walker->local || identity->count != 2 || !clopt_form_is_constant(size, &divisor))
        return false;
    for (unsigned d = 0; d < 3; d++) {
        struct clopt_form item = clopt_form_symbol(
            clopt_walker_symbol(walker, CLOPT_SYMBOL_ITEM, d, NULL, NULL, CLOPT_DEPENDS_ITEM(d)));
        struct clopt_form global = item;
        struct clopt_form start = clopt_form_symbol(
            clopt_walker_symbol(walker, CLOPT_SYMBOL_UNIFORM, d, group_start, NULL, 0));
        if (!clopt_form_add(&global, &start, 1) || !clopt_form_equals(&global, identity))
            continue;
        if (walker->local[d] != (size_t)divisor)
            return false;
        value->form = rest ? item
                           : clopt_form_symbol(clopt_walker_symbol(walker, CLOPT_SYMBOL_UNIFORM, d,
                                                                   group_number, NULL, 0));
        return true;
    }
    return false;
}

static struct clopt_walker_value evaluate_binary(struct clopt_walker *walker,
                                                 const struct clopt_node *node)
{
    struct clopt_walker_value a = clopt_walker_evaluate(walker, node->children[0]);
    struct clopt_walker_value b = clopt_walker_evaluate(walker, node->children[1]);
    const char *op = node->op;
    unsigned depends = clopt_value_depends(walker, &a) | clopt_value_depends(walker, &b);
    int64_t shift;
    if (strcmp(op, ",") == 0)
        return b;
    if (strcmp(op, "+") == 0)
        return add_values(walker, node, a, &b, 1);
    if (strcmp(op, "-") == 0 && !b.array)
        return add_values(walker, node, a, &b, -1);
    if (strcmp(op, "*") == 0 && clopt_form_multiply(&a.form, &b.form))
        return a;
    struct clopt_walker_value divided = {.array = NULL};
    if ((*op == '/' || *op == '%') && !a.array &&
        divide_identity(walker, &a.form, &b.form, *op == '%', &divided))
        return divided;
    if (strcmp(op, "<<") == 0 && clopt_form_is_constant(&b.form, &shift) && shift >= 0 &&
        shift < 32) {
        struct clopt_form factor = clopt_form_constant(INT64_C(1) << shift);
        if (clopt_form_multiply(&a.form, &factor))
            return a;
    }
    struct clopt_walker_value value = clopt_value_computed(walker, node, 0, depends);
    if (!depends && value.form.count)
        clopt_walker_set_node(walker, value.form.terms[0].symbols[0], node);
    return value;
}

static struct clopt_walker_value evaluate_assign(struct clopt_walker *walker,
                                                 const struct clopt_node *node)
{
    struct clopt_walker_value value = clopt_walker_evaluate(walker, node->children[1]);
    if (strcmp(node->op, "=") == 0) {
        assign(walker, node->children[0], &value, CLOPT_WRITE);
        return value;
    }
    const struct clopt_node *place = bare(node->children[0]);
    if (place->kind != CLOPT_NODE_VARIABLE) {
        assign(walker, place, &value, CLOPT_READ | CLOPT_WRITE);
        return clopt_value_computed(walker, node, 0,
                                    clopt_value_depends(walker, &value) | walker->loops);
    }
    struct clopt_walker_value old = walker->values[place->variable->index];
    unsigned depends = clopt_value_depends(walker, &old) | clopt_value_depends(walker, &value);
    if (strcmp(node->op, "+=") == 0)
        value = add_values(walker, node, old, &value, 1);
    else if (strcmp(node->op, "-=") == 0)
        value = add_values(walker, node, old, &value, -1);
    else if (strcmp(node->op, "*=") == 0 && clopt_form_multiply(&old.form, &value.form))
        value = old;
    else
        value = clopt_value_computed(walker, node, 0, depends);
    set_variable(walker, place->variable, &value);
    return value;
}

/* Reads ++ and --. */
static struct clopt_walker_value evaluate_step(struct clopt_walker *walker,
                                               const struct clopt_node *node)
{
    const struct clopt_node *place = bare(node->children[0]);
    struct clopt_walker_value one = {.form = clopt_form_constant(1)};
    if (place->kind != CLOPT_NODE_VARIABLE) {
        assign(walker, place, &one, CLOPT_READ | CLOPT_WRITE);
        return clopt_value_computed(walker, node, 0, CLOPT_DEPENDS_ITEMS | walker->loops);
    }
    struct clopt_walker_value old = walker->values[place->variable->index];
    struct clopt_walker_value next =
        add_values(walker, node, old, &one, clopt_node_is_operator(node, "++") ? 1 : -1);
    set_variable(walker, place->variable, &next);
    return node->kind == CLOPT_NODE_POSTFIX ? old : next;
}

static struct clopt_walker_value evaluate_unary(struct clopt_walker *walker,
                                                const struct clopt_node *node)
{
    const struct clopt_node *operand = bare(node->children[0]);
    if (clopt_node_is_step(node))
        return evaluate_step(walker, node);
    if (strcmp(node->op, "*") == 0)
        return note_access(walker, node, CLOPT_READ);
    if (strcmp(node->op, "&") == 0 && operand->kind == CLOPT_NODE_SUBSCRIPT)
        return locate(walker, operand);
    struct clopt_walker_value value = clopt_walker_evaluate(walker, operand);
    struct clopt_form minus = clopt_form_constant(-1);
    if (strcmp(node->op, "+") == 0)
        return value;
    if (strcmp(node->op, "-") == 0 && clopt_form_multiply(&value.form, &minus))
        return value;
    return clopt_value_computed(walker, node, 0, clopt_value_depends(walker, &value));
}

/* ---- calls ---- */

/* Reads the functions of a work-item's place. get_global_id() is get_local_id() and a number of the
 * work-group. */
static bool evaluate_place(struct clopt_walker *walker, const struct clopt_node *call,
                           struct clopt_walker_value *value)
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
    if (argument && (!argument->known || dimension > 2)) {
        *value = clopt_value_computed(walker, call, 0, item || global ? CLOPT_DEPENDS_ITEMS : 0);
        return true;
    }
    struct clopt_walker_value own = clopt_value_of_symbol(clopt_walker_symbol(
        walker, CLOPT_SYMBOL_ITEM, dimension, NULL, NULL, CLOPT_DEPENDS_ITEM(dimension)));
    struct clopt_walker_value start = own;
    if (walker->local && strcmp(call->name, "get_local_size") == 0) {
        *value = (struct clopt_walker_value){
            .form = clopt_form_constant((int64_t)walker->local[dimension])};
        return true;
    }
    if (group) {
        unsigned symbol =
            clopt_walker_symbol(walker, CLOPT_SYMBOL_UNIFORM, dimension, group, NULL, 0);
        start = clopt_value_of_symbol(symbol);
        if (!global)
            clopt_walker_set_node(walker, symbol, call);
    }
    *value = global ? add_values(walker, call, own, &start, 1) : start;
    return true;
}

/* A bound changes what happens at the edges only: min(x, bound) is taken for x. */
static struct clopt_walker_value evaluate_bound(struct clopt_walker *walker,
                                                const struct clopt_node *call,
                                                const struct clopt_walker_value *arguments,
                                                unsigned depends)
{
    const struct clopt_walker_value *differing = NULL;
    unsigned count = 0;
    for (size_t i = 0; i < call->child_count && i < 3; i++)
        if (clopt_value_depends(walker, &arguments[i])) {
            differing = &arguments[i];
            count++;
        }
    return count == 1 && !walker->local ? *differing
                                        : clopt_value_computed(walker, call, 0, depends);
}

/* Reads vload4(offset, pointer) and vstore4(data, offset, pointer). */
static bool evaluate_vector(struct clopt_walker *walker, const struct clopt_node *call,
                            const struct clopt_walker_value *arguments)
{
    bool load = clopt_name_starts(call->name, "vload");
    bool store = clopt_name_starts(call->name, "vstore");
    unsigned width = (unsigned)strtoul(call->name + strcspn(call->name, "0123456789"), NULL, 10);
    size_t first = store;
    if ((!load && !store) || call->child_count < first + 2 || !width)
        return false;
    struct clopt_walker_value offset = arguments[first];
    struct clopt_walker_value place = arguments[first + 1];
    const struct clopt_node *pointer = call->children[first + 1];
    if (!place.array)
        return true;
    struct clopt_form factor = clopt_form_constant(width);
    unsigned depends = clopt_value_depends(walker, &offset) | clopt_value_depends(walker, &place);
    if (!clopt_form_multiply(&offset.form, &factor))
        offset.form = clopt_value_computed(walker, pointer, 1, depends).form;
    place = add_values(walker, call, place, &offset, 1);
    record(walker, call, &place, load ? CLOPT_READ : CLOPT_WRITE, width);
    return true;
}

/* Walks through a function of the user's with the values of its arguments. */
static void enter_function(struct clopt_walker *walker, const struct clopt_node *call,
                           const struct clopt_walker_value *arguments)
{
    const struct clopt_function *callee = call->callee;
    if (walker->depth == DEEPEST_CALL)
        return;
    for (size_t i = 0; i < callee->parameter_count && i < call->child_count; i++)
        set_variable(walker, callee->parameters[i], &arguments[i]);
    walker->depth++;
    clopt_walker_walk(walker, callee->body);
    walker->depth--;
}

/* Functions of OpenCL that are given a pointer to global memory. */
static void use_arguments(struct clopt_walker *walker, const struct clopt_node *call,
                          struct clopt_walker_value *arguments)
{
    bool atomic = clopt_name_starts(call->name, "atom");
    for (size_t i = 0; i < call->child_count; i++) {
        if (!arguments[i].array || clopt_name_starts(call->name, "prefetch"))
            continue;
        if (!atomic) /* how much of it is accessed is not known */
            arguments[i].form = clopt_value_computed(walker, call, (unsigned)i + 1,
                                                     CLOPT_DEPENDS_ITEMS | walker->loops)
                                    .form;
        record(walker, call, &arguments[i], CLOPT_READ | CLOPT_WRITE, 1);
    }
}

static struct clopt_walker_value evaluate_call(struct clopt_walker *walker,
                                               const struct clopt_node *call)
{
    struct clopt_walker_value value;
    if (evaluate_place(walker, call, &value))
        return value;
    struct clopt_walker_value *arguments = calloc(call->child_count + 3, sizeof *arguments);
    unsigned depends = 0;
    if (!arguments) {
        walker->failed = true;
        return (struct clopt_walker_value){.array = NULL};
    }
    for (size_t i = 0; i < call->child_count; i++) {
        arguments[i] = clopt_walker_evaluate(walker, call->children[i]);
        depends |= clopt_value_depends(walker, &arguments[i]);
    }
    value = clopt_value_computed(walker, call, 0, depends);
    if (call->callee)
        enter_function(walker, call, arguments);
    else if (strcmp(call->name, "min") == 0 || strcmp(call->name, "max") == 0 ||
             strcmp(call->name, "clamp") == 0)
        value = evaluate_bound(walker, call, arguments, depends);
    else if (clopt_name_starts(call->name, "convert_") && call->child_count == 1)
        value = arguments[0];
    else if ((strcmp(call->name, "mul24") == 0 || strcmp(call->name, "mad24") == 0) &&
             clopt_form_multiply(&arguments[0].form, &arguments[1].form))
        value = add_values(walker, call, arguments[0], &arguments[2], 1);
    else if (!evaluate_vector(walker, call, arguments))
        use_arguments(walker, call, arguments);
    free(arguments);
    return value;
}

/* ---- all expressions ---- */

static struct clopt_walker_value evaluate_parts(struct clopt_walker *walker,
                                                const struct clopt_node *node)
{
    unsigned depends = 0;
    for (size_t i = 0; i < node->child_count; i++) {
        struct clopt_walker_value part = clopt_walker_evaluate(walker, node->children[i]);
        depends |= clopt_value_depends(walker, &part);
    }
    return clopt_value_computed(walker, node, 0, depends);
}

static struct clopt_walker_value evaluate_choice(struct clopt_walker *walker,
                                                 const struct clopt_node *node)
{
    struct clopt_walker_value condition = clopt_walker_evaluate(walker, node->children[0]);
    struct clopt_walker_value yes = clopt_walker_evaluate(walker, node->children[1]);
    struct clopt_walker_value no = clopt_walker_evaluate(walker, node->children[2]);
    if (yes.array == no.array && clopt_form_equals(&yes.form, &no.form))
        return yes;
    struct clopt_walker_value value = clopt_value_computed(walker, node, 0,
                                                           clopt_value_depends(walker, &condition) |
                                                               clopt_value_depends(walker, &yes) |
                                                               clopt_value_depends(walker, &no));
    value.array = yes.array == no.array ? yes.array : NULL;
    return value;
}

static struct clopt_walker_value evaluate_cast(struct clopt_walker *walker,
                                               const struct clopt_node *node)
{
    struct clopt_walker_value value = clopt_walker_evaluate(walker, node->children[0]);
    if (!value.array && node->bits)
        return value;
    value.form = clopt_value_computed(walker, node, 0, clopt_value_depends(walker, &value)).form;
    return value;
}

struct clopt_walker_value clopt_walker_evaluate(struct clopt_walker *walker,
                                                const struct clopt_node *node)
{
    if (node->known)
        return (struct clopt_walker_value){.form = clopt_form_constant(node->value)};
    switch (node->kind) {
    case CLOPT_NODE_VARIABLE:
        return walker->values[node->variable->index];
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
    case CLOPT_NODE_POSTFIX:
        return evaluate_step(walker, node);
    case CLOPT_NODE_BINARY:
        return evaluate_binary(walker, node);
    case CLOPT_NODE_ASSIGN:
        return evaluate_assign(walker, node);
    case CLOPT_NODE_CONDITIONAL:
        return evaluate_choice(walker, node);
    case CLOPT_NODE_SIZEOF:
        return clopt_value_computed(walker, node, 0, 0);
    default:
        return evaluate_parts(walker, node);
    }
}
