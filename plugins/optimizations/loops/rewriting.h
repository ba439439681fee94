/* SPDX-License-Identifier: BSD-3-Clause */
/* What all changes of loops have in common: a kernel is parsed, its loops are chosen, and its body
 * is printed anew. */
#ifndef LOOPS_REWRITING_H
#define LOOPS_REWRITING_H

#include <clopt/loop.h>
#include <clopt/optimization.h>
#include <clopt/source.h>

struct rewriting {
    struct clopt_source *source;
    struct clopt_output *output;
    struct clopt_printer printer; /* its replace is the change; its user is the caller's */
    const char *loops;
    int *factors; /* by node: of a chosen loop; 0: full, -1: not chosen */
    enum clopt_status status;
    struct clopt_error *error;
    size_t changed;           /* loops */
    struct clopt_error first; /* why one was not, where loops are not chosen by number */
};

/* Chooses the loops; `factor` is that of loops that have none of their own. */
enum clopt_status rewriting_init(struct rewriting *rewriting,
                                 const struct clopt_transform *transform, const char *loops,
                                 unsigned factor, struct clopt_error *error);

/* Counts a loop as changed (CLOPT_OK), or remembers why it is not: loops that are chosen by number
 * must all be changed, of others at least one. Returns whether it is. */
bool rewriting_decide(struct rewriting *rewriting, enum clopt_status status,
                      const struct clopt_error *error);

/* Prints the kernel's body anew and hands the program over. */
enum clopt_status rewriting_finish(struct rewriting *rewriting, struct clopt_transform *transform);

void rewriting_fini(struct rewriting *rewriting);

/* Whether something that takes the place of a statement needs braces of its own. */
bool rewriting_needs_braces(const struct clopt_node *statement);

#endif
