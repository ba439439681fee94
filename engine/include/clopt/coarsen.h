/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes one work-item do the work of several, or one iteration of a loop that of several: the way
 * through the statements that thread coarsening and vectorization have in common.
 *
 * Each of those whose work is done together is a replica. The whole is a function from a node of
 * the original to its new form: what is uniform is executed once, and what diverges a policy
 * decides. The original is not edited, so that what analyses said of it holds. */
#pragma once

#include <clopt/divergence.h>
#include <clopt/rewrite.h>

/* ---- merged work-items ---- */

/* Which work-items become one: `factor` of a group, `stride` apart in `dimension`, or those of
 * `factor` neighbouring work-groups that have the same local identity.
 *
 * Work-item l of a smaller group does the work of l / stride * (factor * stride) + l % stride +
 * r * stride for r = 0 .. factor - 1 (Magni, Dubach, O'Boyle, formula 3). Groups hold whole
 * multiples of factor * stride work-items, so the same formula maps global identities.
 *
 * Group g of fewer groups does the work of g * factor + r. How many there were, which may be no
 * multiple of factor, the kernel is told by a parameter that it gets after the others. Arguments
 * that lead to local memory get factor times as much, each group a part whose size one more
 * parameter tells. */
struct clopt_merge {
    unsigned factor;
    unsigned dimension;
    unsigned stride;
    bool groups;
    bool whole; /* groups have `factor` work-items in that dimension: one is left, the first */
};

/* A program whose work-items are merged. Functions that ask for identities or sizes get a copy that
 * takes the number of the merged work-item as well. */
struct clopt_merging {
    struct clopt_source *source;
    struct clopt_merge merge;
    const char **copies;           /* by function: the name of its copy, or NULL */
    struct clopt_variable *count;  /* the parameter with the number of groups */
    struct clopt_variable **parts; /* by parameter of the kernel: that with the bytes of a part */
    /* What differs in a whole group of `local` work-items; NULL: those are not known. */
    struct clopt_divergence *group;
    size_t local[3];
};

/* Prepares the merging of a program's work-items: lets those stay that would return before others
 * that they are merged with come to a collective call, and those of groups past the last one, and
 * chooses the copies. The tree is another one then; the divergence is that between merged
 * work-items, `inside` as that of struct clopt_identity. CLOPT_INFEASIBLE where the program asks
 * what cannot be answered for merged work-items, or has a goto. */
CLOPT_API enum clopt_status clopt_merging_prepare(const struct clopt_transform *transform,
                                                  struct clopt_source **source,
                                                  struct clopt_merge merge, bool inside,
                                                  struct clopt_merging *merging,
                                                  struct clopt_divergence **divergence,
                                                  struct clopt_error *error);

/* Returns what takes the place of a node of the original where a merged work-item executes it,
 * number `item` or, if not NULL, the one whose number `given` holds: an identity or a size of the
 * initial NDRange, or the call of a copied function, whose arguments `cloning` clones. NULL for
 * other nodes. */
CLOPT_API struct clopt_node *clopt_merging_node(const struct clopt_merging *merging,
                                                const struct clopt_cloning *cloning,
                                                const struct clopt_node *node, unsigned item,
                                                struct clopt_variable *given);

/* Makes the copies of functions, and divides the sizes in the kernel's attributes; the kernel's
 * body is the caller's to edit. CLOPT_INFEASIBLE where a size is not a multiple. */
CLOPT_API enum clopt_status clopt_merging_finish(const struct clopt_merging *merging,
                                                 struct clopt_error *error);

/* ---- early returns ---- */

/* Whether a guard of a condition is meant. */
typedef bool (*clopt_guard_test)(const struct clopt_node *condition);

/* Makes `if (!c) return;` and what is in it of an `if (c)` without else that is the last statement
 * of the kernel's body, and of one that is the last in that, where these are meant (NULL:
 * all). The tree is another one then. */
CLOPT_API enum clopt_status clopt_guards_open(const struct clopt_transform *transform,
                                              struct clopt_source **source, clopt_guard_test test,
                                              struct clopt_error *error);

/* Finds those statements `if (c) return;` of the kernel's body that not all work-items of a group
 * of `local` take and that `accept` takes (NULL: all), and what differs between those that
 * stay. */
CLOPT_API void clopt_returns_find(struct clopt_source *source, const size_t local[3],
                                  bool (*accept)(void *user, const struct clopt_node *statement),
                                  void *user, struct clopt_nodes *returns,
                                  struct clopt_divergence **divergence);

/* Whether all work-items come to a statement together, or would but for these returns, and those
 * that would have returned come to it and to all calls that are for all as the others do: what that
 * depends on is not guarded. */
CLOPT_API bool clopt_returns_meet(const struct clopt_nodes *returns,
                                  const struct clopt_divergence *divergence,
                                  const struct clopt_node *statement);

/* Lets work-items stay that would return: `returns` are statements `if (c) return;` of the kernel's
 * body. Up to the last collective call of that, what they would not have done is guarded by who
 * goes on, but for such calls and what all do alike; those who do not return after it. `active` is
 * the condition for those that are there from the beginning; NULL: all. If `divergence` is NULL,
 * all that follows may differ between work-items, else what diverges: then they return before where
 * all do that they are merged with. CLOPT_INFEASIBLE where something cannot be guarded. */
CLOPT_API enum clopt_status clopt_returns_guard(struct clopt_source *source,
                                                struct clopt_node *active,
                                                const struct clopt_nodes *returns,
                                                const struct clopt_divergence *divergence,
                                                struct clopt_error *error);

/* Makes branches of returns, `if (c) return; rest` to `if (!c) { rest }`, from the last collective
 * call of the kernel's body on, where what holds them diverges between what `identity` tells apart.
 * Those in a loop or switch stay, in one statement with what follows that. The tree is another one
 * then. */
CLOPT_API enum clopt_status clopt_returns_join(const struct clopt_transform *transform,
                                               struct clopt_source **source,
                                               struct clopt_identity identity,
                                               struct clopt_error *error);

/* Lets flags take the place of jumps that diverge, so that work-items stay in loops of which all
 * have as many iterations, and go through what they would not have come to: continue, break and
 * return in loops, and returns in branches. `masked`: there are some. The tree is another one then.
 */
CLOPT_API enum clopt_status clopt_jumps_mask(const struct clopt_transform *transform,
                                             struct clopt_source **source,
                                             struct clopt_identity identity, bool *masked,
                                             struct clopt_error *error);

/* Whether a statement is one of them. */
static inline bool clopt_returns_has(const struct clopt_nodes *returns,
                                     const struct clopt_node *statement)
{
    for (size_t i = 0; i < returns->count; i++)
        if (returns->items[i] == statement)
            return true;
    return false;
}

/* Whether a value is guarded: those that stay might not be allowed to compute it. */
static inline bool clopt_node_may_fault(const struct clopt_node *value)
{
    return (clopt_node_effects(value) & ~(unsigned)CLOPT_EFFECT_PRIVATE_WRITE) ||
           clopt_node_find_trap(value) || clopt_node_search(value, clopt_node_is_lvalue, NULL);
}

/* ---- elements that a work-group deals out ---- */

/* What the work-items of a group execute together, once for each element: they are dealt out in
 * turn. */
struct clopt_dealing {
    int64_t elements;
    struct clopt_variable *index; /* a const int: the number of the element */
    struct clopt_node *statement; /* what is done; not for an index that is no element's */
};

/* The work-items of a group. */
static inline int64_t clopt_items_of(const size_t local[3])
{
    return (int64_t)(local[0] * local[1] * local[2]);
}

/* Builds it, for groups of `local` work-items. */
CLOPT_API struct clopt_node *clopt_dealing_build(struct clopt_source *source,
                                                 const struct clopt_node *at,
                                                 const struct clopt_dealing *dealing,
                                                 const size_t local[3]);

/* Whether a statement is one that was built for groups of `local`, or one like it: all work-items
 * come to it, what is done for an element does not depend on who does it, and no memory that it
 * accesses is used by anything else between the barriers around it. `divergence` says what differs
 * in a group. */
CLOPT_API bool clopt_dealing_find(const struct clopt_node *node,
                                  const struct clopt_divergence *divergence, const size_t local[3],
                                  struct clopt_dealing *dealing);

/* ---- replicas ---- */

/* The new form of a node, all replicas together; NULL: as it is, or as said below. */
typedef struct clopt_node *(*clopt_form)(void *user, const struct clopt_node *node);

/* Appends the new form of a node; nothing: as it is. */
typedef void (*clopt_form_add)(void *user, const struct clopt_node *node, struct clopt_nodes *made);

struct clopt_coarsening_policy {
    /* Whether replicas execute a statement each in its own way. */
    bool (*is_region)(void *user, const struct clopt_node *statement);
    /* Whether each replica has a variable of its own. */
    bool (*is_several)(void *user, const struct clopt_variable *variable);

    clopt_form region;         /* such a statement; NULL: one replica after the other */
    clopt_form_add declare;    /* a declaration */
    clopt_form_add expression; /* a statement, or the first or last part of a for's head */

    /* What takes the place of a node where one replica executes it, or NULL. */
    struct clopt_node *(*node)(void *user, const struct clopt_node *node, unsigned replica);
};

struct clopt_coarsening {
    struct clopt_source *source;
    const struct clopt_coarsening_policy *policy;
    void *user;
    unsigned factor;                     /* replicas */
    const struct clopt_merging *merging; /* NULL: iterations of a loop are merged */

    /* The engine's own. */
    struct clopt_cloning cloning;
    struct clopt_variable **variables; /* [variable * factor + replica]; NULL: not made yet */
    unsigned replica;                  /* that executes what is cloned */
    bool alone;                        /* it does so without the others */
    size_t region_begin; /* what is declared in the nodes that it does alone is its own */
    size_t region_end;
    const char *leave; /* the label to go to instead of returning, or NULL */
    const struct clopt_node *entered;
};

/* Completes a coarsening whose first five fields are set. */
CLOPT_API void clopt_coarsening_init(struct clopt_coarsening *coarsening);

/* Returns the variable that a replica has in place of a variable; it is made when it is first asked
 * for. That of replica 0 is the variable itself, unless another one was set. */
CLOPT_API struct clopt_variable *clopt_coarsening_variable(struct clopt_coarsening *coarsening,
                                                           const struct clopt_variable *variable,
                                                           unsigned replica);

/* Whether a variable is declared in what one replica executes alone, so that it is its own. */
static inline bool clopt_coarsening_is_inside(const struct clopt_coarsening *coarsening,
                                              const struct clopt_variable *variable)
{
    const struct clopt_node *declarator = variable->declarator;
    return declarator && variable->space != CLOPT_SPACE_LOCAL &&
           declarator->index >= coarsening->region_begin &&
           declarator->index < coarsening->region_end;
}

/* Returns what a statement becomes for all replicas together. */
static inline struct clopt_node *clopt_coarsening_form(const struct clopt_coarsening *coarsening,
                                                       const struct clopt_node *statement)
{
    return clopt_clone(&coarsening->cloning, statement);
}

/* Returns a node as one replica executes it alone. */
CLOPT_API struct clopt_node *clopt_coarsening_replica(struct clopt_coarsening *coarsening,
                                                      const struct clopt_node *node,
                                                      unsigned replica);

/* Returns a statement as one replica after the other executes it; returns end the work of one. */
CLOPT_API struct clopt_node *clopt_coarsening_apart(struct clopt_coarsening *coarsening,
                                                    const struct clopt_node *statement);

/* Returns a statement that is a dealing as fewer work-items execute it; NULL: it is none. */
CLOPT_API struct clopt_node *clopt_dealing_merge(struct clopt_coarsening *coarsening,
                                                 const struct clopt_node *statement);

/* Replaces the body of a kernel whose work-items are merged, and finishes the merging. Refuses
 * collective calls that not all replicas make together, or with equal arguments. */
CLOPT_API enum clopt_status clopt_coarsening_kernel(struct clopt_coarsening *coarsening,
                                                    const struct clopt_divergence *divergence,
                                                    struct clopt_error *error);
