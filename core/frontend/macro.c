/* SPDX-License-Identifier: BSD-3-Clause */
/* Expands macros by the algorithm from which the C committee wrote its rules: every token carries
 * the set of macros that it must not be expanded by. */
#include "frontend/macro.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "frontend/names.h"

#define MOST_PARAMETER  64
#define MOST_EXPANSIONS 2000000

struct clopt_hide {
    const struct clopt_macro *macro;
    struct clopt_hide *next;
};

struct clopt_macro {
    struct clopt_macro *next;
    const char *name;
    size_t length;
    bool defined;
    bool function_like;
    bool variadic;
    struct clopt_token parameters[MOST_PARAMETER];
    size_t parameter_count;
    struct clopt_work *body;
};

static bool hidden(const struct clopt_hide *hide, const struct clopt_macro *macro)
{
    for (; hide; hide = hide->next)
        if (hide->macro == macro)
            return true;
    return false;
}

static struct clopt_hide *hide_add(struct clopt_arena *arena, struct clopt_hide *hide,
                                   const struct clopt_macro *macro)
{
    if (hidden(hide, macro))
        return hide;
    struct clopt_hide *more = clopt_arena_get(arena, sizeof *more);
    if (more)
        *more = (struct clopt_hide){macro, hide};
    return more;
}

static struct clopt_hide *hide_union(struct clopt_arena *arena, struct clopt_hide *a,
                                     const struct clopt_hide *b)
{
    for (; b; b = b->next)
        a = hide_add(arena, a, b->macro);
    return a;
}

static struct clopt_hide *hide_intersection(struct clopt_arena *arena, const struct clopt_hide *a,
                                            const struct clopt_hide *b)
{
    struct clopt_hide *both = NULL;
    for (; a; a = a->next)
        if (hidden(b, a->macro))
            both = hide_add(arena, both, a->macro);
    return both;
}

/* ---- lists of tokens ---- */

struct list {
    struct clopt_work *first;
    struct clopt_work **end;
};

static void list_init(struct list *list)
{
    list->first = NULL;
    list->end = &list->first;
}

static struct clopt_work *list_add(struct clopt_arena *arena, struct list *list,
                                   const struct clopt_work *work)
{
    struct clopt_work *copy = clopt_arena_get(arena, sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *work;
    copy->next = NULL;
    *list->end = copy;
    list->end = &copy->next;
    return copy;
}

static void push_back(struct clopt_stream *stream, struct list *list)
{
    if (!list->first)
        return;
    *list->end = stream->pending;
    stream->pending = list->first;
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

/* Reads "a, b, ...)" and leaves *at after it. */
static bool read_parameters(struct clopt_macro *macro, const char **at)
{
    for (;;) {
        struct clopt_token token = clopt_token_next(at);
        if (clopt_token_is(&token, ")"))
            return true;
        if (clopt_token_is(&token, ","))
            continue;
        if (macro->parameter_count == MOST_PARAMETER)
            return false;
        if (clopt_token_is(&token, "...")) {
            macro->variadic = true;
            token.text = "__VA_ARGS__";
            token.length = strlen(token.text);
        } else if (token.kind != CLOPT_TOKEN_NAME) {
            return false;
        }
        macro->parameters[macro->parameter_count++] = token;
    }
}

enum clopt_status clopt_macros_define(struct clopt_macros *macros, const char *definition,
                                      struct clopt_error *error)
{
    const char *at = clopt_arena_copy(&macros->arena, definition, strlen(definition));
    struct clopt_macro *macro = clopt_arena_get(&macros->arena, sizeof *macro);
    if (!at || !macro)
        return clopt_fail_memory(error);
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
    struct list body;
    list_init(&body);
    for (;;) {
        struct clopt_work work = {.token = clopt_token_next(&at), .made = true, .expanded = true};
        if (work.token.kind == CLOPT_TOKEN_END)
            break;
        work.space = work.token.space_length > 0 && body.first;
        if (!list_add(&macros->arena, &body, &work))
            return clopt_fail_memory(error);
    }
    macro->body = body.first;
    size_t bucket = clopt_name_hash(name.text, name.length) % CLOPT_MACRO_BUCKETS;
    clopt_macros_undefine(macros, name.text, name.length);
    macro->next = macros->buckets[bucket];
    macros->buckets[bucket] = macro;
    return CLOPT_OK;
}

/* ---- expansion ---- */

static struct clopt_work take(struct clopt_stream *stream)
{
    struct clopt_work work = {0};
    if (stream->pending) {
        work = *stream->pending;
        stream->pending = work.next;
    } else if (stream->text) {
        work.token = clopt_token_next(stream->text);
        work.space = work.token.space_length > 0;
    }
    return work;
}

/* Whether an opening parenthesis comes next. */
static bool parenthesis_follows(const struct clopt_stream *stream)
{
    if (stream->pending)
        return clopt_token_is(&stream->pending->token, "(");
    if (!stream->text)
        return false;
    const char *at = *stream->text;
    struct clopt_token token = clopt_token_next(&at);
    return clopt_token_is(&token, "(");
}

struct arguments {
    struct list items[MOST_PARAMETER];
    size_t count;
    struct clopt_hide *hide; /* of the closing parenthesis */
};

static enum clopt_status read_arguments(struct clopt_macros *macros, struct clopt_stream *stream,
                                        const struct clopt_macro *macro,
                                        struct arguments *arguments, struct clopt_error *error)
{
    take(stream);
    arguments->count = 1;
    list_init(&arguments->items[0]);
    for (unsigned depth = 1;;) {
        struct clopt_work work = take(stream);
        if (work.token.kind == CLOPT_TOKEN_END)
            return clopt_fail(error, CLOPT_INVALID, "macro %.*s: unterminated arguments",
                              (int)macro->length, macro->name);
        if (clopt_token_is(&work.token, "("))
            depth++;
        if (clopt_token_is(&work.token, ")") && --depth == 0) {
            arguments->hide = work.hide;
            return CLOPT_OK;
        }
        bool rest = macro->variadic && arguments->count >= macro->parameter_count;
        if (depth == 1 && clopt_token_is(&work.token, ",") && !rest) {
            if (arguments->count == MOST_PARAMETER)
                return clopt_fail(error, CLOPT_INVALID, "macro %.*s: more than %d arguments",
                                  (int)macro->length, macro->name, MOST_PARAMETER);
            list_init(&arguments->items[arguments->count++]);
            continue;
        }
        work.made = work.expanded = true;
        if (!list_add(&macros->arena, &arguments->items[arguments->count - 1], &work))
            return clopt_fail_memory(error);
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
    struct clopt_text text = {0};
    clopt_text_append(&text, "\"");
    for (const struct clopt_work *work = argument; work; work = work->next) {
        if (work->space && work != argument)
            clopt_text_append(&text, " ");
        for (size_t i = 0; i < work->token.length; i++) {
            char c = work->token.text[i];
            if (work->token.kind == CLOPT_TOKEN_STRING && (c == '"' || c == '\\'))
                clopt_text_append(&text, "\\");
            clopt_text_append_bytes(&text, &c, 1);
        }
    }
    clopt_text_append(&text, "\"");
    struct clopt_work work = {.made = true, .expanded = true};
    work.token.kind = CLOPT_TOKEN_STRING;
    work.token.text = clopt_arena_copy(&macros->arena, clopt_text_string(&text), text.length);
    work.token.length = text.length;
    if (text.failed || !work.token.text)
        macros->arena.failed = true;
    clopt_text_fini(&text);
    return work;
}

/* left ## right, into left. */
static void paste(struct clopt_macros *macros, struct clopt_work *left,
                  const struct clopt_work *right)
{
    size_t length = left->token.length + right->token.length;
    char *text = clopt_arena_get(&macros->arena, length + 1);
    if (!text)
        return;
    memcpy(text, left->token.text, left->token.length);
    memcpy(text + left->token.length, right->token.text, right->token.length);
    const char *at = text;
    struct clopt_token token = clopt_token_next(&at);
    token.length = length; /* what does not make one token is an error that clang reports */
    left->token = token;
    left->hide = hide_intersection(&macros->arena, left->hide, right->hide);
}

static enum clopt_status expand_all(struct clopt_macros *macros, struct clopt_work *argument,
                                    struct list *expanded, struct clopt_error *error)
{
    struct list copy;
    list_init(&copy);
    list_init(expanded);
    for (struct clopt_work *work = argument; work; work = work->next)
        list_add(&macros->arena, &copy, work);
    struct clopt_stream stream = {copy.first, NULL};
    for (;;) {
        struct clopt_work work;
        enum clopt_status status = clopt_macros_read(macros, &stream, &work, error);
        if (status || work.token.kind == CLOPT_TOKEN_END)
            return status;
        if (!list_add(&macros->arena, expanded, &work))
            return clopt_fail_memory(error);
    }
}

/* Puts an argument's tokens after a list, pasting the first one if asked to. */
static struct clopt_work *append_argument(struct clopt_macros *macros, struct list *result,
                                          struct clopt_work *last,
                                          const struct clopt_work *argument, bool pasting,
                                          bool space)
{
    for (const struct clopt_work *work = argument; work; work = work->next) {
        if (pasting && last) {
            paste(macros, last, work);
        } else {
            struct clopt_work copy = *work;
            if (work == argument)
                copy.space = space;
            last = list_add(&macros->arena, result, &copy);
        }
        pasting = false;
    }
    return last;
}

static enum clopt_status substitute(struct clopt_macros *macros, const struct clopt_macro *macro,
                                    struct arguments *arguments, struct clopt_hide *hide,
                                    struct list *result, struct clopt_error *error)
{
    list_init(result);
    struct clopt_work *last = NULL;
    bool pasting = false;
    for (struct clopt_work *work = macro->body; work; work = work->next) {
        if (clopt_token_is(&work->token, "##") && result->first) {
            pasting = true;
            continue;
        }
        size_t next = work->next ? parameter_index(macro, &work->next->token) : MOST_PARAMETER;
        size_t index = parameter_index(macro, &work->token);
        bool before_paste = work->next && clopt_token_is(&work->next->token, "##");
        struct clopt_work one = *work;
        one.next = NULL;
        if (macro->function_like && clopt_token_is(&work->token, "#") && next < arguments->count) {
            one = stringize(macros, arguments->items[next].first);
            one.space = work->space;
            work = work->next;
            last = append_argument(macros, result, last, &one, pasting, one.space);
        } else if (index < arguments->count && (pasting || before_paste)) {
            struct clopt_work *argument = arguments->items[index].first;
            last = append_argument(macros, result, last, argument, pasting, work->space);
            if (!argument && before_paste && !pasting)
                work = work->next; /* nothing ## x is x */
        } else if (index < arguments->count) {
            struct list expanded;
            enum clopt_status status =
                expand_all(macros, arguments->items[index].first, &expanded, error);
            if (status)
                return status;
            last = append_argument(macros, result, last, expanded.first, false, work->space);
        } else if (index == MOST_PARAMETER) {
            last = append_argument(macros, result, last, &one, pasting, work->space);
        }
        pasting = false;
    }
    for (struct clopt_work *work = result->first; work; work = work->next)
        work->hide = hide_union(&macros->arena, work->hide, hide);
    return macros->arena.failed ? clopt_fail_memory(error) : CLOPT_OK;
}

static enum clopt_status expand_one(struct clopt_macros *macros, const struct clopt_macro *macro,
                                    struct clopt_stream *stream, const struct clopt_work *name,
                                    struct clopt_error *error)
{
    struct arguments *arguments = calloc(1, sizeof *arguments);
    if (!arguments)
        return clopt_fail_memory(error);
    enum clopt_status status = CLOPT_OK;
    struct clopt_hide *hide = name->hide;
    if (macro->function_like) {
        status = read_arguments(macros, stream, macro, arguments, error);
        hide = hide_intersection(&macros->arena, hide, arguments->hide);
    }
    struct list result;
    list_init(&result);
    if (!status)
        status = substitute(macros, macro, arguments, hide_add(&macros->arena, hide, macro),
                            &result, error);
    free(arguments);
    if (status)
        return status;
    if (result.first) {
        /* The first token is where the macro's name was, after the comments there. */
        result.first->space = name->space;
        result.first->token.space = name->token.space;
        result.first->token.space_length = name->token.space_length;
        result.first->token.starts_line = name->token.starts_line;
        result.first->expanded = name->expanded;
    }
    push_back(stream, &result);
    return CLOPT_OK;
}

enum clopt_status clopt_macros_read(struct clopt_macros *macros, struct clopt_stream *stream,
                                    struct clopt_work *work, struct clopt_error *error)
{
    for (;;) {
        *work = take(stream);
        if (work->token.kind != CLOPT_TOKEN_NAME)
            return CLOPT_OK;
        const struct clopt_macro *macro = find(macros, work->token.text, work->token.length);
        if (!macro || !macro->defined || hidden(work->hide, macro) ||
            (macro->function_like && !parenthesis_follows(stream)))
            return CLOPT_OK;
        if (++macros->expansions > MOST_EXPANSIONS)
            return clopt_fail(error, CLOPT_INVALID, "macro %.*s: the text becomes too long",
                              (int)macro->length, macro->name);
        enum clopt_status status = expand_one(macros, macro, stream, work, error);
        if (status)
            return status;
    }
}
