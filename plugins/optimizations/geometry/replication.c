/* SPDX-License-Identifier: BSD-3-Clause */
/* Names, and expressions as merged work-items see them. */
#include "replication.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

static const char *name_of(void *user, const struct clopt_variable *variable)
{
    const struct replication *replication = user;
    if (!replication->replica)
        return NULL;
    if (variable->declarator && variable->declarator->begin >= replication->region_begin &&
        variable->declarator->begin < replication->region_end)
        return NULL;
    if (!clopt_variable_diverges(replication->divergence, variable))
        return NULL;
    return replication->names[variable->index * replication->request.factor + replication->replica];
}

bool replication_choose_names(struct replication *replication)
{
    struct clopt_source *source = replication->source;
    unsigned factor = replication->request.factor;
    for (size_t i = 0; i < clopt_source_variable_count(source); i++) {
        const struct clopt_variable *variable = clopt_source_variable(source, i);
        if (replication->names[i * factor + factor - 1] ||
            !clopt_variable_diverges(replication->divergence, variable))
            continue;
        for (unsigned r = 1; r < factor; r++) {
            const char *name = clopt_source_fresh(source, variable->name, r);
            if (!name)
                return false;
            replication->names[i * factor + r] = name;
        }
    }
    return true;
}

/* ---- expressions ---- */

/* Puts a value of a list, for a replica that may have left 0. */
static bool put_guarded(struct replication *replication, struct clopt_output *output,
                        const struct clopt_node *node)
{
    const char *guard = replication->guard;
    bool value = node->parent && node->parent->kind == CLOPT_NODE_LIST &&
                 clopt_node_is_expression(node) && node->kind != CLOPT_NODE_LIST;
    if (!guard || !value || !(clopt_node_effects(node) & ~(unsigned)CLOPT_EFFECT_PRIVATE_WRITE))
        return false;
    if (node->is_record || node->is_array)
        replication->unguarded = node;
    replication->guard = NULL;
    clopt_output_printf(output, "%s ? ", guard);
    clopt_print(&replication->printer, output, node);
    if (node->width > 1)
        clopt_output_printf(output, " : (%s%u)(0)", clopt_scalar_name(node->scalar), node->width);
    else
        clopt_output_put(output, " : 0");
    replication->guard = guard;
    return true;
}

static bool replace(void *user, struct clopt_output *output, const struct clopt_node *node)
{
    struct replication *replication = user;
    if (put_guarded(replication, output, node))
        return true;
    if (node->kind == CLOPT_NODE_RETURN && replication->leave) {
        clopt_output_printf(output, "goto %s;", replication->leave);
        replication->left = true;
        return true;
    }
    return clopt_merging_replace(replication->merging, &replication->printer, output, node,
                                 replication->replica);
}

void replication_put(struct replication *replication, const char *text)
{
    clopt_output_put(replication->output, text);
}

void replication_copy(struct replication *replication, size_t begin, size_t end)
{
    clopt_output_copy(replication->output, replication->source, begin, end);
}

void replication_print(struct replication *replication, const struct clopt_node *node)
{
    clopt_print(&replication->printer, replication->output, node);
}

bool replication_diverges(const struct replication *replication, const struct clopt_node *node)
{
    return clopt_node_diverges(replication->divergence, node);
}

bool replication_is_comma(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_BINARY && strcmp(node->operator, ",") == 0;
}

void replication_put_each(struct replication *replication, const struct clopt_node *node,
                          const char *separator)
{
    if (replication_is_comma(node)) {
        replication_put_each(replication, node->children[0], separator);
        replication_put(replication, separator);
        replication_put_each(replication, node->children[1], separator);
        return;
    }
    unsigned count = replication_diverges(replication, node) ? replication->request.factor : 1;
    if (count > 1 && replication->active &&
        (clopt_node_effects(node) & ~(unsigned)CLOPT_EFFECT_PRIVATE_WRITE))
        replication->unguarded = node;
    for (unsigned r = 0; r < count; r++) {
        replication_put(replication, r ? separator : "");
        replication->replica = r;
        clopt_print(&replication->printer, replication->output, node);
    }
    replication->replica = 0;
}

/* ---- setting up ---- */

enum clopt_status replication_init(struct replication *replication, struct clopt_error *error)
{
    struct clopt_source *source = replication->source;
    size_t variables = clopt_source_variable_count(source);
    replication->names =
        calloc(variables * replication->request.factor + 1, sizeof *replication->names);
    replication->printer = (struct clopt_printer){source, replication, name_of, replace};
    if (!replication->names || !replication_choose_names(replication)) {
        replication_fini(replication);
        return clopt_fail_memory(error);
    }
    return CLOPT_OK;
}

void replication_fini(struct replication *replication)
{
    free(replication->names);
    replication->names = NULL;
}
