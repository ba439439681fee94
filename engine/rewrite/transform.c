/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and rewrites a kernel on its way to becoming a variant. */
#include "rewrite/transform.h"

#include "kernel/output.h"
#include "kernel/tree.h"
#include "rewrite/inline.h"

/* What is wrong with the source is said when a step reads it. */
void clopt_transform_require_size(struct clopt_transform *transform)
{
    CLOPT_HELD(clopt_source) source = NULL;
    struct clopt_error error = {0};
    struct clopt_ndrange *range = &transform->initial;
    if (!transform->source || transform->ndrange ||
        clopt_source_create(transform->file, transform->source, NULL, transform->options,
                            transform->kernel, &source, &error) ||
        !clopt_kernel_required_size(source, range->local))
        return;
    range->dimensions = range->local[2] > 1 ? 3 : range->local[1] > 1 ? 2 : 1;
    transform->current = *range;
    transform->ndrange = &transform->current;
}

enum clopt_status clopt_transform_parse_inlined(const struct clopt_transform *transform,
                                                enum clopt_inlining what,
                                                struct clopt_source **source,
                                                struct clopt_error *error)
{
    CLOPT_FREED char *options = clopt_device_options(transform->options, transform->device);
    return clopt_source_create_inlined(transform->file, transform->source, transform->lines,
                                       options, transform->kernel, what, source, error);
}

static enum clopt_status prove(const struct clopt_transform *transform, struct clopt_error *error)
{
    CLOPT_FREED char *options = clopt_device_options(transform->options, transform->device);
    return clopt_parse_check(transform->file, transform->source, transform->lines, options, error);
}

static void end(struct clopt_transform *transform)
{
    clopt_lines_destroy(transform->lines);
}

static const struct clopt_rewriter rewriter = {.prove = prove, .end = end};

/* What is too long is kept from compilers, which need minutes for it. */
enum clopt_status clopt_transform_set_tree(struct clopt_transform *transform,
                                           struct clopt_source *source, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_output) output = {0};
    CLOPT_TRY(clopt_source_print(source, &output, error));
    if (!transform->lines)
        transform->expanded_bytes = source->inner->expanded_bytes;
    size_t own = output.text.length < transform->expanded_bytes
                     ? 0
                     : output.text.length - transform->expanded_bytes;
    if (own > transform->most_bytes)
        return clopt_fail(error, CLOPT_INFEASIBLE,
                          "the source would grow from %zu to %zu bytes; the limit is %zu ([limits] "
                          "source of a study, --source-limit of clopt transform)",
                          transform->source_bytes, own, transform->most_bytes);
    free(transform->source);
    transform->source = clopt_text_take(&output.text);
    clopt_lines_destroy(transform->lines);
    transform->lines = clopt_lines_copy(&output.lines);
    transform->rewriter = &rewriter;
    return CLOPT_OK;
}

enum clopt_status clopt_transform_edit(struct clopt_transform *transform, enum clopt_inlining what,
                                       clopt_edit edit, void *user, struct clopt_error *error)
{
    CLOPT_HELD(clopt_source) source = NULL;
    CLOPT_TRY(clopt_transform_parse_inlined(transform, what, &source, error));
    CLOPT_TRY(edit(user, source, error));
    return clopt_transform_set_tree(transform, source, error);
}
