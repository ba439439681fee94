/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds kernels that count, by their atomic functions, and what a search of them tries first. */
#include "commands/advise/pattern_start.h"

/* Whether a node calls an atomic function; a test for searches. */
static bool is_atomic(const struct clopt_node *node, const void *unused)
{
    (void)unused;
    return node->kind == CLOPT_NODE_CALL &&
           (node->callee ? clopt_node_search(node->callee->body, is_atomic, NULL) != NULL
                         : strncmp(node->name, "atom", 4) == 0);
}

/* Whether a node is a pointer to global memory; a test for searches. */
static bool is_global(const struct clopt_node *node, const void *unused)
{
    (void)unused;
    return node->kind == CLOPT_NODE_VARIABLE && node->variable->is_pointer &&
           node->variable->pointee == CLOPT_SPACE_GLOBAL;
}

bool clopt_kernel_counters_find(const struct clopt_source *source,
                                struct clopt_kernel_pattern *pattern)
{
    const struct clopt_node *body = source->kernel->body;
    for (const struct clopt_node *node = body; node; node = clopt_node_next(node, body)) {
        if (!is_atomic(node, NULL) || !node->child_count)
            continue;
        const struct clopt_node *buffer = clopt_node_search(node->children[0], is_global, NULL);
        if (!buffer)
            continue;
        *pattern = (struct clopt_kernel_pattern){.kind = CLOPT_KERNEL_COUNTERS,
                                                 .line = clopt_source_line(source, node)};
        for (size_t i = source->kernel->parameter_count; i-- > 0;)
            if (source->kernel->parameters[i]->points_to_const)
                pattern->bytes = (unsigned)source->kernel->parameters[i]->pointee_bytes;
        snprintf(pattern->arrays[0], sizeof pattern->arrays[0], "%s", buffer->variable->name);
        return true;
    }
    return false;
}

/* Adds counters in local memory: a work-group does the work of many, each work-item that of
 * several, which it reads as vectors of 16 bytes. Where tickets are drawn, a group draws once for
 * all of its own. */
void clopt_pattern_start_counters(const struct clopt_pattern_start *start)
{
    static const struct {
        const char *device, *line, *plane, *loop, *copies, *ending;
        unsigned vectors; /* that a work-group reads, instead of such a local size */
    } forms[] = {
        {"gpu", "", "", ",group_loop=64", ",copies=8", "", 256},
        {"gpu", "", "", ",group_loop=64", "", "", 256},
        {"gpu", "", "", ",group_loop=16", "", "", 1024},
        {"gpu", "512", "32x16", "", "", "+geometry(granularity=4)", 0},
        {"gpu", "256", "32x8", ",group_loop=256", ",copies=4", "+geometry(granularity=4)", 0},
        {"gpu", "1024", "32x32", ",group_loop=64", "", "", 0},
        {"cpu", "1", "1x1", ",group_loop=65536", "", "", 0},
        {"cpu", "1", "1x1", ",group_loop=1024", "", "", 0}};
    const struct clopt_kernel_pattern *pattern = start->pattern;
    unsigned width = pattern->bytes ? 16 / pattern->bytes : 1;
    struct clopt_kernel_pattern changed = *pattern;
    const struct clopt_pattern_start own = {&changed, start->kernel, start->plan};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        unsigned items = forms[i].vectors * width;
        char size[24], vector[48] = "";
        if (forms[i].vectors && (width < 2 || pattern->dimensions > 1 || items > 4096 ||
                                 (*forms[i].copies && !pattern->counted)))
            continue;
        snprintf(size, sizeof size, "%s", pattern->dimensions > 1 ? forms[i].plane : forms[i].line);
        if (items) {
            snprintf(size, sizeof size, "%u", items);
            snprintf(vector, sizeof vector, "+vector(across=%u,aligned=yes)", width);
        }
        changed.guarded = pattern->guarded && items && i % 2 == 0; /* else for each element */
        clopt_pattern_add(
            &own, forms[i].device, 0, "geometry(local_size=%s%s)%s+memory(privatise=all%s%s%s)%s",
            size, forms[i].loop, vector, forms[i].copies, pattern->counted ? "" : ",window=1024",
            pattern->tested ? ",test=yes" : "", forms[i].ending);
    }
}
