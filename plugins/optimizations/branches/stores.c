/* SPDX-License-Identifier: BSD-3-Clause */
/* Guards of whole kernels become guards of stores:
 *
 *     if (x < n) { sum = ...; b[x] = sum; }
 *
 * Work-items past the end take the place of the last one, x = min(x, n - 1): they read what that
 * reads, and come to what that comes to, barriers of later steps included. They store nothing, and
 * read nothing that is stored. Where n is 0, there is no last one, and all return. */
#include <clopt/coarsen.h>
#include <clopt/loop.h>

#include "branches.h"

/* Work-items of a dimension are there whose global identity is below a bound, or up to it. */
struct limit {
    const struct clopt_node *bound; /* NULL: all are */
    bool inclusive;
};

struct stores {
    struct clopt_source *source;
    struct limit limits[3];
    struct clopt_accesses accesses;
    struct clopt_nodes guarded;  /* statements that are for those that are there alone, */
    struct clopt_nodes declared; /* and declarators whose values are */
    bool distinct; /* nothing that others read is stored, unless a buffer is two arguments */
};

/* ---- guards ---- */

const struct clopt_node *node_value(const struct clopt_node *node)
{
    const struct clopt_variable *variable =
        node->kind == CLOPT_NODE_VARIABLE && !node->variable->changed ? node->variable : NULL;
    const struct clopt_node *value =
        variable && variable->declarator ? variable->declarator->condition : NULL;
    return value && value->bits == variable->bits && value->is_signed == variable->is_signed ? value
                                                                                             : NULL;
}

bool node_is_fixed(const struct clopt_node *node)
{
    const struct clopt_node *value = node_value(node);
    bool operates = node->kind == CLOPT_NODE_BINARY && !node->op[1] &&
                    (strchr("+-*", *node->op) || (*node->op == '/' && node->children[1]->known &&
                                                  node->children[1]->value > 0));
    if (node->known || !node->bits)
        return node->known;
    if (node->kind == CLOPT_NODE_VARIABLE)
        return value ? node_is_fixed(value)
                     : node->variable->is_parameter && !node->variable->changed;
    for (size_t i = 0; i < node->child_count; i++)
        if (!node_is_fixed(node->children[i]))
            return false;
    return operates || node->kind == CLOPT_NODE_PAREN || node->kind == CLOPT_NODE_CAST;
}

/* Reads a comparison of an identity with a bound that holds (or does not) for work-items that are
 * there; returns the dimension, or 3. */
static unsigned read_limit(const struct clopt_node *node, bool holds, struct limit *limit)
{
    if (!clopt_node_compares(node) || !strchr("<>", *node->op))
        return 3;
    unsigned left = clopt_node_identity(node->children[0], 32);
    unsigned right = clopt_node_identity(node->children[1], 32);
    bool below = ((*node->op == '<') == (left < 3)) == holds;
    *limit = (struct limit){.bound = node->children[left < 3],
                            .inclusive = (node->op[1] == '=') == holds};
    for (const struct clopt_node *value; (value = node_value(limit->bound));)
        limit->bound = value;
    return below && (left < 3) != (right < 3) && node_is_fixed(limit->bound)
               ? left < 3 ? left : right
               : 3;
}

static bool note_limit(void *user, const struct clopt_node *node, bool holds)
{
    struct stores *stores = user;
    struct limit limit;
    unsigned dimension = read_limit(node, holds, &limit);
    if (dimension < 3 && !stores->limits[dimension].bound)
        stores->limits[dimension] = limit;
    return true;
}

static bool is_part_other(void *user, const struct clopt_node *node, bool holds)
{
    (void)user;
    return read_limit(node, holds, &(struct limit){.bound = NULL}) == 3;
}

/* Whether a condition limits an identity. */
static bool is_guard(const struct clopt_node *condition)
{
    return !clopt_condition_parts(condition, true, is_part_other, NULL);
}

static bool is_same(const struct limit *a, const struct limit *b)
{
    return a->bound && a->inclusive == b->inclusive && clopt_nodes_equal(a->bound, b->bound);
}

/* Whether what a comparison asks for is what a limit says. */
static bool is_of_limit(void *user, const struct clopt_node *node, bool holds)
{
    const struct stores *stores = user;
    struct limit limit;
    unsigned dimension = read_limit(node, holds, &limit);
    const struct limit *own = dimension < 3 ? &stores->limits[dimension] : NULL;
    return own && is_same(own, &limit);
}

/* Finds the limits that early returns of the kernel's body leave work-items within, before anything
 * is stored. */
static void find_limits(struct stores *stores, struct clopt_nodes *returns)
{
    const struct clopt_node *body = stores->source->kernel->body;
    for (size_t i = 0; i < body->child_count; i++) {
        struct clopt_node *statement = body->children[i];
        bool returns_early = clopt_node_is_early_return(statement);
        if (returns_early)
            clopt_condition_parts(statement->condition, false, note_limit, stores);
        if (returns_early)
            clopt_nodes_add(stores->source, returns, statement);
        else if (clopt_node_effects(statement) & CLOPT_EFFECT_MEMORY_WRITE)
            return;
    }
}

/* ---- what is stored ---- */

static struct clopt_node *outer_statement(const struct clopt_node *node)
{
    while (!clopt_node_is_statement(node))
        node = node->parent;
    return (struct clopt_node *)node;
}

/* Whether a statement assigns, or stores by vstore, and does nothing else: it can be left out. */
static bool can_omit(const struct clopt_node *statement)
{
    bool stores = statement->kind == CLOPT_NODE_CALL && !statement->callee &&
                  strncmp(statement->name, "vstore", strlen("vstore")) == 0;
    unsigned effects = 0;
    for (size_t i = 0; i < statement->child_count; i++)
        effects |= clopt_node_effects(statement->children[i]);
    return (stores || clopt_node_written(statement)) &&
           !(effects & ~(unsigned)CLOPT_EFFECT_MEMORY_READ);
}

static bool is_private(const struct clopt_access *access)
{
    return access->space == CLOPT_SPACE_PRIVATE;
}

static bool is_guarded(const struct stores *stores, const struct clopt_node *node)
{
    for (size_t i = 0; i < stores->guarded.count; i++)
        if (clopt_node_contains(stores->guarded.items[i], node))
            return true;
    return false;
}

/* Whether what an access reads is stored by the kernel; notes that another argument is. */
static bool reads_stored(struct stores *stores, const struct clopt_access *read)
{
    for (size_t i = 0; i < stores->accesses.count; i++) {
        const struct clopt_access *write = &stores->accesses.items[i];
        if (!write->writes || is_private(write) || !clopt_accesses_alias(read, write))
            continue;
        bool other = read->root && write->root && read->root != write->root &&
                     read->root->is_parameter && write->root->is_parameter;
        if (!other)
            return true;
        stores->distinct = true;
    }
    return false;
}

/* Whether a node makes an integer, or a decision, of a floating-point number. */
static bool is_decided(const struct clopt_node *node, const void *user)
{
    (void)user;
    bool whole = node->callee || clopt_scalar_is_integer(node->kind == CLOPT_NODE_DECLARATOR
                                                             ? node->variable->scalar
                                                             : node->scalar);
    for (size_t i = 0; i < node->child_count; i++)
        if (clopt_scalar_is_real(node->children[i]->scalar) &&
            (whole || (node->condition == node->children[i] && !clopt_node_is_expression(node) &&
                       node->kind != CLOPT_NODE_DECLARATOR)))
            return true;
    return false;
}

/* Finds what takes the value of something that is stored: a statement or a declarator of a
 * floating-point number on which no decision depends; false where that is not all. */
static bool add_read(struct stores *stores, const struct clopt_node *read)
{
    struct clopt_node *statement = outer_statement(read), *value = (struct clopt_node *)read;
    while (value != statement && value->kind != CLOPT_NODE_DECLARATOR)
        value = value->parent;
    bool declares = value != statement;
    const struct clopt_node *written = declares ? value : clopt_node_written(statement);
    const struct clopt_variable *variable = written ? written->variable : NULL;
    struct clopt_nodes *nodes = declares ? &stores->declared : &stores->guarded;
    if (!variable || variable->is_array || variable->width != 1 ||
        !clopt_scalar_is_real(variable->scalar) ||
        (declares ? clopt_node_effects(value->condition) != CLOPT_EFFECT_MEMORY_READ
                  : !can_omit(statement)) ||
        clopt_node_search(stores->source->kernel->body, is_decided, NULL))
        return false;
    if (!clopt_returns_has(nodes, value))
        clopt_nodes_add(stores->source, nodes, value);
    return true;
}

/* Finds all that work-items past the end have to leave out. */
static enum clopt_status find_guarded(struct stores *stores, struct clopt_error *error)
{
    struct clopt_source *source = stores->source;
    bool reads = false;
    clopt_accesses_add(&stores->accesses, source->kernel->body);
    for (size_t i = 0; i < stores->accesses.count; i++) {
        const struct clopt_access *access = &stores->accesses.items[i];
        if (!access->writes || is_private(access))
            continue;
        if (access->space == CLOPT_SPACE_LOCAL || !can_omit(outer_statement(access->node)))
            return clopt_source_refuse(source, access->node, error,
                                       "guards=stores: this does more than to store a result");
        if (!is_guarded(stores, access->node))
            clopt_nodes_add(source, &stores->guarded, outer_statement(access->node));
    }
    for (size_t i = 0; i < stores->accesses.count; i++) {
        const struct clopt_access *access = &stores->accesses.items[i];
        if (!access->reads || is_private(access) || is_guarded(stores, access->node))
            continue;
        if (!reads_stored(stores, access))
            reads = true;
        else if (!add_read(stores, access->node))
            return clopt_source_refuse(source, access->node, error,
                                       "guards=stores: this reads what the kernel stores");
    }
    return reads ? CLOPT_OK
                 : clopt_source_refuse(source, source->kernel->body, error,
                                       "guards=stores: nothing is read but where it is stored");
}

/* ---- what else tells work-items apart ---- */

/* Whether a node asks for an identity other than the global one of the kernel's own work-items. */
static bool is_other_identity(const struct clopt_node *node, const void *kernel)
{
    return node->kind == CLOPT_NODE_CALL && !node->callee && strstr(node->name, "_id") &&
           (!kernel || clopt_node_dimension(node, "get_global_id") == 3);
}

static enum clopt_status check(const struct stores *stores, struct clopt_error *error)
{
    const struct clopt_source *source = stores->source;
    const struct clopt_function *kernel = source->kernel;
    const struct clopt_node *node = clopt_node_find_effect(
        kernel->body, CLOPT_EFFECT_ORDERED | CLOPT_EFFECT_COLLECTIVE | CLOPT_EFFECT_GOTO);
    if (node)
        return clopt_source_refuse(source, node, error,
                                   "guards=stores: this does more than to store a result");
    for (size_t i = 0; i < source->function_count && !node; i++)
        node = clopt_node_search(source->functions[i]->body, is_other_identity,
                                 source->functions[i] == kernel ? kernel : NULL);
    return node ? clopt_source_refuse(source, node, error,
                                      "guards=stores: %s, which is not the guards' identity",
                                      node->name)
                : CLOPT_OK;
}

/* ---- edits ---- */

static struct clopt_node *expand(void *user, const struct clopt_node *node)
{
    const struct clopt_cloning cloning = {user, user, expand, NULL, true};
    const struct clopt_node *value = node_value(node);
    return value && !node->known ? clopt_build(user, node, "($n)", clopt_clone(&cloning, value))
                                 : NULL;
}

/* Returns a bound, made of arguments alone. */
static struct clopt_node *build_bound(const struct stores *stores, const struct limit *limit)
{
    const struct clopt_cloning cloning = {stores->source, stores->source, expand, NULL, true};
    return clopt_clone(&cloning, limit->bound);
}

/* The type in which an identity is compared with a bound. */
static const char *type_of(const struct limit *limit)
{
    static const char *const types[2][2] = {{"uint", "int"}, {"ulong", "long"}};
    const struct clopt_node *bound = limit->bound;
    return types[bound->bits == 64][bound->bits < 32 || bound->is_signed];
}

static struct clopt_node *build_item(const struct stores *stores, unsigned dimension)
{
    return clopt_build(stores->source, NULL, "($t)get_global_id($u)",
                       type_of(&stores->limits[dimension]), dimension);
}

/* Returns the last identity of a dimension that is there. */
static struct clopt_node *build_last(const struct stores *stores, unsigned dimension)
{
    const struct limit *limit = &stores->limits[dimension];
    struct clopt_source *source = stores->source;
    struct clopt_node *last =
        limit->bound->known
            ? clopt_build(source, NULL, "$l", limit->bound->value - !limit->inclusive)
            : clopt_build(source, NULL, limit->inclusive ? "$n" : "$n - 1",
                          build_bound(stores, limit));
    return limit->bound->bits < 64 ? last
                                   : clopt_build(source, NULL, "($t)($n)", type_of(limit), last);
}

/* Returns the condition that a work-item is there; `none`: that no one is. It has no branches: PoCL
 * 3.1 stores too little where `a && b` comes after a return and a loop with barriers. */
static struct clopt_node *build_guard(const struct stores *stores, bool none)
{
    struct clopt_source *source = stores->source;
    struct clopt_node *guard = NULL;
    for (unsigned d = 3; d-- > 0;) {
        const struct limit *limit = &stores->limits[d];
        const char *equal = limit->inclusive ? "=" : "";
        if (!limit->bound || (none && (limit->bound->known && limit->bound->value > 0)) ||
            (none && d < 2 && is_same(&limit[1], limit)))
            continue;
        struct clopt_node *part =
            none ? clopt_build(source, NULL, limit->inclusive ? "$n < 0" : "$n < 1",
                               build_bound(stores, limit))
                 : clopt_build(source, NULL, "($n <$s $n)", build_item(stores, d), equal,
                               build_bound(stores, limit));
        guard =
            guard ? clopt_build(source, NULL, none ? "$n || $n" : "$n & $n", guard, part) : part;
    }
    return guard;
}

/* Limits identities, wherever the kernel asks for them. */
static void limit_identities(struct stores *stores)
{
    struct clopt_source *source = stores->source;
    struct clopt_node *body = source->kernel->body;
    struct clopt_nodes calls = {0};
    for (struct clopt_node *node = body; node; node = clopt_node_next(node, body)) {
        unsigned dimension = clopt_node_dimension(node, "get_global_id");
        if (dimension < 3 && stores->limits[dimension].bound)
            clopt_nodes_add(source, &calls, node);
    }
    for (size_t i = 0; i < calls.count; i++) {
        struct clopt_node *call = calls.items[i];
        const struct clopt_node *parent = call->parent;
        unsigned d = clopt_node_dimension(call, "get_global_id");
        bool declares = parent->kind == CLOPT_NODE_DECLARATOR && parent->variable->bits == 32;
        bool casts = parent->kind == CLOPT_NODE_CAST && parent->bits == 32;
        clopt_replace_by(source, call, declares || casts ? "min($n, $n)" : "(size_t)min($n, $n)",
                         build_item(stores, d), build_last(stores, d));
    }
}

static void edit(struct stores *stores, const struct clopt_nodes *returns)
{
    struct clopt_source *source = stores->source;
    for (size_t i = 0; i < returns->count; i++)
        if (!guards_reduce(source, returns->items[i]->condition, false, is_of_limit, stores))
            clopt_remove(source, returns->items[i]);
    limit_identities(stores);
    for (size_t i = 0; i < stores->declared.count; i++) {
        struct clopt_node *value = stores->declared.items[i]->condition;
        clopt_replace_by(source, value, "$n ? $n : 0", build_guard(stores, false), value);
    }
    for (size_t i = 0; i < stores->guarded.count; i++)
        clopt_replace_by(source, stores->guarded.items[i], "if ($n) $n", build_guard(stores, false),
                         stores->guarded.items[i]);
    struct clopt_node *none = build_guard(stores, true);
    if (none)
        clopt_prepend(source, source->kernel->body,
                      clopt_build(source, NULL, "if ($n) return;", none));
}

/* Whether a node stores to global memory in a loop. */
static bool is_repeated(const struct clopt_node *node, const void *user)
{
    const struct clopt_node *written = clopt_node_written(node);
    bool repeated = false;
    (void)user;
    for (const struct clopt_node *outer = node; written && outer; outer = outer->parent)
        repeated |= clopt_node_is_loop(outer);
    return repeated && clopt_node_whole(written)->space == CLOPT_SPACE_GLOBAL;
}

/* Lets loops that accumulate in memory do so in private variables, which no guard is around. */
static enum clopt_status keep_sums(const struct clopt_transform *transform,
                                   struct clopt_source **source, struct clopt_error *error)
{
    const struct clopt_function *kernel = (*source)->kernel;
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        const struct clopt_variable *parameter = kernel->parameters[i];
        if (parameter->pointee == CLOPT_SPACE_GLOBAL && !strstr(parameter->type, "restrict"))
            clopt_parameter_qualify(*source, parameter, "restrict");
    }
    CLOPT_TRY(clopt_source_reread(transform, source, error));
    clopt_scalars_replace(*source, NULL);
    return clopt_source_reread(transform, source, error);
}

static enum clopt_status rewrite(struct stores *stores, struct clopt_error *error)
{
    struct clopt_nodes returns = {0};
    find_limits(stores, &returns);
    if (!stores->limits[0].bound && !stores->limits[1].bound && !stores->limits[2].bound)
        return clopt_source_refuse(stores->source, stores->source->kernel->body, error,
                                   "guards=stores: no guard of the whole kernel compares a global "
                                   "identity with arguments, as in if (get_global_id(0) < n)");
    CLOPT_TRY(check(stores, error));
    CLOPT_TRY(find_guarded(stores, error));
    edit(stores, &returns);
    return CLOPT_OK;
}

enum clopt_status stores_apply(struct clopt_transform *transform, struct clopt_error *error)
{
    CLOPT_HELD(clopt_source) source = NULL;
    struct clopt_ndrange_change change = {0};
    CLOPT_TRY(clopt_transform_parse(transform, &source, error));
    CLOPT_TRY(clopt_guards_open(transform, &source, is_guard, error));
    bool sums = clopt_node_search(source->kernel->body, is_repeated, NULL);
    if (sums)
        CLOPT_TRY(keep_sums(transform, &source, error));
    struct stores stores = {.source = source, .distinct = sums};
    enum clopt_status status = rewrite(&stores, error);
    clopt_accesses_fini(&stores.accesses);
    CLOPT_TRY(status);
    CLOPT_TRY(clopt_transform_set_tree(transform, source, error));
    change.distinct_buffers = stores.distinct;
    return clopt_transform_change_ndrange(transform, &change, error);
}
