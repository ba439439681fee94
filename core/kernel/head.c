/* SPDX-License-Identifier: BSD-3-Clause */
/* Edits functions but for their bodies: copies, parameters, and the head of the kernel. */
#include <clopt/rewrite.h>

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "frontend/token.h"
#include "kernel/tree.h"

/* ---- functions ---- */

struct clopt_function *clopt_function_copy(const struct clopt_cloning *cloning,
                                           const struct clopt_function *function)
{
    struct clopt_source *source = cloning->source;
    struct clopt_function *copy = clopt_arena_get(&source->inner->arena, sizeof *copy);
    bool room = clopt_array_grow(&source->functions, source->function_count, sizeof copy);
    const char *name = clopt_source_unique_name(source, function->name, 2);
    source->inner->arena.failed |= !room;
    if (!copy || !room)
        return source->functions[0];
    *copy = *function;
    copy->original = function;
    copy->name = name;
    copy->edited = true;
    copy->body = clopt_clone(cloning, function->body);
    copy->index = source->function_count;
    source->functions[source->function_count++] = copy;
    return copy;
}

/* ---- text without nodes ---- */

/* Replaces text by another one, which it takes. */
static void add_edit(struct clopt_source *source, size_t begin, size_t end, struct clopt_text *text)
{
    struct clopt_text_edit *edit = clopt_arena_get(&source->inner->arena, sizeof *edit);
    const char *put = clopt_source_take_text(source, text);
    if (!edit)
        return;
    *edit = (struct clopt_text_edit){source->inner->edits, begin, end, put};
    source->inner->edits = edit;
}

void clopt_function_add_parameter(struct clopt_source *source, struct clopt_function *function,
                                  struct clopt_variable *parameter)
{
    struct clopt_variable **added =
        clopt_arena_get(&source->inner->arena, (function->added_count + 1) * sizeof *added);
    if (!added)
        return;
    if (function->added_count)
        memcpy(added, function->added, function->added_count * sizeof *added);
    added[function->added_count++] = parameter;
    function->added = added;
    function->edited = true;
    if (function->prototype_end && !function->original) {
        struct clopt_text text = {0};
        clopt_text_printf(&text, "%s%s)", function->parameter_count ? ", " : "", parameter->before);
        add_edit(source, function->prototype_end, function->prototype_end + 1, &text);
    }
}

/* ---- the head of the kernel ---- */

/* Finds the number of a dimension among the arguments of an attribute; NULL: it is no number. */
static const char *find_size(const char *at, unsigned dimension, unsigned long *size, char **end)
{
    struct clopt_token token = clopt_token_next(&at);
    while (dimension && token.kind != CLOPT_TOKEN_END) {
        token = clopt_token_next(&at);
        dimension -= clopt_token_is(&token, ",");
    }
    at = clopt_token_skip_space(at);
    *size = strtoul(at, end, 0);
    const char *rest = clopt_token_skip_space(*end);
    return *end != at && (*rest == ',' || *rest == ')') ? at : NULL;
}

enum clopt_status clopt_kernel_divide_size(struct clopt_source *source, unsigned dimension,
                                           size_t multiple, size_t divisor,
                                           struct clopt_error *error)
{
    static const char *const attributes[] = {"reqd_work_group_size", "__reqd_work_group_size__",
                                             "work_group_size_hint", "__work_group_size_hint__"};
    const struct clopt_function *kernel = source->kernel;
    const char *end = source->text + kernel->body_begin;
    for (const char *at = source->text + kernel->begin; at < end;) {
        struct clopt_token token = clopt_token_next(&at);
        size_t i = 0;
        while (i < 4 && !clopt_token_is(&token, attributes[i]))
            i++;
        if (i == 4)
            continue;
        unsigned long size = 0;
        char *rest = NULL;
        const char *number = find_size(at, dimension, &size, &rest);
        if (!number || size % multiple)
            return clopt_source_refuse(source, kernel->body, error,
                                       "%s is no multiple of %zu in dimension %u",
                                       attributes[i & ~1u], multiple, dimension);
        struct clopt_text text = {0};
        clopt_text_printf(&text, "%zu", (size_t)size / divisor);
        add_edit(source, (size_t)(number - source->text), (size_t)(rest - source->text), &text);
    }
    return CLOPT_OK;
}

bool clopt_kernel_add_attribute(struct clopt_source *source, const char *name, unsigned argument)
{
    const struct clopt_function *kernel = source->kernel;
    const char *at = source->text + kernel->begin;
    const char *end = source->text + kernel->body_begin;
    struct clopt_token first = clopt_token_next(&at);
    for (struct clopt_token token = first; token.text < end; token = clopt_token_next(&at))
        if (clopt_token_is(&token, name))
            return false;
    struct clopt_text text = {0};
    clopt_text_printf(&text, "__attribute__((%s(%u)))\n", name, argument);
    clopt_text_append_bytes(&text, first.text, first.length);
    add_edit(source, kernel->begin, kernel->begin + first.length, &text);
    return true;
}

/* ---- the kernel's parameters ---- */

/* Replaces a word among the parameters by a text, which it takes. */
static void edit_token(struct clopt_source *source, const struct clopt_token *token,
                       struct clopt_text *text)
{
    size_t begin = (size_t)(token->text - source->text);
    add_edit(source, begin, begin + token->length, text);
}

/* Finds a parameter's name and the word for its address space, whose length is 0 where it has none;
 * returns what follows the name, or NULL where it is not found. */
static const char *find_parameter(const struct clopt_source *source,
                                  const struct clopt_variable *parameter, struct clopt_token *name,
                                  struct clopt_token *space)
{
    static const char *const words[] = {"__global", "global", "__constant", "constant"};
    const struct clopt_function *kernel = source->kernel;
    const char *end = source->text + kernel->parameters_end;
    *space = (struct clopt_token){0};
    for (const char *at = source->text + kernel->name_begin; at < end;) {
        *name = clopt_token_next(&at);
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (clopt_token_is(name, words[i]))
                *space = *name;
        if (clopt_token_is(name, ","))
            *space = (struct clopt_token){0};
        const char *next = clopt_token_skip_space(at);
        if (clopt_token_is(name, parameter->name) && strchr(",)[_", *next))
            return next;
    }
    return NULL;
}

bool clopt_parameter_qualify(struct clopt_source *source, const struct clopt_variable *parameter,
                             const char *qualifier)
{
    struct clopt_token name, space;
    struct clopt_text text = {0};
    const char *next = find_parameter(source, parameter, &name, &space);
    if (!next || (*next != ',' && *next != ')'))
        return false;
    clopt_text_printf(&text, "%s %s", qualifier, parameter->name);
    edit_token(source, &name, &text);
    return true;
}

void clopt_parameter_set_space(struct clopt_source *source, struct clopt_variable *parameter,
                               enum clopt_space space)
{
    struct clopt_token name, word;
    struct clopt_text text = {0};
    if (!find_parameter(source, parameter, &name, &word) || !word.length)
        return;
    clopt_text_append(&text, space == CLOPT_SPACE_GLOBAL     ? "__global"
                             : space == CLOPT_SPACE_CONSTANT ? "__constant"
                                                             : "__local");
    edit_token(source, &word, &text);
}
