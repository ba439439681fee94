/* SPDX-License-Identifier: BSD-3-Clause */
/* Versions of divergent regions. */
#include "replication.h"

/* Of versions inside of versions: each makes the code longer by the region once. */
#define FUSE_MOST 2

/* ---- conditions ---- */

static bool is_less(const struct clopt_node *node)
{
    return clopt_node_is_operator(node, "<") || clopt_node_is_operator(node, "<=");
}

static bool is_greater(const struct clopt_node *node)
{
    return clopt_node_is_operator(node, ">") || clopt_node_is_operator(node, ">=");
}

/* Whether a condition that diverges may well be `wanted` for all replicas: neighbours are seldom
 * equal to the same thing, and lanes of vectors mostly go the same way. */
static bool may_agree(const struct replication *replication, const struct clopt_node *node,
                      bool wanted)
{
    node = clopt_node_bare(node);
    if (!replication_diverges(replication, node))
        return true;
    if (clopt_node_is_operator(node, "!"))
        return may_agree(replication, node->children[0], !wanted);
    if (clopt_node_is_logical(node)) {
        bool left = may_agree(replication, node->children[0], wanted);
        bool right = may_agree(replication, node->children[1], wanted);
        return clopt_node_is_operator(node, wanted ? "&&" : "||") ? left && right : left || right;
    }
    if (clopt_node_is_operator(node, "=="))
        return !wanted;
    if (clopt_node_is_operator(node, "!="))
        return wanted;
    if (clopt_node_calls(node, "all") || clopt_node_calls(node, "any"))
        return wanted == clopt_node_calls(node, "all");
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

/* Whether it compares integers: not-a-number is neither less nor greater. */
static bool is_of_integers(const struct clopt_node *node)
{
    return (is_less(node) || is_greater(node)) && node->children[0]->bits &&
           node->children[1]->bits;
}

/* Whether an expression is 0 or 1. */
static bool is_of_truth(const struct clopt_node *value)
{
    value = clopt_node_bare(value);
    return is_less(value) || is_greater(value) || clopt_node_is_logical(value) ||
           clopt_node_is_operator(value, "!");
}

/* Whether a variable is 0 or 1, so that several are joined without a branch: PoCL 3.1 takes the
 * wrong ones where `a && b` decides once in a loop with barriers and twice after it. */
static bool is_truth(const struct clopt_node *name)
{
    const struct clopt_node *body = clopt_node_function(name);
    if (name->kind != CLOPT_NODE_VARIABLE || name->variable->is_parameter)
        return false;
    for (const struct clopt_node *node = body; node; node = clopt_node_next(node, body)) {
        if (node->variable != name->variable ||
            !(clopt_node_use(node, body) & (CLOPT_WRITE | CLOPT_ADDRESS)))
            continue;
        const struct clopt_node *value = node->condition;
        if (node->kind != CLOPT_NODE_DECLARATOR)
            value = clopt_node_is_operator(node->parent, "=") ? node->parent->children[1] : NULL;
        if (!value || !is_of_truth(value))
            return false;
    }
    return true;
}

/* Makes an expression that is true where every replica's condition holds (or fails). */
static struct clopt_node *make_all(struct replication *replication,
                                   const struct clopt_node *condition, bool wanted)
{
    const struct clopt_node *node = clopt_node_bare(condition);
    bool last = false;
    if (clopt_node_is_operator(node, "!"))
        return make_all(replication, node->children[0], !wanted);
    if (clopt_node_is_operator(node, wanted ? "&&" : "||"))
        return replication_join(replication, make_all(replication, node->children[0], wanted), "&&",
                                make_all(replication, node->children[1], wanted));
    const char *op = !wanted ? "||" : is_truth(node) ? "&" : "&&";
    struct clopt_node *made =
        (wanted || is_of_integers(node)) && is_ordered(replication, node, &last)
            ? replication_replica(replication, node,
                                  last == wanted ? replication->coarsening.factor - 1 : 0)
            : replication_join_all(replication, node, op);
    return wanted ? made : clopt_build(replication->coarsening.source, node, "!$n", made);
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

/* Whether only what has been computed is stored. */
static bool only_stores(const struct clopt_node *body)
{
    if (body->kind == CLOPT_NODE_COMPOUND && body->child_count == 1)
        body = body->children[0];
    return body->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(body, "=") &&
           !clopt_node_effects(body->children[1]);
}

static bool may_version(const struct replication *replication, const struct clopt_node *node)
{
    return replication->fused < FUSE_MOST && node->kind == CLOPT_NODE_IF &&
           clopt_node_effects(node->condition) == 0 &&
           (node->otherwise || !only_stores(node->body));
}

/* ---- versions ---- */

/* Appends the declarations of what differs here alone, such as a counter that is declared outside.
 */
static void declare_wider(struct replication *replication, const struct clopt_node *node,
                          const struct clopt_divergence *outer, struct clopt_nodes *made)
{
    struct clopt_coarsening *coarsening = &replication->coarsening;
    for (size_t i = 0; i < coarsening->source->variable_count; i++) {
        const struct clopt_variable *variable = coarsening->source->variables[i];
        const struct clopt_node *declarator = variable->declarator;
        if (!declarator || clopt_node_contains(node, declarator) ||
            clopt_variable_diverges(outer, variable) ||
            !clopt_variable_diverges(replication->divergence, variable))
            continue;
        for (unsigned r = 1; r < replication->coarsening.factor; r++)
            clopt_nodes_put(coarsening->source, made, node, "$V;",
                            clopt_coarsening_variable(coarsening, variable, r));
    }
}

/* Makes an arm of a divergent `if` for all replicas together. */
static struct clopt_node *make_arm(struct replication *replication, const struct clopt_node *node,
                                   const struct clopt_node *arm)
{
    struct clopt_source *source = replication->coarsening.source;
    struct clopt_nodes made = {0};
    const struct clopt_divergence *outer = replication->divergence;
    replication->divergence =
        clopt_divergence_create(NULL, (struct clopt_identity){.outer = outer, .agreed = node});
    replication->fused++;
    declare_wider(replication, node, outer, &made);
    struct clopt_node *form = clopt_coarsening_form(&replication->coarsening, arm);
    replication->divergence = outer;
    replication->fused--;
    if (form->kind != CLOPT_NODE_COMPOUND)
        return clopt_build(source, node, "{ $N $n }", &made, form);
    while (made.count)
        clopt_prepend(source, form, made.items[--made.count]);
    return form;
}

/* Whether none of the replicas may well take the first arm, and they may stay together in the other
 * one: after all(mask) that is so where it asks for the opposite, !any(mask). */
static bool may_skip(const struct replication *replication, const struct clopt_node *node)
{
    const struct clopt_node *otherwise = node->otherwise;
    if (otherwise && clopt_node_calls(clopt_node_bare(node->condition), "all"))
        return otherwise->kind == CLOPT_NODE_IF &&
               may_agree(replication, otherwise->condition, true);
    return otherwise && may_agree(replication, node->condition, false);
}

struct clopt_node *fuse_if(struct replication *replication, const struct clopt_node *node)
{
    struct clopt_source *source = replication->coarsening.source;
    if (!may_version(replication, node))
        return NULL;
    bool all = may_agree(replication, node->condition, true);
    bool none = may_skip(replication, node);
    if ((!all && !none) || (node->otherwise && count_steps(node) < 4))
        return NULL;
    struct clopt_node *first = all ? make_arm(replication, node, node->body) : NULL;
    struct clopt_node *second = none ? make_arm(replication, node, node->otherwise) : NULL;
    bool plain = replication->coarsening.cloning.plain; /* the versions have the comments */
    replication->coarsening.cloning.plain = true;
    struct clopt_node *made = clopt_coarsening_apart(&replication->coarsening, node);
    replication->coarsening.cloning.plain = plain;
    if (none)
        made = clopt_build(source, node, "if ($n) $n else $n",
                           make_all(replication, node->condition, false), second, made);
    if (all)
        made = clopt_build(source, node, "if ($n) $n else $n",
                           make_all(replication, node->condition, true), first, made);
    return made;
}
