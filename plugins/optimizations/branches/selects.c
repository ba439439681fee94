/* SPDX-License-Identifier: BSD-3-Clause */
/* What branches read from memory and write to it, where that is safe whichever side is taken. */
#include "selects.h"

/* Returns one value where the side is taken, and another one where it is not. */
static struct clopt_node *choose(const struct selects *selects, const struct clopt_node *at,
                                 struct clopt_node *taken, struct clopt_node *otherwise)
{
    const struct guard *guard = selects->guard;
    struct clopt_node *holds = NULL;
    if (!guard->outer && guard->negative)
        return clopt_build(selects->source, at, "$v ? $n : $n", guard->taken, otherwise, taken);
    for (; guard; guard = guard->outer) {
        struct clopt_node *own =
            clopt_build(selects->source, at, guard->negative ? "!$v" : "$v", guard->taken);
        holds = holds ? clopt_build(selects->source, at, "$n && $n", holds, own) : own;
    }
    return clopt_build(selects->source, at, "$n ? $n : $n", holds, taken, otherwise);
}

/* Clones a node as it is. */
static struct clopt_node *clone_plainly(const struct selects *selects,
                                        const struct clopt_node *node)
{
    const struct clopt_cloning cloning = {.source = selects->source};
    return clopt_clone(&cloning, node);
}

/* ---- reads ---- */

/* Returns a subscript where the side is taken, and one that is safe where it is not; `safe` NULL:
 * 0. */
static struct clopt_node *form_subscript(const struct selects *selects,
                                         const struct clopt_node *subscript,
                                         const struct clopt_node *safe)
{
    return choose(selects, subscript, selects_clone(selects, subscript),
                  safe ? clone_plainly(selects, safe)
                       : clopt_build(selects->source, subscript, "0"));
}

struct clopt_node *selects_form_read(struct selects *selects, const struct clopt_node *node)
{
    struct read read = read_find(selects->source->kernel, selects->branch, node);
    if (read.kind == READ_AS_IT_IS || read.kind == READ_UNSAFE)
        return NULL;
    struct clopt_access elements = clopt_access_of(node);
    struct clopt_access like = {0};
    if (read.kind == READ_LIKE)
        like = clopt_access_of(read.like);
    struct clopt_node *access =
        clopt_build(selects->source, node, "$v", selects_variable(selects, elements.base));
    for (size_t i = 0; i < elements.index_count; i++) {
        const struct clopt_node *subscript = elements.indices[i];
        bool safe = read.kind == READ_LIKE ? clopt_nodes_equal(subscript, like.indices[i])
                                           : is_in_range(elements.base, i, subscript);
        access = clopt_build(selects->source, node, "$n[$n]", access,
                             safe ? selects_clone(selects, subscript)
                                  : form_subscript(selects, subscript, like.indices[i]));
    }
    return access;
}

/* ---- elements of private arrays ---- */

/* Builds an element whose subscripts are variables, or known. */
static struct clopt_node *build_element(const struct selects *selects,
                                        const struct clopt_access *elements,
                                        struct clopt_variable *const *subscripts)
{
    const struct clopt_node *at = elements->indices[0];
    struct clopt_node *element =
        clopt_build(selects->source, at, "$v", selects_variable(selects, elements->base));
    for (size_t i = 0; i < elements->index_count; i++)
        element = subscripts[i] ? clopt_build(selects->source, at, "$n[$v]", element, subscripts[i])
                                : clopt_build(selects->source, at, "$n[$l]", element,
                                              elements->indices[i]->value);
    return element;
}

struct clopt_node *selects_form_element(struct selects *selects, const struct clopt_node *node,
                                        const struct clopt_node *place)
{
    struct clopt_source *source = selects->source;
    struct clopt_access elements = clopt_access_of(place);
    struct clopt_variable *subscripts[CLOPT_MOST_INDICES] = {NULL};
    struct clopt_nodes list = {0};
    for (size_t i = 0; i < elements.index_count; i++) {
        if (is_in_range(elements.base, i, elements.indices[i]))
            continue;
        subscripts[i] = selects_make(selects, "int", "at", ++selects->places);
        selects_put(selects, &list, node, "$V = $n;", subscripts[i],
                    form_subscript(selects, elements.indices[i], NULL));
    }
    struct clopt_variable *copy = selects_copy(selects, elements.base, elements.index_count);
    bool whole = node->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(node, "=") &&
                 place == clopt_node_written(node);
    selects_put(selects, &list, node, "$V = $n;", copy,
                whole ? selects_clone(selects, node->children[1])
                      : build_element(selects, &elements, subscripts));
    if (!whole) {
        selects->element = place;
        selects->element_copy = copy;
        struct clopt_node *change = selects_clone(selects, node);
        selects->element = NULL;
        change->plain = true; /* what is before the statement is before all of them */
        clopt_nodes_add(source, &list, change);
    }
    selects_put(selects, &list, node, "$n = $n;", build_element(selects, &elements, subscripts),
                choose(selects, node, clopt_build(source, node, "$v", copy),
                       build_element(selects, &elements, subscripts)));
    return clopt_build(source, node, "$N", &list);
}

/* ---- stores that both sides do ---- */

struct clopt_node *selects_form_stored(struct selects *selects, const struct clopt_node *node)
{
    struct clopt_source *source = selects->source;
    struct clopt_variable **stored = NULL;
    for (unsigned side = 0; side < 2; side++)
        for (size_t i = 0; i < selects->stores.count; i++)
            if (selects->stores.sides[side][i] == node)
                stored = &selects->stored[side][i];
    if (!stored)
        return NULL;
    const struct clopt_access place = clopt_access_of(clopt_node_written(node));
    *stored = selects_copy(selects, place.base, place.index_count);
    if (clopt_node_is_operator(node, "="))
        return clopt_build(source, node, "$V = $n;", *stored,
                           selects_clone(selects, node->children[1]));
    struct clopt_nodes list = {0};
    selects_put(selects, &list, node, "$V = $n;", *stored,
                clone_plainly(selects, node->children[0]));
    selects_put(selects, &list, node, "$v $s $n;", *stored, node->op,
                selects_clone(selects, node->children[1]));
    return clopt_build(source, node, "$N", &list);
}

void selects_add_stores(const struct selects *selects, const struct clopt_variable *taken,
                        struct clopt_nodes *list)
{
    for (size_t i = 0; i < selects->stores.count; i++) {
        const struct clopt_node *store = selects->stores.sides[0][i];
        selects_put(selects, list, store, "$n = $v ? $v : $v;",
                    clone_plainly(selects, store->children[0]), taken, selects->stored[0][i],
                    selects->stored[1][i]);
    }
}
