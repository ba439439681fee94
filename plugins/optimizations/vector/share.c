/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes overlapping vectors from two of them. */
#include "share.h"

#include <stdlib.h>
#include <string.h>

#include <clopt/loop.h>

/* Loads that are looked at together, at most. */
#define MOST_LOADS 256

/* A load of neighbouring elements. */
struct load {
    const struct clopt_node *node;
    int64_t distance; /* from the first one of its group, in elements */
    bool done;
};

struct share {
    const char **names; /* by node */
    size_t *placed;     /* nodes that have one, in the order in which they got it */
    size_t placed_count;
    size_t until; /* statements before this offset are done */
    size_t count;
    struct load loads[MOST_LOADS];
    size_t load_count;
};

struct share *share_create(const struct clopt_source *source)
{
    struct share *share = calloc(1, sizeof *share);
    if (!share)
        return NULL;
    share->names = calloc(clopt_source_node_count(source) + 1, sizeof *share->names);
    share->placed = calloc(clopt_source_node_count(source) + 1, sizeof *share->placed);
    if (share->names && share->placed)
        return share;
    share_destroy(share);
    return NULL;
}

void share_destroy(struct share *share)
{
    if (share) {
        free(share->names);
        free(share->placed);
    }
    free(share);
}

struct share_mark share_begin_attempt(const struct share *share)
{
    return share ? (struct share_mark){share->placed_count, share->count, share->until}
                 : (struct share_mark){0};
}

void share_forget(struct share *share, const struct share_mark *mark)
{
    if (!share)
        return;
    while (share->placed_count > mark->placed_count)
        share->names[share->placed[--share->placed_count]] = NULL;
    share->count = mark->count;
    share->until = mark->until;
}

size_t share_count(const struct share *share)
{
    return share->count;
}

const char *share_name(const struct share *share, const struct clopt_node *node)
{
    return share ? share->names[node->index] : NULL;
}

/* ---- statements without a write in between ---- */

static bool is_plain(const struct clopt_node *node)
{
    return clopt_node_is_expression(node) || node->kind == CLOPT_NODE_DECLARE;
}

/* Whether a statement leaves memory alone, but for what it assigns at its end. */
static bool only_assigns(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_ASSIGN &&
           !(clopt_node_effects(node->children[1]) & CLOPT_EFFECT_MEMORY_WRITE);
}

struct writes {
    const struct code *code;
    bool found;
};

static void note_write(void *user, const struct clopt_node *node, struct clopt_variable *variable,
                       unsigned access)
{
    struct writes *writes = user;
    (void)node;
    writes->found |= (access & CLOPT_WRITE) && variable->space == CLOPT_SPACE_PRIVATE &&
                     writes->code->plan->forms[variable->index] != FORM_VECTOR;
}

/* Whether a statement changes what subscripts are made of. */
static bool changes_scalars(const struct code *code, const struct clopt_node *statement)
{
    struct writes writes = {code, false};
    clopt_node_accesses(statement, note_write, &writes);
    return writes.found;
}

/* The number of statements from the first one on that may load before any of them writes. */
static size_t count_run(const struct code *code, struct clopt_node *const *statements, size_t count)
{
    unsigned others = CLOPT_EFFECT_ORDERED | CLOPT_EFFECT_COLLECTIVE | CLOPT_EFFECT_GOTO;
    for (size_t i = 0; i < count; i++) {
        unsigned effects = clopt_node_effects(statements[i]);
        if (!is_plain(statements[i]) || (effects & others))
            return i;
        if (i && changes_scalars(code, statements[i]))
            return i;
        if (effects & CLOPT_EFFECT_MEMORY_WRITE)
            return only_assigns(statements[i]) ? i + 1 : i;
        if (changes_scalars(code, statements[i]))
            return i + 1;
    }
    return count;
}

/* Whether one of the statements may change what a subscript means. */
static bool changes(struct clopt_node *const *statements, size_t count,
                    const struct clopt_node *node)
{
    bool moves = node->kind == CLOPT_NODE_VARIABLE && !node->variable->is_array;
    for (size_t i = 0; moves && i < count; i++)
        if (clopt_node_touches(statements[i], node->variable) & (CLOPT_WRITE | CLOPT_ADDRESS))
            return true;
    for (size_t i = 0; i < node->child_count; i++)
        if (changes(statements, count, node->children[i]))
            return true;
    return false;
}

/* ---- their loads ---- */

static bool is_logical(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_BINARY &&
           (strcmp(node->operator, "&&") == 0 || strcmp(node->operator, "||") == 0);
}

/* Finds what is loaded in any case. */
static void find_loads(struct code *code, const struct clopt_node *node)
{
    struct share *share = code->share;
    int64_t stride = 0;
    bool plain = node->kind == CLOPT_NODE_ASSIGN && strcmp(node->operator, "=") == 0;
    size_t last = node->child_count;
    if (node->kind == CLOPT_NODE_SIZEOF)
        return;
    if (node->kind == CLOPT_NODE_SUBSCRIPT && code_diverges(code, node) &&
        code_is_row(code, node, &stride) && stride == 1 && share->load_count < MOST_LOADS)
        share->loads[share->load_count++] = (struct load){.node = node};
    if (is_logical(node) || node->kind == CLOPT_NODE_CONDITIONAL)
        last = 1;
    for (size_t i = plain ? 1 : 0; i < last; i++)
        find_loads(code, node->children[i]);
}

/* Finds by how many elements one load is behind another one of the same array. */
static bool find_distance(const struct clopt_node *a, const struct clopt_node *b, int64_t *distance)
{
    struct clopt_sum x;
    struct clopt_sum y;
    if (!(a->children[0]->is_pointer || a->children[0]->is_array) ||
        !clopt_nodes_equal(a->children[0], b->children[0]) ||
        !clopt_sum_find(NULL, a->children[1], &x) || !clopt_sum_find(NULL, b->children[1], &y) ||
        !clopt_sum_subtract(&y, &x) || y.count || y.wraps)
        return false;
    *distance = y.constant;
    return true;
}

/* ---- printing ---- */

/* Puts elements of a vector by the components that OpenCL lets one name together. */
static void put_part(struct code *code, const char *name, unsigned first, unsigned end)
{
    for (unsigned at = first; at < end;) {
        unsigned size = 8;
        while (size > end - at || at % size)
            size /= 2;
        code_printf(code, "%s%s.s", at > first ? ", " : "", name);
        for (unsigned i = 0; i < size; i++)
            code_printf(code, "%x", at + i);
        at += size;
    }
}

static void put_begin(struct code *code, const struct clopt_node *node, const char *name)
{
    code_put(code, "const ");
    code_put_type(code, node->scalar);
    code_printf(code, " %s = ", name);
}

static void put_load(struct code *code, const struct clopt_node *node, const char *name)
{
    put_begin(code, node, name);
    code_printf(code, "vload%u(0, ", code->width);
    code_put_row_address(code, node, 1);
    code_put(code, ");\n");
    code->gains++;
}

/* Puts the vector that is `ahead` of one, of which another one is `span` ahead. */
static void put_between(struct code *code, const struct clopt_node *node, const char *name,
                        const char *first, unsigned ahead, const char *last, unsigned span)
{
    put_begin(code, node, name);
    code_put(code, "(");
    code_put_type(code, node->scalar);
    code_put(code, ")(");
    put_part(code, first, ahead, code->width);
    code_put(code, ", ");
    put_part(code, last, code->width - span, code->width - span + ahead);
    code_put(code, ");\n");
    code->share->count++;
}

static const char *array_name(const struct clopt_node *node)
{
    while (node->kind != CLOPT_NODE_VARIABLE && node->child_count)
        node = node->children[0];
    return node->kind == CLOPT_NODE_VARIABLE ? node->variable->name : "loaded";
}

/* ---- groups ---- */

static int compare(const void *a, const void *b)
{
    const struct load *x = a;
    const struct load *y = b;
    return (x->distance > y->distance) - (x->distance < y->distance);
}

/* Puts the loads of a window, which are in order. */
static void put_window(struct code *code, const struct load *loads, size_t count)
{
    unsigned span = (unsigned)(loads[count - 1].distance - loads[0].distance);
    const char *first = code_number(code, array_name(loads[0].node));
    const char *last = code_number(code, array_name(loads[0].node));
    const char *name = first;
    put_load(code, loads[0].node, first);
    put_load(code, loads[count - 1].node, last);
    for (size_t i = 0; i < count; i++) {
        unsigned ahead = (unsigned)(loads[i].distance - loads[0].distance);
        bool again = i > 0 && loads[i].distance == loads[i - 1].distance;
        if (ahead == span)
            name = last;
        else if (ahead && !again) {
            name = code_number(code, array_name(loads[0].node));
            put_between(code, loads[i].node, name, first, ahead, last, span);
        }
        code->share->names[loads[i].node->index] = name;
        code->share->placed[code->share->placed_count++] = loads[i].node->index;
    }
}

/* Puts those loads of a group, which are in order, that overlap. */
static void put_group(struct code *code, const struct load *loads, size_t count)
{
    for (size_t i = 0; i < count;) {
        size_t end = i;
        unsigned different = 0;
        for (; end < count && loads[end].distance - loads[i].distance <= code->width; end++)
            different += end == i || loads[end].distance != loads[end - 1].distance;
        if (different > 2)
            put_window(code, loads + i, end - i);
        i = end;
    }
}

static void put_groups(struct code *code)
{
    struct share *share = code->share;
    struct load group[MOST_LOADS];
    for (size_t i = 0; i < share->load_count; i++) {
        size_t count = 0;
        for (size_t j = i; j < share->load_count; j++) {
            struct load *load = &share->loads[j];
            if (load->done || !find_distance(share->loads[i].node, load->node, &load->distance))
                continue;
            load->done = true;
            group[count++] = *load;
        }
        qsort(group, count, sizeof *group, compare);
        put_group(code, group, count);
    }
}

void share_begin(struct code *code, const struct clopt_node *statement)
{
    struct share *share = code->share;
    const struct clopt_node *parent = statement->parent;
    if (!share || !parent || parent->kind != CLOPT_NODE_COMPOUND || !is_plain(statement) ||
        statement->begin < share->until)
        return;
    size_t at = 0;
    while (parent->children[at] != statement)
        at++;
    struct clopt_node *const *statements = parent->children + at;
    size_t count = count_run(code, statements, parent->child_count - at);
    if (!count)
        return;
    share->until = statements[count - 1]->stop;
    share->load_count = 0;
    for (size_t i = 0; i < count; i++)
        find_loads(code, statements[i]);
    size_t kept = 0;
    for (size_t i = 0; i < share->load_count; i++)
        if (!changes(statements, count, share->loads[i].node))
            share->loads[kept++] = share->loads[i];
    share->load_count = kept;
    put_groups(code);
}
