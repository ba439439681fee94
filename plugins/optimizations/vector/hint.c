/* SPDX-License-Identifier: BSD-3-Clause */
/* How wide the compiler's own vectorizer shall work: an attribute of the extension
 * cl_intel_vec_len_hint. */
#include "hint.h"

#include <string.h>

#include <clopt/rewrite.h>

#define EXTENSION "cl_intel_vec_len_hint"
#define ATTRIBUTE "intel_vec_len_hint"

/* Whether a list of words separated by blanks holds a word. */
static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

enum clopt_status hint_check(const struct clopt_transform *transform, struct clopt_error *error)
{
    const struct clopt_device_info *device = transform->device;
    if (!device || has_word(device->extensions, EXTENSION))
        return CLOPT_OK;
    return clopt_fail(error, CLOPT_INFEASIBLE, "hint: the device has no extension %s", EXTENSION);
}

enum clopt_status hint_apply(struct clopt_transform *transform, unsigned width,
                             struct clopt_error *error)
{
    struct clopt_source *source = NULL;
    enum clopt_status status = hint_check(transform, error);
    if (!status)
        status = clopt_transform_parse(transform, &source, error);
    if (!status && !clopt_kernel_add_attribute(source, ATTRIBUTE, width))
        status = clopt_source_refuse(source, source->kernel->body, error, "%s has %s already",
                                     transform->kernel, ATTRIBUTE);
    if (!status)
        status = clopt_transform_set_tree(transform, source, error);
    clopt_source_destroy(source);
    return status;
}
