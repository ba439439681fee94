/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a kernel may run with a global size that was rounded up: each of its writes is left out,
 * or goes to an index that is limited, in work-items that are not there. */
#include "guard.h"

#include <clopt/clopt.h>

struct guards {
    const struct clopt_divergence *divergence;
    const struct clopt_node *body; /* of the function that is looked at */
    unsigned depth;                /* of variables and functions that are followed */
    bool tested;                   /* the kernel has a test of the index, of whatever */
};

#define MOST_DEPTH 8

/* Whether work-items decide something differently by their index; by data does not count. */
static bool decides(const struct guards *guards, const struct clopt_node *condition)
{
    return clopt_node_diverges(guards->divergence, condition) &&
           !clopt_node_search(condition, clopt_node_is_memory, NULL);
}

static bool is_of_data(void *guards, const struct clopt_node *part, bool holds)
{
    (void)holds;
    return !decides(guards, part);
}

/* Whether it says something of the index that a condition holds, or that it does not. */
static bool is_test_where(const struct guards *guards, const struct clopt_node *condition,
                          bool holds)
{
    return condition &&
           !clopt_condition_parts(condition, holds, is_of_data, (void *)(uintptr_t)guards);
}

/* ---- indices ---- */

static bool is_limited(const struct clopt_node *node, const void *user);

/* Whether any value that a variable gets is limited. */
static bool holds_limited(const struct guards *outer, const struct clopt_variable *variable)
{
    struct guards guards = *outer;
    if (++guards.depth > MOST_DEPTH)
        return false;
    for (const struct clopt_node *at = guards.body; at; at = clopt_node_next(at, guards.body)) {
        const struct clopt_node *written = clopt_node_written(at);
        bool declares = at->kind == CLOPT_NODE_DECLARATOR && at->variable == variable;
        if (((written && clopt_node_names(written, variable)) || declares) &&
            clopt_node_search(at, is_limited, &guards))
            return true;
    }
    return false;
}

/* Whether a node limits an index: min(x, n - 1), x < n ? x : 0, or a name of such a value. */
static bool is_limited(const struct clopt_node *node, const void *user)
{
    static const char *const limits[] = {"min", "max", "clamp", "select"};
    const struct guards *guards = user;
    bool limited = node->kind == CLOPT_NODE_CONDITIONAL;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        limited |= clopt_node_calls(node, limits[i]);
    if (limited)
        return decides(guards, node) && !clopt_scalar_is_real(node->scalar);
    return node->kind == CLOPT_NODE_VARIABLE && !node->variable->is_array &&
           clopt_node_diverges(guards->divergence, node) && holds_limited(guards, node->variable);
}

/* ---- writes ---- */

/* What a node writes, or hands to what writes; NULL: it writes no memory of others. */
static const struct clopt_node *write_target(const struct clopt_node *node)
{
    const struct clopt_node *written = clopt_node_written(node);
    if (written && clopt_node_is_memory(clopt_node_whole(written), NULL) &&
        clopt_node_whole(written)->space == CLOPT_SPACE_GLOBAL)
        return written;
    bool writes = node->kind == CLOPT_NODE_CALL &&
                  (node->callee ? node->callee->effects & CLOPT_EFFECT_MEMORY_WRITE
                                : strncmp(node->name, "atom", strlen("atom")) == 0 ||
                                      strncmp(node->name, "vstore", strlen("vstore")) == 0 ||
                                      strncmp(node->name, "write_image", 11) == 0);
    return writes ? node : NULL;
}

/* The condition that decides whether a node is executed, and which way; NULL: none does. */
static const struct clopt_node *condition_of(const struct clopt_node *node, bool *holds)
{
    const struct clopt_node *outer = node->parent;
    if (clopt_node_is_logical(outer) || outer->kind == CLOPT_NODE_CONDITIONAL) {
        *holds = clopt_node_is_logical(outer) ? clopt_node_is_operator(outer, "&&")
                                              : node == outer->children[1];
        return node == outer->children[0] ? NULL : outer->children[0];
    }
    *holds = outer->kind != CLOPT_NODE_IF || node == outer->body;
    return node == outer->condition ? NULL : outer->condition;
}

/* Whether a node is executed where a condition on the index allows it, or, where it leaves the
 * function, what comes after it is. */
static bool is_below_test(const struct guards *guards, const struct clopt_node *node)
{
    const bool leaves = node->kind == CLOPT_NODE_RETURN;
    for (bool holds; node->parent; node = node->parent) {
        const struct clopt_node *condition = condition_of(node, &holds);
        if (is_test_where(guards, condition, holds != leaves))
            return true;
    }
    return false;
}

/* Whether a node tests the index. */
static bool is_test(const struct clopt_node *node, const void *guards)
{
    bool chooses = node->kind == CLOPT_NODE_IF || clopt_node_is_loop(node);
    const struct clopt_node *condition = node->kind == CLOPT_NODE_CONDITIONAL ? node->children[0]
                                         : chooses                            ? node->condition
                                                                              : NULL;
    return is_test_where(guards, condition, true) || is_test_where(guards, condition, false);
}

/* Whether a node adds to memory, or the like, by an atomic, in a kernel that tests the index for
 * what it adds, as sums do. What work-items beyond the end add is added in each launch:
 * verification sees it, which a race may hide from. What is stored or exchanged is a write like
 * others. */
static bool is_update(const struct guards *guards, const struct clopt_node *node)
{
    static const char *const writes[] = {"xchg", "exchange", "store", "init", "flag"};
    bool update = guards->tested && node->kind == CLOPT_NODE_CALL && !node->callee &&
                  strncmp(node->name, "atom", strlen("atom")) == 0;
    for (size_t i = 0; i < sizeof writes / sizeof *writes; i++)
        update = update && !strstr(node->name, writes[i]);
    return update;
}

/* Whether a function has a write that a work-item does whatever its index. */
static bool has_bare_write(const struct guards *outer, const struct clopt_node *body)
{
    struct guards guards = *outer;
    guards.body = body;
    if (++guards.depth > MOST_DEPTH)
        return false;
    for (const struct clopt_node *at = body; at; at = clopt_node_next(at, body)) {
        if (at->kind == CLOPT_NODE_RETURN && is_below_test(&guards, at))
            return false; /* of what follows, too */
        const struct clopt_node *target = write_target(at);
        if (target && !is_update(&guards, at) && !clopt_node_search(target, is_limited, &guards) &&
            !is_below_test(&guards, at) &&
            (!at->callee || has_bare_write(&guards, at->callee->body)))
            return true;
    }
    return false;
}

bool guard_find(const struct clopt_transform *transform, unsigned dimension)
{
    const struct clopt_identity identity = {
        .dimension = dimension, .local_id = true, .group_id = true, .inside = true};
    CLOPT_HELD(clopt_source) source = NULL;
    if (clopt_transform_parse(transform, &source, NULL))
        return true;
    struct guards guards = {.divergence = clopt_divergence_create(source, identity)};
    guards.tested = clopt_node_search(source->kernel->body, is_test, &guards);
    return !has_bare_write(&guards, source->kernel->body);
}
