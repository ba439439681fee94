/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps elements of arrays in private variables while loops accumulate in them. */
#include <clopt/loop.h>

#include <stdlib.h>
#include <string.h>

#include <clopt/rewrite.h>

#include "base/text.h"
#include "kernel/tree.h"
#include "rewrite/scalar_element.h"

/* An element, the variable that replaces it, and the statements during which it does. */
struct kept {
    struct clopt_element element;
    struct clopt_variable *variable;
    struct clopt_node *first;
    struct clopt_node *last;
    struct clopt_node *load; /* the element as it is named */
    struct clopt_node *store;
};

struct keeping {
    struct clopt_source *source;
    const int *factors; /* by node; NULL: all loops are chosen */
    struct kept *items;
    size_t count;
    size_t capacity;
    size_t *places; /* by node: the number of the item that it names, from 1 on */
    enum clopt_status status;
    struct clopt_error *error;
};

/* ---- the search ---- */

static bool is_chosen(const struct keeping *keeping, const struct clopt_node *node)
{
    if (clopt_node_is_loop(node) && (!keeping->factors || keeping->factors[node->index] >= 0))
        return true;
    for (size_t i = 0; i < node->child_count; i++)
        if (is_chosen(keeping, node->children[i]))
            return true;
    return false;
}

static void mark(struct keeping *keeping, const struct clopt_element *element,
                 const struct clopt_node *node)
{
    if (clopt_element_is(element, node))
        keeping->places[node->index] = keeping->count;
    for (size_t i = 0; i < node->child_count; i++)
        mark(keeping, element, node->children[i]);
}

static const struct clopt_variable *array_of(const struct clopt_node *node)
{
    while (node->kind != CLOPT_NODE_VARIABLE)
        node = node->children[0];
    return node->variable;
}

static void add(struct keeping *keeping, const struct clopt_element *element)
{
    if (keeping->count == keeping->capacity) {
        size_t capacity = keeping->capacity ? keeping->capacity * 2 : 8;
        struct kept *more = realloc(keeping->items, capacity * sizeof *more);
        if (!more) {
            keeping->status = clopt_fail_memory(keeping->error);
            return;
        }
        keeping->items = more;
        keeping->capacity = capacity;
    }
    struct clopt_source *source = keeping->source;
    const struct clopt_cloning cloning = {.source = source};
    struct clopt_text type = {0};
    clopt_text_append(&type, clopt_scalar_name(element->node->scalar));
    if (element->node->width > 1)
        clopt_text_printf(&type, "%u", element->node->width);
    source->inner->arena.failed |= type.failed;
    keeping->items[keeping->count++] = (struct kept){
        .element = *element,
        .variable = clopt_variable_make(source, clopt_text_string(&type),
                                        array_of(element->node)->name, ""),
        .first = element->children[0],
        .last = element->children[element->child_count - 1],
        .load = clopt_clone(&cloning, element->node),
        .store = clopt_clone(&cloning, element->node),
    };
    clopt_text_fini(&type);
    for (size_t i = 0; i < element->child_count; i++)
        mark(keeping, element, element->children[i]);
}

static bool try(struct keeping *keeping, struct clopt_element *element)
{
    bool may = false;
    if (!keeping->status)
        keeping->status = clopt_element_check(element, &may, keeping->error);
    if (may)
        add(keeping, element);
    return may;
}

/* Keeps an element from the first of the statements that names it to the last, or in one loop. */
static void keep(struct keeping *keeping, struct clopt_node *const *statements, size_t count,
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
    if (try(keeping, &element) || first == last)
        return;
    element.children = statements + loop;
    element.child_count = 1;
    try(keeping, &element);
}

/* Looks for elements in one of the statements, if that is a loop. */
static void search_loop(struct keeping *keeping, struct clopt_node *const *statements, size_t count,
                        size_t at)
{
    const struct clopt_node *loop = statements[at];
    struct clopt_accesses accesses = {0};
    if (loop->kind == CLOPT_NODE_ATTRIBUTED)
        loop = loop->body;
    if (keeping->status || !clopt_node_is_loop(loop) || !is_chosen(keeping, loop))
        return;
    keeping->status = clopt_accesses_add(&accesses, loop, keeping->error);
    for (size_t i = 0; i < accesses.count; i++) {
        const struct clopt_access *access = &accesses.items[i];
        if (access->writes && !keeping->places[access->node->index] &&
            clopt_element_is_still(loop, access))
            keep(keeping, statements, count, at, access->node);
    }
    clopt_accesses_fini(&accesses);
}

/* Whether a node is a statement for which a list of statements may stand between braces. */
static bool is_held(const struct clopt_node *node, const struct clopt_node *holder)
{
    bool holds = holder->kind == CLOPT_NODE_IF || clopt_node_is_loop(holder);
    return holds && (node == holder->body || node == holder->otherwise) &&
           node->kind != CLOPT_NODE_COMPOUND;
}

static void search(struct keeping *keeping, const struct clopt_node *node)
{
    for (size_t i = 0; i < node->child_count; i++) {
        if (node->kind == CLOPT_NODE_COMPOUND)
            search_loop(keeping, node->children, node->child_count, i);
        else if (is_held(node->children[i], node))
            search_loop(keeping, &node->children[i], 1, 0);
    }
    for (size_t i = 0; i < node->child_count; i++)
        search(keeping, node->children[i]);
}

/* ---- edits ---- */

/* Lets the variables replace the elements. */
static void replace_elements(struct keeping *keeping, struct clopt_node *node)
{
    size_t place = keeping->places[node->index];
    for (size_t i = 0; i < node->child_count && !place; i++)
        replace_elements(keeping, node->children[i]);
    if (place)
        clopt_replace(keeping->source, node,
                      clopt_build(keeping->source, node, "$v", keeping->items[place - 1].variable));
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
static void guard(struct clopt_source *source, const struct kept *kept)
{
    struct clopt_node *loop = kept->first;
    struct start start = {.source = source};
    const struct clopt_cloning cloning = {.source = source, .user = &start, .node = clone_start};
    clopt_trip_find(loop, NULL, &start.trip);
    struct clopt_node *place = clopt_build(source, loop, ";");
    struct clopt_node *whole = clopt_build(source, loop, "if ($n) { $V = $n; $n $n = $v; }",
                                           clopt_clone(&cloning, loop->condition), kept->variable,
                                           kept->load, place, kept->store, kept->variable);
    clopt_replace(source, loop, whole);
    clopt_replace(source, place, loop);
}

static void edit(struct keeping *keeping)
{
    struct clopt_source *source = keeping->source;
    replace_elements(keeping, source->kernel->body);
    for (size_t i = 0; i < keeping->count; i++) {
        const struct kept *kept = &keeping->items[i];
        if (kept->element.guarded)
            continue;
        if (!kept->element.opened)
            clopt_insert_before(
                source, kept->first,
                clopt_build(source, kept->first, "$V = $n;", kept->variable, kept->load));
        clopt_insert_after(
            source, kept->last,
            clopt_build(source, kept->last, "$n = $v;", kept->store, kept->variable));
    }
    for (size_t i = 0; i < keeping->count; i++)
        if (keeping->items[i].element.guarded)
            guard(source, &keeping->items[i]);
    for (size_t i = 0; i < keeping->count; i++) {
        const struct kept *kept = &keeping->items[i];
        if (kept->element.opened)
            clopt_replace(source, kept->first,
                          clopt_build(source, kept->first, "$V = $n;", kept->variable,
                                      clopt_remove(source, kept->first->children[1])));
    }
}

enum clopt_status clopt_scalars_replace(struct clopt_source *source, const int *factors,
                                        size_t *count, struct clopt_error *error)
{
    struct keeping keeping = {.source = source, .factors = factors, .error = error};
    keeping.places = calloc(source->node_count + 1, sizeof *keeping.places);
    if (!keeping.places)
        keeping.status = clopt_fail_memory(error);
    else
        search(&keeping, source->kernel->body);
    *count = keeping.status ? 0 : keeping.count;
    if (*count)
        edit(&keeping);
    free(keeping.items);
    free(keeping.places);
    return keeping.status;
}
