/* SPDX-License-Identifier: BSD-3-Clause */
/* What forbids that the iterations of a loop are executed in another order. */
#include <clopt/loop.h>

static enum clopt_status refuse(const struct clopt_source *source, const struct clopt_node *node,
                                const char *what, const char *change, struct clopt_error *error)
{
    return clopt_source_refuse(source, node, error, "%s a loop that is to be %s", what, change);
}

static enum clopt_status check_jumps(const struct clopt_source *source,
                                     const struct clopt_node *loop, bool reordered,
                                     const char *change, struct clopt_error *error)
{
    static const struct {
        enum clopt_node_kind kind;
        const char *what;
    } jumps[] = {{CLOPT_NODE_BREAK, "break out of"},
                 {CLOPT_NODE_CONTINUE, "continue in"},
                 {CLOPT_NODE_RETURN, "return from"}};
    const struct clopt_node *jump = clopt_node_find_effect(loop, CLOPT_EFFECT_GOTO);
    if (jump)
        return refuse(source, jump, "goto in", change, error);
    for (size_t i = 0; i < (reordered ? sizeof jumps / sizeof *jumps : 1); i++) {
        jump = clopt_loop_find_jump(loop, jumps[i].kind);
        if (jump)
            return refuse(source, jump, jumps[i].what, change, error);
    }
    return CLOPT_OK;
}

/* Private memory that any pointer may lead to: accesses to its variables are not seen. */
static enum clopt_status check_pointers(const struct clopt_source *source,
                                        const struct clopt_node *loop, const char *change,
                                        struct clopt_error *error)
{
    CLOPT_OWNED(clopt_accesses) accesses = {0};
    CLOPT_TRY(clopt_accesses_add(&accesses, loop, error));
    for (size_t i = 0; i < accesses.count; i++) {
        const struct clopt_access *access = &accesses.items[i];
        bool known =
            access->root && (access->root->is_array || access->space != CLOPT_SPACE_PRIVATE);
        if (access->space == CLOPT_SPACE_GENERIC ||
            (!known && access->space == CLOPT_SPACE_PRIVATE))
            CLOPT_TRY(clopt_source_refuse(
                source, access->node, error, "%s in a loop that is to be %s",
                access->node->kind == CLOPT_NODE_CALL ? access->node->name
                                                      : "a pointer into unknown memory",
                change));
    }
    return CLOPT_OK;
}

enum clopt_status clopt_loop_check_order(const struct clopt_source *source,
                                         const struct clopt_node *loop, bool reordered,
                                         const char *change, struct clopt_trip *trip,
                                         struct clopt_error *error)
{
    const struct clopt_node *collective = clopt_node_find_effect(loop, CLOPT_EFFECT_COLLECTIVE);
    if (!clopt_trip_find(loop, NULL, trip) || (reordered && !trip->first))
        return clopt_source_refuse(source, loop, error,
                                   "only a loop that counts by a constant step, from a value to "
                                   "another one, can be %s",
                                   change);
    if (reordered && collective)
        return refuse(source, collective, "barrier in", change, error);
    if (reordered && clopt_node_effects(loop) & CLOPT_EFFECT_ORDERED)
        return refuse(source, loop, "volatile memory, atomics or printf in", change, error);
    CLOPT_TRY(check_jumps(source, loop, reordered, change, error));
    return reordered ? check_pointers(source, loop, change, error) : CLOPT_OK;
}
