/* SPDX-License-Identifier: BSD-3-Clause */
/* Loop unrolling. */
#include "unroll.h"

#include <stdlib.h>
#include <string.h>

#include "copies.h"

enum clopt_status unroll_parse(const char *unroll, const char *loops,
                               struct unroll_request *request, struct clopt_error *error)
{
    request->factor = strcmp(unroll, "full") == 0 ? 0 : (unsigned)strtoul(unroll, NULL, 10);
    request->loops = loops;
    return clopt_loops_check(loops, error);
}

enum clopt_status unroll_apply(struct clopt_transform *transform,
                               const struct unroll_request *request, struct clopt_error *error)
{
    struct clopt_rewriting rewriting;
    enum clopt_status status =
        clopt_rewriting_init(&rewriting, transform, request->loops, request->factor, error);
    if (!status) {
        struct copies copies;
        copies_init(&copies, &rewriting);
        status = clopt_rewriting_finish(&rewriting, transform);
    }
    clopt_rewriting_fini(&rewriting);
    return status;
}
