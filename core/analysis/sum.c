/* SPDX-License-Identifier: BSD-3-Clause */
/* Integer expressions as sums of products. */
#include <clopt/loop.h>

#include <string.h>

#include "analysis/sum.h"

/* Factors and constants stay so small that no product of two overflows. */
#define LARGEST INT32_MAX

#define MOST_DEPTH 32 /* of definitions inside definitions */

bool clopt_nodes_equal(const struct clopt_node *a, const struct clopt_node *b)
{
    while (a->kind == CLOPT_NODE_PAREN)
        a = a->children[0];
    while (b->kind == CLOPT_NODE_PAREN)
        b = b->children[0];
    if (a == b)
        return true;
    if (a->known && b->known)
        return a->value == b->value && a->bits == b->bits && a->is_signed == b->is_signed;
    if (a->kind != b->kind || a->variable != b->variable || a->child_count != b->child_count ||
        a->bits != b->bits || a->is_signed != b->is_signed || a->width != b->width ||
        !clopt_node_is_operator(a, b->op) || (!a->name != !b->name) ||
        (a->name && strcmp(a->name, b->name) != 0))
        return false;
    /* These have no parts to compare. */
    if (a->kind == CLOPT_NODE_SIZEOF || a->kind == CLOPT_NODE_LITERAL ||
        a->kind == CLOPT_NODE_CAST || a->kind == CLOPT_NODE_AS_TYPE)
        return a->kind == CLOPT_NODE_CAST && a->bits &&
               clopt_nodes_equal(a->children[0], b->children[0]);
    for (size_t i = 0; i < a->child_count; i++)
        if (!clopt_nodes_equal(a->children[i], b->children[i]))
            return false;
    return true;
}

/* ---- arithmetic ---- */

static bool fits(int64_t value)
{
    return value >= -LARGEST && value <= LARGEST;
}

/* Whether two terms have the same atoms, in any order. */
static bool is_alike(const struct clopt_product *a, const struct clopt_product *b)
{
    bool used[CLOPT_MOST_ATOMS] = {false};
    if (a->count != b->count)
        return false;
    for (unsigned i = 0; i < a->count; i++) {
        bool found = false;
        for (unsigned j = 0; j < b->count && !found; j++)
            if (!used[j] && clopt_nodes_equal(a->atoms[i], b->atoms[j]))
                used[j] = found = true;
        if (!found)
            return false;
    }
    return true;
}

static void remove_term(struct clopt_sum *sum, unsigned index)
{
    sum->terms[index] = sum->terms[--sum->count];
}

static bool add_term(struct clopt_sum *sum, const struct clopt_product *term)
{
    for (unsigned i = 0; i < sum->count; i++)
        if (is_alike(&sum->terms[i], term)) {
            sum->terms[i].factor += term->factor;
            bool whole = fits(sum->terms[i].factor);
            if (!sum->terms[i].factor)
                remove_term(sum, i);
            return whole;
        }
    if (sum->count == CLOPT_MOST_TERMS)
        return false;
    if (term->factor)
        sum->terms[sum->count++] = *term;
    return true;
}

static bool add(struct clopt_sum *sum, const struct clopt_sum *other, int sign)
{
    sum->constant += sign * other->constant;
    sum->wraps |= other->wraps;
    for (unsigned i = 0; i < other->count; i++) {
        struct clopt_product term = other->terms[i];
        term.factor *= sign;
        if (!add_term(sum, &term))
            return false;
    }
    return fits(sum->constant);
}

static bool multiply_terms(const struct clopt_product *a, const struct clopt_product *b,
                           struct clopt_product *product)
{
    *product = *a;
    product->factor = a->factor * b->factor;
    for (unsigned i = 0; i < b->count; i++) {
        if (product->count == CLOPT_MOST_ATOMS)
            return false;
        product->atoms[product->count++] = b->atoms[i];
    }
    return fits(product->factor);
}

static bool multiply(const struct clopt_sum *a, const struct clopt_sum *b, struct clopt_sum *result)
{
    struct clopt_sum product = {.constant = a->constant * b->constant,
                                .wraps = a->wraps || b->wraps};
    const struct clopt_product ones[] = {{.factor = a->constant}, {.factor = b->constant}};
    struct clopt_product term;
    for (unsigned i = 0; i < a->count; i++)
        if (!multiply_terms(&a->terms[i], &ones[1], &term) || !add_term(&product, &term))
            return false;
    for (unsigned i = 0; i < b->count; i++)
        if (!multiply_terms(&b->terms[i], &ones[0], &term) || !add_term(&product, &term))
            return false;
    for (unsigned i = 0; i < a->count; i++)
        for (unsigned j = 0; j < b->count; j++)
            if (!multiply_terms(&a->terms[i], &b->terms[j], &term) || !add_term(&product, &term))
                return false;
    *result = product;
    return fits(product.constant);
}

/* ---- definitions ---- */

/* The initial value of a variable that a loop declares and that has no other one; else NULL. */
static const struct clopt_node *definition_of(const struct clopt_node *loop,
                                              const struct clopt_variable *variable)
{
    const struct clopt_node *declarator = variable->declarator;
    if (!loop || !declarator || !declarator->condition ||
        !clopt_node_contains(loop->body, declarator) || variable->bits < 32 ||
        variable->is_volatile || variable->changed)
        return NULL;
    return declarator->condition;
}

/* ---- expressions ---- */

static bool find(const struct clopt_node *loop, const struct clopt_node *node, unsigned depth,
                 struct clopt_sum *sum);

static bool set_atom(const struct clopt_node *node, struct clopt_sum *sum)
{
    /* i++ - i++ is not 0. */
    if (clopt_node_effects(node) & ~(unsigned)CLOPT_EFFECT_MEMORY_READ)
        return false;
    sum->count = 1;
    sum->terms[0] = (struct clopt_product){.factor = 1, .count = 1, .atoms = {node}};
    return true;
}

/* Whether a 32-bit value becomes another one in a type of the same width. */
static bool changes_sign(const struct clopt_node *value, bool is_signed)
{
    return value->bits == 32 && value->is_signed != is_signed;
}

static bool find_variable(const struct clopt_node *loop, const struct clopt_node *node,
                          unsigned depth, struct clopt_sum *sum)
{
    const struct clopt_node *value = definition_of(loop, node->variable);
    if (!value || depth == MOST_DEPTH || value->bits < 32)
        return set_atom(node, sum);
    if (!find(loop, value, depth + 1, sum))
        return false;
    sum->wraps |= changes_sign(value, node->is_signed) || value->bits > node->bits;
    return true;
}

static bool find_binary(const struct clopt_node *loop, const struct clopt_node *node,
                        unsigned depth, struct clopt_sum *sum)
{
    struct clopt_sum right = {0};
    bool plus = clopt_node_is_operator(node, "+");
    bool shift = clopt_node_is_operator(node, "<<") && node->children[1]->known &&
                 node->children[1]->value < 31;
    if (!plus && !shift && !clopt_node_is_operator(node, "-") && !clopt_node_is_operator(node, "*"))
        return set_atom(node, sum);
    if (!find(loop, node->children[0], depth, sum))
        return false;
    if (shift)
        right.constant = INT64_C(1) << node->children[1]->value;
    else if (!find(loop, node->children[1], depth, &right))
        return false;
    sum->wraps |= node->bits == 32 && !node->is_signed;
    if (shift || clopt_node_is_operator(node, "*"))
        return multiply(sum, &right, sum);
    return add(sum, &right, plus ? 1 : -1);
}

static bool find(const struct clopt_node *loop, const struct clopt_node *node, unsigned depth,
                 struct clopt_sum *sum)
{
    *sum = (struct clopt_sum){0};
    if (node->known) {
        sum->constant = node->value;
        return true;
    }
    const struct clopt_node *child = node->child_count ? node->children[0] : NULL;
    if (node->bits < 32)
        return set_atom(node, sum);
    switch (node->kind) {
    case CLOPT_NODE_PAREN:
        return find(loop, child, depth, sum);
    case CLOPT_NODE_CAST:
        if (child->bits < 32 || child->bits > node->bits)
            return set_atom(node, sum);
        if (!find(loop, child, depth, sum))
            return false;
        sum->wraps |= node->bits == 32 && changes_sign(child, node->is_signed);
        return true;
    case CLOPT_NODE_UNARY:
        if (!clopt_node_is_operator(node, "-"))
            return set_atom(node, sum);
        struct clopt_sum operand;
        if (!find(loop, child, depth, &operand))
            return false;
        sum->wraps = node->bits == 32 && !node->is_signed;
        return add(sum, &operand, -1);
    case CLOPT_NODE_VARIABLE:
        return find_variable(loop, node, depth, sum);
    case CLOPT_NODE_BINARY:
        return find_binary(loop, node, depth, sum);
    default:
        return set_atom(node, sum);
    }
}

bool clopt_sum_find(const struct clopt_node *loop, const struct clopt_node *node,
                    struct clopt_sum *sum)
{
    return find(loop, node, 0, sum);
}

bool clopt_sum_subtract(struct clopt_sum *sum, const struct clopt_sum *other)
{
    return add(sum, other, -1);
}

bool clopt_sum_add_product(struct clopt_sum *sum, const struct clopt_sum *other, int64_t factor)
{
    struct clopt_sum times = {.constant = factor};
    return fits(factor) && multiply(other, &times, &times) && add(sum, &times, 1);
}

/* ---- what is asked of sums ---- */

/* Takes a variable out of a product; returns how often it was in, or was part of an atom. */
static unsigned take_atom(struct clopt_product *term, const struct clopt_variable *variable)
{
    unsigned count = 0;
    for (unsigned i = term->count; i-- > 0;) {
        const struct clopt_node *atom = term->atoms[i];
        bool alone = atom->kind == CLOPT_NODE_VARIABLE && atom->variable == variable;
        count += alone ? 1 : clopt_node_uses(atom, variable) ? 2 : 0;
        if (alone)
            term->atoms[i] = term->atoms[--term->count];
    }
    return count;
}

bool clopt_sum_split(struct clopt_sum *sum, const struct clopt_variable *variable,
                     struct clopt_sum *factor)
{
    *factor = (struct clopt_sum){.wraps = sum->wraps};
    for (unsigned i = sum->count; i-- > 0;) {
        struct clopt_product term = sum->terms[i];
        unsigned count = take_atom(&term, variable);
        if (count > 1 || (count && term.count && !add_term(factor, &term)))
            return false;
        if (count && !term.count)
            factor->constant += term.factor;
        if (count)
            remove_term(sum, i);
    }
    return true;
}

bool clopt_sum_take(struct clopt_sum *sum, const struct clopt_variable *variable, int64_t *factor)
{
    struct clopt_sum rest = *sum;
    struct clopt_sum found;
    *factor = 0;
    if (!clopt_sum_split(&rest, variable, &found) || found.count)
        return false;
    *sum = rest;
    *factor = found.constant;
    return true;
}

bool clopt_loop_is_invariant_sum(const struct clopt_node *loop, const struct clopt_sum *sum)
{
    for (unsigned i = 0; i < sum->count; i++)
        for (unsigned j = 0; j < sum->terms[i].count; j++)
            if (!clopt_loop_is_invariant(loop, sum->terms[i].atoms[j]))
                return false;
    return true;
}

bool clopt_subscript_distance(const struct clopt_node *a, const struct clopt_node *b,
                              int64_t *distance)
{
    struct clopt_sum x;
    struct clopt_sum y;
    if (!(a->children[0]->is_pointer || a->children[0]->is_array) ||
        !clopt_nodes_equal(a->children[0], b->children[0]) ||
        !clopt_sum_find(NULL, a->children[1], &x) || !clopt_sum_find(NULL, b->children[1], &y) ||
        !clopt_sum_subtract(&y, &x) || y.count || y.wraps)
        return false;
    *distance = y.constant;
    return true;
}
