/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts the parts of statements of which selects are made. */
#include "selects_parts.h"

#include <string.h>

#include "expression.h"

void selects_put(struct selects *selects, const char *text)
{
    clopt_output_put(selects->output, text);
}

void selects_begin_line(struct selects *selects)
{
    if (selects->begun)
        selects_put(selects, "\n");
    selects->begun = true;
}

void selects_print(struct selects *selects, const struct clopt_node *node)
{
    clopt_print(&selects->printer, selects->output, node);
}

void selects_put_operand(struct selects *selects, const struct clopt_printer *printer,
                         const struct clopt_node *node)
{
    bool loose = (node->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(node, ",")) ||
                 node->kind == CLOPT_NODE_ASSIGN;
    selects_put(selects, loose ? "(" : "");
    clopt_print(printer, selects->output, node);
    selects_put(selects, loose ? ")" : "");
}

const char *selects_name(const struct selects *selects, const struct clopt_variable *variable)
{
    const char *name = selects->names[variable->index];
    return name ? name : variable->name;
}

const char *selects_fresh(struct selects *selects, const char *base, unsigned number)
{
    const char *name = clopt_source_fresh(selects->source, base, number);
    selects->failed |= !name;
    return name ? name : base;
}

const char *selects_fresh_copy(struct selects *selects, const struct clopt_variable *variable)
{
    size_t first = 0;
    while (strcmp(clopt_source_variable(selects->source, first)->name, variable->name) != 0)
        first++;
    return selects_fresh(selects, variable->name, ++selects->counts[first]);
}

void selects_put_type(struct selects *selects, const struct clopt_variable *variable,
                      size_t subscripts)
{
    char type[128];
    selects->failed |= !place_type(variable, subscripts, type, sizeof type);
    selects_put(selects, type);
    selects_put(selects, type[strlen(type) - 1] == '*' ? "" : " ");
}

bool selects_put_guard(struct selects *selects, bool may_negate)
{
    const struct guard *guard = selects->guard;
    if (may_negate && !guard->outer && guard->negative) {
        selects_put(selects, guard->name);
        return true;
    }
    for (; guard; guard = guard->outer)
        clopt_output_printf(selects->output, "%s%s%s", guard->negative ? "!" : "", guard->name,
                            guard->outer ? " && " : "");
    return false;
}
