/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps elements of arrays in private variables while loops accumulate in them. */
#include <clopt/loop.h>

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "source/element.h"

/* An element, and the variable that stands for it. */
struct kept {
    struct clopt_element element;
    const char *name;
};

struct keeping {
    struct clopt_source *source;
    const int *factors; /* by node; NULL: all loops are chosen */
    struct kept *items;
    size_t count;
    size_t capacity;
    size_t *places; /* by node: the number of the item that it names, from 1 on */
    bool *printing; /* by node: what stands around it was put */
    struct clopt_printer printer;
    struct clopt_printer plain;
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
    const char *name = clopt_source_fresh(keeping->source, array_of(element->node)->name,
                                          (unsigned)keeping->count + 1);
    if (!name) {
        keeping->status = clopt_fail_memory(keeping->error);
        return;
    }
    keeping->items[keeping->count++] = (struct kept){*element, name};
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
    struct clopt_spots spots = {0};
    if (loop->kind == CLOPT_NODE_ATTRIBUTED)
        loop = loop->body;
    if (keeping->status || !clopt_node_is_loop(loop) || !is_chosen(keeping, loop))
        return;
    keeping->status = clopt_spots_add(&spots, loop, keeping->error);
    for (size_t i = 0; i < spots.count; i++) {
        const struct clopt_spot *spot = &spots.items[i];
        if (spot->writes && !keeping->places[spot->node->index] &&
            clopt_element_is_still(loop, spot))
            keep(keeping, statements, count, at, spot->node);
    }
    clopt_spots_fini(&spots);
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

/* ---- printing ---- */

static void put_type(struct clopt_output *output, const struct clopt_node *node)
{
    clopt_output_put(output, clopt_scalar_name(node->scalar));
    if (node->width > 1)
        clopt_output_printf(output, "%u", node->width);
}

struct start {
    const struct keeping *keeping;
    const struct clopt_trip *trip;
};

/* Puts a loop's counter as what it starts from. */
static bool put_start(void *user, struct clopt_output *output, const struct clopt_node *node)
{
    const struct start *start = user;
    if (node->kind != CLOPT_NODE_VARIABLE || node->variable != start->trip->counter ||
        !start->trip->first)
        return false;
    bool closed = start->trip->first->child_count > 0;
    clopt_output_put(output, closed ? "(" : "");
    clopt_print(&start->keeping->plain, output, start->trip->first);
    clopt_output_put(output, closed ? ")" : "");
    return true;
}

/* Puts the condition under which a loop turns at all. */
static void put_guard(const struct keeping *keeping, struct clopt_output *output,
                      const struct clopt_node *loop)
{
    struct clopt_trip trip;
    struct start start = {keeping, &trip};
    struct clopt_printer printer = {keeping->source, &start, NULL, put_start};
    clopt_trip_find(loop, NULL, &trip);
    clopt_output_put(output, "if (");
    clopt_print(&printer, output, loop->condition);
    clopt_output_put(output, ") {\n");
}

static void put_before(const struct keeping *keeping, struct clopt_output *output,
                       const struct kept *kept)
{
    const struct clopt_element *element = &kept->element;
    if (element->guarded)
        put_guard(keeping, output, element->children[0]);
    put_type(output, element->node);
    clopt_output_printf(output, " %s = ", kept->name);
    clopt_print(&keeping->plain, output, element->node);
    clopt_output_put(output, ";\n");
}

static void put_behind(const struct keeping *keeping, struct clopt_output *output,
                       const struct kept *kept)
{
    clopt_output_put(output, "\n");
    clopt_print(&keeping->plain, output, kept->element.node);
    clopt_output_printf(output, " = %s;%s", kept->name, kept->element.guarded ? "\n}" : "");
}

static bool is_first(const struct clopt_element *element, const struct clopt_node *node)
{
    return element->children[0] == node;
}

static bool is_last(const struct clopt_element *element, const struct clopt_node *node)
{
    return element->children[element->child_count - 1] == node;
}

static bool is_edge(const struct keeping *keeping, const struct clopt_node *node)
{
    for (size_t i = 0; i < keeping->count; i++)
        if (is_first(&keeping->items[i].element, node) || is_last(&keeping->items[i].element, node))
            return true;
    return false;
}

/* Puts what stands before a statement, or behind it: guards hold nothing but their own. */
static void put_all_before(const struct keeping *keeping, struct clopt_output *output,
                           const struct clopt_node *node, bool guarded)
{
    for (size_t i = 0; i < keeping->count; i++)
        if (is_first(&keeping->items[i].element, node) && !keeping->items[i].element.opened &&
            keeping->items[i].element.guarded == guarded)
            put_before(keeping, output, &keeping->items[i]);
}

static void put_all_behind(const struct keeping *keeping, struct clopt_output *output,
                           const struct clopt_node *node, bool guarded)
{
    for (size_t i = keeping->count; i-- > 0;)
        if (is_last(&keeping->items[i].element, node) &&
            keeping->items[i].element.guarded == guarded)
            put_behind(keeping, output, &keeping->items[i]);
}

/* Makes a declaration of a statement that gives a variable its first value. */
static void put_opening(const struct keeping *keeping, struct clopt_output *output,
                        const struct clopt_node *node)
{
    for (size_t i = 0; i < keeping->count; i++)
        if (is_first(&keeping->items[i].element, node) && keeping->items[i].element.opened) {
            put_type(output, keeping->items[i].element.node);
            clopt_output_put(output, " ");
        }
}

/* Puts a statement with the variables that begin or end with it. */
static void put_edge(struct keeping *keeping, struct clopt_output *output,
                     const struct clopt_node *node)
{
    bool braces = clopt_rewriting_needs_braces(node);
    clopt_output_put(output, braces ? "{\n" : "");
    put_all_before(keeping, output, node, false);
    put_all_before(keeping, output, node, true);
    put_opening(keeping, output, node);
    keeping->printing[node->index] = true;
    clopt_print(&keeping->printer, output, node);
    put_all_behind(keeping, output, node, true);
    put_all_behind(keeping, output, node, false);
    clopt_output_put(output, braces ? "\n}" : "");
}

static bool replace(void *user, struct clopt_output *output, const struct clopt_node *node)
{
    struct keeping *keeping = user;
    size_t place = keeping->places[node->index];
    if (place)
        clopt_output_put(output, keeping->items[place - 1].name);
    else if (!keeping->printing[node->index] && is_edge(keeping, node))
        put_edge(keeping, output, node);
    else
        return false;
    return true;
}

static void put_program(struct keeping *keeping, struct clopt_output *output)
{
    const struct clopt_source *source = keeping->source;
    const struct clopt_function *kernel = clopt_source_kernel(source);
    clopt_output_copy(output, source, 0, kernel->begin);
    size_t from = clopt_output_length(output);
    clopt_output_copy(output, source, kernel->begin, kernel->body->begin);
    clopt_print(&keeping->printer, output, kernel->body);
    clopt_output_indent(output, from);
    clopt_output_copy(output, source, kernel->body->end, strlen(clopt_source_text(source)));
}

enum clopt_status clopt_elements_keep(struct clopt_source *source, const int *factors,
                                      struct clopt_output *output, size_t *count,
                                      struct clopt_error *error)
{
    struct keeping keeping = {.source = source, .factors = factors, .error = error};
    size_t nodes = clopt_source_node_count(source);
    keeping.printer = (struct clopt_printer){source, &keeping, NULL, replace};
    keeping.plain = (struct clopt_printer){source, NULL, NULL, NULL};
    keeping.places = calloc(nodes + 1, sizeof *keeping.places);
    keeping.printing = calloc(nodes + 1, sizeof *keeping.printing);
    if (!keeping.places || !keeping.printing)
        keeping.status = clopt_fail_memory(error);
    else
        search(&keeping, clopt_source_kernel(source)->body);
    *count = keeping.status ? 0 : keeping.count;
    if (*count)
        put_program(&keeping, output);
    free(keeping.items);
    free(keeping.places);
    free(keeping.printing);
    return keeping.status;
}
