/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether memory may be read although the branch that reads it is not taken.
 *
 * What a work-item accesses anyway, just before the branch or in its other side, it may read; and
 * so it may read any element of an array whose size is declared, unless others write to it at the
 * time. Elsewhere, an address of that kind takes the place of the one that is not safe. */
#ifndef BRANCHES_READS_H
#define BRANCHES_READS_H

#include <clopt/loop.h>

/* Where a read is done: below `branch`, the outermost `if` that becomes selects. */
struct read_place {
    const struct clopt_function *kernel;
    const struct clopt_node *branch;
    const struct clopt_node *other; /* what is done instead, where all of it is; or NULL */
};

enum read_kind {
    READ_UNSAFE,
    READ_AS_IT_IS,
    READ_ELEMENT, /* element 0 instead, where the branch is not taken */
    READ_LIKE,    /* what `like` reads instead */
};

struct read {
    enum read_kind kind;
    const struct clopt_node *like;
};

/* Whether a node reads or writes memory: a whole a[i][j], *p, p->m, or a variable that is shared by
 * a work-group. */
bool is_memory(const struct clopt_node *node);

/* Finds out how a node that is_memory can be read whether the branch is taken or not. */
struct read read_find(const struct read_place *place, const struct clopt_node *node);

#endif
