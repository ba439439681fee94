/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints nodes: what was read as in the text, what was made by its kind. */
#include "kernel/tree.h"

#include "kernel/output.h"
#include "text/token.h"

struct writer {
    const struct clopt_source *source;
    struct clopt_output *output;
};

static void write_node(struct writer *writer, const struct clopt_node *node, bool statement);

static void put(struct writer *writer, const char *text)
{
    clopt_text_append(&writer->output->text, text);
}

/* Whether a sign would become one operator with the text before it: - -x, a--1. */
static bool is_joined(const struct writer *writer, const struct clopt_node *node)
{
    const struct clopt_text *text = &writer->output->text;
    bool is_sign = node->kind == CLOPT_NODE_UNARY && (node->op[0] == '-' || node->op[0] == '+');
    return is_sign && text->length && clopt_text_string(text)[text->length - 1] == node->op[0];
}

static void write_operand(struct writer *writer, const struct clopt_node *node,
                          const struct clopt_node *child)
{
    bool parens = clopt_node_needs_parentheses(node, child) || is_joined(writer, child);
    put(writer, parens ? "(" : "");
    write_node(writer, child, false);
    put(writer, parens ? ")" : "");
}

/* ---- what was read ---- */

static void put_variable(struct writer *writer, const struct clopt_node *node)
{
    clopt_output_variable(writer->output, writer->source, node->variable);
}

static void copy(struct writer *writer, const struct clopt_node *node, size_t begin, size_t end)
{
    /* Its name in the text may have become another one. */
    bool named =
        node->kind == CLOPT_NODE_DECLARATOR || (node->kind == CLOPT_NODE_CALL && node->callee);
    if (named && node->name_begin >= begin && node->name_begin < end) {
        const char *at = writer->source->text + node->name_begin;
        clopt_output_copy(writer->output, writer->source, begin, node->name_begin);
        if (node->callee)
            clopt_output_function(writer->output, writer->source, node->callee);
        else
            put_variable(writer, node);
        clopt_token_next(&at);
        begin = (size_t)(at - writer->source->text);
    }
    if (begin < end)
        clopt_output_copy(writer->output, writer->source, begin, end);
}

static bool is_statement_of(const struct clopt_node *node, const struct clopt_node *child)
{
    return node->kind == CLOPT_NODE_COMPOUND || child == node->body || child == node->otherwise;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Puts the text before what an if or a loop holds, on the lines of its braces where
 * these were made. */
static void write_combined(struct writer *writer, const struct clopt_node *node,
                           const struct clopt_node *child)
{
    const char *text = writer->source->text;
    const struct clopt_node *before = child == node->otherwise ? node->body : NULL;
    size_t from = child->trivia_begin;
    size_t to = child->trivia_end;
    bool closes = before && before->made && before->kind == CLOPT_NODE_COMPOUND;
    bool opens = child->made && child->kind == CLOPT_NODE_COMPOUND;
    while (closes && from < to && is_blank(text[from]))
        from++;
    while (opens && to > from && is_blank(text[to - 1]))
        to--;
    if (opens && memchr(text + from, '/', to - from))
        to = child->trivia_end; /* a comment may swallow the brace */
    put(writer, closes ? " " : "");
    copy(writer, node, from, to);
    put(writer, to < child->trivia_end ? " " : "");
}

/* Whether a child is what an edit left of a line: a comment. */
static bool is_comment(const struct clopt_node *child)
{
    return child->kind == CLOPT_NODE_EMPTY && child->name;
}

static bool begins_line(const struct writer *writer, const struct clopt_node *child)
{
    return child->trivia_begin != SIZE_MAX && memchr(writer->source->text + child->trivia_begin,
                                                     '\n', child->trivia_end - child->trivia_begin);
}

/* Puts the text before a child, from an offset on. */
static void write_trivia(struct writer *writer, const struct clopt_node *node,
                         const struct clopt_node *child, size_t from, bool lines)
{
    if (child->plain && node->kind == CLOPT_NODE_COMPOUND)
        put(writer, child == node->children[0] && !begins_line(writer, child) ? " " : "\n");
    else if (child->trivia_begin != SIZE_MAX && node->kind != CLOPT_NODE_COMPOUND &&
             is_statement_of(node, child))
        write_combined(writer, node, child);
    else if (child->trivia_begin != SIZE_MAX)
        copy(writer, node, child->trivia_begin < from ? from : child->trivia_begin,
             child->trivia_end);
    if (lines && !is_comment(child))
        clopt_output_begin_line(writer->output);
}

/* Whether statements were put into a list: then each has lines of its own. */
static bool has_lines(const struct clopt_node *node)
{
    for (size_t i = 0; i < node->child_count; i++)
        if (node->children[i]->on_own_line)
            return true;
    return false;
}

static void write_read(struct writer *writer, const struct clopt_node *node, bool statement)
{
    size_t end = statement || !clopt_node_is_expression(node) ? node->stop : node->end;
    if (end < node->end)
        end = node->end;
    clopt_output_mark(writer->output, writer->source, node->text_begin);
    if (node->kind == CLOPT_NODE_VARIABLE) {
        put_variable(writer, node);
        copy(writer, node, node->end, end);
    } else {
        bool list = node->kind == CLOPT_NODE_COMPOUND;
        bool lines = list && has_lines(node);
        size_t open = node->text_begin + list; /* after its brace */
        copy(writer, node, node->text_begin, open);
        for (size_t i = 0; i < node->child_count; i++) {
            const struct clopt_node *child = node->children[i];
            bool listed = child->on_own_line || list;
            if (child->trivia_begin == SIZE_MAX && !listed)
                continue; /* in a macro */
            write_trivia(writer, node, child, open, lines);
            if (is_statement_of(node, child))
                write_node(writer, child, true);
            else
                write_operand(writer, node, child);
        }
        if (lines && writer->source->text[node->tail_begin] != '\n')
            put(writer, "\n");
        copy(writer, node, node->tail_begin < open ? open : node->tail_begin, end);
    }
    if (statement && clopt_node_is_expression(node) && node->stop == node->end)
        put(writer, ";");
}

/* ---- what was made ---- */

/* Puts a type's words without an outermost const. */
static void put_variable_type(struct writer *writer, const char *type)
{
    const char *star = strrchr(type, '*');
    const char *outer = star ? star + 1 : type;
    clopt_text_printf(&writer->output->text, "%.*s", (int)(outer - type), type);
    for (const char *at = outer; *at;) {
        const char *from = at;
        struct clopt_token token = clopt_token_next(&at);
        if (!clopt_token_is(&token, "const"))
            clopt_text_printf(&writer->output->text, "%.*s", (int)(at - from), from);
        else
            at = clopt_token_skip_space(at);
    }
}

static void write_declaration(struct writer *writer, const struct clopt_node *declarator)
{
    const struct clopt_variable *variable = declarator->variable;
    if (declarator->condition)
        put(writer, variable->before);
    else
        put_variable_type(writer, variable->before);
    size_t length = strlen(variable->before);
    bool space = length && !strchr(" *(", variable->before[length - 1]);
    put(writer, space ? " " : "");
    put_variable(writer, declarator);
    put(writer, variable->after);
    if (!declarator->condition)
        return;
    put(writer, " = ");
    write_operand(writer, declarator, declarator->condition);
}

/* Whether the text has the semicolon of a declaration that was made: it took the place of an
 * expression in the head of a for that was read. */
static bool has_semicolon(const struct writer *writer, const struct clopt_node *declare)
{
    const struct clopt_node *loop = declare->parent;
    if (!loop || loop->made || loop->kind != CLOPT_NODE_FOR || loop->init != declare)
        return false;
    const struct clopt_node *next = loop->children[1];
    if (next->trivia_begin == SIZE_MAX)
        return false;
    const char *end = writer->source->text + next->trivia_end;
    unsigned missing = next == loop->condition ? 1 : 2;
    for (const char *at = writer->source->text + next->trivia_begin; at < end;) {
        struct clopt_token token = clopt_token_next(&at);
        missing -= token.text < end && clopt_token_is(&token, ";");
    }
    return !missing;
}

/* Puts what an if or a loop holds. */
static void write_held(struct writer *writer, const struct clopt_node *node)
{
    bool braces = node->kind == CLOPT_NODE_COMPOUND || node->kind == CLOPT_NODE_EMPTY;
    put(writer, braces ? " " : "\n");
    write_node(writer, node, true);
}

static bool ends_with_if(const struct clopt_node *node)
{
    while (node->kind == CLOPT_NODE_IF || clopt_node_is_loop(node)) {
        if (node->kind == CLOPT_NODE_IF && !node->otherwise)
            return true;
        if (node->kind == CLOPT_NODE_DO)
            return false;
        node = node->otherwise ? node->otherwise : node->body;
    }
    return false;
}

static void write_if(struct writer *writer, const struct clopt_node *node)
{
    bool braces = node->otherwise && ends_with_if(node->body);
    put(writer, "if (");
    write_operand(writer, node, node->condition);
    put(writer, braces ? ") {" : ")");
    write_held(writer, node->body);
    put(writer, braces ? "\n}" : "");
    if (!node->otherwise)
        return;
    put(writer, braces || node->body->kind == CLOPT_NODE_COMPOUND ? " else" : "\nelse");
    if (node->otherwise->kind == CLOPT_NODE_IF) {
        put(writer, " ");
        write_node(writer, node->otherwise, true);
    } else {
        write_held(writer, node->otherwise);
    }
}

/* Whether there are comments before a statement that are to be printed. */
static bool has_comments(const struct clopt_source *source, const struct clopt_node *child)
{
    const char *text = source->text;
    return child->trivia_begin != SIZE_MAX && !child->plain &&
           child->trivia_begin + strspn(text + child->trivia_begin, " \t\r\n") < child->trivia_end;
}

static void write_compound(struct writer *writer, const struct clopt_node *node)
{
    bool flat = node->bare && node->parent && node->parent->kind == CLOPT_NODE_COMPOUND;
    put(writer, flat ? "" : "{");
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *child = node->children[i];
        size_t from = child->trivia_begin;
        while (!i && !is_comment(child) && from < child->trivia_end &&
               is_blank(writer->source->text[from]))
            from++;
        bool blank = i && !node->bare && from != SIZE_MAX && !child->plain;
        bool comments = has_comments(writer->source, child);
        if (!i && comments && !is_comment(child))
            clopt_output_begin_line(writer->output);
        if (blank || comments)
            copy(writer, node, from, child->trivia_end);
        if (!is_comment(child))
            clopt_output_begin_line(writer->output);
        write_node(writer, child, true);
    }
    if (flat)
        return;
    clopt_output_begin_line(writer->output);
    put(writer, "}");
}

/* How nodes are printed that only join their parts; $ and a letter stand for a part: see below. */
static const char *const forms[] = {
    [CLOPT_NODE_FOR] = "for ($i$C;$S)$h",
    [CLOPT_NODE_WHILE] = "while ($c)$h",
    [CLOPT_NODE_DO] = "do$h$bwhile ($c);",
    [CLOPT_NODE_BREAK] = "break;",
    [CLOPT_NODE_CONTINUE] = "continue;",
    [CLOPT_NODE_RETURN] = "return$C;",
    [CLOPT_NODE_GOTO] = "goto $n;",
    [CLOPT_NODE_LABEL] = "$n:$t",
    [CLOPT_NODE_ATTRIBUTED] = "$l$n\n$t",
    [CLOPT_NODE_LITERAL] = "$n",
    [CLOPT_NODE_VARIABLE] = "$v",
    [CLOPT_NODE_CALL] = "$n($N)",
    [CLOPT_NODE_SUBSCRIPT] = "$0[$1]",
    [CLOPT_NODE_MEMBER] = "$0$o$n",
    [CLOPT_NODE_SWIZZLE] = "$0$o$n",
    [CLOPT_NODE_UNARY] = "$o$0",
    [CLOPT_NODE_POSTFIX] = "$0$o",
    [CLOPT_NODE_BINARY] = "$0 $o $1",
    [CLOPT_NODE_ASSIGN] = "$0 $o $1",
    [CLOPT_NODE_CONDITIONAL] = "$0 ? $1 : $2",
    [CLOPT_NODE_CAST] = "($n)$0",
    [CLOPT_NODE_VECTOR] = "($n)($N)",
    [CLOPT_NODE_LIST] = "{$N}",
    [CLOPT_NODE_AS_TYPE] = "$n($N)",
};

/* The word that is a part; NULL: it is something else. */
static const char *word_of(const struct clopt_node *node, char part)
{
    switch (part) {
    case 'n':
        return node->callee ? NULL : node->name;
    case 'o':
        return node->op;
    case 'b': /* between what a do holds and its condition */
        return node->body->kind == CLOPT_NODE_COMPOUND ? " " : "\n";
    default:
        return NULL;
    }
}

/* The expression that is a part: by the number of a child, a condition, the last part of a for's
 * head. With a capital letter, a blank is before it, and it may be missing. */
static const struct clopt_node *expression_of(const struct clopt_node *node, char part)
{
    if (part == 'c' || part == 'C')
        return node->condition;
    return part == 'S' ? node->step : node->children[part - '0'];
}

/* Puts the name of what a made call calls: a copy of a function, or one of OpenCL's own. */
static void put_called(struct writer *writer, const char *name)
{
    const struct clopt_source *source = writer->source;
    for (size_t i = 0; i < source->function_count; i++)
        if (source->functions[i]->original && strcmp(source->functions[i]->name, name) == 0) {
            clopt_output_function(writer->output, source, source->functions[i]);
            return;
        }
    if (strcmp(name, "sizeof") != 0)
        clopt_output_note(writer->output, CLOPT_DECLARED_ELSEWHERE);
    put(writer, name);
}

static void write_part(struct writer *writer, const struct clopt_node *node, char part)
{
    const char *word = word_of(node, part);
    const struct clopt_node *expression;
    switch (word ? 0 : part) {
    case 0:
        if (node->kind == CLOPT_NODE_CALL || node->kind == CLOPT_NODE_SUBSCRIPT)
            put_called(writer, word);
        else
            put(writer, word);
        break;
    case 'n':
        clopt_output_function(writer->output, writer->source, node->callee);
        break;
    case 'v':
        put_variable(writer, node);
        break;
    case 'N': /* all children */
        for (size_t i = 0; i < node->child_count; i++) {
            put(writer, i ? ", " : "");
            write_operand(writer, node, node->children[i]);
        }
        break;
    case 'i': /* the first part of a for's head */
        if (node->init)
            write_node(writer, node->init, true);
        put(writer, node->init ? "" : ";");
        break;
    case 'h': /* what a loop holds */
        write_held(writer, node->body);
        break;
    case 't': /* the statement after a label or a #pragma, which begins a line */
        write_node(writer, node->body, true);
        break;
    case 'l':
        clopt_output_begin_line(writer->output);
        break;
    default:
        expression = expression_of(node, part);
        put(writer, expression && (part == 'C' || part == 'S') ? " " : "");
        if (expression)
            write_operand(writer, node, expression);
        break;
    }
}

static void write_form(struct writer *writer, const struct clopt_node *node, const char *form)
{
    for (; *form; form++)
        if (*form == '$')
            write_part(writer, node, *++form);
        else
            clopt_text_append_char(&writer->output->text, *form);
}

/* Whether it is an element that a function reads. */
static bool is_loaded(const struct clopt_node *node)
{
    return clopt_node_is_loaded(node) &&
           !(node->parent && clopt_node_is_operator(node->parent, "&") &&
             node->parent->kind == CLOPT_NODE_UNARY);
}

static void write_made(struct writer *writer, const struct clopt_node *node)
{
    switch (node->kind) {
    case CLOPT_NODE_COMPOUND:
        write_compound(writer, node);
        break;
    case CLOPT_NODE_DECLARE:
        write_declaration(writer, node->children[0]);
        put(writer, has_semicolon(writer, node) ? "" : ";");
        break;
    case CLOPT_NODE_IF:
        write_if(writer, node);
        break;
    case CLOPT_NODE_EMPTY:
        put(writer, node->name ? node->name : ";");
        break;
    default:
        write_form(writer, node,
                   clopt_node_is_operator(node, ",") ? "$0, $1"
                   : is_loaded(node)                 ? "$n($1, $0)"
                                                     : forms[node->kind]);
        break;
    }
}

static void write_node(struct writer *writer, const struct clopt_node *node, bool statement)
{
    if (!node->made) {
        write_read(writer, node, statement);
        return;
    }
    clopt_output_mark(writer->output, writer->source, node->begin);
    write_made(writer, node);
    put(writer, statement && clopt_node_is_expression(node) ? ";" : "");
}

void clopt_node_write(const struct clopt_source *source, struct clopt_output *output,
                      const struct clopt_node *statement)
{
    struct writer writer = {source, output};
    write_node(&writer, statement, true);
}
