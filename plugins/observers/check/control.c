/* SPDX-License-Identifier: BSD-3-Clause */
/* Rewrites what decides whether barriers are reached: all work-items of a group then go the same
 * way, and those that should not are switched off there. */
#include "check/instrument.h"

static bool is_collective(const struct clopt_node *node)
{
    return node && clopt_node_find_effect(node, CLOPT_EFFECT_COLLECTIVE);
}

/* Whether a barrier follows a statement, in its function or in the next iteration of a loop around
 * it. */
static bool precedes_barrier(const struct clopt_node *node)
{
    for (const struct clopt_node *inner = node, *outer = node->parent; outer;
         inner = outer, outer = outer->parent) {
        if (clopt_node_repeats(outer) && is_collective(outer))
            return true;
        for (size_t i = clopt_node_number(inner) + 1; i < outer->child_count; i++)
            if (outer->kind == CLOPT_NODE_COMPOUND && is_collective(outer->children[i]))
                return true;
    }
    return false;
}

/* Whether those that a jump takes away miss a barrier: a break leaves those of what it is in. */
static bool misses_barrier(const struct clopt_node *jump)
{
    return jump->kind == CLOPT_NODE_BREAK ? is_collective(clopt_node_target(jump))
                                          : precedes_barrier(jump);
}

static bool may_differ(const struct clopt_instrumenter *instrumenter,
                       const struct clopt_node *condition)
{
    bool helper = clopt_node_function(condition) != instrumenter->source->kernel->body;
    return helper || clopt_node_diverges(instrumenter->divergence, condition);
}

static bool is_jump(const struct clopt_node *node, const void *user)
{
    (void)user;
    return node->kind == CLOPT_NODE_RETURN || node->kind == CLOPT_NODE_BREAK ||
           node->kind == CLOPT_NODE_CONTINUE;
}

/* Returns the jump that an if consists of, NULL: it is more. */
static const struct clopt_node *only_jump(const struct clopt_node *node)
{
    const struct clopt_node *body = node->body;
    if (body->kind == CLOPT_NODE_COMPOUND && body->child_count == 1)
        body = body->children[0];
    bool valued = body->kind == CLOPT_NODE_RETURN && body->condition;
    return !node->otherwise && is_jump(body, NULL) && body->kind != CLOPT_NODE_CONTINUE && !valued
               ? body
               : NULL;
}

/* Has a condition asked of all work-items. */
static struct clopt_node *ask(struct clopt_instrumenter *instrumenter,
                              const struct clopt_node *condition, const char *function)
{
    unsigned site = clopt_instrumenter_site(instrumenter, condition, 0);
    return clopt_build(instrumenter->source, condition, "$s(clopt_c, $n, $u)", function,
                       clopt_clone(&instrumenter->cloning, condition), site);
}

/* Puts a statement between those that keep and give back what is off. */
static struct clopt_node *keep_off(struct clopt_instrumenter *instrumenter,
                                   const struct clopt_node *at, struct clopt_node *statement)
{
    struct clopt_source *source = instrumenter->source;
    struct clopt_variable *off = clopt_variable_make(source, "const uint", "", "clopt_off");
    return clopt_build(source, at, "{ $V = clopt_c->off; $n clopt_c->off = $v; }", off, statement,
                       off);
}

static struct clopt_node *make_if(struct clopt_instrumenter *instrumenter,
                                  const struct clopt_node *node)
{
    struct clopt_source *source = instrumenter->source;
    const struct clopt_cloning *cloning = &instrumenter->cloning;
    if (!may_differ(instrumenter, node->condition))
        return NULL;
    const struct clopt_node *jump = only_jump(node);
    if (jump && misses_barrier(jump))
        return clopt_build(source, node, "if ($n) $n",
                           ask(instrumenter, node->condition, "clopt_leave"),
                           clopt_clone(cloning, node->body));
    if (!is_collective(node->body) && !is_collective(node->otherwise))
        return NULL;
    if (clopt_node_search(node, is_jump, NULL))
        return NULL;
    struct clopt_variable *taken = clopt_variable_make(source, "const bool", "", "clopt_taken");
    unsigned site = clopt_instrumenter_site(instrumenter, node->condition, 0);
    struct clopt_node *first =
        keep_off(instrumenter, node,
                 clopt_build(source, node, "if (clopt_enter(clopt_c, $v, $u)) { $n }", taken, site,
                             clopt_clone(cloning, node->body)));
    struct clopt_nodes list = {0};
    clopt_nodes_put(source, &list, node, "$V = $n;", taken, clopt_clone(cloning, node->condition));
    clopt_nodes_add(source, &list, first);
    if (node->otherwise)
        clopt_nodes_add(
            source, &list,
            keep_off(instrumenter, node,
                     clopt_build(source, node, "if (clopt_enter(clopt_c, !$v, $u)) { $n }", taken,
                                 site, clopt_clone(cloning, node->otherwise))));
    return clopt_build(source, node, "{ $N }", &list);
}

static struct clopt_node *make_loop(struct clopt_instrumenter *instrumenter,
                                    const struct clopt_node *node)
{
    struct clopt_source *source = instrumenter->source;
    const struct clopt_cloning *cloning = &instrumenter->cloning;
    if (!node->condition || !is_collective(node) || !may_differ(instrumenter, node->condition))
        return NULL;
    struct clopt_node *condition = ask(instrumenter, node->condition, "clopt_enter");
    struct clopt_node *body = clopt_clone(cloning, node->body);
    struct clopt_node *loop =
        node->kind == CLOPT_NODE_WHILE ? clopt_build(source, node, "while ($n) $n", condition, body)
        : node->kind == CLOPT_NODE_DO
            ? clopt_build(source, node, "do $n while ($n);", body, condition)
            : clopt_build(source, node, "for ($n; $n; $n) $n",
                          node->init ? clopt_clone(cloning, node->init) : NULL, condition,
                          node->step ? clopt_clone(cloning, node->step) : NULL, body);
    return keep_off(instrumenter, node, loop);
}

struct clopt_node *clopt_instrument_control(struct clopt_instrumenter *instrumenter,
                                            const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_IF)
        return make_if(instrumenter, node);
    return clopt_node_repeats(node) ? make_loop(instrumenter, node) : NULL;
}
