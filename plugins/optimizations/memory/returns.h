/* SPDX-License-Identifier: BSD-3-Clause */
/* Work-items that return at once because they are past the end: `if (x >= n) return;`. They stay to
 * help, and do nothing else. */
#ifndef MEMORY_RETURNS_H
#define MEMORY_RETURNS_H

#include <clopt/rewrite.h>

#define RETURNS_MOST 4

/* Work-items of a dimension whose global identity is `bound` or more have returned. */
struct limit {
    unsigned dimension;
    const struct clopt_node *bound;
    int64_t more; /* that is to be added to bound: 1 where it is the last one that stays */
};

struct returns {
    struct clopt_node *statements[RETURNS_MOST];
    size_t count;
    struct limit limits[2 * RETURNS_MOST];
    size_t limit_count;
    struct clopt_variable *active;
};

/* Reads `if (...) return;` of the kernel's body. False, and nothing is added, where it is something
 * else, or compares something else than identities with bounds. */
bool returns_add(struct returns *returns, struct clopt_node *statement);

/* Whether a statement is one of them. */
bool returns_has(const struct returns *returns, const struct clopt_node *statement);

/* Whether work-items that would have returned go through the loops around a statement as the others
 * do: what these depend on is not guarded. */
bool returns_follow(const struct returns *returns, const struct clopt_node *statement);

/* Lets work-items stay that would have returned: all statements after that are guarded, down to
 * those that hold one of the `count` statements in `met`, to which all come. */
void returns_guard(struct clopt_source *source, struct returns *returns,
                   struct clopt_node *const *met, size_t count);

#endif
