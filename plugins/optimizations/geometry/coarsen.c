/* SPDX-License-Identifier: BSD-3-Clause */
/* Thread coarsening: one work-item does the work of several. */
#include "coarsen.h"

#include <clopt/loop.h>

#include "replication.h"

enum clopt_status coarsen_check_dimension(const struct clopt_transform *transform,
                                          const struct clopt_merge *request,
                                          struct clopt_error *error)
{
    const struct clopt_ndrange *ndrange = transform->ndrange;
    unsigned d = request->dimension;
    if (ndrange && d >= ndrange->dimensions)
        return clopt_fail(
            error, CLOPT_INFEASIBLE, "dimension = %u: the NDRange of %s has %u dimension%s", d,
            transform->kernel, ndrange->dimensions, ndrange->dimensions == 1 ? "" : "s");
    return CLOPT_OK;
}

enum clopt_status coarsen_check(const struct clopt_transform *transform,
                                const struct clopt_merge *request, struct clopt_error *error)
{
    const struct clopt_ndrange *ndrange = transform->ndrange;
    unsigned d = request->dimension;
    CLOPT_TRY(coarsen_check_dimension(transform, request, error));
    if (!ndrange || request->groups)
        return CLOPT_OK;
    size_t local = ndrange->local[d] ? ndrange->local[d] : 1;
    size_t merged = (size_t)request->factor * request->stride;
    if (local % merged != 0)
        return clopt_fail(error, CLOPT_INFEASIBLE,
                          "granularity = %u: the local size %zu in dimension %u is not a multiple "
                          "of %zu (granularity times stride)",
                          request->factor, local, d, merged);
    return CLOPT_OK;
}

/* How launches change. */
static struct clopt_ndrange_change change_of(const struct clopt_merging *merging)
{
    struct clopt_ndrange_change change = {.local_size = {0}};
    const struct clopt_merge *request = &merging->merge;
    if (request->groups) {
        change.added[change.added_count++].number = request->dimension;
        for (unsigned i = 0; i < merging->source->kernel->parameter_count; i++)
            if (merging->parts[i])
                change.added[change.added_count++] = (struct clopt_added_argument){
                    .local = true, .number = i, .merged = request->factor};
        change.merged_groups[request->dimension] = request->factor;
    } else {
        change.local_multiple[request->dimension] = (size_t)request->factor * request->stride;
        change.local_only[request->dimension] = request->whole;
        change.merged_items[request->dimension] = request->factor;
    }
    return change;
}

enum clopt_status coarsen_merge(struct clopt_transform *transform,
                                const struct clopt_merge *request, struct clopt_source **source,
                                struct clopt_ndrange_change *change, struct clopt_error *error)
{
    struct clopt_merging merging = {0};
    struct clopt_divergence *divergence = NULL;
    CLOPT_TRY(
        clopt_merging_prepare(transform, source, *request, false, &merging, &divergence, error));
    struct replication replication = {
        .coarsening = {.source = *source, .merging = &merging},
        .divergence = divergence,
    };
    CLOPT_TRY(replicate_kernel(&replication, error));
    *change = change_of(&merging);
    return clopt_transform_set_tree(transform, *source, error);
}

enum clopt_status coarsen_apply(struct clopt_transform *transform,
                                const struct clopt_merge *request, struct clopt_error *error)
{
    struct clopt_ndrange_change change = {0};
    CLOPT_HELD(clopt_source) source = NULL;
    CLOPT_TRY(coarsen_check(transform, request, error));
    CLOPT_TRY(clopt_transform_parse_inlined(transform, CLOPT_INLINE_BARRIERS, &source, error));
    if (clopt_exchanges_replace(source)) /* replicas need no branches for them */
        CLOPT_TRY(clopt_source_reread(transform, &source, error));
    CLOPT_TRY(coarsen_merge(transform, request, &source, &change, error));
    return clopt_transform_change_ndrange(transform, &change, error);
}
