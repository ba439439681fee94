/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds divergent regions: vector code where all lanes agree, else one lane after the other. */
#include "code.h"

struct clopt_node *code_block(struct code *code, struct clopt_node *statement)
{
    return statement->kind == CLOPT_NODE_COMPOUND
               ? statement
               : code_build(code, statement, "{ $n }", statement);
}

/* Returns a condition in a vector of its own, which `mask` becomes. */
static struct clopt_node *declare_mask(struct code *code, const struct clopt_node *condition,
                                       struct clopt_variable **mask)
{
    *mask = code_make_next(code, CLOPT_SCALAR_INT, "mask");
    return code_build(code, condition, "$V = $n;", *mask, code_mask(code, condition));
}

/* Returns a branch one lane after the other, of which each reads its component of a mask. */
static struct clopt_node *apart(struct code *code, const struct clopt_node *node,
                                struct clopt_variable *mask)
{
    code->condition = node->condition;
    code->mask = mask;
    struct clopt_node *lanes = clopt_coarsening_apart(&code->coarsening, node);
    code->condition = NULL;
    return lanes;
}

/* Returns a divergent branch: vector code where all lanes take the same side. NULL where that gains
 * nothing; the condition alone is no gain. */
static struct clopt_node *branch(struct code *code, const struct clopt_node *node)
{
    struct code_mark mark = code_begin(code);
    struct clopt_variable *mask;
    if (code_has_effects(node->condition))
        return NULL;
    struct clopt_node *condition = declare_mask(code, node->condition, &mask);
    unsigned gains = code->gains;
    struct clopt_node *body = code_statement(code, node->body);
    struct clopt_node *otherwise = node->otherwise ? code_statement(code, node->otherwise) : NULL;
    if (code->gains == gains) {
        code_drop(code, mark);
        return NULL;
    }
    body = code_block(code, body);
    return otherwise
               ? code_build(code, node, "{ $n if (all($v)) $n else if (!any($v)) $n else $n }",
                            condition, mask, body, mask, code_block(code, otherwise),
                            apart(code, node, mask))
               : code_build(code, node, "{ $n if (all($v)) $n else if (any($v)) $n }", condition,
                            mask, body, mask, apart(code, node, mask));
}

/* Returns `if (c) return;` and what follows it: vector code where no lane returns. NULL where that
 * gains nothing. */
static struct clopt_node *early_return(struct code *code, const struct clopt_node *node)
{
    const struct clopt_node *body = node->parent;
    struct code_mark mark = code_begin(code);
    struct clopt_nodes made = {0};
    struct clopt_nodes rest = {0};
    struct clopt_variable *leaving;
    if (!clopt_node_is_early_return(node) || code_has_effects(node->condition))
        return NULL;
    code_add(code, &made, declare_mask(code, node->condition, &leaving));
    unsigned gains = code->gains;
    clopt_coarsening_add_list(&code->coarsening, body, clopt_node_number(node) + 1,
                              body->child_count, &rest);
    if (code->gains == gains) {
        code_drop(code, mark);
        return NULL;
    }
    code_add(code, &made,
             code_build(code, node, "if (!any($v)) { $N } else if (!all($v)) $n", leaving, &rest,
                        leaving, clopt_coarsening_rest(&code->coarsening, node)));
    return code_build(code, node, "$N", &made);
}

struct clopt_node *code_region(void *user, const struct clopt_node *node)
{
    struct code *code = user;
    struct clopt_node *made = NULL;
    bool returns = clopt_node_find(node, CLOPT_NODE_RETURN);
    bool final = returns && !node->parent->parent;
    if (final)
        made = early_return(code, node);
    else if (!returns && node->kind == CLOPT_NODE_IF)
        made = code->side || code_can_select(code, node) ? code_selection(code, node)
                                                         : branch(code, node);
    if (!made)
        code_note(code, node,
                  final ? "a return that diverges"
                        : "a divergent branch, which lanes go through one by one");
    return made;
}
