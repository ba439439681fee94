/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of loops. Each changes the chosen loops: by number all of them, else those that it can;
 * CLOPT_INFEASIBLE where there is none. */
#ifndef LOOPS_H
#define LOOPS_H

#include <clopt/rewrite.h>

/* Lets each loop change places with the loop inside it, or an innermost one with the loop around
 * it. */
enum clopt_status interchange_apply(struct clopt_transform *transform, const char *loops,
                                    struct clopt_error *error);

/* Splits loops wherever their statements do not depend on each other (fission). */
enum clopt_status fission_apply(struct clopt_transform *transform, const char *loops,
                                struct clopt_error *error);

/* Splits each loop into one over tiles of so many iterations and one over the iterations of a tile.
 * Of loops that are each the whole body of another one, the loops over tiles come first. */
enum clopt_status tile_apply(struct clopt_transform *transform, const char *loops, unsigned tile,
                             struct clopt_error *error);

/* Replaces elements of local or global memory in which loops accumulate, at the same subscripts in
 * each iteration, by private variables meanwhile (scalar replacement). */
enum clopt_status registers_apply(struct clopt_transform *transform, const char *loops,
                                  struct clopt_error *error);

/* Declares the kernel's pointers to global and local memory restrict, and says that the kernel is
 * for distinct buffers. CLOPT_INFEASIBLE where all of them are, or there is none. */
enum clopt_status restrict_apply(struct clopt_transform *transform, struct clopt_error *error);

struct unroll_request {
    unsigned factor;   /* 0: as often as the loop has iterations */
    const char *loops; /* innermost, outer, all, or numbers joined by +: 1+3;
                          3*4 and 3*full give a loop a factor of its own */
};

/* Puts bodies of several iterations one after the other. */
enum clopt_status unroll_apply(struct clopt_transform *transform,
                               const struct unroll_request *request, struct clopt_error *error);

/* Leaves that to the compiler: puts #pragma unroll in front of loops, with their factor if that is
 * not 0. */
enum clopt_status pragma_apply(struct clopt_transform *transform,
                               const struct unroll_request *request, struct clopt_error *error);

#endif
