/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a kernel's text independent of other files and of macros. */
#include "frontend/normalise.h"

#include "file/inclusion.h"
#include "frontend/macro.h"
#include "frontend/names.h"

#define MOST_INCLUDES 64 /* deep */

/* #include on a line of a file, where the compiler enters the file that it names: a guard keeps it
 * out. */
struct inclusion {
    CXFile from;
    unsigned line;
    CXFile file;
};

struct state {
    struct clopt_parse parse;
    struct clopt_macros macros;
    struct clopt_text out;
    struct clopt_normal *normal;
    struct inclusion *inclusions;
    size_t inclusion_count;
    unsigned out_line;              /* complete lines so far */
    bool last_made;                 /* the last token came from a macro */
    bool cplusplus;                 /* which has no trigraphs */
    const struct clopt_lines *from; /* where the text's own lines come from, or NULL */
    const char *name;               /* that the text has in places */
    struct clopt_error *error;
};

/* One file while it is read. */
struct reading {
    CXFile file;
    const char *name;
    const char *at;
    const char *counted; /* `line` is right up to here */
    unsigned line;
    CXSourceRangeList *skipped;
    unsigned guard; /* line of a guard against being included twice, which is not obeyed; or 0 */
};

/* ---- what clang knows ---- */

static void note_inclusion(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
    struct state *state = data;
    struct inclusion *inclusion =
        clopt_array_add(&state->inclusions, &state->inclusion_count, sizeof *inclusion);
    inclusion->file = file;
    if (depth) /* no file includes the source itself */
        state->parse.clang.getExpansionLocation(stack[0], &inclusion->from, &inclusion->line, NULL,
                                                NULL);
}

static size_t times_included(const struct state *state, CXFile file)
{
    size_t times = 0;
    for (size_t i = 0; i < state->inclusion_count; i++)
        times += state->inclusions[i].file == file;
    return times;
}

static unsigned line_of(const struct state *state, CXSourceLocation location)
{
    unsigned line = 0;
    state->parse.clang.getExpansionLocation(location, NULL, &line, NULL, NULL);
    return line;
}

/* If what #if leaves out starts with the directive on `line`, the line of the one that ends it. */
static unsigned skipped_to(const struct state *state, const struct reading *reading, unsigned line)
{
    if (line == reading->guard)
        return 0;
    for (unsigned i = 0; reading->skipped && i < reading->skipped->count; i++)
        if (line_of(state, state->parse.clang.getRangeStart(reading->skipped->ranges[i])) == line)
            return line_of(state, state->parse.clang.getRangeEnd(reading->skipped->ranges[i]));
    return 0;
}

/* ---- output ---- */

static void put_position(struct state *state, const struct reading *reading)
{
    struct clopt_lines *lines = &state->normal->lines;
    struct clopt_position position = {reading->name, reading->line};
    if (state->from && reading->name == state->name)
        position = clopt_lines_find(state->from, reading->line);
    if (!position.file)
        position = (struct clopt_position){reading->name, reading->line};
    for (size_t line = lines->count; line <= state->out_line; line++)
        clopt_lines_note(lines, line, position);
}

static void put(struct state *state, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        state->out_line += bytes[i] == '\n';
    clopt_text_append_bytes(&state->out, bytes, length);
}

static void count_lines(struct reading *reading, const char *end)
{
    while (reading->counted < end)
        reading->line += *reading->counted++ == '\n';
}

/* Whether two tokens would be read as one without a blank. */
static bool would_join(char last, char first)
{
    if (clopt_is_name_char(last) || last == '.')
        return clopt_is_name_char(first) || first == '.';
    return strchr("+-*/%&|<>=!^#", last) && strchr("+-*/%&|<>=!^#", first) && last && first;
}

/* Puts what is before a token, without the backslashes that join lines outside of comments. */
static void put_space(struct state *state, const struct clopt_token *token)
{
    const char *end = token->space + token->space_length;
    for (const char *at = token->space; at < end;) {
        bool comment = at[0] == '/';
        const char *next = comment ? clopt_token_skip_comment(at) : at + 1;
        if (*at != '\\')
            put(state, at, (size_t)(next - at));
        at = next;
    }
}

static void put_token(struct state *state, const struct reading *reading,
                      const struct clopt_work *work)
{
    bool vanished = work->made && !work->token.length;
    if (vanished && (work->expanded || !memchr(work->token.space, '\n', work->token.space_length)))
        return; /* what comes next has a space of its own */
    if (!work->expanded)
        put_space(state, &work->token);
    else if (work->space)
        put(state, " ", 1);
    size_t length = state->out.length;
    if ((work->made || state->last_made) && length && work->token.length &&
        would_join(state->out.data[length - 1], *work->token.text))
        put(state, " ", 1);
    put_position(state, reading);
    put(state, work->token.text, work->token.length);
    state->last_made = work->made;
}

/* ---- directives ---- */

static enum clopt_status read_file(struct state *state, CXFile file, const char *name,
                                   const char *text, unsigned depth);

static enum clopt_status include(struct state *state, const struct reading *reading, unsigned depth)
{
    struct inclusion *found = NULL;
    bool again = false;
    for (size_t i = 0; i < state->inclusion_count && !found; i++)
        if (state->inclusions[i].from == reading->file &&
            state->inclusions[i].line == reading->line)
            found = &state->inclusions[i];
    if (!found)
        return CLOPT_OK; /* it has a guard */
    if (depth == MOST_INCLUDES)
        return clopt_fail(state->error, CLOPT_INVALID, "%s:%u: #include that clopt cannot follow",
                          reading->name, reading->line);
    char name[1024];
    clopt_parse_string(&state->parse, state->parse.clang.getFileName(found->file), name,
                       sizeof name);
    size_t size = 0;
    const char *text = state->parse.clang.getFileContents(state->parse.unit, found->file, &size);
    for (struct inclusion *other = state->inclusions; other < found; other++)
        again |= other->file == found->file;
    if (again)
        return CLOPT_OK; /* it has a guard, or the first time refused it */
    if (!text)
        return clopt_fail(state->error, CLOPT_FAILED, "%s:%u: cannot read %s", reading->name,
                          reading->line, name);
    const char *copy = clopt_arena_copy(&state->normal->lines.names, name, strlen(name));
    return read_file(state, found->file, copy, text, depth + 1);
}

static enum clopt_status put_pragma(struct state *state, const struct reading *reading,
                                    const char *text)
{
    const char *at = text;
    struct clopt_token first = clopt_token_next(&at);
    struct clopt_work work = {0};
    if (clopt_token_is(&first, "once"))
        return CLOPT_OK;
    put_position(state, reading);
    if (!clopt_token_is(&first, "unroll")) {
        put(state, "#pragma", 7);
        put(state, text, strlen(text));
        return CLOPT_OK;
    }
    /* Only this one's operand is expanded. */
    put(state, "#pragma unroll", 14);
    for (struct clopt_stream stream = {.text = &at};;) {
        enum clopt_status status = clopt_macros_read(&state->macros, &stream, &work, state->error);
        if (status || work.token.kind == CLOPT_TOKEN_END)
            return status;
        put(state, " ", work.space || work.expanded);
        put(state, work.token.text, work.token.length);
    }
}

/* Obeys the directive whose # or %: is at reading->at, and moves after its line. */
static enum clopt_status obey(struct state *state, struct reading *reading, unsigned depth)
{
    enum clopt_status status = CLOPT_OK;
    const char *at = reading->at + (*reading->at == '%' ? strlen("%:") : strlen("#"));
    const char *end = clopt_token_line_end(at);
    unsigned line = reading->line;
    struct clopt_token name = clopt_token_next(&at);
    char *rest = at <= end ? clopt_arena_copy(&state->macros.arena, at, (size_t)(end - at)) : "";
    reading->at = *end ? end + 1 : end;
    if (clopt_token_is(&name, "pragma")) {
        reading->at = end; /* the line's end is the pragma's */
        status = put_pragma(state, reading, rest);
    } else if (clopt_token_is(&name, "define")) {
        status = clopt_macros_define(&state->macros, rest, state->error);
    } else if (clopt_token_is(&name, "undef")) {
        struct clopt_token macro = clopt_token_next(&at);
        clopt_macros_undefine(&state->macros, macro.text, macro.length);
    } else if (clopt_token_is(&name, "include")) {
        status = include(state, reading, depth);
    }
    count_lines(reading, reading->at);
    unsigned to = skipped_to(state, reading, line);
    while (*reading->at && reading->line < to) {
        reading->at += strcspn(reading->at, "\n");
        reading->at += *reading->at == '\n';
        count_lines(reading, reading->at);
    }
    return status;
}

/* ---- files ---- */

/* A file that is read, for the directives among a macro's arguments. */
struct place {
    struct state *state;
    struct reading *reading;
    unsigned depth;
};

static enum clopt_status obey_next(void *user)
{
    const struct place *in = user;
    in->reading->at = clopt_token_skip_space(in->reading->at);
    count_lines(in->reading, in->reading->at);
    return obey(in->state, in->reading, in->depth);
}

static enum clopt_status read_tokens(struct state *state, struct reading *reading, unsigned depth)
{
    struct place in = {state, reading, depth};
    struct clopt_stream stream = {NULL, &reading->at, obey_next, &in};
    for (bool after_line = true;;) { /* the line end of a directive is consumed */
        bool expands = clopt_stream_expands(&stream);
        if (!expands && clopt_stream_directs(&stream, after_line)) {
            const char *end = clopt_token_skip_space(reading->at);
            put_space(state, &(struct clopt_token){.space = reading->at,
                                                   .space_length = (size_t)(end - reading->at)});
            CLOPT_TRY(obey_next(&in));
            after_line = true;
            continue;
        }
        if (!expands)
            count_lines(reading, clopt_token_skip_space(reading->at));
        struct clopt_work work;
        enum clopt_status status = clopt_macros_read(&state->macros, &stream, &work, state->error);
        if (status)
            return clopt_fail_within(state->error, "%s:%u", reading->name, reading->line);
        put_token(state, reading, &work);
        after_line = false;
        if (work.token.kind == CLOPT_TOKEN_END)
            return CLOPT_OK;
    }
}

/* Returns a text with what trigraphs stand for, also in comments and strings; lines stay. */
static const char *replace_trigraphs(struct state *state, const char *text)
{
    static const char last[] = "=/'()!<>-", meant[] = "#\\^[]|{}~";
    char *copy = clopt_arena_copy(&state->macros.arena, text, strlen(text)), *end = copy;
    for (const char *at = text; *at; at++) {
        const char *found = at[0] == '?' && at[1] == '?' && at[2] ? strchr(last, at[2]) : NULL;
        *end++ = found ? meant[found - last] : *at;
        at += found ? 2 : 0;
    }
    *end = '\0';
    return copy;
}

static enum clopt_status read_file(struct state *state, CXFile file, const char *name,
                                   const char *text, unsigned depth)
{
    text = state->cplusplus ? text : replace_trigraphs(state, text);
    struct reading reading = {file, name, text, text, 1, NULL, 0};
    reading.skipped = state->parse.clang.getSkippedRanges(state->parse.unit, file);
    enum clopt_status status = CLOPT_OK;
    if (times_included(state, file) > 1) {
        struct reading first = reading;
        count_lines(&first, clopt_token_skip_space(text));
        reading.guard = skipped_to(state, &reading, first.line) ? first.line : 0;
        if (!reading.guard)
            status = clopt_fail(state->error, CLOPT_INVALID,
                                "%s: included more than once without a guard; add one", name);
    }
    if (!status)
        status = read_tokens(state, &reading, depth);
    if (reading.skipped)
        state->parse.clang.disposeSourceRangeList(reading.skipped);
    return status;
}

static enum clopt_status define_options(struct state *state,
                                        const struct clopt_build_options *options)
{
    for (size_t i = 0; i < options->count; i++) {
        const char *removed = clopt_option_value(options->words[i], "-U");
        const char *standard = clopt_option_value(options->words[i], "-cl-std=");
        state->cplusplus |= standard && strstr(standard, "++");
        if (removed)
            clopt_macros_undefine(&state->macros, removed, strlen(removed));
        const char *definition = clopt_option_value(options->words[i], "-D");
        if (!definition)
            continue;
        CLOPT_OWNED(clopt_text) text = {0};
        const char *equals = strchr(definition, '=');
        if (equals)
            clopt_text_printf(&text, "%.*s %s", (int)(equals - definition), definition, equals + 1);
        else
            clopt_text_printf(&text, "%s 1", definition);
        CLOPT_TRY(clopt_macros_define(&state->macros, clopt_text_string(&text), state->error));
    }
    return CLOPT_OK;
}

/* Names that -D defines and that remain must not be expanded when the result is compiled. */
static void finish(struct state *state, const struct clopt_build_options *options)
{
    CLOPT_OWNED(clopt_names) names = {0};
    struct clopt_text text = {0};
    size_t more = 0;
    clopt_names_add_text(&names, &state->macros.arena, clopt_text_string(&state->out));
    for (size_t i = 0; i < options->count; i++) {
        const char *name = clopt_option_value(options->words[i], "-D");
        size_t length = name ? strcspn(name, "=(") : 0;
        if (!length || !clopt_names_has(&names, name, length))
            continue;
        clopt_text_printf(&text, "#undef %.*s\n", (int)length, name);
        more++;
    }
    clopt_lines_shift(&state->normal->lines, more);
    clopt_text_append(&text, clopt_text_string(&state->out));
    state->normal->text = clopt_text_take(&text);
}

static void state_fini(struct state *state)
{
    clopt_text_fini(&state->out);
    free(state->inclusions);
    clopt_parse_fini(&state->parse);
    clopt_macros_fini(&state->macros);
}

enum clopt_status clopt_normalise(const char *file, const char *text,
                                  const struct clopt_lines *from,
                                  const struct clopt_build_options *options,
                                  struct clopt_normal *normal, struct clopt_error *error)
{
    *normal = (struct clopt_normal){0};
    CLOPT_OWNED(state) state = {.normal = normal, .from = from, .error = error};
    bool any;
    CLOPT_TRY(clopt_inclusions_add(file, text, options, NULL, NULL, &any, error));
    CLOPT_TRY(clopt_parse_init(&state.parse, file, text, options, true, from, error));
    state.parse.clang.getInclusions(state.parse.unit, note_inclusion, &state);
    normal->shape = clopt_parse_hash(&state.parse);
    CLOPT_TRY(define_options(&state, options));
    state.name = clopt_arena_copy(&normal->lines.names, file, strlen(file));
    CLOPT_TRY(read_file(&state, state.parse.file, state.name, text, 0));
    finish(&state, options);
    if (strcmp(normal->text, text) == 0) {
        normal->parse = state.parse;
        normal->shape = 0;
        state.parse = (struct clopt_parse){0};
    }
    return CLOPT_OK;
}

void clopt_normal_fini(struct clopt_normal *normal)
{
    free(normal->text);
    clopt_lines_fini(&normal->lines);
    clopt_parse_fini(&normal->parse);
    *normal = (struct clopt_normal){0};
}
