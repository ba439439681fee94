/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether memory may be read although the branch that reads it is not taken.
 *
 * What a work-item accesses anyway, just before the branch or in its other side, it may read; and
 * so it may read any element of an array whose size is declared, unless others write to it at the
 * time. Elsewhere, an address of that kind takes the place of the one that is not safe. */
#include "flatten.h"

#include <string.h>

#define MOST_STATEMENTS 64 /* to look back at */

bool is_memory(const struct clopt_node *node)
{
    switch (node->kind) {
    case CLOPT_NODE_VARIABLE:
        return node->variable->space != CLOPT_SPACE_PRIVATE && !node->variable->is_array;
    case CLOPT_NODE_SUBSCRIPT:
        return !node->is_array;
    case CLOPT_NODE_UNARY:
        return clopt_node_is_operator(node, "*") && !node->is_array;
    case CLOPT_NODE_MEMBER:
        return clopt_node_is_operator(node, "->") && !node->is_array;
    default:
        return false;
    }
}

/* ---- what is accessed anyway ---- */

/* What is looked for, and what a candidate for it must not meet. */
struct search {
    const struct clopt_node *branch;
    const struct clopt_node *wanted;
    struct clopt_access elements;
    bool exact;
    const struct clopt_node *between[MOST_STATEMENTS]; /* what runs between candidate and branch */
    size_t between_count;
    const struct clopt_node *found;
};

/* Whether the address of an access is the same each time that it is computed there. */
static bool is_stable(const struct search *search, const struct clopt_node *access)
{
    for (size_t i = 0; i < access->child_count; i++)
        if (clopt_node_effects(access->children[i]))
            return false;
    if (clopt_node_search(access, clopt_node_is_exposed, NULL) ||
        clopt_node_changes(search->branch, access))
        return false;
    for (size_t i = 0; i < search->between_count; i++)
        if (clopt_node_changes(search->between[i], access))
            return false;
    return true;
}

static bool is_alike(const struct search *search, const struct clopt_node *access)
{
    if (search->exact)
        return clopt_nodes_equal(search->wanted, access);
    struct clopt_access elements = clopt_access_of(access);
    return elements.base && elements.base == search->elements.base &&
           elements.index_count == search->elements.index_count &&
           access->kind == search->wanted->kind;
}

/* Looks at what is evaluated whenever a node is; with `all` also at what is to the right of && and
 * ?. */
static void look_at(struct search *search, const struct clopt_node *node)
{
    if (search->found)
        return;
    if (is_memory(node) && is_alike(search, node) && is_stable(search, node)) {
        search->found = node;
        return;
    }
    switch (node->kind) {
    case CLOPT_NODE_IF:
    case CLOPT_NODE_WHILE:
    case CLOPT_NODE_SWITCH:
        look_at(search, node->condition);
        return;
    case CLOPT_NODE_FOR:
        if (node->init)
            look_at(search, node->init);
        if (node->condition)
            look_at(search, node->condition);
        return;
    case CLOPT_NODE_CONDITIONAL:
        look_at(search, node->children[0]);
        return;
    case CLOPT_NODE_BINARY:
        look_at(search, node->children[0]);
        if (!clopt_node_is_logical(node))
            look_at(search, node->children[1]);
        return;
    case CLOPT_NODE_UNARY:
        if (!clopt_node_is_operator(node, "&"))
            look_at(search, node->children[0]);
        return;
    case CLOPT_NODE_DO:
    case CLOPT_NODE_CASE:
    case CLOPT_NODE_DEFAULT:
    case CLOPT_NODE_LABEL:
    case CLOPT_NODE_ATTRIBUTED:
    case CLOPT_NODE_SIZEOF:
        return;
    default:
        for (size_t i = 0; i < node->child_count; i++)
            look_at(search, node->children[i]);
        return;
    }
}

/* Looks at a condition of which it is known that it holds. */
static void look_at_true(struct search *search, const struct clopt_node *condition)
{
    condition = clopt_node_bare(condition);
    if (condition->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(condition, "&&")) {
        look_at_true(search, condition->children[0]);
        look_at_true(search, condition->children[1]);
    } else {
        look_at(search, condition);
    }
}

/* Notes that a statement runs between candidates and the branch; false where the search ends: with
 * a barrier in between, another work-item may have written there. */
static bool add_between(struct search *search, const struct clopt_node *statement)
{
    if (search->between_count == MOST_STATEMENTS ||
        clopt_node_find_effect(statement, CLOPT_EFFECT_COLLECTIVE))
        return false;
    search->between[search->between_count++] = statement;
    return true;
}

/* Looks at the statements in front of one in its block. */
static bool look_back(struct search *search, const struct clopt_node *block,
                      const struct clopt_node *statement)
{
    for (size_t i = clopt_node_number(statement); i-- > 0 && !search->found;) {
        if (!add_between(search, block->children[i]))
            return false;
        look_at(search, block->children[i]);
    }
    return true;
}

/* Looks at what is evaluated before the branch whenever the branch is met. */
static void look_before(struct search *search)
{
    const struct clopt_node *node = search->branch;
    look_at(search, node->condition);
    for (; node->parent && !search->found; node = node->parent) {
        const struct clopt_node *parent = node->parent;
        bool chosen = parent->parent && parent->parent->kind == CLOPT_NODE_SWITCH;
        if (parent->kind == CLOPT_NODE_COMPOUND && !chosen && !look_back(search, parent, node))
            return;
        if (clopt_node_is_loop(parent) && !add_between(search, parent))
            return;
        if (parent->kind != CLOPT_NODE_IF)
            continue;
        if (!add_between(search, parent->condition))
            return;
        if (node == parent->body)
            look_at_true(search, parent->condition);
        else
            look_at(search, parent->condition);
    }
}

/* The other side of a branch, where all of it is executed instead of a node; NULL: it is not. */
static const struct clopt_node *other_side(const struct clopt_node *branch,
                                           const struct clopt_node *node)
{
    const struct clopt_node *inner = node->parent;
    while (inner->kind != CLOPT_NODE_IF)
        inner = inner->parent;
    if (inner != branch)
        return NULL;
    return clopt_node_contains(branch->body, node) ? branch->otherwise : branch->body;
}

static const struct clopt_node *find_accessed(const struct clopt_node *branch,
                                              const struct clopt_node *wanted, bool exact)
{
    const struct clopt_node *other = other_side(branch, wanted);
    struct search search = {
        .branch = branch, .wanted = wanted, .elements = clopt_access_of(wanted), .exact = exact};
    if (other)
        look_at(&search, other);
    if (!search.found)
        look_before(&search);
    return search.found;
}

/* ---- arrays of known size ---- */

static bool is_write(const struct clopt_node *node, const void *variable)
{
    const struct clopt_node *place = clopt_node_written(node);
    while (place && place->kind != CLOPT_NODE_VARIABLE && place->child_count)
        place = place->children[0];
    return place && place->kind == CLOPT_NODE_VARIABLE && place->variable == variable;
}

static bool writes(const struct clopt_node *node, const struct clopt_variable *variable)
{
    return clopt_node_search(node, is_write, variable);
}

static bool is_barrier(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_CALL && !node->callee &&
           (strcmp(node->name, "barrier") == 0 || strcmp(node->name, "work_group_barrier") == 0);
}

/* Whether no statement of a block writes a variable, from one of its statements to the next
 * barrier, forwards or backwards. Sets *ends where a barrier was met. */
static bool is_quiet_along(const struct clopt_node *block, const struct clopt_node *statement,
                           const struct clopt_variable *variable, bool forwards, bool *ends)
{
    size_t i = clopt_node_number(statement);
    while (!*ends && (forwards ? ++i < block->child_count : i-- > 0)) {
        *ends = is_barrier(block->children[i]);
        if (writes(block->children[i], variable))
            return false;
    }
    return true;
}

/* Whether no work-item writes to local memory while others may be at the branch: between the
 * barriers around it. */
static bool is_quiet(const struct clopt_node *branch, const struct clopt_variable *variable)
{
    bool begun = false;
    bool ended = false;
    if (writes(branch, variable))
        return false;
    for (const struct clopt_node *node = branch; node->parent && !(begun && ended);
         node = node->parent) {
        const struct clopt_node *parent = node->parent;
        bool chosen = parent->parent && parent->parent->kind == CLOPT_NODE_SWITCH;
        if (parent->kind != CLOPT_NODE_COMPOUND || chosen) {
            if (writes(parent, variable))
                return false;
            begun = ended = begun && ended;
        } else if (!is_quiet_along(parent, node, variable, false, &begun) ||
                   !is_quiet_along(parent, node, variable, true, &ended)) {
            return false;
        }
    }
    return true;
}

static bool has_element(const struct clopt_function *kernel, const struct clopt_node *branch,
                        const struct clopt_node *access, const struct clopt_access *elements)
{
    const struct clopt_variable *array = elements->base;
    if (!array || !array->is_array || !elements->index_count)
        return false;
    for (size_t i = 0; i < elements->index_count; i++)
        if (!clopt_variable_extent(array, i))
            return false;
    if (access->space != CLOPT_SPACE_LOCAL)
        return true;
    return !clopt_variable_find_other_use(array, kernel->body, false) && is_quiet(branch, array);
}

bool is_in_range(const struct clopt_variable *array, size_t dimension,
                 const struct clopt_node *subscript)
{
    return subscript->known && subscript->value >= 0 &&
           (uint64_t)subscript->value < clopt_variable_extent(array, dimension);
}

struct read read_find(const struct clopt_function *kernel, const struct clopt_node *branch,
                      const struct clopt_node *node)
{
    const struct clopt_access elements = clopt_access_of(node);
    bool shared = node->kind == CLOPT_NODE_VARIABLE;
    const struct clopt_node *same = find_accessed(branch, node, true);
    if (same || (shared && is_quiet(branch, node->variable) &&
                 !clopt_variable_find_other_use(node->variable, kernel->body, false)))
        return (struct read){READ_AS_IT_IS, same};
    bool element = has_element(kernel, branch, node, &elements);
    bool inside = element;
    for (size_t i = 0; i < elements.index_count; i++)
        inside = inside && is_in_range(elements.base, i, elements.indices[i]);
    if (inside)
        return (struct read){READ_AS_IT_IS, NULL};
    const struct clopt_node *like =
        elements.base && elements.index_count ? find_accessed(branch, node, false) : NULL;
    if (like)
        return (struct read){READ_LIKE, like};
    return (struct read){element ? READ_ELEMENT : READ_UNSAFE, NULL};
}
