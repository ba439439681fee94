/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory accesses of expressions: what they read and write, and by which pointer. */
#include <clopt/loop.h>
#include <clopt/memory.h>

#include "kernel/effect.h"

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
    bool unknown = !clopt_access_of(clopt_node_bare(whole)).base; /* too many indices */
    if (whole->is_pointer && whole->parent->kind == CLOPT_NODE_UNARY &&
        clopt_node_is_operator(whole->parent, "*"))
        whole = whole->parent;
    if (unknown || clopt_node_is_address(whole))
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
