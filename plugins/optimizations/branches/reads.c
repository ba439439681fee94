/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether memory may be read although the branch that reads it is not taken.
 *
 * What a work-item accesses anyway, just before the branch or in its other side, it may read; and
 * so it may read any element of an array whose size is declared, unless others write to it at the
 * time. Elsewhere, an address of that kind takes the place of the one that is not safe. */
#include "flatten.h"

#define MOST_STATEMENTS 64 /* to look back at */

/* ---- what is accessed anyway ---- */

/* What is looked for, and what a candidate for it must not meet. */
struct search {
    const struct clopt_node *wanted;
    struct clopt_access elements;
    bool exact;
    const struct clopt_node *between[MOST_STATEMENTS]; /* from a candidate on: the branch, ... */
    size_t between_count;
    const struct clopt_node *found;
};

/* Whether the address of an access is the same each time that it is computed there. */
static bool is_stable(const struct search *search, const struct clopt_node *access)
{
    for (size_t i = 0; i < access->child_count; i++)
        if (clopt_node_effects(access->children[i]))
            return false;
    for (size_t i = 0; i < search->between_count; i++)
        if (clopt_node_changes(search->between[i], access))
            return false;
    return !clopt_node_search(access, clopt_node_is_exposed, NULL);
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

/* Whether a part of a node is evaluated whenever the node is. */
static bool is_evaluated(const struct clopt_node *node, const struct clopt_node *part)
{
    switch (node->kind) {
    case CLOPT_NODE_IF:
    case CLOPT_NODE_WHILE:
    case CLOPT_NODE_SWITCH:
    case CLOPT_NODE_CONDITIONAL:
        return part == node->children[0];
    case CLOPT_NODE_FOR:
        return part == node->init || part == node->condition;
    case CLOPT_NODE_BINARY:
        return part == node->children[0] || !clopt_node_is_logical(node);
    case CLOPT_NODE_UNARY:
        return !clopt_node_is_operator(node, "&");
    case CLOPT_NODE_DO:
    case CLOPT_NODE_CASE:
    case CLOPT_NODE_DEFAULT:
    case CLOPT_NODE_LABEL:
    case CLOPT_NODE_ATTRIBUTED:
    case CLOPT_NODE_SIZEOF:
        return false;
    default:
        return true;
    }
}

/* Looks at what is evaluated whenever a node is. */
static void look_at(struct search *search, const struct clopt_node *node)
{
    if (clopt_node_is_memory(node, NULL) && is_alike(search, node) && is_stable(search, node))
        search->found = node;
    for (size_t i = 0; i < node->child_count && !search->found; i++)
        if (is_evaluated(node, node->children[i]))
            look_at(search, node->children[i]);
}

static bool look_at_part(void *search, const struct clopt_node *condition, bool holds)
{
    (void)holds;
    look_at(search, condition);
    return true;
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

const struct clopt_node *node_before(const struct clopt_node *statement)
{
    const struct clopt_node *block = statement->parent;
    bool chosen = block && block->parent && block->parent->kind == CLOPT_NODE_SWITCH;
    bool listed = block && block->kind == CLOPT_NODE_COMPOUND && !chosen;
    size_t number = listed ? clopt_node_position(statement) : 0;
    return number ? block->children[number - 1] : block;
}

/* Looks at what is evaluated before a branch whenever the branch is met. */
static void look_before(struct search *search, const struct clopt_node *branch)
{
    look_at(search, branch->condition);
    for (const struct clopt_node *node = node_before(branch); node && !search->found;
         node = node_before(node)) {
        bool around = clopt_node_contains(node, branch);
        bool decides = around && node->kind == CLOPT_NODE_IF;
        const struct clopt_node *part = decides ? node->condition : node;
        bool runs = !around || decides || clopt_node_is_loop(node);
        if (runs && !add_between(search, part))
            return;
        if (decides)
            clopt_condition_parts(part, clopt_node_contains(node->body, branch), look_at_part,
                                  search);
        else if (!around)
            look_at(search, part);
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
    struct search search = {.wanted = wanted,
                            .elements = clopt_access_of(wanted),
                            .exact = exact,
                            .between = {branch},
                            .between_count = 1};
    if (other)
        look_at(&search, other);
    if (!search.found)
        look_before(&search, branch);
    return search.found;
}

/* ---- arrays of known size ---- */

static bool is_write(const struct clopt_node *node, const void *variable)
{
    const struct clopt_node *lvalue = clopt_node_written(node);
    while (lvalue && lvalue->kind != CLOPT_NODE_VARIABLE && lvalue->child_count)
        lvalue = lvalue->children[0];
    return lvalue && clopt_node_names(lvalue, variable);
}

bool node_writes(const struct clopt_node *node, const struct clopt_variable *variable)
{
    return clopt_node_search(node, is_write, variable);
}

/* Whether no statement of a block writes a variable, from one of its statements to the next
 * barrier, forwards or backwards. Sets *ends where a barrier was met. */
static bool is_quiet_along(const struct clopt_node *block, const struct clopt_node *statement,
                           const struct clopt_variable *variable, bool forwards, bool *ends)
{
    size_t i = clopt_node_position(statement);
    while (!*ends && (forwards ? ++i < block->child_count : i-- > 0)) {
        *ends = clopt_node_is_barrier(block->children[i]);
        if (node_writes(block->children[i], variable))
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
    if (node_writes(branch, variable) ||
        clopt_variable_find_other_use(variable, clopt_node_function(branch), false))
        return false;
    for (const struct clopt_node *node = branch; node->parent && !(begun && ended);
         node = node->parent) {
        const struct clopt_node *parent = node->parent;
        bool chosen = parent->parent && parent->parent->kind == CLOPT_NODE_SWITCH;
        if (parent->kind != CLOPT_NODE_COMPOUND || chosen) {
            if (node_writes(parent, variable))
                return false;
            begun = ended = begun && ended;
        } else if (!is_quiet_along(parent, node, variable, false, &begun) ||
                   !is_quiet_along(parent, node, variable, true, &ended)) {
            return false;
        }
    }
    return true;
}

/* Whether an array is known to have elements, which may be read at a branch. */
static bool has_elements(const struct clopt_node *branch, const struct clopt_access *elements)
{
    const struct clopt_variable *array = elements->base;
    unsigned count = elements->index_count;
    if (!array || !count || !clopt_variable_extent(array, count - 1))
        return false;
    return elements->space != CLOPT_SPACE_LOCAL || is_quiet(branch, array);
}

bool is_in_range(const struct clopt_variable *array, size_t dimension,
                 const struct clopt_node *subscript)
{
    return subscript->known && subscript->value >= 0 &&
           (uint64_t)subscript->value < clopt_variable_extent(array, dimension);
}

struct read read_find(const struct clopt_node *branch, const struct clopt_node *node)
{
    const struct clopt_access elements = clopt_access_of(node);
    bool any = has_elements(branch, &elements);
    bool safe = any || (node->kind == CLOPT_NODE_VARIABLE && is_quiet(branch, node->variable));
    for (size_t i = 0; i < elements.index_count; i++)
        safe = safe && is_in_range(elements.base, i, elements.indices[i]);
    if (safe || find_accessed(branch, node, true))
        return (struct read){READ_AS_IT_IS, NULL};
    const struct clopt_node *like = find_accessed(branch, node, false);
    return (struct read){like || any ? READ_ELSEWHERE : READ_UNSAFE, like};
}
