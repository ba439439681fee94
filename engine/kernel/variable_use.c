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

/* The use of a pointer expression through which `use` happens in memory of `space`. */
static enum use through(enum use use, enum clopt_space space)
{
    if (use == USE_ADDRESS)
        return clopt_space_may_be_private(space) ? USE_VALUE : USE_LOCATION;
    if (!clopt_space_may_be_private(space))
        return USE_VALUE;
    return use == USE_VALUE || use == USE_LOCATION || use == USE_POINTER ? USE_POINTER
                                                                         : USE_POINTER_UPDATE;
}

static unsigned bit(enum use use)
{
    return 1u << use;
}

/* a[i], *p, p->m: what is used is memory that a pointer leads to. */
static unsigned use_in_memory(const struct clopt_node *node, const struct clopt_node *child,
                              enum use use)
{
    const struct clopt_node *base = node->children[0];
    if (node->kind == CLOPT_NODE_SUBSCRIPT && !base->is_pointer && !base->is_array)
        base = node->children[1]; /* i[a] */
    const struct clopt_node *address = clopt_node_bare(base);
    bool named = address->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(address, "&");
    enum use inner = through(node->is_array && use == USE_VALUE ? USE_ADDRESS : use, node->space);
    if (child != base)
        return bit(USE_VALUE);
    return bit(inner) | (named ? bit(USE_VALUE) : 0); /* *&x needs a variable with an address */
}

static unsigned use_in_unary(const struct clopt_node *node, enum use use)
{
    bool address = clopt_node_is_operator(node, "&");
    if (clopt_node_is_step(node) || (address && use == USE_POINTER_UPDATE))
        return bit(USE_UPDATE);
    return bit(address && use != USE_POINTER ? USE_ADDRESS : USE_VALUE);
}

/* How a child is used where its parent is, as a set. */
static unsigned use_in(const struct clopt_node *node, const struct clopt_node *child, enum use use)
{
    bool leads = child->is_pointer || child->is_array || child->is_record;
    switch (node->kind) {
    case CLOPT_NODE_ASSIGN:
        return bit(child != node->children[0]          ? USE_VALUE
                   : clopt_node_is_operator(node, "=") ? USE_WRITE
                                                       : USE_UPDATE);
    case CLOPT_NODE_UNARY:
    case CLOPT_NODE_POSTFIX:
        return clopt_node_is_operator(node, "*") ? use_in_memory(node, child, use)
                                                 : use_in_unary(node, use);
    case CLOPT_NODE_SUBSCRIPT:
        return use_in_memory(node, child, use);
    case CLOPT_NODE_MEMBER:
    case CLOPT_NODE_SWIZZLE: /* of the whole, too, a part is written */
        return clopt_node_is_operator(node, "->") ? use_in_memory(node, child, use)
                                                  : bit(use == USE_WRITE ? USE_UPDATE : use);
    case CLOPT_NODE_CALL: /* may read and write whatever its pointers lead to */
        return bit(USE_VALUE) | (leads ? bit(USE_POINTER_UPDATE) : 0);
    case CLOPT_NODE_CONDITIONAL:
    case CLOPT_NODE_BINARY:
    case CLOPT_NODE_PAREN:
    case CLOPT_NODE_CAST: /* a pointer may come out of any operand of these */
        return bit(use);
    case CLOPT_NODE_SIZEOF:
        return 0;
    default:
        return bit(USE_VALUE);
    }
}

/* How a node is used by all that is around it, as a set. */
static unsigned uses_of(const struct clopt_node *node, const struct clopt_node *top)
{
    const struct clopt_node *parent = node->parent;
    if (node == top || !clopt_node_is_expression(parent))
        return bit(USE_VALUE);
    unsigned outer = uses_of(parent, top), uses = 0;
    for (enum use use = USE_VALUE; use <= USE_POINTER_UPDATE; use++)
        if (outer & bit(use))
            uses |= use_in(parent, node, use);
    return uses;
}

unsigned clopt_node_use(const struct clopt_node *node, const struct clopt_node *top)
{
    const struct clopt_variable *variable = node->variable;
    if (node->kind != CLOPT_NODE_VARIABLE)
        return node->kind == CLOPT_NODE_DECLARATOR && node->condition ? CLOPT_WRITE : 0;
    bool memory = variable->is_array && variable->space == CLOPT_SPACE_PRIVATE;
    bool leads = memory || variable->is_record ||
                 (variable->is_pointer && clopt_space_may_be_private(variable->pointee));
    unsigned uses = uses_of(node, top), access = 0;
    if (uses & ~(bit(USE_WRITE) | bit(USE_ADDRESS)))
        access |= CLOPT_READ;
    if ((uses & (bit(USE_WRITE) | bit(USE_UPDATE))) || (leads && (uses & bit(USE_POINTER_UPDATE))))
        access |= CLOPT_WRITE;
    if ((uses & bit(USE_ADDRESS)) || (memory && (uses & bit(USE_VALUE))))
        access |= CLOPT_ADDRESS;
    return access;
}

unsigned clopt_node_uses(const struct clopt_node *node, const struct clopt_variable *variable)
{
    unsigned access = 0;
    if (variable->function && variable->function->body == node)
        return variable->uses;
    for (const struct clopt_node *at = node; at; at = clopt_node_next(at, node))
        if (at->variable == variable)
            access |= clopt_node_use(at, node);
    return access;
}
