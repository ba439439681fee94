/* SPDX-License-Identifier: BSD-3-Clause */
/* What statements and functions do besides computing. */
#include "kernel/effect.h"

bool clopt_name_starts(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

static bool calls_any(const struct clopt_node *call, const char *const *prefixes)
{
    while (*prefixes && !clopt_name_starts(call->name, *prefixes))
        prefixes++;
    return *prefixes && !call->callee;
}

bool clopt_call_is_of_sub_group(const struct clopt_node *call)
{
    static const char *const prefixes[] = {"get_sub_group",
                                           "get_max_sub_group",
                                           "get_num_sub_groups",
                                           "sub_group_",
                                           "intel_sub_group_",
                                           "get_enqueued_num_sub_gr",
                                           NULL};
    return calls_any(call, prefixes);
}

bool clopt_call_numbers_items(const struct clopt_node *call)
{
    static const char *const prefixes[] = {"get_global_linear_id", "get_local_linear_id",
                                           "work_group_scan_", NULL};
    return calls_any(call, prefixes) || clopt_call_is_of_sub_group(call);
}

/* Functions of OpenCL C that do more than compute a value from their arguments. Those of sub-groups
 * compute it from those of all work-items that are there: where and how often they are called
 * counts. */
static const struct {
    const char *prefix;
    unsigned effects;
} builtins[] = {
    {"barrier", CLOPT_EFFECT_COLLECTIVE},
    {"work_group_", CLOPT_EFFECT_COLLECTIVE},
    {"sub_group_barrier",
     CLOPT_EFFECT_ORDERED | CLOPT_EFFECT_MEMORY_READ | CLOPT_EFFECT_MEMORY_WRITE},
    {"sub_group_", CLOPT_EFFECT_ORDERED},
    {"intel_sub_group_block_write", CLOPT_EFFECT_ORDERED | CLOPT_EFFECT_MEMORY_WRITE},
    {"intel_sub_group_", CLOPT_EFFECT_ORDERED | CLOPT_EFFECT_MEMORY_READ},
    {"async_work_group_",
     CLOPT_EFFECT_COLLECTIVE | CLOPT_EFFECT_MEMORY_READ | CLOPT_EFFECT_MEMORY_WRITE},
    {"wait_group_events", CLOPT_EFFECT_COLLECTIVE},
    {"atom", CLOPT_EFFECT_ORDERED | CLOPT_EFFECT_MEMORY_READ | CLOPT_EFFECT_MEMORY_WRITE},
    {"printf", CLOPT_EFFECT_ORDERED},
    {"vstore", CLOPT_EFFECT_MEMORY_WRITE},
    {"write_image", CLOPT_EFFECT_MEMORY_WRITE},
    {"vload", CLOPT_EFFECT_MEMORY_READ},
    {"read_image", CLOPT_EFFECT_MEMORY_READ},
    {"mem_fence", CLOPT_EFFECT_MEMORY_READ | CLOPT_EFFECT_MEMORY_WRITE},
    {"read_mem_fence", CLOPT_EFFECT_MEMORY_READ},
    {"write_mem_fence", CLOPT_EFFECT_MEMORY_WRITE},
};

static unsigned call_effects(const struct clopt_node *call)
{
    if (call->callee)
        return call->callee->effects & ~(unsigned)(CLOPT_EFFECT_JUMP | CLOPT_EFFECT_GOTO);
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (clopt_name_starts(call->name, builtins[i].prefix))
            return builtins[i].effects;
    return 0;
}

/* Whether an expression names a lvalue in memory that is shared with other work-items. */
static bool is_shared_lvalue(const struct clopt_node *node)
{
    node = clopt_node_whole(node);
    return clopt_node_is_memory(node, NULL) &&
           (node->kind == CLOPT_NODE_VARIABLE || node->space != CLOPT_SPACE_PRIVATE);
}

/* Whether a label of a switch is inside of another one of its statements, as in Duff's device. */
static bool is_inner(const struct clopt_node *label)
{
    const struct clopt_node *in = label->parent;
    while (in && (in->kind < CLOPT_NODE_IF || in->kind > CLOPT_NODE_SWITCH))
        in = in->parent;
    return in && in->kind != CLOPT_NODE_SWITCH;
}

static unsigned own_effects(const struct clopt_node *node)
{
    unsigned effects = 0;
    const struct clopt_node *written = clopt_node_written(node);
    switch (node->kind) {
    case CLOPT_NODE_CALL:
        return call_effects(node);
    case CLOPT_NODE_BREAK:
    case CLOPT_NODE_CONTINUE:
    case CLOPT_NODE_RETURN:
        return CLOPT_EFFECT_JUMP;
    case CLOPT_NODE_GOTO:
    case CLOPT_NODE_LABEL:
        return CLOPT_EFFECT_GOTO;
    case CLOPT_NODE_CASE:
    case CLOPT_NODE_DEFAULT:
        return is_inner(node) ? CLOPT_EFFECT_GOTO : 0;
    case CLOPT_NODE_DECLARATOR:
        return node->condition ? CLOPT_EFFECT_PRIVATE_WRITE : 0;
    default:
        break;
    }
    if (written)
        effects =
            is_shared_lvalue(written) ? CLOPT_EFFECT_MEMORY_WRITE : CLOPT_EFFECT_PRIVATE_WRITE;
    if (written && clopt_node_whole(written)->space == CLOPT_SPACE_GENERIC)
        effects |= CLOPT_EFFECT_PRIVATE_WRITE;
    if (node->is_volatile && clopt_node_is_expression(node))
        effects |= CLOPT_EFFECT_ORDERED;
    if (clopt_node_is_expression(node) && is_shared_lvalue(node) && !node->is_array)
        effects |= CLOPT_EFFECT_MEMORY_READ;
    return effects;
}

unsigned clopt_node_effects(const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_SIZEOF)
        return 0;
    unsigned effects = own_effects(node);
    for (size_t i = 0; i < node->child_count; i++)
        effects |= clopt_node_effects(node->children[i]);
    return effects;
}

static bool has_effect(const struct clopt_node *node, const void *effects)
{
    return own_effects(node) & *(const unsigned *)effects;
}

const struct clopt_node *clopt_node_find_effect(const struct clopt_node *node, unsigned effects)
{
    return clopt_node_search(node, has_effect, &effects);
}

/* Whether a node is a division that may be one of integers: those of floating point never trap. */
static bool may_trap(const struct clopt_node *node)
{
    bool divides = node->kind == CLOPT_NODE_BINARY || node->kind == CLOPT_NODE_ASSIGN;
    if (!divides || (node->op[0] != '/' && node->op[0] != '%'))
        return false;
    const struct clopt_node *divisor = node->children[1];
    if (divisor->known && divisor->value != 0 && divisor->value != -1)
        return false;
    return node->op[0] == '%' || !(clopt_scalar_is_real(node->children[0]->scalar) ||
                                   clopt_scalar_is_real(divisor->scalar));
}

const struct clopt_node *clopt_node_find_trap(const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_SIZEOF)
        return NULL;
    const struct clopt_node *found = may_trap(node) ? node : NULL;
    for (size_t i = 0; i < node->child_count && !found; i++)
        found = clopt_node_find_trap(node->children[i]);
    return found;
}

void clopt_effects_find(struct clopt_source *source)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = source->function_count; i-- > 0;) {
            struct clopt_function *function = source->functions[i];
            unsigned effects = clopt_node_effects(function->body);
            changed |= effects != function->effects;
            function->effects = effects;
        }
    }
}
