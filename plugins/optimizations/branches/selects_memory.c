/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts what branches read from memory and write to it, where that is safe whichever side is taken.
 */
#include "selects_parts.h"

#include <inttypes.h>

#include "expression.h"

static bool is_in_range(const struct clopt_variable *array, size_t dimension,
                        const struct clopt_node *subscript)
{
    return subscript->known && subscript->value >= 0 &&
           (uint64_t)subscript->value < clopt_variable_extent(array, dimension);
}

/* Puts a subscript where the side is taken, and one that is safe where it is not; `safe` NULL: 0.
 */
static void put_subscript(struct selects *selects, const struct clopt_node *subscript,
                          const struct clopt_node *safe)
{
    const struct clopt_printer plain = {.source = selects->source};
    bool negated = selects_put_guard(selects, true);
    selects_put(selects, " ? ");
    for (unsigned i = 0; i < 2; i++) {
        if (!i == !negated)
            selects_put_operand(selects, &selects->printer, subscript);
        else if (safe)
            selects_put_operand(selects, &plain, safe);
        else
            selects_put(selects, "0");
        selects_put(selects, i ? "" : " : ");
    }
}

bool selects_put_read(struct selects *selects, const struct clopt_node *node)
{
    const struct check check = {
        .source = selects->source, .kernel = selects->kernel, .exposed = selects->exposed};
    struct read_place place = check_place(&check, selects->branch, node);
    struct read read = read_find(&place, node);
    if (read.kind == READ_AS_IT_IS || read.kind == READ_UNSAFE)
        return false;
    struct elements elements = elements_of(node);
    struct elements like = {0};
    if (read.kind == READ_LIKE)
        like = elements_of(read.like);
    selects_put(selects, selects_name(selects, elements.base));
    for (size_t i = 0; i < elements.count; i++) {
        const struct clopt_node *subscript = elements.subscripts[i];
        bool safe = read.kind == READ_LIKE
                        ? is_same_expression(selects->source, subscript, like.subscripts[i])
                        : is_in_range(elements.base, i, subscript);
        selects_put(selects, "[");
        if (safe)
            selects_print(selects, subscript);
        else
            put_subscript(selects, subscript, like.subscripts[i]);
        selects_put(selects, "]");
    }
    return true;
}

void selects_put_element(struct selects *selects, const struct clopt_node *node,
                         const struct clopt_node *place)
{
    struct elements elements = elements_of(place);
    const char *subscripts[MOST_SUBSCRIPTS] = {NULL};
    for (size_t i = 0; i < elements.count; i++) {
        if (is_in_range(elements.base, i, elements.subscripts[i]))
            continue;
        subscripts[i] = selects_fresh(selects, "at", ++selects->places);
        selects_begin_line(selects);
        clopt_output_printf(selects->output, "int %s = ", subscripts[i]);
        put_subscript(selects, elements.subscripts[i], NULL);
        selects_put(selects, ";");
    }
    struct clopt_output *whole = clopt_output_create();
    selects->failed |= !whole;
    if (!whole)
        return;
    clopt_output_put(whole, selects_name(selects, elements.base));
    for (size_t i = 0; i < elements.count; i++)
        if (subscripts[i])
            clopt_output_printf(whole, "[%s]", subscripts[i]);
        else
            clopt_output_printf(whole, "[%" PRId64 "]", elements.subscripts[i]->value);
    const char *text = clopt_output_text(whole);
    const char *copy = selects_fresh_copy(selects, elements.base);
    bool plain = node->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(node, "=") &&
                 place == written_place(node);
    selects_begin_line(selects);
    selects_put_type(selects, elements.base, elements.count);
    clopt_output_printf(selects->output, "%s = ", copy);
    if (plain) {
        selects_put_operand(selects, &selects->printer, node->children[1]);
        selects_put(selects, ";");
    } else {
        clopt_output_printf(selects->output, "%s;", text ? text : "");
        selects_begin_line(selects);
        selects->element = place;
        selects->element_name = copy;
        selects_print(selects, node);
        selects->element = NULL;
    }
    selects_begin_line(selects);
    clopt_output_printf(selects->output, "%s = ", text ? text : "");
    bool negated = selects_put_guard(selects, true);
    clopt_output_printf(selects->output, " ? %s : %s;", negated ? text : copy,
                        negated ? copy : text);
    selects->failed |= !text;
    clopt_output_destroy(whole);
}

/* ---- stores that both sides do ---- */

static const struct clopt_variable *place_variable(const struct clopt_node *place, size_t *count)
{
    struct elements elements = elements_of(place);
    *count = elements.count;
    return place->kind == CLOPT_NODE_VARIABLE ? place->variable : elements.base;
}

bool selects_put_stored(struct selects *selects, const struct clopt_node *node)
{
    const struct clopt_printer plain = {.source = selects->source};
    for (unsigned side = 0; side < 2; side++)
        for (size_t i = 0; i < selects->stores.count; i++) {
            if (selects->stores.sides[side][i] != node)
                continue;
            size_t count = 0;
            const struct clopt_variable *variable = place_variable(written_place(node), &count);
            const char *copy = selects_fresh_copy(selects, variable);
            selects->stored[side][i] = copy;
            selects_put_type(selects, variable, count);
            clopt_output_printf(selects->output, "%s = ", copy);
            if (!clopt_node_is_operator(node, "=")) {
                clopt_print(&plain, selects->output, node->children[0]);
                selects_put(selects, ";");
                selects_begin_line(selects);
                clopt_output_printf(selects->output, "%s %s ", copy, node->op);
            }
            selects_print(selects, node->children[1]);
            selects_put(selects, ";");
            return true;
        }
    return false;
}

void selects_put_stores(struct selects *selects, const char *taken)
{
    const struct clopt_printer plain = {.source = selects->source};
    for (size_t i = 0; i < selects->stores.count; i++) {
        selects_begin_line(selects);
        clopt_print(&plain, selects->output, selects->stores.sides[0][i]->children[0]);
        clopt_output_printf(selects->output, " = %s ? %s : %s;", taken, selects->stored[0][i],
                            selects->stored[1][i]);
    }
}
