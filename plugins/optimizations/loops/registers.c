/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces array elements in which loops accumulate by private variables, and accumulates products
 * one by one. */
#include "loops.h"

/* Replaces elements in which the chosen loops accumulate. */
static enum clopt_status replace_sums(struct clopt_transform *transform, const char *loops,
                                      unsigned factor, struct clopt_error *error)
{
    struct clopt_rewriting rewriting;
    if (!clopt_rewriting_init(&rewriting, transform, loops, factor, error) &&
        !clopt_scalars_replace(rewriting.source, rewriting.factors))
        rewriting.status =
            clopt_source_refuse(rewriting.source, rewriting.source->kernel->body, error,
                                "registers: no chosen loop accumulates in an array element "
                                "that nothing else in it may access");
    return clopt_rewriting_finish(&rewriting, transform);
}

enum clopt_status registers_apply(struct clopt_transform *transform, const char *loops,
                                  unsigned factor, struct clopt_error *error)
{
    struct clopt_error none = {0};
    enum clopt_status sums = replace_sums(transform, loops, factor, error);
    if (sums && sums != CLOPT_INFEASIBLE)
        return sums;
    enum clopt_status rows = rows_apply(transform, loops, factor, &none);
    if (!rows || rows == CLOPT_INFEASIBLE)
        return rows ? sums : CLOPT_OK;
    *error = none;
    return rows;
}

/* Whether a statement accumulates a sum whose last part is a product: v += a + b * c. */
static bool adds_product(const struct clopt_node *node)
{
    bool adds = node->kind == CLOPT_NODE_ASSIGN && clopt_node_is_statement(node) &&
                (clopt_node_is_operator(node, "+=") || clopt_node_is_operator(node, "-="));
    const struct clopt_variable *variable =
        adds && node->children[0]->kind == CLOPT_NODE_VARIABLE ? node->children[0]->variable : NULL;
    const struct clopt_node *sum = variable ? clopt_node_bare(node->children[1]) : NULL;
    return sum && sum->kind == CLOPT_NODE_BINARY && clopt_scalar_is_real(sum->scalar) &&
           (clopt_node_is_operator(sum, "+") || clopt_node_is_operator(sum, "-")) &&
           clopt_node_is_operator(clopt_node_bare(sum->children[1]), "*") &&
           variable->scalar == sum->scalar && variable->width == sum->width &&
           variable->space == CLOPT_SPACE_PRIVATE && !clopt_node_uses(sum, variable) &&
           !(clopt_node_effects(sum) & ~(unsigned)CLOPT_EFFECT_MEMORY_READ);
}

static void add_products(struct clopt_source *source, struct clopt_node *node)
{
    for (size_t i = node->child_count; i-- > 0;)
        add_products(source, node->children[i]);
    while (adds_product(node)) {
        const struct clopt_node *sum = clopt_node_bare(node->children[1]);
        const char *sign = *node->op == *sum->op ? "+=" : "-=";
        clopt_insert_after(source, node,
                           clopt_build(source, node, "$v $s $n;", node->children[0]->variable, sign,
                                       sum->children[1]));
        clopt_replace(source, node->children[1], sum->children[0]);
    }
}

static enum clopt_status edit(void *user, struct clopt_source *source, struct clopt_error *error)
{
    (void)user;
    (void)error;
    add_products(source, source->kernel->body);
    return CLOPT_OK;
}

enum clopt_status products_apply(struct clopt_transform *transform, struct clopt_error *error)
{
    return clopt_transform_edit(transform, CLOPT_INLINE_NONE, edit, NULL, error);
}
