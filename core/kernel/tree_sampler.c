/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts constant samplers back where they are named: for `read_imagef(image, sampler, at)`, clang
 * has the value that initializes the sampler, at the place of its declaration. */
#include "kernel/tree_builder.h"

#include "frontend/token.h"

static bool is_strayed(const struct clopt_node *call, const struct clopt_node *argument)
{
    return argument->begin < call->begin || argument->begin >= call->end;
}

/* Finds the variable that a value initializes: the last one that is named before it. */
static struct clopt_variable *find_initialized(const struct clopt_tree_builder *builder,
                                               const struct clopt_node *value)
{
    size_t at = value->begin;
    while (at && !builder->declared[at])
        at--;
    struct clopt_variable *found = builder->declared[at];
    return found && strstr(found->type, "sampler_t") ? found : NULL;
}

static bool is_covered(const struct clopt_node *call, size_t offset)
{
    for (size_t i = 0; i < call->child_count; i++)
        if (offset >= call->children[i]->begin && offset < call->children[i]->end)
            return true;
    return false;
}

/* Makes a strayed value the name of its variable, at the first place in the call that names it and
 * belongs to no other argument. */
static bool bring_back(const struct clopt_tree_builder *builder, const struct clopt_node *call,
                       struct clopt_node *value)
{
    struct clopt_variable *variable = find_initialized(builder, value);
    const char *text = builder->source->text;
    const char *at = text + call->begin;
    while (variable && at < text + call->end) {
        struct clopt_token token = clopt_token_next(&at);
        size_t begin = (size_t)(token.text - text);
        if (!clopt_token_is(&token, variable->name) || is_covered(call, begin))
            continue;
        *value = (struct clopt_node){.kind = CLOPT_NODE_VARIABLE,
                                     .begin = begin,
                                     .end = begin + token.length,
                                     .stop = begin + token.length,
                                     .index = value->index,
                                     .variable = variable,
                                     .name = variable->name,
                                     .width = 1};
        return true;
    }
    return false;
}

bool clopt_tree_position_samplers(const struct clopt_tree_builder *builder, struct clopt_node *call)
{
    for (size_t i = 0; i < call->child_count; i++) {
        struct clopt_node *argument = call->children[i];
        if (!is_strayed(call, argument))
            continue;
        if (!bring_back(builder, call, argument))
            return false;
        argument->parent = call;
    }
    clopt_tree_sort_children(call);
    return true;
}
