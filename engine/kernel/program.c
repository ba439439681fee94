/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints programs, for what follows: the text as it was read, but for what was edited of heads and
 * bodies. */

#include "frontend/dialect.h"
#include "kernel/output.h"
#include "kernel/tree.h"
#include "text/token.h"

/* Copies a part of the text with the edits of heads that fall into it. */
static void copy_edited(const struct clopt_source *source, struct clopt_output *output,
                        size_t begin, size_t end)
{
    while (begin < end) {
        const struct clopt_text_edit *first = NULL;
        for (const struct clopt_text_edit *edit = source->inner->edits; edit; edit = edit->next)
            if (edit->begin >= begin && edit->end <= end && (!first || edit->begin < first->begin))
                first = edit;
        clopt_output_copy(output, source, begin, first ? first->begin : end);
        begin = first ? first->end : end;
        if (first)
            clopt_output_paste(output, first->text, &first->references);
        if (first && first->named)
            clopt_output_variable(output, source, first->named);
    }
}

static void write_head(const struct clopt_source *source, struct clopt_output *output,
                       const struct clopt_function *function)
{
    const char *text = source->text;
    const char *name = text + function->name_begin;
    size_t close = function->parameters_end;
    bool none = !function->parameter_count && function->added_count; /* (), or (void) */
    clopt_token_next(&name);
    copy_edited(source, output, function->begin, function->name_begin);
    clopt_output_function(output, source, function);
    copy_edited(source, output, (size_t)(name - text),
                none ? (size_t)(strchr(name, '(') - text) + 1 : close);
    for (size_t i = 0; i < function->added_count; i++) {
        const struct clopt_variable *parameter = function->added[i];
        clopt_text_printf(&output->text, "%s%s", none && !i ? "" : ", ", parameter->before);
        clopt_output_variable(output, source, parameter);
        clopt_text_append(&output->text, parameter->after);
    }
}

/* Whether one function is printed before another one: in the order of the text, and copies after
 * their original. */
static bool is_before(const struct clopt_function *a, const struct clopt_function *b)
{
    return a->begin != b->begin ? a->begin < b->begin : a->index < b->index;
}

/* Returns the edited function that follows another one; NULL: none. */
static const struct clopt_function *next_edited(const struct clopt_source *source,
                                                const struct clopt_function *last)
{
    const struct clopt_function *next = NULL;
    for (size_t i = 0; i < source->function_count; i++) {
        const struct clopt_function *function = source->functions[i];
        if (function->edited && (!last || is_before(last, function)) &&
            (!next || is_before(function, next)))
            next = function;
    }
    return next;
}

void clopt_source_write(const struct clopt_source *source, struct clopt_output *output)
{
    size_t at = 0;
    const struct clopt_function *function = NULL;
    while ((function = next_edited(source, function))) {
        copy_edited(source, output, at, function->original ? function->end : function->begin);
        clopt_text_append(&output->text, function->original ? "\n\n" : "");
        size_t from = output->text.length;
        write_head(source, output, function);
        copy_edited(source, output, function->parameters_end, function->body_begin);
        clopt_node_write(source, output, function->body);
        clopt_output_indent(output, from);
        at = function->end;
    }
    copy_edited(source, output, at, strlen(source->text));
}

enum clopt_status clopt_source_print(struct clopt_source *source, struct clopt_output *output,
                                     struct clopt_error *error)
{
    if (source->inner->wrong)
        return clopt_fail(error, CLOPT_FAILED,
                          "the optimization built \"%s\", which is not OpenCL C",
                          source->inner->wrong);
    clopt_source_settle_names(source);
    clopt_source_write(source, output);
    return CLOPT_OK;
}

bool clopt_source_is_edited(const struct clopt_source *source)
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
    CLOPT_OWNED(clopt_output) output = {0};
    size_t expanded = (*source)->inner->expanded_bytes;
    enum clopt_status status = clopt_source_print(*source, &output, error);
    clopt_source_destroy(*source);
    *source = NULL;
    CLOPT_TRY(status);
    CLOPT_TRY(clopt_source_create(file, clopt_text_string(&output.text), &output.lines, options,
                                  kernel, source, error));
    (*source)->inner->expanded_bytes = expanded;
    return CLOPT_OK;
}

enum clopt_status clopt_source_reread(const struct clopt_transform *transform,
                                      struct clopt_source **source, struct clopt_error *error)
{
    if (!clopt_source_is_edited(*source) && !(*source)->inner->wrong)
        return CLOPT_OK;
    CLOPT_FREED char *options = clopt_device_options(transform->options, transform->device);
    return clopt_source_renew(transform->file, options, transform->kernel, source, error);
}
