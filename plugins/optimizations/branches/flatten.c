/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses divergent branches that may become selects: both sides are then done by every work-item.
 */
#include <limits.h>

#include <clopt/divergence.h>

#include "branches.h"
#include "flatten.h"

#define MOST_QUOTE 60

struct check {
    const struct clopt_source *source;
    unsigned cost;     /* operations that both sides may take together */
    struct mask *mask; /* NULL: of any branch */
    const struct clopt_node *branch;
    struct stores stores;
    struct clopt_error error; /* why the branch is refused */
    bool changes;             /* there is something to select */
};

/* Says why not; false. */
#define refuse(check, where, ...)                                                                  \
    (clopt_source_refuse((check)->source, where, &(check)->error, __VA_ARGS__) == CLOPT_OK)

bool is_private_element(const struct clopt_node *lvalue)
{
    const struct clopt_variable *base = clopt_access_of(lvalue).base;
    return lvalue->kind == CLOPT_NODE_SUBSCRIPT && base && base->is_array &&
           lvalue->space == CLOPT_SPACE_PRIVATE;
}

/* Whether a node is a store to shared memory. */
static bool is_store(const struct clopt_node *node)
{
    return clopt_node_find_effect(node, CLOPT_EFFECT_MEMORY_WRITE) == node;
}

/* ---- stores that both sides do ---- */

/* Adds the stores to shared memory among the statements of a side; false where there are too many,
 * or where memory is read once something has been stored. */
static bool stores_add(const struct clopt_node *statement, const struct clopt_node **list,
                       size_t *count)
{
    if (statement->kind == CLOPT_NODE_COMPOUND) {
        for (size_t i = 0; i < statement->child_count; i++)
            if (!stores_add(statement->children[i], list, count))
                return false;
        return true;
    }
    if (*count && (clopt_node_effects(statement) & CLOPT_EFFECT_MEMORY_READ)) {
        /* A store looks like a read of its lvalue. */
        bool plain = statement->kind == CLOPT_NODE_ASSIGN &&
                     clopt_node_is_operator(statement, "=") &&
                     !(clopt_node_effects(statement->children[1]) & CLOPT_EFFECT_MEMORY_READ);
        if (!plain)
            return false;
    }
    if (statement->kind != CLOPT_NODE_ASSIGN || !is_store(statement) ||
        !clopt_node_is_memory(clopt_node_written(statement), NULL))
        return true;
    if (*count == MOST_STORES)
        return false;
    list[(*count)++] = statement;
    return true;
}

static bool is_pair(const struct clopt_node *branch, const struct clopt_node *a,
                    const struct clopt_node *b)
{
    const struct clopt_node *lvalue = clopt_node_written(a);
    const struct clopt_access access = clopt_access_of(lvalue);
    char type[MOST_TYPE];
    if (!clopt_nodes_equal(lvalue, clopt_node_written(b)) || clopt_node_changes(branch, lvalue))
        return false;
    for (size_t i = 0; i < lvalue->child_count; i++)
        if (clopt_node_effects(lvalue->children[i]))
            return false;
    return element_type(&access, type, sizeof type);
}

void stores_find(const struct clopt_node *branch, struct stores *stores)
{
    size_t others = 0;
    stores->count = 0;
    bool paired = branch->otherwise && stores_add(branch->body, stores->sides[0], &stores->count) &&
                  stores_add(branch->otherwise, stores->sides[1], &others) &&
                  others == stores->count;
    for (size_t i = 0; paired && i < others; i++)
        paired = is_pair(branch, stores->sides[0][i], stores->sides[1][i]);
    if (!paired)
        stores->count = 0;
}

int stores_number(const struct stores *stores, const struct clopt_node *node)
{
    for (int i = 0; i < 2 * (int)stores->count; i++)
        if (stores->sides[i % 2][i / 2] == node)
            return i;
    return -1;
}

/* ---- expressions ---- */

static bool check_value(struct check *check, const struct clopt_node *node);

static bool check_children(struct check *check, const struct clopt_node *node)
{
    for (size_t i = 0; i < node->child_count; i++)
        if (!check_value(check, node->children[i]))
            return false;
    return true;
}

/* A private variable that is written: a copy of it will be. */
static bool check_written(struct check *check, const struct clopt_node *where,
                          const struct clopt_variable *variable)
{
    bool leads = variable->is_pointer && clopt_space_may_be_private(variable->pointee);
    if (variable->is_volatile || variable->is_record || leads || strchr(variable->type, '('))
        return refuse(check, where, "%s has a type that cannot be selected", variable->name);
    check->changes = true;
    return true;
}

/* The subscripts of a[i][j]. */
static bool check_subscripts(struct check *check, const struct clopt_node *access)
{
    struct clopt_access elements = clopt_access_of(access);
    if (!elements.base)
        return check_children(check, access);
    for (size_t i = 0; i < elements.index_count; i++)
        if (!check_value(check, elements.indices[i]))
            return false;
    return true;
}

static bool check_element(struct check *check, const struct clopt_node *node,
                          const struct clopt_node *lvalue)
{
    struct clopt_access elements = clopt_access_of(lvalue);
    char type[MOST_TYPE];
    if (!element_type(&elements, type, sizeof type) || !clopt_node_is_statement(node) ||
        !clopt_variable_extent(elements.base, elements.index_count - 1))
        return refuse(check, node, "an element of %s cannot be selected", elements.base->name);
    check->changes = true;
    return check_subscripts(check, lvalue);
}

static bool check_write(struct check *check, const struct clopt_node *node)
{
    const struct clopt_node *lvalue = clopt_node_whole(clopt_node_written(node));
    if (is_store(node) && stores_number(&check->stores, node) < 0)
        return refuse(check, node, "a store that not both sides do alike");
    if (node->kind == CLOPT_NODE_ASSIGN && !check_value(check, node->children[1]))
        return false;
    if (lvalue->kind == CLOPT_NODE_VARIABLE && lvalue->variable->space == CLOPT_SPACE_PRIVATE)
        return check_written(check, node, lvalue->variable);
    if (is_private_element(lvalue))
        return check_element(check, node, lvalue);
    if (!is_store(node) || lvalue->space == CLOPT_SPACE_GENERIC)
        return refuse(check, node, "a write through a pointer");
    check->changes = true;
    return true;
}

static bool check_read(struct check *check, const struct clopt_node *node)
{
    if (node->kind != CLOPT_NODE_VARIABLE && clopt_space_may_be_private(node->space) &&
        !is_private_element(node))
        return refuse(check, node, "a read through a pointer to private memory");
    enum read_kind kind = read_find(check->branch, node).kind;
    bool safe = check->mask ? kind == READ_AS_IT_IS || mask_is_read(check->mask, node)
                            : kind != READ_UNSAFE;
    if (!safe) {
        int length =
            node->end - node->begin > MOST_QUOTE ? MOST_QUOTE : (int)(node->end - node->begin);
        return refuse(check, node, "%.*s%s may be out of range where the branch is not taken",
                      length, check->source->text + node->begin, length == MOST_QUOTE ? "..." : "");
    }
    return check_subscripts(check, node);
}

/* ---- calls ---- */

static bool check_function(struct check *check, const struct clopt_node *call,
                           const struct clopt_function *function);

/* What a function does to private memory must be safe whatever it is called with. */
static bool check_body(struct check *check, const struct clopt_node *call,
                       const struct clopt_node *node)
{
    if (clopt_node_is_loop(node) || node->kind == CLOPT_NODE_SWITCH)
        return refuse(check, call, "%s has a loop or a switch", call->name);
    if (node->kind == CLOPT_NODE_SUBSCRIPT)
        return refuse(check, call, "%s has an array", call->name);
    if (node->kind == CLOPT_NODE_CALL && node->callee && !check_function(check, call, node->callee))
        return false;
    for (size_t i = 0; i < node->child_count; i++)
        if (!check_body(check, call, node->children[i]))
            return false;
    return true;
}

static bool check_function(struct check *check, const struct clopt_node *call,
                           const struct clopt_function *function)
{
    unsigned most = check->cost;
    if (clopt_node_find_trap(function->body))
        return refuse(check, call, "%s may divide by 0", call->name);
    if (operations(function->body, most) > most)
        return refuse(check, call, "%s takes more operations than cost = %u", call->name, most);
    return check_body(check, call, function->body);
}

static bool check_argument(struct check *check, const struct clopt_node *argument)
{
    const struct clopt_node *value = clopt_node_bare(argument);
    if (!argument->is_pointer && !argument->is_array)
        return check_value(check, argument);
    const struct clopt_node *variable =
        value->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(value, "&")
            ? clopt_node_bare(value->children[0])
            : value;
    if (variable == value || variable->kind != CLOPT_NODE_VARIABLE || variable->is_array ||
        variable->variable->space != CLOPT_SPACE_PRIVATE)
        return refuse(check, argument, "a call that gets a pointer");
    return check_written(check, argument, variable->variable);
}

static bool check_call(struct check *check, const struct clopt_node *call)
{
    const unsigned forbidden = CLOPT_EFFECT_MEMORY_READ | CLOPT_EFFECT_MEMORY_WRITE |
                               CLOPT_EFFECT_ORDERED | CLOPT_EFFECT_COLLECTIVE;
    if (clopt_node_find_effect(call, forbidden) == call)
        return refuse(check, call, "%s has side effects or accesses memory", call->name);
    if (call->is_pointer)
        return refuse(check, call, "%s returns a pointer", call->name);
    if (call->callee && !check_function(check, call, call->callee))
        return false;
    for (size_t i = 0; i < call->child_count; i++)
        if (!check_argument(check, call->children[i]))
            return false;
    return true;
}

static bool check_value(struct check *check, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_SIZEOF)
        return true;
    if (node->is_volatile)
        return refuse(check, node, "volatile access");
    if (clopt_node_written(node))
        return check_write(check, node);
    if (node->kind == CLOPT_NODE_CALL)
        return check_call(check, node);
    if (node->kind == CLOPT_NODE_DECLARATOR) {
        const struct clopt_variable *variable = node->variable;
        if (variable->space != CLOPT_SPACE_PRIVATE || variable->is_volatile ||
            (variable->is_pointer && clopt_space_may_be_private(variable->pointee)))
            return refuse(check, node, "%s is declared in a branch", variable->name);
        return !node->condition || check_value(check, node->condition);
    }
    if (node->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(node, "&"))
        return refuse(check, node, "an address");
    if (clopt_node_is_memory(node, NULL))
        return check_read(check, node);
    return check_children(check, node);
}

/* ---- statements ---- */

static const char *describe(const struct clopt_node *node)
{
    switch (node->kind) {
    case CLOPT_NODE_FOR:
    case CLOPT_NODE_WHILE:
    case CLOPT_NODE_DO:
        return "a loop";
    case CLOPT_NODE_SWITCH:
        return "a switch";
    case CLOPT_NODE_BREAK:
        return "a break";
    case CLOPT_NODE_CONTINUE:
        return "a continue";
    case CLOPT_NODE_RETURN:
        return "a return";
    default:
        return "a label, a jump or an attribute";
    }
}

static bool check_statement(struct check *check, const struct clopt_node *node);

static bool check_statement(struct check *check, const struct clopt_node *node)
{
    if (check->mask && node->kind == CLOPT_NODE_FOR) {
        if (!mask_is_common(check->mask, node))
            return refuse(check, node, "not all work-items do the iterations of this loop alike");
        return check_statement(check, node->init) && check_value(check, node->condition) &&
               check_value(check, node->step) && check_statement(check, node->body);
    }
    switch (node->kind) {
    case CLOPT_NODE_EMPTY:
        return true;
    case CLOPT_NODE_COMPOUND:
    case CLOPT_NODE_DECLARE:
        for (size_t i = 0; i < node->child_count; i++)
            if (!check_statement(check, node->children[i]))
                return false;
        return true;
    case CLOPT_NODE_IF:
        return check_value(check, node->condition) && check_statement(check, node->body) &&
               (!node->otherwise || check_statement(check, node->otherwise));
    case CLOPT_NODE_DECLARATOR:
        return check_value(check, node);
    default:
        if (!clopt_node_is_expression(node))
            return refuse(check, node, "%s in a branch", describe(node));
        return check_value(check, node);
    }
}

static bool check_side(struct check *check, const struct clopt_node *side)
{
    if (!check_statement(check, side))
        return false;
    const struct clopt_node *division = clopt_node_find_trap(side);
    return !division || refuse(check, division, "the division may be by 0");
}

/* Checks an outermost `if`; false leaves why in `check`. */
static bool check_branch(struct check *check, const struct clopt_node *branch)
{
    check->branch = branch;
    check->changes = false;
    stores_find(branch, &check->stores);
    if (!check_side(check, branch->body) ||
        (branch->otherwise && !check_side(check, branch->otherwise)))
        return false;
    if (!check->changes)
        return refuse(check, branch, "nothing in the branch to select");
    if (check->mask)
        return true;
    unsigned count = operations(branch->body, check->cost);
    if (branch->otherwise && count <= check->cost)
        count += operations(branch->otherwise, check->cost - count);
    return count <= check->cost ||
           refuse(check, branch, "the branch takes more operations than cost = %u", check->cost);
}

bool flatten_can(const struct clopt_source *source, const struct clopt_node *branch,
                 struct mask *mask, struct clopt_error *error)
{
    struct check check = {.source = source, .cost = UINT_MAX, .mask = mask};
    bool can = check_branch(&check, branch);
    *error = check.error;
    return can;
}

/* ---- the choice ---- */

struct search {
    const struct clopt_divergence *divergence;
    struct check check;
    bool *flat;               /* by node */
    bool chosen;              /* some are */
    struct clopt_error first; /* why the first one that is not is refused */
};

/* Chooses the outermost branches that can become selects. */
static void choose(struct search *search, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_IF && clopt_node_diverges(search->divergence, node->condition)) {
        if (check_branch(&search->check, node)) {
            search->chosen = search->flat[node->index] = true;
            return;
        }
        if (!search->first.status)
            search->first = search->check.error;
    }
    for (size_t i = 0; i < node->child_count; i++)
        choose(search, node->children[i]);
}

static enum clopt_status choose_checked(struct search *search, struct clopt_error *error)
{
    const struct clopt_source *source = search->check.source;
    const struct clopt_function *kernel = source->kernel;
    if (clopt_node_effects(kernel->body) & CLOPT_EFFECT_GOTO)
        return clopt_source_refuse(source, clopt_node_find_effect(kernel->body, CLOPT_EFFECT_GOTO),
                                   error, "%s uses goto" CLOPT_GOTO_OF_RETURN, kernel->name);
    choose(search, kernel->body);
    if (search->chosen)
        return CLOPT_OK;
    if (!search->first.status)
        return clopt_fail(error, CLOPT_INFEASIBLE, "%s has no divergent branch", kernel->name);
    *error = search->first;
    return error->status;
}

enum clopt_status flatten_edit(void *cost, struct clopt_source *source, struct clopt_error *error)
{
    const struct clopt_identity identity = {.dimension = CLOPT_ANY_DIMENSION, .local_id = true};
    struct search search = {.divergence = clopt_divergence_create(source, identity),
                            .check = {.source = source, .cost = *(const unsigned *)cost}};
    search.flat = clopt_source_table(source, source->node_count, sizeof *search.flat);
    CLOPT_TRY(choose_checked(&search, error));
    selects_rewrite(source, search.flat, false);
    return CLOPT_OK;
}
