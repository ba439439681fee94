/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the address spaces that pointers have, by edits of the text. */
#include "kernel/generic_parts.h"
#include "kernel/output.h"

#define MOST_COPIES  64
#define FIRST_COPIED (SIZE_MAX / 4) /* what identifies copies of functions: no offset */

static const char *const words[] = {[CLOPT_SPACE_PRIVATE] = "__private",
                                    [CLOPT_SPACE_LOCAL] = "__local",
                                    [CLOPT_SPACE_GLOBAL] = "__global",
                                    [CLOPT_SPACE_CONSTANT] = "__constant"};

/* ---- declarations before definitions, and other kernels ---- */

/* The next name of a function in the text from *at on that is not in what the kernel reaches: where
 * it is; SIZE_MAX: none is left. */
static size_t next_name(const struct placing *placing, const struct clopt_function *function,
                        size_t *at)
{
    const struct clopt_source *source = placing->source;
    const char *text = source->text + *at;
    for (;;) {
        struct clopt_token token = clopt_token_next(&text);
        size_t offset = (size_t)(token.text - source->text);
        bool inside = false;
        *at = (size_t)(text - source->text);
        if (token.kind == CLOPT_TOKEN_END)
            return SIZE_MAX;
        if (!clopt_token_is(&token, function->name))
            continue;
        for (size_t i = 0; i < source->function_count; i++)
            inside |= offset >= source->functions[i]->begin && offset < source->functions[i]->end;
        if (!inside)
            return offset;
    }
}

/* The end of the declaration whose name is at an offset: its semicolon; 0 for a definition, or a
 * call. */
static size_t prototype_end(const struct placing *placing, size_t name)
{
    const char *text = placing->source->text;
    size_t before = name;
    while (before && strchr(" \t\r\n*", text[before - 1]))
        before--;
    const char *after = text + name;
    clopt_token_next(&after);
    const char *close = *clopt_token_skip_space(after) == '(' ? clopt_token_close(after) : NULL;
    const char *end = close ? clopt_token_skip_space(close + 1) : NULL;
    bool typed = before && clopt_is_name_char(text[before - 1]);
    return typed && end && *end == ';' ? (size_t)(end - text) : 0;
}

bool clopt_generic_is_shared(const struct placing *placing, const struct clopt_function *function)
{
    size_t at = 0, name;
    while ((name = next_name(placing, function, &at)) != SIZE_MAX)
        if (!prototype_end(placing, name))
            return true;
    return false;
}

/* ---- edits ---- */

/* Puts words in front of what begins at an offset. */
static void add_front(struct placing *placing, size_t at, enum clopt_space space)
{
    struct clopt_source *source = placing->source;
    const char *text = source->text + at;
    struct clopt_token token = clopt_token_next(&text);
    clopt_source_add_edit(source, at, at + token.length, "%s %.*s", words[space], (int)token.length,
                          token.text);
}

/* Declares the parameters and the result of a function, whose name is at an offset, in the spaces
 * that they have; its head is from `begin` on. */
static void edit_head(struct placing *placing, const struct clopt_function *function, size_t begin,
                      size_t name)
{
    size_t from, to;
    for (size_t i = 0; i < function->parameter_count; i++)
        if (placing->placed[function->parameters[i]->index] &&
            clopt_generic_find_parameter(placing->source->text, name, i, &from, &to))
            add_front(placing, from, function->parameters[i]->pointee);
    if (placing->results[function->index] != CLOPT_SPACE_GENERIC)
        add_front(placing, begin, placing->results[function->index]);
}

/* Where a declaration begins whose name is at an offset. */
static size_t prototype_begin(const char *text, size_t name)
{
    size_t begin = 0;
    for (const char *at = text; at < text + name;) {
        struct clopt_token token = clopt_token_next(&at);
        bool directive = token.starts_line && clopt_token_is(&token, "#");
        at = directive ? clopt_token_line_end(at) : at;
        if (directive || clopt_token_is(&token, ";") || clopt_token_is(&token, "}"))
            begin = (size_t)(clopt_token_skip_space(at) - text);
    }
    return begin;
}

static void edit_heads(struct placing *placing, const struct clopt_function *function)
{
    size_t at = 0, name;
    edit_head(placing, function, function->begin, function->name_begin);
    while ((name = next_name(placing, function, &at)) != SIZE_MAX)
        if (prototype_end(placing, name))
            edit_head(placing, function, prototype_begin(placing->source->text, name), name);
}

/* Declares the variables of a statement in the spaces that they have, by statements of their own
 * where these differ. */
static void edit_declare(struct placing *placing, const struct clopt_node *declare)
{
    struct clopt_source *source = placing->source;
    const struct clopt_variable *first = declare->children[0]->variable;
    size_t begin = declare->begin, end = declare->children[0]->text_begin;
    bool same = true;
    for (size_t i = 1; i < declare->child_count; i++) {
        const struct clopt_variable *other = declare->children[i]->variable;
        same &= placing->placed[other->index] == placing->placed[first->index] &&
                (!placing->placed[first->index] || other->pointee == first->pointee);
    }
    if (placing->placed[first->index])
        add_front(placing, begin, first->pointee);
    for (size_t i = 1; i < declare->child_count && !same; i++) {
        const struct clopt_variable *own = declare->children[i]->variable;
        bool placed = placing->placed[own->index];
        clopt_source_add_edit(source, declare->children[i - 1]->end,
                              declare->children[i]->text_begin, "; %s%s%.*s",
                              placed ? words[own->pointee] : "", placed ? " " : "",
                              (int)(end - begin), source->text + begin);
    }
}

/* Makes casts to pointers to any space such to the one that they have. */
static void edit_cast(struct placing *placing, const struct clopt_node *cast)
{
    const char *text = placing->source->text;
    enum clopt_space space = clopt_generic_value(placing, cast);
    size_t type = (size_t)(clopt_token_skip_space(text + cast->begin + 1) - text);
    if (cast->is_pointer && cast->pointee == CLOPT_SPACE_GENERIC && text[cast->begin] == '(' &&
        space < CLOPT_SPACE_GENERIC &&
        clopt_generic_stars(text, cast->begin, cast->children[0]->begin) == 1)
        add_front(placing, type, space);
}

static void edit_body(struct placing *placing, const struct clopt_function *function)
{
    for (const struct clopt_node *node = function->body; node;
         node = clopt_node_next(node, function->body)) {
        bool placed = false;
        for (size_t i = 0; node->kind == CLOPT_NODE_DECLARE && i < node->child_count; i++)
            placed |= placing->placed[node->children[i]->variable->index];
        if (placed)
            edit_declare(placing, node);
        if (node->kind == CLOPT_NODE_CAST)
            edit_cast(placing, node);
    }
}

/* ---- copies ---- */

/* Puts a part of the text, with another name for the function that is at an offset. */
static void put_renamed(const struct placing *placing, struct clopt_output *copy, size_t begin,
                        size_t end, size_t name, const char *other)
{
    const char *after = placing->source->text + name;
    clopt_token_next(&after);
    clopt_output_copy(copy, placing->source, begin, name);
    clopt_output_note(copy, FIRST_COPIED + placing->copy_count);
    clopt_text_append(&copy->text, other);
    clopt_output_copy(copy, placing->source, (size_t)(after - placing->source->text), end);
}

/* Puts a text after what ends with a character at an offset. */
static void add_after(struct placing *placing, size_t at, struct clopt_output *copy)
{
    struct clopt_text_edit *edit =
        clopt_source_add_edit(placing->source, at, at + 1, "%s", clopt_text_string(&copy->text));
    edit->references = copy->lines.references;
    copy->lines.references = (struct clopt_references){0};
}

/* Gives a call, and those that are the same, a copy of their function; writes it to `bodies`. */
static void copy_function(struct placing *placing, const struct clopt_node *call, bool *done,
                          struct clopt_output *bodies, struct clopt_output *prototypes)
{
    struct clopt_source *source = placing->source;
    const struct clopt_function *function = call->callee;
    const char *name = clopt_source_unique_name(source, function->name, 2);
    size_t at = 0, declared, number = 0;
    clopt_text_append(&bodies->text, "\n\n");
    put_renamed(placing, bodies, function->begin, function->end, function->name_begin, name);
    while ((declared = next_name(placing, function, &at)) != SIZE_MAX) {
        size_t end = prototype_end(placing, declared);
        if (!end || prototypes->text.length > 1)
            continue;
        clopt_text_append(&prototypes->text, "\n");
        put_renamed(placing, prototypes, prototype_begin(source->text, declared), end + 1, declared,
                    name);
    }
    for (const struct clopt_node *other = NULL;
         (other = clopt_generic_next_call(placing, function, other)); number++) {
        if (done[number] || !clopt_generic_calls_same(placing, call, other))
            continue;
        struct clopt_text_edit *edit = clopt_source_add_edit(
            source, other->name_begin, other->name_begin + strlen(function->name), "%s", name);
        clopt_references_add(&edit->references, 0, FIRST_COPIED + placing->copy_count);
        done[number] = true;
    }
    placing->copy_count++;
}

/* Gives each group of calls of a function that hand over the same spaces a copy of it; the function
 * itself is that of the first group, unless others call it, too. */
static void split_function(struct placing *placing, const struct clopt_function *function)
{
    const struct clopt_node *call = NULL, *first = clopt_generic_next_call(placing, function, NULL);
    CLOPT_OWNED(clopt_output) bodies = {0}, prototypes = {0};
    size_t count = 0, at = 0, declared;
    bool elsewhere = clopt_generic_is_shared(placing, function);
    while ((call = clopt_generic_next_call(placing, function, call)))
        count++;
    bool *done = clopt_source_table(placing->source, count, sizeof *done);
    clopt_text_append(&bodies.text, "}");
    clopt_text_append(&prototypes.text, ";");
    for (size_t i = 0; i < count; i++) {
        call = clopt_generic_next_call(placing, function, call);
        if (!elsewhere && clopt_generic_calls_same(placing, call, first))
            done[i] = true;
        if (!done[i] && placing->copy_count < MOST_COPIES)
            copy_function(placing, call, done, &bodies, &prototypes);
    }
    if (bodies.text.length > 1)
        add_after(placing, function->end - 1, &bodies);
    while (prototypes.text.length > 1 && (declared = next_name(placing, function, &at)) != SIZE_MAX)
        if (prototype_end(placing, declared)) {
            add_after(placing, prototype_end(placing, declared), &prototypes);
            break;
        }
}

/* ---- the whole ---- */

bool clopt_generic_edit(struct placing *placing)
{
    const struct clopt_source *source = placing->source;
    for (size_t i = 0; i < source->function_count; i++) {
        edit_heads(placing, source->functions[i]);
        edit_body(placing, source->functions[i]);
        if (clopt_generic_is_ready(placing, source->functions[i]))
            split_function(placing, source->functions[i]);
    }
    return source->inner->edits;
}
