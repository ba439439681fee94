/* SPDX-License-Identifier: BSD-3-Clause */
/* What expressions are to each other, what they cost, and what may go wrong in them. */
#include "flatten.h"

#define ACCESS_COST   4
#define DIVISION_COST 4
#define CALL_COST     10

/* ---- costs and risks ---- */

static bool is_cheap(const char *name)
{
    static const char names[] =
        " abs add_sat all any bitselect clamp clz fabs fma fmax fmin get_global_id get_group_id"
        " get_local_id get_local_size get_global_size get_num_groups isequal isgreater isless isnan"
        " mad mad24 max min mul24 popcount rotate select sign step sub_sat ";
    char word[64];
    snprintf(word, sizeof word, " %s ", name);
    return strstr(names, word) || strncmp(name, "convert_", 8) == 0 ||
           strncmp(name, "native_", 7) == 0;
}

static unsigned own_operations(const struct clopt_node *node)
{
    switch (node->kind) {
    case CLOPT_NODE_CALL:
        return node->callee || is_cheap(node->name) ? 1 : CALL_COST;
    case CLOPT_NODE_BINARY:
    case CLOPT_NODE_ASSIGN:
        if (clopt_node_is_operator(node, "="))
            return 0;
        return *node->op == '/' || *node->op == '%' ? DIVISION_COST : 1;
    case CLOPT_NODE_SUBSCRIPT:
        if (node->is_array)
            return 0;
        return node->space == CLOPT_SPACE_PRIVATE ? 1 : ACCESS_COST;
    case CLOPT_NODE_UNARY:
        if (clopt_node_is_operator(node, "*"))
            return node->space == CLOPT_SPACE_PRIVATE ? 1 : ACCESS_COST;
        return !clopt_node_is_operator(node, "&");
    case CLOPT_NODE_POSTFIX:
    case CLOPT_NODE_CONDITIONAL:
    case CLOPT_NODE_CAST:
    case CLOPT_NODE_IF:
        return 1;
    default:
        return 0;
    }
}

unsigned operations(const struct clopt_node *node, unsigned most)
{
    if (node->kind == CLOPT_NODE_SIZEOF || node->known)
        return 0;
    unsigned sum = own_operations(node);
    if (node->kind == CLOPT_NODE_CALL && node->callee && sum <= most)
        sum += operations(node->callee->body, most - sum);
    for (size_t i = 0; i < node->child_count && sum <= most; i++)
        sum += operations(node->children[i], most - sum);
    return sum;
}

/* ---- types ---- */

/* Skips what clang puts in front of the name of a type. */
static const char *skip_qualifiers(const char *type)
{
    static const char *const words[] = {"const ", "__private ", "__local ", "__global ",
                                        "__constant "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(type, words[i], strlen(words[i])) == 0)
            return skip_qualifiers(type + strlen(words[i]));
    return type;
}

bool element_type(const struct clopt_access *elements, char *type, size_t size)
{
    if (!elements->base)
        return false;
    const char *text = skip_qualifiers(elements->base->type);
    size_t length = strcspn(text, "*[");
    size_t levels = 0;
    for (const char *at = text + length; at && *at; at = strpbrk(at + 1, "*["))
        levels++;
    bool rows = levels > 1 && strchr(text, '*'); /* of pointers: they lead elsewhere */
    if (rows || levels != elements->index_count || strchr(text, '(') || strstr(text, "volatile"))
        return false;
    while (length && text[length - 1] == ' ')
        length--;
    return (size_t)snprintf(type, size, "%.*s", (int)length, text) < size;
}

/* ---- what is left of branches ---- */

bool conditional_has_one_type(const struct clopt_node *node)
{
    for (size_t i = 1; i <= 2; i++)
        if (node->scalar == CLOPT_SCALAR_NONE || node->is_pointer ||
            node->children[i]->scalar != node->scalar || node->children[i]->width != node->width)
            return false;
    return true;
}

struct clopt_node *branch_form_side(const struct clopt_cloning *cloning,
                                    const struct clopt_node *branch, const struct clopt_node *side)
{
    bool among = branch->parent && branch->parent->kind == CLOPT_NODE_COMPOUND;
    bool braces = !side || side->kind != CLOPT_NODE_COMPOUND || !among;
    struct clopt_nodes statements = {0};
    for (size_t i = 0; !braces && i < side->child_count; i++)
        braces = side->children[i]->kind == CLOPT_NODE_DECLARE;
    if (side && braces)
        return clopt_clone(cloning, side);
    if (side)
        clopt_nodes_add_body(cloning, &statements, side);
    return clopt_build(cloning->source, branch, side || among ? "$N" : ";", &statements);
}
