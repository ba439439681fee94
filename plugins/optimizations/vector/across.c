/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges neighbouring work-items into the lanes of vectors. */

#include "code.h"
#include "vector.h"

enum clopt_status across_check(const struct clopt_transform *transform, unsigned width,
                               struct clopt_error *error)
{
    const struct clopt_ndrange *ndrange = transform->ndrange;
    size_t local = ndrange && ndrange->local[0] ? ndrange->local[0] : 1;
    if (!ndrange || local % width == 0)
        return CLOPT_OK;
    return clopt_fail(error, CLOPT_INFEASIBLE,
                      "across = %u: the local size %zu in dimension 0 is not a multiple of it",
                      width, local);
}

/* Refuses code that gained nothing. */
static enum clopt_status check_gains(const struct code *code, struct clopt_error *error)
{
    const struct clopt_node *body = code->source->kernel->body;
    if (code->shared && !code->shuffles)
        return clopt_source_refuse(
            code->source, body, error,
            "share: no loads of neighbouring work-items overlap or alternate");
    if (code->functions && !code->gains.functions)
        return clopt_source_refuse(code->source, body, error, CODE_NO_FUNCTION);
    if (code->gains.operations)
        return CLOPT_OK;
    if (!code->obstacle)
        return clopt_source_refuse(code->source, body, error,
                                   "nothing differs between neighbouring work-items");
    return clopt_source_refuse(code->source, code->obstacle, error,
                               "nothing becomes vector code: %s", code->reason);
}

static enum clopt_status edit(struct code *code, struct clopt_error *error)
{
    struct clopt_nodes numbers = {0};
    CLOPT_TRY(clopt_coarsening_kernel(&code->coarsening, code->plan->divergence, error));
    CLOPT_TRY(check_gains(code, error));
    code_add_numbers(code, &numbers);
    while (numbers.count)
        clopt_prepend(code->source, code->source->kernel->body, numbers.items[--numbers.count]);
    return CLOPT_OK;
}

/* Merges the work-items of a source. */
static enum clopt_status merge(struct clopt_transform *transform,
                               const struct across_request *request, struct clopt_source **source,
                               struct clopt_ndrange_change *change, struct clopt_error *error)
{
    unsigned width = request->width;
    struct clopt_merging merging = {0};
    struct clopt_divergence *divergence = NULL;
    struct plan plan = {0};
    int64_t most = !request->aligned ? 0 : request->share ? PLAN_MOST_RECORD : 1;
    struct clopt_merge lanes = {.factor = width,
                                .dimension = 0,
                                .stride = 1,
                                .whole = clopt_transform_has_local_size(transform, 0, width)};
    CLOPT_TRY(clopt_merging_prepare(transform, source, lanes, true, &merging, &divergence, error));
    struct code code = {
        .width = width, .source = *source, .plan = &plan, .functions = request->functions};
    plan_init(&plan, *source, divergence, NULL);
    CLOPT_TRY(alignment_init(&code.alignment, &plan, width, most, error));
    code_init(&code, &merging, request->share);
    code.parts = clopt_source_table(*source, (*source)->node_count, sizeof *code.parts);
    CLOPT_TRY(edit(&code, error));
    CLOPT_TRY(alignment_require(&code.alignment, change, error));
    return clopt_transform_set_tree(transform, *source, error);
}

enum clopt_status across_apply(struct clopt_transform *transform,
                               const struct across_request *request, struct clopt_error *error)
{
    CLOPT_HELD(clopt_source) source = NULL;
    unsigned width = request->width;
    struct clopt_ndrange_change change = {
        .merged_items = {width},
        .local_multiple = {width},
        .local_only = {clopt_transform_has_local_size(transform, 0, width)},
    };
    CLOPT_TRY(across_check(transform, width, error));
    CLOPT_TRY(source_prepare(transform, width, &source, error));
    if (request->share)
        CLOPT_TRY(source_straighten(transform, &source, error));
    CLOPT_TRY(merge(transform, request, &source, &change, error));
    return clopt_transform_change_ndrange(transform, &change, error);
}
