/* SPDX-License-Identifier: BSD-3-Clause */
/* How wide the compiler's own vectorizer shall work: an attribute of the extension
 * cl_intel_vec_len_hint. */
#include "hint.h"

#include <string.h>

#include <clopt/source.h>

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
    const struct clopt_device_info *device = clopt_transform_device(transform);
    if (!device || has_word(device->extensions, EXTENSION))
        return CLOPT_OK;
    return clopt_fail(error, CLOPT_INFEASIBLE, "hint: the device has no extension %s", EXTENSION);
}

/* Whether the head of the kernel has the attribute already. */
static bool is_hinted(const struct clopt_source *source)
{
    const struct clopt_function *kernel = clopt_source_kernel(source);
    const char *text = clopt_source_text(source);
    const char *found = strstr(text + kernel->begin, ATTRIBUTE);
    return found && found < text + kernel->body->begin;
}

static enum clopt_status put_hint(struct clopt_transform *transform, unsigned width,
                                  struct clopt_source *source, struct clopt_error *error)
{
    const struct clopt_function *kernel = clopt_source_kernel(source);
    if (is_hinted(source))
        return clopt_source_refuse(source, kernel->body, error, "%s has %s already", kernel->name,
                                   ATTRIBUTE);
    struct clopt_output *output = clopt_output_create();
    if (!output)
        return clopt_fail_memory(error);
    clopt_output_copy(output, source, 0, kernel->begin);
    clopt_output_printf(output, "__attribute__((%s(%u)))\n", ATTRIBUTE, width);
    clopt_output_copy(output, source, kernel->begin, strlen(clopt_source_text(source)));
    enum clopt_status status = clopt_transform_set_output(transform, output, error);
    clopt_output_destroy(output);
    return status;
}

enum clopt_status hint_apply(struct clopt_transform *transform, unsigned width,
                             struct clopt_error *error)
{
    struct clopt_source *source = NULL;
    enum clopt_status status = hint_check(transform, error);
    if (!status)
        status = clopt_transform_parse(transform, &source, error);
    if (!status)
        status = put_hint(transform, width, source, error);
    clopt_source_destroy(source);
    return status;
}
