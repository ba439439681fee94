/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what a nest of loops computes, and what that is at the ends of its counters. */
#include "borders.h"

#define MOST_DEPTH 8  /* of definitions inside definitions */
#define LEAST_SIZE 64 /* of what is divided by to have an inside */

/* ---- forms of conditions ---- */

static unsigned find_counter(const struct borders *borders, const struct clopt_node *node)
{
    for (unsigned i = 0; i < borders->counter_count; i++)
        if (clopt_node_names(node, borders->counters[i].trip.counter) &&
            clopt_node_contains(borders->counters[i].loop->body, node))
            return i;
    return MOST_COUNTERS;
}

/* Whether an expression keeps the value that it has where the rest of a kernel begins. */
static bool is_before_rest(const struct borders *borders, const struct clopt_node *top)
{
    for (const struct clopt_node *node = top; node; node = clopt_node_next(node, top)) {
        const struct clopt_variable *variable =
            node->kind == CLOPT_NODE_VARIABLE ? node->variable : NULL;
        if (variable && (variable->changed || clopt_node_is_exposed(node, NULL) ||
                         (variable->declarator && variable->declarator->index >= borders->rest)))
            return false;
    }
    return !clopt_node_effects(top);
}

bool border_is_outer(const struct borders *borders, const struct clopt_node *node)
{
    if (borders->rest)
        return is_before_rest(borders, node);
    if (node->kind == CLOPT_NODE_VARIABLE &&
        (clopt_node_declares(borders->nest, node->variable) || clopt_node_is_exposed(node, NULL)))
        return false;
    for (size_t i = 0; i < node->child_count; i++)
        if (!border_is_outer(borders, node->children[i]))
            return false;
    return clopt_loop_is_invariant(borders->nest, node);
}

/* The value of a variable that an iteration declares; NULL: it is none, or it changes. */
static const struct clopt_node *definition_of(const struct borders *borders,
                                              const struct clopt_node *node)
{
    const struct clopt_variable *variable = node->variable;
    bool defined = node->kind == CLOPT_NODE_VARIABLE && variable->declarator &&
                   variable->declarator->condition && !variable->changed &&
                   !variable->is_volatile && variable->bits >= 32 && variable->is_signed &&
                   clopt_node_declares(borders->nest, variable) &&
                   variable->declarator->index >= borders->rest &&
                   !clopt_node_is_exposed(node, NULL);
    const struct clopt_node *value = defined ? variable->declarator->condition : NULL;
    return value && value->is_signed && value->bits == variable->bits ? value : NULL;
}

bool border_is_limit(const struct clopt_node *node, const void *unused)
{
    (void)unused;
    bool two = clopt_node_calls(node, "min") || clopt_node_calls(node, "max");
    const struct clopt_node *value =
        node->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(node, "%")
            ? clopt_node_bare(node->children[0])
            : NULL;
    if (!value)
        return (two && node->child_count == 2 && !node->callee) ||
               (clopt_node_calls(node, "clamp") && node->child_count == 3 && !node->callee);
    const struct clopt_node *size = node->children[1];
    return value->kind == CLOPT_NODE_BINARY && strchr("+-", *value->op) &&
           (!size->known || size->value >= LEAST_SIZE);
}

/* Whether no part of a condition is left inside. */
bool border_is_decided(const struct borders *borders, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_PAREN || clopt_node_is_operator(node, "!"))
        return border_is_decided(borders, node->children[0]);
    if (clopt_node_is_logical(node))
        return border_is_decided(borders, node->children[0]) &&
               border_is_decided(borders, node->children[1]);
    return borders->decided[node->index] && !border_is_limit(node, NULL);
}

const struct clopt_node *border_value(const struct borders *borders, const struct clopt_node *node)
{
    const struct clopt_node *condition =
        node->kind == CLOPT_NODE_CONDITIONAL ? node->children[0] : NULL;
    unsigned number = border_is_limit(node, NULL) ? borders->decided[node->index] : 0;
    if (condition && conditional_has_one_type(node) && border_is_decided(borders, condition))
        return node->children[borders->decided[condition->index]];
    return number && !(number == 2 && node->kind == CLOPT_NODE_BINARY) ? node->children[number - 1]
                                                                       : NULL;
}

struct clopt_node *border_form_below(const struct clopt_cloning *cloning,
                                     const struct clopt_node *node, const struct clopt_node *size)
{
    node = clopt_node_bare(node);
    bool sum = node->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(node, "+");
    if (!sum && !(node->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(node, "-")))
        return NULL;
    for (size_t i = 0; i < (sum ? 2 : 1); i++)
        if (sum && clopt_nodes_equal(node->children[i], size))
            return clopt_clone(cloning, node->children[1 - i]);
    for (size_t i = 0; i < (sum ? 2 : 1); i++) {
        struct clopt_node *left = border_form_below(cloning, node->children[i], size);
        if (left)
            return clopt_build(cloning->source, node, sum ? "$n + $n" : "$n - $n", left,
                               clopt_clone(cloning, node->children[1 - i]));
    }
    return NULL;
}

struct clopt_node *border_form_value(const struct borders *borders,
                                     const struct clopt_cloning *cloning,
                                     const struct clopt_node *node)
{
    const struct clopt_node *value = border_value(borders, node);
    bool below = !value && border_is_limit(node, NULL) && borders->decided[node->index];
    struct clopt_node *made = value ? clopt_clone(cloning, value)
                              : below
                                  ? border_form_below(cloning, node->children[0], node->children[1])
                                  : NULL;
    if (made)
        made->moved = true;
    return made;
}

static bool read_part(void *user, const struct clopt_node *node, struct clopt_affine *form)
{
    struct borders *borders = user;
    const struct clopt_affine_reader reader = {.read = read_part, .user = user};
    const struct clopt_node *value = definition_of(borders, node);
    unsigned counter = find_counter(borders, node), i = 0;
    if (border_is_limit(node, NULL) && node->kind == CLOPT_NODE_BINARY &&
        borders->decided[node->index] == 2) {
        struct clopt_affine size;
        return clopt_affine_evaluate(&reader, node->children[0], form) &&
               clopt_affine_evaluate(&reader, node->children[1], &size) &&
               clopt_affine_add(form, &size, -1);
    }
    if (border_value(borders, node))
        return clopt_affine_evaluate(&reader, border_value(borders, node), form);
    *form = clopt_affine_symbol(counter + 1);
    if (counter < MOST_COUNTERS)
        return borders->counted = true;
    if (value && borders->depth < MOST_DEPTH) {
        borders->depth++;
        bool fits = clopt_affine_evaluate(&reader, value, form);
        borders->depth--;
        return fits;
    }
    if (!border_is_outer(borders, node) || clopt_node_search(node, clopt_node_is_memory, NULL) ||
        clopt_node_find_trap(node))
        return false;
    while (i < borders->symbol_count && !clopt_nodes_equal(borders->symbols[i], node))
        i++;
    if (i == MOST_SYMBOLS)
        return false;
    borders->counted |= borders->rest && clopt_node_diverges(borders->divergence, node);
    borders->symbols[i] = node;
    borders->symbol_count += i == borders->symbol_count;
    *form = clopt_affine_symbol(MOST_COUNTERS + 1 + i);
    return true;
}

bool border_read(struct borders *borders, const struct clopt_node *node, struct clopt_affine *form)
{
    const struct clopt_affine_reader reader = {.read = read_part, .user = borders};
    return clopt_affine_evaluate(&reader, node, form) && !form->wraps;
}

/* ---- ends of loops ---- */

struct clopt_node *border_build_end(const struct borders *borders, const struct counter *counter,
                                    const struct clopt_node *at)
{
    const struct clopt_trip *trip = &counter->trip;
    bool first = counter->at_most == (trip->step < 0);
    if (trip->count_known && trip->first_known)
        return clopt_build(borders->source, at, "$l",
                           trip->first_value + (first ? 0 : (trip->count - 1) * trip->step));
    if (first)
        return clopt_build(borders->source, at, "$n", trip->first);
    return clopt_build(borders->source, at, trip->step < 0 ? "$n + $l" : "$n - $l", trip->bound,
                       (int64_t)!trip->inclusive);
}

void border_add_counters(struct borders *borders, const struct clopt_node *node)
{
    struct counter counter = {.loop = node};
    struct clopt_trip *trip = &counter.trip;
    if (node->kind == CLOPT_NODE_FOR && borders->counter_count < MOST_COUNTERS &&
        clopt_trip_find(node, NULL, trip) && !trip->unequal && trip->counter->is_signed) {
        bool known = trip->count_known && trip->first_known && trip->count > 0;
        if (known || (trip->first && trip->bound && border_is_outer(borders, trip->first) &&
                      border_is_outer(borders, trip->bound) && trip->first->is_signed &&
                      trip->bound->is_signed))
            borders->counters[borders->counter_count++] = counter;
    }
    for (size_t i = 0; i < node->child_count; i++)
        border_add_counters(borders, node->children[i]);
}

bool border_find_ends(struct borders *borders, struct clopt_affine *margin)
{
    for (unsigned i = 0; i < borders->counter_count; i++) {
        struct counter *counter = &borders->counters[i];
        const struct clopt_affine symbol = clopt_affine_symbol(i + 1);
        struct clopt_affine end;
        int64_t factor = 0;
        if (!clopt_affine_has(margin, i + 1))
            continue;
        if (!clopt_affine_factor(margin, i + 1, &factor))
            return false;
        counter->at_most = factor < 0;
        if (!border_read(borders, border_build_end(borders, counter, counter->loop), &end) ||
            !clopt_affine_add(margin, &symbol, -factor) || !clopt_affine_add(margin, &end, factor))
            return false;
    }
    return true;
}

struct clopt_node *border_form_end(void *user, const struct clopt_node *node)
{
    struct borders *borders = user;
    struct clopt_node *inside = border_form_value(borders, &borders->ends, node);
    unsigned counter = find_counter(borders, node);
    if (counter < MOST_COUNTERS && borders->zero == &borders->counters[counter])
        return clopt_build(borders->source, node, "0");
    if (counter < MOST_COUNTERS)
        return border_build_end(borders, &borders->counters[counter], node);
    const struct clopt_node *value = inside ? NULL : definition_of(borders, node);
    return value ? clopt_clone(&borders->ends, value) : inside;
}
