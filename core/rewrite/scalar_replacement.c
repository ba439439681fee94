/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces elements of arrays by private variables while loops accumulate in them. */
#include <clopt/loop.h>

#include <stdlib.h>
#include <string.h>

#include <clopt/rewrite.h>

#include "base/array.h"
#include "kernel/tree.h"
#include "rewrite/scalar_element.h"

/* An element, the variable that replaces it, and the statements during which it does. */
struct scalar {
    struct clopt_element element;
    struct clopt_variable *variable;
    struct clopt_node *first;
    struct clopt_node *last;
    struct clopt_node *load; /* the element as it is named */
    struct clopt_node *store;
};

struct replacing {
    struct clopt_source *source;
    const int *factors; /* by node; NULL: all loops are chosen */
    struct scalar *items;
    size_t count;
    size_t *places; /* by node: the number of the item that it names, from 1 on */
    enum clopt_status status;
    struct clopt_error *error;
};

/* ---- the search ---- */

static bool is_chosen(const struct replacing *replacing, const struct clopt_node *node)
{
    if (clopt_node_is_loop(node) && (!replacing->factors || replacing->factors[node->index] >= 0))
        return true;
    for (size_t i = 0; i < node->child_count; i++)
        if (is_chosen(replacing, node->children[i]))
            return true;
    return false;
}

static void mark(struct replacing *replacing, const struct clopt_element *element,
                 const struct clopt_node *node)
{
    if (clopt_element_is(element, node))
        replacing->places[node->index] = replacing->count;
    for (size_t i = 0; i < node->child_count; i++)
        mark(replacing, element, node->children[i]);
}

static void add(struct replacing *replacing, const struct clopt_element *element)
{
    if (!clopt_array_grow(&replacing->items, replacing->count, sizeof *replacing->items)) {
        replacing->status = clopt_fail_memory(replacing->error);
        return;
    }
    struct clopt_source *source = replacing->source;
    const struct clopt_cloning cloning = {.source = source};
    char type[16];
    clopt_scalar_print(element->node->scalar, element->node->width, type, sizeof type);
    replacing->items[replacing->count++] = (struct scalar){
        .element = *element,
        .variable =
            clopt_variable_make(source, type, clopt_access_of(element->node).base->name, ""),
        .first = element->children[0],
        .last = element->children[element->child_count - 1],
        .load = clopt_clone(&cloning, element->node),
        .store = clopt_clone(&cloning, element->node),
    };
    for (size_t i = 0; i < element->child_count; i++)
        mark(replacing, element, element->children[i]);
}

static bool try(struct replacing *replacing, struct clopt_element *element)
{
    bool may = false;
    if (!replacing->status)
        replacing->status = clopt_element_check(element, &may, replacing->error);
    if (may)
        add(replacing, element);
    return may;
}

/* Keeps an element from the first of the statements that names it to the last, or in one loop. */
static void replace(struct replacing *replacing, struct clopt_node *const *statements, size_t count,
                    size_t loop, const struct clopt_node *node)
{
    struct clopt_element element = {.node = node};
    size_t first = loop;
    size_t last = loop;
    for (size_t i = 0; i < count; i++)
        if (clopt_element_is_in(&element, statements[i])) {
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
    struct clopt_accesses accesses = {0};
    if (loop->kind == CLOPT_NODE_ATTRIBUTED)
        loop = loop->body;
    if (replacing->status || !clopt_node_is_loop(loop) || !is_chosen(replacing, loop))
        return;
    replacing->status = clopt_accesses_add(&accesses, loop, replacing->error);
    for (size_t i = 0; i < accesses.count; i++) {
        const struct clopt_access *access = &accesses.items[i];
        if (access->writes && !replacing->places[access->node->index] &&
            clopt_element_is_still(loop, access))
            replace(replacing, statements, count, at, access->node);
    }
    clopt_accesses_fini(&accesses);
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
    size_t place = replacing->places[node->index];
    for (size_t i = 0; i < node->child_count && !place; i++)
        replace_elements(replacing, node->children[i]);
    if (place)
        clopt_replace(
            replacing->source, node,
            clopt_build(replacing->source, node, "$v", replacing->items[place - 1].variable));
}

struct start {
    struct clopt_source *source;
    struct clopt_trip trip;
};

/* Returns what a loop's counter starts from. */
static struct clopt_node *clone_start(void *user, const struct clopt_node *node)
{
    const struct start *start = user;
    bool counter = node->kind == CLOPT_NODE_VARIABLE && node->variable == start->trip.counter;
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
    struct clopt_node *place = clopt_build(source, loop, ";");
    struct clopt_node *whole = clopt_build(source, loop, "if ($n) { $V = $n; $n $n = $v; }",
                                           clopt_clone(&cloning, loop->condition), scalar->variable,
                                           scalar->load, place, scalar->store, scalar->variable);
    clopt_replace(source, loop, whole);
    clopt_replace(source, place, loop);
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
            clopt_insert_before(
                source, scalar->first,
                clopt_build(source, scalar->first, "$V = $n;", scalar->variable, scalar->load));
        clopt_insert_after(
            source, scalar->last,
            clopt_build(source, scalar->last, "$n = $v;", scalar->store, scalar->variable));
    }
    for (size_t i = 0; i < replacing->count; i++)
        if (replacing->items[i].element.guarded)
            guard(source, &replacing->items[i]);
    for (size_t i = 0; i < replacing->count; i++) {
        const struct scalar *scalar = &replacing->items[i];
        if (scalar->element.opened)
            clopt_replace(source, scalar->first,
                          clopt_build(source, scalar->first, "$V = $n;", scalar->variable,
                                      clopt_remove(source, scalar->first->children[1])));
    }
}

enum clopt_status clopt_scalars_replace(struct clopt_source *source, const int *factors,
                                        size_t *count, struct clopt_error *error)
{
    struct replacing replacing = {.source = source, .factors = factors, .error = error};
    replacing.places = clopt_source_table(source, source->node_count, sizeof *replacing.places);
    if (!replacing.places)
        replacing.status = clopt_fail_memory(error);
    else
        search(&replacing, source->kernel->body);
    *count = replacing.status ? 0 : replacing.count;
    if (*count)
        edit(&replacing);
    free(replacing.items);
    return replacing.status;
}
