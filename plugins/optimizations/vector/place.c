/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds what vectors are read from and written to: variables, and rows of memory. */
#include "code.h"

bool code_is_vector_place(const struct code *code, const struct clopt_node *node)
{
    const struct clopt_access access = clopt_access_of(node);
    for (unsigned i = 0; i < access.index_count; i++)
        if (code_diverges(code, access.indices[i]))
            return false;
    return access.base && code->plan->forms[access.base->index] == FORM_VECTOR;
}

bool code_is_row(const struct code *code, const struct clopt_node *node, int64_t *stride)
{
    bool place = node->kind == CLOPT_NODE_SUBSCRIPT ||
                 (node->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(node, "*"));
    return place && code_has_vectors(node) && !node->is_volatile &&
           node->scalar != CLOPT_SCALAR_BOOL && node->space != CLOPT_SPACE_PRIVATE &&
           plan_address_stride(code->plan, node, stride) && (*stride == 1 || *stride == -1);
}

/* Returns the address of the first of the elements in memory. */
static struct clopt_node *address_of(struct code *code, const struct clopt_node *node,
                                     int64_t stride)
{
    struct clopt_node *address = node->kind == CLOPT_NODE_UNARY
                                     ? code_lane(code, node->children[0], 0)
                                     : code_build(code, node, "&$n", code_lane(code, node, 0));
    return stride < 0 ? code_build(code, node, "$n - $u", address, code->width - 1) : address;
}

/* Returns a row as a vector that may be read and written, or NULL where it may not be aligned like
 * one. */
static struct clopt_node *aligned_row(struct code *code, const struct clopt_node *node,
                                      int64_t stride)
{
    if (stride != 1 || !alignment_holds(code->alignment, node))
        return NULL;
    return code_build(code, node, "*(__local $s$u *)$n", scalar_name(node->scalar), code->width,
                      address_of(code, node, stride));
}

/* Returns a vector with its components in the order of memory, or back. */
static struct clopt_node *in_order(struct code *code, struct clopt_node *vector, int64_t stride)
{
    char components[CODE_MOST_LANES + 2] = "s";
    for (unsigned lane = 0; lane < code->width; lane++)
        components[code->width - lane] = code_component(lane)[1];
    return stride < 0 ? code_build(code, vector, "$n.$s", vector, components) : vector;
}

struct clopt_node *code_load(struct code *code, const struct clopt_node *node, int64_t stride)
{
    struct clopt_node *row = aligned_row(code, node, stride);
    code->gains++;
    if (!row)
        row = in_order(
            code,
            code_build(code, node, "vload$u(0, $n)", code->width, address_of(code, node, stride)),
            stride);
    return row;
}

struct clopt_node *code_store(struct code *code, const struct clopt_node *node, int64_t stride,
                              struct clopt_node *value)
{
    struct clopt_node *row = aligned_row(code, node, stride);
    code->gains++;
    if (row)
        return code_build(code, node, "$n = $n", row, value);
    return code_build(code, node, "vstore$u($n, 0, $n)", code->width, in_order(code, value, stride),
                      address_of(code, node, stride));
}
