/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes one work-item do the work of several. */
#include <clopt/coarsen.h>

#include "kernel/tree.h"
#include "rewrite/merging.h"

/* ---- setting up ---- */

static struct clopt_node *form(void *user, const struct clopt_node *node);
static struct clopt_variable *variable_of(void *user, const struct clopt_variable *variable);

void clopt_coarsening_init(struct clopt_coarsening *coarsening)
{
    size_t variables = coarsening->source->variable_count;
    coarsening->cloning = (struct clopt_cloning){
        .source = coarsening->source, .user = coarsening, .node = form, .variable = variable_of};
    coarsening->variables = clopt_source_table(coarsening->source, variables * coarsening->factor,
                                               sizeof *coarsening->variables);
}

/* ---- variables ---- */

struct clopt_variable *clopt_coarsening_variable(struct clopt_coarsening *coarsening,
                                                 const struct clopt_variable *variable,
                                                 unsigned replica)
{
    struct clopt_variable **made =
        &coarsening->variables[variable->index * coarsening->factor + replica];
    if (!*made && !replica)
        return coarsening->source->variables[variable->index];
    if (!*made)
        *made = clopt_variable_copy(coarsening->source, variable, replica);
    return *made;
}

/* Local memory is declared before. */
static struct clopt_variable *variable_of(void *user, const struct clopt_variable *variable)
{
    struct clopt_coarsening *coarsening = user;
    if (!coarsening->replica || clopt_coarsening_is_inside(coarsening, variable) ||
        !coarsening->policy->is_several(coarsening->user, variable))
        return NULL;
    return clopt_coarsening_variable(coarsening, variable, coarsening->replica);
}

/* ---- one replica ---- */

/* What is put somewhere else than where the original was leaves the text before that there. */
static struct clopt_node *without_trivia(struct clopt_node *node)
{
    node->trivia_begin = node->trivia_end = SIZE_MAX;
    return node;
}

/* Clones a node for one replica, with the comments before it. */
static struct clopt_node *clone_replica(struct clopt_coarsening *coarsening,
                                        const struct clopt_node *node, unsigned replica)
{
    const struct clopt_coarsening outer = *coarsening;
    coarsening->replica = replica;
    coarsening->alone = true;
    coarsening->cloning.plain |= replica > 0;
    struct clopt_node *clone = clopt_clone(&coarsening->cloning, node);
    coarsening->replica = outer.replica;
    coarsening->alone = outer.alone;
    coarsening->cloning.plain = outer.cloning.plain;
    return clone;
}

struct clopt_node *clopt_coarsening_replica(struct clopt_coarsening *coarsening,
                                            const struct clopt_node *node, unsigned replica)
{
    return without_trivia(clone_replica(coarsening, node, replica));
}

struct clopt_node *clopt_coarsening_apart(struct clopt_coarsening *coarsening,
                                          const struct clopt_node *statement)
{
    struct clopt_source *source = coarsening->source;
    struct clopt_nodes made = {0};
    bool returns = clopt_node_find(statement, CLOPT_NODE_RETURN);
    coarsening->region_begin = statement->index;
    coarsening->region_end = clopt_node_end(statement);
    for (unsigned r = 0; r < coarsening->factor; r++) {
        coarsening->leave = returns ? clopt_source_unique_name(source, "done", r) : NULL;
        struct clopt_node *clone = clopt_coarsening_replica(coarsening, statement, r);
        if (returns && clone->kind != CLOPT_NODE_COMPOUND)
            clone = clopt_build(source, statement, "{ $n }", clone);
        if (returns)
            clopt_append(source, clone, clopt_build(source, statement, "$s:;", coarsening->leave));
        clopt_nodes_add(source, &made, clone);
    }
    coarsening->leave = NULL;
    coarsening->region_begin = coarsening->region_end = 0;
    return clopt_build(source, statement, "$N", &made);
}

/* ---- all replicas together ---- */

/* Local memory is declared once, wherever that is. */
static bool is_region(const struct clopt_node *node, const void *user)
{
    const struct clopt_coarsening *coarsening = user;
    return coarsening->policy->is_region(coarsening->user, node) &&
           !clopt_node_declares_local(node);
}

/* ---- statements ---- */

static void end_with_barrier(struct clopt_source *source, struct clopt_node *arm)
{
    static const char barrier[] = "barrier(CLK_LOCAL_MEM_FENCE);";
    if (arm->kind == CLOPT_NODE_COMPOUND)
        clopt_append(source, arm, clopt_build(source, arm, barrier));
    else
        clopt_replace_by(source, arm, "{ $n barrier(CLK_LOCAL_MEM_FENCE); }", arm);
}

/* Clones a statement in which a node of the original, once it is met, is not looked at again. */
static struct clopt_node *clone_entered(struct clopt_coarsening *coarsening,
                                        const struct clopt_node *statement,
                                        const struct clopt_node *entered)
{
    const struct clopt_node *outer = coarsening->entered;
    coarsening->entered = entered;
    struct clopt_node *clone = clopt_clone(&coarsening->cloning, statement);
    coarsening->entered = outer;
    return clone;
}

/* PoCL 3.1 miscompiles two arms of which one holds a barrier and a branch on the work-item's
 * identity, unless both end with a barrier. */
static struct clopt_node *form_arms(struct clopt_coarsening *coarsening,
                                    const struct clopt_node *node)
{
    if (!node->otherwise || !clopt_node_find_effect(node, CLOPT_EFFECT_COLLECTIVE) ||
        !clopt_node_search(node, is_region, coarsening))
        return NULL;
    struct clopt_node *clone = clone_entered(coarsening, node, node);
    end_with_barrier(coarsening->source, clone->body);
    end_with_barrier(coarsening->source, clone->otherwise);
    return clone;
}

/* A loop, with its attributes, whose head declares what there is several times: before it. */
static struct clopt_node *form_loop(struct clopt_coarsening *coarsening,
                                    const struct clopt_node *statement,
                                    const struct clopt_node *loop)
{
    const struct clopt_node *init = loop->kind == CLOPT_NODE_FOR ? loop->init : NULL;
    if (!init || init->kind != CLOPT_NODE_DECLARE || coarsening->entered == init)
        return NULL;
    struct clopt_nodes declared = {0};
    coarsening->policy->declare(coarsening->user, init, &declared);
    if (!declared.count)
        return NULL;
    struct clopt_node *clone = without_trivia(clone_entered(coarsening, statement, init));
    return clopt_build(coarsening->source, statement, "{ $N $n }", &declared, clone);
}

/* What replicas do one by one, in place of one statement or part of a for's head. */
static struct clopt_node *form_each(struct clopt_coarsening *coarsening,
                                    const struct clopt_node *node, clopt_form_add add)
{
    struct clopt_source *source = coarsening->source;
    struct clopt_nodes made = {0};
    add(coarsening->user, node, &made);
    if (!made.count)
        return NULL;
    if (made.count > 1 && node->parent->init != node && node->parent->step != node)
        return clopt_build(source, node, "$N", &made);
    struct clopt_node *joined = made.items[0];
    for (size_t i = 1; i < made.count; i++)
        joined = clopt_build(source, node, "$n, $n", joined, made.items[i]);
    return joined;
}

static struct clopt_node *form_statement(struct clopt_coarsening *coarsening,
                                         const struct clopt_node *node)
{
    const struct clopt_coarsening_policy *policy = coarsening->policy;
    const struct clopt_node *held = node->kind == CLOPT_NODE_ATTRIBUTED ? node->body : node;
    if (is_region(node, coarsening) || (held != node && is_region(held, coarsening))) {
        struct clopt_node *made = policy->region(coarsening->user, node);
        return made ? made : clopt_coarsening_apart(coarsening, node);
    }
    switch (node->kind) {
    case CLOPT_NODE_DECLARE:
        return form_each(coarsening, node, policy->declare);
    case CLOPT_NODE_IF:
        return form_arms(coarsening, node);
    case CLOPT_NODE_FOR:
    case CLOPT_NODE_ATTRIBUTED:
        return form_loop(coarsening, node, held);
    default:
        return clopt_node_is_expression(node) ? form_each(coarsening, node, policy->expression)
                                              : NULL;
    }
}

/* Whether a node is a statement, or a part of a for's head other than its condition. */
static bool is_statement(const struct clopt_node *node)
{
    const struct clopt_node *parent = node->parent;
    return !clopt_node_is_expression(node) ||
           (parent && !clopt_node_is_expression(parent) && parent->condition != node);
}

/* The new form of a node: what clones are made with. */
static struct clopt_node *form(void *user, const struct clopt_node *node)
{
    struct clopt_coarsening *coarsening = user;
    const struct clopt_coarsening_policy *policy = coarsening->policy;
    struct clopt_node *made = NULL;
    if (!coarsening->alone && coarsening->entered == node) {
        if (node->kind == CLOPT_NODE_DECLARE)
            return clopt_build(coarsening->source, node, ";"); /* it is before the loop */
    } else if (!coarsening->alone && is_statement(node)) {
        made = form_statement(coarsening, node);
    }
    if (!made)
        made = policy->node(coarsening->user, node, coarsening->replica);
    if (!made && node->kind == CLOPT_NODE_RETURN && coarsening->leave)
        made = clopt_build(coarsening->source, node, "goto $s;", coarsening->leave);
    if (!made && coarsening->merging)
        made = clopt_merging_node(coarsening->merging, &coarsening->cloning, node,
                                  coarsening->replica, NULL);
    return made;
}

/* ---- what cannot be merged ---- */

/* Those that return before a barrier must be known after it. */
static enum clopt_status check_returns(const struct clopt_coarsening *coarsening,
                                       const struct clopt_node *body, struct clopt_error *error)
{
    for (size_t i = 0; i < body->child_count; i++) {
        const struct clopt_node *node = body->children[i];
        if (clopt_node_is_early_return(node) || !clopt_node_find(node, CLOPT_NODE_RETURN) ||
            !is_region(node, coarsening))
            continue;
        const struct clopt_node *call = clopt_node_find_collective(body, i + 1);
        if (call)
            return clopt_source_refuse(coarsening->source, call, error,
                                       "%s after a return that diverges, in line %u", call->name,
                                       clopt_source_line(coarsening->source, node));
    }
    return CLOPT_OK;
}

static enum clopt_status check_collective(const struct clopt_coarsening *coarsening,
                                          const struct clopt_divergence *divergence,
                                          const struct clopt_node *node, struct clopt_error *error)
{
    if (is_region(node, coarsening)) {
        const struct clopt_node *call = clopt_node_find_effect(node, CLOPT_EFFECT_COLLECTIVE);
        return call ? clopt_source_refuse(coarsening->source, call, error,
                                          "%s inside a divergent region", call->name)
                    : CLOPT_OK;
    }
    if (clopt_node_find_effect(node, CLOPT_EFFECT_COLLECTIVE) == node &&
        clopt_node_diverges(divergence, node))
        return clopt_source_refuse(coarsening->source, node, error,
                                   "%s with arguments that diverge", node->name);
    for (size_t i = 0; i < node->child_count; i++)
        CLOPT_TRY(check_collective(coarsening, divergence, node->children[i], error));
    return CLOPT_OK;
}

/* Returns what a parameter of the kernel is to a replica that has a variable for it. */
static struct clopt_node *build_parameter(const struct clopt_coarsening *coarsening, size_t index,
                                          unsigned replica)
{
    struct clopt_source *source = coarsening->source;
    const struct clopt_node *body = source->kernel->body;
    struct clopt_variable *parameter = source->kernel->parameters[index];
    struct clopt_variable *part = coarsening->merging ? coarsening->merging->parts[index] : NULL;
    if (!part || !replica)
        return clopt_build(source, body, "$v", parameter);
    if (!parameter->pointee_bytes || strstr(parameter->type, "void"))
        return clopt_build(source, body, "($t)(($t)$v + $u * $v)", "__local void *",
                           "__local char *", parameter, replica, part);
    return clopt_build(source, body, "$v + $u * ($v / sizeof(*$v))", parameter, replica, part,
                       parameter);
}

/* Declares the variables that replicas have in place of parameters, in front of a body. */
static void declare_parameters(struct clopt_coarsening *coarsening, struct clopt_node *body)
{
    struct clopt_source *source = coarsening->source;
    const struct clopt_function *kernel = source->kernel;
    struct clopt_nodes made = {0};
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        struct clopt_variable *parameter = kernel->parameters[i];
        bool several = coarsening->policy->is_several(coarsening->user, parameter);
        for (unsigned r = 0; r < (several ? coarsening->factor : 1); r++) {
            struct clopt_variable *own = clopt_coarsening_variable(coarsening, parameter, r);
            if (own != parameter)
                clopt_nodes_put(source, &made, kernel->body, "$V = $n;", own,
                                build_parameter(coarsening, i, r));
        }
    }
    while (made.count)
        clopt_prepend(source, body, made.items[--made.count]);
}

enum clopt_status clopt_coarsening_kernel(struct clopt_coarsening *coarsening,
                                          const struct clopt_divergence *divergence,
                                          struct clopt_error *error)
{
    struct clopt_source *source = coarsening->source;
    struct clopt_node *body = source->kernel->body;
    CLOPT_TRY(check_returns(coarsening, body, error));
    CLOPT_TRY(check_collective(coarsening, divergence, body, error));
    struct clopt_node *form = clopt_coarsening_form(coarsening, body);
    declare_parameters(coarsening, form);
    clopt_replace(source, body, form);
    return clopt_merging_finish(coarsening->merging, error);
}
