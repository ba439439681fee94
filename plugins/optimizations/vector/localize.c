/* SPDX-License-Identifier: BSD-3-Clause */
/* Declares variables where they are used. */
#include "localize.h"

#include <stdlib.h>
#include <string.h>

struct localizing {
    const struct clopt_source *source;
    bool *kept;     /* by variable: it stays where it is */
    bool *openings; /* by node: an assignment that becomes a declaration */
    struct clopt_printer printer;
};

static void note_address(void *user, const struct clopt_node *node, struct clopt_variable *variable,
                         unsigned access)
{
    struct localizing *localizing = user;
    (void)node;
    if (access & CLOPT_ADDRESS)
        localizing->kept[variable->index] = true;
}

static bool is_movable(const struct clopt_variable *variable)
{
    const struct clopt_node *declarator = variable->declarator;
    return declarator && !declarator->condition && declarator->parent->parent &&
           declarator->parent->parent->kind == CLOPT_NODE_COMPOUND &&
           variable->space == CLOPT_SPACE_PRIVATE && !variable->is_array && !variable->is_record &&
           !variable->is_volatile &&
           (variable->scalar != CLOPT_SCALAR_NONE || variable->is_pointer);
}

static bool touches(const struct clopt_node *node, const struct clopt_variable *variable)
{
    if (node->kind == CLOPT_NODE_VARIABLE && node->variable == variable)
        return true;
    for (size_t i = 0; i < node->child_count; i++)
        if (touches(node->children[i], variable))
            return true;
    return false;
}

/* Whether a statement gives a variable its value, whatever it held before. */
static bool opens(const struct clopt_node *node, const struct clopt_variable *variable)
{
    return node && node->kind == CLOPT_NODE_ASSIGN && strcmp(node->operator, "=") == 0 &&
           node->children[0]->kind == CLOPT_NODE_VARIABLE &&
           node->children[0]->variable == variable && !touches(node->children[1], variable);
}

static bool visit(struct localizing *localizing, const struct clopt_node *node,
                  const struct clopt_variable *variable, bool mark);

/* A block: what touches the variable first gives it a value, or has it covered itself. */
static bool visit_block(struct localizing *localizing, const struct clopt_node *node,
                        const struct clopt_variable *variable, bool mark)
{
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *child = node->children[i];
        if (opens(child, variable)) {
            if (mark)
                localizing->openings[child->index] = true;
            return true;
        }
        if (!visit(localizing, child, variable, mark))
            return false;
    }
    return true;
}

/* Whether each use of a variable below a node stands behind an assignment in its own block, which
 * is marked if that is asked for. */
static bool visit(struct localizing *localizing, const struct clopt_node *node,
                  const struct clopt_variable *variable, bool mark)
{
    if (!touches(node, variable))
        return true;
    switch (node->kind) {
    case CLOPT_NODE_COMPOUND:
        return visit_block(localizing, node, variable, mark);
    case CLOPT_NODE_FOR:
        if (opens(node->init, variable)) {
            if (mark)
                localizing->openings[node->init->index] = true;
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
        if (statement ? !visit(localizing, child, variable, mark) : touches(child, variable))
            return false;
    }
    return true;
}

static bool choose(struct localizing *localizing)
{
    const struct clopt_source *source = localizing->source;
    const struct clopt_function *kernel = clopt_source_kernel(source);
    bool any = false;
    clopt_node_accesses(kernel->body, note_address, localizing);
    for (size_t i = 0; i < clopt_source_variable_count(source); i++) {
        const struct clopt_variable *variable = clopt_source_variable(source, i);
        bool *kept = &localizing->kept[i];
        *kept |= variable->function != kernel || !is_movable(variable);
        *kept = *kept || !visit(localizing, variable->declarator->parent->parent, variable, false);
        if (*kept)
            continue;
        any = true;
        visit(localizing, variable->declarator->parent->parent, variable, true);
    }
    return any;
}

/* Puts those variables of a declaration that stay. */
static void put_declare(const struct localizing *localizing, struct clopt_output *output,
                        const struct clopt_node *node)
{
    for (size_t i = 0; i < node->child_count; i++)
        if (localizing->kept[node->children[i]->variable->index])
            clopt_print_declarator(&localizing->printer, output, node->children[i], true);
}

/* Puts an assignment as a declaration. */
static void put_opening(const struct localizing *localizing, struct clopt_output *output,
                        const struct clopt_node *node)
{
    struct clopt_output *declaration = clopt_output_create();
    if (!declaration)
        return;
    clopt_print_declarator(&localizing->printer, declaration,
                           node->children[0]->variable->declarator, false);
    const char *text = clopt_output_text(declaration);
    if (text)
        clopt_output_printf(output, "%.*s = ", (int)strcspn(text, ";"), text);
    clopt_print(&localizing->printer, output, node->children[1]);
    clopt_output_put(output, node->stop > node->end ? ";" : "");
    clopt_output_destroy(declaration);
}

static bool replace(void *user, struct clopt_output *output, const struct clopt_node *node)
{
    const struct localizing *localizing = user;
    if (node->kind == CLOPT_NODE_ASSIGN && localizing->openings[node->index]) {
        put_opening(localizing, output, node);
        return true;
    }
    if (node->kind != CLOPT_NODE_DECLARE)
        return false;
    bool all = true;
    for (size_t i = 0; i < node->child_count; i++)
        all &= localizing->kept[node->children[i]->variable->index];
    if (!all)
        put_declare(localizing, output, node);
    return !all;
}

bool localize(const struct clopt_source *source, struct clopt_output *output)
{
    const struct clopt_function *kernel = clopt_source_kernel(source);
    struct localizing localizing = {.source = source};
    localizing.kept = calloc(clopt_source_variable_count(source) + 1, sizeof *localizing.kept);
    localizing.openings = calloc(clopt_source_node_count(source) + 1, sizeof *localizing.openings);
    localizing.printer = (struct clopt_printer){source, &localizing, NULL, replace};
    bool any = localizing.kept && localizing.openings && !(kernel->effects & CLOPT_EFFECT_GOTO) &&
               choose(&localizing);
    if (any) {
        clopt_output_copy(output, source, 0, kernel->body->begin);
        clopt_print(&localizing.printer, output, kernel->body);
        clopt_output_copy(output, source, kernel->body->end, strlen(clopt_source_text(source)));
    }
    free(localizing.kept);
    free(localizing.openings);
    return any;
}
