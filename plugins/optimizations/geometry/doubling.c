/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans of a work-group by steps that double (Hillis and Steele, 1986), which many work-items do in
 * few steps and one does in too many: where one is left, it adds one element after the other. */
#include "serial.h"

#include <clopt/loop.h>

#define MOST_STATEMENTS 3

/* Such a scan: for (step = 1; step < size; step *= 2) { t = lid >= step ? a[lid - step] : 0;
 * barrier; a[lid] += t; barrier; }, or what means the same. */
struct doubling {
    struct clopt_node *loop;
    unsigned dimension; /* in which work-items have numbers, */
    size_t size;        /* and so many are a group */
    const struct clopt_variable *step;
    const struct clopt_variable *taken; /* what a work-item adds, or its new sum */
    struct clopt_variable *array;
    const struct clopt_node *barrier;
    const struct clopt_node
        *statements[MOST_STATEMENTS]; /* but for barriers; the last one writes */
    size_t count;
    enum clopt_scalar scalar;
};

/* ---- expressions ---- */

/* What a name always is, without casts to integers that hold as much. */
static const struct clopt_node *resolve(const struct clopt_node *node)
{
    for (unsigned depth = 0; depth < 8; depth++) {
        node = clopt_node_bare(node);
        const struct clopt_node *value =
            node->kind == CLOPT_NODE_CAST && node->bits >= 32 ? node->children[0] : NULL;
        if (node->kind == CLOPT_NODE_VARIABLE && node->variable->bits >= 32)
            value = clopt_variable_value(node->variable);
        if (!value)
            return node;
        node = value;
    }
    return node;
}

bool serial_is_item(const struct clopt_node *node, unsigned dimension)
{
    return clopt_node_dimension(resolve(node), "get_local_id") == dimension;
}

static bool is_item(const struct doubling *doubling, const struct clopt_node *node)
{
    return serial_is_item(node, doubling->dimension);
}

static bool is_size(const struct doubling *doubling, const struct clopt_node *node)
{
    const struct clopt_node *value = resolve(node);
    return clopt_node_dimension(value, "get_local_size") == doubling->dimension ||
           (value->known && value->value == (int64_t)doubling->size);
}

static bool is_step(const struct doubling *doubling, const struct clopt_node *node)
{
    return clopt_node_names(clopt_node_bare(node), doubling->step);
}

static bool is_number(const struct clopt_node *node, int64_t number)
{
    return clopt_node_bare(node)->known && clopt_node_bare(node)->value == number;
}

/* Whether a node is a[lid], or a[lid - step]; the first one says what a is. */
static bool is_element(struct doubling *doubling, const struct clopt_node *node, bool earlier)
{
    node = clopt_node_bare(node);
    const struct clopt_access access = clopt_access_of(node);
    struct clopt_variable *array = (struct clopt_variable *)access.base;
    if (node->kind != CLOPT_NODE_SUBSCRIPT || access.index_count != 1 || !array ||
        node->space != CLOPT_SPACE_LOCAL || node->is_volatile || node->width != 1 ||
        !clopt_scalar_is_integer(node->scalar) || node->scalar == CLOPT_SCALAR_BOOL ||
        clopt_node_is_loaded(node) ||
        (array->is_pointer && (!array->is_parameter || array->changed)) ||
        (doubling->array && array != doubling->array))
        return false;
    doubling->array = array;
    doubling->scalar = node->scalar;
    const struct clopt_node *index = clopt_node_bare(access.indices[0]);
    if (!earlier)
        return is_item(doubling, index);
    return index->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(index, "-") &&
           is_item(doubling, index->children[0]) && is_step(doubling, index->children[1]);
}

/* Whether a condition is lid >= step. */
static bool is_reached(const struct doubling *doubling, const struct clopt_node *node)
{
    node = clopt_node_bare(node);
    bool turned = clopt_node_is_operator(node, "<=");
    return node->kind == CLOPT_NODE_BINARY && (turned || clopt_node_is_operator(node, ">=")) &&
           is_item(doubling, node->children[turned]) && is_step(doubling, node->children[!turned]);
}

/* Whether a statement adds to what is on its left, v += e or v = v + e; `term` is e. */
static bool adds(const struct clopt_node *node, const struct clopt_node **to,
                 const struct clopt_node **term)
{
    if (node->kind != CLOPT_NODE_ASSIGN)
        return false;
    const struct clopt_node *value = clopt_node_bare(node->children[1]);
    *to = clopt_node_bare(node->children[0]);
    *term = value;
    if (clopt_node_is_operator(node, "+="))
        return true;
    if (!clopt_node_is_operator(node, "=") || value->kind != CLOPT_NODE_BINARY ||
        !clopt_node_is_operator(value, "+"))
        return false;
    bool second = clopt_nodes_equal(clopt_node_bare(value->children[1]), *to);
    *term = value->children[!second];
    return second || clopt_nodes_equal(clopt_node_bare(value->children[0]), *to);
}

/* The statement that a body is, or holds alone; NULL: there are more. */
static const struct clopt_node *only(const struct clopt_node *body)
{
    while (body->kind == CLOPT_NODE_COMPOUND)
        if (body->child_count != 1)
            return NULL;
        else
            body = body->children[0];
    return body;
}

/* Returns what is done where lid >= step, if a statement is such a branch; NULL: it is none. */
static const struct clopt_node *reached(const struct doubling *doubling,
                                        const struct clopt_node *node)
{
    bool branch =
        node->kind == CLOPT_NODE_IF && !node->otherwise && is_reached(doubling, node->condition);
    return branch ? only(node->body) : NULL;
}

/* ---- statements ---- */

/* Reads a declaration of one variable of the elements' type. */
static bool read_declared(struct doubling *doubling, const struct clopt_node **value)
{
    const struct clopt_node *statement = doubling->statements[0];
    if (statement->kind != CLOPT_NODE_DECLARE || statement->child_count != 1)
        return false;
    doubling->taken = statement->children[0]->variable;
    *value = statement->children[0]->condition;
    return doubling->taken->space == CLOPT_SPACE_PRIVATE && doubling->taken->width == 1 &&
           !doubling->taken->is_array && !doubling->taken->is_pointer &&
           !doubling->taken->is_volatile && !(doubling->taken->uses & CLOPT_ADDRESS);
}

static bool is_taken(const struct doubling *doubling, const struct clopt_node *node)
{
    return clopt_node_names(clopt_node_bare(node), doubling->taken);
}

/* Whether a statement is a[lid] += t. */
static bool is_sum(struct doubling *doubling, const struct clopt_node *node)
{
    const struct clopt_node *to, *term;
    return node && adds(node, &to, &term) && is_element(doubling, to, false) &&
           is_taken(doubling, term);
}

/* Whether what comes before the barrier takes a[lid - step] where it is, else 0 (`zero`) or
 * nothing. */
static bool takes(struct doubling *doubling, const struct clopt_node *value, bool *zero)
{
    if (doubling->count == 2) { /* t = lid >= step ? a[lid - step] : 0 */
        *zero = true;
        value = value ? clopt_node_bare(value) : NULL;
        return value && value->kind == CLOPT_NODE_CONDITIONAL &&
               is_reached(doubling, value->children[0]) &&
               is_element(doubling, value->children[1], true) && is_number(value->children[2], 0);
    }
    const struct clopt_node *set = reached(doubling, doubling->statements[1]);
    *zero = value && is_number(value, 0);
    return (*zero || !value || !clopt_node_effects(value)) && set &&
           set->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(set, "=") &&
           is_taken(doubling, set->children[0]) && is_element(doubling, set->children[1], true);
}

/* Whether v = a[lid]; if (lid >= step) v += a[lid - step]; barrier; a[lid] = v. */
static bool sums_up(struct doubling *doubling, const struct clopt_node *value)
{
    const struct clopt_node *last = doubling->statements[2], *to, *term;
    const struct clopt_node *sum = reached(doubling, doubling->statements[1]);
    return value && is_element(doubling, value, false) && sum && adds(sum, &to, &term) &&
           clopt_node_names(to, doubling->taken) && is_element(doubling, term, true) &&
           last->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(last, "=") &&
           is_element(doubling, last->children[0], false) && is_taken(doubling, last->children[1]);
}

static bool read_statements(struct doubling *doubling)
{
    const struct clopt_node *value = NULL;
    bool zero = false;
    if (doubling->count < 2 || !read_declared(doubling, &value))
        return false;
    const struct clopt_node *last = doubling->statements[doubling->count - 1];
    bool scans = doubling->count == 3 && sums_up(doubling, value);
    if (!scans && takes(doubling, value, &zero))
        scans = (zero && is_sum(doubling, last)) || is_sum(doubling, reached(doubling, last));
    return scans && doubling->taken->scalar == doubling->scalar;
}

/* Sorts what a loop's body holds into barriers and others: a barrier comes before the last of
 * these, which writes, and another one between iterations. */
static bool collect(struct doubling *doubling)
{
    const struct clopt_node *body = doubling->loop->body;
    size_t after[2] = {0}, barriers = 0;
    for (size_t i = 0; body->kind == CLOPT_NODE_COMPOUND && i < body->child_count; i++) {
        const struct clopt_node *node = body->children[i];
        bool is_barrier = clopt_node_is_barrier(node);
        if (is_barrier ? barriers == 2 : doubling->count == MOST_STATEMENTS)
            return false;
        if (is_barrier) {
            doubling->barrier = node;
            after[barriers++] = doubling->count;
        } else {
            doubling->statements[doubling->count++] = node;
        }
    }
    bool first = barriers == 2 && after[0] == 0 && after[1] + 1 == doubling->count;
    return first ||
           (barriers == 2 && after[0] + 1 == doubling->count && after[1] == doubling->count);
}

/* Whether a loop's head is for (step = 1; step < size; step *= 2). */
static bool read_head(struct doubling *doubling)
{
    const struct clopt_node *loop = doubling->loop;
    if (loop->kind != CLOPT_NODE_FOR || !loop->init || !loop->condition || !loop->step ||
        loop->init->kind != CLOPT_NODE_DECLARE || loop->init->child_count != 1)
        return false;
    const struct clopt_node *first = loop->init->children[0], *last = loop->condition;
    const struct clopt_node *next = clopt_node_bare(loop->step);
    doubling->step = first->variable;
    bool turned = clopt_node_is_operator(last, ">");
    if (!first->condition || !is_number(first->condition, 1) || doubling->step->bits < 32 ||
        last->kind != CLOPT_NODE_BINARY || (!turned && !clopt_node_is_operator(last, "<")) ||
        !is_step(doubling, last->children[turned]) || !is_size(doubling, last->children[!turned]) ||
        next->kind != CLOPT_NODE_ASSIGN || !is_step(doubling, next->children[0]))
        return false;
    const struct clopt_node *by = clopt_node_bare(next->children[1]);
    bool shifts = by->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(by, "<<");
    bool doubles = by->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(by, "*");
    return clopt_node_is_operator(next, "*=")    ? is_number(by, 2)
           : clopt_node_is_operator(next, "<<=") ? is_number(by, 1)
           : clopt_node_is_operator(next, "+=")  ? is_step(doubling, by)
           : clopt_node_is_operator(next, "=") && (shifts || doubles)
               ? is_step(doubling, by->children[0]) && is_number(by->children[1], shifts ? 1 : 2)
               : false;
}

/* ---- the whole ---- */

static void replace(struct clopt_source *source, const struct doubling *doubling)
{
    const struct clopt_cloning plain = {.source = source, .plain = true};
    struct clopt_node *place = doubling->loop;
    struct clopt_variable *array = doubling->array;
    struct clopt_variable *sum =
        clopt_variable_make(source, clopt_scalar_name(doubling->scalar), "", "sum");
    struct clopt_variable *item = clopt_variable_make(source, "size_t", "", "item");
    while (place->parent->kind == CLOPT_NODE_ATTRIBUTED)
        place = place->parent;
    size_t position = clopt_node_position(place);
    bool waits = place->parent->kind == CLOPT_NODE_COMPOUND && position &&
                 clopt_node_is_barrier(place->parent->children[position - 1]);
    if (!waits)
        clopt_insert_before(source, place, clopt_clone(&plain, doubling->barrier));
    clopt_insert_before(
        source, place,
        clopt_build(source, place,
                    "if (get_local_id($u) == 0) { $V = 0; for ($V = 0; $v < $l; $v++) { "
                    "$v += $v[$v]; $v[$v] = $v; } }",
                    doubling->dimension, sum, item, item, (int64_t)doubling->size, item, sum, array,
                    item, array, item, sum));
    clopt_replace(source, place, clopt_clone(&plain, doubling->barrier));
}

bool serial_replace_scans(struct clopt_source *source, unsigned dimension, size_t size)
{
    const struct clopt_node *body = source->kernel->body;
    struct clopt_nodes loops = {0};
    bool any = false;
    for (struct clopt_node *node = source->kernel->body; node; node = clopt_node_next(node, body))
        if (node->kind == CLOPT_NODE_FOR)
            clopt_nodes_add(source, &loops, node);
    for (size_t i = 0; i < loops.count; i++) {
        struct doubling doubling = {.loop = loops.items[i], .dimension = dimension, .size = size};
        if (!read_head(&doubling) || !collect(&doubling) || !read_statements(&doubling))
            continue;
        replace(source, &doubling);
        any = true;
    }
    return any;
}
