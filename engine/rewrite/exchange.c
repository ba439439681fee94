/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces branches that exchange two integers, or keep the lesser or the greater one, by min and
 * max.
 *
 * The condition reads both, and private memory is no one else's: what is stored where the branch is
 * not taken is what was there. Of floating-point numbers, neither -0 nor NaN would stay in its
 * place. */

#include <clopt/loop.h>

#include "kernel/tree.h"

/* Where the condition holds, `lesser` is less than `greater`, or they are equal. */
struct comparison {
    const struct clopt_node *lesser;
    const struct clopt_node *greater;
};

static bool is_indirect(const struct clopt_node *node, const void *user)
{
    (void)user;
    return node->kind == CLOPT_NODE_SUBSCRIPT || node->kind == CLOPT_NODE_CALL;
}

/* Whether a node names a private variable, or an element of a private array, that is at the same
 * lvalue all through a branch. */
static bool is_private(const struct clopt_node *branch, const struct clopt_node *node)
{
    const struct clopt_access access = clopt_access_of(node);
    if (!access.base || access.base->is_volatile || access.base->space != CLOPT_SPACE_PRIVATE ||
        access.base->is_array != (access.index_count > 0) || node->is_array)
        return false;
    for (unsigned i = 0; i < access.index_count; i++)
        if (!access.indices[i] || clopt_node_effects(access.indices[i]) ||
            clopt_node_search(access.indices[i], is_indirect, NULL) ||
            clopt_node_changes(branch, access.indices[i]))
            return false;
    return true;
}

/* Whether min and max are of two expressions as they are. */
static bool is_integer_pair(const struct clopt_node *a, const struct clopt_node *b)
{
    unsigned effects = (clopt_node_effects(a) | clopt_node_effects(b));
    return a->width == 1 && b->width == 1 && a->scalar == b->scalar && a->bits &&
           clopt_scalar_is_integer(a->scalar) && a->scalar != CLOPT_SCALAR_BOOL &&
           !(effects & ~(unsigned)CLOPT_EFFECT_MEMORY_READ);
}

static bool read_condition(const struct clopt_node *condition, struct comparison *comparison)
{
    const struct clopt_node *node = clopt_node_bare(condition);
    bool compares = node->kind == CLOPT_NODE_BINARY &&
                    (clopt_node_is_operator(node, "<") || clopt_node_is_operator(node, "<=") ||
                     clopt_node_is_operator(node, ">") || clopt_node_is_operator(node, ">="));
    if (!compares)
        return false;
    bool less = *node->op == '<';
    comparison->lesser = clopt_node_bare(node->children[less ? 0 : 1]);
    comparison->greater = clopt_node_bare(node->children[less ? 1 : 0]);
    return is_integer_pair(comparison->lesser, comparison->greater);
}

/* Whether a statement assigns one expression to another one. */
static bool assigns(const struct clopt_node *statement, const struct clopt_node *to,
                    const struct clopt_node *from)
{
    return statement->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(statement, "=") &&
           clopt_nodes_equal(statement->children[0], to) &&
           clopt_nodes_equal(statement->children[1], from);
}

/* The variable that a statement declares as a copy of an expression; NULL: none. */
static struct clopt_variable *copy_of(const struct clopt_node *statement,
                                      const struct clopt_node *node)
{
    const struct clopt_node *declarator =
        statement->kind == CLOPT_NODE_DECLARE && statement->child_count == 1
            ? statement->children[0]
            : NULL;
    bool copies = declarator && declarator->condition &&
                  clopt_nodes_equal(declarator->condition, node) &&
                  declarator->variable->scalar == node->scalar &&
                  declarator->variable->width == 1 && !declarator->variable->is_array &&
                  !declarator->variable->is_pointer && !declarator->variable->is_volatile;
    return copies ? declarator->variable : NULL;
}

/* Whether the statements of a block are t = a; a = b; b = t; returns t, or NULL. */
static struct clopt_variable *find_exchange(const struct clopt_node *block,
                                            const struct clopt_node *a, const struct clopt_node *b)
{
    struct clopt_node *const *statements = block->children;
    struct clopt_variable *copy = block->kind == CLOPT_NODE_COMPOUND && block->child_count == 3
                                      ? copy_of(statements[0], a)
                                      : NULL;
    bool exchanges = copy && assigns(statements[1], a, b) &&
                     statements[2]->kind == CLOPT_NODE_ASSIGN &&
                     clopt_node_is_operator(statements[2], "=") &&
                     clopt_nodes_equal(statements[2]->children[0], b) &&
                     clopt_node_names(clopt_node_bare(statements[2]->children[1]), copy);
    return exchanges ? copy : NULL;
}

/* Returns the exchange in a branch by min and max, or NULL. */
static struct clopt_node *form_exchange(struct clopt_source *source,
                                        const struct clopt_node *branch,
                                        const struct comparison *comparison)
{
    const struct clopt_node *a = comparison->lesser, *b = comparison->greater;
    const char *first = "max", *second = "min";
    if (!is_private(branch, a) || !is_private(branch, b))
        return NULL;
    struct clopt_variable *copy = find_exchange(branch->body, a, b);
    if (!copy) {
        a = comparison->greater;
        b = comparison->lesser;
        first = "min";
        second = "max";
        copy = find_exchange(branch->body, a, b);
    }
    return copy ? clopt_build(source, branch, "{ $V = $s($n, $n); $n = $s($n, $n); $n = $v; }",
                              copy, first, a, b, b, second, a, b, a, copy)
                : NULL;
}

/* Returns if (a < b) a = b by min or max, or NULL. */
static struct clopt_node *form_choice(struct clopt_source *source, const struct clopt_node *branch,
                                      const struct comparison *comparison)
{
    const struct clopt_node *a = comparison->lesser, *b = comparison->greater;
    const struct clopt_node *statement = branch->body;
    if (statement->kind == CLOPT_NODE_COMPOUND && statement->child_count == 1)
        statement = statement->children[0];
    if (is_private(branch, a) && assigns(statement, a, b))
        return clopt_build(source, branch, "$n = max($n, $n);", a, a, b);
    if (is_private(branch, b) && assigns(statement, b, a))
        return clopt_build(source, branch, "$n = min($n, $n);", b, b, a);
    return NULL;
}

static size_t replace(struct clopt_source *source, struct clopt_node *node)
{
    struct comparison comparison;
    size_t count = 0;
    for (size_t i = 0; i < node->child_count; i++)
        count += replace(source, node->children[i]);
    if (node->kind != CLOPT_NODE_IF || node->otherwise ||
        !read_condition(node->condition, &comparison))
        return count;
    struct clopt_node *made = form_exchange(source, node, &comparison);
    if (!made)
        made = form_choice(source, node, &comparison);
    if (made)
        clopt_replace(source, node, made);
    return count + (made != NULL);
}

/* Whether min and max are other functions, or variables, in a program. */
static bool hides_functions(const struct clopt_source *source)
{
    for (size_t i = 0; i < source->function_count; i++)
        if (strcmp(source->functions[i]->name, "min") == 0 ||
            strcmp(source->functions[i]->name, "max") == 0)
            return true;
    for (size_t i = 0; i < source->variable_count; i++)
        if (strcmp(source->variables[i]->name, "min") == 0 ||
            strcmp(source->variables[i]->name, "max") == 0)
            return true;
    return false;
}

size_t clopt_exchanges_replace(struct clopt_source *source)
{
    return hides_functions(source) ? 0 : replace(source, source->kernel->body);
}
