/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds the statements of a tree. */
#include "kernel/tree_builder.h"

#include "frontend/token.h"

/* Where a statement ends that has no other statement at its end: after its semicolon. */
static void find_stop(const struct clopt_tree_builder *builder, struct clopt_node *node)
{
    const char *text = builder->source->text;
    if (node->end > node->begin && text[node->end - 1] == ';') {
        node->stop = node->end;
        return;
    }
    const char *at = clopt_token_skip_space(text + node->end);
    node->stop = *at == ';' ? (size_t)(at - text) + 1 : node->end;
}

/* Finds the semicolons and the closing parenthesis of a for statement's head. */
static bool for_head(const struct clopt_tree_builder *builder, const struct clopt_node *node,
                     size_t semi[2], size_t *close)
{
    const char *text = builder->source->text;
    const char *at = text + node->begin;
    const char *end = clopt_token_close(at);
    unsigned depth = 0;
    size_t found = 0;
    while (end && at < end) {
        struct clopt_token token = clopt_token_next(&at);
        depth += clopt_token_is(&token, "(");
        depth -= clopt_token_is(&token, ")");
        if (clopt_token_is(&token, ";") && depth == 1 && found < 2)
            semi[found++] = (size_t)(token.text - text);
    }
    *close = end ? (size_t)(end - text) : 0;
    return found == 2;
}

static bool arrange_for(const struct clopt_tree_builder *builder, struct clopt_node *node)
{
    size_t semi[2] = {0};
    size_t close = 0;
    if (!for_head(builder, node, semi, &close))
        return false;
    for (size_t i = 0; i < node->child_count; i++) {
        struct clopt_node *part = node->children[i];
        if (part->begin > close)
            node->body = part;
        else if (part->begin > semi[1])
            node->step = part;
        else if (part->begin > semi[0])
            node->condition = part;
        else
            node->init = part;
    }
    return node->body != NULL;
}

/* Names the parts of a statement; false where one is missing, or there are more. */
static bool arrange_statement(const struct clopt_tree_builder *builder, struct clopt_node *node)
{
    struct clopt_node *first = clopt_tree_child(node, 0);
    struct clopt_node *second = clopt_tree_child(node, 1);
    switch (node->kind) {
    case CLOPT_NODE_IF:
        node->otherwise = clopt_tree_child(node, 2);
        /* fall through */
    case CLOPT_NODE_WHILE:
    case CLOPT_NODE_SWITCH:
    case CLOPT_NODE_CASE:
        node->condition = first;
        node->body = second;
        break;
    case CLOPT_NODE_DO:
        node->body = first;
        node->condition = second;
        break;
    case CLOPT_NODE_FOR:
        return arrange_for(builder, node);
    case CLOPT_NODE_RETURN:
        node->condition = first;
        return true;
    case CLOPT_NODE_DEFAULT:
    case CLOPT_NODE_LABEL:
    case CLOPT_NODE_ATTRIBUTED:
        node->body = first;
        break;
    default:
        return true;
    }
    return node->body != NULL;
}

/* Statements that end with another statement stop where that one does. */
static void arrange_stop(const struct clopt_tree_builder *builder, struct clopt_node *node)
{
    const struct clopt_node *last = node->otherwise ? node->otherwise : node->body;
    if (node->kind == CLOPT_NODE_COMPOUND || node->kind == CLOPT_NODE_DECLARATOR)
        return;
    if (node->kind == CLOPT_NODE_DO || !last)
        find_stop(builder, node);
    else
        node->stop = last->stop;
}

/* Expressions that are statements end after a semicolon. */
static void stop_parts(const struct clopt_tree_builder *builder, struct clopt_node *node)
{
    for (size_t i = 0; i < node->child_count; i++) {
        struct clopt_node *part = node->children[i];
        bool is_statement =
            node->kind == CLOPT_NODE_COMPOUND || part == node->body || part == node->otherwise;
        if (is_statement && clopt_node_is_expression(part))
            find_stop(builder, part);
    }
}

struct clopt_node *clopt_tree_build_statement(struct clopt_tree_builder *builder, CXCursor cursor,
                                              enum clopt_node_kind kind)
{
    const struct clopt_tree_type *last = builder->types;
    struct clopt_node *node = clopt_tree_make_node(builder, cursor, kind);
    if (!node || !clopt_tree_build_children(builder, cursor, node))
        return NULL;
    if (kind == CLOPT_NODE_CASE && node->child_count > 2)
        return clopt_tree_refuse(builder, cursor, "case with a range");
    if (!arrange_statement(builder, node))
        return clopt_tree_refuse(builder, cursor, "statement that clopt cannot read");
    stop_parts(builder, node);
    arrange_stop(builder, node);
    if (kind == CLOPT_NODE_DECLARE && !node->child_count)
        clopt_tree_note_alone(builder, last, node);
    return node;
}

struct clopt_node *clopt_tree_build_declarator(struct clopt_tree_builder *builder, CXCursor cursor)
{
    struct clopt_node *node = clopt_tree_make_node(builder, cursor, CLOPT_NODE_DECLARATOR);
    if (!node)
        return NULL;
    node->variable = clopt_tree_add_variable(builder, cursor);
    if (!node->variable || !clopt_tree_build_children(builder, cursor, node))
        return NULL;
    node->variable->declarator = node;
    node->name_begin = node->variable->begin;
    /* Children before the initial value are sizes of arrays. */
    CXCursor initial = builder->parse->clang.Cursor_getVarDeclInitializer(cursor);
    if (node->child_count && initial.kind >= CXCursor_FirstExpr &&
        initial.kind <= CXCursor_LastExpr)
        node->condition = node->children[node->child_count - 1];
    return node;
}
