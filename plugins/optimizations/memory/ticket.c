/* SPDX-License-Identifier: BSD-3-Clause */
/* Tickets: numbers that work-items draw from a counter in global memory, as in
 * out[atomic_inc(count)] = x. A work-group draws them from a counter in local memory and asks once
 * for as many as it needs; whose ticket is which was never known. */
#include "ticket.h"

/* The statement of the kernel's outermost block that holds the call, and the one that it is in. */
struct drawing {
    struct clopt_source *source;
    const struct ticket *ticket;
    struct clopt_node *whole;
    const struct clopt_node *statement;
    struct clopt_variable *kept, *first, *place;
};

/* Whether something may be done twice: it declares what is computed, and reads at most. */
static bool is_repeatable(const struct clopt_node *node)
{
    for (size_t i = 0; node->kind == CLOPT_NODE_DECLARE && i < node->child_count; i++)
        if (node->children[i]->condition && !is_repeatable(node->children[i]->condition))
            return false;
    return node->kind == CLOPT_NODE_DECLARE ||
           !(clopt_node_effects(node) & ~(unsigned)CLOPT_EFFECT_MEMORY_READ);
}

/* Whether a statement evaluates the call first of all, and once. */
static bool begins_with(const struct clopt_node *statement, const struct clopt_node *call)
{
    for (const struct clopt_node *node = call; node != statement; node = node->parent)
        if (clopt_node_is_logical(node->parent) || node->parent->kind == CLOPT_NODE_CONDITIONAL ||
            node->parent->kind == CLOPT_NODE_SIZEOF || node->parent->kind == CLOPT_NODE_STATEMENTS)
            return false;
    for (size_t i = 1; i < call->child_count; i++)
        if (!is_repeatable(call->children[i]))
            return false;
    for (const struct clopt_node *node = statement; node; node = clopt_node_next(node, statement))
        if (node != call && node->kind == CLOPT_NODE_CALL && !clopt_node_contains(node, call) &&
            !is_repeatable(node))
            return false;
    return clopt_node_is_expression(statement) ||
           (statement->kind == CLOPT_NODE_DECLARE && statement->child_count == 1);
}

/* Whether only branches and declarations are between the kernel's outermost block and the call. */
static bool find_way(struct drawing *drawing)
{
    const struct clopt_node *call = drawing->ticket->update.call;
    struct clopt_node *node = (struct clopt_node *)call;
    while (!clopt_node_is_statement(node))
        node = node->parent;
    drawing->statement = node;
    for (; node->parent->parent; node = node->parent) {
        const struct clopt_node *parent = node->parent;
        bool branch = parent->kind == CLOPT_NODE_IF && is_repeatable(parent->condition);
        if (!branch && parent->kind != CLOPT_NODE_COMPOUND)
            return false;
        for (size_t i = 0; parent->kind == CLOPT_NODE_COMPOUND && parent->children[i] != node; i++)
            if (parent->children[i]->kind != CLOPT_NODE_DECLARE ||
                !is_repeatable(parent->children[i]))
                return false;
    }
    drawing->whole = node;
    return begins_with(drawing->statement, call);
}

static bool is_return_before(const struct clopt_node *node, const void *whole)
{
    return node->kind == CLOPT_NODE_RETURN &&
           node->index < clopt_node_end((const struct clopt_node *)whole);
}

/* Returns what draws from the counter of the group, on the way to the call. */
static struct clopt_node *form_draw(const struct drawing *drawing, const struct clopt_node *node)
{
    struct clopt_source *source = drawing->source;
    const struct clopt_cloning plain = {.source = source, .plain = true};
    const struct update *update = &drawing->ticket->update;
    struct clopt_nodes statements = {0};
    if (node == drawing->statement) {
        struct clopt_node *kept = clopt_build(source, node, "$v", drawing->kept);
        kept->bits = clopt_scalar_bits(drawing->ticket->scalar);
        return clopt_build(source, node, "$v = $n;", drawing->place,
                           update_local(source, update, kept));
    }
    if (node->kind == CLOPT_NODE_IF) {
        bool taken = clopt_node_contains(node->body, update->call);
        return clopt_build(source, node, taken ? "if ($n) $n" : "if (!$n) $n",
                           clopt_clone(&plain, node->condition),
                           form_draw(drawing, taken ? node->body : node->otherwise));
    }
    size_t i = 0;
    for (; !clopt_node_contains(node->children[i], update->call); i++)
        clopt_nodes_add(source, &statements, clopt_clone(&plain, node->children[i]));
    clopt_nodes_add(source, &statements, form_draw(drawing, node->children[i]));
    return clopt_build(source, node, "{ $N }", &statements);
}

static void rewrite(struct drawing *drawing)
{
    static const char barrier[] = "barrier(CLK_LOCAL_MEM_FENCE);";
    struct clopt_source *source = drawing->source;
    const struct ticket *ticket = drawing->ticket;
    struct clopt_node *whole = drawing->whole, *call = ticket->update.call;
    struct clopt_node *counter =
        clopt_build(source, call, "$v[$n]", ticket->buffer,
                    ticket->update.index ? ticket->update.index : clopt_build(source, call, "0"));
    struct clopt_node *asked = update_join(source, &ticket->update, counter, drawing->kept);
    struct clopt_nodes before = {0};
    clopt_nodes_put(source, &before, whole, "$V = 0;", drawing->place);
    clopt_nodes_add(source, &before, form_draw(drawing, whole));
    clopt_nodes_put(source, &before, whole, barrier);
    clopt_nodes_put(source, &before, whole, "if ($n == 0) $v = $n;", ticket->item, drawing->first,
                    asked);
    clopt_nodes_put(source, &before, whole, barrier);
    clopt_replace_by(source, call, "$v + $v", drawing->first, drawing->place);
    for (size_t i = 0; i < before.count; i++)
        clopt_insert_before(source, whole, before.items[i]);
}

const char *ticket_draw(struct clopt_source *source, const struct ticket *ticket,
                        struct clopt_nodes *declared, struct clopt_nodes *cleared)
{
    struct drawing drawing = {.source = source, .ticket = ticket};
    const char *name = clopt_scalar_name(ticket->scalar), *buffer = ticket->buffer->name;
    const struct clopt_node *index = ticket->update.index;
    char type[32];
    if (!*ticket->update.operation->op || strcmp(ticket->update.operation->joins, "add") != 0)
        return "its result is used, and it does not add to a counter";
    if (index && !index->known)
        return "its result is used, and which element counts is not known";
    if (!find_way(&drawing))
        return "its result is used, and more than branches and declarations are before it";
    if (clopt_node_search(source->kernel->body, is_return_before, drawing.whole))
        return "its result is used, and work-items may have returned before";
    snprintf(type, sizeof type, "__local %s", name);
    drawing.kept = clopt_variable_make(source, type, "", "%s_kept", buffer);
    drawing.first = clopt_variable_make(source, type, "", "%s_first", buffer);
    drawing.place = clopt_variable_make(source, name, "", "%s_place", buffer);
    clopt_nodes_put(source, declared, NULL, "$V;", drawing.kept);
    clopt_nodes_put(source, declared, NULL, "$V;", drawing.first);
    clopt_nodes_put(source, cleared, NULL, "if ($n == 0) $v = 0;", ticket->item, drawing.kept);
    rewrite(&drawing);
    return NULL;
}
