/* SPDX-License-Identifier: BSD-3-Clause */
/* A kernel on its way to becoming a variant. */
#include "trial/transform.h"

#include <stdlib.h>
#include <string.h>

#include <clopt/source.h>

#include "base/text.h"
#include "source/lines.h"
#include "source/parse.h"

enum clopt_status clopt_transform_init(struct clopt_transform *transform, const char *kernel,
                                       const char *file, const char *source, const char *options,
                                       const struct clopt_ndrange *ndrange,
                                       struct clopt_error *error)
{
    *transform = (struct clopt_transform){.kernel = kernel, .file = file};
    if (ndrange)
        transform->initial = transform->current = *ndrange;
    size_t length = source ? strlen(source) : 0;
    transform->most_bytes = 64 * length > 256 * 1024 ? 64 * length : 256 * 1024;
    transform->source_bytes = length;
    transform->options = strdup(options ? options : "");
    if (source)
        transform->source = strdup(source);
    if (!transform->options || (source && !transform->source)) {
        clopt_transform_fini(transform);
        return clopt_fail_memory(error);
    }
    return CLOPT_OK;
}

void clopt_transform_fini(struct clopt_transform *transform)
{
    free(transform->source);
    free(transform->options);
    free(transform->label);
    clopt_lines_destroy(transform->lines);
    *transform = (struct clopt_transform){0};
}

static size_t divide_up(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

struct clopt_ndrange clopt_ndrange_map(const struct clopt_ndrange *initial,
                                       const struct clopt_ndrange_change *change)
{
    struct clopt_ndrange mapped = *initial;
    for (unsigned d = 0; d < 3; d++) {
        size_t local = initial->local[d] ? initial->local[d] : 1;
        if (change->local_size[d] && d < initial->dimensions)
            local = change->local_size[d];
        size_t groups = divide_up(initial->global[d], local);
        if (change->merged_items[d])
            local = divide_up(local, change->merged_items[d]);
        if (change->merged_groups[d])
            groups = divide_up(groups, change->merged_groups[d]);
        mapped.local[d] = local;
        mapped.global[d] = groups * local;
    }
    return mapped;
}

uint64_t clopt_ndrange_group_count(const struct clopt_ndrange *initial,
                                   const struct clopt_ndrange_change *change, size_t index)
{
    const struct clopt_group_count *count = &change->group_counts[index];
    struct clopt_ndrange_change before = {
        .local_size = {change->local_size[0], change->local_size[1], change->local_size[2]}};
    before.merged_groups[count->dimension] = count->merged;
    struct clopt_ndrange range = clopt_ndrange_map(initial, &before);
    return range.global[count->dimension] / range.local[count->dimension];
}

const char *clopt_transform_kernel(const struct clopt_transform *transform)
{
    return transform->kernel;
}

const char *clopt_transform_source(const struct clopt_transform *transform)
{
    return transform->source;
}

const char *clopt_transform_options(const struct clopt_transform *transform)
{
    return transform->options;
}

const char *clopt_transform_file(const struct clopt_transform *transform)
{
    return transform->label ? transform->label : transform->file;
}

const struct clopt_lines *clopt_transform_lines(const struct clopt_transform *transform)
{
    return transform->lines;
}

enum clopt_status clopt_transform_parse(const struct clopt_transform *transform,
                                        struct clopt_source **source, struct clopt_error *error)
{
    enum clopt_status status =
        clopt_source_create(transform->file, transform->source, transform->lines,
                            transform->options, transform->kernel, source, error);
    return status == CLOPT_INVALID && transform->label ? clopt_parse_blame(transform->file, error)
                                                       : status;
}

enum clopt_status clopt_transform_parse_inlined(const struct clopt_transform *transform,
                                                enum clopt_inlining what,
                                                struct clopt_source **source,
                                                struct clopt_error *error)
{
    enum clopt_status status =
        clopt_source_create_inlined(transform->file, transform->source, transform->lines,
                                    transform->options, transform->kernel, what, source, error);
    return status == CLOPT_INVALID && transform->label ? clopt_parse_blame(transform->file, error)
                                                       : status;
}

enum clopt_status clopt_transform_check(const struct clopt_transform *transform,
                                        struct clopt_error *error)
{
    if (!transform->lines && !transform->label)
        return CLOPT_OK;
    return clopt_parse_check(transform->file, transform->source, transform->lines,
                             transform->options, error);
}

const struct clopt_ndrange *clopt_transform_ndrange(const struct clopt_transform *transform)
{
    return transform->current.dimensions ? &transform->current : NULL;
}

bool clopt_transform_any_local_size(const struct clopt_transform *transform)
{
    return transform->any_local_size;
}

const struct clopt_device_info *clopt_transform_device(const struct clopt_transform *transform)
{
    return transform->device;
}

/* Takes a source, where its lines come from, and what else it is called. What is too long is kept
 * from compilers, which need minutes for it. */
static enum clopt_status set_source(struct clopt_transform *transform, char *source,
                                    struct clopt_lines *lines, char *label,
                                    struct clopt_error *error)
{
    size_t length = strlen(source);
    if (length > transform->most_bytes) {
        free(source);
        free(label);
        clopt_lines_destroy(lines);
        return clopt_fail(error, CLOPT_INFEASIBLE,
                          "the source would grow from %zu to %zu bytes; the limit is %zu ([limits] "
                          "source of a study, --source-limit of clopt transform)",
                          transform->source_bytes, length, transform->most_bytes);
    }
    free(transform->source);
    transform->source = source;
    clopt_lines_destroy(transform->lines);
    transform->lines = lines;
    if (!label)
        return CLOPT_OK; /* lines of a text that has another name keep it */
    free(transform->label);
    transform->label = label;
    return CLOPT_OK;
}

enum clopt_status clopt_transform_set_source(struct clopt_transform *transform, const char *source,
                                             struct clopt_error *error)
{
    struct clopt_text label = {0};
    clopt_text_printf(&label, "%s, rewritten", transform->file);
    char *copy = strdup(source);
    char *name = clopt_text_take(&label);
    if (!copy || !name) {
        free(copy);
        free(name);
        return clopt_fail_memory(error);
    }
    return set_source(transform, copy, NULL, name, error);
}

enum clopt_status clopt_transform_set_output(struct clopt_transform *transform,
                                             const struct clopt_output *output,
                                             struct clopt_error *error)
{
    const char *text = clopt_output_text(output);
    char *copy = text ? strdup(text) : NULL;
    struct clopt_lines *lines = copy ? clopt_lines_copy(clopt_output_lines(output)) : NULL;
    if (!lines) {
        free(copy);
        return clopt_fail_memory(error);
    }
    return set_source(transform, copy, lines, NULL, error);
}

enum clopt_status clopt_transform_add_option(struct clopt_transform *transform, const char *option,
                                             struct clopt_error *error)
{
    struct clopt_text options = {0};
    clopt_text_printf(&options, "%s%s%s", transform->options, *transform->options ? " " : "",
                      option);
    char *joined = clopt_text_take(&options);
    if (!joined)
        return clopt_fail_memory(error);
    free(transform->options);
    transform->options = joined;
    return CLOPT_OK;
}

static void remap(struct clopt_transform *transform)
{
    transform->current = clopt_ndrange_map(&transform->initial, &transform->change);
}

void clopt_transform_set_local_size(struct clopt_transform *transform, unsigned dimension,
                                    size_t local_size)
{
    transform->change.local_size[dimension] = local_size;
    remap(transform);
}

/* Multiplies a factor up; 0 stands for 1. */
static void multiply(size_t *factor, size_t by)
{
    *factor = (*factor ? *factor : 1) * by;
}

void clopt_transform_merge_items(struct clopt_transform *transform, unsigned dimension,
                                 size_t factor)
{
    multiply(&transform->change.merged_items[dimension], factor);
    remap(transform);
}

void clopt_transform_merge_groups(struct clopt_transform *transform, unsigned dimension,
                                  size_t factor)
{
    multiply(&transform->change.merged_groups[dimension], factor);
    remap(transform);
}

enum clopt_status clopt_transform_add_group_count(struct clopt_transform *transform,
                                                  unsigned dimension, struct clopt_error *error)
{
    struct clopt_ndrange_change *change = &transform->change;
    if (change->group_count_count == CLOPT_MOST_GROUP_COUNTS)
        return clopt_fail(error, CLOPT_INFEASIBLE, "work-groups are merged more than %d times",
                          CLOPT_MOST_GROUP_COUNTS);
    size_t merged = change->merged_groups[dimension];
    change->group_counts[change->group_count_count++] =
        (struct clopt_group_count){dimension, merged ? merged : 1};
    return CLOPT_OK;
}

void clopt_transform_require_multiple(struct clopt_transform *transform, unsigned dimension,
                                      size_t multiple)
{
    /* What was merged before has divided the local size that this step saw. */
    size_t merged = transform->change.merged_items[dimension];
    multiple *= merged ? merged : 1;
    if (multiple > transform->change.local_multiple[dimension])
        transform->change.local_multiple[dimension] = multiple;
}

bool clopt_transform_has_local_size(const struct clopt_transform *transform, unsigned dimension,
                                    size_t size)
{
    const struct clopt_ndrange *ndrange = clopt_transform_ndrange(transform);
    return ndrange && !transform->any_local_size && dimension < ndrange->dimensions &&
           ndrange->local[dimension] == size;
}

void clopt_transform_require_local_size(struct clopt_transform *transform, unsigned dimension,
                                        size_t size)
{
    clopt_transform_require_multiple(transform, dimension, size);
    transform->change.local_only[dimension] = true;
}

void clopt_transform_require_distinct_buffers(struct clopt_transform *transform)
{
    transform->change.distinct_buffers = true;
}
