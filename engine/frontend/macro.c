/* SPDX-License-Identifier: BSD-3-Clause */
/* Expands macros as compilers do: a macro is not expanded within its own expansion, and a token
 * that named it there never is. */
#include "frontend/macro.h"

#include "frontend/names.h"
#include "text/text.h"

#define MOST_PARAMETER  64
#define MOST_EXPANSIONS 2000000

struct clopt_macro {
    struct clopt_macro *next;
    const char *name;
    size_t length;
    bool defined;
    bool expanding; /* tokens of its expansion are still to come */
    bool function_like;
    bool variadic;
    struct clopt_token parameters[MOST_PARAMETER];
    size_t parameter_count;
    struct clopt_work *body;
};

/* ---- lists of tokens ---- */

struct list {
    struct clopt_work *first;
    struct clopt_work *last;
};

static void list_add(struct clopt_arena *arena, struct list *list, const struct clopt_work *work)
{
    struct clopt_work *copy = clopt_arena_get(arena, sizeof *copy);
    *copy = *work;
    copy->next = NULL;
    *(list->last ? &list->last->next : &list->first) = copy;
    list->last = copy;
}

/* Reads a token, and spells it without digraphs. */
static struct clopt_token next_token(const char **at)
{
    static const char *const digraphs[][2] = {{"<%", "{"}, {"%>", "}"}, {"<:", "["},
                                              {":>", "]"}, {"%:", "#"}, {"%:%:", "##"}};
    struct clopt_token token = clopt_token_next(at);
    for (size_t i = 0; i < sizeof digraphs / sizeof *digraphs; i++)
        if (clopt_token_is(&token, digraphs[i][0])) {
            token.text = digraphs[i][1];
            token.length = strlen(token.text);
        }
    return token;
}

/* ---- the table ---- */

void clopt_macros_fini(struct clopt_macros *macros)
{
    clopt_arena_fini(&macros->arena);
    *macros = (struct clopt_macros){0};
}

static struct clopt_macro *find(const struct clopt_macros *macros, const char *name, size_t length)
{
    struct clopt_macro *macro =
        macros->buckets[clopt_name_hash(name, length) % CLOPT_MACRO_BUCKETS];
    while (macro && (macro->length != length || memcmp(macro->name, name, length) != 0))
        macro = macro->next;
    return macro;
}

void clopt_macros_undefine(struct clopt_macros *macros, const char *name, size_t length)
{
    struct clopt_macro *macro = find(macros, name, length);
    if (macro)
        macro->defined = false;
}

/* Reads "a, b, ...)" or "a, b...)", which is GNU's, and leaves *at after it. */
static bool read_parameters(struct clopt_macro *macro, const char **at)
{
    for (bool named = false;;) {
        struct clopt_token token = clopt_token_next(at);
        if (clopt_token_is(&token, ")"))
            return true;
        macro->variadic |= clopt_token_is(&token, "...");
        if (clopt_token_is(&token, ",") || (macro->variadic && named)) {
            named = false;
            continue;
        }
        if (macro->parameter_count == MOST_PARAMETER)
            return false;
        if (macro->variadic) {
            token.text = "__VA_ARGS__";
            token.length = strlen(token.text);
        } else if (token.kind != CLOPT_TOKEN_NAME) {
            return false;
        }
        macro->parameters[macro->parameter_count++] = token;
        named = true;
    }
}

enum clopt_status clopt_macros_define(struct clopt_macros *macros, const char *definition,
                                      struct clopt_error *error)
{
    const char *at = clopt_arena_copy(&macros->arena, definition, strlen(definition));
    struct clopt_macro *macro = clopt_arena_get(&macros->arena, sizeof *macro);
    struct clopt_token name = clopt_token_next(&at);
    if (name.kind != CLOPT_TOKEN_NAME)
        return clopt_fail(error, CLOPT_INVALID, "#define %s: not the name of a macro", definition);
    macro->name = name.text;
    macro->length = name.length;
    macro->defined = true;
    if (*at == '(') {
        at++;
        macro->function_like = true;
        if (!read_parameters(macro, &at))
            return clopt_fail(error, CLOPT_INVALID,
                              "#define %.*s: parameters that clopt cannot read", (int)name.length,
                              name.text);
    }
    struct list body = {0};
    for (;;) {
        struct clopt_work work = {.token = next_token(&at), .made = true, .expanded = true};
        if (work.token.kind == CLOPT_TOKEN_END)
            break;
        work.space = work.token.space_length > 0 && body.first;
        list_add(&macros->arena, &body, &work);
    }
    macro->body = body.first;
    size_t bucket = clopt_name_hash(name.text, name.length) % CLOPT_MACRO_BUCKETS;
    clopt_macros_undefine(macros, name.text, name.length);
    macro->next = macros->buckets[bucket];
    macros->buckets[bucket] = macro;
    return CLOPT_OK;
}

/* ---- expansion ---- */

bool clopt_stream_expands(struct clopt_stream *stream)
{
    for (; stream->pending && stream->pending->ends; stream->pending = stream->pending->next)
        stream->pending->ends->expanding = false;
    return stream->pending != NULL;
}

bool clopt_stream_directs(const struct clopt_stream *stream, bool after_line)
{
    const char *at = *stream->text;
    struct clopt_token token = next_token(&at);
    return clopt_token_is(&token, "#") && (token.starts_line || after_line);
}

static struct clopt_work take(const struct clopt_macros *macros, struct clopt_stream *stream)
{
    struct clopt_work work = {0};
    if (clopt_stream_expands(stream)) {
        work = *stream->pending;
        stream->pending = work.next;
    } else if (stream->text) {
        work.token = next_token(stream->text);
        work.space = work.token.space_length > 0;
    }
    const struct clopt_macro *macro = find(macros, work.token.text, work.token.length);
    work.inert |= macro && macro->expanding;
    return work;
}

/* Whether an opening parenthesis comes next. */
static bool parenthesis_follows(struct clopt_stream *stream)
{
    if (clopt_stream_expands(stream))
        return clopt_token_is(&stream->pending->token, "(");
    if (!stream->text)
        return false;
    const char *at = *stream->text;
    struct clopt_token token = clopt_token_next(&at);
    return clopt_token_is(&token, "(");
}

/* Obeys the directives that come next, among a macro's arguments. */
static enum clopt_status obey(struct clopt_stream *stream)
{
    for (bool after_line = false;
         !clopt_stream_expands(stream) && stream->obey && clopt_stream_directs(stream, after_line);
         after_line = true)
        CLOPT_TRY(stream->obey(stream->user));
    return CLOPT_OK;
}

struct arguments {
    struct list items[MOST_PARAMETER];
    size_t count;
    bool none_variable; /* not even an empty one */
};

static enum clopt_status read_arguments(struct clopt_macros *macros, struct clopt_stream *stream,
                                        const struct clopt_macro *macro,
                                        struct arguments *arguments, struct clopt_error *error)
{
    take(macros, stream);
    arguments->count = 1;
    for (unsigned depth = 1;;) {
        CLOPT_TRY(obey(stream));
        struct clopt_work work = take(macros, stream);
        if (work.token.kind == CLOPT_TOKEN_END)
            return clopt_fail(error, CLOPT_INVALID, "macro %.*s: unterminated arguments",
                              (int)macro->length, macro->name);
        if (clopt_token_is(&work.token, "("))
            depth++;
        if (clopt_token_is(&work.token, ")") && --depth == 0) {
            arguments->none_variable = macro->variadic && arguments->count < macro->parameter_count;
            arguments->count += arguments->none_variable;
            return CLOPT_OK;
        }
        bool rest = macro->variadic && arguments->count >= macro->parameter_count;
        if (depth == 1 && clopt_token_is(&work.token, ",") && !rest) {
            if (arguments->count == MOST_PARAMETER)
                return clopt_fail(error, CLOPT_INVALID, "macro %.*s: more than %d arguments",
                                  (int)macro->length, macro->name, MOST_PARAMETER);
            arguments->count++;
            continue;
        }
        work.made = work.expanded = true;
        list_add(&macros->arena, &arguments->items[arguments->count - 1], &work);
    }
}

static size_t parameter_index(const struct clopt_macro *macro, const struct clopt_token *token)
{
    if (token->kind == CLOPT_TOKEN_NAME)
        for (size_t i = 0; i < macro->parameter_count; i++)
            if (macro->parameters[i].length == token->length &&
                memcmp(macro->parameters[i].text, token->text, token->length) == 0)
                return i;
    return MOST_PARAMETER;
}

/* #parameter */
static struct clopt_work stringize(struct clopt_macros *macros, const struct clopt_work *argument)
{
    CLOPT_OWNED(clopt_text) text = {0};
    clopt_text_append(&text, "\"");
    for (const struct clopt_work *work = argument; work; work = work->next) {
        if (work->space && work != argument)
            clopt_text_append(&text, " ");
        for (size_t i = 0; i < work->token.length; i++) {
            char c = work->token.text[i];
            if (work->token.kind == CLOPT_TOKEN_STRING && (c == '"' || c == '\\'))
                clopt_text_append(&text, "\\");
            clopt_text_append_char(&text, c);
        }
    }
    clopt_text_append(&text, "\"");
    struct clopt_work work = {.made = true, .expanded = true};
    work.token.kind = CLOPT_TOKEN_STRING;
    work.token.text = clopt_arena_copy(&macros->arena, clopt_text_string(&text), text.length);
    work.token.length = text.length;
    return work;
}

/* left ## right, into left. */
static void paste(struct clopt_macros *macros, struct clopt_work *left,
                  const struct clopt_work *right)
{
    size_t length = left->token.length + right->token.length;
    char *text = clopt_arena_get(&macros->arena, length + 1);
    memcpy(text, left->token.text, left->token.length);
    memcpy(text + left->token.length, right->token.text, right->token.length);
    const char *at = text;
    struct clopt_token token = clopt_token_next(&at);
    token.length = length; /* what does not make one token is an error that clang reports */
    left->token = token;
    left->inert = false;
}

static enum clopt_status expand_all(struct clopt_macros *macros, struct clopt_work *argument,
                                    struct list *expanded, struct clopt_error *error)
{
    struct clopt_stream stream = {.pending = argument};
    for (;;) {
        struct clopt_work work;
        enum clopt_status status = clopt_macros_read(macros, &stream, &work, error);
        if (status || work.token.kind == CLOPT_TOKEN_END)
            return status;
        list_add(&macros->arena, expanded, &work);
    }
}

/* Puts tokens after a list, the first one with a space in front of it or pasted. */
static void append(struct clopt_macros *macros, struct list *result,
                   const struct clopt_work *tokens, bool pasting, bool space)
{
    for (const struct clopt_work *work = tokens; work; work = work->next) {
        struct clopt_work copy = *work;
        if (work == tokens)
            copy.space = space;
        if (work == tokens && pasting)
            paste(macros, result->last, work);
        else
            list_add(&macros->arena, result, &copy);
    }
}

/* Takes ", ## __VA_ARGS__" at *body, where GNU pastes nothing: there is no comma without variable
 * arguments. Moves to the last token; false for what is none. */
static bool append_rest(struct clopt_macros *macros, const struct clopt_macro *macro,
                        const struct arguments *arguments, struct list *result,
                        struct clopt_work **body)
{
    struct clopt_work comma = **body;
    struct clopt_work *rest = comma.next ? comma.next->next : NULL;
    if (!rest || !macro->variadic || !clopt_token_is(&comma.token, ",") ||
        !clopt_token_is(&comma.next->token, "##") ||
        parameter_index(macro, &rest->token) != macro->parameter_count - 1)
        return false;
    comma.next = NULL;
    if (!arguments->none_variable || macro->parameter_count == 1)
        append(macros, result, &comma, false, comma.space);
    append(macros, result, arguments->items[macro->parameter_count - 1].first, false, rest->space);
    *body = rest;
    return true;
}

static enum clopt_status substitute(struct clopt_macros *macros, const struct clopt_macro *macro,
                                    struct arguments *arguments, struct list *result,
                                    struct clopt_error *error)
{
    bool after_paste = false;
    bool left = false; /* of ##, there is something */
    for (struct clopt_work *work = macro->body; work; work = work->next) {
        if (clopt_token_is(&work->token, "##") && work != macro->body) {
            after_paste = true;
            continue;
        }
        if (append_rest(macros, macro, arguments, result, &work))
            continue;
        size_t next = work->next ? parameter_index(macro, &work->next->token) : MOST_PARAMETER;
        size_t index = parameter_index(macro, &work->token);
        bool before_paste = work->next && clopt_token_is(&work->next->token, "##");
        bool space = work->space;
        struct clopt_work one = *work;
        struct clopt_work *tokens = &one;
        struct list expanded = {0};
        one.next = NULL;
        if (clopt_token_is(&work->token, "#") && next != MOST_PARAMETER) {
            one = stringize(macros, arguments->items[next].first);
            work = work->next;
        } else if (index != MOST_PARAMETER && (after_paste || before_paste))
            tokens = arguments->items[index].first;
        else if (index != MOST_PARAMETER) {
            CLOPT_TRY(expand_all(macros, arguments->items[index].first, &expanded, error));
            tokens = expanded.first;
        }
        bool pasting = after_paste && left && result->last;
        append(macros, result, tokens, pasting, space);
        left = pasting || tokens;
        after_paste = false;
    }
    return CLOPT_OK;
}

static enum clopt_status expand_one(struct clopt_macros *macros, struct clopt_macro *macro,
                                    struct clopt_stream *stream, const struct clopt_work *name,
                                    struct clopt_error *error)
{
    CLOPT_FREED struct arguments *arguments = clopt_calloc(1, sizeof *arguments);
    if (macro->function_like)
        CLOPT_TRY(read_arguments(macros, stream, macro, arguments, error));
    struct list result = {0};
    CLOPT_TRY(substitute(macros, macro, arguments, &result, error));
    if (result.first) {
        /* The first token is where the macro's name was, after the comments there. */
        result.first->space = name->space;
        result.first->token.space = name->token.space;
        result.first->token.space_length = name->token.space_length;
        result.first->token.starts_line = name->token.starts_line;
        result.first->expanded = name->expanded;
    }
    macro->expanding = true;
    list_add(&macros->arena, &result, &(struct clopt_work){.ends = macro});
    result.last->next = stream->pending;
    stream->pending = result.first;
    return CLOPT_OK;
}

enum clopt_status clopt_macros_read(struct clopt_macros *macros, struct clopt_stream *stream,
                                    struct clopt_work *work, struct clopt_error *error)
{
    for (;;) {
        *work = take(macros, stream);
        struct clopt_macro *macro = find(macros, work->token.text, work->token.length);
        if (!macro || !macro->defined || work->inert ||
            (macro->function_like && !parenthesis_follows(stream)))
            return CLOPT_OK;
        if (++macros->expansions > MOST_EXPANSIONS)
            return clopt_fail(error, CLOPT_INVALID, "macro %.*s: the text becomes too long",
                              (int)macro->length, macro->name);
        CLOPT_TRY(expand_one(macros, macro, stream, work, error));
        if (stream->text && (!stream->pending || stream->pending->ends == macro)) {
            work->token.kind = CLOPT_TOKEN_OTHER;
            work->token.length = 0;
            work->made = true;
            return CLOPT_OK;
        }
    }
}
