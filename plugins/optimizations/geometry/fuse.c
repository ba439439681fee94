/* SPDX-License-Identifier: BSD-3-Clause */
/* Versions of divergent regions. */
#include "fuse.h"

#include <string.h>

#include "statement.h"

/* Of versions inside of versions: each makes the code longer by the region once. */
#define FUSE_MOST 2

/* ---- conditions ---- */

static const struct clopt_node *strip(const struct clopt_node *node)
{
    while (node->kind == CLOPT_NODE_PAREN)
        node = node->children[0];
    return node;
}

static bool is_less(const struct clopt_node *node)
{
    return clopt_node_is_operator(node, "<") || clopt_node_is_operator(node, "<=");
}

static bool is_greater(const struct clopt_node *node)
{
    return clopt_node_is_operator(node, ">") || clopt_node_is_operator(node, ">=");
}

/* Whether a node is a call of a function of OpenCL's own. */
static bool calls(const struct clopt_node *node, const char *name)
{
    return node->kind == CLOPT_NODE_CALL && !node->callee && strcmp(node->name, name) == 0;
}

/* Whether a condition that diverges may well be `wanted` for all replicas: neighbours are seldom
 * equal to the same thing, and lanes of vectors mostly go the same way. */
static bool may_agree(const struct replication *replication, const struct clopt_node *node,
                      bool wanted)
{
    node = strip(node);
    if (!replication_diverges(replication, node))
        return true;
    if (clopt_node_is_operator(node, "!"))
        return may_agree(replication, node->children[0], !wanted);
    if (clopt_node_is_operator(node, "&&") || clopt_node_is_operator(node, "||")) {
        bool left = may_agree(replication, node->children[0], wanted);
        bool right = may_agree(replication, node->children[1], wanted);
        return clopt_node_is_operator(node, wanted ? "&&" : "||") ? left && right : left || right;
    }
    if (clopt_node_is_operator(node, "=="))
        return !wanted;
    if (clopt_node_is_operator(node, "!="))
        return wanted;
    if (calls(node, "all") || calls(node, "any"))
        return wanted == calls(node, "all");
    return is_less(node) || is_greater(node) || node->kind == CLOPT_NODE_VARIABLE;
}

/* Whether replicas decide in their order, so that the first or the last one speaks for all: the
 * identity is compared with what they agree on. */
static bool is_ordered(const struct replication *replication, const struct clopt_node *node,
                       bool *last_is_least_likely)
{
    if (!is_less(node) && !is_greater(node))
        return false;
    const struct clopt_divergence *divergence = replication->divergence;
    bool left = clopt_node_is_identity(divergence, node->children[0]);
    bool right = clopt_node_is_identity(divergence, node->children[1]);
    if (left == right || clopt_node_diverges(divergence, node->children[left ? 1 : 0]))
        return false;
    *last_is_least_likely = left == is_less(node);
    return true;
}

static void put_condition(struct replication *replication, const struct clopt_node *node,
                          unsigned replica)
{
    bool parens = clopt_node_is_operator(node, "&&") || clopt_node_is_operator(node, "||") ||
                  node->kind == CLOPT_NODE_CONDITIONAL;
    replication->replica = replica;
    replication_put(replication, parens ? "(" : "");
    replication_print(replication, node);
    replication_put(replication, parens ? ")" : "");
    replication->replica = 0;
}

/* Whether it compares integers: not-a-number is neither less nor greater. */
static bool is_of_integers(const struct clopt_node *node)
{
    return (is_less(node) || is_greater(node)) && node->children[0]->bits &&
           node->children[1]->bits;
}

/* Puts a comparison of integers the other way round. */
static void put_opposite(struct replication *replication, const struct clopt_node *node,
                         unsigned replica)
{
    static const char *const opposites[][2] = {
        {"<", " >= "}, {">=", " < "}, {">", " <= "}, {"<=", " > "}};
    replication->replica = replica;
    replication_print(replication, node->children[0]);
    for (size_t i = 0; i < sizeof opposites / sizeof *opposites; i++)
        if (clopt_node_is_operator(node, opposites[i][0]))
            replication_put(replication, opposites[i][1]);
    replication_print(replication, node->children[1]);
    replication->replica = 0;
}

static void put_joined(struct replication *replication, const struct clopt_node *node,
                       const char *operator)
{
    for (unsigned r = 0; r < replication->request.factor; r++) {
        replication_put(replication, r ? operator: "");
        put_condition(replication, node, r);
    }
}

static void put_all(struct replication *replication, const struct clopt_node *condition)
{
    const struct clopt_node *node = strip(condition);
    bool last;
    if (!replication_diverges(replication, node)) {
        put_condition(replication, node, 0);
    } else if (clopt_node_is_operator(node, "&&")) {
        put_all(replication, node->children[0]);
        replication_put(replication, " && ");
        put_all(replication, node->children[1]);
    } else if (clopt_node_is_operator(node, "!")) {
        fuse_put_none(replication, node->children[0]);
    } else if (is_ordered(replication, node, &last)) {
        put_condition(replication, node, last ? replication->request.factor - 1 : 0);
    } else {
        put_joined(replication, node, " && ");
    }
}

void fuse_put_none(struct replication *replication, const struct clopt_node *condition)
{
    const struct clopt_node *node = strip(condition);
    bool last;
    if (clopt_node_is_operator(node, "||")) {
        fuse_put_none(replication, node->children[0]);
        replication_put(replication, " && ");
        fuse_put_none(replication, node->children[1]);
    } else if (clopt_node_is_operator(node, "!")) {
        put_all(replication, node->children[0]);
    } else if (is_of_integers(node) && is_ordered(replication, node, &last)) {
        put_opposite(replication, node, last ? 0 : replication->request.factor - 1);
    } else if (is_of_integers(node) && !replication_diverges(replication, node)) {
        put_opposite(replication, node, 0);
    } else {
        replication_put(replication, "!(");
        if (replication_diverges(replication, node))
            put_joined(replication, node, " || ");
        else
            replication_print(replication, node);
        replication_put(replication, ")");
    }
}

/* Puts that nobody has left, in front of another condition. */
static void put_active(struct replication *replication, const char *end)
{
    if (!replication->active)
        return;
    const char *separator = "";
    for (unsigned r = 0; r < replication->request.factor; r++) {
        if (!replication->active[r])
            continue;
        replication_put(replication, separator);
        replication_put(replication, replication->active[r]);
        separator = " && ";
    }
    replication_put(replication, end);
}

/* ---- what is worth it ---- */

static unsigned count_steps(const struct clopt_node *node)
{
    unsigned steps = clopt_node_is_loop(node) ? 10 : 0;
    if (clopt_node_is_expression(node) || node->kind == CLOPT_NODE_DECLARE)
        return 1;
    for (size_t i = 0; i < node->child_count; i++)
        if (node->children[i] != node->condition)
            steps += count_steps(node->children[i]);
    return steps;
}

static bool may_version(const struct replication *replication, const struct clopt_node *node)
{
    return replication->fused < FUSE_MOST && node->kind == CLOPT_NODE_IF &&
           clopt_node_effects(node->condition) == 0;
}

bool fuse_may_stay(const struct replication *replication, const struct clopt_node *node)
{
    return may_version(replication, node) && may_agree(replication, node->condition, false);
}

/* ---- versions ---- */

bool fuse_enter(struct replication *replication, const struct clopt_node *node, size_t end,
                struct fusion *fusion)
{
    const struct clopt_divergence *outer = replication->divergence;
    *fusion = (struct fusion){.outer = outer, .active = replication->active};
    if (clopt_divergence_create_together(outer, node, &fusion->inner, NULL)) {
        replication->exhausted = true;
        return false;
    }
    replication->divergence = fusion->inner;
    replication->active = NULL;
    replication->fused++;
    if (!clopt_divergence_is_wider(fusion->inner))
        return true;
    if (!replication_choose_names(replication))
        replication->exhausted = true;
    /* A counter that is declared outside may differ here alone. */
    for (size_t i = 0; i < clopt_source_variable_count(replication->source); i++) {
        const struct clopt_variable *variable = clopt_source_variable(replication->source, i);
        const struct clopt_node *declarator = variable->declarator;
        if (!declarator || (declarator->begin >= node->begin && declarator->begin < end) ||
            clopt_variable_diverges(outer, variable) ||
            !clopt_variable_diverges(fusion->inner, variable))
            continue;
        for (unsigned r = 1; r < replication->request.factor; r++) {
            replication->replica = r;
            clopt_print_declarator(&replication->printer, replication->output, declarator, false);
            replication_put(replication, "\n");
        }
        replication->replica = 0;
    }
    return true;
}

void fuse_leave(struct replication *replication, struct fusion *fusion)
{
    clopt_divergence_destroy(fusion->inner);
    replication->divergence = fusion->outer;
    replication->active = fusion->active;
    replication->fused--;
}

/* Puts an arm of a divergent `if` for all replicas together, with what follows its condition. */
static void put_arm(struct replication *replication, const struct clopt_node *node,
                    const struct clopt_node *arm)
{
    struct fusion fusion;
    replication_put(replication, ") {\n");
    if (fuse_enter(replication, node, node->stop, &fusion)) {
        statement_emit_inside(replication, arm);
        fuse_leave(replication, &fusion);
    }
    replication_put(replication, "\n} else ");
}

/* Whether none of the replicas may well take the first arm, and they may stay together in the other
 * one: behind all(mask) that is so where it asks for the opposite, !any(mask). */
static bool may_skip(const struct replication *replication, const struct clopt_node *node)
{
    const struct clopt_node *otherwise = node->otherwise;
    if (otherwise && calls(strip(node->condition), "all"))
        return otherwise->kind == CLOPT_NODE_IF &&
               may_agree(replication, otherwise->condition, true);
    return otherwise && may_agree(replication, node->condition, false);
}

bool fuse_if(struct replication *replication, const struct clopt_node *node)
{
    if (!may_version(replication, node))
        return false;
    bool all = may_agree(replication, node->condition, true);
    bool none = may_skip(replication, node);
    if ((!all && !none) || (node->otherwise && count_steps(node) < 4))
        return false;
    if (all) {
        replication_put(replication, "if (");
        put_active(replication, " && ");
        put_all(replication, node->condition);
        put_arm(replication, node, node->body);
    }
    if (none) {
        replication_put(replication, "if (");
        put_active(replication, " && ");
        fuse_put_none(replication, node->condition);
        put_arm(replication, node, node->otherwise);
    }
    replication_put(replication, "{\n");
    statement_emit_region(replication, node);
    replication_put(replication, "\n}");
    return true;
}

/* Whether a statement may go on in a version with its neighbours. */
static bool may_run(const struct clopt_node *node)
{
    return node->kind != CLOPT_NODE_DECLARE && node->kind != CLOPT_NODE_CASE &&
           node->kind != CLOPT_NODE_DEFAULT && !clopt_node_find_collective(node) &&
           !clopt_node_holds_return(node);
}

static void put_list(struct replication *replication, const struct clopt_node *list, size_t first,
                     size_t count)
{
    for (size_t i = first; i < first + count; i++) {
        if (i > first)
            replication_copy(replication, list->children[i - 1]->stop, list->children[i]->begin);
        statement_emit(replication, list->children[i]);
    }
}

size_t fuse_active(struct replication *replication, const struct clopt_node *list, size_t first)
{
    const char **active = replication->active;
    unsigned fused = replication->fused;
    size_t count = 0;
    unsigned steps = 0;
    if (!active || fused >= FUSE_MOST)
        return 0;
    for (size_t i = first; i < list->child_count && may_run(list->children[i]); i++) {
        if (!replication_diverges(replication, list->children[i]))
            continue;
        count = i + 1 - first;
        steps += count_steps(list->children[i]);
    }
    if (steps < 2 || !replication_diverges(replication, list->children[first]))
        return 0;
    replication_put(replication, "if (");
    put_active(replication, ") {\n");
    replication->active = NULL;
    put_list(replication, list, first, count);
    replication_put(replication, "\n} else {\n");
    replication->active = active;
    replication->fused = FUSE_MOST;
    put_list(replication, list, first, count);
    replication->fused = fused;
    replication_put(replication, "\n}");
    return count;
}
