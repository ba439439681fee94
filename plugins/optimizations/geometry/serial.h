/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known of a kernel while one dimension of its work-groups is serialized. */
#pragma once

#include <clopt/coarsen.h>

#define OUTSIDE 0 /* the number of what is in no run */

/* What a variable is where statements before and after a barrier use it. */
struct held {
    size_t run;                   /* the first one that uses it */
    bool crosses;                 /* another one does, too */
    bool outside;                 /* what is in no run does */
    bool changes;                 /* a run declares or changes it */
    bool repeated;                /* its declaration may be computed again */
    size_t brought;               /* the last run in which what that needs is noted */
    struct clopt_variable *array; /* where it is kept between loops over the work-items */
    bool joined;                  /* with others, among which it has a number */
    unsigned number;
};

struct serial {
    struct clopt_source *source;
    const struct clopt_merging *merging;
    const struct clopt_divergence *divergence;
    bool last; /* a group of one work-item is left: it needs no barriers */
    struct clopt_variable *item;
    size_t *runs; /* by node: the run that a statement is in */
    size_t run_count;
    struct held *held; /* by variable */
    size_t bytes;
    size_t run; /* that is looked at, or built */
    const struct clopt_node *problem;
    const char *name; /* of a variable that is the problem, or "" */
    const char *reason;
    struct clopt_nodes arrays; /* their declarations */
};

/* Whether a statement is what work-items deal out among them. */
bool serial_is_dealing(const struct serial *serial, const struct clopt_node *node,
                       struct clopt_dealing *dealing);

/* Whether a node is either of them: a test for searches. */
bool serial_is_together(const struct clopt_node *node, const void *serial);

/* The statement that pragmas and attributes are of. */
static inline const struct clopt_node *serial_held_by(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_ATTRIBUTED ? node->body : node;
}

/* Whether an expression is the number of a work-item in a dimension, or a name of it. */
bool serial_is_item(const struct clopt_node *node, unsigned dimension);

/* Has one work-item do scans of integers that a work-group does by steps that double; `size`
 * work-items in `dimension` are the whole group. Returns whether there was one. */
bool serial_replace_scans(struct clopt_source *source, unsigned dimension, size_t size);

/* Builds a list of statements, of which runs become loops. */
struct clopt_node *serial_build_part(struct serial *serial, const struct clopt_node *part);
