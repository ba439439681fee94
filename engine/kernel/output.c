/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of a program that is printed. */
#include "kernel/output.h"

#include "kernel/tree.h"
#include "text/token.h"

#define FIRST_MADE  (SIZE_MAX / 2) /* what identifies made declarations: no offset */
#define MOST_LEVELS 64             /* of braces that are indented for more than themselves */

void clopt_output_fini(struct clopt_output *output)
{
    clopt_text_fini(&output->text);
    clopt_lines_fini(&output->lines);
}

/* Returns the number of complete lines. */
static size_t count_lines(struct clopt_output *output)
{
    for (; output->counted < output->text.length; output->counted++)
        output->line += output->text.data[output->counted] == '\n';
    return output->line;
}

void clopt_output_mark(struct clopt_output *output, const struct clopt_source *source,
                       size_t offset)
{
    struct clopt_position position = clopt_source_position(source, offset);
    clopt_lines_note(&output->lines, count_lines(output), position);
}

/* ---- names, and what they mean ---- */

static void note_names(struct clopt_output *output, const struct clopt_references *references,
                       size_t begin, size_t end)
{
    for (size_t i = clopt_references_from(references, begin);
         i < references->count && references->items[i].offset < end; i++)
        clopt_references_add(&output->lines.references,
                             output->text.length + references->items[i].offset - begin,
                             references->items[i].declared);
}

void clopt_output_paste(struct clopt_output *output, const char *text,
                        const struct clopt_references *references)
{
    note_names(output, references, 0, strlen(text));
    clopt_text_append(&output->text, text);
}

/* What identifies a declaration that was read: where the first one of its name is. */
static size_t declared_at(const struct clopt_source *source, size_t offset)
{
    const struct clopt_reference *found = clopt_references_find(&source->inner->references, offset);
    return found ? found->declared : offset;
}

void clopt_output_note(struct clopt_output *output, size_t declared)
{
    clopt_references_add(&output->lines.references, output->text.length, declared);
}

void clopt_output_variable(struct clopt_output *output, const struct clopt_source *source,
                           const struct clopt_variable *variable)
{
    variable = clopt_variable_original(variable);
    bool made = variable->index >= source->variable_count;
    bool shown = !strstr(variable->type, "sampler_t"); /* clang shows their values instead */
    if (shown)
        clopt_output_note(output, made ? FIRST_MADE + 2 * variable->index
                                       : declared_at(source, variable->begin));
    clopt_text_append(&output->text, variable->name);
}

void clopt_output_function(struct clopt_output *output, const struct clopt_source *source,
                           const struct clopt_function *function)
{
    clopt_output_note(output, function->original ? FIRST_MADE + 2 * function->index + 1
                                                 : declared_at(source, function->name_begin));
    clopt_text_append(&output->text, function->name);
}

void clopt_output_copy(struct clopt_output *output, const struct clopt_source *source, size_t begin,
                       size_t end)
{
    const char *text = source->text;
    if (begin < end)
        note_names(output, &source->inner->references, begin, end);
    while (begin < end) {
        const char *line_end = memchr(text + begin, '\n', end - begin);
        size_t next = line_end ? (size_t)(line_end - text) + 1 : end;
        size_t word = begin + strspn(text + begin, " \t\r\n");
        if (word < next)
            clopt_output_mark(output, source, word);
        clopt_text_append_bytes(&output->text, text + begin, next - begin);
        begin = next;
    }
}

void clopt_output_begin_line(struct clopt_output *output)
{
    const char *text = clopt_text_string(&output->text);
    size_t length = output->text.length;
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    if (length > 0 && text[length - 1] != '\n')
        clopt_text_append(&output->text, "\n");
}

/* ---- indentation ---- */

/* Where we are in the text that is indented. */
struct indent {
    unsigned braces;
    unsigned parens;
    bool in_comment;
    char last;                    /* of the code of a line; 0: it has none */
    unsigned dangling;            /* statements that an if or a loop without braces holds */
    unsigned levels[MOST_LEVELS]; /* by braces: how much deeper they are for what held them */
};

static unsigned level_of(const struct indent *indent, unsigned braces)
{
    return braces < MOST_LEVELS ? indent->levels[braces] : 0;
}

/* Looks at a line's braces; comments and strings do not count. */
static void follow(struct indent *indent, const char *line, const char *end)
{
    indent->last = '\0';
    for (const char *at = line; at < end;) {
        if (indent->in_comment) {
            const char *close = strstr(at, "*/");
            if (!close || close >= end)
                return;
            indent->in_comment = false;
            at = close + 2;
        } else if (at[0] == '/' && at[1] == '/') {
            return;
        } else if (at[0] == '/' && at[1] == '*') {
            indent->in_comment = true;
            at += 2;
        } else if (*at == '"' || *at == '\'') {
            indent->last = *at;
            clopt_token_next(&at);
        } else {
            if (*at != ' ' && *at != '\t')
                indent->last = *at;
            indent->braces += *at == '{';
            indent->braces -= *at == '}' && indent->braces;
            indent->parens += *at == '(';
            indent->parens -= *at == ')' && indent->parens;
            at++;
        }
    }
}

/* Whether a line that ends with `last` opens a statement without braces that the next one holds. */
static bool opens_statement(const char *line, char last)
{
    struct clopt_token first = clopt_token_next(&line);
    while (clopt_token_is(&first, "}"))
        first = clopt_token_next(&line);
    return last && !strchr(";{}", last) &&
           (clopt_token_is(&first, "if") || clopt_token_is(&first, "for") ||
            clopt_token_is(&first, "while") || clopt_token_is(&first, "else"));
}

/* Puts a line, and returns where its first word is. */
static size_t put_line(struct clopt_text *text, struct indent *indent, const char *line,
                       const char *end)
{
    struct indent before = *indent;
    while (end > line && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    follow(indent, line, end);
    bool closes = *line == '}' && before.braces;
    bool brace = line < end && *line == '{';
    unsigned held = before.dangling - (brace && before.dangling);
    unsigned depth = before.braces - closes + level_of(indent, before.braces) + held;
    unsigned column = 4 * depth + (before.parens ? 4 : 0);
    for (unsigned i = before.braces + 1; i <= indent->braces && i < MOST_LEVELS; i++)
        indent->levels[i] = level_of(indent, before.braces) + held;
    if (before.in_comment && line < end && *line == '*')
        column++;
    if (line < end && *line != '#')
        for (unsigned i = 0; i < column; i++)
            clopt_text_append_char(text, ' ');
    size_t word = text->length;
    clopt_text_append_bytes(text, line, (size_t)(end - line));
    clopt_text_append_char(text, '\n');
    bool code = line < end && !before.in_comment && line[0] != '#' &&
                !(line[0] == '/' && (line[1] == '/' || line[1] == '*'));
    if (code && !indent->parens)
        indent->dangling = opens_statement(line, indent->last) ? before.dangling + 1 : 0;
    return word;
}

void clopt_output_indent(struct clopt_output *output, size_t begin)
{
    if (begin >= output->text.length)
        return;
    struct clopt_text indented = {0};
    struct indent indent = {0};
    clopt_text_append_bytes(&indented, output->text.data, begin);
    struct clopt_references *names = &output->lines.references;
    size_t name = clopt_references_from(names, begin);
    for (const char *at = output->text.data + begin; *at;) {
        const char *end = at + strcspn(at, "\n");
        const char *line = at + strspn(at, " \t");
        size_t from = (size_t)(line - output->text.data), to = (size_t)(end - output->text.data);
        size_t word = put_line(&indented, &indent, line, end);
        for (; name < names->count && names->items[name].offset < to; name++)
            names->items[name].offset += word - from;
        at = *end ? end + 1 : end;
    }
    bool ended = output->text.data[output->text.length - 1] == '\n';
    if (!ended && indented.length)
        indented.data[--indented.length] = '\0';
    clopt_text_fini(&output->text);
    output->text = indented;
    output->counted = output->line = 0; /* as many lines as before, elsewhere */
}
