/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces statement expressions that only name values by their value. */
#include <stdlib.h>
#include <string.h>

#include "kernel/effect.h"
#include "kernel/statement_expression.h"
#include "kernel/token.h"

#define MOST_NAMES  16
#define MOST_GROWTH 65536 /* bytes that one of them may become */

/* Text from one token to another. */
struct part {
    const char *begin;
    const char *end;
};

/* TYPE NAME = VALUE; */
struct named {
    struct part type;
    struct clopt_token name;
    struct part value;
};

struct opening {
    struct named names[MOST_NAMES];
    size_t count;
    struct part result;
};

static bool is_any(const struct clopt_token *token, const char *const *texts)
{
    for (; *texts; texts++)
        if (clopt_token_is(token, *texts))
            return true;
    return false;
}

static struct clopt_token next_in(const char **at, const char *end)
{
    struct clopt_token token = clopt_token_next(at);
    if (token.kind != CLOPT_TOKEN_END && token.text >= end)
        token = (struct clopt_token){.kind = CLOPT_TOKEN_END, .text = end};
    return token;
}

/* Whether a function of this name computes a value from its arguments alone. */
static bool is_pure_function(const struct clopt_token *name)
{
    static const char *const known[] = {"min",  "max",   "clamp", "abs",   "fmin",  "fmax", "fabs",
                                        "ceil", "floor", "sqrt",  "mad24", "mul24", NULL};
    return is_any(name, known) || clopt_name_starts(name->text, "get_") ||
           clopt_name_starts(name->text, "convert_") || clopt_name_starts(name->text, "as_");
}

static bool is_typeof(const struct clopt_token *token)
{
    static const char *const words[] = {"__typeof__", "__typeof", "typeof", NULL};
    return is_any(token, words);
}

/* Whether text is an expression without effect, so that how often it is evaluated does not count.
 */
static bool is_pure(struct part part)
{
    static const char *const bad[] = {"=",   "+=",  "-=", "*=", "/=", "%=",       "&=", "|=", "^=",
                                      "<<=", ">>=", "++", "--", "{",  "volatile", ",",  NULL};
    const char *at = part.begin;
    struct clopt_token before = {0};
    unsigned depth = 0;
    for (struct clopt_token token = next_in(&at, part.end); token.kind != CLOPT_TOKEN_END;
         token = next_in(&at, part.end)) {
        bool call = before.kind == CLOPT_TOKEN_NAME && clopt_token_is(&token, "(");
        bool argument = depth && clopt_token_is(&token, ",");
        if ((!argument && is_any(&token, bad)) || is_typeof(&token) ||
            (call && !is_pure_function(&before)))
            return false;
        depth += clopt_token_is(&token, "(");
        depth -= clopt_token_is(&token, ")") && depth;
        before = token;
    }
    return before.kind != CLOPT_TOKEN_END || before.text;
}

/* Finds the end of a statement: its semicolon outside of parentheses; NULL where there is none. */
static const char *find_semicolon(const char *at, const char *end)
{
    unsigned depth = 0;
    for (struct clopt_token token = next_in(&at, end); token.kind != CLOPT_TOKEN_END;
         token = next_in(&at, end)) {
        depth += clopt_token_is(&token, "(") || clopt_token_is(&token, "[");
        depth -= (clopt_token_is(&token, ")") || clopt_token_is(&token, "]")) && depth;
        if (!depth && clopt_token_is(&token, ";"))
            return token.text;
    }
    return NULL;
}

/* Takes parentheses around all of an expression off. */
static struct part strip(struct part part)
{
    for (;;) {
        const char *at = part.begin;
        const char *last = NULL;
        struct clopt_token token = next_in(&at, part.end);
        unsigned depth = clopt_token_is(&token, "(");
        while (depth && token.kind != CLOPT_TOKEN_END) {
            token = next_in(&at, part.end);
            depth += clopt_token_is(&token, "(");
            depth -= clopt_token_is(&token, ")");
            last = token.text;
        }
        token = next_in(&at, part.end);
        if (!last || token.kind != CLOPT_TOKEN_END)
            return part;
        part = (struct part){clopt_token_skip_space(part.begin + 1), last};
    }
}

static bool is_one_token(struct part part)
{
    const char *at = part.begin;
    next_in(&at, part.end);
    return next_in(&at, part.end).kind == CLOPT_TOKEN_END;
}

/* Reads a declaration of one scalar or vector with a value. */
static bool read_named(struct part statement, struct named *named)
{
    const char *at = statement.begin;
    struct clopt_token before = {0};
    unsigned depth = 0;
    for (struct clopt_token token = next_in(&at, statement.end); token.kind != CLOPT_TOKEN_END;
         token = next_in(&at, statement.end)) {
        if (!depth && clopt_token_is(&token, "=")) {
            named->type = (struct part){statement.begin, before.text};
            named->name = before;
            named->value = strip((struct part){clopt_token_skip_space(at), statement.end});
            return before.kind == CLOPT_TOKEN_NAME && named->type.begin < named->type.end &&
                   is_pure(named->value);
        }
        if (!depth && (clopt_token_is(&token, "*") || clopt_token_is(&token, "[")))
            return false;
        depth += clopt_token_is(&token, "(");
        depth -= clopt_token_is(&token, ")") && depth;
        before = token;
    }
    return false;
}

/* Reads what is between ({ and }). */
static bool read_opening(const char *at, const char *end, struct opening *opening)
{
    opening->count = 0;
    for (;;) {
        struct part statement = {clopt_token_skip_space(at), find_semicolon(at, end)};
        if (!statement.end)
            return false;
        at = statement.end + 1;
        if (clopt_token_skip_space(at) >= end) {
            opening->result = statement;
            return statement.begin < statement.end && is_pure(statement);
        }
        if (opening->count == MOST_NAMES || !read_named(statement, &opening->names[opening->count]))
            return false;
        opening->count++;
    }
}

/* ---- output ---- */

/* Whether a type is that of the value itself, __typeof__(value). */
static bool is_type_of(const struct named *named)
{
    const char *at = named->type.begin;
    const char *value = named->value.begin;
    struct clopt_token token = next_in(&at, named->type.end);
    if (!is_typeof(&token))
        return false;
    /* Parentheses around either do not matter. */
    for (;;) {
        struct clopt_token a = next_in(&at, named->type.end);
        struct clopt_token b = next_in(&value, named->value.end);
        while (clopt_token_is(&a, "(") || clopt_token_is(&a, ")"))
            a = next_in(&at, named->type.end);
        while (clopt_token_is(&b, "(") || clopt_token_is(&b, ")"))
            b = next_in(&value, named->value.end);
        if (a.kind == CLOPT_TOKEN_END || b.kind == CLOPT_TOKEN_END)
            return a.kind == b.kind;
        if (a.length != b.length || memcmp(a.text, b.text, a.length) != 0)
            return false;
    }
}

static void put_part(struct clopt_text *out, const struct opening *opening, size_t known,
                     struct part part);

/* Puts a value as one of its type. */
static void put_value(struct clopt_text *out, const struct opening *opening, size_t index)
{
    const struct named *named = &opening->names[index];
    const char *at = named->type.begin;
    bool cast = !is_type_of(named);
    bool closed = is_one_token(named->value);
    clopt_text_append(out, cast ? "((" : "");
    for (struct clopt_token token = next_in(&at, named->type.end);
         cast && token.kind != CLOPT_TOKEN_END; token = next_in(&at, named->type.end)) {
        if (!clopt_token_is(&token, "const"))
            clopt_text_printf(out, "%s%.*s", out->data[out->length - 1] == '(' ? "" : " ",
                              (int)token.length, token.text);
    }
    clopt_text_append(out, cast ? ")" : "");
    clopt_text_append(out, closed ? "" : "(");
    put_part(out, opening, index, named->value);
    clopt_text_append(out, closed ? "" : ")");
    clopt_text_append(out, cast ? ")" : "");
}

/* Puts text with the first `known` names replaced. */
static void put_part(struct clopt_text *out, const struct opening *opening, size_t known,
                     struct part part)
{
    const char *at = part.begin;
    struct clopt_token before = {0};
    for (struct clopt_token token = next_in(&at, part.end); token.kind != CLOPT_TOKEN_END;
         token = next_in(&at, part.end)) {
        bool member = clopt_token_is(&before, ".") || clopt_token_is(&before, "->");
        size_t i = known;
        while (i > 0 && (opening->names[i - 1].name.length != token.length ||
                         memcmp(opening->names[i - 1].name.text, token.text, token.length) != 0))
            i--;
        if (before.text && token.space_length)
            clopt_text_append(out, " ");
        if (out->length > MOST_GROWTH)
            out->failed = true;
        else if (i && !member)
            put_value(out, opening, i - 1);
        else
            clopt_text_append_bytes(out, token.text, token.length);
        before = token;
    }
}

static bool has_unknown_type(const struct opening *opening)
{
    for (size_t i = 0; i < opening->count; i++) {
        const char *at = opening->names[i].type.begin;
        struct clopt_token first = clopt_token_next(&at);
        if (is_typeof(&first) && !is_type_of(&opening->names[i]))
            return true;
    }
    return false;
}

/* ---- the whole ---- */

/* Finds the first ({ that holds no other one, and the end of its }); false where there is none. */
static bool find_innermost(const char *at, const char **begin, const char **end)
{
    const char *last = NULL;
    struct clopt_token before = {0};
    for (struct clopt_token token = clopt_token_next(&at); token.kind != CLOPT_TOKEN_END;
         token = clopt_token_next(&at)) {
        if (clopt_token_is(&before, "(") && clopt_token_is(&token, "{"))
            last = before.text;
        if (last && clopt_token_is(&before, "}") && clopt_token_is(&token, ")")) {
            *begin = last;
            *end = token.text + 1;
            return true;
        }
        before = token;
    }
    return false;
}

/* Puts what takes the place of one, on as many lines; false where it has to stay. */
static bool put_opened(struct clopt_text *out, const char *begin, const char *end)
{
    struct opening opening;
    const char *from = strchr(begin, '{') + 1;
    const char *to = end - 1;
    while (*to != '}')
        to--;
    if (!read_opening(from, to, &opening) || has_unknown_type(&opening))
        return false;
    struct clopt_text value = {0};
    put_part(&value, &opening, opening.count, opening.result);
    bool good = !value.failed;
    if (good)
        clopt_text_printf(out, "(%s)", clopt_text_string(&value));
    for (const char *at = begin; good && at < end; at++)
        if (*at == '\n')
            clopt_text_append(out, "\n");
    clopt_text_fini(&value);
    return good;
}

char *clopt_statement_expressions_inline(const char *text)
{
    struct clopt_text now = {0};
    const char *begin = NULL;
    const char *end = NULL;
    clopt_text_append(&now, text);
    for (size_t from = 0; !now.failed && find_innermost(now.data + from, &begin, &end);) {
        struct clopt_text next = {0};
        size_t offset = (size_t)(begin - now.data);
        clopt_text_append_bytes(&next, now.data, offset);
        if (put_opened(&next, begin, end)) {
            clopt_text_append(&next, end);
            clopt_text_fini(&now);
            now = next;
        } else {
            clopt_text_fini(&next);
            from = (size_t)(end - now.data);
        }
    }
    return clopt_text_take(&now);
}
