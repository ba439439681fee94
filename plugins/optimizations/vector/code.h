/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds what merged work-items execute when they are the lanes of vectors.
 *
 * All functions take nodes of the kernel as it was read and return new ones. None of them changes
 * the kernel: what gains nothing is dropped. */
#ifndef VECTOR_CODE_H
#define VECTOR_CODE_H

#include <clopt/coarsen.h>

#include "alignment.h"
#include "plan.h"

#define CODE_MOST_LANES 16
#define CODE_SCALARS    (CLOPT_SCALAR_DOUBLE + 1)

struct share;

/* What was gained and shared so far (share.h). */
struct code_mark {
    unsigned gains;
    size_t shared;
    size_t shuffles;
    size_t until;
};

struct code {
    unsigned width;
    struct clopt_source *source;
    const struct clopt_merging *merging; /* NULL: lanes are iterations of a loop */
    const struct clopt_divergence *divergence;
    const struct plan *plan;
    const struct alignment *alignment; /* NULL: nothing is known to be aligned */
    struct share *share;               /* NULL: overlapping loads stay loads */
    struct clopt_cloning cloning;      /* of what one lane executes */
    struct clopt_cloning together;     /* of what all of them execute */
    struct clopt_variable **copies; /* [variable * width + lane]: of scalars; of a vector in place
                                       of a parameter, at lane 0; NULL: the variable itself */
    struct clopt_variable *numbers[CODE_SCALARS]; /* the vectors 0, 1, 2, ...; or NULL */
    unsigned lane;                                /* that is cloned */
    size_t region_begin; /* what is declared in a region that is cloned for one lane keeps its name,
                            and is a scalar there */
    size_t region_end;
    const struct clopt_node *opened;   /* a loop before which its head's variables are declared */
    const char *leave;                 /* the label to go to instead of returning, or NULL */
    bool left;                         /* it was used */
    unsigned numbered;                 /* names so far */
    unsigned gains;                    /* vector operations, loads and stores so far */
    const struct clopt_node *obstacle; /* the first node that was left to the lanes, or NULL */
    const char *reason;                /* why */
};

/* CLOPT_FAILED where memory runs out. Call fini in any case. */
enum clopt_status code_init(struct code *code, struct clopt_error *error);
void code_fini(struct code *code);

/* Builds a node, and adds one to a list. */
#define code_build(code, ...) clopt_build((code)->source, __VA_ARGS__)

static inline void code_add(struct code *code, struct clopt_nodes *list, struct clopt_node *node)
{
    clopt_nodes_add(code->source, list, node);
}

/* Remembers what kept a node from becoming vector code. */
void code_note(struct code *code, const struct clopt_node *node, const char *reason);

bool code_diverges(const struct code *code, const struct clopt_node *node);

/* Begins something that may be dropped, and drops it. */
struct code_mark code_begin(const struct code *code);
void code_drop(struct code *code, struct code_mark mark);

/* ---- variables ---- */

/* Makes a vector to declare in place of a variable, under its name. */
struct clopt_variable *code_like(struct code *code, const struct clopt_variable *variable,
                                 const char *qualifier, enum clopt_scalar type);

/* Makes a vector with a name of its own: base_number, or a constant one with the next number. */
struct clopt_variable *code_make(struct code *code, const char *qualifier, enum clopt_scalar type,
                                 const char *base, unsigned number);
struct clopt_variable *code_make_next(struct code *code, enum clopt_scalar type, const char *base);

/* Adds the declarations of the vectors of lane numbers that were used so far. */
void code_add_numbers(struct code *code, struct clopt_nodes *list);

/* The name of a vector's component: s0 to sf. */
const char *code_component(unsigned lane);

/* ---- lanes ---- */

/* Returns a node as one lane executes it. */
struct clopt_node *code_lane(struct code *code, const struct clopt_node *node, unsigned lane);

/* ---- expressions ---- */

/* Whether vectors can hold what an expression gives. */
bool code_has_vectors(const struct clopt_node *node);

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

/* Whether an expression is a comparison, && or ||. */
bool code_is_truth(const struct clopt_node *node);

/* Returns a condition as an int vector of 0 and -1. */
struct clopt_node *code_mask(struct code *code, const struct clopt_node *node);

/* Returns a mask as select operators on a type want it. */
struct clopt_node *code_mask_for(struct code *code, struct clopt_node *mask,
                                 enum clopt_scalar type);

/* ---- places ---- */

/* Whether a node names a variable, or an element of an array, that is a vector at the same place
 * for all lanes; and returns it. */
bool code_is_vector_place(const struct code *code, const struct clopt_node *node);
struct clopt_node *code_vector_place(struct code *code, const struct clopt_node *node);

/* Whether a node names neighbouring elements of memory, upwards or downwards. */
bool code_is_row(const struct code *code, const struct clopt_node *node, int64_t *stride);

/* Loads a row, and stores to one. */
struct clopt_node *code_load(struct code *code, const struct clopt_node *node, int64_t stride);
struct clopt_node *code_store(struct code *code, const struct clopt_node *node, int64_t stride,
                              struct clopt_node *value);

/* ---- assignments ---- */

/* Returns what an assignment, ++ or -- leaves in its place, as a vector. */
struct clopt_node *code_new_value(struct code *code, const struct clopt_node *node);

/* Adds what an expression that is a statement, or in a for's head, becomes. */
void code_add_expression(struct code *code, const struct clopt_node *node, bool in_head,
                         struct clopt_nodes *list);

/* ---- selection ---- */

/* Whether the sides of a divergent if are cheap and safe, so that all lanes may go through both. */
bool code_can_select(const struct code *code, const struct clopt_node *node);

/* Returns a divergent if as selections by a mask. */
struct clopt_node *code_selection(struct code *code, const struct clopt_node *node);

/* ---- statements ---- */

/* Returns what takes the place of a node where all lanes execute it; NULL: it, with what it holds.
 */
struct clopt_node *code_node_of_all(void *user, const struct clopt_node *node);

/* Returns a statement as all lanes execute it. */
struct clopt_node *code_statement(struct code *code, const struct clopt_node *node);

/* Returns statements as one, and one between braces. */
struct clopt_node *code_sequence(struct code *code, const struct clopt_node *at,
                                 struct clopt_nodes *list);
struct clopt_node *code_block(struct code *code, struct clopt_node *statement);

/* Returns the body of the kernel. */
enum clopt_status code_body(struct code *code, struct clopt_node **body, struct clopt_error *error);

#endif
