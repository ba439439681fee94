/* SPDX-License-Identifier: BSD-3-Clause */
/* branches: fewer divergent branches. */
#include <clopt/clopt.h>

#include <string.h>

#include "flatten.h"
#include "hoist.h"

#define COST   32 /* as the parameters' initial values say */
#define GROWTH 4

static const struct clopt_parameter parameters[] = {
    {.name = "flatten",
     .type = CLOPT_TEXT,
     .legal = "no, yes",
     .initial = "no",
     .help = "yes: divergent branches become selects, where both sides are cheap and safe",
     .suggest = "yes"},
    {.name = "cost",
     .type = CLOPT_INTEGER,
     .legal = "1..1000",
     .initial = "32",
     .help = "operations that both sides of a branch may take together to be cheap",
     .with = "flatten"},
    {.name = "hoist",
     .type = CLOPT_TEXT,
     .legal = "no, yes",
     .initial = "no",
     .help = "yes: conditions that are the same for a work-group and for all turns leave loops"},
    {.name = "growth",
     .type = CLOPT_INTEGER,
     .legal = "pow2 2..64",
     .initial = "4",
     .help = "copies of a loop that hoist may make",
     .with = "hoist"},
    {.name = "padding",
     .type = CLOPT_INTEGER,
     .help = "1: the app's data layout with a border, so that edges need no branches",
     .knob = true},
    {.name = NULL},
};

static bool is_yes(const struct clopt_values *values, const char *name)
{
    const char *text = clopt_values_text(values, name);
    return text && strcmp(text, "yes") == 0;
}

/* Refuses limits of what is not done. */
static enum clopt_status check(const struct clopt_transform *transform,
                               const struct clopt_values *values, struct clopt_error *error)
{
    int64_t cost = clopt_values_integer(values, "cost");
    int64_t growth = clopt_values_integer(values, "growth");
    (void)transform;
    if (cost != COST && !is_yes(values, "flatten"))
        return clopt_fail(error, CLOPT_INFEASIBLE, "cost = %lld means nothing with flatten = no",
                          (long long)cost);
    if (growth != GROWTH && !is_yes(values, "hoist"))
        return clopt_fail(error, CLOPT_INFEASIBLE, "growth = %lld means nothing with hoist = no",
                          (long long)growth);
    return CLOPT_OK;
}

/* Conditions leave loops before branches become selects: a uniform branch costs nothing there. */
static enum clopt_status apply(struct clopt_transform *transform, const struct clopt_values *values,
                               struct clopt_error *error)
{
    enum clopt_status status = check(transform, values, error);
    if (!status && is_yes(values, "hoist"))
        status = hoist_apply(transform, (unsigned)clopt_values_integer(values, "growth"), error);
    if (!status && is_yes(values, "flatten"))
        status = flatten_apply(transform, (unsigned)clopt_values_integer(values, "cost"), error);
    return status;
}

static const struct clopt_optimization optimization = {
    .parameters = parameters,
    .check = check,
    .apply = apply,
};

CLOPT_OPTIMIZATION_PLUGIN("branches", "divergent branches, and data layouts that avoid them",
                          &optimization);
