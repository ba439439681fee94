/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out how far index expressions reach. */
#include "guess.h"

#include <limits.h>

#define DEEPEST 24 /* variables of variables */
#define ORIGINS 8  /* the same, where all are visited: a loop's counter is in its condition */

const struct clopt_node *kernel_plain(const struct clopt_node *node)
{
    while (node && (node->kind == CLOPT_NODE_PAREN || node->kind == CLOPT_NODE_CAST))
        node = node->children[0];
    return node;
}

const struct clopt_variable *kernel_structure(const struct clopt_node *member)
{
    const struct clopt_node *whole = kernel_plain(member->children[0]);
    bool first = whole->kind == CLOPT_NODE_SUBSCRIPT && whole->children[1]->known &&
                 whole->children[1]->value == 0;
    if (first || (whole->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(whole, "*")))
        whole = kernel_plain(whole->children[0]);
    return whole->kind == CLOPT_NODE_VARIABLE ? whole->variable : NULL;
}

static int find_member(const struct kernel_guess *guess, const struct clopt_node *node)
{
    const struct clopt_variable *structure = kernel_structure(node);
    for (size_t i = guess->kernel->parameter_count; structure && i < guess->count; i++)
        if (guess->fields[i].structure == structure &&
            strcmp(guess->fields[i].member->name, node->name) == 0)
            return (int)i;
    return -1;
}

int kernel_size_parameter(const struct kernel_guess *guess, const struct clopt_node *node)
{
    node = kernel_plain(node);
    if (node && node->kind == CLOPT_NODE_MEMBER)
        return find_member(guess, node);
    if (!node || node->kind != CLOPT_NODE_VARIABLE || !node->variable->bits ||
        node->variable->is_pointer)
        return -1;
    for (size_t i = 0; i < guess->kernel->parameter_count; i++)
        if (guess->kernel->parameters[i] == node->variable)
            return node->variable->writes ? -1 : (int)i;
    return -1;
}

const struct clopt_variable *kernel_counts(const struct clopt_node *loop)
{
    const struct clopt_node *step = loop->kind == CLOPT_NODE_FOR ? kernel_plain(loop->step) : NULL;
    const struct clopt_node *counter =
        step && step->child_count ? kernel_plain(step->children[0]) : NULL;
    return counter ? counter->variable : NULL;
}

/* The for loop around a node that counts with its variable; NULL: none. */
static const struct clopt_node *counting_loop(const struct clopt_node *node)
{
    const struct clopt_node *loop = node->kind == CLOPT_NODE_VARIABLE ? node->parent : NULL;
    while (loop && kernel_counts(loop) != node->variable)
        loop = loop->parent;
    return loop;
}

const struct clopt_node *kernel_resolve(const struct clopt_node *node)
{
    node = kernel_plain(node);
    for (int depth = 0; node && node->kind == CLOPT_NODE_VARIABLE && depth < DEEPEST; depth++) {
        const struct clopt_node *value = kernel_plain(clopt_variable_value(node->variable));
        if (!value)
            break;
        node = value;
    }
    return node;
}

unsigned kernel_group_of(const struct clopt_node *node)
{
    return clopt_node_dimension(kernel_resolve(node), "get_group_id");
}

/* Whether a node is the first work-item of its group: get_group_id(d) * anything. */
static bool is_group_start(const struct clopt_node *node, unsigned dimension)
{
    node = kernel_resolve(node);
    return kernel_is_binary(node, "*") && (kernel_group_of(node->children[0]) == dimension ||
                                           kernel_group_of(node->children[1]) == dimension);
}

int kernel_identity_of(const struct clopt_node *node)
{
    node = kernel_resolve(node);
    unsigned dimension = node ? clopt_node_dimension(node, "get_global_id") : 3;
    for (int side = 0; side < 2 && node && kernel_is_binary(node, "+"); side++) {
        unsigned local = clopt_node_dimension(kernel_resolve(node->children[side]), "get_local_id");
        if (local < 3 && is_group_start(node->children[!side], local))
            dimension = local;
    }
    return dimension < 3 ? (int)dimension : -1;
}

void kernel_walk_nodes(struct kernel_guess *guess, const struct clopt_node *node, kernel_note visit)
{
    for (const struct clopt_node *at = node; at; at = clopt_node_next(at, node))
        visit(guess, at);
}

void kernel_walk_all(struct kernel_guess *guess, kernel_note visit)
{
    for (size_t i = 0; i < guess->source->function_count; i++)
        kernel_walk_nodes(guess, guess->source->functions[i]->body, visit);
}

static void walk_origins(struct kernel_guess *guess, const struct clopt_node *node,
                         kernel_note visit, int depth)
{
    for (const struct clopt_node *at = node; at; at = clopt_node_next(at, node)) {
        visit(guess, at);
        const struct clopt_node *loop = depth ? counting_loop(at) : NULL;
        const struct clopt_node *value =
            depth && at->kind == CLOPT_NODE_VARIABLE ? clopt_variable_value(at->variable) : NULL;
        if (value || loop)
            walk_origins(guess, value ? value : loop->condition, visit, depth - 1);
    }
}

void kernel_walk_origins(struct kernel_guess *guess, const struct clopt_node *node,
                         kernel_note visit)
{
    walk_origins(guess, node, visit, ORIGINS);
}

/* ---- bounds ---- */

static const struct kernel_bound unknown = {.known = false};

static struct kernel_bound upper(const struct kernel_guess *guess, const struct clopt_node *node,
                                 int depth);

static struct kernel_bound less(struct kernel_bound bound)
{
    return kernel_bound_plus(bound, -1);
}

/* The smallest value that an expression is sure to have; indices are not negative. */
static int64_t lower(const struct clopt_node *node)
{
    node = kernel_resolve(node);
    if (counting_loop(node)) {
        const struct clopt_node *first = kernel_plain(node->variable->value);
        return first && first->known && first->value < 0 ? first->value : 0;
    }
    return node->known ? node->value : 0;
}

/* The smaller of two bounds where one of them is not known or they can be compared. */
static struct kernel_bound smaller(struct kernel_bound a, struct kernel_bound b)
{
    if (!a.known || !b.known)
        return a.known ? a : b;
    bool second = kernel_bound_covers(a, b) ||
                  (!kernel_bound_covers(b, a) && b.sum.count < a.sum.count); /* the plainer one */
    return second ? b : a;
}

static struct kernel_bound larger(struct kernel_bound a, struct kernel_bound b)
{
    if (!a.known || !b.known)
        return unknown;
    return kernel_bound_covers(a, b) ? a : kernel_bound_covers(b, a) ? b : unknown;
}

/* What a condition that holds says of an expression: i < n and n > i bound i by n - 1. `loop` is
 * that of a variable whose loop has the condition; NULL: it is that of an if. */
static struct kernel_bound condition_bound(const struct kernel_guess *guess,
                                           const struct clopt_node *condition,
                                           const struct clopt_node *node,
                                           const struct clopt_node *loop, int depth)
{
    condition = kernel_plain(condition);
    if (!condition || condition->kind != CLOPT_NODE_BINARY)
        return unknown;
    if (strcmp(condition->op, "&&") == 0)
        return smaller(condition_bound(guess, condition->children[0], node, loop, depth),
                       condition_bound(guess, condition->children[1], node, loop, depth));
    bool first = clopt_nodes_equal(kernel_plain(condition->children[0]), node);
    char rising = first ? '<' : '>', second = condition->op[1];
    bool below = condition->op[0] == rising && second != rising;
    if (!first && !clopt_nodes_equal(kernel_plain(condition->children[1]), node))
        return unknown;
    if (!below && (!loop || strcmp(condition->op, "!=") != 0)) /* it counts down, from its first */
        return loop ? upper(guess, node->variable->value, depth) : unknown;
    struct kernel_bound limit = upper(guess, condition->children[first], depth);
    return below && second == '=' ? limit : less(limit);
}

/* Lengths of local memory follow the local size, even where it is known as a number. */
static struct kernel_bound local_size(const struct kernel_guess *guess, unsigned d)
{
    return guess->local[d] && !guess->in_local ? kernel_bound_constant((int64_t)guess->local[d])
                                               : kernel_bound_size(KERNEL_LOCAL_SIZE + d);
}

static struct kernel_bound variable_bound(const struct kernel_guess *guess,
                                          const struct clopt_node *node, int depth)
{
    const struct clopt_node *value = clopt_variable_value(node->variable);
    const struct clopt_node *loop = counting_loop(node);
    int parameter = kernel_size_parameter(guess, node);
    if (parameter >= 0 && guess->parameters[parameter].role == KERNEL_STRIDE)
        return kernel_stride(guess, (size_t)parameter);
    if (parameter >= 0 && guess->parameters[parameter].role == KERNEL_BLOCK)
        return local_size(guess, 0);
    if (parameter >= 0 && guess->parameters[parameter].is_bytes)
        return kernel_bound_constant(0);
    if (parameter >= 0)
        return kernel_bound_size(KERNEL_PARAMETER + (unsigned)parameter);
    if (value)
        return upper(guess, value, depth);
    return loop ? condition_bound(guess, loop->condition, node, loop, depth) : unknown;
}

/* The number of work-groups in a dimension times the local size is the global size. */
static struct kernel_bound query_bound(const struct kernel_guess *guess,
                                       const struct clopt_node *node)
{
    static const char *const queries[] = {"get_global_id",  "get_global_size", "get_group_id",
                                          "get_num_groups", "get_local_id",    "get_local_size"};
    for (unsigned q = 0; q < sizeof queries / sizeof *queries; q++) {
        unsigned d = clopt_node_dimension(node, queries[q]);
        if (d == 3)
            continue;
        struct kernel_bound size = q < 2   ? guess->global[d]
                                   : q < 4 ? kernel_bound_size(KERNEL_GROUPS + d)
                                           : local_size(guess, d);
        return q % 2 ? size : less(size);
    }
    return unknown;
}

static struct kernel_bound call_bound(const struct kernel_guess *guess,
                                      const struct clopt_node *node, int depth)
{
    struct kernel_bound a[3] = {unknown, unknown, unknown};
    size_t count = node->child_count;
    if (node->callee || !node->name)
        return unknown;
    for (size_t i = 0; i < count && i < 3; i++)
        a[i] = upper(guess, node->children[i], depth);
    if (strcmp(node->name, "min") == 0 && count == 2)
        return smaller(a[0], a[1]);
    if (strcmp(node->name, "max") == 0 && count == 2)
        return larger(a[0], a[1]);
    if (strcmp(node->name, "clamp") == 0 && count == 3)
        return a[2];
    if (strcmp(node->name, "mad24") == 0 && count == 3)
        return kernel_bound_add(kernel_bound_multiply(a[0], a[1]), a[2], 1);
    if (strcmp(node->name, "mul24") == 0 && count == 2)
        return kernel_bound_multiply(a[0], a[1]);
    return query_bound(guess, node);
}

/* i / n * n is at most i. */
static struct kernel_bound undivided(const struct kernel_guess *guess,
                                     const struct clopt_node *quotient,
                                     const struct clopt_node *factor, int depth)
{
    quotient = kernel_resolve(quotient);
    if (!kernel_is_binary(quotient, "/"))
        return unknown;
    return kernel_bound_equal(upper(guess, quotient->children[1], depth),
                              upper(guess, factor, depth))
               ? upper(guess, quotient->children[0], depth)
               : unknown;
}

/* i / n of an i below m * n is below m; otherwise it is at most i. */
static struct kernel_bound divided(struct kernel_bound a, struct kernel_bound b)
{
    struct kernel_bound count = kernel_bound_plus(a, 1);
    const struct clopt_term *by = &b.sum.terms[0];
    if (!count.known || !b.known || b.sum.count != 1 || by->factor < 1)
        return a;
    for (unsigned k = 0; k < CLOPT_TERM_SYMBOLS && by->symbols[k]; k++)
        if (!kernel_bound_divide(&count, by->symbols[k]))
            return a;
    if (count.sum.count != 1 || count.sum.terms[0].factor % by->factor)
        return a;
    count.sum.terms[0].factor /= by->factor;
    return less(count);
}

/* What an element of memory can be at most, where its type says that tables are as long. */
static struct kernel_bound element_bound(const struct kernel_guess *guess,
                                         const struct clopt_node *node)
{
    if (guess->memory)
        return kernel_bound_constant(*guess->memory);
    bool byte = node->kind == CLOPT_NODE_SUBSCRIPT && node->scalar == CLOPT_SCALAR_UCHAR &&
                node->width == 1;
    return byte ? kernel_bound_constant(UCHAR_MAX) : unknown;
}

/* Whether groups lie further apart than a group is long, for all that is known: group * n + local.
 */
static bool has_own_stride(const struct kernel_guess *guess, const struct clopt_node *node)
{
    for (int side = 0; side < 2; side++) {
        const struct clopt_node *product = kernel_resolve(node->children[side]);
        for (int factor = 0; factor < 2 && kernel_is_binary(product, "*"); factor++) {
            int parameter = kernel_size_parameter(guess, product->children[factor]);
            if (parameter >= 0 && guess->parameters[parameter].role != KERNEL_BLOCK)
                return true;
        }
    }
    return false;
}

static struct kernel_bound binary_bound(const struct kernel_guess *guess,
                                        const struct clopt_node *node, int depth)
{
    struct kernel_bound a = upper(guess, node->children[0], depth);
    struct kernel_bound b = upper(guess, node->children[1], depth);
    struct kernel_bound product;
    const struct clopt_node *right = kernel_resolve(node->children[1]);
    int identity = kernel_identity_of(node);
    if (identity >= 0 && !has_own_stride(guess, node))
        return less(guess->global[identity]);
    switch (node->op[0]) {
    case '+':
        return kernel_bound_add(a, b, 1);
    case '-':
        return kernel_bound_plus(a, -lower(node->children[1]));
    case '*':
        product = undivided(guess, node->children[0], node->children[1], depth);
        if (!product.known)
            product = undivided(guess, node->children[1], node->children[0], depth);
        return product.known ? product : kernel_bound_multiply(a, b);
    case '%':
        return less(b);
    case '&':
        return node->op[1] ? unknown : smaller(a, b);
    case '/':
        return divided(a, b);
    case '>':
        return node->op[1] == '>' ? a : unknown;
    case '<':
        if (node->op[1] != '<' || !right->known || right->value < 0 || right->value > 31)
            return unknown;
        return kernel_bound_multiply(a, kernel_bound_constant((int64_t)1 << right->value));
    default:
        return unknown;
    }
}

/* What the conditions around an expression say of it, where its value has not changed since. */
static struct kernel_bound guarded_bound(const struct kernel_guess *guess,
                                         const struct clopt_node *node, int depth)
{
    struct kernel_bound bound = unknown;
    for (const struct clopt_node *at = node; at->parent; at = at->parent) {
        const struct clopt_node *parent = at->parent, *condition = NULL;
        if (parent->kind == CLOPT_NODE_IF && at == parent->body)
            condition = parent->condition;
        else if (parent->kind == CLOPT_NODE_CONDITIONAL && at == parent->children[1])
            condition = parent->children[0];
        if (condition)
            bound = smaller(bound, condition_bound(guess, condition, node, NULL, depth));
    }
    return bound;
}

static struct kernel_bound upper(const struct kernel_guess *guess, const struct clopt_node *node,
                                 int depth)
{
    node = kernel_plain(node);
    if (!node || depth > DEEPEST)
        return unknown;
    if (node->known)
        return kernel_bound_constant(node->value);
    if (node->kind == CLOPT_NODE_VARIABLE || node->kind == CLOPT_NODE_BINARY) {
        struct kernel_bound guarded = guarded_bound(guess, node, depth + 1);
        if (guarded.known)
            return guarded;
    }
    switch (node->kind) {
    case CLOPT_NODE_VARIABLE:
        return variable_bound(guess, node, depth + 1);
    case CLOPT_NODE_CALL:
        return call_bound(guess, node, depth + 1);
    case CLOPT_NODE_BINARY:
        return binary_bound(guess, node, depth + 1);
    case CLOPT_NODE_CONDITIONAL:
        return larger(upper(guess, node->children[1], depth + 1),
                      upper(guess, node->children[2], depth + 1));
    case CLOPT_NODE_SUBSCRIPT:
    case CLOPT_NODE_SWIZZLE:
    case CLOPT_NODE_MEMBER:
        if (kernel_size_parameter(guess, node) >= 0)
            return kernel_bound_size(KERNEL_PARAMETER +
                                     (unsigned)kernel_size_parameter(guess, node));
        return element_bound(guess, node);
    default:
        return unknown;
    }
}

/* Groups times the local size, which may be known as a number: the global size again. */
static struct kernel_bound join_groups(const struct kernel_guess *guess, struct kernel_bound bound)
{
    for (unsigned d = 0; d < 3; d++)
        for (unsigned i = 0; i < bound.sum.count && bound.known; i++) {
            struct kernel_bound whole = {true, {.count = 1, .terms[0] = bound.sum.terms[i]}};
            struct kernel_bound local = local_size(guess, d), rest = whole;
            int64_t number, *factor = &rest.sum.terms[0].factor;
            bool joins = kernel_bound_divide(&rest, KERNEL_GROUPS + d);
            if (joins && !kernel_bound_is_number(&local, &number))
                joins = kernel_bound_divide(&rest, KERNEL_LOCAL_SIZE + d);
            else if (joins && (joins = *factor % number == 0))
                *factor /= number;
            if (!joins)
                continue;
            bound = kernel_bound_add(kernel_bound_add(bound, whole, -1),
                                     kernel_bound_multiply(rest, guess->global[d]), 1);
            i = UINT_MAX; /* the terms have moved */
        }
    return bound;
}

struct kernel_bound kernel_upper(const struct kernel_guess *guess, const struct clopt_node *node)
{
    return join_groups(guess, upper(guess, node, 0));
}
