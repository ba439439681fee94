/* SPDX-License-Identifier: BSD-3-Clause */
/* Edits out of trees what rewriting does not know: statement expressions of GNU C, ({ ... }), and
 * what macros put into do { ... } while (0). */

#include "kernel/tree.h"

#define MOST_NODES 4096 /* of a value that is written where it is used */

struct simplifying {
    struct clopt_source *source;
    struct clopt_cloning cloning;
    const struct clopt_node *block; /* whose variables are replaced by their values in clones */
    bool changed;
};

static struct clopt_node *last_child(const struct clopt_node *node)
{
    return node->child_count ? node->children[node->child_count - 1] : NULL;
}

/* ---- values that have names ---- */

/* Whether it makes no difference how often an expression is evaluated. */
static bool is_pure(const struct clopt_node *node)
{
    return clopt_node_is_expression(node) && node->kind != CLOPT_NODE_LIST &&
           !(clopt_node_effects(node) & ~(unsigned)CLOPT_EFFECT_MEMORY_READ);
}

static bool names_value(const struct clopt_node *declarator)
{
    const struct clopt_variable *variable = declarator->variable;
    return declarator->condition && is_pure(declarator->condition) &&
           variable->scalar != CLOPT_SCALAR_NONE && !variable->is_pointer && !variable->is_array &&
           !variable->is_volatile && !(variable->uses & CLOPT_ADDRESS);
}

/* Whether a block only names values that the expression at its end is made of. */
static bool names_values(const struct clopt_node *block)
{
    for (size_t i = 0; i + 1 < block->child_count; i++) {
        const struct clopt_node *declare = block->children[i];
        if (declare->kind != CLOPT_NODE_DECLARE)
            return false;
        for (size_t j = 0; j < declare->child_count; j++)
            if (!names_value(declare->children[j]))
                return false;
    }
    return block->child_count && is_pure(last_child(block));
}

/* Returns what takes the place of a variable of the block: its value, as one of its type. */
static struct clopt_node *form_value(void *user, const struct clopt_node *node)
{
    const struct simplifying *simplifying = user;
    const struct clopt_variable *variable = node->variable;
    if (node->kind != CLOPT_NODE_VARIABLE || !variable->declarator ||
        variable->declarator->parent->parent != simplifying->block)
        return NULL;
    const struct clopt_node *value = variable->declarator->condition;
    struct clopt_node *clone = clopt_clone(&simplifying->cloning, value);
    char type[16];
    clopt_scalar_print(variable->scalar, variable->width, type, sizeof type);
    return value->scalar == variable->scalar && value->width == variable->width
               ? clone
               : clopt_build(simplifying->source, node, "($t)$n", type, clone);
}

/* Replaces ({ int x = a; x < b ? x : b; }) by its value; false where that cannot be. */
static bool inline_value(struct simplifying *simplifying, struct clopt_node *node)
{
    simplifying->block = node->children[0];
    if (!names_values(simplifying->block))
        return false;
    struct clopt_node *value = clopt_clone(&simplifying->cloning, last_child(simplifying->block));
    if (clopt_node_count(value) > MOST_NODES)
        return false;
    clopt_replace(simplifying->source, node, value);
    return true;
}

/* ---- statements ---- */

/* Whether what is evaluated in a node may as well be evaluated before its parent. */
static bool is_first(const struct clopt_node *node)
{
    const struct clopt_node *parent = node->parent;
    bool first = parent->children[0] == node;
    switch (parent->kind) {
    case CLOPT_NODE_CONDITIONAL:
    case CLOPT_NODE_IF:
    case CLOPT_NODE_SWITCH:
    case CLOPT_NODE_DECLARE:
        return first;
    case CLOPT_NODE_BINARY:
        return first || (!clopt_node_is_operator(parent, ",") && !clopt_node_is_logical(parent));
    case CLOPT_NODE_DECLARATOR:
    case CLOPT_NODE_RETURN:
        return true;
    default:
        return clopt_node_is_expression(parent) && parent->kind != CLOPT_NODE_SIZEOF;
    }
}

/* Puts the statements of a statement expression in front of the statement that it is part of, where
 * they are executed once and before all else that counts. */
static void hoist(struct simplifying *simplifying, struct clopt_node *node)
{
    struct clopt_source *source = simplifying->source;
    struct clopt_node *value = last_child(node->children[0]);
    struct clopt_node *statement = node;
    while (!clopt_node_is_statement(statement)) {
        if (!is_first(statement))
            return;
        statement = statement->parent;
    }
    if (statement != node && (!node->name || !value || !clopt_node_is_expression(value)))
        return;
    simplifying->changed = true;
    struct clopt_node *block = clopt_remove(source, node->children[0]);
    if (statement == node) {
        clopt_replace(source, node, block);
        return;
    }
    struct clopt_variable *variable = clopt_variable_make(source, node->name, "", "value");
    clopt_insert_before(source, statement, clopt_build(source, node, "$V;", variable));
    clopt_replace(source, value, clopt_build(source, value, "$v = $n;", variable, value));
    clopt_insert_before(source, statement, block);
    clopt_replace(source, node, clopt_build(source, node, "$v", variable));
}

/* ---- the whole ---- */

/* Whether a loop is do { ... } while (0) that nothing leaves, and that no #pragma is for. */
static bool is_once(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_DO && !clopt_node_repeats(node) &&
           node->body->kind == CLOPT_NODE_COMPOUND && node->parent->kind != CLOPT_NODE_ATTRIBUTED &&
           !clopt_node_find(node, CLOPT_NODE_BREAK) && !clopt_node_find(node, CLOPT_NODE_CONTINUE);
}

/* What is inside goes first. */
static void simplify(struct simplifying *simplifying, struct clopt_node *node)
{
    struct clopt_source *source = simplifying->source;
    for (size_t i = 0; i < node->child_count; i++)
        simplify(simplifying, node->children[i]); /* what is put in front of it has none left */
    if (is_once(node))
        clopt_replace(source, node, clopt_remove(source, node->body));
    if (node->kind != CLOPT_NODE_STATEMENTS ||
        clopt_node_find(node->children[0], CLOPT_NODE_STATEMENTS))
        return;
    if (inline_value(simplifying, node))
        simplifying->changed = true;
    else
        hoist(simplifying, node);
}

enum clopt_status clopt_source_simplify(struct clopt_source *source, bool *again,
                                        struct clopt_error *error)
{
    struct simplifying simplifying = {.source = source};
    const struct clopt_node *left = NULL;
    simplifying.cloning = (struct clopt_cloning){
        .source = source, .user = &simplifying, .node = form_value, .plain = true};
    for (size_t i = 0; i < source->function_count; i++) {
        simplify(&simplifying, source->functions[i]->body);
        if (!left)
            left = clopt_node_find(source->functions[i]->body, CLOPT_NODE_STATEMENTS);
    }
    *again = simplifying.changed;
    return left && !*again
               ? clopt_source_refuse(source, left, error,
                                     "statement inside an expression, that cannot be put in front "
                                     "of it")
               : CLOPT_OK;
}
