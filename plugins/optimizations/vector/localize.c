/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares variables where they are used. */
#include "localize.h"

#include <stdlib.h>
#include <string.h>

#include <clopt/rewrite.h>

struct localizing {
    struct clopt_source *source;
    bool *fixed; /* by variable: it stays where it is */
};

static bool is_movable(const struct clopt_variable *variable)
{
    const struct clopt_node *declarator = variable->declarator;
    return declarator && !declarator->condition && declarator->parent->parent &&
           declarator->parent->parent->kind == CLOPT_NODE_COMPOUND &&
           variable->space == CLOPT_SPACE_PRIVATE && !variable->is_array && !variable->is_record &&
           !variable->is_volatile &&
           (variable->scalar != CLOPT_SCALAR_NONE || variable->is_pointer);
}

static bool names(const struct clopt_node *node, const struct clopt_variable *variable)
{
    if (node->kind == CLOPT_NODE_VARIABLE && node->variable == variable)
        return true;
    for (size_t i = 0; i < node->child_count; i++)
        if (names(node->children[i], variable))
            return true;
    return false;
}

/* Whether a statement gives a variable its value, whatever it held before. */
static bool opens(const struct clopt_node *node, const struct clopt_variable *variable)
{
    return node && node->kind == CLOPT_NODE_ASSIGN && strcmp(node->op, "=") == 0 &&
           node->children[0]->kind == CLOPT_NODE_VARIABLE &&
           node->children[0]->variable == variable && !names(node->children[1], variable);
}

static bool visit(struct clopt_source *source, const struct clopt_node *node,
                  struct clopt_variable *variable, bool edit);

/* Makes a declaration of an assignment. */
static void declare(struct clopt_source *source, struct clopt_node *assignment,
                    struct clopt_variable *variable)
{
    clopt_replace(source, assignment,
                  clopt_build(source, assignment, "$V = $n;", variable, assignment->children[1]));
}

/* A block: what names the variable first gives it a value, or has it covered itself. */
static bool visit_block(struct clopt_source *source, const struct clopt_node *node,
                        struct clopt_variable *variable, bool edit)
{
    for (size_t i = 0; i < node->child_count; i++) {
        struct clopt_node *child = node->children[i];
        if (opens(child, variable)) {
            if (edit)
                declare(source, child, variable);
            return true;
        }
        if (!visit(source, child, variable, edit))
            return false;
    }
    return true;
}

/* Whether each use of a variable below a node follows an assignment in its own block, which becomes
 * its declaration if that is asked for. */
static bool visit(struct clopt_source *source, const struct clopt_node *node,
                  struct clopt_variable *variable, bool edit)
{
    if (!names(node, variable))
        return true;
    switch (node->kind) {
    case CLOPT_NODE_COMPOUND:
        return visit_block(source, node, variable, edit);
    case CLOPT_NODE_FOR:
        if (opens(node->init, variable)) {
            if (edit)
                declare(source, node->init, variable);
            return true;
        }
        break;
    case CLOPT_NODE_IF:
    case CLOPT_NODE_WHILE:
    case CLOPT_NODE_DO:
    case CLOPT_NODE_ATTRIBUTED:
        break;
    default:
        return false;
    }
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *child = node->children[i];
        bool statement = child == node->body || child == node->otherwise;
        if (statement ? !visit(source, child, variable, edit) : names(child, variable))
            return false;
    }
    return true;
}

/* Declares those variables of a statement that stay. */
static void split(const struct localizing *localizing, struct clopt_node *statement)
{
    struct clopt_source *source = localizing->source;
    for (size_t i = 0; i < statement->child_count; i++) {
        const struct clopt_node *declarator = statement->children[i];
        struct clopt_variable *variable = declarator->variable;
        if (localizing->fixed[variable->index])
            clopt_insert_before(
                source, statement,
                declarator->condition
                    ? clopt_build(source, statement, "$V = $n;", variable, declarator->condition)
                    : clopt_build(source, statement, "$V;", variable));
    }
    clopt_remove(source, statement);
}

/* Whether a variable of the kernel may be declared where it is used. */
static bool can_move(const struct localizing *localizing, struct clopt_variable *variable)
{
    return variable->function == localizing->source->kernel && is_movable(variable) &&
           !(variable->uses & CLOPT_ADDRESS) &&
           visit(localizing->source, variable->declarator->parent->parent, variable, false);
}

enum clopt_status localize(struct clopt_source *source, struct clopt_error *error)
{
    struct clopt_function *kernel = source->kernel;
    size_t count = source->variable_count;
    struct localizing localizing = {source, calloc(count + 1, sizeof *localizing.fixed)};
    if (!localizing.fixed)
        return clopt_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        localizing.fixed[i] =
            (kernel->effects & CLOPT_EFFECT_GOTO) || !can_move(&localizing, source->variables[i]);
    for (size_t i = 0; i < count; i++) {
        struct clopt_variable *variable = source->variables[i];
        if (!localizing.fixed[i])
            visit(source, variable->declarator->parent->parent, variable, true);
    }
    for (size_t i = 0; i < count; i++) {
        const struct clopt_variable *variable = source->variables[i];
        if (!localizing.fixed[i] && variable->declarator->parent->parent)
            split(&localizing, variable->declarator->parent);
    }
    free(localizing.fixed);
    return CLOPT_OK;
}
