/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds what a serialized kernel is made of: loops over work-items, and what is between them. */
#include "serial.h"

/* Returns what the work-item keeps of a variable. */
static struct clopt_node *kept(const struct serial *serial, const struct clopt_variable *variable)
{
    const struct held *held = &serial->held[variable->index];
    return clopt_build(serial->source, NULL, held->joined ? "$v[$v][$u]" : "$v[$v]", held->array,
                       serial->item, held->number);
}

static struct clopt_node *make_node(void *user, const struct clopt_node *node)
{
    struct serial *serial = user;
    const struct clopt_cloning cloning = {serial->source, user, make_node, NULL, false};
    if (node->kind == CLOPT_NODE_VARIABLE && node->variable->is_array)
        return serial->held[node->variable->index].array ? kept(serial, node->variable) : NULL;
    if (node->kind == CLOPT_NODE_RETURN && serial->run)
        return clopt_build(serial->source, node, "continue;");
    return clopt_merging_node(serial->merging, &cloning, node, 0, serial->item);
}

static struct clopt_node *clone(struct serial *serial, const struct clopt_node *node)
{
    const struct clopt_cloning cloning = {serial->source, serial, make_node, NULL, false};
    return clopt_clone(&cloning, node);
}

/* What a run uses: declarations that are computed again, and elements of arrays. */
struct needs {
    struct serial *serial;
    bool *variables; /* by number */
    bool *changed;
};

static void note_needs(struct needs *needs, const struct clopt_node *top)
{
    for (const struct clopt_node *node = top; node; node = clopt_node_next(node, top)) {
        const struct clopt_variable *variable = node->variable;
        unsigned use = clopt_node_use(node, top);
        if (!use)
            continue;
        needs->changed[variable->index] |= (use & CLOPT_WRITE) != 0;
        bool known = needs->variables[variable->index];
        needs->variables[variable->index] = true;
        if (known || !needs->serial->held[variable->index].repeated)
            continue;
        const struct clopt_node *declare = variable->declarator->parent;
        for (size_t i = 0; i < declare->child_count; i++)
            note_needs(needs, declare->children[i]->condition);
    }
}

/* Adds what a run has to know before its statements, and what it keeps after them. */
static void add_kept(const struct needs *needs, struct clopt_nodes *before,
                     struct clopt_nodes *after)
{
    struct serial *serial = needs->serial;
    for (size_t i = 0; i < serial->source->variable_count; i++) {
        struct clopt_variable *variable = serial->source->variables[i];
        const struct held *held = &serial->held[i];
        const struct clopt_node *at = variable->declarator;
        bool here = at && serial->runs[at->parent->index] == serial->run;
        if (!needs->variables[i] || (!held->array && !held->repeated) || variable->is_array)
            continue;
        if (held->array && !here)
            clopt_nodes_put(serial->source, before, at, "$V = $n;", variable,
                            kept(serial, variable));
        else if (held->repeated && !here && !held->outside)
            clopt_nodes_put(serial->source, before, at, "$V = $n;", variable,
                            clone(serial, at->condition));
        if (held->array && (here || needs->changed[i]))
            clopt_nodes_put(serial->source, after, at, "$n = $v;", kept(serial, variable),
                            variable);
    }
}

/* Adds what a declaration in a run computes for what is outside, too. */
static void add_outside(struct serial *serial, const struct clopt_node *declare,
                        struct clopt_nodes *made)
{
    for (size_t i = 0; declare->kind == CLOPT_NODE_DECLARE && i < declare->child_count; i++) {
        const struct clopt_node *declarator = declare->children[i];
        const struct held *held = &serial->held[declarator->variable->index];
        if (held->repeated && held->outside)
            clopt_nodes_put(serial->source, made, declare, "$V = $n;", declarator->variable,
                            clone(serial, declarator->condition));
    }
}

/* Whether a run does nothing but declare what is computed again where it is used. */
static bool is_needless(const struct serial *serial, const struct clopt_nodes *run)
{
    for (size_t i = 0; i < run->count; i++) {
        const struct clopt_node *node = run->items[i];
        for (size_t j = 0; node->kind == CLOPT_NODE_DECLARE && j < node->child_count; j++)
            if (!serial->held[node->children[j]->variable->index].repeated)
                return false;
        if (node->kind != CLOPT_NODE_DECLARE)
            return false;
    }
    return true;
}

/* Whether a statement declares nothing but arrays in whose place others are. */
static bool is_replaced(const struct serial *serial, const struct clopt_node *node)
{
    for (size_t i = 0; node->kind == CLOPT_NODE_DECLARE && i < node->child_count; i++)
        if (!node->children[i]->variable->is_array ||
            !serial->held[node->children[i]->variable->index].array)
            return false;
    return node->kind == CLOPT_NODE_DECLARE;
}

static bool is_return(const struct clopt_node *node, const void *user)
{
    (void)user;
    return node->kind == CLOPT_NODE_RETURN;
}

/* What the first work-item does where a run is that alone; NULL: others have work. */
static const struct clopt_node *work_of_first(const struct serial *serial,
                                              const struct clopt_nodes *run)
{
    const struct clopt_node *branch = run->items[0];
    const struct clopt_node *test = branch->kind == CLOPT_NODE_IF && run->count == 1
                                        ? clopt_node_bare(branch->condition)
                                        : NULL;
    if (!test || branch->otherwise || clopt_node_search(branch->body, is_return, NULL))
        return NULL;
    bool zero = test->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(test, "==") &&
                clopt_node_bare(test->children[1])->known &&
                clopt_node_bare(test->children[1])->value == 0;
    bool first = (zero || (test->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(test, "!"))) &&
                 serial_is_item(test->children[0], serial->merging->merge.dimension);
    return first ? branch->body : NULL;
}

/* Adds what the first work-item does alone. */
static void add_first(struct serial *serial, const struct clopt_node *at, struct clopt_nodes *list,
                      struct clopt_nodes *made)
{
    bool counts = false;
    for (size_t i = 0; i < list->count; i++)
        counts |= clopt_node_search(list->items[i], clopt_node_names, serial->item) != NULL;
    if (counts)
        clopt_nodes_put(serial->source, made, at, "{ $V = 0; $N }", serial->item, list);
    else if (list->count > 1)
        clopt_nodes_put(serial->source, made, at, "{ $N }", list);
    else
        clopt_nodes_add(serial->source, made, list->items[0]);
}

/* Adds the loop that statements of one run become, and empties their list. */
static void add_run(struct serial *serial, struct clopt_nodes *run, struct clopt_nodes *made)
{
    struct clopt_source *source = serial->source;
    struct clopt_nodes list = {0}, after = {0};
    struct needs needs = {serial, clopt_source_table(source, source->variable_count, sizeof(bool)),
                          clopt_source_table(source, source->variable_count, sizeof(bool))};
    for (size_t i = 0; i < run->count; i++)
        add_outside(serial, run->items[i], made);
    if (!run->count || !needs.variables || !needs.changed || is_needless(serial, run)) {
        run->count = 0;
        return;
    }
    serial->run = serial->runs[run->items[0]->index];
    const struct clopt_node *first = work_of_first(serial, run);
    for (size_t i = 0; i < run->count; i++)
        note_needs(&needs, first ? first : run->items[i]);
    add_kept(&needs, &list, &after);
    for (size_t i = 0; i < run->count; i++) {
        const struct clopt_node *node = first ? first : run->items[i];
        if (!is_replaced(serial, node))
            clopt_nodes_add(source, &list, clone(serial, node));
    }
    for (size_t i = 0; i < after.count; i++)
        clopt_nodes_add(source, &list, after.items[i]);
    if (first)
        add_first(serial, first, &list, made);
    else if (list.count)
        clopt_nodes_put(source, made, run->items[0], "for ($V = 0; $v < $u; $v++) { $N }",
                        serial->item, serial->item, serial->merging->merge.factor, serial->item,
                        &list);
    run->count = 0;
    serial->run = OUTSIDE;
}

static void add_together(struct serial *serial, const struct clopt_node *node,
                         struct clopt_nodes *made)
{
    struct clopt_source *source = serial->source;
    struct clopt_dealing dealing;
    if (clopt_node_is_barrier(node)) {
        if (!serial->last)
            clopt_nodes_add(source, made, clone(serial, node));
        return;
    }
    if (serial_is_dealing(serial, node, &dealing)) {
        size_t local[3] = {serial->merging->local[0], serial->merging->local[1],
                           serial->merging->local[2]};
        local[serial->merging->merge.dimension] = 1;
        dealing.statement = clone(serial, dealing.statement);
        clopt_nodes_add(source, made, clopt_dealing_build(source, node, &dealing, local));
        return;
    }
    if (node->kind == CLOPT_NODE_COMPOUND) {
        clopt_nodes_add(source, made, serial_build_part(serial, node));
        return;
    }
    struct clopt_node *copy = clone(serial, node);
    struct clopt_node *held = copy->kind == CLOPT_NODE_ATTRIBUTED ? copy->body : copy;
    clopt_replace(source, held->body, serial_build_part(serial, serial_held_by(node)->body));
    if (held->otherwise)
        clopt_replace(source, held->otherwise,
                      serial_build_part(serial, serial_held_by(node)->otherwise));
    clopt_nodes_add(source, made, copy);
}

struct clopt_node *serial_build_part(struct serial *serial, const struct clopt_node *part)
{
    bool list = part->kind == CLOPT_NODE_COMPOUND;
    struct clopt_nodes made = {0}, run = {0};
    for (size_t i = 0; i < (list ? part->child_count : 1); i++) {
        const struct clopt_node *node = list ? part->children[i] : part;
        if (serial->runs[node->index]) {
            clopt_nodes_add(serial->source, &run, (struct clopt_node *)node);
            continue;
        }
        add_run(serial, &run, &made);
        if (clopt_node_search(node, serial_is_together, serial))
            add_together(serial, node, &made);
        else if (!is_replaced(serial, node))
            clopt_nodes_add(serial->source, &made, clone(serial, node));
    }
    add_run(serial, &run, &made);
    if (!part->parent)
        for (size_t i = 0; i < made.count; i++)
            clopt_nodes_add(serial->source, &serial->arrays, made.items[i]);
    return clopt_build(serial->source, part, "{ $N }", part->parent ? &made : &serial->arrays);
}
