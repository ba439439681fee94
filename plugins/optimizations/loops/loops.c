/* SPDX-License-Identifier: BSD-3-Clause */
/* loops: unrolling. */
#include <clopt/clopt.h>

#include <string.h>

#include "unroll.h"

static const struct clopt_parameter parameters[] = {
    {.name = "unroll",
     .type = CLOPT_TEXT,
     .legal = "1, 2, 4, 8, 16, 32, full",
     .initial = "1",
     .help = "turns of a loop whose bodies stand one behind the other; full: all of them"},
    {.name = "loops",
     .type = CLOPT_TEXT,
     .initial = "innermost",
     .help = "loops to unroll: innermost, outer, all, or numbers in the order of the text: 1+3;"
             " 3*4 and 3*full unroll loop 3 otherwise than the rest"},
    {.name = NULL},
};

static enum clopt_status get_request(const struct clopt_values *values,
                                     struct unroll_request *request, struct clopt_error *error)
{
    enum clopt_status status = unroll_parse(clopt_values_text(values, "unroll"),
                                            clopt_values_text(values, "loops"), request, error);
    if (!status && request->factor == 1 && strcmp(request->loops, "innermost") != 0)
        return clopt_fail(error, CLOPT_INFEASIBLE, "loops = %s means nothing with unroll = 1",
                          request->loops);
    return status;
}

static enum clopt_status check(const struct clopt_transform *transform,
                               const struct clopt_values *values, struct clopt_error *error)
{
    struct unroll_request request;
    (void)transform;
    return get_request(values, &request, error);
}

static enum clopt_status apply(struct clopt_transform *transform, const struct clopt_values *values,
                               struct clopt_error *error)
{
    struct unroll_request request;
    enum clopt_status status = get_request(values, &request, error);
    if (status || request.factor == 1)
        return status;
    return unroll_apply(transform, &request, error);
}

static const struct clopt_optimization optimization = {
    .parameters = parameters,
    .check = check,
    .apply = apply,
};

CLOPT_OPTIMIZATION_PLUGIN("loops", "loop unrolling", &optimization);
