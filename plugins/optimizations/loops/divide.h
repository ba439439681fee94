/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops that are divided among work-items: what is checked before they are edited. */
#pragma once

#include <clopt/coarsen.h>

#include "extremum.h"
#include "loops.h"
#include "scan.h"

struct dividing {
    struct clopt_source *source;
    unsigned parts;  /* work-items that share a loop */
    unsigned unit;   /* work-items from one part to the next */
    unsigned groups; /* work-groups that do */
    unsigned dimensions;
    size_t variables; /* as the source was read */
    bool reassociate;
    size_t local[3];
    struct clopt_nodes returns;
    struct clopt_divergence *divergence;
    struct clopt_nodes loops;        /* that are divided */
    struct clopt_node **places;      /* by loop: after this the results are united, */
    struct clopt_node *shared;       /* the loop that work-groups share; NULL: none */
    const char **operators;          /* of results: by loop * variable_count + variable, or NULL */
    struct extrema *extrema;         /* by loop: results of another kind, */
    struct scans *scans;             /* and what iterations read meanwhile */
    struct clopt_nodes waits;        /* statements before which all parts wait for each other */
    bool global;                     /* parts read from global memory what others have written */
    struct clopt_variable *part;     /* the number of a work-item among those of one, */
    struct clopt_variable *share;    /* and of its group among those that share */
    struct clopt_variable *partials; /* the buffer that has what these accumulate, */
    struct clopt_variable *arrived;  /* and how many of them came before one */
    size_t words;                    /* and for each work-item so many results of 32 bits */
    struct clopt_nodes declarations; /* of local memory */
};

/* The loop that is divided and holds a node; NULL: there is none. */
static inline struct clopt_node *divided_loop_of(const struct dividing *dividing,
                                                 const struct clopt_node *node)
{
    for (size_t i = 0; i < dividing->loops.count; i++)
        if (clopt_node_contains(dividing->loops.items[i], node))
            return dividing->loops.items[i];
    return NULL;
}

/* Whether a divided loop has results. */
static inline bool divided_has_results(const struct dividing *dividing, size_t loop)
{
    for (size_t i = 0; i < dividing->variables; i++)
        if (dividing->operators[loop * dividing->variables + i])
            return true;
    return dividing->extrema[loop].count > 0;
}

/* Returns a barrier for what parts write for each other. */
static inline struct clopt_node *divided_barrier(const struct dividing *dividing)
{
    return clopt_build(dividing->source, NULL,
                       dividing->global ? "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"
                                        : "barrier(CLK_LOCAL_MEM_FENCE);");
}

/* Declares an array in local memory with an element for each work-item, after `first` dimensions
 * ("" or "[2]"); its name is the variable's and an ending. */
struct clopt_variable *divided_array(struct dividing *dividing,
                                     const struct clopt_variable *variable, const char *first,
                                     const char *ending);

/* Returns the row of such an array, or of a part of it, that a work-item has. */
struct clopt_node *divided_row(const struct dividing *dividing, struct clopt_node *array);

/* Whether all that the counter of a loop becomes, by the steps of parts and groups, is known to
 * have 31 bits. */
static inline bool divided_is_near(const struct dividing *dividing, const struct clopt_trip *trip)
{
    const int64_t most = INT32_MAX / 4, step = trip->step < 0 ? -trip->step : trip->step;
    return trip->first_known && trip->count_known && trip->first_value <= most &&
           trip->first_value >= -most && step <= most && trip->count <= most / step &&
           (int64_t)dividing->parts * dividing->groups <= most / step;
}

/* Whether the counter is to have 64 bits: it might wrap where it begins at an unknown value other
 * than an identity, goes down without a sign, or goes by large steps to an unknown end. */
static inline bool divided_is_wide(const struct dividing *dividing, const struct clopt_trip *trip)
{
    return (!trip->first_known && clopt_node_identity(trip->first, 32) == 3) ||
           (trip->step < 0 && !trip->counter->is_signed) ||
           (dividing->groups > 1 && trip->counter->bits == 32 && !divided_is_near(dividing, trip));
}

/* Whether a call asks for the global identity or size, of a dimension that may be 0. */
static inline bool divided_asks(const struct clopt_node *node, const void *user)
{
    (void)user;
    bool asks =
        clopt_node_calls(node, "get_global_id") || clopt_node_calls(node, "get_global_size");
    return asks &&
           !(node->child_count == 1 && node->children[0]->known && node->children[0]->value);
}

/* Refuses a kernel that asks for what depends on the number of work-items. */
enum clopt_status divided_check_kernel(const struct dividing *dividing, struct clopt_error *error);

/* Refuses a loop whose iterations depend on each other; notes its results as those of the loop that
 * is added next. */
enum clopt_status divided_check_loop(struct dividing *dividing, struct clopt_node *loop,
                                     struct clopt_error *error);

/* Has the parts take as many iterations at once as they are, of which each finds by a scan of all
 * their terms what the sums are before its own. */
void divided_scan(struct dividing *dividing, struct clopt_node *loop, const struct scans *scans);

/* What work-groups do for each other after a loop, while it is built. */
struct sharing {
    struct clopt_variable *first;  /* the word of the buffer that counts who came, */
    struct clopt_variable *item;   /* that with a work-item's first result in the first group, */
    struct clopt_variable *slot;   /* in its own, */
    struct clopt_variable *from;   /* and in the one that is read */
    struct clopt_variable *stored; /* what is found in its own */
    struct clopt_nodes stores, starts, reads;
    unsigned word; /* of the next result */
};

/* Refuses a loop that work-groups cannot share. */
enum clopt_status divided_check_share(struct dividing *dividing, size_t index,
                                      const struct clopt_ndrange *ndrange,
                                      struct clopt_error *error);

/* The bytes of the buffer of partial results for each work-group; 0: there is none. */
size_t divided_bytes(const struct dividing *dividing);

/* Makes the variables by which work-groups share a loop; none, where none is shared. */
void divided_declare_share(struct dividing *dividing);

/* Replaces what asks for the number of a work-item by what that was before work-groups shared a
 * loop; false: the node does not ask. */
bool divided_share_identity(const struct dividing *dividing, struct clopt_node *node);

/* Adds what unites the results of the work-groups that share a loop: the one that comes last has
 * them, */
void divided_share(struct dividing *dividing, size_t index, struct clopt_nodes *list);

/* and the return of the others, after whatever its parts do with them. */
void divided_leave(struct dividing *dividing, const struct clopt_node *loop,
                   struct clopt_nodes *list);

/* Refuses what parts would do to memory that others access meanwhile, and finds where they have to
 * wait for each other. */
enum clopt_status divided_check_accesses(struct dividing *dividing, struct clopt_error *error);
