/* SPDX-License-Identifier: BSD-3-Clause */
/* Loop unrolling: bodies of several iterations one after the other. */
#ifndef LOOPS_UNROLL_H
#define LOOPS_UNROLL_H

#include <clopt/optimization.h>

struct unroll_request {
    unsigned factor;   /* 0: as often as the loop has iterations */
    const char *loops; /* innermost, outer, all, or numbers joined by +: 1+3;
                          3*4 and 3*full give a loop a factor of its own */
};

/* Reads the values of the parameters; CLOPT_INVALID says which word means nothing. */
enum clopt_status unroll_parse(const char *unroll, const char *loops,
                               struct unroll_request *request, struct clopt_error *error);

enum clopt_status unroll_apply(struct clopt_transform *transform,
                               const struct unroll_request *request, struct clopt_error *error);

#endif
