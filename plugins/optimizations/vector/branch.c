/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds divergent regions: branches whose sides are cheap become selections by masks, which all
 * lanes execute; others are vector code where all lanes agree, else one lane after the other. */
#include "code.h"

#define MOST_NODES 64 /* in a branch whose sides are cheap */

/* A side of a branch, and the lanes that execute it. */
struct side {
    const struct clopt_node *branch;
    struct clopt_variable *mask;
};

/* ---- selections ---- */

/* Whether all indices of a lvalue are constants, so that it is there for lanes that do not go. */
static bool is_fixed(const struct clopt_node *lvalue)
{
    const struct clopt_access access = clopt_access_of(lvalue);
    for (unsigned i = 0; i < access.index_count; i++)
        if (!access.indices[i]->known)
            return false;
    return access.base != NULL;
}

static bool can_assign(const struct code *code, const struct clopt_node *branch,
                       const struct clopt_node *node)
{
    if (node->kind != CLOPT_NODE_ASSIGN && !clopt_node_is_step(node))
        return false;
    const struct clopt_node *lvalue = node->children[0];
    const struct clopt_node *value = clopt_node_is_step(node) ? NULL : node->children[1];
    if (value && (!code_is_safe(value) || !code_has_vectors(value)))
        return false;
    if (clopt_node_find_trap(node))
        return false;
    if (lvalue->kind == CLOPT_NODE_VARIABLE && lvalue->variable->space == CLOPT_SPACE_PRIVATE &&
        clopt_node_declares(branch, lvalue->variable))
        return code->plan->forms[lvalue->variable->index] != FORM_SCALARS;
    return code_is_vector_lvalue(code, lvalue) && is_fixed(lvalue);
}

static bool can_declare(const struct code *code, const struct clopt_node *node)
{
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *declarator = node->children[i];
        const struct clopt_node *value = declarator->condition;
        if (declarator->variable->space != CLOPT_SPACE_PRIVATE ||
            code->plan->forms[declarator->variable->index] == FORM_SCALARS)
            return false;
        if (value && (value->kind == CLOPT_NODE_LIST || !code_is_safe(value)))
            return false;
    }
    return true;
}

static bool can_go(const struct code *code, const struct clopt_node *branch,
                   const struct clopt_node *node)
{
    if (clopt_node_is_expression(node))
        return can_assign(code, branch, node);
    switch (node->kind) {
    case CLOPT_NODE_EMPTY:
        return true;
    case CLOPT_NODE_DECLARE:
        return can_declare(code, node);
    case CLOPT_NODE_IF:
        if (node != branch && !code_is_safe(node->condition))
            return false;
        return can_go(code, node, node->body) &&
               (!node->otherwise || can_go(code, node, node->otherwise));
    case CLOPT_NODE_COMPOUND:
        for (size_t i = 0; i < node->child_count; i++)
            if (!can_go(code, branch, node->children[i]))
                return false;
        return true;
    default:
        return false;
    }
}

/* Whether the sides of a divergent if are cheap and safe, so that all lanes may execute both. */
static bool can_select(const struct code *code, const struct clopt_node *node)
{
    return clopt_node_count(node) <= MOST_NODES && !code_has_effects(node->condition) &&
           can_go(code, node, node);
}

bool code_add_selected(struct code *code, const struct clopt_node *node, struct clopt_nodes *list)
{
    const struct clopt_node *lvalue = node->children[0];
    if (clopt_node_declares(code->side->branch, clopt_access_of(lvalue).base))
        return false;
    struct clopt_node *mask =
        code_mask_for(code, code_build(code, node, "$v", code->side->mask), lvalue->scalar);
    code->gains.operations++;
    code_put(code, list, node, "$n = $n ? $n : $n", code_vector_lvalue(code, lvalue), mask,
             code_new_value(code, node), code_vector_lvalue(code, lvalue));
    return true;
}

/* Whether a block needs braces where the sides of a branch follow each other. */
static bool needs_braces(const struct clopt_node *branch, const struct clopt_node *block)
{
    for (size_t i = 0; i < block->child_count && block != branch->body; i++)
        if (block->children[i]->kind == CLOPT_NODE_DECLARE)
            return true;
    return false;
}

static void add_side(struct code *code, const struct side *side, const struct clopt_node *node,
                     struct clopt_nodes *list)
{
    const struct side *outer = code->side;
    bool flat = node->kind == CLOPT_NODE_COMPOUND && !needs_braces(side->branch, node);
    code->side = side;
    for (size_t i = 0; flat && i < node->child_count; i++)
        code_add(code, list, code_statement(code, node->children[i]));
    if (!flat)
        code_add(code, list, code_statement(code, node));
    code->side = outer;
}

/* Declares a mask: of lanes that execute the side of a branch in which it is. */
static struct clopt_variable *add_mask(struct code *code, struct clopt_node *value,
                                       struct clopt_nodes *list)
{
    struct clopt_variable *mask = code_make_next(code, CLOPT_SCALAR_INT, code->width, "mask");
    if (code->side)
        code_put(code, list, value, "$V = $v & $n;", mask, code->side->mask, value);
    else
        code_put(code, list, value, "$V = $n;", mask, value);
    return mask;
}

/* Returns such an if as selections. */
static struct clopt_node *selection(struct code *code, const struct clopt_node *node)
{
    struct clopt_nodes list = {0};
    struct side side = {node, add_mask(code, code_mask(code, node->condition, true), &list)};
    add_side(code, &side, node->body, &list);
    if (node->otherwise) {
        side.mask = add_mask(
            code, code_choose(code, code_build(code, node, "$v", side.mask), 0, -1), &list);
        add_side(code, &side, node->otherwise, &list);
    }
    return code_build(code, node, "{ $N }", &list);
}

/* ---- versions ---- */

struct clopt_node *code_block(struct code *code, struct clopt_node *statement)
{
    return statement->kind == CLOPT_NODE_COMPOUND
               ? statement
               : code_build(code, statement, "{ $n }", statement);
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
    const struct code_gains before = code->gains;
    struct clopt_nodes made = {0};
    if (code_has_effects(node->condition))
        return NULL;
    struct clopt_variable *mask = add_mask(code, code_mask(code, node->condition, true), &made);
    unsigned operations = code->gains.operations;
    struct clopt_node *body = code_statement(code, node->body);
    struct clopt_node *otherwise = node->otherwise ? code_statement(code, node->otherwise) : NULL;
    if (code->gains.operations == operations) {
        code->gains = before;
        return NULL;
    }
    body = code_block(code, body);
    return otherwise
               ? code_build(code, node, "{ $N if (all($v)) $n else if (!any($v)) $n else $n }",
                            &made, mask, body, mask, code_block(code, otherwise),
                            apart(code, node, mask))
               : code_build(code, node, "{ $N if (all($v)) $n else if (any($v)) $n }", &made, mask,
                            body, mask, apart(code, node, mask));
}

/* Whether a use of a counter is one that only those come to for whom a flag is set. */
static bool is_under(const struct clopt_node *node, const struct clopt_variable *flag)
{
    for (; node->parent; node = node->parent)
        if (node->parent->kind == CLOPT_NODE_IF && node->parent->body == node &&
            clopt_node_names(clopt_node_bare(node->parent->condition), flag))
            return true;
    return false;
}

/* Whether a branch is all that a loop does, nobody takes it again who did not, and what the loop
 * counts does not matter to those. */
static bool is_left_by_all(const struct code *code, const struct clopt_node *node)
{
    const struct clopt_node *loop = node->parent, *flag = clopt_node_bare(node->condition);
    const struct clopt_node *body = code->source->kernel->body;
    struct clopt_trip trip;
    if (node->otherwise || !clopt_node_is_loop(loop) || flag->kind != CLOPT_NODE_VARIABLE ||
        !code_is_vector_lvalue(code, flag) || !clopt_trip_find(loop, NULL, &trip))
        return false;
    for (const struct clopt_node *at = body; at; at = clopt_node_next(at, body)) {
        bool inside = clopt_node_contains(loop, at);
        bool clears = at->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(at, "=") &&
                      at->children[1]->known && !at->children[1]->value;
        const struct clopt_node *lvalue = clopt_node_written(at);
        if ((inside && lvalue && clopt_node_names(lvalue, flag->variable) && !clears) ||
            (!inside && clopt_node_names(at, trip.counter) && !is_under(at, flag->variable)))
            return false;
    }
    return true;
}

struct clopt_node *code_region(void *user, const struct clopt_node *node)
{
    struct code *code = user;
    struct clopt_node *made = NULL;
    if (!node->parent->parent && clopt_node_is_early_return(node))
        made = code_build(code, node, "if (!any($n)) return;", /* those that stay meet again */
                          code_mask(code, node->condition, false));
    else if (node->kind == CLOPT_NODE_IF)
        made = code->side || can_select(code, node) ? selection(code, node) : branch(code, node);
    if (made && is_left_by_all(code, node))
        made = code_build(code, node, "{ if (!any($n)) break; $n }",
                          code_mask(code, node->condition, true), made);
    if (!made)
        code_note(code, node,
                  clopt_node_find(node, CLOPT_NODE_RETURN)
                      ? "a return that diverges"
                      : "a divergent branch, which lanes go through one by one");
    return made;
}
