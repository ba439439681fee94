/* SPDX-License-Identifier: BSD-3-Clause */
/* Edits trees. */

#include "kernel/tree.h"
#include "text/token.h"

/* ---- nodes ---- */

struct clopt_node *clopt_node_new(struct clopt_source *source, enum clopt_node_kind kind,
                                  const struct clopt_node *at)
{
    struct clopt_node *node = clopt_arena_get(&source->inner->arena, sizeof *node);
    *node = (struct clopt_node){.kind = kind, .made = true, .width = 1};
    node->index = source->node_count++;
    node->trivia_begin = node->trivia_end = SIZE_MAX;
    if (at)
        node->begin = at->begin;
    node->end = node->stop = node->begin;
    return node;
}

/* Makes room for one more child. */
static void grow(struct clopt_source *source, struct clopt_node *node)
{
    if (node->child_count < node->child_capacity)
        return;
    size_t capacity = node->child_capacity ? node->child_capacity * 2 : 4;
    struct clopt_node **children =
        clopt_arena_get(&source->inner->arena, capacity * sizeof *node->children);
    if (node->child_count)
        memcpy(children, node->children, node->child_count * sizeof *children);
    node->children = children;
    node->child_capacity = capacity;
}

/* Returns a node that has no position yet. */
static struct clopt_node *take(struct clopt_source *source, struct clopt_node *node)
{
    struct clopt_cloning cloning = {.source = source};
    return node->parent ? clopt_clone(&cloning, node) : node;
}

void clopt_node_append(struct clopt_source *source, struct clopt_node *parent,
                       struct clopt_node *child)
{
    grow(source, parent);
    child->number = parent->child_count;
    parent->children[parent->child_count++] = child;
    child->parent = parent;
}

static void insert(struct clopt_source *source, struct clopt_node *parent, size_t index,
                   struct clopt_node *child)
{
    grow(source, parent);
    memmove(parent->children + index + 1, parent->children + index,
            (parent->child_count - index) * sizeof *parent->children);
    parent->children[index] = child;
    parent->child_count++;
    for (size_t i = index; i < parent->child_count; i++)
        parent->children[i]->number = i;
    child->parent = parent;
    child->moved = true;
}

struct clopt_node *clopt_node_adopt(struct clopt_source *source, struct clopt_node *parent,
                                    struct clopt_node *child)
{
    child = take(source, child);
    insert(source, parent, parent->child_count, child);
    return child;
}

void clopt_nodes_add(struct clopt_source *source, struct clopt_nodes *nodes,
                     struct clopt_node *node)
{
    struct clopt_node list = {
        .children = nodes->items, .child_count = nodes->count, .child_capacity = nodes->capacity};
    grow(source, &list);
    list.children[list.child_count++] = node;
    *nodes = (struct clopt_nodes){list.children, list.child_count, list.child_capacity};
}

/* ---- cloning ---- */

static void set_role(struct clopt_node *node, const struct clopt_node *role, struct clopt_node *by)
{
    struct clopt_node **roles[] = {&node->init, &node->condition, &node->step, &node->body,
                                   &node->otherwise};
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (*roles[i] == role)
            *roles[i] = by;
}

/* Leaves a node that was or is at the place of another one the text before it where that is one
 * between statements. */
static void take_comments(struct clopt_node *node, const struct clopt_node *position)
{
    const struct clopt_node *parent = position->parent;
    bool listed =
        parent && parent->kind == CLOPT_NODE_COMPOUND && position->trivia_begin != SIZE_MAX;
    node->trivia_begin = listed ? position->trivia_begin : SIZE_MAX;
    node->trivia_end = listed ? position->trivia_end : SIZE_MAX;
    if (listed && !parent->made && node->trivia_begin == parent->text_begin)
        node->trivia_begin++; /* after the brace */
}

/* Puts a node into the position that another one has in the text. */
static void settle(struct clopt_node *node, const struct clopt_node *position)
{
    node->trivia_begin = position->trivia_begin;
    node->trivia_end = position->trivia_end;
    node->on_own_line = position->on_own_line;
}

static struct clopt_node *clone_node(const struct clopt_cloning *cloning,
                                     const struct clopt_node *node)
{
    struct clopt_source *source = cloning->source;
    struct clopt_node *clone = clopt_node_new(source, node->kind, node);
    size_t index = clone->index;
    *clone = *node;
    clone->index = index;
    clone->parent = NULL;
    clone->plain |= cloning->plain;
    if (node->variable && cloning->variable) {
        struct clopt_variable *variable = cloning->variable(cloning->user, node->variable);
        clone->variable = variable ? variable : node->variable;
    }
    clone->child_capacity = node->child_count;
    clone->children =
        clopt_arena_get(&source->inner->arena, (node->child_count + 1) * sizeof *clone->children);
    return clone;
}

struct clopt_node *clopt_clone(const struct clopt_cloning *cloning, const struct clopt_node *node)
{
    struct clopt_node *other = cloning->node ? cloning->node(cloning->user, node) : NULL;
    if (other) {
        other = take(cloning->source, other);
        take_comments(other, node);
        return other;
    }
    struct clopt_node *clone = clone_node(cloning, node);
    take_comments(clone, node);
    for (size_t i = 0; i < clone->child_count; i++) {
        struct clopt_node *child = node->children[i];
        struct clopt_node *copy = clopt_clone(cloning, child);
        copy->moved |= copy->made || copy->kind != child->kind;
        settle(copy, child);
        copy->plain |= cloning->plain;
        set_role(clone, child, copy);
        clone->children[i] = copy;
        copy->number = i;
        copy->parent = clone;
    }
    return clopt_node_fold(cloning->source, clone);
}

/* Appends the comments at the end of a block as a statement that prints as them. */
static void add_tail(struct clopt_source *source, struct clopt_nodes *nodes,
                     const struct clopt_node *block)
{
    struct clopt_node *tail = clopt_node_new(source, CLOPT_NODE_EMPTY, block);
    tail->name = "";
    tail->trivia_begin = block->child_count ? block->tail_begin : block->begin + 1;
    tail->trivia_end = block->end - 1; /* before its brace */
    const char *text = source->text + tail->trivia_begin;
    if (strspn(text, " \t\r\n") < tail->trivia_end - tail->trivia_begin)
        clopt_nodes_add(source, nodes, tail);
}

void clopt_nodes_add_body(const struct clopt_cloning *cloning, struct clopt_nodes *nodes,
                          const struct clopt_node *body)
{
    bool block = body->kind == CLOPT_NODE_COMPOUND;
    if (!block)
        clopt_nodes_add(cloning->source, nodes, clopt_clone(cloning, body));
    for (size_t i = 0; block && i < body->child_count; i++)
        clopt_nodes_add(cloning->source, nodes, clopt_clone(cloning, body->children[i]));
    if (block && !body->made && !cloning->plain)
        add_tail(cloning->source, nodes, body);
}

/* ---- positions ---- */

/* Notes that the function that holds a node is not as it was written, and returns it; NULL: none
 * holds it yet. */
static struct clopt_function *note_edit(struct clopt_source *source, const struct clopt_node *node)
{
    const struct clopt_node *body = clopt_node_function(node);
    for (size_t i = 0; i < source->function_count; i++)
        if (source->functions[i]->body == body) {
            source->functions[i]->edited = true;
            return source->functions[i];
        }
    return NULL;
}

void clopt_replace(struct clopt_source *source, struct clopt_node *node, struct clopt_node *by)
{
    struct clopt_node *parent = node->parent;
    struct clopt_function *function = note_edit(source, node);
    by = take(source, by);
    if (!parent) {
        if (function)
            function->body = by;
        return;
    }
    settle(by, node);
    by->parent = parent;
    by->moved = true;
    by->number = clopt_node_position(node);
    parent->children[by->number] = by;
    set_role(parent, node, by);
    node->parent = NULL;
}

/* Returns a statement with its pragmas and attributes. */
static struct clopt_node *with_attributes(struct clopt_node *statement)
{
    while (statement->parent->kind == CLOPT_NODE_ATTRIBUTED)
        statement = statement->parent;
    return statement;
}

/* Returns a statement's position in a list, which is made where there is none. */
static size_t find_position(struct clopt_source *source, struct clopt_node *statement)
{
    if (statement->parent->kind != CLOPT_NODE_COMPOUND) {
        struct clopt_node *braces = clopt_node_new(source, CLOPT_NODE_COMPOUND, statement);
        clopt_replace(source, statement, braces);
        statement->trivia_begin = statement->trivia_end = SIZE_MAX;
        statement->on_own_line = true;
        insert(source, braces, 0, statement);
    }
    return clopt_node_position(statement);
}

static void insert_statement(struct clopt_source *source, struct clopt_node *compound, size_t index,
                             struct clopt_node *statement)
{
    statement = take(source, statement);
    statement->trivia_begin = statement->trivia_end = SIZE_MAX;
    statement->on_own_line = true;
    insert(source, compound, index, statement);
    note_edit(source, compound);
}

/* Leaves what is at *from on the line of the statement before it with that one: it comes before
 * `inserted`. */
static void split_trivia(const struct clopt_source *source, struct clopt_node *inserted,
                         size_t *from, size_t to)
{
    const char *text = source->text;
    const char *end = *from != SIZE_MAX ? clopt_token_line_end(text + *from) : text + to;
    if (end >= text + to)
        return;
    inserted->trivia_begin = *from;
    inserted->trivia_end = *from = (size_t)(end - text);
}

void clopt_insert_before(struct clopt_source *source, struct clopt_node *node,
                         struct clopt_node *statement)
{
    node = with_attributes(node);
    size_t index = find_position(source, node);
    insert_statement(source, node->parent, index, statement);
    if (node->trivia_begin == SIZE_MAX || node->parent->children[index] == node)
        return;
    split_trivia(source, node->parent->children[index], &node->trivia_begin, node->trivia_end);
    node->on_own_line = true;
}

void clopt_append(struct clopt_source *source, struct clopt_node *compound,
                  struct clopt_node *statement)
{
    insert_statement(source, compound, compound->child_count, statement);
    if (!compound->made && compound->child_count)
        split_trivia(source, compound->children[compound->child_count - 1], &compound->tail_begin,
                     compound->end);
}

void clopt_insert_after(struct clopt_source *source, struct clopt_node *node,
                        struct clopt_node *statement)
{
    node = with_attributes(node);
    size_t next = find_position(source, node) + 1;
    struct clopt_node *compound = node->parent;
    if (next < compound->child_count)
        clopt_insert_before(source, compound->children[next], statement);
    else
        clopt_append(source, compound, statement);
}

struct clopt_node *clopt_remove(struct clopt_source *source, struct clopt_node *node)
{
    struct clopt_node *parent = node->parent;
    if (parent && parent->kind != CLOPT_NODE_COMPOUND) {
        take_comments(node, node);
        clopt_replace(source, node, clopt_node_new(source, CLOPT_NODE_EMPTY, node));
    } else if (parent) {
        struct clopt_node *rest = clopt_node_new(source, CLOPT_NODE_EMPTY, node);
        size_t index = clopt_node_position(node);
        note_edit(source, node);
        split_trivia(source, rest, &node->trivia_begin, node->trivia_end);
        if (rest->trivia_begin != SIZE_MAX) {
            rest->name = ""; /* prints as nothing */
            rest->parent = parent;
            rest->number = index;
            parent->children[index] = rest;
        } else {
            parent->child_count--;
            memmove(parent->children + index, parent->children + index + 1,
                    (parent->child_count - index) * sizeof *parent->children);
            for (size_t i = index; i < parent->child_count; i++)
                parent->children[i]->number = i;
        }
        take_comments(node, node);
        node->parent = NULL;
    }
    return node;
}
