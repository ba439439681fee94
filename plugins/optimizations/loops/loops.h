/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of loops. */
#pragma once

#include <clopt/loop.h>
#include <clopt/rewrite.h>

/* Changes the chosen loops: by number all of them, else those that it can; CLOPT_INFEASIBLE where
 * there is none. `loops` is innermost, outer, nests, all, or numbers joined by +: 1+3; 3*4 and
 * 3*full give a loop a `factor` of its own. */
typedef enum clopt_status loops_step(struct clopt_transform *transform, const char *loops,
                                     unsigned factor, struct clopt_error *error);

/* Lets each loop change places with the loop inside it, or an innermost one with the loop around
 * it. */
loops_step interchange_apply;

/* Splits loops wherever their statements do not depend on each other (fission). */
loops_step fission_apply;

/* Splits each loop into one over tiles of so many iterations and one over the iterations of a tile.
 * Of loops that are each the whole body of another one, the loops over tiles come first. */
loops_step tile_apply;

/* Replaces elements of local or global memory in which loops accumulate, at the same subscripts in
 * each iteration, by private variables (scalar replacement), and does rows_apply(). */
loops_step registers_apply;

/* Keeps rows that the iterations of a loop read again, by short loops inside it, in private arrays.
 */
loops_step rows_apply;

/* Whether nothing in the kernel writes what an access reads; `distinct` is set where that is so
 * unless a launch passes a buffer twice. */
bool loops_read_is_constant(const struct clopt_accesses *accesses, const struct clopt_access *read,
                            bool *distinct);

/* Makes v += a * b + c * d of a private variable v += a * b and v += c * d, an operation each. */
enum clopt_status products_apply(struct clopt_transform *transform, struct clopt_error *error);

/* Puts the values of integer arguments, up to `factor`, in their places, where a loop's head asks
 * for them, and says that the kernel is for these. CLOPT_INFEASIBLE where there is none. */
loops_step specialise_apply;

/* Declares the kernel's pointers to global and local memory restrict, and says that the kernel is
 * for distinct buffers. CLOPT_INFEASIBLE where all of them are, or there is none. */
loops_step restrict_apply;

/* Divides iterations among work-items, by a launch of so many times as many. */
enum clopt_status divide_apply(struct clopt_transform *transform, const struct clopt_values *values,
                               struct clopt_error *error);

/* Stores what loops read in private memory for others that read it at the same iterations. */
loops_step reuse_apply;

/* Puts bodies of so many iterations one after the other; 0: of all. */
loops_step unroll_apply;

/* Refuses a loop that is marked by #pragma nounroll, unless loops are chosen by number. */
enum clopt_status loops_check_marked(const struct clopt_rewriting *rewriting,
                                     const struct clopt_node *loop, struct clopt_error *error);

/* Leaves that to the compiler: puts #pragma unroll in front of loops, with their factor if that is
 * not 0. */
loops_step pragma_apply;

/* ---- counted loops, each the whole body of the one around it ---- */

struct nest {
    struct clopt_source *source;
    unsigned depth;
    struct clopt_node *loops[CLOPT_MOST_NEST]; /* the outermost first */
    struct clopt_trip trips[CLOPT_MOST_NEST];
};

/* Returns the loop that is the whole body of a loop; NULL where there is more. */
struct clopt_node *nest_inner(const struct clopt_node *loop);

/* Refuses a nest, whose depth and loops are given, if its iterations may not be executed in the
 * order of any permutation of its loops; fills in the trips. `change` says what the loops are to
 * be: "tiled". */
enum clopt_status nest_check(struct nest *nest, const char *change, struct clopt_error *error);
