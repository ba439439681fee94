/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory accesses of expressions, and whether one may depend on another. */

#include "analysis/bounds.h"
#include "kernel/effect.h"
#include "number/number.h"

#define MOST_FACTOR (INT64_C(1) << 28) /* times the number of iterations, it fits */
#define MOST_TRIES  1024               /* of a nest of two loops */

/* Of a[i], or i[a]: which of the two is a. */
static const struct clopt_node *base_of(const struct clopt_node *subscript)
{
    const struct clopt_node *first = subscript->children[0];
    return clopt_node_is_address(first) ? first : subscript->children[1];
}

struct clopt_access clopt_access_of(const struct clopt_node *node)
{
    struct clopt_access access = {.node = node, .space = node->space};
    for (; node->kind == CLOPT_NODE_SUBSCRIPT; node = clopt_node_bare(base_of(node))) {
        if (access.index_count == CLOPT_MOST_INDICES)
            return access;
        memmove(access.indices + 1, access.indices, access.index_count++ * sizeof *access.indices);
        access.indices[0] = node->children[base_of(node) == node->children[0]];
    }
    access.base = node->kind == CLOPT_NODE_VARIABLE ? node->variable : NULL;
    return access;
}

/* Returns the access a[i][j], or as much of it as there is, of which the name of a variable is the
 * base; the name where nothing follows it. */
static const struct clopt_node *access_from(const struct clopt_node *name)
{
    const struct clopt_node *parent = name->parent;
    bool goes_on = parent && (parent->kind == CLOPT_NODE_PAREN ||
                              (parent->kind == CLOPT_NODE_SUBSCRIPT && base_of(parent) == name));
    return goes_on ? access_from(parent) : name;
}

/* Whether an address is given to a function of OpenCL that accesses an element, or a vector, there.
 */
static bool is_given(const struct clopt_node *address)
{
    const struct clopt_node *call = address->parent;
    return call->kind == CLOPT_NODE_CALL && !call->callee &&
           (clopt_name_starts(call->name, "vload") || clopt_name_starts(call->name, "vstore") ||
            clopt_name_starts(call->name, "atom"));
}

struct other_use {
    const struct clopt_variable *variable;
    bool given;
};

static bool is_other_use(const struct clopt_node *node, const void *user)
{
    const struct other_use *wanted = user;
    if (node->kind != CLOPT_NODE_VARIABLE || node->variable != wanted->variable)
        return false;
    const struct clopt_node *whole = access_from(node);
    if (whole->is_pointer && whole->parent->kind == CLOPT_NODE_UNARY &&
        clopt_node_is_operator(whole->parent, "*"))
        whole = whole->parent;
    if (clopt_node_is_address(whole))
        return true;
    const struct clopt_node *address = whole->parent;
    while (address && clopt_node_whole(address) == whole)
        address = address->parent;
    return address && address->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(address, "&") &&
           !(wanted->given && is_given(address));
}

const struct clopt_node *clopt_variable_find_other_use(const struct clopt_variable *variable,
                                                       const struct clopt_node *node, bool given)
{
    const struct other_use wanted = {variable, given};
    return clopt_node_search(node, is_other_use, &wanted);
}

/* ---- what a pointer leads to ---- */

/* The pointer variable that an address is computed from, p of (global T *)((global char *)p + i);
 * NULL: not such a one. */
static const struct clopt_variable *pointer_source(const struct clopt_node *address)
{
    for (;;) {
        bool sum = clopt_node_is_operator(address, "+") || clopt_node_is_operator(address, "-");
        bool deep = address->kind == CLOPT_NODE_PAREN || address->kind == CLOPT_NODE_CAST ||
                    (address->kind == CLOPT_NODE_BINARY && sum);
        if (!deep)
            return address->kind == CLOPT_NODE_VARIABLE && address->is_pointer ? address->variable
                                                                               : NULL;
        size_t which =
            address->kind == CLOPT_NODE_BINARY && !clopt_node_is_address(address->children[0]);
        address = address->children[which];
    }
}

static const struct clopt_variable *root_of(const struct clopt_node *pointer, unsigned depth);

/* Where all lead that is put into a pointer which is assigned more than once. */
struct moves {
    const struct clopt_variable *pointer;
    const struct clopt_variable *root; /* of what was seen so far; NULL: nothing */
    unsigned depth;
};

/* Whether a node puts something into the pointer that leads elsewhere. Steps, and what is computed
 * from the pointer itself, stay where it is. */
static bool moves_away(const struct clopt_node *node, const void *user)
{
    struct moves *moves = (struct moves *)user;
    const struct clopt_node *written = clopt_node_written(node), *value = NULL;
    if (node->kind == CLOPT_NODE_DECLARATOR && node->variable == moves->pointer)
        value = node->condition;
    else if (written && clopt_node_names(written, moves->pointer) && node->op[0] == '=')
        value = node->children[1];
    if (!value || pointer_source(value) == moves->pointer)
        return false;
    const struct clopt_variable *root = root_of(value, moves->depth);
    bool away = !root || (moves->root && root != moves->root);
    moves->root = root;
    return away;
}

static const struct clopt_variable *moved_root(const struct clopt_node *node, unsigned depth)
{
    const struct clopt_variable *pointer = node->variable;
    struct moves moves = {pointer, pointer->is_parameter ? pointer : NULL, depth / 2};
    if (!depth || (pointer->uses & CLOPT_ADDRESS) || pointer->pointee == CLOPT_SPACE_PRIVATE ||
        pointer->pointee == CLOPT_SPACE_GENERIC)
        return NULL;
    return clopt_node_search(clopt_node_function(node), moves_away, &moves) ? NULL : moves.root;
}

static const struct clopt_variable *variable_root(const struct clopt_node *node, unsigned depth)
{
    const struct clopt_variable *variable = node->variable;
    if (variable->is_array || !variable->is_pointer)
        return variable;
    if (!variable->function)
        return NULL;
    if (variable->reassigned)
        return moved_root(node, depth);
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
        if (!clopt_node_is_address(first))
            first = pointer->children[1];
        return clopt_node_is_address(first) ? root_of(first, depth) : NULL;
    default:
        return NULL;
    }
}

/* ---- memory accesses ---- */

static void add_access(struct clopt_accesses *accesses, const struct clopt_access *access)
{
    struct clopt_access *added = clopt_array_add(&accesses->items, &accesses->count, sizeof *added);
    *added = *access;
}

/* Takes *p and *(p + i) apart like p[0] and p[i]. */
static struct clopt_access pointed_by(const struct clopt_node *pointer)
{
    struct clopt_access access = clopt_access_of(clopt_node_bare(pointer));
    const struct clopt_node *at = access.node;
    if (at->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(at, "+") &&
        at->children[0]->kind == CLOPT_NODE_VARIABLE && at->children[0]->is_pointer) {
        access.base = at->children[0]->variable;
        access.indices[0] = at->children[1];
    }
    access.anywhere = access.index_count++ > 0;
    return access;
}

static void note(struct clopt_accesses *accesses, const struct clopt_node *node, unsigned use)
{
    struct clopt_access access =
        node->kind == CLOPT_NODE_UNARY ? pointed_by(node->children[0]) : clopt_access_of(node);
    const struct clopt_node *pointer = node;
    access.node = node;
    access.space = node->kind == CLOPT_NODE_VARIABLE ? node->variable->space : node->space;
    /* Rows of pointers lead elsewhere. */
    access.anywhere |=
        !access.base || !access.index_count || (access.base->is_pointer && access.index_count > 1);
    if (node->kind == CLOPT_NODE_SUBSCRIPT)
        pointer = base_of(node);
    else if (node->kind != CLOPT_NODE_VARIABLE)
        pointer = node->children[0];
    access.root = root_of(pointer, 8);
    access.reads = use & CLOPT_READ;
    access.writes = use & CLOPT_WRITE;
    add_access(accesses, &access);
}

/* Adds that a call accesses all that a pointer leads to. */
static void note_argument(struct clopt_accesses *accesses, const struct clopt_node *argument,
                          unsigned use)
{
    struct clopt_access access = {.node = argument, .anywhere = true};
    access.root = root_of(argument, 8);
    access.space = CLOPT_SPACE_GENERIC;
    if (access.root)
        access.space = access.root->is_pointer && !access.root->is_array ? access.root->pointee
                                                                         : access.root->space;
    access.reads = use & CLOPT_READ;
    /* Functions of the user's may change private memory without more ado. */
    access.writes = (use & CLOPT_WRITE) || access.space == CLOPT_SPACE_PRIVATE ||
                    access.space == CLOPT_SPACE_GENERIC;
    add_access(accesses, &access);
}

/* Whether a call reads an image that no call writes. */
static bool reads_image(const struct clopt_node *call)
{
    const struct clopt_node *image = call->child_count ? clopt_node_bare(call->children[0]) : NULL;
    return clopt_name_starts(call->name, "read_image") && image->kind == CLOPT_NODE_VARIABLE &&
           !strstr(image->variable->type, "read_write");
}

static void walk_call(struct clopt_accesses *accesses, const struct clopt_node *node)
{
    bool writes = node->callee ? (node->callee->effects & CLOPT_EFFECT_MEMORY_WRITE) != 0
                               : !clopt_name_starts(node->name, "vload");
    bool pointers = false;
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *argument = node->children[i];
        clopt_accesses_add(accesses, argument);
        if (!clopt_node_is_address(argument))
            continue;
        pointers = true;
        note_argument(accesses, argument, writes ? CLOPT_READ | CLOPT_WRITE : CLOPT_READ);
    }
    /* Images, and fences, which order everything. */
    bool silent = node->callee ? writes && !pointers
                               : strstr(node->name, "_image") || strstr(node->name, "fence");
    const struct clopt_access anything = {.node = node,
                                          .space = CLOPT_SPACE_GENERIC,
                                          .anywhere = true,
                                          .reads = true,
                                          .writes = true};
    if (silent && !reads_image(node))
        add_access(accesses, &anything);
}

/* Walks what is accessed as `access` says, then what leads there. */
static void walk_target(struct clopt_accesses *accesses, const struct clopt_node *target,
                        unsigned access)
{
    const struct clopt_node *whole = clopt_node_whole(target);
    if (access && clopt_node_is_memory(whole, NULL))
        note(accesses, whole, access);
    for (size_t i = 0; i < whole->child_count; i++)
        clopt_accesses_add(accesses, whole->children[i]);
}

void clopt_accesses_add(struct clopt_accesses *accesses, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_SIZEOF)
        return;
    if (node->kind == CLOPT_NODE_ASSIGN) {
        walk_target(accesses, node->children[0],
                    clopt_node_is_operator(node, "=") ? CLOPT_WRITE : CLOPT_READ | CLOPT_WRITE);
        clopt_accesses_add(accesses, node->children[1]);
    } else if (clopt_node_is_step(node)) {
        walk_target(accesses, node->children[0], CLOPT_READ | CLOPT_WRITE);
    } else if (node->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(node, "&")) {
        /* What uses the address accesses what it leads to. */
        walk_target(accesses, node->children[0], 0);
    } else if (node->kind == CLOPT_NODE_CALL) {
        walk_call(accesses, node);
    } else {
        if (clopt_node_is_memory(node, NULL))
            note(accesses, node, CLOPT_READ);
        for (size_t i = 0; i < node->child_count; i++)
            clopt_accesses_add(accesses, node->children[i]);
    }
}

void clopt_accesses_fini(struct clopt_accesses *accesses)
{
    free(accesses->items);
    *accesses = (struct clopt_accesses){0};
}

/* ---- dependences ---- */

static bool is_restrict(const struct clopt_variable *variable)
{
    return strstr(variable->type, "restrict") != NULL;
}

bool clopt_accesses_alias(const struct clopt_access *a, const struct clopt_access *b)
{
    if (a->space != b->space || a->space == CLOPT_SPACE_GENERIC)
        return a->space == CLOPT_SPACE_GENERIC || b->space == CLOPT_SPACE_GENERIC;
    if (!a->root || !b->root || a->root == b->root)
        return true;
    if (a->space != CLOPT_SPACE_GLOBAL)
        return false; /* arrays, and parameters of local memory, are apart */
    return !is_restrict(a->root) && !is_restrict(b->root);
}

/* Whether difference + the sum of factors times distances can be 0. */
static bool can_vanish(int64_t difference, const int64_t *factors,
                       const struct clopt_distance *distances, unsigned depth, bool wraps)
{
    int64_t least = difference;
    int64_t most = difference;
    int64_t divisor = 0;
    for (unsigned i = 0; i < depth; i++) {
        bool falls = factors[i] < 0;
        least += factors[i] * (falls ? distances[i].most : distances[i].least);
        most += factors[i] * (falls ? distances[i].least : distances[i].most);
        divisor = clopt_greatest_divisor(divisor, factors[i]);
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

/* What two indices are made of, seen from a nest of loops. */
struct indices {
    const struct clopt_nest *nest;
    struct clopt_symbols symbols;
    struct clopt_affine factors[CLOPT_MOST_NEST]; /* of the counters */
    int64_t difference;                           /* of what is left */
    bool wraps;
};

/* Splits two forms into the factors of the counters, which must be the same, and the rest. */
static bool split(struct indices *indices, struct clopt_affine x, struct clopt_affine y)
{
    const struct clopt_nest *nest = indices->nest;
    const struct clopt_node *outer = nest->loops[0];
    for (unsigned i = 0; i < nest->depth; i++) {
        const struct clopt_variable *counter = nest->trips[i]->counter;
        struct clopt_affine *factor = &indices->factors[i];
        struct clopt_affine other;
        if (!clopt_affine_take_variable(&indices->symbols, &x, counter, factor) ||
            !clopt_affine_take_variable(&indices->symbols, &y, counter, &other) ||
            !clopt_affine_equals(&other, factor) ||
            !clopt_affine_is_invariant(&indices->symbols, outer, factor))
            return false;
    }
    bool invariant =
        clopt_affine_is_invariant(&indices->symbols, outer, &x) && clopt_affine_add(&y, &x, -1);
    indices->wraps = y.wraps;
    return invariant && clopt_affine_is_constant(&y, &indices->difference);
}

/* Whether one iteration of a loop moves an index further than all of the others and the difference
 * do: a row of n columns, of which j < n is one. */
static bool outdoes(struct indices *indices, unsigned row, const struct clopt_distance *distances)
{
    const struct clopt_nest *nest = indices->nest;
    struct clopt_affine way = indices->factors[row];
    int64_t others = llabs(indices->difference);
    for (unsigned i = 0; i < nest->depth; i++) {
        const struct clopt_trip *trip = nest->trips[i];
        struct clopt_affine counter;
        int64_t factor = 0;
        if (i == row || (!distances[i].least && !distances[i].most) || !indices->factors[i].count)
            continue;
        if (!clopt_affine_is_constant(&indices->factors[i], &factor) || factor < 0 ||
            trip->step < 0 || !trip->first_known ||
            !clopt_affine_read(&indices->symbols, NULL, nest->loops[i]->step->children[0],
                               &counter) ||
            !clopt_affine_add(&way, &counter, -factor))
            return false;
        others -= factor * trip->first_value;
    }
    return clopt_affine_exceeds(&indices->symbols, nest->loops[nest->depth - 1]->body, &way,
                                others);
}

/* Whether two forms may be the same. */
static bool forms_meet(struct indices *indices, const struct clopt_affine *x,
                       const struct clopt_affine *y, const struct clopt_distance *distances)
{
    const struct clopt_nest *nest = indices->nest;
    int64_t factors[CLOPT_MOST_NEST] = {0};
    bool known = true;
    if (!split(indices, *x, *y))
        return true;
    for (unsigned i = 0; i < nest->depth; i++) {
        known &= clopt_affine_is_constant(&indices->factors[i], &factors[i]);
        factors[i] *= nest->trips[i]->step;
        if (known && llabs(factors[i]) > MOST_FACTOR)
            return true;
    }
    if (known)
        return can_vanish(indices->difference, factors, distances, nest->depth, indices->wraps);
    /* Factors that are not known, such as the n of n * i + j. */
    for (unsigned i = 0; i < nest->depth && !indices->wraps; i++)
        if ((distances[i].least > 0 || distances[i].most < 0) && outdoes(indices, i, distances))
            return false;
    return true;
}

/* Takes the row out of an index row * width + column, where that is one of the `width` columns. */
static bool take_row(struct clopt_symbols *symbols, const struct clopt_node *where, unsigned width,
                     struct clopt_affine *column, struct clopt_affine *row)
{
    struct clopt_affine left = clopt_affine_symbol(width);
    return clopt_affine_take(column, width, row) && row->count &&
           clopt_affine_exceeds(symbols, where, column, -1) &&
           clopt_affine_add(&left, column, -1) && clopt_affine_exceeds(symbols, where, &left, 0);
}

/* Whether an index may be the same for both. Rows and columns are the same only where their sums
 * are, which tells n * i + j and n * j + i apart. */
static bool index_meets(const struct clopt_nest *nest, const struct clopt_access *a,
                        const struct clopt_access *b, unsigned number,
                        const struct clopt_distance *distances)
{
    struct indices indices = {.nest = nest};
    struct clopt_symbols *symbols = &indices.symbols;
    const struct clopt_node *outer = nest->loops[0];
    struct clopt_affine x = {.count = 0}, y = {.count = 0};
    if ((a->indices[number] && !clopt_affine_read(symbols, outer, a->indices[number], &x)) ||
        (b->indices[number] && !clopt_affine_read(symbols, outer, b->indices[number], &y)))
        return true;
    bool meet = forms_meet(&indices, &x, &y, distances);
    for (unsigned s = 1, count = symbols->count; meet && s <= count && !x.wraps && !y.wraps; s++) {
        struct clopt_affine left = x, right = y, row, other;
        const struct clopt_affine width = clopt_affine_symbol(s);
        meet = !clopt_affine_is_invariant(symbols, outer, &width) ||
               !take_row(symbols, a->node, s, &left, &row) ||
               !take_row(symbols, b->node, s, &right, &other) ||
               !clopt_affine_add(&left, &row, 1) || !clopt_affine_add(&right, &other, 1) ||
               forms_meet(&indices, &left, &right, distances);
    }
    return meet;
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

/* Whether a pointer is the same in every iteration. */
static bool is_fixed(const struct clopt_node *loop, const struct clopt_variable *base)
{
    return base->is_array || !base->is_pointer || !(clopt_node_uses(loop, base) & CLOPT_WRITE);
}

bool clopt_accesses_depend(const struct clopt_nest *nest, const struct clopt_access *a,
                           const struct clopt_access *b, const struct clopt_distance *distances)
{
    struct clopt_distance limited[CLOPT_MOST_NEST];
    if ((!a->writes && !b->writes) || !clopt_accesses_alias(a, b) ||
        clopt_node_declares(nest->loops[nest->depth - 1]->body, a->root))
        return false;
    for (unsigned i = 0; i < nest->depth; i++) {
        limited[i] = limit(nest->trips[i], distances[i]);
        if (limited[i].least > limited[i].most)
            return false;
    }
    if (a->anywhere || b->anywhere || !a->base || a->base != b->base ||
        a->index_count != b->index_count || !is_fixed(nest->loops[0], a->base))
        return true;
    for (unsigned i = 0; i < a->index_count; i++)
        if (!index_meets(nest, a, b, i, limited))
            return false;
    return true;
}
