/* SPDX-License-Identifier: BSD-3-Clause */
/* Merges neighbouring work-items into the lanes of vectors. */
#include "across.h"

#include <stdlib.h>

#include <clopt/loop.h>

#include "code.h"
#include "localize.h"
#include "returns.h"
#include "share.h"

enum clopt_status across_check(const struct clopt_transform *transform, unsigned width,
                               struct clopt_error *error)
{
    const struct clopt_ndrange *ndrange = clopt_transform_ndrange(transform);
    size_t local = ndrange && ndrange->local[0] ? ndrange->local[0] : 1;
    if (!ndrange || local % width == 0)
        return CLOPT_OK;
    return clopt_fail(error, CLOPT_INFEASIBLE,
                      "across = %u: the local size %zu in dimension 0 is no multiple of it", width,
                      local);
}

static bool choose_names(struct code *code)
{
    for (size_t i = 0; i < clopt_source_variable_count(code->source); i++) {
        const struct clopt_variable *variable = clopt_source_variable(code->source, i);
        enum form form = code->plan->forms[i];
        bool copied = form == FORM_VECTOR && variable->is_parameter;
        unsigned first = copied ? 0 : 1;
        unsigned last = form == FORM_SCALARS ? code->width : copied ? 1 : 0;
        for (unsigned lane = first; lane < last; lane++) {
            const char *name =
                clopt_source_fresh(code->source, variable->name, copied ? code->width : lane);
            if (!name)
                return false;
            code->names[i * code->width + lane] = name;
        }
    }
    return true;
}

static enum clopt_status put_body(void *user, struct clopt_error *error)
{
    return code_put_body(user, error);
}

static enum clopt_status put_program(struct code *code, struct clopt_error *error)
{
    enum clopt_status status =
        clopt_merging_put_program(code->merging, code->output, put_body, code, error);
    if (!status && code->share && !share_count(code->share))
        return clopt_source_refuse(code->source, clopt_source_kernel(code->source)->body, error,
                                   "share: no three loads of neighbouring elements overlap");
    if (status || code->gains)
        return status;
    if (!code->obstacle)
        return clopt_source_refuse(code->source, clopt_source_kernel(code->source)->body, error,
                                   "nothing differs between neighbouring work-items");
    return clopt_source_refuse(code->source, code->obstacle, error,
                               "nothing becomes vector code: %s", code->reason);
}

static enum clopt_status rewrite(struct clopt_transform *transform,
                                 const struct clopt_merging *merging, const struct plan *plan,
                                 bool shares, struct clopt_error *error)
{
    struct alignment alignment = {0};
    struct code code = {.width = merging->merge.factor,
                        .source = merging->source,
                        .merging = merging,
                        .divergence = plan->divergence,
                        .plan = plan,
                        .alignment = &alignment,
                        .share = shares ? share_create(merging->source) : NULL,
                        .output = clopt_output_create()};
    code.names =
        calloc(clopt_source_variable_count(code.source) * code.width + 1, sizeof *code.names);
    code_init_printer(&code);
    bool enough = code.output && code.names && (code.share || !shares) && choose_names(&code);
    enum clopt_status status =
        enough ? alignment_init(&alignment, plan, code.width, error) : clopt_fail_memory(error);
    if (!status)
        status = put_program(&code, error);
    if (!status)
        status = clopt_transform_set_output(transform, code.output, error);
    alignment_fini(&alignment);
    clopt_output_destroy(code.output);
    share_destroy(code.share);
    free(code.names);
    return status;
}

/* A change of a whole program: puts it, or nothing where there is nothing to change. */
typedef enum clopt_status (*put_changed)(struct clopt_source *source, struct clopt_output *output,
                                         struct clopt_error *error);

static enum clopt_status put_kept(struct clopt_source *source, struct clopt_output *output,
                                  struct clopt_error *error)
{
    size_t count = 0;
    return clopt_elements_keep(source, NULL, output, &count, error);
}

static enum clopt_status put_localized(struct clopt_source *source, struct clopt_output *output,
                                       struct clopt_error *error)
{
    (void)error;
    localize(source, output);
    return CLOPT_OK;
}

static enum clopt_status put_joined(struct clopt_source *source, struct clopt_output *output,
                                    struct clopt_error *error)
{
    (void)error;
    returns_join(source, output);
    return CLOPT_OK;
}

/* Changes a source. */
static enum clopt_status change(const struct clopt_transform *transform, put_changed put,
                                struct clopt_source **source, struct clopt_error *error)
{
    struct clopt_output *output = clopt_output_create();
    if (!output)
        return clopt_fail_memory(error);
    enum clopt_status status = put(*source, output, error);
    const char *text = clopt_output_text(output);
    if (!status && !text)
        status = clopt_fail_memory(error);
    if (!status && *text) {
        clopt_source_destroy(*source);
        *source = NULL;
        status = clopt_source_create(clopt_transform_file(transform), text,
                                     clopt_output_lines(output), clopt_transform_options(transform),
                                     clopt_transform_kernel(transform), source, error);
    }
    clopt_output_destroy(output);
    return status;
}

/* Makes the source, with functions where they are called, branches for returns, variables where
 * they are used, and what loops accumulate in variables. */
static enum clopt_status create_plain(const struct clopt_transform *transform,
                                      struct clopt_source **source, struct clopt_error *error)
{
    enum clopt_status status =
        clopt_transform_parse_inlined(transform, CLOPT_INLINE_ALL, source, error);
    if (!status)
        status = change(transform, put_joined, source, error);
    if (!status)
        status = change(transform, put_kept, source, error);
    if (!status)
        status = change(transform, put_localized, source, error);
    return status;
}

/* Merges the work-items of a source. */
static enum clopt_status merge(struct clopt_transform *transform, unsigned width, bool shares,
                               struct clopt_source *source, struct clopt_error *error)
{
    struct clopt_merging merging = {0};
    struct clopt_divergence *divergence = NULL;
    struct plan plan = {0};
    struct clopt_merge lanes = {.factor = width,
                                .dimension = 0,
                                .stride = 1,
                                .whole = clopt_transform_has_local_size(transform, 0, width)};
    struct clopt_identity identity = {
        .dimension = 0, .local_id = true, .inside = true, .block = width};
    enum clopt_status status = clopt_merging_init(&merging, source, lanes, error);
    if (!status)
        status = clopt_divergence_create(source, identity, &divergence, error);
    if (!status)
        status = plan_init(&plan, source, divergence, NULL, error);
    if (!status)
        status = rewrite(transform, &merging, &plan, shares, error);
    plan_fini(&plan);
    clopt_divergence_destroy(divergence);
    clopt_merging_fini(&merging);
    return status;
}

enum clopt_status across_apply(struct clopt_transform *transform, unsigned width, bool shares,
                               struct clopt_error *error)
{
    struct clopt_source *source = NULL;
    enum clopt_status status = across_check(transform, width, error);
    if (status)
        return status;
    status = create_plain(transform, &source, error);
    if (!status)
        status = merge(transform, width, shares, source, error);
    clopt_source_destroy(source);
    source = NULL;
    /* What is refused is told in the lines of the kernel as it was. */
    if (status == CLOPT_INFEASIBLE) {
        status = clopt_transform_parse_inlined(transform, CLOPT_INLINE_BARRIERS, &source, error);
        if (!status)
            status = merge(transform, width, shares, source, error);
        clopt_source_destroy(source);
    }
    if (status)
        return status;
    const struct clopt_ndrange_change change = {
        .merged_items = {width},
        .local_multiple = {width},
        .local_only = {clopt_transform_has_local_size(transform, 0, width)},
    };
    return clopt_transform_change_ndrange(transform, &change, error);
}
