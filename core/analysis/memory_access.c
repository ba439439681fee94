/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory accesses of expressions, and whether one may depend on another. */
#include <clopt/loop.h>

#include <stdlib.h>
#include <string.h>

#include "analysis/sum.h"
#include "base/text.h"
#include "kernel/effect.h"

#define MOST_FACTOR (INT64_C(1) << 28) /* times the number of iterations, it fits */
#define MOST_TRIES  1024               /* of a nest of two loops */

struct walk {
    struct clopt_accesses *accesses;
    size_t capacity;
    bool failed;
};

enum {
    READS = 1,
    WRITES = 2,
};

/* Of a[i], or i[a]: which of the two is a. */
static const struct clopt_node *base_of(const struct clopt_node *subscript)
{
    const struct clopt_node *first = subscript->children[0];
    return first->is_pointer || first->is_array ? first : subscript->children[1];
}

static const struct clopt_node *index_of(const struct clopt_node *subscript)
{
    bool first = base_of(subscript) == subscript->children[0];
    return subscript->children[first ? 1 : 0];
}

/* ---- what a pointer leads to ---- */

static const struct clopt_variable *root_of(const struct clopt_node *pointer, unsigned depth);

static const struct clopt_variable *variable_root(const struct clopt_node *node, unsigned depth)
{
    const struct clopt_variable *variable = node->variable;
    if (variable->is_array || !variable->is_pointer)
        return variable;
    if (variable->reassigned || !variable->function)
        return NULL;
    if (variable->is_parameter)
        return variable;
    const struct clopt_node *value = variable->declarator ? variable->declarator->condition : NULL;
    return value && depth ? root_of(value, depth - 1) : NULL;
}

/* The array or parameter that a pointer leads into; NULL where that is not known. */
static const struct clopt_variable *root_of(const struct clopt_node *pointer, unsigned depth)
{
    const struct clopt_node *first = pointer->child_count ? pointer->children[0] : NULL;
    switch (pointer->kind) {
    case CLOPT_NODE_VARIABLE:
        return variable_root(pointer, depth);
    case CLOPT_NODE_PAREN:
    case CLOPT_NODE_CAST:
    case CLOPT_NODE_POSTFIX:
        return root_of(first, depth);
    case CLOPT_NODE_UNARY:
        if (clopt_node_is_operator(pointer, "*") && !pointer->is_array)
            return NULL;
        return root_of(first, depth);
    case CLOPT_NODE_SUBSCRIPT:
        return pointer->is_pointer ? NULL : root_of(base_of(pointer), depth);
    case CLOPT_NODE_MEMBER:
        return clopt_node_is_operator(pointer, ".") && !pointer->is_pointer ? root_of(first, depth)
                                                                            : NULL;
    case CLOPT_NODE_BINARY:
        if (first->is_pointer || first->is_array)
            return root_of(first, depth);
        return pointer->children[1]->is_pointer || pointer->children[1]->is_array
                   ? root_of(pointer->children[1], depth)
                   : NULL;
    default:
        return NULL;
    }
}

/* ---- memory accesses ---- */

static void walk(struct walk *state, const struct clopt_node *node, unsigned use);

static void add_access(struct walk *state, const struct clopt_access *access)
{
    struct clopt_accesses *accesses = state->accesses;
    if (accesses->count == state->capacity) {
        size_t capacity = state->capacity ? state->capacity * 2 : 16;
        struct clopt_access *more = realloc(accesses->items, capacity * sizeof *more);
        state->failed |= !more;
        if (!more)
            return;
        accesses->items = more;
        state->capacity = capacity;
    }
    accesses->items[accesses->count++] = *access;
}

/* Finds base and indices of a[i][j], *p and *(p + i); false for anything else. */
static bool find_indices(const struct clopt_node *node, struct clopt_access *access)
{
    const struct clopt_node *at = node;
    while (at->kind == CLOPT_NODE_SUBSCRIPT && access->index_count < CLOPT_MOST_INDICES) {
        access->indices[access->index_count++] = index_of(at);
        at = base_of(at);
        while (at->kind == CLOPT_NODE_PAREN)
            at = at->children[0];
    }
    if (at == node && node->kind == CLOPT_NODE_UNARY) {
        at = node->children[0];
        while (at->kind == CLOPT_NODE_PAREN)
            at = at->children[0];
        access->indices[access->index_count++] = NULL;
        if (at->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(at, "+") &&
            at->children[0]->kind == CLOPT_NODE_VARIABLE && at->children[0]->is_pointer) {
            access->indices[0] = at->children[1];
            at = at->children[0];
        }
    }
    access->base = at->kind == CLOPT_NODE_VARIABLE ? at->variable : NULL;
    /* Rows of pointers lead elsewhere. */
    return access->base && !(access->base->is_pointer && access->index_count > 1);
}

static void tell(struct walk *state, const struct clopt_node *node, unsigned use)
{
    struct clopt_access access = {.node = node, .space = node->space};
    if (node->kind == CLOPT_NODE_VARIABLE) {
        access.base = node->variable;
        access.space = node->variable->space;
        access.anywhere = true;
    } else if (node->kind == CLOPT_NODE_MEMBER || !find_indices(node, &access)) {
        access.anywhere = true;
        access.index_count = 0;
    }
    const struct clopt_node *pointer = node;
    if (node->kind == CLOPT_NODE_SUBSCRIPT)
        pointer = base_of(node);
    else if (node->kind != CLOPT_NODE_VARIABLE)
        pointer = node->children[0];
    access.root = root_of(pointer, 8);
    access.reads = use & READS;
    access.writes = use & WRITES;
    add_access(state, &access);
}

/* Adds that a call accesses all that a pointer leads to. */
static void tell_argument(struct walk *state, const struct clopt_node *argument, unsigned use)
{
    struct clopt_access access = {.node = argument, .anywhere = true};
    access.root = root_of(argument, 8);
    access.space = CLOPT_SPACE_GENERIC;
    if (access.root)
        access.space = access.root->is_pointer && !access.root->is_array ? access.root->pointee
                                                                         : access.root->space;
    access.reads = use & READS;
    /* Functions of the user's may change private memory without more ado. */
    access.writes = (use & WRITES) || access.space == CLOPT_SPACE_PRIVATE ||
                    access.space == CLOPT_SPACE_GENERIC;
    add_access(state, &access);
}

/* Adds that a call accesses memory that it does not name. */
static void tell_anything(struct walk *state, const struct clopt_node *call)
{
    struct clopt_access access = {.node = call, .space = CLOPT_SPACE_GENERIC};
    access.anywhere = access.reads = access.writes = true;
    add_access(state, &access);
}

static void walk_call(struct walk *state, const struct clopt_node *node)
{
    bool writes = node->callee ? (node->callee->effects & CLOPT_EFFECT_MEMORY_WRITE) != 0
                               : !clopt_name_starts(node->name, "vload");
    bool pointers = false;
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *argument = node->children[i];
        walk(state, argument, READS);
        if (!argument->is_pointer && !argument->is_array)
            continue;
        pointers = true;
        tell_argument(state, argument, writes ? READS | WRITES : READS);
    }
    /* Images, and fences, which order everything. */
    bool silent = node->callee ? writes && !pointers
                               : strstr(node->name, "_image") || strstr(node->name, "fence");
    if (silent)
        tell_anything(state, node);
}

/* The access of which a member, a component or what is in parentheses is a part. */
static const struct clopt_node *whole_of(const struct clopt_node *node)
{
    while (node->kind == CLOPT_NODE_SWIZZLE || node->kind == CLOPT_NODE_PAREN ||
           (node->kind == CLOPT_NODE_MEMBER && clopt_node_is_operator(node, ".")))
        node = node->children[0];
    return node;
}

static bool is_access(const struct clopt_node *node)
{
    return (node->kind == CLOPT_NODE_SUBSCRIPT && !node->is_array) ||
           (node->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(node, "*") &&
            !node->is_array) ||
           (node->kind == CLOPT_NODE_MEMBER && clopt_node_is_operator(node, "->")) ||
           (node->kind == CLOPT_NODE_VARIABLE && !node->variable->is_array &&
            node->variable->space != CLOPT_SPACE_PRIVATE);
}

/* Walks what is written (and read, as `access` says), then what leads there. */
static void walk_target(struct walk *state, const struct clopt_node *target, unsigned access)
{
    const struct clopt_node *whole = whole_of(target);
    if (is_access(whole))
        tell(state, whole, access);
    for (size_t i = 0; i < whole->child_count; i++)
        walk(state, whole->children[i], READS);
}

static void walk(struct walk *state, const struct clopt_node *node, unsigned use)
{
    if (node->kind == CLOPT_NODE_SIZEOF)
        return;
    bool step = clopt_node_is_operator(node, "++") || clopt_node_is_operator(node, "--");
    if (node->kind == CLOPT_NODE_ASSIGN) {
        walk_target(state, node->children[0],
                    clopt_node_is_operator(node, "=") ? WRITES : READS | WRITES);
        walk(state, node->children[1], READS);
    } else if ((node->kind == CLOPT_NODE_UNARY || node->kind == CLOPT_NODE_POSTFIX) && step) {
        walk_target(state, node->children[0], READS | WRITES);
    } else if (node->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(node, "&")) {
        /* Whoever uses the address is told of. */
        const struct clopt_node *whole = whole_of(node->children[0]);
        for (size_t i = 0; i < whole->child_count; i++)
            walk(state, whole->children[i], READS);
    } else if (node->kind == CLOPT_NODE_CALL) {
        walk_call(state, node);
    } else {
        if (is_access(node))
            tell(state, node, use);
        for (size_t i = 0; i < node->child_count; i++)
            walk(state, node->children[i], READS);
    }
}

enum clopt_status clopt_accesses_add(struct clopt_accesses *accesses, const struct clopt_node *node,
                                     struct clopt_error *error)
{
    struct walk state = {.accesses = accesses, .capacity = accesses->count};
    walk(&state, node, READS);
    return state.failed ? clopt_fail_memory(error) : CLOPT_OK;
}

void clopt_accesses_fini(struct clopt_accesses *accesses)
{
    free(accesses->items);
    *accesses = (struct clopt_accesses){0};
}

/* ---- meetings ---- */

static bool is_restrict(const struct clopt_variable *variable)
{
    return strstr(variable->type, "restrict") != NULL;
}

bool clopt_accesses_alias(const struct clopt_access *a, const struct clopt_access *b)
{
    if (a->space != b->space)
        return a->space == CLOPT_SPACE_GENERIC || b->space == CLOPT_SPACE_GENERIC;
    if (!a->root || !b->root || a->root == b->root)
        return true;
    if (a->space != CLOPT_SPACE_GLOBAL)
        return false; /* arrays, and parameters of local memory, are apart */
    return !is_restrict(a->root) && !is_restrict(b->root);
}

static int64_t least_of(int64_t factor, const struct clopt_distance *distance)
{
    return factor * (factor < 0 ? distance->most : distance->least);
}

static int64_t most_of(int64_t factor, const struct clopt_distance *distance)
{
    return factor * (factor < 0 ? distance->least : distance->most);
}

static int64_t greatest_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* Whether difference + the sum of factors times distances can be 0. */
static bool can_vanish(int64_t difference, const int64_t *factors,
                       const struct clopt_distance *distances, unsigned depth, bool wraps)
{
    int64_t least = difference;
    int64_t most = difference;
    int64_t divisor = 0;
    for (unsigned i = 0; i < depth; i++) {
        least += least_of(factors[i], &distances[i]);
        most += most_of(factors[i], &distances[i]);
        divisor = greatest_divisor(divisor, factors[i]);
    }
    if (wraps && (least <= -(INT64_C(1) << 32) || most >= INT64_C(1) << 32))
        return true;
    if (least > 0 || most < 0)
        return false;
    if (divisor && difference % divisor != 0)
        return false;
    if (depth < 2 || distances[0].most - distances[0].least > MOST_TRIES >> 5 * (depth - 2))
        return true;
    for (int64_t iterations = distances[0].least; iterations <= distances[0].most; iterations++)
        if (can_vanish(difference + factors[0] * iterations, factors + 1, distances + 1, depth - 1,
                       false))
            return true;
    return false;
}

/* Splits two indices into the factors of the counters, which must be the same, and the rest. */
static bool split(const struct clopt_nest *nest, struct clopt_sum *x, struct clopt_sum *y,
                  struct clopt_sum *factors)
{
    for (unsigned i = 0; i < nest->depth; i++) {
        struct clopt_sum other;
        if (!clopt_sum_split(x, nest->trips[i]->counter, &factors[i]) ||
            !clopt_sum_split(y, nest->trips[i]->counter, &other) ||
            !clopt_sum_subtract(&other, &factors[i]) || other.count || other.constant ||
            !clopt_loop_is_invariant_sum(nest->loops[0], &factors[i]))
            return false;
    }
    return clopt_loop_is_invariant_sum(nest->loops[0], x) && clopt_sum_subtract(y, x) &&
           !y->count && !y->wraps;
}

/* Whether one iteration of a loop moves an index further than all of the others and a constant do:
 * a row of n columns, of which j < n is one. */
static bool outdoes(const struct clopt_nest *nest, unsigned row, const struct clopt_sum *factors,
                    const struct clopt_distance *distances, int64_t constant)
{
    struct clopt_sum way = factors[row];
    int64_t others = constant < 0 ? -constant : constant;
    int64_t least = 0;
    for (unsigned i = 0; i < nest->depth; i++) {
        const struct clopt_trip *trip = nest->trips[i];
        struct clopt_sum counter;
        if (i == row || (!distances[i].least && !distances[i].most) ||
            (!factors[i].count && !factors[i].constant))
            continue;
        if (factors[i].count || factors[i].constant < 0 || trip->step < 0 || !trip->first_known ||
            !clopt_sum_find(NULL, nest->loops[i]->step->children[0], &counter) ||
            !clopt_sum_add_product(&way, &counter, -factors[i].constant))
            return false;
        others -= factors[i].constant * trip->first_value;
    }
    return clopt_sum_least(nest->loops[nest->depth - 1]->body, way, &least) && least > others;
}

/* The same for factors that are not known, such as the n of n * i + j. */
static bool rows_meet(const struct clopt_nest *nest, struct clopt_sum x, struct clopt_sum y,
                      const struct clopt_distance *distances)
{
    struct clopt_sum factors[CLOPT_MOST_NEST];
    if (!split(nest, &x, &y, factors))
        return true;
    for (unsigned i = 0; i < nest->depth; i++)
        if ((distances[i].least > 0 || distances[i].most < 0) &&
            outdoes(nest, i, factors, distances, y.constant))
            return false;
    return true;
}

/* Whether an index may be the same for both. */
static bool index_meets(const struct clopt_nest *nest, const struct clopt_node *a,
                        const struct clopt_node *b, const struct clopt_distance *distances)
{
    struct clopt_sum x = {0};
    struct clopt_sum y = {0};
    int64_t factors[CLOPT_MOST_NEST] = {0};
    const struct clopt_node *outer = nest->loops[0];
    if ((a && !clopt_sum_find(outer, a, &x)) || (b && !clopt_sum_find(outer, b, &y)))
        return true;
    const struct clopt_sum whole[2] = {x, y};
    for (unsigned i = 0; i < nest->depth; i++) {
        int64_t other = 0;
        if (!clopt_sum_take(&x, nest->trips[i]->counter, &factors[i]) ||
            !clopt_sum_take(&y, nest->trips[i]->counter, &other) || factors[i] != other)
            return rows_meet(nest, whole[0], whole[1], distances);
        factors[i] *= nest->trips[i]->step;
        if (factors[i] > MOST_FACTOR || factors[i] < -MOST_FACTOR)
            return true;
    }
    if (!clopt_loop_is_invariant_sum(outer, &x) || !clopt_loop_is_invariant_sum(outer, &y) ||
        !clopt_sum_subtract(&y, &x) || y.count)
        return true;
    return can_vanish(y.constant, factors, distances, nest->depth, y.wraps);
}

/* Distances that the trip count allows. */
static struct clopt_distance limit(const struct clopt_trip *trip, struct clopt_distance distance)
{
    int64_t most = trip->count_known ? trip->count - 1 : CLOPT_MANY_ITERATIONS;
    if (distance.most > most)
        distance.most = most;
    if (distance.least < -most)
        distance.least = -most;
    return distance;
}

struct moves {
    const struct clopt_variable *variable;
    bool found;
};

static void note_move(void *user, const struct clopt_node *node, struct clopt_variable *variable,
                      unsigned access)
{
    struct moves *moves = user;
    (void)node;
    if (variable == moves->variable && (access & CLOPT_WRITE))
        moves->found = true;
}

/* Whether a pointer is the same in every iteration. */
static bool stays(const struct clopt_node *loop, const struct clopt_variable *base)
{
    if (base->is_array || !base->is_pointer)
        return true;
    struct moves moves = {base, false};
    clopt_node_visit_uses(loop, note_move, &moves);
    return !moves.found;
}

bool clopt_accesses_depend(const struct clopt_nest *nest, const struct clopt_access *a,
                           const struct clopt_access *b, const struct clopt_distance *distances)
{
    struct clopt_distance limited[CLOPT_MOST_NEST];
    if ((!a->writes && !b->writes) || !clopt_accesses_alias(a, b))
        return false;
    for (unsigned i = 0; i < nest->depth; i++) {
        limited[i] = limit(nest->trips[i], distances[i]);
        if (limited[i].least > limited[i].most)
            return false;
    }
    if (a->anywhere || b->anywhere || !a->base || a->base != b->base ||
        a->index_count != b->index_count || !stays(nest->loops[0], a->base))
        return true;
    for (unsigned i = 0; i < a->index_count; i++)
        if (!index_meets(nest, a->indices[i], b->indices[i], limited))
            return false;
    return true;
}
