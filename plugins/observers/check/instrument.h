/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files share that rewrite a kernel to check itself. */
#pragma once

#include <clopt/divergence.h>
#include <clopt/rewrite.h>

#include "observers/check/bases.h"
#include "text/text.h"

/* What an access does; check.cl has the same. */
#define CLOPT_ACCESS_READS  1
#define CLOPT_ACCESS_WRITES 2

#define CLOPT_MOST_KEPT 64 /* variables of a work-item that change where it is off */

/* An index that must not leave its row. */
struct clopt_row_index {
    size_t length; /* elements; 0: nothing is to be checked */
    size_t bytes;
    unsigned base, row, site;
};

struct clopt_instrumenter {
    struct clopt_source *source;
    struct clopt_check_program *program;
    struct clopt_roots roots;
    struct clopt_cloning cloning;
    const char **copies;          /* by function: the name of the copy that is called; NULL: none */
    bool *plain;                  /* by node: it is cloned as it is, apart from what it holds */
    unsigned char *how;           /* by node: what an access does; 0: it reads */
    struct clopt_row_index *rows; /* by node: of the index of a row */
    struct clopt_region **regions; /* by node: of a loop or its body, in which some are off */
    bool *entered;                 /* by node: the body of a loop that notes that it is entered */
    bool *reached;                 /* by function: the kernel comes to it */
    bool asks;                     /* work-items are asked whether they reach barriers */
    struct clopt_text stores;      /* functions for assignments that the program needs */
    struct clopt_divergence *divergence;
    size_t node_count; /* of the source as it was read */
};

/* Notes an expression at which something is checked, and returns its number. */
unsigned clopt_instrumenter_site(struct clopt_instrumenter *instrumenter,
                                 const struct clopt_node *node, unsigned how);

/* Finds the functions that the kernel comes to. */
void clopt_instrumenter_reach(struct clopt_instrumenter *instrumenter,
                              const struct clopt_function *function);

/* Has the body of a loop note that it is entered; NULL: it is none. */
struct clopt_node *clopt_instrument_body(struct clopt_instrumenter *instrumenter,
                                         const struct clopt_node *node);

/* Rewrites a ?:, && or || on which it depends whether a barrier is reached; NULL: it is none. */
struct clopt_node *clopt_instrument_choice(struct clopt_instrumenter *instrumenter,
                                           const struct clopt_node *node);

/* Rewrites a statement on which it depends whether a barrier is reached; NULL: it is none. */
struct clopt_node *clopt_instrument_control(struct clopt_instrumenter *instrumenter,
                                            const struct clopt_node *node);

/* Rewrites the index of a row that has to be checked; NULL: it is none. */
struct clopt_node *clopt_instrument_index(struct clopt_instrumenter *instrumenter,
                                          const struct clopt_node *node);

/* Rewrites an access to memory, a call of a function that accesses it, or a division; NULL: it is
 * none. */
struct clopt_node *clopt_instrument_access(struct clopt_instrumenter *instrumenter,
                                           const struct clopt_node *node);
struct clopt_node *clopt_instrument_call(struct clopt_instrumenter *instrumenter,
                                         const struct clopt_node *node);
struct clopt_node *clopt_instrument_arithmetic(struct clopt_instrumenter *instrumenter,
                                               const struct clopt_node *node);
