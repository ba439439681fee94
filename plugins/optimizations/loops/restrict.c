/* SPDX-License-Identifier: BSD-3-Clause */
/* Promises that pointers do not overlap. */
#include "restrict.h"

#include <ctype.h>
#include <string.h>

#include <clopt/source.h>

static bool is_meant(const struct clopt_variable *parameter)
{
    return parameter->is_pointer && !strstr(parameter->type, "restrict") &&
           (parameter->pointee == CLOPT_SPACE_GLOBAL || parameter->pointee == CLOPT_SPACE_LOCAL);
}

static bool is_in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Returns where a parameter's name stands, as a word in front of a comma or parenthesis, from an
 * offset on; `end` where it does not, as in `float a[]`. */
static size_t find_name(const char *text, size_t begin, size_t end, const char *name)
{
    size_t length = strlen(name);
    for (size_t at = begin; at + length < end; at++) {
        if (strncmp(text + at, name, length) != 0 || is_in_name(text[at - 1]) ||
            is_in_name(text[at + length]))
            continue;
        size_t next = at + length;
        next += strspn(text + next, " \t\r\n");
        if (text[next] == ',' || text[next] == ')')
            return at;
    }
    return end;
}

/* Puts the program with the word in front of each name; returns how often. */
static unsigned put_promised(const struct clopt_source *source, struct clopt_output *output)
{
    const struct clopt_function *kernel = clopt_source_kernel(source);
    const char *text = clopt_source_text(source);
    size_t end = kernel->body->begin;
    size_t copied = 0;
    size_t place = kernel->begin + 1;
    unsigned count = 0;
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        size_t name = find_name(text, place, end, kernel->parameters[i]->name);
        if (name == end)
            continue;
        place = name + strlen(kernel->parameters[i]->name);
        if (!is_meant(kernel->parameters[i]))
            continue;
        clopt_output_copy(output, source, copied, name);
        clopt_output_put(output, is_in_name(text[name - 1]) ? " restrict " : "restrict ");
        copied = name;
        count++;
    }
    clopt_output_copy(output, source, copied, strlen(text));
    return count;
}

enum clopt_status restrict_apply(struct clopt_transform *transform, struct clopt_error *error)
{
    struct clopt_source *source = NULL;
    struct clopt_output *output = clopt_output_create();
    enum clopt_status status =
        output ? clopt_transform_parse(transform, &source, error) : clopt_fail_memory(error);
    if (!status && !put_promised(source, output))
        status = clopt_source_refuse(source, clopt_source_kernel(source)->body, error,
                                     "restrict: no pointer is left to be declared so");
    if (!status)
        status = clopt_transform_set_output(transform, output, error);
    const struct clopt_ndrange_change change = {.distinct_buffers = true};
    if (!status)
        status = clopt_transform_change_ndrange(transform, &change, error);
    clopt_source_destroy(source);
    clopt_output_destroy(output);
    return status;
}
