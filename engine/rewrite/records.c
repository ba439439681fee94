/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives a buffer of structures or vectors an array for each of their numbers: what points to
 * structures then points to numbers, and p[i].m becomes p[2 * rows + i]. Which structure an index
 * means need not be known. */

#include "rewrite/records.h"

#include <clopt/affine.h>

#include "kernel/tree.h"
#include "text/token.h"

struct records {
    struct clopt_source *source;
    struct clopt_variable *array;
    struct clopt_cloning cloning;
    const struct clopt_member *members;
    size_t member_count;
    struct clopt_member one;  /* of a vector: all of it */
    enum clopt_scalar scalar; /* of the first number, to which the parameter points then */
    size_t bytes;             /* of each number */
    struct clopt_variable *rows;
    struct clopt_nodes old; /* what is replaced, and by what */
    struct clopt_nodes new;
    const struct clopt_node *refused; /* what cannot be rewritten; NULL: nothing yet */
};

/* Numbers of an element that an expression names. */
struct item {
    const struct clopt_node *index;     /* of the element */
    const struct clopt_member *member;  /* NULL: all of a structure */
    const struct clopt_node *subscript; /* in an array that is a member, or NULL */
    size_t first;                       /* in its member */
    size_t count;                       /* 1: one number */
};

/* ---- what expressions name ---- */

/* The number of the one component that a word such as y or s3 names; 16: it names several. */
static size_t component_of(const char *word)
{
    static const char names[] = "xyzw", digits[] = "0123456789abcdef";
    size_t length = strlen(word);
    const char *found = length == 1 ? strchr(names, *word) : NULL;
    if (found)
        return (size_t)(found - names);
    if (length == 2 && (*word == 's' || *word == 'S'))
        found = strchr(digits, word[1] >= 'A' && word[1] <= 'F' ? word[1] + 32 : word[1]);
    return found ? (size_t)(found - digits) : 16;
}

static void set_member(struct item *item, const struct clopt_member *member)
{
    item->member = member;
    item->count = member->count ? member->count : member->width;
}

/* Whether a node names an element of the array, or a part of one. */
static bool find_item(const struct records *records, const struct clopt_node *node,
                      struct item *item)
{
    const struct clopt_node *inner = node->child_count ? node->children[0] : NULL;
    if (node->kind == CLOPT_NODE_PAREN)
        return find_item(records, inner, item);
    if (node->kind == CLOPT_NODE_SUBSCRIPT && inner->kind == CLOPT_NODE_VARIABLE &&
        inner->variable == records->array) {
        *item = (struct item){.index = node->children[1]};
        if (records->one.width)
            set_member(item, &records->one);
        return true;
    }
    if (!inner || !find_item(records, inner, item))
        return false;
    if (node->kind == CLOPT_NODE_SUBSCRIPT && item->member && item->member->count &&
        !item->subscript) {
        item->subscript = node->children[1];
        item->count = 1;
        return true;
    }
    if (node->kind == CLOPT_NODE_MEMBER && !item->member) {
        for (size_t i = 0; i < records->member_count; i++)
            if (strcmp(node->name, records->members[i].name) == 0)
                set_member(item, &records->members[i]);
        return item->member;
    }
    if (node->kind != CLOPT_NODE_SWIZZLE || !item->member || item->member->width == 1)
        return false;
    item->first = component_of(node->name);
    item->count = 1;
    return item->first < item->member->width;
}

/* ---- numbers ---- */

/* Returns a number of a member, as what may be read and written. */
static struct clopt_node *number(struct records *records, const struct item *item,
                                 const struct clopt_member *member, size_t which)
{
    struct clopt_source *source = records->source;
    const struct clopt_node *at = item->index;
    struct clopt_node *index = clopt_clone(&records->cloning, item->index);
    int64_t row = (int64_t)(member->offset / records->bytes + which);
    index = item->subscript
                ? clopt_build(source, at, "($l + $n) * $v + $n", row,
                              clopt_clone(&records->cloning, item->subscript), records->rows, index)
                : clopt_build(source, at, "$l * $v + $n", row, records->rows, index);
    if (member->scalar == records->scalar)
        return clopt_build(source, at, "$v[$n]", records->array, index);
    const struct clopt_variable *array = records->array;
    char type[64];
    snprintf(type, sizeof type, "%s%s%s *",
             array->pointee == CLOPT_SPACE_CONSTANT ? "__constant " : "__global ",
             array->points_to_const ? "const " : "", clopt_scalar_name(member->scalar));
    return clopt_build(source, at, "(($t)$v)[$n]", type, array, index);
}

static struct clopt_node *make_list(struct records *records, const struct clopt_nodes *items,
                                    const struct clopt_node *at)
{
    struct clopt_node *list = clopt_node_new(records->source, CLOPT_NODE_LIST, at);
    for (size_t i = 0; i < items->count; i++)
        clopt_node_adopt(records->source, list, items->items[i]);
    return list;
}

/* Returns the value of a member: a number, a vector, or a list of an array's elements. */
static struct clopt_node *member_value(struct records *records, const struct item *item,
                                       const struct clopt_member *member)
{
    struct clopt_source *source = records->source;
    struct clopt_nodes list = {0};
    if (member->width == 1 && !member->count)
        return number(records, item, member, 0);
    for (size_t i = 0; i < (member->count ? member->count : member->width); i++)
        clopt_nodes_add(source, &list, number(records, item, member, i));
    return member->count ? make_list(records, &list, item->index)
                         : clopt_build(source, item->index, "($s$u)($N)",
                                       clopt_scalar_name(member->scalar), member->width, &list);
}

/* Returns all that an item names, as a value. */
static struct clopt_node *value_of(struct records *records, const struct item *item)
{
    struct clopt_nodes list = {0};
    if (item->count == 1)
        return number(records, item, item->member, item->first);
    if (item->member)
        return member_value(records, item, item->member);
    for (size_t i = 0; i < records->member_count; i++)
        clopt_nodes_add(records->source, &list, member_value(records, item, &records->members[i]));
    return make_list(records, &list, item->index);
}

/* ---- assignments of several numbers ---- */

/* The type of an element, or of a member of it. */
static const char *type_of(const struct records *records, const struct item *item, char *type,
                           size_t size)
{
    const char *at = records->array->type;
    size_t length = 0;
    if (item->member) {
        snprintf(type, size, "const %s%u", clopt_scalar_name(item->member->scalar),
                 item->member->width);
        return type;
    }
    length = (size_t)snprintf(type, size, "const");
    for (struct clopt_token token = clopt_token_next(&at);
         token.kind == CLOPT_TOKEN_NAME && length < size; token = clopt_token_next(&at))
        if (!clopt_token_is(&token, "const") && !clopt_token_is(&token, "__global") &&
            !clopt_token_is(&token, "__constant"))
            length += (size_t)snprintf(type + length, size - length, " %.*s", (int)token.length,
                                       token.text);
    return type;
}

static void store_member(struct records *records, const struct item *item,
                         const struct clopt_member *member, struct clopt_node *value,
                         struct clopt_nodes *list)
{
    struct clopt_source *source = records->source;
    static const char digits[] = "0123456789abcdef";
    if (member->width == 1 && !member->count)
        clopt_nodes_put(source, list, value, "$n = $n;", number(records, item, member, 0), value);
    for (size_t i = 0; i < member->count; i++)
        clopt_nodes_put(source, list, value, "$n = $n[$u];", number(records, item, member, i),
                        value, (unsigned)i);
    for (size_t i = 0; member->width > 1 && i < member->width; i++) {
        const char name[] = {'s', digits[i], '\0'};
        clopt_nodes_put(source, list, value, "$n = $n.$s;", number(records, item, member, i), value,
                        name);
    }
}

/* Returns what takes the place of p[i] = e, or, `loads`, of e = p[i] for a whole structure. */
static struct clopt_node *assign(struct records *records, const struct clopt_node *node,
                                 const struct item *item, bool loads)
{
    struct clopt_source *source = records->source;
    struct clopt_nodes list = {0};
    struct item other = {0};
    char type[256], op[4] = "";
    struct clopt_variable *value =
        clopt_variable_make(source, type_of(records, item, type, sizeof type), "", "value");
    struct clopt_node *given = find_item(records, node->children[1], &other)
                                   ? value_of(records, &other)
                                   : clopt_clone(&records->cloning, node->children[1]);
    if (!clopt_node_is_operator(node, "=")) {
        memcpy(op, node->op, strlen(node->op) - 1);
        given = clopt_build(source, node, "$n $s $n", value_of(records, item), op, given);
    }
    clopt_nodes_put(source, &list, node, "$V = $n;", value, given);
    if (loads)
        clopt_nodes_put(source, &list, node, "$n = $v;",
                        clopt_clone(&records->cloning, node->children[0]), value);
    else if (item->member)
        store_member(records, item, item->member, clopt_build(source, node, "$v", value), &list);
    for (size_t i = 0; !loads && !item->member && i < records->member_count; i++)
        store_member(records, item, &records->members[i],
                     clopt_build(source, node, "$v.$s", value, records->members[i].name), &list);
    return clopt_build(source, node, "{ $N }", &list);
}

/* ---- what becomes of nodes ---- */

/* Whether p[i] is named so that its numbers may be written as often as there are of them. */
static bool can_repeat(const struct clopt_node *node)
{
    return !(clopt_node_effects(node) & ~(unsigned)CLOPT_EFFECT_MEMORY_READ);
}

/* Whether an atomic function is given the address. */
static bool is_of_atomic(const struct clopt_node *address)
{
    return address->parent->kind == CLOPT_NODE_CALL && !address->parent->callee &&
           strncmp(address->parent->name, "atom", 4) == 0;
}

/* Whether a whole structure is what a variable begins with. */
static bool is_initial(const struct clopt_node *node)
{
    while (node->parent->kind == CLOPT_NODE_PAREN)
        node = node->parent;
    return node->parent->kind == CLOPT_NODE_DECLARATOR;
}

/* Whether a statement assigns several numbers that may be named one by one. */
static bool can_assign(const struct clopt_node *node, const struct item *item)
{
    return node->kind == CLOPT_NODE_ASSIGN && clopt_node_is_statement(node) &&
           (item->member ? !item->member->count : clopt_node_is_operator(node, "=")) &&
           can_repeat(node->children[0]) && can_repeat(node->children[1]);
}

/* Whether what an expression names, or a part of it, is written, or its address taken. */
static bool is_changed(const struct clopt_node *node)
{
    const struct clopt_node *parent = node->parent;
    while (parent->children[0] == node &&
           (parent->kind == CLOPT_NODE_PAREN || parent->kind == CLOPT_NODE_SWIZZLE ||
            parent->kind == CLOPT_NODE_MEMBER || parent->kind == CLOPT_NODE_SUBSCRIPT)) {
        node = parent;
        parent = node->parent;
    }
    bool address = parent->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(parent, "&");
    return address || (parent->children[0] == node && clopt_node_written(parent));
}

static struct clopt_node *refuse(struct records *records, const struct clopt_node *node)
{
    records->refused = records->refused ? records->refused : node;
    return NULL;
}

static struct clopt_node *form(void *user, const struct clopt_node *node)
{
    struct records *records = user;
    struct item item = {0};
    const struct clopt_node *lvalue = clopt_node_written(node);
    if (!clopt_node_is_expression(node))
        return NULL;
    if (lvalue && find_item(records, lvalue, &item) && item.count != 1)
        return can_assign(node, &item) ? assign(records, node, &item, false)
                                       : refuse(records, node);
    if (node->kind == CLOPT_NODE_ASSIGN && find_item(records, node->children[1], &item) &&
        !item.member)
        return can_assign(node, &item) ? assign(records, node, &item, true) : refuse(records, node);
    if (node->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(node, "&") &&
        find_item(records, node->children[0], &item))
        return item.count == 1 && is_of_atomic(node) ? NULL : refuse(records, node);
    if (clopt_node_names(node, records->array) ||
        (node->kind == CLOPT_NODE_SIZEOF &&
         clopt_node_search(node, clopt_node_names, records->array)))
        return refuse(records, node);
    if (!find_item(records, node, &item))
        return NULL;
    bool fits = item.member ? item.count == 1 || !item.member->count : is_initial(node);
    return fits && (item.count == 1 || (can_repeat(node) && !is_changed(node)))
               ? value_of(records, &item)
               : refuse(records, node);
}

/* Finds all that is replaced. */
static void find_replaced(struct records *records, struct clopt_node *node)
{
    struct clopt_node *made = form(records, node);
    if (made) {
        clopt_nodes_add(records->source, &records->old, node);
        clopt_nodes_add(records->source, &records->new, made);
    }
    for (size_t i = 0; !made && i < node->child_count; i++)
        find_replaced(records, node->children[i]);
}

/* ---- the whole ---- */

/* Whether all members are made of numbers of one size. */
static bool find_numbers(struct records *records)
{
    const struct clopt_variable *array = records->array;
    records->members = array->fields;
    records->member_count = array->field_count;
    if (!array->fields && array->pointee_width > 1) {
        records->one =
            (struct clopt_member){.scalar = array->pointee_scalar, .width = array->pointee_width};
        records->members = &records->one;
        records->member_count = 1;
    }
    if (!records->member_count || strstr(array->type, "volatile"))
        return false;
    records->scalar = records->members[0].scalar;
    records->bytes = clopt_scalar_bits(records->scalar) / 8;
    for (size_t i = 0; i < records->member_count; i++)
        if (clopt_scalar_bits(records->members[i].scalar) / 8 != records->bytes ||
            records->members[i].offset % records->bytes)
            return false;
    return array->pointee_bytes > records->bytes;
}

enum clopt_status clopt_records_split(struct clopt_source *source, struct clopt_variable *parameter,
                                      struct clopt_variable *rows, struct clopt_layout *layout,
                                      struct clopt_error *error)
{
    struct records records = {.source = source, .array = parameter, .rows = rows};
    struct clopt_node *body = source->kernel->body;
    if (!find_numbers(&records))
        return clopt_source_refuse(source, body, error,
                                   "layout: elements of %s, which are structures, are taken apart "
                                   "where all their members are numbers of one size alone",
                                   parameter->name);
    records.cloning = (struct clopt_cloning){.source = source, .user = &records, .node = form};
    find_replaced(&records, body);
    if (records.refused)
        return clopt_source_refuse(source, records.refused, error,
                                   "layout: %s is used here other than by the members of its "
                                   "elements",
                                   parameter->name);
    if (!clopt_parameter_set_pointee(source, parameter, records.scalar))
        return clopt_source_refuse(source, body, error,
                                   "layout: how %s is declared is not understood", parameter->name);
    for (size_t i = 0; i < records.old.count; i++)
        clopt_replace(source, records.old.items[i], records.new.items[i]);
    layout->element_bytes = (unsigned)records.bytes;
    layout->row = clopt_affine_constant((int64_t)(parameter->pointee_bytes / records.bytes));
    return CLOPT_OK;
}
