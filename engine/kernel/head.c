/* SPDX-License-Identifier: BSD-3-Clause */
/* Edits functions but for their bodies: copies, parameters, and the head of the kernel. */

#include "kernel/tree.h"
#include "text/text.h"
#include "text/token.h"

/* ---- functions ---- */

struct clopt_function *clopt_function_copy(const struct clopt_cloning *cloning,
                                           const struct clopt_function *function)
{
    struct clopt_source *source = cloning->source;
    const char *name = clopt_source_unique_name(source, function->name, 2);
    struct clopt_function *copy =
        clopt_source_add(source, &source->functions, &source->function_count, sizeof *copy);
    *copy = *function;
    copy->original = function;
    copy->name = name;
    copy->edited = true;
    copy->index = source->function_count - 1;
    copy->body = clopt_clone(cloning, function->body);
    return copy;
}

/* ---- text without nodes ---- */

struct clopt_text_edit *clopt_source_add_edit(struct clopt_source *source, size_t begin, size_t end,
                                              const char *format, ...)
{
    struct clopt_text_edit *edit = clopt_arena_get(&source->inner->arena, sizeof *edit);
    struct clopt_text text = {0};
    va_list arguments;
    va_start(arguments, format);
    clopt_text_vprintf(&text, format, arguments);
    va_end(arguments);
    *edit = (struct clopt_text_edit){.next = source->inner->edits,
                                     .begin = begin,
                                     .end = end,
                                     .text = clopt_source_take_text(source, &text)};
    return source->inner->edits = edit;
}

void clopt_function_add_parameter(struct clopt_source *source, struct clopt_function *function,
                                  struct clopt_variable *parameter)
{
    struct clopt_variable **added =
        clopt_arena_get(&source->inner->arena, (function->added_count + 1) * sizeof *added);
    if (function->added_count)
        memcpy(added, function->added, function->added_count * sizeof *added);
    added[function->added_count++] = parameter;
    function->added = added;
    function->edited = true;
    if (source->prototype_end && function == source->kernel) {
        clopt_source_add_edit(source, source->prototype_end, source->prototype_end + 1, "%s%s)",
                              function->parameter_count ? ", " : "", parameter->before);
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

/* Finds the next attribute of the kernel that names sizes: the number of its name; moves after it.
 * Odd ones are the same with underscores, those from 2 on hints. SIZES: there is none. */
enum { HINTS = 2, SIZES = 4 };
static const char *const sizes[SIZES] = {"reqd_work_group_size", "__reqd_work_group_size__",
                                         "work_group_size_hint", "__work_group_size_hint__"};
static unsigned next_sizes(const struct clopt_source *source, const char **at)
{
    const char *end = source->text + source->kernel->body_begin;
    unsigned found = SIZES;
    while (*at < end && found == SIZES) {
        struct clopt_token token = clopt_token_next(at);
        for (unsigned i = 0; i < SIZES; i++)
            found = clopt_token_is(&token, sizes[i]) ? i : found;
    }
    return found;
}

bool clopt_kernel_required_size(const struct clopt_source *source, size_t size[3])
{
    const char *at = source->text + source->kernel->begin;
    unsigned found;
    while ((found = next_sizes(source, &at)) >= HINTS)
        if (found == SIZES)
            return false;
    for (unsigned d = 0; d < 3; d++) {
        unsigned long number = 0;
        char *end = NULL;
        if (!find_size(at, d, &number, &end) || !number)
            return false;
        size[d] = number;
    }
    return true;
}

enum clopt_status clopt_kernel_divide_size(struct clopt_source *source, unsigned dimension,
                                           size_t multiple, size_t divisor,
                                           struct clopt_error *error)
{
    const struct clopt_function *kernel = source->kernel;
    const char *at = source->text + kernel->begin;
    for (unsigned found; (found = next_sizes(source, &at)) != SIZES;) {
        unsigned long size = 0;
        char *rest = NULL;
        const char *number = find_size(at, dimension, &size, &rest);
        bool fits = number && size % multiple == 0;
        if (!fits && found < HINTS)
            return clopt_source_refuse(source, kernel->body, error,
                                       "%s is not a multiple of %zu in dimension %u", sizes[0],
                                       multiple, dimension);
        if (fits)
            clopt_source_add_edit(source, (size_t)(number - source->text),
                                  (size_t)(rest - source->text), "%zu", (size_t)size / divisor);
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
    clopt_source_add_edit(source, kernel->begin, kernel->begin + first.length,
                          "__attribute__((%s(%u)))\n%.*s", name, argument, (int)first.length,
                          first.text);
    return true;
}

/* ---- the kernel's parameters ---- */

/* Finds the word for the address space of a parameter; its length is 0 where it has none. */
static struct clopt_token find_space(const struct clopt_source *source,
                                     const struct clopt_variable *parameter)
{
    static const char *const words[] = {"__global", "global", "__constant", "constant"};
    const char *name = source->text + parameter->begin;
    struct clopt_token space = {0};
    for (const char *at = source->text + source->kernel->name_begin; at < name;) {
        struct clopt_token token = clopt_token_next(&at);
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (clopt_token_is(&token, words[i]))
                space = token;
        if (clopt_token_is(&token, ","))
            space = (struct clopt_token){0};
    }
    return space;
}

bool clopt_parameter_qualify(struct clopt_source *source, const struct clopt_variable *parameter,
                             const char *qualifier)
{
    size_t end = parameter->begin + strlen(parameter->name);
    const char *next = clopt_token_skip_space(source->text + end);
    if (*next != ',' && *next != ')')
        return false;
    clopt_source_add_edit(source, parameter->begin, end, "%s ", qualifier)->named = parameter;
    return true;
}

void clopt_parameter_set_space(struct clopt_source *source, struct clopt_variable *parameter,
                               enum clopt_space space)
{
    struct clopt_token word = find_space(source, parameter);
    size_t begin = word.length ? (size_t)(word.text - source->text) : 0;
    if (word.length)
        clopt_source_add_edit(source, begin, begin + word.length, "%s",
                              space == CLOPT_SPACE_GLOBAL     ? "__global"
                              : space == CLOPT_SPACE_CONSTANT ? "__constant"
                                                              : "__local");
}

static bool is_qualifier(const struct clopt_token *token)
{
    static const char *const words[] = {"const",  "restrict",   "__restrict", "__global",
                                        "global", "__constant", "constant"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (clopt_token_is(token, words[i]))
            return true;
    return false;
}

bool clopt_parameter_set_pointee(struct clopt_source *source,
                                 const struct clopt_variable *parameter, enum clopt_scalar scalar)
{
    const char *name = source->text + parameter->begin, *first = NULL, *last = NULL;
    bool whole = true, points = false;
    for (const char *at = source->text + source->kernel->name_begin; at < name;) {
        struct clopt_token token = clopt_token_next(&at);
        if (clopt_token_is(&token, ",") || clopt_token_is(&token, "(")) {
            first = last = NULL;
            points = false;
        } else if (clopt_token_is(&token, "*")) {
            whole &= !points;
            points = true;
        } else if (!is_qualifier(&token) && token.text < name) {
            whole = !points && (!first || token.text - last <= 1);
            first = first ? first : token.text;
            last = token.text + token.length;
        }
    }
    points |= name[strlen(parameter->name)] == '[';
    if (!first || !whole || !points || source->prototype_end)
        return false;
    clopt_source_add_edit(source, (size_t)(first - source->text), (size_t)(last - source->text),
                          "%s", clopt_scalar_name(scalar));
    return true;
}
