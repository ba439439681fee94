/* SPDX-License-Identifier: BSD-3-Clause */
/* Renames variables where edits would give names another meaning. */
#include "kernel/tree.h"
#include "text/token.h"

#include <clopt/memory.h>

#define BUCKETS 1024 /* a power of two */

/* A declaration that is visible. */
struct visible {
    struct visible *hidden; /* what is behind it in its bucket */
    struct visible *before; /* the one that was declared before it */
    struct clopt_variable *variable;
    const char *name; /* NULL: it was renamed */
    size_t bucket;
    unsigned level; /* of blocks */
};

struct scope {
    struct clopt_source *source;
    struct visible *buckets[BUCKETS];
    struct visible *last;
    unsigned level;
};

static struct visible *find(const struct scope *scope, const char *name, size_t length)
{
    struct visible *visible = scope->buckets[clopt_name_hash(name, length) & (BUCKETS - 1)];
    while (visible &&
           !(visible->name && strncmp(visible->name, name, length) == 0 && !visible->name[length]))
        visible = visible->hidden;
    return visible;
}

/* Gives a variable another name. The head of a function says what its parameters are called. */
static void rename_variable(struct clopt_source *source, struct visible *visible)
{
    struct clopt_variable *variable = visible->variable;
    size_t length = strlen(variable->name);
    variable->name = clopt_source_unique_name(source, variable->name, 2);
    visible->name = NULL;
    bool named = !variable->is_parameter;
    for (const struct clopt_text_edit *edit = source->inner->edits; edit; edit = edit->next)
        named |= edit->named == variable;
    if (named)
        return;
    clopt_source_add_edit(source, variable->begin, variable->begin + length, "%s", "")->named =
        variable;
    variable->function->edited = true;
}

/* A name means something else than what a declaration makes of it. */
static void use(struct scope *scope, const char *name, size_t length,
                const struct clopt_variable *meant)
{
    struct visible *visible;
    while ((visible = find(scope, name, length)) && visible->variable != meant)
        rename_variable(scope->source, visible);
}

/* Words such as types and constants are no variables. */
static void use_words(struct scope *scope, const char *words)
{
    for (const char *at = words; *at;) {
        struct clopt_token token = clopt_token_next(&at);
        if (token.kind == CLOPT_TOKEN_NAME)
            use(scope, token.text, token.length, NULL);
    }
}

static void declare(struct scope *scope, const struct clopt_variable *declared)
{
    struct clopt_source *source = scope->source;
    struct clopt_variable *variable = (struct clopt_variable *)clopt_variable_original(declared);
    size_t length = strlen(variable->name);
    struct visible *visible = clopt_arena_get(&source->inner->arena, sizeof *visible);
    const struct visible *other = find(scope, variable->name, length);
    *visible = (struct visible){.variable = variable, .before = scope->last, .level = scope->level};
    if (other && other->level == scope->level && other->variable != variable)
        rename_variable(source, visible);
    visible->name = variable->name;
    visible->bucket = clopt_name_hash(visible->name, strlen(visible->name)) & (BUCKETS - 1);
    visible->hidden = scope->buckets[visible->bucket];
    scope->buckets[visible->bucket] = scope->last = visible;
}

static void leave(struct scope *scope, const struct visible *outer)
{
    for (; scope->last != outer; scope->last = scope->last->before)
        scope->buckets[scope->last->bucket] = scope->last->hidden;
}

/* Whether a statement has a scope of its own: the parameters of a function share that of its body,
 * and statements that take the place of one that of the list which they are in. */
static bool opens_scope(const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_FOR)
        return true;
    bool flat = node->bare && node->parent && node->parent->kind == CLOPT_NODE_COMPOUND;
    return node->kind == CLOPT_NODE_COMPOUND && node->parent && !flat;
}

static void look_at(struct scope *scope, const struct clopt_node *node)
{
    const char *name = node->callee ? node->callee->name : node->name;
    const struct clopt_variable *variable =
        node->variable ? clopt_variable_original(node->variable) : NULL;
    switch (node->kind) {
    case CLOPT_NODE_DECLARATOR:
        declare(scope, node->variable);
        break;
    case CLOPT_NODE_VARIABLE:
        use(scope, variable->name, strlen(variable->name), variable);
        break;
    case CLOPT_NODE_LITERAL: /* a pattern may name a variable by words */
        use_words(scope, name && !node->made ? name : "");
        break;
    case CLOPT_NODE_CALL:
    case CLOPT_NODE_CAST:
    case CLOPT_NODE_VECTOR:
        use_words(scope, name ? name : "");
        break;
    default:
        break;
    }
}

static void walk(struct scope *scope, const struct clopt_node *node)
{
    const struct visible *outer = scope->last;
    bool opens = opens_scope(node);
    scope->level += opens;
    look_at(scope, node);
    for (size_t i = 0; i < node->child_count; i++)
        walk(scope, node->children[i]);
    if (opens)
        leave(scope, outer);
    scope->level -= opens;
}

void clopt_source_settle_names(struct clopt_source *source)
{
    CLOPT_FREED struct scope *scope = clopt_calloc(1, sizeof *scope);
    scope->source = source;
    for (size_t i = 0; i < source->function_count; i++) {
        const struct clopt_function *function = source->functions[i];
        if (!function->edited)
            continue;
        for (size_t p = 0; p < function->parameter_count; p++)
            declare(scope, function->parameters[p]);
        for (size_t p = 0; p < function->added_count; p++)
            declare(scope, function->added[p]);
        walk(scope, function->body);
        leave(scope, NULL);
    }
}
