/* SPDX-License-Identifier: BSD-3-Clause */
/* A kernel on its way to becoming a variant. */
#include "trial/transform.h"

#include "text/text.h"

void clopt_transform_init(struct clopt_transform *transform, const char *kernel, const char *file,
                          const char *source, const char *options,
                          const struct clopt_ndrange *ndrange)
{
    *transform = (struct clopt_transform){.kernel = kernel, .file = file};
    if (ndrange && ndrange->dimensions) {
        transform->initial = transform->current = *ndrange;
        transform->ndrange = &transform->current;
    }
    size_t length = source ? strlen(source) : 0;
    transform->most_bytes = 64 * length > 256 * 1024 ? 64 * length : 256 * 1024;
    transform->source_bytes = length;
    transform->options = clopt_strdup(options ? options : "");
    transform->source = source ? clopt_strdup(source) : NULL;
}

void clopt_transform_fini(struct clopt_transform *transform)
{
    free(transform->source);
    free(transform->options);
    free(transform->compiled);
    if (transform->rewriter)
        transform->rewriter->end(transform);
    *transform = (struct clopt_transform){0};
}

enum clopt_status clopt_transform_check(struct clopt_transform *transform,
                                        struct clopt_error *error)
{
    return transform->rewriter ? transform->rewriter->prove(transform, error) : CLOPT_OK;
}

void clopt_transform_add_option(struct clopt_transform *transform, const char *option)
{
    CLOPT_FREED char *before = transform->options;
    transform->options = clopt_text_format("%s%s%s", before, *before ? " " : "", option);
}
