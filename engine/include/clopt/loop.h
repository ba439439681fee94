/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops of a kernel: how they are chosen, which of them count, what their indices are made of, and
 * which iterations depend on each other through memory. */
#pragma once

#include <clopt/affine.h>
#include <clopt/rewrite.h>

/* ---- choosing loops ---- */

/* Checks the value of a parameter that chooses loops of a kernel: innermost, outer, nests
 * (outer ones that hold others), all, or numbers in the order of the text, joined by +; 3*4 and
 * 3*full give loop 3 a factor of its own. CLOPT_INVALID says what it should have been. */
CLOPT_API enum clopt_status clopt_loops_check(const char *loops, struct clopt_error *error);

/* ---- loops that count ---- */

/* What a variable is in a replica of a body: a known value, or itself with a distance. */
struct clopt_binding {
    const struct clopt_binding *outer;
    const struct clopt_variable *variable;
    bool known;
    int64_t value;    /* where known */
    int64_t distance; /* else: the copy sees the variable plus this */
};

/* A loop that counts: for (v = first; v < bound; v += step), or downwards. */
struct clopt_trip {
    const struct clopt_variable *counter;
    const struct clopt_node *first; /* the initial value, NULL if the head has none */
    const struct clopt_node *bound;
    bool declared;  /* in the loop's head */
    bool inclusive; /* <= or >= */
    bool unequal;   /* !=: how many iterations follow cannot be told by subtracting */
    int64_t step;   /* negative downwards */
    bool first_known;
    int64_t first_value;
    bool count_known;
    int64_t count;
};

/* Finds out whether a loop counts; false where it does something else. */
CLOPT_API bool clopt_trip_find(const struct clopt_node *loop, const struct clopt_binding *bindings,
                               struct clopt_trip *trip);

/* How many iterations a loop has, where that is a number: also from k to below k + 16; 0: not
 * known, or none. */
CLOPT_API int64_t clopt_trip_count(const struct clopt_node *loop);

#define CLOPT_MOST_ITERATIONS 1024

/* A loop whose counter takes values that are known: also one that is halved or doubled. */
struct clopt_iterations {
    const struct clopt_variable *counter;
    bool declared; /* in the loop's head */
    size_t count;
    int64_t values[CLOPT_MOST_ITERATIONS + 1]; /* the last is what ends the loop */
};

/* Finds the values; false where they are not known, or too many. */
CLOPT_API bool clopt_iterations_find(const struct clopt_node *loop,
                                     const struct clopt_binding *bindings,
                                     struct clopt_iterations *iterations);

/* Whether an expression has the same value in every iteration of a loop, and no effect. */
CLOPT_API bool clopt_loop_is_invariant(const struct clopt_node *loop,
                                       const struct clopt_node *node);

/* Refuses a loop if it does not count, or holds a break or goto; if its iterations are to be
 * executed in another order (`reordered`), also if it holds other jumps out of an iteration,
 * barriers, atomics and the like, or pointers to private memory. `change` says what the loop is to
 * be: "split". Fills in `trip`, as clopt_trip_find() does. */
CLOPT_API enum clopt_status clopt_loop_check_order(const struct clopt_source *source,
                                                   const struct clopt_node *loop, bool reordered,
                                                   const char *change, struct clopt_trip *trip,
                                                   struct clopt_error *error);

/* A loop whose iterations are not to be executed one after the other. */
struct clopt_iteration_order {
    const struct clopt_source *source;
    const struct clopt_node *loop;
    const struct clopt_trip *trip;
    int64_t most;           /* how many iterations before its turn one is executed, at most */
    bool in_order;          /* what one statement stores is stored in the order of iterations */
    bool reassociate;       /* floating-point numbers may be accumulated in another order */
    const char *so;         /* what dependences forbid: "the loop cannot be divided" */
    const char **operators; /* of the variables that are accumulated, by number: filled in */
    bool *ordered; /* by variable: plain statements need it, and keep the order: filled, or NULL */
    bool *handled; /* by variable: the caller handles its dependence, or NULL */
};

/* Refuses a loop if an iteration needs what an earlier one leaves, but for what is accumulated. */
CLOPT_API enum clopt_status clopt_loop_check_iterations(const struct clopt_iteration_order *order,
                                                        struct clopt_error *error);

/* Returns the condition under which `iterations` more follow, where so many are done at once;
 * `cloning` gives what is cloned its new form. */
CLOPT_API struct clopt_node *clopt_trip_condition(const struct clopt_cloning *cloning,
                                                  const struct clopt_node *loop,
                                                  const struct clopt_trip *trip,
                                                  unsigned iterations);

/* Finds a break, continue or return that leaves this loop or its iteration; `kind` says which. */
CLOPT_API const struct clopt_node *clopt_loop_find_jump(const struct clopt_node *loop,
                                                        enum clopt_node_kind kind);

/* Whether what a variable holds once a loop is done is not read, because loops that use it after
 * that set it first. */
CLOPT_API bool clopt_loop_ends_variable(const struct clopt_node *loop,
                                        const struct clopt_variable *variable);

/* The loop-carried dependence through a private variable that the iterations of a loop write. */
enum clopt_dependence {
    CLOPT_DEPENDENCE_NONE,      /* every iteration writes it before it reads it, or has its own */
    CLOPT_DEPENDENCE_REDUCTION, /* it is accumulated, and read by nothing else */
    CLOPT_DEPENDENCE_OTHER,     /* anything else */
};

/* Finds that out; `operator` is that of an accumulation: "+" (also for -), "*", "&", "|", "^",
 * "min", "max", "fmin" or "fmax". */
CLOPT_API enum clopt_dependence clopt_loop_dependence(const struct clopt_node *loop,
                                                      const struct clopt_variable *variable,
                                                      const char **op);

/* Whether such an operator is that of a function; what accumulating by one of the others begins
 * with, so that it changes nothing. */
static inline bool clopt_operator_is_call(const char *op)
{
    return op[0] == 'm' || op[0] == 'f';
}
static inline int clopt_operator_start(const char *op)
{
    return *op == '*' ? 1 : *op == '&' ? -1 : 0;
}

/* ---- memory accesses ---- */

enum { CLOPT_MOST_INDICES = 8 };

/* Finds by how many elements subscript `b` of an array is after subscript `a` of the same array;
 * false where that is not known. */
CLOPT_API bool clopt_subscript_distance(const struct clopt_node *a, const struct clopt_node *b,
                                        int64_t *distance);

/* A place in memory that an expression reads or writes, other than a private variable as a whole.
 */
struct clopt_access {
    const struct clopt_node *node;
    const struct clopt_variable *base; /* the pointer or array that leads there; NULL: not known */
    const struct clopt_variable
        *root; /* the array or parameter that it points into; NULL: not known */
    enum clopt_space space;
    bool anywhere; /* in what base leads to, else at `indices` */
    bool reads;
    bool writes;
    unsigned index_count;
    const struct clopt_node *indices[CLOPT_MOST_INDICES]; /* the outermost first; NULL: 0 */
};

/* Takes a variable, a[i], or a[i][j] apart: its base and indices. The base of something else is
 * NULL. */
CLOPT_API struct clopt_access clopt_access_of(const struct clopt_node *node);

/* Returns the first use of a variable below a node that is more than an access to one whole
 * a[i][j], *p, or what a variable holds that is no address; NULL where there is none. `given`:
 * vload, vstore and atomics may be given the address of an element. */
CLOPT_API const struct clopt_node *clopt_variable_find_other_use(
    const struct clopt_variable *variable, const struct clopt_node *node, bool given);

struct clopt_accesses {
    struct clopt_access *items;
    size_t count;
};

/* Adds every memory access below a node. */
CLOPT_API void clopt_accesses_add(struct clopt_accesses *accesses, const struct clopt_node *node);
CLOPT_API void clopt_accesses_fini(struct clopt_accesses *accesses);

/* Iterations between two accesses: from `least` to `most`. */
struct clopt_distance {
    int64_t least;
    int64_t most;
};

#define CLOPT_MOST_NEST 3

/* Loops around both accesses, the outermost first. */
struct clopt_nest {
    unsigned depth; /* from 1 on */
    const struct clopt_node *loops[CLOPT_MOST_NEST];
    const struct clopt_trip *trips[CLOPT_MOST_NEST];
};

/* As many iterations as there may be. */
#define CLOPT_MANY_ITERATIONS INT64_C(0x80000000)

/* Whether b may access the memory that a accesses, where b is `distances` iterations later. Two
 * reads never depend on each other. Pointers to global memory may be equal unless one is restrict.
 * What the body of the innermost loop declares each iteration has of its own. */
CLOPT_API bool clopt_accesses_depend(const struct clopt_nest *nest, const struct clopt_access *a,
                                     const struct clopt_access *b,
                                     const struct clopt_distance *distances);

/* Whether two accesses may be to the same object. */
CLOPT_API bool clopt_accesses_alias(const struct clopt_access *a, const struct clopt_access *b);

/* ---- scalar replacement ---- */

/* Replaces elements of arrays in local and global memory by private variables while loops
 * accumulate in them: elements at a subscript that does not change, for as long as nothing else may
 * access them. An element that a loop might not access at all is loaded only where it does.
 * `factors` chooses the loops, as in struct clopt_rewriting; NULL: all of them. Returns how
 * many elements there are. */
CLOPT_API size_t clopt_scalars_replace(struct clopt_source *source, const int *factors);

/* ---- exchanges ---- */

/* Replaces branches that exchange two private integers, or keep the lesser or the greater one, as
 * in if (a < b) a = b, by min and max. Returns how many there are. */
CLOPT_API size_t clopt_exchanges_replace(struct clopt_source *source);

/* ---- tiling ---- */

/* A loop that is to be executed tile by tile. */
struct clopt_tiling {
    struct clopt_source *source;
    struct clopt_node *loop;
    int64_t size; /* of a tile, in iterations */
    /* What checking and building find out. */
    struct clopt_trip trip;
    bool whole; /* all tiles are known to be */
    bool wide;  /* the last tile might wrap where counters have 32 bits */
    bool rest;  /* what tiles leave is a loop of its own */
};

/* Refuses a loop that has no tiles of the size: CLOPT_INFEASIBLE. The first three fields are given.
 */
CLOPT_API enum clopt_status clopt_tiling_check(struct clopt_tiling *tiling,
                                               struct clopt_error *error);

/* Edits the tree for loops that were checked, each the whole body of the one before, of which the
 * iterations may be done in any order: the loops over tiles come first. A loop on its own has its
 * order; its tiles are whole, and what they leave is a loop after them. */
CLOPT_API enum clopt_status clopt_tilings_build(struct clopt_tiling *tilings, unsigned depth,
                                                struct clopt_error *error);

/* ---- rewriting loops ---- */

/* A kernel whose chosen loops are edited. */
struct clopt_rewriting {
    struct clopt_source *source;
    const char *loops;
    int *factors; /* by node: of a chosen loop; 0: full, -1: not chosen */
    struct clopt_nodes chosen;
    enum clopt_status status;
    struct clopt_error *error;
    size_t changed;           /* loops */
    struct clopt_error first; /* why one was not, where loops are not chosen by number */
};

/* Chooses the loops; `factor` is that of loops that have none of their own. To be finished in any
 * case. */
CLOPT_API enum clopt_status clopt_rewriting_init(struct clopt_rewriting *rewriting,
                                                 const struct clopt_transform *transform,
                                                 const char *loops, unsigned factor,
                                                 struct clopt_error *error);

/* Counts a loop as changed (CLOPT_OK), or remembers why it is not: loops that are chosen by number
 * must all be changed, of others at least one. Returns whether it is. */
CLOPT_API bool clopt_rewriting_decide(struct clopt_rewriting *rewriting, enum clopt_status status,
                                      const struct clopt_error *error);

/* Hands the edited program over, unless something failed, and ends the rewriting. */
CLOPT_API enum clopt_status clopt_rewriting_finish(struct clopt_rewriting *rewriting,
                                                   struct clopt_transform *transform);

/* Edits the tree for a chosen loop; CLOPT_INFEASIBLE where that is not possible. Loops inside it
 * that it changes as well are no longer chosen: it sets their factors to -1. */
typedef enum clopt_status (*clopt_loop_change)(void *user, struct clopt_rewriting *rewriting,
                                               struct clopt_node *loop, struct clopt_error *error);

/* Changes the chosen loops, outer ones before those inside them, and hands the program over. Loops
 * that are chosen by number must all be changed, of others at least one. */
CLOPT_API enum clopt_status clopt_loops_rewrite(struct clopt_transform *transform,
                                                const char *loops, unsigned factor,
                                                clopt_loop_change change, void *user,
                                                struct clopt_error *error);

/* ---- affine forms of expressions ---- */

/* How the parts of an expression are read that are not taken apart. */
struct clopt_affine_reader {
    /* Reads a variable, a call, memory and so on; false where it has no form. */
    bool (*read)(void *user, const struct clopt_node *node, struct clopt_affine *affine);
    /* Whether an expression is not taken apart although it could be; NULL: none. */
    bool (*is_whole)(void *user, const struct clopt_node *node);
    void *user;
};

/* Reads an integer expression: sums, differences, products, shifts and conversions of integers of
 * 32 bits or more, and whatever operators make of numbers. False where it does not fit. */
CLOPT_API bool clopt_affine_evaluate(const struct clopt_affine_reader *reader,
                                     const struct clopt_node *node, struct clopt_affine *affine);
