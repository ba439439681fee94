/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what vectors are read from and written to: variables, and rows of memory. */
#include "code.h"
#include "scalar.h"

bool code_is_vector_place(const struct code *code, const struct clopt_node *node)
{
    while (node->kind == CLOPT_NODE_SUBSCRIPT) {
        if (code_diverges(code, node->children[1]))
            return false;
        node = node->children[0];
    }
    return node->kind == CLOPT_NODE_VARIABLE &&
           code->plan->forms[node->variable->index] == FORM_VECTOR;
}

void code_put_vector_place(struct code *code, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_SUBSCRIPT) {
        code_put_vector_place(code, node->children[0]);
        code_put(code, "[");
        code_put_lane(code, node->children[1], 0);
        code_put(code, "]");
        return;
    }
    const char *name = code->names[node->variable->index * code->width];
    code_put(code, name ? name : node->variable->name);
}

bool code_is_row(const struct code *code, const struct clopt_node *node, int64_t *stride)
{
    bool place = node->kind == CLOPT_NODE_SUBSCRIPT ||
                 (node->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(node, "*"));
    return place && code_has_vectors(node) && !node->is_volatile &&
           node->scalar != CLOPT_SCALAR_BOOL && node->space != CLOPT_SPACE_PRIVATE &&
           plan_address_stride(code->plan, node, stride) && (*stride == 1 || *stride == -1);
}

void code_put_row_address(struct code *code, const struct clopt_node *node, int64_t stride)
{
    if (node->kind == CLOPT_NODE_UNARY) {
        code_put_lane(code, node->children[0], 0);
    } else {
        code_put(code, "&");
        code_put_lane(code, node, 0);
    }
    if (stride < 0)
        code_printf(code, " - %u", code->width - 1);
}

bool code_is_aligned_row(const struct code *code, const struct clopt_node *node, int64_t stride)
{
    return stride == 1 && alignment_holds(code->alignment, node);
}

void code_put_aligned_row(struct code *code, const struct clopt_node *node)
{
    code_printf(code, "*(__local %s%u *)", scalar_name(node->scalar), code->width);
    code_put_row_address(code, node, 1);
}

void code_put_reversal(struct code *code)
{
    code_put(code, ".s");
    for (unsigned lane = code->width; lane-- > 0;)
        code_printf(code, "%x", lane);
}
