/* SPDX-License-Identifier: BSD-3-Clause */
/* branches: fewer divergent branches. */
#include <clopt/clopt.h>
#include <clopt/loop.h>

#include "branches.h"

static const struct clopt_parameter parameters[] = {
    {.name = "flatten",
     .type = CLOPT_BOOLEAN,
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
     .type = CLOPT_BOOLEAN,
     .initial = "no",
     .help =
         "yes: conditions that are the same for a work-group and for all iterations leave loops"},
    {.name = "growth",
     .type = CLOPT_INTEGER,
     .legal = "pow2 2..64",
     .initial = "4",
     .help = "copies of a loop that hoist may make",
     .with = "hoist"},
    {.name = "borders",
     .type = CLOPT_TEXT,
     .legal = "no, yes, rows",
     .initial = "no",
     .help = "yes: loops ask once whether they stay inside of the bounds with which they compare or"
             " limit an index, and do without that there; rows: but for indices by which neighbours"
             " along dimension 0 differ"},
    {.name = "guards",
     .type = CLOPT_TEXT,
     .legal = "no, yes, stores",
     .initial = "no",
     .help = "yes: guards such as if (get_global_id(0) < n) go; each launch is checked to have no"
             " work-items that need them; stores: they are around what is stored alone, and"
             " work-items past the end read what the last one reads, so that later steps find no"
             " branches"},
    {.name = "masks",
     .type = CLOPT_BOOLEAN,
     .initial = "no",
     .help = "yes: a last branch such as if (j > i) { s[at] = 0; return; } is done by all"
             " work-items, loops included, and the store chooses; each launch is checked to have no"
             " more i than j; loops such as for (j = 0; j <= i; j++) are split where the group's"
             " first work-item ends; else flags take the place of what leaves loops, iterations and"
             " branches for some work-items alone; loops whose result a choice such as j > i ? 0 :"
             " sum takes for other work-items alone are left out by whole groups"},
    {.name = "padding",
     .type = CLOPT_INTEGER,
     .help = "1: the app's data layout with a border, so that edges need no branches",
     .knob = true},
    {.name = "separate",
     .type = CLOPT_INTEGER,
     .help = "1: the app's form with a branch for each edge, in place of one chain for all",
     .knob = true},
    {.name = NULL},
};

/* Edits the kernel; where that cannot be, with the bodies of functions in it. */
static enum clopt_status rewrite(struct clopt_transform *transform, clopt_edit edit, int64_t limit,
                                 struct clopt_error *error)
{
    unsigned most = (unsigned)limit;
    struct clopt_error inlined = {0};
    enum clopt_status status =
        clopt_transform_edit(transform, CLOPT_INLINE_NONE, edit, &most, error);
    if (status == CLOPT_INFEASIBLE &&
        !clopt_transform_edit(transform, CLOPT_INLINE_BRANCHES, edit, &most, &inlined))
        status = CLOPT_OK;
    return status;
}

/* What all work-items of a group do alike: the begin of loops, and a last branch; loops that none
 * of them needs. */
static enum clopt_status masks(struct clopt_transform *transform, struct clopt_error *error)
{
    struct clopt_error none = {0};
    CLOPT_TRY(launch_is_as_it_was(transform, "masks", error));
    enum clopt_status split =
        clopt_transform_edit(transform, CLOPT_INLINE_NONE, ends_edit, NULL, &none);
    enum clopt_status status = masks_apply(transform, error);
    if (status && status != CLOPT_INFEASIBLE)
        return status;
    enum clopt_status spared =
        clopt_transform_edit(transform, CLOPT_INLINE_NONE, needs_edit, NULL, &none);
    return split == CLOPT_OK || spared == CLOPT_OK ? CLOPT_OK : status;
}

static enum clopt_status exchanges_edit(void *user, struct clopt_source *source,
                                        struct clopt_error *error)
{
    (void)user;
    return clopt_exchanges_replace(source)
               ? CLOPT_OK
               : clopt_fail(error, CLOPT_INFEASIBLE, "%s exchanges nothing", source->kernel->name);
}

/* What min and max say needs no selects, and a median of nine fewer of them. */
static enum clopt_status flatten(struct clopt_transform *transform, int64_t cost,
                                 struct clopt_error *error)
{
    struct clopt_error none = {0};
    enum clopt_status exchanged =
        clopt_transform_edit(transform, CLOPT_INLINE_NONE, exchanges_edit, NULL, &none);
    if (exchanged == CLOPT_OK)
        clopt_transform_edit(transform, CLOPT_INLINE_NONE, network_edit, NULL, &none);
    enum clopt_status status = rewrite(transform, flatten_edit, cost, error);
    return status == CLOPT_INFEASIBLE && exchanged == CLOPT_OK ? CLOPT_OK : status;
}

/* What has one value, and by min and max where it can, is compared with bounds. */
static enum clopt_status ask_borders(struct clopt_transform *transform, bool rows,
                                     struct clopt_error *error)
{
    static const clopt_edit prepare[] = {exchanges_edit, settle_edit};
    for (size_t i = 0; i < sizeof prepare / sizeof *prepare; i++) {
        enum clopt_status status =
            clopt_transform_edit(transform, CLOPT_INLINE_NONE, prepare[i], NULL, error);
        if (status && status != CLOPT_INFEASIBLE)
            return status;
    }
    return clopt_transform_edit(transform, CLOPT_INLINE_NONE, borders_edit, &rows, error);
}

/* Guards go first, then masks. Conditions leave loops before branches become selects: a uniform
 * branch costs nothing there. */
static enum clopt_status apply(struct clopt_transform *transform, const struct clopt_values *values,
                               struct clopt_error *error)
{
    const char *borders = clopt_values_text(values, "borders");
    const char *guards = clopt_values_text(values, "guards");
    if (strcmp(guards, "yes") == 0)
        CLOPT_TRY(guards_apply(transform, error));
    if (strcmp(guards, "stores") == 0)
        CLOPT_TRY(stores_apply(transform, error));
    if (clopt_values_integer(values, "masks"))
        CLOPT_TRY(masks(transform, error));
    if (clopt_values_integer(values, "hoist"))
        CLOPT_TRY(rewrite(transform, hoist_edit, clopt_values_integer(values, "growth"), error));
    if (strcmp(borders, "no") != 0)
        CLOPT_TRY(ask_borders(transform, strcmp(borders, "rows") == 0, error));
    if (clopt_values_integer(values, "flatten"))
        CLOPT_TRY(flatten(transform, clopt_values_integer(values, "cost"), error));
    return CLOPT_OK;
}

static const struct clopt_search_section search[] = {
    {1, "guards = no, yes, stores\n"
        "masks = no, yes\n"
        "flatten = no, yes\n"
        "hoist = no, yes\n"
        "borders = no, yes, rows\n"},
    {1, ""},
    {2, "borders = no, yes, rows\n"}, /* of several rows of results */
    {0, NULL},
};

static const struct clopt_optimization optimization = {
    .parameters = parameters,
    .apply = apply,
    .search = search,
};

CLOPT_OPTIMIZATION_PLUGIN("branches", "divergent branches, and data layouts that avoid them",
                          &optimization);
