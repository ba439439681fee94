/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and builds calls of atomic functions: those of OpenCL C 1.x, of 2.0 (atomic_fetch_), and
 * functions of users that add floats by compare-and-swap. */
#include "update.h"

static const struct operation operations[] = {
    {"add", "add", "$n += $n;", "+", false},
    {"sub", "add", "$n -= $n;", "+", false},
    {"inc", "add", "$n++;", "+", false},
    {"dec", "add", "$n--;", "+", false},
    {"and", "and", "$n &= $n;", "&", false},
    {"or", "or", "$n |= $n;", "|", false},
    {"xor", "xor", "$n ^= $n;", "^", false},
    {"min", "min", "$n = min($n, $n);", "", false},
    {"max", "max", "$n = max($n, $n);", "", false},
};

static const struct operation float_addition = {"", "+", "$n += $n;", "+", true};

/* ---- names ---- */

#define FETCH    "atomic_fetch_"
#define EXPLICIT "_explicit"

static bool is_fetch(const struct clopt_node *call)
{
    return strncmp(call->name, FETCH, strlen(FETCH)) == 0;
}

/* Where the name of the operation begins: after the prefix. */
static const char *base_of(const struct clopt_node *call)
{
    return is_fetch(call) ? call->name + strlen(FETCH) : strchr(call->name, '_') + 1;
}

static const struct operation *find_operation(const struct clopt_node *call)
{
    const char *base = base_of(call);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        size_t length = strlen(operations[i].name);
        const char *rest = base + length;
        if (strncmp(base, operations[i].name, length) == 0 &&
            (!*rest || (is_fetch(call) && strcmp(rest, EXPLICIT) == 0)))
            return &operations[i];
    }
    return NULL;
}

/* ---- reading ---- */

static const struct clopt_node *around(const struct clopt_node *node)
{
    do
        node = node->parent;
    while (node && node->kind == CLOPT_NODE_PAREN);
    return node;
}

/* Takes apart what is added to a pointer; the index is built where a source is given. */
static const struct clopt_node *add_up(struct clopt_source *source,
                                       const struct clopt_node *pointer, struct update *update)
{
    const struct clopt_node *outer = around(pointer);
    for (; outer && outer->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(outer, "+");
         outer = around(outer)) {
        const struct clopt_node *left = clopt_node_bare(outer->children[0]);
        const struct clopt_node *added = outer->children[left == pointer];
        update->index = update->index && source
                            ? clopt_build(source, outer, "$n + $n", update->index, added)
                            : added;
        pointer = outer;
    }
    return pointer;
}

bool update_find(struct clopt_source *source, const struct clopt_node *name, struct update *update)
{
    const struct clopt_node *address = name, *outer = around(name);
    *update = (struct update){NULL, NULL, NULL};
    if (outer && outer->kind == CLOPT_NODE_SUBSCRIPT &&
        clopt_node_bare(outer->children[0]) == name) {
        update->index = outer->children[1];
        address = around(outer);
        if (!address || address->kind != CLOPT_NODE_UNARY || !clopt_node_is_operator(address, "&"))
            return false;
    } else {
        address = add_up(source, name, update);
    }
    const struct clopt_node *call = around(address);
    if (!call || call->kind != CLOPT_NODE_CALL || !call->child_count ||
        clopt_node_bare(call->children[0]) != address)
        return false;
    if (call->callee) {
        update->call = (struct clopt_node *)call;
        update->operation = &float_addition;
        return swap_adds(call->callee);
    }
    if ((strncmp(call->name, "atomic_", 7) != 0 && strncmp(call->name, "atom_", 5) != 0))
        return false;
    update->call = (struct clopt_node *)call;
    update->operation = find_operation(call);
    return true;
}

/* ---- building ---- */

const char *update_start(const struct operation *operation, enum clopt_scalar scalar)
{
    static const char *const least[] = {"INT_MIN", "0", "LONG_MIN", "0"};
    static const char *const most[] = {"INT_MAX", "UINT_MAX", "LONG_MAX", "ULONG_MAX"};
    size_t number = (size_t)(scalar - CLOPT_SCALAR_INT);
    if (strcmp(operation->joins, "min") == 0)
        return most[number];
    if (strcmp(operation->joins, "max") == 0)
        return least[number];
    return strcmp(operation->joins, "and") == 0 ? most[number] : "0";
}

/* Returns the addition of a float to an element of an array in local memory. */
static struct clopt_node *add_float(struct clopt_source *source, const struct clopt_node *element,
                                    const struct clopt_node *value)
{
    struct clopt_variable *at = clopt_variable_make(source, "volatile __local int *", "", "place");
    struct clopt_variable *added = clopt_variable_make(source, "const float", "", "added");
    struct clopt_variable *old = clopt_variable_make(source, "int", "", "old");
    return clopt_build(source, NULL,
                       "{ $V = (volatile __local int *)&$n; $V = $n; $V; do { $v = *$v; } while "
                       "(atomic_cmpxchg($v, $v, as_int(as_float($v) + $v)) != $v); }",
                       at, element, added, value, old, old, at, at, old, old, added, old);
}

static struct clopt_node *call_local(struct clopt_source *source, const struct clopt_node *element,
                                     const char *operation, const struct clopt_node *value)
{
    struct clopt_nodes arguments = {0};
    char name[32];
    snprintf(name, sizeof name, "%s%s", element->bits == 64 ? "atom_" : "atomic_", operation);
    clopt_nodes_put(source, &arguments, NULL, "&$n", element);
    if (value)
        clopt_nodes_put(source, &arguments, NULL, "$n", value);
    return clopt_build(source, NULL, "$s($N);", name, &arguments);
}

struct clopt_node *update_local(struct clopt_source *source, const struct update *update,
                                struct clopt_node *element)
{
    const struct clopt_node *call = update->call;
    if (update->operation->swaps)
        return add_float(source, element, call->children[1]);
    return call_local(source, element, update->operation->name,
                      call->child_count > 1 ? call->children[1] : NULL);
}

struct clopt_node *update_gather(struct clopt_source *source, const struct update *update,
                                 struct clopt_node *element, const struct clopt_variable *sum)
{
    struct clopt_node *value = clopt_build(source, NULL, "$v", sum);
    return update->operation->swaps ? add_float(source, element, value)
                                    : call_local(source, element, update->operation->joins, value);
}

struct clopt_node *update_join(struct clopt_source *source, const struct update *update,
                               struct clopt_node *element, const struct clopt_variable *value)
{
    const struct clopt_node *call = update->call;
    if (update->operation->swaps)
        return clopt_build(source, call, "$s(&$n, $v);", call->name, element, value);
    const char *base = base_of(call);
    struct clopt_nodes arguments = {0};
    clopt_nodes_put(source, &arguments, call, "&$n", element);
    clopt_nodes_put(source, &arguments, call, "$v", value);
    for (size_t i = 2; i < call->child_count; i++) /* memory order and scope */
        clopt_nodes_put(source, &arguments, call, "$n", call->children[i]);
    char name[64];
    snprintf(name, sizeof name, "%.*s%s%s", (int)(base - call->name), call->name,
             update->operation->joins, strstr(base, EXPLICIT) ? EXPLICIT : "");
    return clopt_build(source, call, "$s($N);", name, &arguments);
}

struct clopt_node *update_private(struct clopt_source *source, const struct update *update,
                                  struct clopt_node *own, enum clopt_scalar scalar)
{
    const struct operation *operation = update->operation;
    const struct clopt_node *call = update->call;
    const struct clopt_node *value = call->child_count > 1 ? call->children[1] : NULL;
    if (!value)
        return clopt_build(source, call, operation->accumulates, own);
    if (*operation->op && !operation->swaps)
        return clopt_build(source, call, operation->accumulates, own, value);
    if (value->scalar != scalar || value->width != 1)
        value = clopt_build(source, call, "($t)$n", clopt_scalar_name(scalar), value);
    if (*operation->op)
        return clopt_build(source, call, operation->accumulates, own, value);
    return clopt_build(source, call, operation->accumulates, own, own, value);
}
