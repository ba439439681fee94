/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints trees that were edited, for what follows: the next step, or another analysis. */
#include <clopt/optimization.h>
#include <clopt/rewrite.h>

#include "kernel/output.h"
#include "kernel/tree.h"

enum clopt_status clopt_source_print(const struct clopt_source *source, struct clopt_output *output,
                                     struct clopt_error *error)
{
    if (source->inner->wrong)
        return clopt_fail(error, CLOPT_FAILED,
                          "the optimization built \"%s\", which is no OpenCL C",
                          source->inner->wrong);
    if (!source->inner->arena.failed)
        clopt_source_write(source, output);
    return source->inner->arena.failed || output->text.failed ? clopt_fail_memory(error) : CLOPT_OK;
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

enum clopt_status clopt_source_renew(const char *file, const char *options, const char *kernel,
                                     struct clopt_source **source, struct clopt_error *error)
{
    struct clopt_output output = {0};
    enum clopt_status status = clopt_source_print(*source, &output, error);
    clopt_source_destroy(*source);
    *source = NULL;
    if (!status)
        status = clopt_source_create(file, clopt_output_text(&output), &output.lines, options,
                                     kernel, source, error);
    clopt_output_fini(&output);
    return status;
}

enum clopt_status clopt_source_reread(const struct clopt_transform *transform,
                                      struct clopt_source **source, struct clopt_error *error)
{
    if (!is_edited(*source) && !(*source)->inner->wrong && !(*source)->inner->arena.failed)
        return CLOPT_OK;
    return clopt_source_renew(transform->file, transform->options, transform->kernel, source,
                              error);
}
