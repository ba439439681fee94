/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells which variables an expression or statement uses, and how. */
#include <clopt/source.h>

/* How the value of an expression is used. */
enum use {
    USE_VALUE,          /* read */
    USE_WRITE,          /* written as a whole */
    USE_UPDATE,         /* read and written, or written in part */
    USE_ADDRESS,        /* its address goes somewhere */
    USE_LOCATION,       /* its address is used to access nothing of the variable itself */
    USE_POINTER,        /* as a pointer through which private memory is read */
    USE_POINTER_UPDATE, /* the same, written */
};

struct visitor {
    clopt_use_visit visit;
    void *user;
};

static void walk(const struct visitor *visitor, const struct clopt_node *node, enum use use);

static void note_use(const struct visitor *visitor, const struct clopt_node *node, enum use use)
{
    const struct clopt_variable *variable = node->variable;
    bool memory = variable->is_array && variable->space == CLOPT_SPACE_PRIVATE;
    bool leads = memory || variable->is_record ||
                 (variable->is_pointer && variable->pointee == CLOPT_SPACE_PRIVATE);
    unsigned access = use == USE_WRITE ? 0 : CLOPT_READ;
    if (use == USE_WRITE || use == USE_UPDATE || (use == USE_POINTER_UPDATE && leads))
        access |= CLOPT_WRITE;
    if (use == USE_ADDRESS)
        access = CLOPT_ADDRESS;
    if (use == USE_VALUE && memory)
        access |= CLOPT_ADDRESS;
    visitor->visit(visitor->user, node, node->variable, access);
}

/* The use of a pointer expression through which `use` happens in memory of `space`. */
static enum use through(enum use use, enum clopt_space space)
{
    if (use == USE_ADDRESS)
        return space == CLOPT_SPACE_PRIVATE ? USE_VALUE : USE_LOCATION;
    if (space != CLOPT_SPACE_PRIVATE)
        return USE_VALUE;
    return use == USE_VALUE || use == USE_LOCATION || use == USE_POINTER ? USE_POINTER
                                                                         : USE_POINTER_UPDATE;
}

/* a[i], *p, p->m: what is used is memory that a pointer leads to. */
static void walk_memory(const struct visitor *visitor, const struct clopt_node *node, enum use use)
{
    const struct clopt_node *base = node->children[0];
    if (node->kind == CLOPT_NODE_SUBSCRIPT && !base->is_pointer && !base->is_array)
        base = node->children[1]; /* i[a] */
    enum use inner = through(node->is_array && use == USE_VALUE ? USE_ADDRESS : use, node->space);
    walk(visitor, base, inner);
    const struct clopt_node *address = clopt_node_bare(base);
    if (address->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(address, "&"))
        walk(visitor, address, USE_VALUE); /* *&x names x, but needs a variable with an address */
    for (size_t i = 0; i < node->child_count; i++)
        if (node->children[i] != base)
            walk(visitor, node->children[i], USE_VALUE);
}

static void walk_unary(const struct visitor *visitor, const struct clopt_node *node, enum use use)
{
    const struct clopt_node *operand = node->children[0];
    if (strcmp(node->op, "*") == 0)
        walk_memory(visitor, node, use);
    else if (clopt_node_is_step(node))
        walk(visitor, operand, USE_UPDATE);
    else if (strcmp(node->op, "&") == 0 && (use == USE_POINTER || use == USE_POINTER_UPDATE))
        walk(visitor, operand, use == USE_POINTER ? USE_VALUE : USE_UPDATE);
    else if (strcmp(node->op, "&") == 0)
        walk(visitor, operand, USE_ADDRESS);
    else
        walk(visitor, operand, USE_VALUE);
}

/* A call may read and write whatever its pointers lead to. */
static void walk_call(const struct visitor *visitor, const struct clopt_node *node)
{
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *argument = node->children[i];
        bool pointer = argument->is_pointer || argument->is_array || argument->is_record;
        walk(visitor, argument, pointer ? USE_POINTER_UPDATE : USE_VALUE);
        if (pointer)
            walk(visitor, argument, USE_VALUE);
    }
}

static void walk(const struct visitor *visitor, const struct clopt_node *node, enum use use)
{
    switch (node->kind) {
    case CLOPT_NODE_VARIABLE:
        note_use(visitor, node, use);
        break;
    case CLOPT_NODE_DECLARATOR:
        if (node->condition) {
            visitor->visit(visitor->user, node, node->variable, CLOPT_WRITE);
            walk(visitor, node->condition, USE_VALUE);
        }
        break;
    case CLOPT_NODE_ASSIGN:
        walk(visitor, node->children[0], strcmp(node->op, "=") == 0 ? USE_WRITE : USE_UPDATE);
        walk(visitor, node->children[1], USE_VALUE);
        break;
    case CLOPT_NODE_UNARY:
    case CLOPT_NODE_POSTFIX:
        walk_unary(visitor, node, use);
        break;
    case CLOPT_NODE_SUBSCRIPT:
        walk_memory(visitor, node, use);
        break;
    case CLOPT_NODE_MEMBER:
    case CLOPT_NODE_SWIZZLE:
        if (strcmp(node->op, "->") == 0)
            walk_memory(visitor, node, use);
        else /* of the whole, too, a part is written */
            walk(visitor, node->children[0], use == USE_WRITE ? USE_UPDATE : use);
        break;
    case CLOPT_NODE_CALL:
        walk_call(visitor, node);
        break;
    case CLOPT_NODE_CONDITIONAL:
    case CLOPT_NODE_BINARY:
    case CLOPT_NODE_PAREN:
    case CLOPT_NODE_CAST:
        /* A pointer may come out of any operand of these. */
        for (size_t i = 0; i < node->child_count; i++)
            walk(visitor, node->children[i], use);
        break;
    case CLOPT_NODE_SIZEOF:
        break;
    default:
        for (size_t i = 0; i < node->child_count; i++)
            walk(visitor, node->children[i], USE_VALUE);
        break;
    }
}

void clopt_node_visit_uses(const struct clopt_node *node, clopt_use_visit visit, void *user)
{
    walk(&(struct visitor){visit, user}, node, USE_VALUE);
}

struct uses {
    const struct clopt_variable *variable;
    unsigned access;
};

static void note_access(void *user, const struct clopt_node *node, struct clopt_variable *variable,
                        unsigned access)
{
    struct uses *uses = user;
    (void)node;
    if (variable == uses->variable)
        uses->access |= access;
}

unsigned clopt_node_uses(const struct clopt_node *node, const struct clopt_variable *variable)
{
    if (variable->function && variable->function->body == node)
        return variable->uses;
    struct uses uses = {variable, 0};
    clopt_node_visit_uses(node, note_access, &uses);
    return uses.access;
}
