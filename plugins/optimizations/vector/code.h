/* SPDX-License-Identifier: BSD-3-Clause */
/* What vector decides where merged work-items, or iterations, differ: they become the lanes of
 * vectors.
 *
 * All functions take nodes of the kernel as it was read and return new ones. None of them changes
 * the kernel: what gains nothing is dropped. */
#pragma once

#include <clopt/coarsen.h>
#include <clopt/loop.h>

#include "plan.h"

#define CODE_MOST_LANES  16
#define CODE_NO_FUNCTION "functions: none is called whose accuracy alone is defined"

struct side;

/* What is taken back where a part that was built is dropped: it gains nothing. */
struct code_gains {
    unsigned operations;         /* on vectors, loads and stores */
    bool functions;              /* whose accuracy alone is defined were called with vectors */
    bool numbers[CLOPT_SCALARS]; /* the vectors 0, 1, 2, ... that were used */
};

struct code {
    struct clopt_coarsening coarsening; /* whose replicas are the lanes */
    unsigned width;
    struct clopt_source *source;
    const struct plan *plan;
    struct alignment alignment;     /* all zero: nothing is known to be aligned */
    struct clopt_variable **shared; /* by node: the vector that holds what it loads; NULL: none */
    size_t shared_until;            /* statements before this number were looked at for that */
    size_t shuffles;                /* that took the place of loads so far */
    struct clopt_variable *numbers[CLOPT_SCALARS]; /* the vectors 0, 1, 2, ...; or NULL */
    const bool *ordered; /* by variable: lanes change it one after the other; NULL: none */
    struct clopt_variable **parts; /* by node: the vector whose component lanes have of it; NULL */
    const struct side *side;       /* of a branch that becomes selections, or NULL */
    const struct clopt_node *condition; /* in place of which lanes read their component of */
    struct clopt_variable *mask;        /* this, or NULL */
    bool functions;    /* call those with vectors whose accuracy alone is defined */
    unsigned numbered; /* names so far */
    struct code_gains gains;
    const struct clopt_node *obstacle; /* the first node that was left to the lanes, or NULL */
    const char *reason;                /* why */
};

/* ---- scalars ---- */

/* The type in which vectors hold values of a type. */
static inline enum clopt_scalar scalar_held(enum clopt_scalar scalar)
{
    return scalar == CLOPT_SCALAR_BOOL ? CLOPT_SCALAR_INT : scalar;
}

/* The name of a type, or of its vectors before their width. bool goes by int, which holds 0 or 1.
 */
static inline const char *scalar_name(enum clopt_scalar scalar)
{
    return clopt_scalar_name(scalar_held(scalar));
}

/* The integer promotions, and the usual arithmetic conversions. */
static inline enum clopt_scalar scalar_promote(enum clopt_scalar scalar)
{
    return clopt_scalar_is_integer(scalar) && clopt_scalar_bits(scalar) < 32 ? CLOPT_SCALAR_INT
                                                                             : scalar;
}

static inline enum clopt_scalar scalar_common(enum clopt_scalar a, enum clopt_scalar b)
{
    /* Of two types the one that comes later in the enumeration can hold or outranks the other. */
    a = scalar_promote(a);
    b = scalar_promote(b);
    return a > b ? a : b;
}

/* ---- beginning and end ---- */

/* Completes what has its width, source and plan; `merging` is NULL where iterations are merged.
 * `share`: overlapping loads become shuffles. */
void code_init(struct code *code, const struct clopt_merging *merging, bool share);

/* Builds a node, builds one at the end of a list, and adds one to it. */
#define code_build(code, ...) clopt_build((code)->source, __VA_ARGS__)

#define code_put(code, list, ...) clopt_nodes_put((code)->source, list, __VA_ARGS__)

static inline void code_add(struct code *code, struct clopt_nodes *list, struct clopt_node *node)
{
    clopt_nodes_add(code->source, list, node);
}

/* Returns a node as one lane executes it, and a statement as all of them do. */
static inline struct clopt_node *code_lane(struct code *code, const struct clopt_node *node,
                                           unsigned lane)
{
    return clopt_coarsening_replica(&code->coarsening, node, lane);
}

static inline struct clopt_node *code_statement(struct code *code, const struct clopt_node *node)
{
    return clopt_coarsening_form(&code->coarsening, node);
}

/* Remembers what prevented vector code. */
void code_note(struct code *code, const struct clopt_node *node, const char *reason);

static inline bool code_diverges(const struct code *code, const struct clopt_node *node)
{
    return clopt_node_diverges(code->plan->divergence, node);
}

/* ---- variables ---- */

/* Whether a vector takes the place of a variable that is declared outside of what lanes execute. */
bool code_is_outer(const struct code *code, const struct clopt_variable *variable);

/* Makes a constant vector, or scalar, whose name is `base` with the next number. */
struct clopt_variable *code_make_next(struct code *code, enum clopt_scalar type, unsigned width,
                                      const char *base);

/* Returns the vector 0, 1, 2, ...; and adds the declarations of those that were used so far. */
struct clopt_variable *code_numbers(struct code *code, enum clopt_scalar type);
void code_add_numbers(struct code *code, struct clopt_nodes *list);

/* The name of a vector's component: s0 to sf. */
const char *code_component(unsigned lane);

/* ---- expressions ---- */

/* Whether vectors can hold what an expression gives. */
bool code_has_vectors(const struct clopt_node *node);

/* Whether a function of OpenCL works on vectors as it does on scalars. */
bool code_takes_vectors(const struct code *code, const struct clopt_node *call);

/* Whether lanes may evaluate an expression for which the kernel does not: it has no effect, reads
 * no memory and cannot trap. */
bool code_is_safe(const struct clopt_node *node);

/* Whether evaluating an expression once more or in another order makes a difference. */
bool code_has_effects(const struct clopt_node *node);

/* Returns the value of an expression, converted to a type: as a vector if it diverges. A uniform
 * one is a scalar unless `splat`. */
struct clopt_node *code_value(struct code *code, const struct clopt_node *node,
                              enum clopt_scalar type, bool splat);

/* ---- masks ---- */

/* Whether an expression is a comparison, &&, || or !. */
bool code_is_truth(const struct clopt_node *node);

/* Returns where a condition holds, or where it does not, as an int vector of 0 and -1. */
struct clopt_node *code_mask(struct code *code, const struct clopt_node *node, bool holds);

/* Returns one number for the lanes that a mask sets, and another one for the others. */
struct clopt_node *code_choose(struct code *code, struct clopt_node *mask, int set, int clear);

/* Returns a mask as select operators on a type want it. */
struct clopt_node *code_mask_for(struct code *code, struct clopt_node *mask,
                                 enum clopt_scalar type);

/* ---- lvalues ---- */

/* Whether a node names a variable, or an element of an array, that is a vector at the same lvalue
 * for all lanes; and returns it. */
bool code_is_vector_lvalue(const struct code *code, const struct clopt_node *node);
struct clopt_node *code_vector_lvalue(struct code *code, const struct clopt_node *node);

/* Returns what takes the place of a node where one lane executes it; NULL: the node. */
struct clopt_node *code_node_of_lane(void *user, const struct clopt_node *node, unsigned lane);

/* Whether a node names elements of memory that are a constant distance apart, and which. */
bool code_has_stride(const struct code *code, const struct clopt_node *node, int64_t *stride);

/* Whether these are neighbours, upwards or downwards. */
bool code_is_row(const struct code *code, const struct clopt_node *node, int64_t *stride);

/* Returns so many elements at an address in what a node is an element of. */
struct clopt_node *code_load_at(struct code *code, const struct clopt_node *node, unsigned width,
                                struct clopt_node *address, bool aligned);

/* Loads a row, and stores to one. */
struct clopt_node *code_load(struct code *code, const struct clopt_node *node, int64_t stride);
struct clopt_node *code_store(struct code *code, const struct clopt_node *node, int64_t stride,
                              struct clopt_node *value);

/* Stores lanes that are short vectors themselves as one vector, which is aligned. */
struct clopt_node *code_store_wide(struct code *code, const struct clopt_node *node,
                                   const struct clopt_nodes *lanes);

/* ---- statements ---- */

/* Returns what an assignment, ++ or -- assigns to its place, as a vector. */
struct clopt_node *code_new_value(struct code *code, const struct clopt_node *node);

/* Adds what a declaration, or an expression that is a statement or in a for's head, becomes. */
void code_add_declarations(void *user, const struct clopt_node *node, struct clopt_nodes *list);
void code_add_expressions(void *user, const struct clopt_node *node, struct clopt_nodes *list);

/* Adds as vectors what does not have to wait for the lane before, in the largest parts from which
 * something is gained; lanes have their components of these in place of it. */
void code_add_parts(struct code *code, const struct clopt_node *node, struct clopt_nodes *list);

/* Builds the body of a loop whose iterations are lanes, some statements of which may have to wait
 * for the lane before. */
enum clopt_status code_body(struct code *code, const struct clopt_node *body,
                            struct clopt_node **built, struct clopt_error *error);

/* ---- divergent regions ---- */

/* Adds the selection that an assignment in a side becomes; false where it is none. */
bool code_add_selected(struct code *code, const struct clopt_node *node, struct clopt_nodes *list);

/* Returns a divergent region as vector code where all lanes agree; NULL where that gains nothing.
 */
struct clopt_node *code_region(void *user, const struct clopt_node *node);

/* Returns statements between braces. */
struct clopt_node *code_block(struct code *code, struct clopt_node *statement);

/* ---- vectors that overlap, or that are parts of records, made from few loads ---- */

/* Adds what a statement and those after it have in common, to be called before the statement is
 * built: of vectors that overlap in memory (Fang, Varbanescu: Evaluating vector data type usage in
 * OpenCL kernels, data sharing), and of elements with a constant stride that are neighbours
 * together, what covers them with the fewest loads, and the vectors from it. All of it is loaded by
 * the kernel as it is, in any case, or between that in constant memory; nothing is written in
 * between. */
void code_add_shared(struct code *code, const struct clopt_node *statement,
                     struct clopt_nodes *list);
