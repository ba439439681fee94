/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and rewrites a kernel on its way to becoming a variant. */
#include "rewrite/transform.h"

#include <clopt/app.h>

#include "kernel/output.h"
#include "kernel/tree.h"
#include "rewrite/inline.h"
#include "text/token.h"

/* What is wrong with the source is said when a step reads it. */
void clopt_transform_require_size(struct clopt_transform *transform)
{
    CLOPT_HELD(clopt_source) source = NULL;
    struct clopt_error error = {0};
    struct clopt_ndrange *range = &transform->initial;
    if (!transform->source || transform->ndrange ||
        clopt_source_create(transform->file, transform->source, NULL, transform->options,
                            transform->kernel, &source, &error) ||
        !clopt_kernel_required_size(source, range->local))
        return;
    range->dimensions = range->local[2] > 1 ? 3 : range->local[1] > 1 ? 2 : 1;
    transform->current = *range;
    transform->ndrange = &transform->current;
}

enum clopt_status clopt_transform_parse_inlined(const struct clopt_transform *transform,
                                                enum clopt_inlining what,
                                                struct clopt_source **source,
                                                struct clopt_error *error)
{
    CLOPT_FREED char *options = clopt_device_options(transform->options, transform->device);
    return clopt_source_create_inlined(transform->file, transform->source, transform->lines,
                                       options, transform->kernel, what, source, error);
}

/* ---- what is compiled ---- */

/* The definition of a kernel that is not launched. */
struct unlaunched {
    const char *begin;
    const char *end;
    struct clopt_token name;
    bool needed; /* something else names it */
};

struct leaving_out {
    struct clopt_transform *transform;
    const struct clopt_parse *parse;
    struct unlaunched *kernels; /* in the order of the text */
    size_t count;
};

/* Whether another part of a program may need the text of a function for its directives, which are
 * others than #pragma unroll. */
static bool has_directive(const char *at, const char *end)
{
    while (at < end) {
        struct clopt_token token = clopt_token_next(&at);
        if (!token.starts_line || !clopt_token_is(&token, "#"))
            continue;
        struct clopt_token pragma = clopt_token_next(&at), hint = clopt_token_next(&at);
        if (!clopt_token_is(&pragma, "pragma") || !clopt_token_is(&hint, "unroll"))
            return true;
    }
    return false;
}

static enum CXChildVisitResult add_unlaunched(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct leaving_out *leaving = data;
    const struct clopt_parse *parse = leaving->parse;
    const char *text = leaving->transform->source;
    unsigned begin = 0, end = 0;
    (void)parent;
    if (cursor.kind != CXCursor_FunctionDecl || !parse->clang.isCursorDefinition(cursor) ||
        !clopt_parse_extent(parse, cursor, &begin, &end) || !clopt_kernel_begins(text + begin))
        return CXChildVisit_Continue;
    const char *at = text + clopt_parse_offset(parse, cursor);
    struct clopt_token name = clopt_token_next(&at);
    const struct clopt_kernel *kernel = leaving->transform->launched;
    while (kernel->name && !clopt_token_is(&name, kernel->name))
        kernel++;
    if (kernel->name || has_directive(text + begin, text + end))
        return CXChildVisit_Continue;
    struct unlaunched *added = clopt_array_add(&leaving->kernels, &leaving->count, sizeof *added);
    *added = (struct unlaunched){.begin = text + begin, .end = text + end, .name = name};
    return CXChildVisit_Continue;
}

/* Finds which of them are declared apart, or called. */
static void find_needed(struct leaving_out *leaving)
{
    for (const char *at = leaving->transform->source;;) {
        struct clopt_token token = clopt_token_next(&at);
        if (token.kind == CLOPT_TOKEN_END)
            return;
        for (size_t i = 0; i < leaving->count && token.kind == CLOPT_TOKEN_NAME; i++) {
            struct unlaunched *kernel = &leaving->kernels[i];
            kernel->needed |= (token.text < kernel->begin || token.text >= kernel->end) &&
                              token.length == kernel->name.length &&
                              memcmp(token.text, kernel->name.text, token.length) == 0;
        }
    }
}

/* Writes the program with empty lines in place of kernels that are not launched, so that all others
 * keep their numbers in what compilers say. */
static void write_compiled(const struct leaving_out *leaving)
{
    CLOPT_OWNED(clopt_text) text = {0};
    const char *at = leaving->transform->source;
    for (size_t i = 0; i < leaving->count; i++) {
        const struct unlaunched *kernel = &leaving->kernels[i];
        if (kernel->needed)
            continue;
        clopt_text_printf(&text, "%.*s", (int)(kernel->begin - at), at);
        for (at = kernel->begin; at < kernel->end; at++)
            clopt_text_append(&text, *at == '\n' ? "\n" : "");
    }
    if (at == leaving->transform->source)
        return;
    clopt_text_append(&text, at);
    leaving->transform->compiled = clopt_text_take(&text);
}

static enum clopt_status prove(struct clopt_transform *transform, struct clopt_error *error)
{
    CLOPT_FREED char *options = clopt_device_options(transform->options, transform->device);
    CLOPT_OWNED(clopt_build_options) words = {0};
    CLOPT_OWNED(clopt_parse) parse = {0};
    struct leaving_out leaving = {.transform = transform, .parse = &parse};
    clopt_build_options_split(options, &words);
    enum clopt_status status = clopt_parse_init(&parse, transform->file, transform->source, &words,
                                                true, transform->lines, error);
    if (status)
        return status == CLOPT_INVALID ? clopt_parse_blame(transform->file, error) : status;
    if (!transform->launched)
        return CLOPT_OK;
    parse.clang.visitChildren(parse.clang.getTranslationUnitCursor(parse.unit), add_unlaunched,
                              &leaving);
    find_needed(&leaving);
    write_compiled(&leaving);
    free(leaving.kernels);
    return CLOPT_OK;
}

static void end(struct clopt_transform *transform)
{
    clopt_lines_destroy(transform->lines);
}

static const struct clopt_rewriter rewriter = {.prove = prove, .end = end};

/* What is too long is kept from compilers, which need minutes for it. */
enum clopt_status clopt_transform_set_tree(struct clopt_transform *transform,
                                           struct clopt_source *source, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_output) output = {0};
    CLOPT_TRY(clopt_source_print(source, &output, error));
    if (!transform->lines)
        transform->expanded_bytes = source->inner->expanded_bytes;
    size_t own = output.text.length < transform->expanded_bytes
                     ? 0
                     : output.text.length - transform->expanded_bytes;
    if (own > transform->most_bytes)
        return clopt_fail(error, CLOPT_INFEASIBLE,
                          "the source would grow from %zu to %zu bytes; the limit is %zu ([limits] "
                          "source of a study, --source-limit of clopt transform)",
                          transform->source_bytes, own, transform->most_bytes);
    free(transform->source);
    transform->source = clopt_text_take(&output.text);
    clopt_lines_destroy(transform->lines);
    transform->lines = clopt_lines_copy(&output.lines);
    transform->rewriter = &rewriter;
    return CLOPT_OK;
}

enum clopt_status clopt_transform_edit(struct clopt_transform *transform, enum clopt_inlining what,
                                       clopt_edit edit, void *user, struct clopt_error *error)
{
    CLOPT_HELD(clopt_source) source = NULL;
    CLOPT_TRY(clopt_transform_parse_inlined(transform, what, &source, error));
    CLOPT_TRY(edit(user, source, error));
    return clopt_transform_set_tree(transform, source, error);
}
