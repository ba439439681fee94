/* SPDX-License-Identifier: BSD-3-Clause */
/* A source: what there is in it, and where. */
#include <clopt/source.h>

#include "kernel/tree.h"
#include "text/text.h"

/* Notes where the lines of the normalised text begin. */
static void find_lines(struct clopt_source *source)
{
    const char *text = source->inner->normal.text;
    size_t count = 1;
    source->text = text;
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        count++;
    source->inner->line_begins = clopt_calloc(count, sizeof *source->inner->line_begins);
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        source->inner->line_begins[++source->inner->last_line] = (size_t)(at - text) + 1;
}

static void add_names(struct clopt_source *source, const char *text)
{
    clopt_names_add_text(&source->inner->names, &source->inner->arena, text);
}

/* Whether no macro of the options is named in the text. */
static bool is_free_of_macros(const struct clopt_source *source,
                              const struct clopt_build_options *options)
{
    for (size_t i = 0; i < options->count; i++) {
        const char *name = clopt_option_value(options->words[i], "-D");
        if (name && clopt_names_has(&source->inner->names, name, strcspn(name, "=(")))
            return false;
    }
    return true;
}

/* Makes the normal text, and notes its names. What -D defines must not be used for new names
 * either. */
static enum clopt_status normalise(struct clopt_source *source, const char *file, const char *text,
                                   const struct clopt_lines *lines,
                                   const struct clopt_build_options *options,
                                   struct clopt_error *error)
{
    struct clopt_normal *normal = &source->inner->normal;
    add_names(source, lines ? text : "");
    if (lines && is_free_of_macros(source, options)) { /* a rewritten text is normal as it is */
        CLOPT_FREED struct clopt_lines *copy = clopt_lines_copy(lines);
        normal->text = clopt_strdup(text);
        normal->lines = *copy;
    } else {
        CLOPT_TRY(clopt_normalise(file, text, lines, options, normal, error));
    }
    for (size_t i = 0; i < options->count; i++)
        if (clopt_option_value(options->words[i], "-D"))
            add_names(source, options->words[i] + 2);
    add_names(source, normal->text);
    find_lines(source);
    size_t given = strlen(text), whole = strlen(normal->text);
    source->inner->expanded_bytes = whole > given ? whole - given : 0;
    return CLOPT_OK;
}

static enum clopt_status create(struct clopt_source *source, const char *file, const char *text,
                                const struct clopt_lines *lines,
                                const struct clopt_build_options *options, const char *kernel,
                                struct clopt_error *error)
{
    struct clopt_normal *normal = &source->inner->normal;
    struct clopt_parse *parse = &normal->parse;
    CLOPT_TRY(normalise(source, file, text, lines, options, error));
    if (!parse->unit)
        CLOPT_TRY(
            clopt_parse_init(parse, file, normal->text, options, false, &normal->lines, error));
    if (normal->shape && clopt_parse_hash(parse) != normal->shape)
        return clopt_fail(error, CLOPT_INFEASIBLE,
                          "%s: its macros cannot be expanded without changing what it means", file);
    if (!parse->references.count)
        clopt_references_read(parse, &parse->references);
    source->inner->references = parse->references;
    parse->references = (struct clopt_references){0};
    CLOPT_TRY(clopt_tree_build(source, parse, kernel, error));
    clopt_parse_fini(parse);
    return CLOPT_OK;
}

static struct clopt_source *allocate(void)
{
    struct {
        struct clopt_source source;
        struct clopt_source_inner inner;
    } *made = clopt_calloc(1, sizeof *made);
    made->source.inner = &made->inner;
    return &made->source;
}

/* Numbers a node and what it holds, in the order of the text. */
static void number(struct clopt_source *source, struct clopt_node *node)
{
    node->index = source->node_count++;
    for (size_t i = 0; i < node->child_count; i++)
        number(source, node->children[i]);
}

enum clopt_status clopt_source_create(const char *file, const char *text,
                                      const struct clopt_lines *lines, const char *options,
                                      const char *kernel, struct clopt_source **source,
                                      struct clopt_error *error)
{
    *source = NULL;
    CLOPT_OWNED(clopt_build_options) words = {0};
    clopt_build_options_split(options, &words);
    CLOPT_HELD(clopt_source) made = allocate();
    enum clopt_status status = create(made, file, text, lines, &words, kernel, error);
    if (status)
        return status == CLOPT_INVALID && lines ? clopt_parse_blame(file, error) : status;
    bool again = made->inner->edits; /* types inside functions */
    if (!again)
        CLOPT_TRY(clopt_source_simplify(made, &again, error));
    again = again || clopt_source_place_pointers(made);
    if (again)
        CLOPT_TRY(clopt_source_renew(file, options, kernel, &made, error));
    else {
        made->node_count = 0;
        for (size_t i = 0; i < made->function_count; i++)
            number(made, made->functions[i]->body);
    }
    *source = made;
    made = NULL;
    return CLOPT_OK;
}

void clopt_source_destroy(struct clopt_source *source)
{
    if (!source)
        return;
    clopt_normal_fini(&source->inner->normal);
    for (struct clopt_text_edit *edit = source->inner->edits; edit; edit = edit->next)
        clopt_references_fini(&edit->references);
    clopt_names_fini(&source->inner->names);
    clopt_references_fini(&source->inner->references);
    clopt_arena_fini(&source->inner->arena);
    free(source->inner->line_begins);
    free(source->functions);
    free(source->variables);
    free(source);
}

void *clopt_source_add(struct clopt_source *source, void *items, size_t *count, size_t size)
{
    void **item = clopt_array_add(items, count, sizeof *item);
    return *item = clopt_arena_get(&source->inner->arena, size);
}

void *clopt_source_table(const struct clopt_source *source, size_t count, size_t size)
{
    return clopt_arena_get(&source->inner->arena, (count + 1) * size);
}

struct clopt_position clopt_source_position(const struct clopt_source *source, size_t offset)
{
    size_t first = 0;
    size_t last = source->inner->last_line;
    while (first < last) {
        size_t middle = last - (last - first) / 2;
        if (source->inner->line_begins[middle] <= offset)
            first = middle;
        else
            last = middle - 1;
    }
    struct clopt_position position = clopt_lines_find(&source->inner->normal.lines, first + 1);
    return position.file ? position : (struct clopt_position){"", (unsigned)first + 1};
}

unsigned clopt_source_line(const struct clopt_source *source, const struct clopt_node *node)
{
    return clopt_source_position(source, node->begin).line;
}

enum clopt_status clopt_source_refuse(const struct clopt_source *source,
                                      const struct clopt_node *node, struct clopt_error *error,
                                      const char *format, ...)
{
    CLOPT_OWNED(clopt_text) reason = {0};
    va_list arguments;
    va_start(arguments, format);
    clopt_text_vprintf(&reason, format, arguments);
    va_end(arguments);
    struct clopt_position position = clopt_source_position(source, node->begin);
    return clopt_fail(error, CLOPT_INFEASIBLE, "%s:%u: %s", position.file, position.line,
                      clopt_text_string(&reason));
}

const char *clopt_source_unique_name(struct clopt_source *source, const char *base, unsigned number)
{
    CLOPT_OWNED(clopt_text) text = {0};
    clopt_text_printf(&text, "%s_%u", base, number);
    return clopt_source_free_name(source, clopt_text_string(&text));
}

const char *clopt_source_free_name(struct clopt_source *source, const char *name)
{
    struct clopt_names *names = &source->inner->names;
    struct clopt_text text = {0};
    clopt_text_append(&text, name);
    for (unsigned number = 2; clopt_names_has(names, clopt_text_string(&text), text.length);
         number++) {
        clopt_text_clear(&text);
        clopt_text_printf(&text, "%s_%u", name, number);
    }
    const char *made = clopt_source_take_text(source, &text);
    clopt_names_add(names, made);
    return made;
}
