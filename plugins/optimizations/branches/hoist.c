/* SPDX-License-Identifier: BSD-3-Clause */
/* Conditions that leave loops. */
#include <clopt/divergence.h>

#include "branches.h"
#include "flatten.h"

/* A condition that was decided before a loop that is being cloned. */
struct decision {
    const struct decision *outer;
    const struct clopt_node *condition;
    bool holds;
};

struct hoisting {
    struct clopt_source *source;
    const struct clopt_divergence *divergence;
    unsigned growth;
    struct clopt_cloning cloning;
    const struct decision *decisions;
    const struct clopt_node *decided; /* a loop that no more conditions leave */
    unsigned versions;                /* of the loop that is being cloned */
    size_t hoisted;
    struct clopt_error first; /* why one does not */
};

static const struct decision *find_decision(const struct hoisting *hoisting,
                                            const struct clopt_node *condition)
{
    const struct decision *decision = hoisting->decisions;
    while (decision && !clopt_nodes_equal(decision->condition, condition))
        decision = decision->outer;
    return decision;
}

/* The condition of an `if` or of ?: that might leave loops; NULL for other nodes. */
static const struct clopt_node *condition_of(const struct clopt_node *node)
{
    const struct clopt_node *condition = NULL;
    if (node->kind == CLOPT_NODE_IF)
        condition = node->condition;
    else if (node->kind == CLOPT_NODE_CONDITIONAL && conditional_has_one_type(node))
        condition = node->children[0];
    return condition && !condition->known ? condition : NULL;
}

/* The side of a branch that is left of it. */
static const struct clopt_node *decided_side(const struct clopt_node *branch,
                                             const struct decision *decision)
{
    if (branch->kind == CLOPT_NODE_CONDITIONAL)
        return branch->children[decision->holds ? 1 : 2];
    return decision->holds ? branch->body : branch->otherwise;
}

/* ---- what may leave a loop ---- */

/* Whether a variable has a value whenever a statement is reached. */
static bool is_set_before(const struct clopt_node *statement, const struct clopt_variable *variable)
{
    if (!variable->declarator || variable->declarator->condition)
        return true;
    while (statement && !clopt_node_sets(statement, variable))
        statement = node_before(statement);
    return statement;
}

/* Why the variables of a condition cannot be read in front of a loop, or NULL. */
static const char *find_obstacle(const struct clopt_node *loop, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_VARIABLE) {
        const struct clopt_variable *variable = node->variable;
        if (clopt_node_is_exposed(node, NULL))
            return "the condition may change through a pointer";
        if (clopt_node_declares(loop, variable))
            return "the condition changes in the loop";
        if (!is_set_before(loop, variable))
            return "the condition may have no value in front of the loop";
    }
    const char *obstacle = NULL;
    for (size_t i = 0; i < node->child_count && !obstacle; i++)
        obstacle = find_obstacle(loop, node->children[i]);
    return obstacle;
}

/* Whether a branch is taken differently by the work-items of a group. */
static bool is_divergent_branch(const struct clopt_node *node, const void *divergence)
{
    return node->kind == CLOPT_NODE_IF && clopt_node_is_region(divergence, node);
}

static const char *find_reason(const struct hoisting *hoisting, const struct clopt_node *loop,
                               const struct clopt_node *condition)
{
    if (clopt_node_diverges(hoisting->divergence, condition))
        return "the condition differs between work-items";
    if (clopt_node_effects(condition) || clopt_node_search(condition, clopt_node_is_memory, NULL) ||
        clopt_node_find_trap(condition))
        return "the condition reads memory, has side effects or may divide by 0";
    if (clopt_node_changes(loop, condition))
        return "the condition changes in the loop";
    const char *obstacle = find_obstacle(loop, condition);
    if (obstacle)
        return obstacle;
    /* PoCL 3.1 gets a barrier and such a branch in the arms of another one wrong. */
    if (clopt_node_find_effect(loop, CLOPT_EFFECT_COLLECTIVE) &&
        clopt_node_search(loop, is_divergent_branch, hoisting->divergence))
        return "a barrier and a divergent branch in the loop";
    return NULL;
}

/* Remembers the first reason. */
static void note(struct hoisting *hoisting, const struct clopt_node *where, const char *reason)
{
    if (!hoisting->first.status)
        clopt_source_refuse(hoisting->source, where, &hoisting->first, "%s", reason);
}

/* Finds the first branch below a node whose condition can leave a loop. */
static const struct clopt_node *find_branch(struct hoisting *hoisting,
                                            const struct clopt_node *loop,
                                            const struct clopt_node *node)
{
    const struct clopt_node *condition = condition_of(node);
    if (condition) {
        const struct decision *decision = find_decision(hoisting, condition);
        if (decision) {
            const struct clopt_node *side = decided_side(node, decision);
            return side ? find_branch(hoisting, loop, side) : NULL;
        }
        const char *reason = find_reason(hoisting, loop, condition);
        if (!reason)
            return node;
        note(hoisting, node, reason);
    }
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *found = find_branch(hoisting, loop, node->children[i]);
        if (found)
            return found;
    }
    return NULL;
}

/* ---- versions of loops ---- */

static struct clopt_node *clone(const struct hoisting *hoisting, const struct clopt_node *node)
{
    return clopt_clone(&hoisting->cloning, node);
}

static struct clopt_node *form_loop(struct hoisting *hoisting, const struct clopt_node *loop);

/* Returns a loop as it is where a condition holds, or does not. */
static struct clopt_node *form_case(struct hoisting *hoisting, const struct clopt_node *loop,
                                    const struct clopt_node *condition, bool holds)
{
    const struct decision decision = {hoisting->decisions, condition, holds};
    hoisting->decisions = &decision;
    struct clopt_node *version = form_loop(hoisting, loop);
    version->plain = true; /* what is before the loop is before both versions */
    hoisting->decisions = decision.outer;
    return version;
}

/* Returns a loop, which may have a #pragma, in versions for each condition that leaves it. */
static struct clopt_node *form_loop(struct hoisting *hoisting, const struct clopt_node *loop)
{
    const struct clopt_node *branch = find_branch(hoisting, loop, loop);
    bool labelled = clopt_node_effects(loop) & CLOPT_EFFECT_GOTO;
    if (branch && labelled)
        note(hoisting, clopt_node_find_effect(loop, CLOPT_EFFECT_GOTO),
             "goto or an inner case in the loop");
    if (!branch || labelled || hoisting->versions * 2 > hoisting->growth) {
        hoisting->decided = loop;
        return clone(hoisting, loop);
    }
    const struct clopt_node *condition = condition_of(branch);
    hoisting->hoisted++;
    hoisting->versions *= 2;
    struct clopt_node *decided = clone(hoisting, condition);
    struct clopt_node *holds = form_case(hoisting, loop, condition, true);
    struct clopt_node *fails = form_case(hoisting, loop, condition, false);
    hoisting->versions /= 2;
    return clopt_build(hoisting->source, loop, "if ($n) { $n } else { $n }", decided, holds, fails);
}

/* Returns the new form of a node of the original; NULL: as it is. */
static struct clopt_node *form(void *user, const struct clopt_node *node)
{
    struct hoisting *hoisting = user;
    const struct clopt_node *condition = condition_of(node);
    if (condition) {
        const struct decision *decision = find_decision(hoisting, condition);
        return decision ? branch_form_side(&hoisting->cloning, node, decided_side(node, decision))
                        : NULL;
    }
    bool marked = node->kind == CLOPT_NODE_ATTRIBUTED && clopt_node_is_loop(node->body);
    if (!marked && !clopt_node_is_loop(node))
        return NULL;
    if (hoisting->decided != node)
        return form_loop(hoisting, node);
    hoisting->decided = marked ? node->body : NULL;
    return NULL;
}

enum clopt_status hoist_edit(void *growth, struct clopt_source *source, struct clopt_error *error)
{
    const struct clopt_identity identity = {.dimension = CLOPT_ANY_DIMENSION, .local_id = true};
    struct clopt_node *body = source->kernel->body;
    struct hoisting hoisting = {
        .source = source,
        .divergence = clopt_divergence_create(source, identity),
        .growth = *(const unsigned *)growth,
        .cloning = {.source = source, .user = &hoisting, .node = form},
        .versions = 1,
    };
    clopt_replace(source, body, clone(&hoisting, body));
    if (hoisting.hoisted)
        return CLOPT_OK;
    if (!hoisting.first.status)
        return clopt_fail(error, CLOPT_INFEASIBLE, "%s has no branch in a loop",
                          source->kernel->name);
    *error = hoisting.first;
    return error->status;
}
