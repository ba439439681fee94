/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out whether a private variable may replace an element of an array. */
#include "rewrite/scalar_element.h"
#include "analysis/affine.h"
#include "analysis/trip.h"

#include <string.h>

bool clopt_element_is(const struct clopt_element *element, const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_SUBSCRIPT && clopt_nodes_equal(element->node, node);
}

static bool is_named(const struct clopt_node *node, const void *element)
{
    return clopt_element_is(element, node);
}

bool clopt_element_is_in(const struct clopt_element *element, const struct clopt_node *node)
{
    return clopt_node_search(node, is_named, element);
}

/* ---- its name ---- */

/* Whether an expression is made of private variables, arrays and numbers, so that its value cannot
 * change unless a variable does. */
static bool is_plain(const struct clopt_node *node)
{
    switch (node->kind) {
    case CLOPT_NODE_VARIABLE:
        if (node->variable->is_volatile || !node->variable->function)
            return false;
        if (!node->variable->is_array && node->variable->space != CLOPT_SPACE_PRIVATE)
            return false;
        break;
    case CLOPT_NODE_CALL:
        if (node->callee || strncmp(node->name, "get_", 4) != 0)
            return false;
        break;
    case CLOPT_NODE_SUBSCRIPT:
        if (!node->is_array)
            return false;
        break;
    case CLOPT_NODE_UNARY:
        if (!clopt_node_is_operator(node, "-") && !clopt_node_is_operator(node, "+"))
            return false;
        break;
    case CLOPT_NODE_LITERAL:
    case CLOPT_NODE_PAREN:
    case CLOPT_NODE_BINARY:
    case CLOPT_NODE_CAST:
        break;
    default:
        return node->known;
    }
    for (size_t i = 0; i < node->child_count; i++)
        if (!is_plain(node->children[i]))
            return false;
    return true;
}

bool clopt_element_is_still(const struct clopt_node *loop, const struct clopt_access *access)
{
    const struct clopt_node *node = access->node;
    bool shared = access->space == CLOPT_SPACE_LOCAL || access->space == CLOPT_SPACE_GLOBAL;
    if (access->anywhere || !shared || node->kind != CLOPT_NODE_SUBSCRIPT || node->is_array ||
        node->is_volatile || node->scalar == CLOPT_SCALAR_NONE || node->scalar == CLOPT_SCALAR_BOOL)
        return false;
    for (size_t i = 0; i < node->child_count; i++)
        if (!is_plain(node->children[i]))
            return false;
    return !clopt_node_changes(loop, node) && !clopt_node_search(node, clopt_node_is_exposed, NULL);
}

/* ---- what else may access it ---- */

static bool may_meet(const struct clopt_element *element, const struct clopt_access *own,
                     const struct clopt_access *access)
{
    if (clopt_element_is(element, access->node))
        return access->anywhere;
    if (!clopt_accesses_alias(own, access))
        return false;
    if (access->anywhere || !access->base || access->base != own->base ||
        access->index_count != own->index_count)
        return true;
    for (unsigned i = 0; i < own->index_count; i++)
        if (clopt_indices_differ(access->node, access->indices[i], own->indices[i]))
            return false;
    return true;
}

/* Whether the accesses of its statements leave an element alone that is not named. */
static bool is_alone(const struct clopt_element *element, const struct clopt_accesses *accesses)
{
    const struct clopt_access *own = NULL;
    for (size_t i = 0; i < accesses->count && !own; i++)
        if (accesses->items[i].node == element->node)
            own = &accesses->items[i];
    for (size_t i = 0; own && i < accesses->count; i++)
        if (may_meet(element, own, &accesses->items[i]))
            return false;
    return own != NULL;
}

/* ---- whether it is written ---- */

static bool is_assigned(const struct clopt_element *element, const struct clopt_node *node)
{
    const struct clopt_node *target = clopt_node_written(node);
    return target && clopt_element_is(element, target);
}

/* Whether a statement writes the element whenever it is executed. */
static bool surely_writes(const struct clopt_element *element, const struct clopt_node *node)
{
    struct clopt_trip trip;
    if (clopt_node_is_expression(node))
        return is_assigned(element, node);
    switch (node->kind) {
    case CLOPT_NODE_COMPOUND:
        for (size_t i = 0; i < node->child_count; i++)
            if (surely_writes(element, node->children[i]))
                return true;
        return false;
    case CLOPT_NODE_ATTRIBUTED:
    case CLOPT_NODE_DO:
        return surely_writes(element, node->body);
    case CLOPT_NODE_IF:
        return node->otherwise && surely_writes(element, node->body) &&
               surely_writes(element, node->otherwise);
    case CLOPT_NODE_FOR:
        return clopt_trip_find(node, NULL, &trip) && clopt_loop_iterations(node, &trip) &&
               surely_writes(element, node->body);
    default:
        return false;
    }
}

/* Whether a loop that may have no iteration writes the element if it does, and one can ask before.
 */
static bool can_guard(const struct clopt_element *element)
{
    const struct clopt_node *loop = element->children[0];
    struct clopt_trip trip;
    return element->child_count == 1 && clopt_node_is_loop(loop) &&
           clopt_trip_find(loop, NULL, &trip) && surely_writes(element, loop->body) &&
           (!trip.first || !clopt_node_effects(trip.first)) &&
           (trip.declared || !trip.first || clopt_loop_ends_variable(loop, trip.counter));
}

/* ---- the whole ---- */

/* Whether control may enter a statement there other than at its beginning. */
static bool is_entry(const struct clopt_node *node, const void *user)
{
    (void)user;
    return node->kind == CLOPT_NODE_SWITCH || node->kind == CLOPT_NODE_CASE ||
           node->kind == CLOPT_NODE_DEFAULT || node->kind == CLOPT_NODE_LABEL;
}

static bool can_hold(const struct clopt_element *element)
{
    unsigned others =
        CLOPT_EFFECT_ORDERED | CLOPT_EFFECT_COLLECTIVE | CLOPT_EFFECT_JUMP | CLOPT_EFFECT_GOTO;
    for (size_t i = 0; i < element->child_count; i++) {
        const struct clopt_node *statement = element->children[i];
        if ((clopt_node_effects(statement) & others) ||
            clopt_node_search(statement, is_entry, NULL) ||
            clopt_node_changes(statement, element->node))
            return false;
    }
    return true;
}

enum clopt_status clopt_element_check(struct clopt_element *element, bool *may,
                                      struct clopt_error *error)
{
    struct clopt_accesses accesses = {0};
    const struct clopt_node *first = element->children[0];
    enum clopt_status status = CLOPT_OK;
    bool sure = false;
    *may = false;
    if (!can_hold(element))
        return CLOPT_OK;
    for (size_t i = 0; i < element->child_count; i++)
        sure |= surely_writes(element, element->children[i]);
    element->guarded = !sure;
    element->opened = first->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(first, "=") &&
                      is_assigned(element, first) &&
                      !clopt_element_is_in(element, first->children[1]);
    if (!sure && !can_guard(element))
        return CLOPT_OK;
    for (size_t i = 0; i < element->child_count && !status; i++)
        status = clopt_accesses_add(&accesses, element->children[i], error);
    *may = !status && is_alone(element, &accesses);
    clopt_accesses_fini(&accesses);
    return status;
}
