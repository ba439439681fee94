/* SPDX-License-Identifier: BSD-3-Clause */
/* Updates that are tested first: most minima and maxima, and bits that are set or cleared, are
 * there already, and reading is cheaper than an atomic function. What is read has 32 bits, which
 * come whole, and can only be older than what an atomic function would find; then there is one more
 * update that changes nothing. */
#include "memory.h"

/* Returns whether the update of a call changes an element, by its value and its place, where nobody
 * asks what it was before; NULL: the call does anything else. */
static const char *find_test(const struct clopt_node *call)
{
    static const char *const tests[][3] = {{"atomic_min", "atom_min", "$v < *$v"},
                                           {"atomic_max", "atom_max", "$v > *$v"},
                                           {"atomic_or", "atom_or", "$v & ~*$v"},
                                           {"atomic_and", "atom_and", "~$v & *$v"}};
    const unsigned other = ~(unsigned)CLOPT_EFFECT_MEMORY_READ;
    if (call->kind != CLOPT_NODE_CALL || call->callee || call->child_count != 2 ||
        !clopt_node_is_statement(call) || call->bits != 32 ||
        ((clopt_node_effects(call->children[0]) | clopt_node_effects(call->children[1])) & other) ||
        (call->children[0]->pointee != CLOPT_SPACE_LOCAL &&
         call->children[0]->pointee != CLOPT_SPACE_GLOBAL))
        return NULL;
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        if (strcmp(call->name, tests[i][0]) == 0 || strcmp(call->name, tests[i][1]) == 0)
            return tests[i][2];
    return NULL;
}

static enum clopt_status edit(void *user, struct clopt_source *source, struct clopt_error *error)
{
    struct clopt_node *body = source->kernel->body;
    struct clopt_nodes calls = {0};
    (void)user;
    for (struct clopt_node *node = body; node; node = clopt_node_next(node, body))
        if (find_test(node))
            clopt_nodes_add(source, &calls, node);
    for (size_t i = 0; i < calls.count; i++) {
        struct clopt_node *call = calls.items[i], *to = call->children[0];
        const char *space = to->pointee == CLOPT_SPACE_LOCAL ? "local" : "global";
        char type[48];
        snprintf(type, sizeof type, "volatile __%s %s *", space, clopt_scalar_name(call->scalar));
        struct clopt_variable *place = clopt_variable_make(source, type, "", "place");
        snprintf(type, sizeof type, "const %s", clopt_scalar_name(call->scalar));
        struct clopt_variable *value = clopt_variable_make(source, type, "", "value");
        clopt_replace_by(source, call, "{ $V = $n; $V = $n; if ($n) $s($v, $v); }", place, to,
                         value, call->children[1],
                         clopt_build(source, call, find_test(call), value, place), call->name,
                         place, value);
    }
    return calls.count ? CLOPT_OK
                       : clopt_source_refuse(source, body, error,
                                             "test: the kernel updates nothing of 32 bits by "
                                             "atomic_min, max, or, or and");
}

enum clopt_status test_apply(struct clopt_transform *transform, struct clopt_error *error)
{
    return clopt_transform_edit(transform, CLOPT_INLINE_NONE, edit, NULL, error);
}
