/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints trees that were edited, for what follows: the next step, or another analysis. */
#include <clopt/optimization.h>
#include <clopt/rewrite.h>

#include "kernel/tree.h"

/* Prints a program; `output` is the caller's to destroy in any case. */
static enum clopt_status print(const struct clopt_source *source, struct clopt_output **output,
                               struct clopt_error *error)
{
    *output = NULL;
    if (source->inner->wrong)
        return clopt_fail(error, CLOPT_FAILED,
                          "the optimization built \"%s\", which is no OpenCL C",
                          source->inner->wrong);
    if (source->inner->arena.failed || !(*output = clopt_output_create()))
        return clopt_fail_memory(error);
    clopt_source_write(source, *output);
    return clopt_output_text(*output) ? CLOPT_OK : clopt_fail_memory(error);
}

enum clopt_status clopt_transform_set_tree(struct clopt_transform *transform,
                                           struct clopt_source *source, struct clopt_error *error)
{
    struct clopt_output *output;
    enum clopt_status status = print(source, &output, error);
    if (!status)
        status = clopt_transform_set_output(transform, output, error);
    clopt_output_destroy(output);
    return status;
}

static bool is_edited(const struct clopt_source *source)
{
    if (source->inner->edits)
        return true;
    for (size_t i = 0; i < source->function_count; i++)
        if (source->functions[i]->edited)
            return true;
    return false;
}

enum clopt_status clopt_source_reread(const struct clopt_transform *transform,
                                      struct clopt_source **source, struct clopt_error *error)
{
    struct clopt_output *output;
    if (!is_edited(*source) && !(*source)->inner->wrong && !(*source)->inner->arena.failed)
        return CLOPT_OK;
    enum clopt_status status = print(*source, &output, error);
    clopt_source_destroy(*source);
    *source = NULL;
    if (!status)
        status = clopt_source_create(transform->file, clopt_output_text(output),
                                     clopt_output_lines(output), transform->options,
                                     transform->kernel, source, error);
    clopt_output_destroy(output);
    return status;
}
