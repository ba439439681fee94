/* SPDX-License-Identifier: BSD-3-Clause */
/* Recognizes functions that add to a number in memory by compare-and-swap, which is how OpenCL C
 * 1.2 adds floats: a loop that ends once what it has computed from an expected value has taken that
 * value's place. What came before it in the loop changed nothing. */
#include <clopt/loop.h>

#include "update.h"

/* A function, and its call of atomic_cmpxchg. */
struct swap {
    const struct clopt_function *function;
    const struct clopt_node *loop;
    const struct clopt_node *call;
};

/* What casts and parentheses are around. */
static const struct clopt_node *strip(const struct clopt_node *node)
{
    while (node->kind == CLOPT_NODE_PAREN || node->kind == CLOPT_NODE_CAST)
        node = node->children[node->child_count - 1];
    return node;
}

/* Whether an address is that which the function is given. */
static bool is_address(const struct swap *swap, const struct clopt_node *node)
{
    node = strip(node);
    const struct clopt_variable *variable =
        node->kind == CLOPT_NODE_VARIABLE ? node->variable : NULL;
    if (variable == swap->function->parameters[0])
        return !variable->changed;
    const struct clopt_node *value = variable ? clopt_variable_value(variable) : NULL;
    return value && variable->is_pointer && is_address(swap, value);
}

static const struct clopt_node *find_swap(const struct clopt_node *node)
{
    return clopt_node_calls(node, "atomic_cmpxchg") || clopt_node_calls(node, "atom_cmpxchg")
               ? node
               : NULL;
}

/* Finds the one call; false where the function does anything else to memory, or leaves the loop. */
static bool find_call(struct swap *swap)
{
    const struct clopt_node *body = swap->function->body;
    for (const struct clopt_node *node = body; node; node = clopt_node_next(node, body)) {
        bool again = clopt_node_is_loop(node) && swap->loop;
        bool leaves = node->kind == CLOPT_NODE_RETURN || node->kind == CLOPT_NODE_BREAK ||
                      node->kind == CLOPT_NODE_CONTINUE || node->kind == CLOPT_NODE_GOTO;
        const struct clopt_node *written = clopt_node_written(node);
        if (again || leaves ||
            (written && clopt_node_search(written, clopt_node_is_memory, NULL)) ||
            (node->kind == CLOPT_NODE_CALL && (swap->call || !find_swap(node))))
            return false;
        if (clopt_node_is_loop(node))
            swap->loop = node;
        if (node->kind == CLOPT_NODE_CALL)
            swap->call = node;
    }
    return swap->call && swap->loop && swap->call->child_count == 3 &&
           swap->loop->kind != CLOPT_NODE_FOR && clopt_node_contains(swap->loop, swap->call) &&
           is_address(swap, swap->call->children[0]);
}

/* The variable of x, or of a union's x.u. */
static const struct clopt_variable *variable_of(const struct clopt_node *node)
{
    node = clopt_node_whole(node);
    return node->kind == CLOPT_NODE_VARIABLE ? node->variable : NULL;
}

/* Whether an expression is what the call has returned: it, an assignment of it, or what the loop
 * assigns it to as its last statement. */
static bool is_seen(const struct swap *swap, const struct clopt_node *node)
{
    const struct clopt_node *assignment = swap->call->parent, *body = swap->loop->body;
    node = clopt_node_bare(node);
    if (node->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(node, "="))
        node = clopt_node_bare(node->children[1]);
    if (node == swap->call)
        return true;
    return swap->loop->kind == CLOPT_NODE_DO && assignment->kind == CLOPT_NODE_ASSIGN &&
           clopt_node_is_operator(assignment, "=") && assignment->parent == body &&
           body->children[body->child_count - 1] == assignment &&
           clopt_nodes_equal(clopt_node_bare(assignment->children[0]), node) &&
           variable_of(node) != variable_of(swap->call->children[1]);
}

/* Whether the loop goes on exactly while the call returns another value than it expected. */
static bool ends_with_success(const struct swap *swap)
{
    const struct clopt_node *condition = clopt_node_bare(swap->loop->condition);
    const struct clopt_node *expected = clopt_node_bare(swap->call->children[1]);
    if (!clopt_node_is_operator(condition, "!="))
        return false;
    const struct clopt_node *a = condition->children[0], *b = condition->children[1];
    return (is_seen(swap, a) && clopt_nodes_equal(clopt_node_bare(b), expected)) ||
           (is_seen(swap, b) && clopt_nodes_equal(clopt_node_bare(a), expected));
}

/* Whether an expression is the expected value, as a float. */
static bool is_expected(const struct swap *swap, const struct clopt_node *node)
{
    const struct clopt_node *expected = clopt_node_bare(swap->call->children[1]);
    node = clopt_node_bare(node);
    if (node->scalar != CLOPT_SCALAR_FLOAT || node->width != 1 || !variable_of(expected))
        return false;
    if (node->kind == CLOPT_NODE_AS_TYPE)
        return clopt_nodes_equal(clopt_node_bare(node->children[0]), expected);
    return node->kind == CLOPT_NODE_MEMBER && expected->kind == CLOPT_NODE_MEMBER &&
           variable_of(node) == variable_of(expected);
}

/* Whether an expression is the expected value plus what the function is given. */
static bool is_sum(const struct swap *swap, const struct clopt_node *node)
{
    const struct clopt_variable *added = swap->function->parameters[1];
    node = clopt_node_bare(node);
    if (!clopt_node_is_operator(node, "+") || node->kind != CLOPT_NODE_BINARY || added->changed)
        return false;
    const struct clopt_node *a = node->children[0], *b = node->children[1];
    return (is_expected(swap, a) && clopt_node_names(clopt_node_bare(b), added)) ||
           (is_expected(swap, b) && clopt_node_names(clopt_node_bare(a), added));
}

/* The one assignment to a variable, or to a union, in the loop; NULL: there are others. */
static const struct clopt_node *find_assignment(const struct swap *swap,
                                                const struct clopt_variable *variable)
{
    const struct clopt_node *body = swap->function->body, *found = NULL;
    for (const struct clopt_node *node = body; node; node = clopt_node_next(node, body)) {
        const struct clopt_node *written = clopt_node_written(node);
        if (!written || variable_of(written) != variable)
            continue;
        if (found || !clopt_node_is_operator(node, "=") || node->parent != swap->loop->body)
            return NULL;
        found = node;
    }
    return found;
}

/* Whether what takes the expected value's place is computed from it, in the iteration at hand. */
static bool is_computed(const struct swap *swap)
{
    const struct clopt_node *desired = clopt_node_bare(swap->call->children[2]);
    const struct clopt_node *body = swap->loop->body;
    if (desired->kind == CLOPT_NODE_AS_TYPE)
        return is_sum(swap, desired->children[0]);
    const struct clopt_variable *variable = variable_of(desired);
    const struct clopt_node *assignment =
        variable && desired->kind == CLOPT_NODE_MEMBER ? find_assignment(swap, variable) : NULL;
    if (!assignment || swap->loop->kind != CLOPT_NODE_DO ||
        !is_sum(swap, assignment->children[1]) ||
        clopt_node_whole(assignment->children[0]) == assignment->children[0] ||
        assignment->children[0]->scalar != CLOPT_SCALAR_FLOAT)
        return false;
    const struct clopt_variable *expected = variable_of(swap->call->children[1]);
    for (size_t i = clopt_node_position(assignment); i < body->child_count; i++)
        if (clopt_node_uses(body->children[i], expected) & (CLOPT_WRITE | CLOPT_ADDRESS))
            return false;
    return !(clopt_node_uses(swap->loop->condition, expected) & (CLOPT_WRITE | CLOPT_ADDRESS));
}

bool swap_adds(const struct clopt_function *function)
{
    struct swap swap = {.function = function};
    const struct clopt_variable *pointer = function->parameters[0];
    return function->parameter_count == 2 && strcmp(function->type, "void") == 0 &&
           pointer->is_pointer && pointer->pointee_scalar == CLOPT_SCALAR_FLOAT &&
           pointer->pointee_width == 1 && function->parameters[1]->scalar == CLOPT_SCALAR_FLOAT &&
           function->parameters[1]->width == 1 && find_call(&swap) && ends_with_success(&swap) &&
           is_computed(&swap);
}
