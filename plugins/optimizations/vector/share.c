/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes overlapping vectors from two of them. */
#include "code.h"

/* Loads that are looked at together, at most. */
#define MOST_LOADS 256

/* A load of neighbouring elements. */
struct load {
    const struct clopt_node *node;
    int64_t distance; /* from the first one of its group, in elements */
    bool done;
};

struct loads {
    struct load items[MOST_LOADS];
    size_t count;
};

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

/* Whether a statement changes what subscripts are made of. */
static bool changes_scalars(const struct code *code, const struct clopt_node *statement)
{
    for (size_t i = 0; i < code->source->variable_count; i++) {
        const struct clopt_variable *variable = code->source->variables[i];
        if (variable->space == CLOPT_SPACE_PRIVATE && code->plan->forms[i] != FORM_VECTOR &&
            (clopt_node_uses(statement, variable) & CLOPT_WRITE))
            return true;
    }
    return false;
}

/* The number of statements from the first one on that may load before any of them writes. */
static size_t count_run(const struct code *code, struct clopt_node *const *statements, size_t count)
{
    unsigned others = CLOPT_EFFECT_ORDERED | CLOPT_EFFECT_COLLECTIVE | CLOPT_EFFECT_GOTO;
    for (size_t i = 0; i < count; i++) {
        unsigned effects = clopt_node_effects(statements[i]);
        if (!is_plain(statements[i]) || (effects & others) ||
            (i && changes_scalars(code, statements[i])))
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
    for (size_t i = 0; i < count; i++)
        if (clopt_node_changes(statements[i], node))
            return true;
    return false;
}

/* ---- their loads ---- */

/* Finds what is loaded in any case, and as a vector: what lanes evaluate one by one loads itself.
 */
static void find_loads(const struct code *code, const struct clopt_node *node, struct loads *loads)
{
    int64_t stride = 0;
    bool plain = node->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(node, "=");
    bool first = clopt_node_is_logical(node) || node->kind == CLOPT_NODE_CONDITIONAL;
    bool lanes = clopt_node_is_expression(node) && node->kind != CLOPT_NODE_LIST &&
                 (!code_has_vectors(node) ||
                  (node->kind == CLOPT_NODE_CALL && !code_takes_vectors(code, node)));
    if (node->kind == CLOPT_NODE_SIZEOF || lanes)
        return;
    if (node->kind == CLOPT_NODE_SUBSCRIPT) {
        if (code_is_row(code, node, &stride) && stride == 1 && loads->count < MOST_LOADS)
            loads->items[loads->count++] = (struct load){.node = node};
        return;
    }
    for (size_t i = plain; i < (first ? 1 : node->child_count); i++)
        find_loads(code, node->children[i], loads);
}

/* ---- vectors ---- */

static const char *array_name(const struct clopt_node *node)
{
    while (node->kind != CLOPT_NODE_VARIABLE && node->child_count)
        node = node->children[0];
    return node->kind == CLOPT_NODE_VARIABLE ? node->variable->name : "loaded";
}

/* Adds components of a vector by the names that OpenCL has for several of them together. */
static void add_components(struct code *code, struct clopt_variable *vector, unsigned first,
                           unsigned end, struct clopt_nodes *parts)
{
    for (unsigned at = first; at < end;) {
        char name[10] = "s";
        unsigned size = 8;
        while (size > end - at || at % size)
            size /= 2;
        for (unsigned i = 0; i < size; i++)
            name[1 + i] = code_component(at + i)[1];
        code_put(code, parts, NULL, "$v.$s", vector, name);
        at += size;
    }
}

static struct clopt_variable *add_vector(struct code *code, const struct clopt_node *node,
                                         struct clopt_node *value, struct clopt_nodes *list)
{
    struct clopt_variable *vector = code_make_next(code, node->scalar, array_name(node));
    code_put(code, list, node, "$V = $n;", vector, value);
    return vector;
}

/* Adds the vector that is `ahead` of one, of which another one is `span` ahead. */
static struct clopt_variable *add_between(struct code *code, const struct clopt_node *node,
                                          struct clopt_variable *first, unsigned ahead,
                                          struct clopt_variable *last, unsigned span,
                                          struct clopt_nodes *list)
{
    struct clopt_nodes parts = {0};
    add_components(code, first, ahead, code->width, &parts);
    add_components(code, last, code->width - span, code->width - span + ahead, &parts);
    code->shuffles++;
    return add_vector(
        code, node,
        code_build(code, node, "($s$u)($N)", scalar_name(node->scalar), code->width, &parts), list);
}

/* ---- groups ---- */

static int compare(const void *a, const void *b)
{
    const struct load *x = a;
    const struct load *y = b;
    return (x->distance > y->distance) - (x->distance < y->distance);
}

/* Adds the loads of a window, which are in order. The one before it may end with the first. */
static void add_window(struct code *code, const struct load *loads, size_t count,
                       struct clopt_nodes *list)
{
    const struct load *end = &loads[count - 1];
    unsigned span = (unsigned)(end->distance - loads[0].distance);
    struct clopt_variable *first = code->shared[loads[0].node->index];
    if (!first)
        first = add_vector(code, loads[0].node, code_load(code, loads[0].node, 1), list);
    struct clopt_variable *last = add_vector(code, end->node, code_load(code, end->node, 1), list);
    struct clopt_variable *vector = first;
    for (size_t i = 0; i < count; i++) {
        unsigned ahead = (unsigned)(loads[i].distance - loads[0].distance);
        bool again = i > 0 && loads[i].distance == loads[i - 1].distance;
        if (ahead == span)
            vector = last;
        else if (ahead && !again)
            vector = add_between(code, loads[i].node, first, ahead, last, span, list);
        code->shared[loads[i].node->index] = vector;
    }
}

/* Adds those loads of a group, which are in order, that overlap. */
static void add_group(struct code *code, const struct load *loads, size_t count,
                      struct clopt_nodes *list)
{
    for (size_t i = 0; i < count;) {
        size_t end = i, last = i;
        unsigned different = 0;
        for (; end < count && loads[end].distance - loads[i].distance <= code->width; end++)
            if (end == i || loads[end].distance != loads[end - 1].distance) {
                different++;
                last = end;
            }
        if (different > 2)
            add_window(code, loads + i, end - i, list);
        i = different > 2 ? last : end;
    }
}

static void add_groups(struct code *code, struct loads *loads, struct clopt_nodes *list)
{
    struct load group[MOST_LOADS];
    for (size_t i = 0; i < loads->count; i++) {
        size_t count = 0;
        for (size_t j = i; j < loads->count; j++) {
            struct load *load = &loads->items[j];
            if (load->done ||
                !clopt_subscript_distance(loads->items[i].node, load->node, &load->distance))
                continue;
            load->done = true;
            group[count++] = *load;
        }
        qsort(group, count, sizeof *group, compare);
        add_group(code, group, count, list);
    }
}

void code_add_shared(struct code *code, const struct clopt_node *statement,
                     struct clopt_nodes *list)
{
    const struct clopt_node *parent = statement->parent;
    struct loads loads = {.count = 0};
    if (!code->shared || !parent || parent->kind != CLOPT_NODE_COMPOUND || !is_plain(statement) ||
        statement->index < code->shared_until)
        return;
    size_t at = clopt_node_number(statement);
    struct clopt_node *const *statements = parent->children + at;
    size_t count = count_run(code, statements, parent->child_count - at);
    if (!count)
        return;
    code->shared_until = clopt_node_end(statements[count - 1]);
    for (size_t i = 0; i < count; i++)
        find_loads(code, statements[i], &loads);
    size_t kept = 0;
    for (size_t i = 0; i < loads.count; i++)
        if (!changes(statements, count, loads.items[i].node))
            loads.items[kept++] = loads.items[i];
    loads.count = kept;
    add_groups(code, &loads, list);
}
