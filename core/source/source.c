/* SPDX-License-Identifier: BSD-3-Clause */
/* A source: what there is in it, and where. */
#include <clopt/source.h>

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "source/options.h"
#include "source/shape.h"
#include "source/tree.h"

static enum clopt_status create(struct clopt_source *source, const char *file, const char *text,
                                const struct clopt_build_options *options, const char *kernel,
                                struct clopt_error *error)
{
    enum clopt_status status = clopt_normalise(file, text, options, &source->normal, error);
    if (status)
        return status;
    /* What -D defines must not be used for new names either. */
    for (size_t i = 0; i < options->count; i++)
        if (clopt_option_value(options->words[i], "-D") &&
            !clopt_names_add_text(&source->names, &source->arena, options->words[i] + 2))
            return clopt_fail_memory(error);
    if (!clopt_names_add_text(&source->names, &source->arena, source->normal.text))
        return clopt_fail_memory(error);
    struct clopt_parse parse;
    status = clopt_parse_init(&parse, file, source->normal.text, options, false,
                              &source->normal.lines, error);
    if (status)
        return status;
    if (clopt_shape(&parse) != source->normal.shape)
        status =
            clopt_fail(error, CLOPT_INFEASIBLE,
                       "%s: its macros cannot be expanded without changing what it means", file);
    else
        status = clopt_tree_build(source, &parse, kernel, error);
    clopt_parse_fini(&parse);
    return status;
}

enum clopt_status clopt_source_create(const char *file, const char *text, const char *options,
                                      const char *kernel, struct clopt_source **source,
                                      struct clopt_error *error)
{
    *source = NULL;
    struct clopt_build_options words;
    enum clopt_status status = clopt_build_options_split(options, &words, error);
    if (status)
        return status;
    struct clopt_source *made = calloc(1, sizeof *made);
    status = made ? create(made, file, text, &words, kernel, error) : clopt_fail_memory(error);
    clopt_build_options_fini(&words);
    if (status)
        clopt_source_destroy(made);
    else
        *source = made;
    return status;
}

void clopt_source_destroy(struct clopt_source *source)
{
    if (!source)
        return;
    clopt_normal_fini(&source->normal);
    clopt_names_fini(&source->names);
    clopt_arena_fini(&source->arena);
    free(source->functions);
    free(source->variables);
    free(source);
}

const char *clopt_source_text(const struct clopt_source *source)
{
    return source->normal.text;
}

struct clopt_function *clopt_source_kernel(const struct clopt_source *source)
{
    return source->functions[0];
}

size_t clopt_source_function_count(const struct clopt_source *source)
{
    return source->function_count;
}

struct clopt_function *clopt_source_function(const struct clopt_source *source, size_t index)
{
    return source->functions[index];
}

size_t clopt_source_variable_count(const struct clopt_source *source)
{
    return source->variable_count;
}

struct clopt_variable *clopt_source_variable(const struct clopt_source *source, size_t index)
{
    return source->variables[index];
}

size_t clopt_source_node_count(const struct clopt_source *source)
{
    return source->node_count;
}

static struct clopt_place place_of(const struct clopt_source *source, size_t offset)
{
    size_t line = 0;
    const char *text = source->normal.text;
    for (size_t i = 0; i < offset; i++)
        line += text[i] == '\n';
    if (line < source->normal.lines.count)
        return source->normal.lines.places[line];
    return (struct clopt_place){"", (unsigned)line + 1};
}

const char *clopt_source_file(const struct clopt_source *source, const struct clopt_node *node)
{
    return place_of(source, node->begin).file;
}

unsigned clopt_source_line(const struct clopt_source *source, const struct clopt_node *node)
{
    return place_of(source, node->begin).line;
}

enum clopt_status clopt_source_refuse(const struct clopt_source *source,
                                      const struct clopt_node *node, struct clopt_error *error,
                                      const char *format, ...)
{
    struct clopt_text reason = {0};
    va_list arguments;
    va_start(arguments, format);
    clopt_text_vprintf(&reason, format, arguments);
    va_end(arguments);
    struct clopt_place place = place_of(source, node->begin);
    clopt_fail(error, CLOPT_INFEASIBLE, "%s:%u: %s", place.file, place.line,
               clopt_text_string(&reason));
    clopt_text_fini(&reason);
    return CLOPT_INFEASIBLE;
}

const char *clopt_source_fresh(struct clopt_source *source, const char *base, unsigned number)
{
    struct clopt_text name = {0};
    for (unsigned again = 1;; again++) {
        clopt_text_clear(&name);
        clopt_text_printf(&name, "%s_%u", base, number);
        if (again > 1)
            clopt_text_printf(&name, "_%u", again);
        if (name.failed)
            break;
        if (!clopt_names_has(&source->names, clopt_text_string(&name)))
            break;
    }
    const char *kept = NULL;
    if (!name.failed)
        kept = clopt_arena_copy(&source->arena, clopt_text_string(&name), name.length);
    clopt_text_fini(&name);
    return kept && clopt_names_add(&source->names, kept) ? kept : NULL;
}
