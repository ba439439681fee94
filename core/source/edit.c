/* SPDX-License-Identifier: BSD-3-Clause */
/* Edits trees. */
#include <clopt/rewrite.h>

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "source/edit.h"
#include "source/token.h"
#include "source/tree.h"

/* ---- nodes ---- */

struct clopt_node *clopt_node_new(struct clopt_source *source, enum clopt_node_kind kind,
                                  const struct clopt_node *at)
{
    struct clopt_node *node = clopt_arena_get(&source->arena, sizeof *node);
    if (!node) {
        source->spare = (struct clopt_node){.kind = CLOPT_NODE_EMPTY, .made = true, .width = 1};
        return &source->spare;
    }
    *node = (struct clopt_node){.kind = kind, .made = true, .width = 1};
    node->index = source->node_count++;
    node->gap_begin = node->gap_end = SIZE_MAX;
    if (at)
        node->begin = at->begin;
    node->end = node->stop = node->begin;
    return node;
}

/* Makes room for one more child. */
static bool grow(struct clopt_source *source, struct clopt_node *node)
{
    if (node->child_count < node->child_capacity)
        return true;
    size_t capacity = node->child_capacity ? node->child_capacity * 2 : 4;
    struct clopt_node **children =
        clopt_arena_get(&source->arena, capacity * sizeof *node->children);
    if (!children)
        return false;
    if (node->child_count)
        memcpy(children, node->children, node->child_count * sizeof *children);
    node->children = children;
    node->child_capacity = capacity;
    return true;
}

/* Returns a node that has no place yet. */
static struct clopt_node *take(struct clopt_source *source, struct clopt_node *node)
{
    struct clopt_cloning cloning = {.source = source};
    return node->parent ? clopt_clone(&cloning, node) : node;
}

static void insert(struct clopt_source *source, struct clopt_node *parent, size_t index,
                   struct clopt_node *child)
{
    if (!grow(source, parent))
        return;
    memmove(parent->children + index + 1, parent->children + index,
            (parent->child_count - index) * sizeof *parent->children);
    parent->children[index] = child;
    parent->child_count++;
    child->parent = parent;
    child->moved = true;
}

void clopt_node_adopt(struct clopt_source *source, struct clopt_node *parent,
                      struct clopt_node *child)
{
    insert(source, parent, parent->child_count, take(source, child));
}

void clopt_nodes_add(struct clopt_source *source, struct clopt_nodes *nodes,
                     struct clopt_node *node)
{
    struct clopt_node list = {
        .children = nodes->items, .child_count = nodes->count, .child_capacity = nodes->capacity};
    if (!grow(source, &list))
        return;
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
void clopt_take_comments(struct clopt_node *node, const struct clopt_node *place)
{
    const struct clopt_node *parent = place->parent;
    bool listed = parent && parent->kind == CLOPT_NODE_COMPOUND && place->gap_begin != SIZE_MAX;
    node->gap_begin = listed ? place->gap_begin : SIZE_MAX;
    node->gap_end = listed ? place->gap_end : SIZE_MAX;
    if (listed && !parent->made && node->gap_begin == parent->text_begin)
        node->gap_begin++; /* behind the brace */
}

/* Puts a node into the place that another one has in the text. */
static void settle(struct clopt_node *node, const struct clopt_node *place)
{
    node->gap_begin = place->gap_begin;
    node->gap_end = place->gap_end;
    node->on_own_line = place->on_own_line;
}

static struct clopt_node *clone_node(const struct clopt_cloning *cloning,
                                     const struct clopt_node *node)
{
    struct clopt_source *source = cloning->source;
    struct clopt_node *clone = clopt_node_new(source, node->kind, node);
    if (clone == &source->spare)
        return clone;
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
        clopt_arena_get(&source->arena, (node->child_count + 1) * sizeof *clone->children);
    if (!clone->children)
        clone->child_count = 0;
    return clone;
}

struct clopt_node *clopt_clone(const struct clopt_cloning *cloning, const struct clopt_node *node)
{
    struct clopt_node *other = cloning->node ? cloning->node(cloning->user, node) : NULL;
    if (other) {
        other = take(cloning->source, other);
        clopt_take_comments(other, node);
        return other;
    }
    struct clopt_node *clone = clone_node(cloning, node);
    clopt_take_comments(clone, node);
    for (size_t i = 0; i < clone->child_count; i++) {
        struct clopt_node *child = node->children[i];
        struct clopt_node *copy = clopt_clone(cloning, child);
        copy->moved |= copy->made || copy->kind != child->kind;
        settle(copy, child);
        copy->plain |= cloning->plain;
        set_role(clone, child, copy);
        clone->children[i] = copy;
        copy->parent = clone;
    }
    return clone;
}

/* ---- places ---- */

/* Notes that the function that holds a node is not as it was written. */
static void note_edit(struct clopt_source *source, const struct clopt_node *node)
{
    while (node->parent)
        node = node->parent;
    for (size_t i = 0; i < source->function_count; i++)
        if (source->functions[i]->body == node)
            source->functions[i]->edited = true;
}

static size_t index_of(const struct clopt_node *node)
{
    size_t i = 0;
    while (i < node->parent->child_count && node->parent->children[i] != node)
        i++;
    return i;
}

void clopt_replace(struct clopt_source *source, struct clopt_node *node, struct clopt_node *by)
{
    struct clopt_node *parent = node->parent;
    by = take(source, by);
    note_edit(source, node);
    if (!parent) {
        for (size_t i = 0; i < source->function_count; i++)
            if (source->functions[i]->body == node)
                source->functions[i]->body = by;
        return;
    }
    settle(by, node);
    by->parent = parent;
    by->moved = true;
    parent->children[index_of(node)] = by;
    set_role(parent, node, by);
    node->parent = NULL;
}

/* Returns a statement's place in a list, which is made where there is none. */
static size_t find_place(struct clopt_source *source, struct clopt_node *statement)
{
    if (statement->parent->kind != CLOPT_NODE_COMPOUND) {
        struct clopt_node *braces = clopt_node_new(source, CLOPT_NODE_COMPOUND, statement);
        clopt_replace(source, statement, braces);
        statement->gap_begin = statement->gap_end = SIZE_MAX;
        statement->on_own_line = true;
        insert(source, braces, 0, statement);
    }
    return index_of(statement);
}

static void insert_statement(struct clopt_source *source, struct clopt_node *compound, size_t index,
                             struct clopt_node *statement)
{
    statement = take(source, statement);
    statement->gap_begin = statement->gap_end = SIZE_MAX;
    statement->on_own_line = true;
    insert(source, compound, index, statement);
    note_edit(source, compound);
}

/* Leaves what is at *from on the line of the statement before it, or the brace that opens the list,
 * with that one: it comes before `inserted`. */
static void split_gap(const struct clopt_source *source, struct clopt_node *inserted, size_t *from,
                      size_t to)
{
    const char *text = source->normal.text;
    const char *end = *from != SIZE_MAX ? memchr(text + *from, '\n', to - *from) : NULL;
    if (!end && *from != SIZE_MAX && text[*from] == '{')
        end = text + *from + 1;
    if (!end)
        return;
    inserted->gap_begin = *from;
    inserted->gap_end = *from = (size_t)(end - text);
}

void clopt_insert_before(struct clopt_source *source, struct clopt_node *statement,
                         struct clopt_node *before)
{
    size_t index = find_place(source, statement);
    insert_statement(source, statement->parent, index, before);
    if (statement->gap_begin == SIZE_MAX || statement->parent->children[index] == statement)
        return;
    split_gap(source, statement->parent->children[index], &statement->gap_begin,
              statement->gap_end);
    statement->on_own_line = true;
}

void clopt_insert_after(struct clopt_source *source, struct clopt_node *statement,
                        struct clopt_node *after)
{
    size_t index = find_place(source, statement);
    struct clopt_node *list = statement->parent;
    if (index + 1 < list->child_count)
        clopt_insert_before(source, list->children[index + 1], after);
    else
        clopt_append(source, list, after);
}

void clopt_prepend(struct clopt_source *source, struct clopt_node *compound,
                   struct clopt_node *statement)
{
    if (compound->child_count)
        clopt_insert_before(source, compound->children[0], statement);
    else
        clopt_append(source, compound, statement);
}

void clopt_append(struct clopt_source *source, struct clopt_node *compound,
                  struct clopt_node *statement)
{
    insert_statement(source, compound, compound->child_count, statement);
    if (!compound->made && compound->child_count)
        split_gap(source, compound->children[compound->child_count - 1], &compound->tail_begin,
                  compound->end);
}

struct clopt_node *clopt_remove(struct clopt_source *source, struct clopt_node *node)
{
    struct clopt_node *parent = node->parent;
    if (parent && parent->kind != CLOPT_NODE_COMPOUND) {
        clopt_take_comments(node, node);
        clopt_replace(source, node, clopt_node_new(source, CLOPT_NODE_EMPTY, node));
    } else if (parent) {
        struct clopt_node *rest = clopt_node_new(source, CLOPT_NODE_EMPTY, node);
        size_t index = index_of(node);
        note_edit(source, node);
        split_gap(source, rest, &node->gap_begin, node->gap_end);
        if (rest->gap_begin != SIZE_MAX) {
            rest->name = ""; /* prints as nothing */
            rest->parent = parent;
            parent->children[index] = rest;
        } else {
            parent->child_count--;
            memmove(parent->children + index, parent->children + index + 1,
                    (parent->child_count - index) * sizeof *parent->children);
        }
        clopt_take_comments(node, node);
        node->parent = NULL;
    }
    return node;
}

/* ---- variables ---- */

static struct clopt_variable *add_variable(struct clopt_source *source,
                                           const struct clopt_variable *like, const char *name)
{
    struct clopt_variable *variable = clopt_arena_get(&source->arena, sizeof *variable);
    if (!variable || !name) {
        source->arena.failed = true;
        source->spare_variable = (struct clopt_variable){
            .name = "", .type = "int", .before = "int ", .after = "", .width = 1};
        return &source->spare_variable;
    }
    *variable = *like;
    variable->name = name;
    variable->declarator = NULL;
    variable->is_parameter = false;
    variable->index = source->made_variable_count++ + source->variable_count;
    return variable;
}

/* Takes a text into the source. */
static const char *keep(struct clopt_source *source, struct clopt_text *text)
{
    const char *string = clopt_text_string(text);
    const char *copy = clopt_arena_copy(&source->arena, string, strlen(string));
    source->arena.failed |= text->failed;
    clopt_text_fini(text);
    return copy ? copy : "";
}

/* The text of a variable's type without what a copy of the parameter is not. */
static void put_type(struct clopt_text *before, const char *type, const char *end)
{
    for (const char *at = type; at < end;) {
        struct clopt_token token = clopt_token_next(&at);
        if (token.text < end && !clopt_token_is(&token, "restrict") &&
            !clopt_token_is(&token, "__private"))
            clopt_text_printf(before, "%.*s%s", (int)token.length, token.text,
                              token.kind == CLOPT_TOKEN_NAME ? " " : "");
    }
}

void clopt_variable_find_declaration(struct clopt_source *source, struct clopt_variable *variable)
{
    const struct clopt_node *declarator = variable->declarator;
    struct clopt_text before = {0}, after = {0};
    if (variable->before)
        return;
    if (!declarator) {
        /* A pointer to an array is declared inside of parentheses. */
        const char *type = variable->type;
        const char *inner = strchr(type, '(');
        const char *name = inner && strchr(inner, '*') ? strchr(inner, ')') : NULL;
        put_type(&before, type, name ? name : type + strlen(type));
        clopt_text_append(&after, name ? name : "");
    } else {
        const char *text = source->normal.text;
        const struct clopt_node *declare = declarator->parent;
        const char *end = text + declarator->name_begin;
        const char *close = text + declarator->end;
        clopt_token_next(&end);
        if (declarator->condition) {
            close = text + declarator->condition->begin;
            while (close > end && *close != '=')
                close--;
            while (close > end && (close[-1] == ' ' || close[-1] == '='))
                close--;
        }
        clopt_text_append_bytes(&before, text + declare->begin,
                                declare->children[0]->text_begin - declare->begin);
        clopt_text_append_bytes(&before, text + declarator->text_begin,
                                declarator->name_begin - declarator->text_begin);
        clopt_text_append_bytes(&after, end, (size_t)(close - end));
    }
    variable->before = keep(source, &before);
    variable->after = keep(source, &after);
}

struct clopt_variable *clopt_variable_make(struct clopt_source *source, const char *type,
                                           const char *name, const char *dimensions)
{
    struct clopt_variable like = {.width = 1, .is_array = *dimensions != '\0'};
    const char *wanted = clopt_names_has(&source->names, name)
                             ? clopt_source_fresh(source, name, 2)
                             : clopt_arena_copy(&source->arena, name, strlen(name));
    like.type = clopt_arena_copy(&source->arena, type, strlen(type));
    struct clopt_text before = {0};
    put_type(&before, type, type + strlen(type));
    like.before = keep(source, &before);
    like.after = clopt_arena_copy(&source->arena, dimensions, strlen(dimensions));
    like.is_pointer = strchr(type, '*') != NULL;
    like.scalar = clopt_scalar_parse(type, &like.width, &like.bits, &like.is_signed);
    if (wanted && !clopt_names_add(&source->names, wanted))
        wanted = NULL;
    return add_variable(source, &like, wanted);
}

struct clopt_variable *clopt_variable_copy(struct clopt_source *source,
                                           const struct clopt_variable *variable, unsigned number)
{
    struct clopt_variable like = *variable;
    clopt_variable_find_declaration(source, &like);
    return add_variable(source, &like, clopt_source_fresh(source, variable->name, number));
}

struct clopt_variable *clopt_variable_like(struct clopt_source *source,
                                           const struct clopt_variable *variable, const char *type,
                                           const char *attribute)
{
    struct clopt_variable like = *variable;
    struct clopt_text before = {0}, after = {0};
    clopt_variable_find_declaration(source, &like);
    if (type)
        like.scalar = clopt_scalar_parse(type, &like.width, &like.bits, &like.is_signed);
    clopt_text_append(&before, type ? type : like.before);
    clopt_text_append(&after, like.after);
    clopt_text_append(&after, attribute);
    like.before = keep(source, &before);
    like.after = keep(source, &after);
    return add_variable(source, &like, variable->name);
}

/* Declares each variable of a statement by a statement of its own. */
static void split_declaration(struct clopt_source *source, struct clopt_node *declare)
{
    for (size_t i = 0; i < declare->child_count; i++) {
        struct clopt_node *declarator = declare->children[i];
        struct clopt_node *own = declarator->condition
                                     ? clopt_build(source, declarator, "$V = $n;",
                                                   declarator->variable, declarator->condition)
                                     : clopt_build(source, declarator, "$V;", declarator->variable);
        if (i + 1 < declare->child_count)
            clopt_insert_before(source, declare, own);
        else
            clopt_replace(source, declare, own);
    }
}

void clopt_variable_resize(struct clopt_source *source, struct clopt_variable *array,
                           const char *dimensions)
{
    const char *after = clopt_arena_copy(&source->arena, dimensions, strlen(dimensions));
    struct clopt_node *declare = array->declarator->parent;
    clopt_variable_find_declaration(source, array);
    array->after = after ? after : "";
    if (!declare->made && declare->parent)
        split_declaration(source, declare);
}

/* ---- functions ---- */

struct clopt_function *clopt_function_copy(const struct clopt_cloning *cloning,
                                           const struct clopt_function *function)
{
    struct clopt_source *source = cloning->source;
    struct clopt_function *copy = clopt_arena_get(&source->arena, sizeof *copy);
    struct clopt_function **functions =
        realloc(source->functions, (source->function_count + 1) * sizeof *functions);
    const char *name = clopt_source_fresh(source, function->name, 2);
    source->arena.failed |= !functions || !name;
    source->functions = functions ? functions : source->functions;
    if (!copy || !functions || !name)
        return source->functions[0];
    *copy = *function;
    copy->original = function;
    copy->name = name;
    copy->edited = true;
    copy->body = clopt_clone(cloning, function->body);
    copy->index = source->function_count;
    functions[source->function_count++] = copy;
    return copy;
}

/* ---- text that no node stands for ---- */

/* Replaces text by another one, which it takes. */
static void add_edit(struct clopt_source *source, size_t begin, size_t end, struct clopt_text *text)
{
    struct clopt_text_edit *edit = clopt_arena_get(&source->arena, sizeof *edit);
    const char *put = keep(source, text);
    if (!edit)
        return;
    *edit = (struct clopt_text_edit){source->edits, begin, end, put};
    source->edits = edit;
}

void clopt_function_add_parameter(struct clopt_source *source, struct clopt_function *function,
                                  struct clopt_variable *parameter)
{
    struct clopt_variable **added =
        clopt_arena_get(&source->arena, (function->added_count + 1) * sizeof *added);
    if (!added)
        return;
    if (function->added_count)
        memcpy(added, function->added, function->added_count * sizeof *added);
    added[function->added_count++] = parameter;
    function->added = added;
    function->edited = true;
    if (function->prototype_end && !function->original) {
        struct clopt_text text = {0};
        clopt_text_printf(&text, "%s%s)", function->parameter_count ? ", " : "", parameter->before);
        add_edit(source, function->prototype_end, function->prototype_end + 1, &text);
    }
}

/* ---- the head of the kernel ---- */

/* Finds the number of a dimension among the arguments of an attribute; NULL: it is no number. */
static const char *find_size(const char *at, unsigned dimension, unsigned long *size, char **end)
{
    struct clopt_token token = clopt_token_next(&at);
    while (dimension && token.kind != CLOPT_TOKEN_END) {
        token = clopt_token_next(&at);
        dimension -= clopt_token_is(&token, ",");
    }
    at = clopt_token_skip_space(at);
    *size = strtoul(at, end, 0);
    const char *rest = clopt_token_skip_space(*end);
    return *end != at && (*rest == ',' || *rest == ')') ? at : NULL;
}

enum clopt_status clopt_kernel_divide_size(struct clopt_source *source, unsigned dimension,
                                           size_t multiple, size_t divisor,
                                           struct clopt_error *error)
{
    static const char *const attributes[] = {"reqd_work_group_size", "__reqd_work_group_size__",
                                             "work_group_size_hint", "__work_group_size_hint__"};
    const struct clopt_function *kernel = clopt_source_kernel(source);
    const char *end = source->normal.text + kernel->body_begin;
    for (const char *at = source->normal.text + kernel->begin; at < end;) {
        struct clopt_token token = clopt_token_next(&at);
        size_t i = 0;
        while (i < 4 && !clopt_token_is(&token, attributes[i]))
            i++;
        if (i == 4)
            continue;
        unsigned long size = 0;
        char *rest = NULL;
        const char *number = find_size(at, dimension, &size, &rest);
        if (!number || size % multiple)
            return clopt_source_refuse(source, kernel->body, error,
                                       "%s is no multiple of %zu in dimension %u",
                                       attributes[i & ~1u], multiple, dimension);
        struct clopt_text text = {0};
        clopt_text_printf(&text, "%zu", (size_t)size / divisor);
        add_edit(source, (size_t)(number - source->normal.text),
                 (size_t)(rest - source->normal.text), &text);
        clopt_source_kernel(source)->edited = true;
    }
    return CLOPT_OK;
}

void clopt_parameter_set_space(struct clopt_source *source, struct clopt_variable *parameter,
                               enum clopt_space space)
{
    static const char *const words[] = {"__global", "global", "__constant", "constant"};
    struct clopt_function *kernel = clopt_source_kernel(source);
    const char *end = source->normal.text + clopt_parameters_end(source, kernel);
    struct clopt_token space_word = {0};
    kernel->edited = true;
    for (const char *at = source->normal.text + kernel->name_begin; at < end;) {
        struct clopt_token token = clopt_token_next(&at);
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (clopt_token_is(&token, words[i]))
                space_word = token;
        if (!clopt_token_is(&token, parameter->name) || !space_word.length)
            continue;
        struct clopt_text text = {0};
        clopt_text_append(&text, space == CLOPT_SPACE_GLOBAL     ? "__global"
                                 : space == CLOPT_SPACE_CONSTANT ? "__constant"
                                                                 : "__local");
        size_t begin = (size_t)(space_word.text - source->normal.text);
        add_edit(source, begin, begin + space_word.length, &text);
        return;
    }
}
