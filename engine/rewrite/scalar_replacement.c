/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces elements of arrays by private variables while loops accumulate in them. */

#include <clopt/memory.h>

#include "analysis/affine.h"
#include "analysis/trip.h"
#include "kernel/tree.h"

/* An element of an array that statements access, and nothing else meanwhile. */
struct element {
    const struct clopt_node *node;      /* how it is named */
    struct clopt_node *const *children; /* statements one after the other */
    size_t child_count;
    bool guarded; /* they are one loop, which may have no iteration; else it accesses the element */
    bool opened;  /* the first of them gives it a value, whatever it held before */
};

/* An element, the variable that replaces it, and the statements during which it does. */
struct scalar {
    struct element element;
    struct clopt_variable *variable;
    struct clopt_node *first;
    struct clopt_node *last;
};

struct replacing {
    struct clopt_source *source;
    const int *factors; /* by node; NULL: all loops are chosen */
    struct scalar *items;
    size_t count;
    size_t *items_of; /* by node: the number of the item that it names, from 1 on */
};

/* Whether an expression names the element. */
static bool is_named(const struct clopt_node *node, const void *user)
{
    const struct element *element = user;
    return node->kind == CLOPT_NODE_SUBSCRIPT && clopt_nodes_equal(element->node, node);
}

/* Whether a statement or expression names the element anywhere. */
static bool is_in(const struct element *element, const struct clopt_node *node)
{
    return clopt_node_search(node, is_named, element);
}

/* ---- its name ---- */

/* Whether the value of an expression may change although no variable does: it is not made of
 * private variables, arrays and numbers alone. */
static bool is_other(const struct clopt_node *node, const void *user)
{
    (void)user;
    switch (node->kind) {
    case CLOPT_NODE_VARIABLE:
        return node->variable->is_volatile || !node->variable->function ||
               (!node->variable->is_array && node->variable->space != CLOPT_SPACE_PRIVATE);
    case CLOPT_NODE_CALL:
        return node->callee || strncmp(node->name, "get_", 4) != 0;
    case CLOPT_NODE_SUBSCRIPT:
        return !node->is_array;
    case CLOPT_NODE_UNARY:
        return !clopt_node_is_operator(node, "-") && !clopt_node_is_operator(node, "+");
    case CLOPT_NODE_LITERAL:
    case CLOPT_NODE_PAREN:
    case CLOPT_NODE_BINARY:
    case CLOPT_NODE_CAST:
        return false;
    default:
        return !node->known;
    }
}

/* Whether an access is to an element at a subscript that does not change in a loop. */
static bool is_still(const struct clopt_node *loop, const struct clopt_access *access)
{
    const struct clopt_node *node = access->node;
    bool shared = access->space == CLOPT_SPACE_LOCAL || access->space == CLOPT_SPACE_GLOBAL;
    if (access->anywhere || !shared || node->kind != CLOPT_NODE_SUBSCRIPT || node->is_array ||
        node->is_volatile || !clopt_scalar_is_number(node->scalar))
        return false;
    for (size_t i = 0; i < node->child_count; i++)
        if (clopt_node_search(node->children[i], is_other, NULL))
            return false;
    return !clopt_node_changes(loop, node) && !clopt_node_search(node, clopt_node_is_exposed, NULL);
}

/* ---- what else may access it ---- */

static bool may_meet(const struct element *element, const struct clopt_access *own,
                     const struct clopt_access *access)
{
    if (is_named(access->node, element))
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
static bool is_alone(const struct element *element, const struct clopt_accesses *accesses)
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

static bool is_assigned(const struct element *element, const struct clopt_node *node)
{
    const struct clopt_node *target = clopt_node_written(node);
    return target && is_named(target, element);
}

/* Whether a statement writes the element whenever it is executed. */
static bool surely_writes(const struct element *element, const struct clopt_node *node)
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
static bool can_guard(const struct element *element)
{
    const struct clopt_node *loop = element->children[0];
    struct clopt_trip trip;
    return element->child_count == 1 && clopt_node_is_loop(loop) &&
           clopt_trip_find(loop, NULL, &trip) && surely_writes(element, loop->body) &&
           (!trip.first || !clopt_node_effects(trip.first)) &&
           (trip.declared || !trip.first || clopt_loop_ends_variable(loop, trip.counter));
}

/* ---- whether a variable may replace it ---- */

static bool can_hold(const struct element *element)
{
    unsigned others =
        CLOPT_EFFECT_ORDERED | CLOPT_EFFECT_COLLECTIVE | CLOPT_EFFECT_JUMP | CLOPT_EFFECT_GOTO;
    for (size_t i = 0; i < element->child_count; i++) {
        const struct clopt_node *statement = element->children[i];
        if ((clopt_node_effects(statement) & others) ||
            clopt_node_find(statement, CLOPT_NODE_SWITCH) || /* may be entered in the middle */
            clopt_node_find(statement, CLOPT_NODE_CASE) ||
            clopt_node_find(statement, CLOPT_NODE_DEFAULT) ||
            clopt_node_changes(statement, element->node))
            return false;
    }
    return true;
}

/* Finds out whether a private variable may replace the element in its statements, which are all
 * known but for `guarded` and `opened`: they are executed one after the other, write the element
 * in any case, and access it by its name alone. */
static bool can_replace(struct element *element)
{
    CLOPT_OWNED(clopt_accesses) accesses = {0};
    const struct clopt_node *first = element->children[0];
    bool sure = false;
    if (!can_hold(element))
        return false;
    for (size_t i = 0; i < element->child_count; i++)
        sure |= surely_writes(element, element->children[i]);
    element->guarded = !sure;
    element->opened = first->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(first, "=") &&
                      is_assigned(element, first) && !is_in(element, first->children[1]);
    if (!sure && !can_guard(element))
        return false;
    for (size_t i = 0; i < element->child_count; i++)
        clopt_accesses_add(&accesses, element->children[i]);
    return is_alone(element, &accesses);
}

/* ---- the search ---- */

static bool is_chosen(const struct clopt_node *node, const void *user)
{
    const struct replacing *replacing = user;
    return clopt_node_is_loop(node) &&
           (!replacing->factors || replacing->factors[node->index] >= 0);
}

static void mark(struct replacing *replacing, const struct element *element,
                 const struct clopt_node *node)
{
    if (is_named(node, element))
        replacing->items_of[node->index] = replacing->count;
    for (size_t i = 0; i < node->child_count; i++)
        mark(replacing, element, node->children[i]);
}

static void add(struct replacing *replacing, const struct element *element)
{
    char type[16];
    clopt_scalar_print(element->node->scalar, element->node->width, type, sizeof type);
    struct scalar *added = clopt_array_add(&replacing->items, &replacing->count, sizeof *added);
    *added = (struct scalar){
        .element = *element,
        .variable = clopt_variable_make(replacing->source, type, "", "%s",
                                        clopt_access_of(element->node).base->name),
        .first = element->children[0],
        .last = element->children[element->child_count - 1],
    };
    for (size_t i = 0; i < element->child_count; i++)
        mark(replacing, element, element->children[i]);
}

static bool try(struct replacing *replacing, struct element *element)
{
    bool can = can_replace(element);
    if (can)
        add(replacing, element);
    return can;
}

/* Keeps an element from the first of the statements that names it to the last, or in one loop. */
static void replace(struct replacing *replacing, struct clopt_node *const *statements, size_t count,
                    size_t loop, const struct clopt_node *node)
{
    struct element element = {.node = node};
    size_t first = loop;
    size_t last = loop;
    for (size_t i = 0; i < count; i++)
        if (is_in(&element, statements[i])) {
            first = i < first ? i : first;
            last = i > last ? i : last;
        }
    element.children = statements + first;
    element.child_count = last - first + 1;
    if (try(replacing, &element) || first == last)
        return;
    element.children = statements + loop;
    element.child_count = 1;
    try(replacing, &element);
}

/* Looks for elements in one of the statements, if that is a loop. */
static void search_loop(struct replacing *replacing, struct clopt_node *const *statements,
                        size_t count, size_t at)
{
    const struct clopt_node *loop = statements[at];
    CLOPT_OWNED(clopt_accesses) accesses = {0};
    if (loop->kind == CLOPT_NODE_ATTRIBUTED)
        loop = loop->body;
    if (!clopt_node_is_loop(loop) || !clopt_node_search(loop, is_chosen, replacing))
        return;
    clopt_accesses_add(&accesses, loop);
    for (size_t i = 0; i < accesses.count; i++) {
        const struct clopt_access *access = &accesses.items[i];
        if (access->writes && !replacing->items_of[access->node->index] && is_still(loop, access))
            replace(replacing, statements, count, at, access->node);
    }
}

/* Whether a node is a statement for which a list of statements may be between braces. */
static bool is_held(const struct clopt_node *node, const struct clopt_node *holder)
{
    bool holds = holder->kind == CLOPT_NODE_IF || clopt_node_is_loop(holder);
    return holds && (node == holder->body || node == holder->otherwise) &&
           node->kind != CLOPT_NODE_COMPOUND;
}

static void search(struct replacing *replacing, const struct clopt_node *node)
{
    for (size_t i = 0; i < node->child_count; i++) {
        if (node->kind == CLOPT_NODE_COMPOUND)
            search_loop(replacing, node->children, node->child_count, i);
        else if (is_held(node->children[i], node))
            search_loop(replacing, &node->children[i], 1, 0);
    }
    for (size_t i = 0; i < node->child_count; i++)
        search(replacing, node->children[i]);
}

/* ---- edits ---- */

/* Lets the variables replace the elements. */
static void replace_elements(struct replacing *replacing, struct clopt_node *node)
{
    size_t item = replacing->items_of[node->index];
    for (size_t i = 0; i < node->child_count && !item; i++)
        replace_elements(replacing, node->children[i]);
    if (item)
        clopt_replace_by(replacing->source, node, "$v", replacing->items[item - 1].variable);
}

struct start {
    struct clopt_source *source;
    struct clopt_trip trip;
};

/* Returns what a loop's counter starts from. */
static struct clopt_node *clone_start(void *user, const struct clopt_node *node)
{
    const struct start *start = user;
    bool counter = clopt_node_names(node, start->trip.counter);
    return counter && start->trip.first ? clopt_build(start->source, node, "$n", start->trip.first)
                                        : NULL;
}

/* Puts a loop, with load and store, under the condition that it has an iteration. */
static void guard(struct clopt_source *source, const struct scalar *scalar)
{
    struct clopt_node *loop = scalar->first;
    struct start start = {.source = source};
    const struct clopt_cloning cloning = {.source = source, .user = &start, .node = clone_start};
    clopt_trip_find(loop, NULL, &start.trip);
    struct clopt_node *hole = clopt_build(source, loop, ";");
    struct clopt_node *whole = clopt_build(
        source, loop, "if ($n) { $V = $n; $n $n = $v; }", clopt_clone(&cloning, loop->condition),
        scalar->variable, scalar->element.node, hole, scalar->element.node, scalar->variable);
    clopt_replace(source, loop, whole);
    clopt_replace(source, hole, loop);
}

static void edit(struct replacing *replacing)
{
    struct clopt_source *source = replacing->source;
    replace_elements(replacing, source->kernel->body);
    for (size_t i = 0; i < replacing->count; i++) {
        const struct scalar *scalar = &replacing->items[i];
        if (scalar->element.guarded)
            continue;
        if (!scalar->element.opened)
            clopt_insert_before(source, scalar->first,
                                clopt_build(source, scalar->first, "$V = $n;", scalar->variable,
                                            scalar->element.node));
        clopt_insert_after(
            source, scalar->last,
            clopt_build(source, scalar->last, "$n = $v;", scalar->element.node, scalar->variable));
    }
    for (size_t i = 0; i < replacing->count; i++)
        if (replacing->items[i].element.guarded)
            guard(source, &replacing->items[i]);
    for (size_t i = 0; i < replacing->count; i++) {
        const struct scalar *scalar = &replacing->items[i];
        if (scalar->element.opened)
            clopt_replace_by(source, scalar->first, "$V = $n;", scalar->variable,
                             clopt_remove(source, scalar->first->children[1]));
    }
}

size_t clopt_scalars_replace(struct clopt_source *source, const int *factors)
{
    struct replacing replacing = {.source = source, .factors = factors};
    replacing.items_of = clopt_source_table(source, source->node_count, sizeof *replacing.items_of);
    search(&replacing, source->kernel->body);
    if (replacing.count)
        edit(&replacing);
    free(replacing.items);
    return replacing.count;
}
