/* SPDX-License-Identifier: BSD-3-Clause */
/* Thread coarsening: one work-item does the work of several. */
#include "coarsen.h"

#include <stdlib.h>
#include <string.h>

#include "identity.h"
#include "inline.h"
#include "replicate.h"

enum clopt_status coarsen_check(const struct clopt_transform *transform,
                                const struct coarsening_request *request, struct clopt_error *error)
{
    const struct clopt_ndrange *ndrange = clopt_transform_ndrange(transform);
    if (!ndrange)
        return CLOPT_OK;
    unsigned d = request->dimension;
    if (d >= ndrange->dimensions)
        return clopt_fail(error, CLOPT_INFEASIBLE,
                          "dimension = %u: the NDRange of %s has %u dimension%s", d,
                          clopt_transform_kernel(transform), ndrange->dimensions,
                          ndrange->dimensions == 1 ? "" : "s");
    size_t local = ndrange->local[d] ? ndrange->local[d] : 1;
    size_t merged = (size_t)request->factor * request->stride;
    if (local % merged != 0)
        return clopt_fail(error, CLOPT_INFEASIBLE,
                          "granularity = %u: the local size %zu in dimension %u is no multiple of "
                          "%zu (granularity times stride)",
                          request->factor, local, d, merged);
    return CLOPT_OK;
}

/* ---- reqd_work_group_size ---- */

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Finds a word in a part of the text; NULL if it is not there. */
static const char *find_word(const char *begin, const char *end, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = begin; at + length <= end; at++)
        if (strncmp(at, word, length) == 0 && !is_name_char(at[length]))
            return at;
    return NULL;
}

/* Puts the head of the kernel, with the number of an attribute divided. */
static enum clopt_status put_head(const struct replication *replication, struct clopt_error *error)
{
    const struct clopt_function *kernel = clopt_source_kernel(replication->source);
    const char *text = clopt_source_text(replication->source);
    const char *end = text + kernel->body->begin;
    const char *at = text + kernel->begin;
    static const char *const words[] = {"reqd_work_group_size", "work_group_size_hint"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        const char *word = find_word(at, end, words[w]);
        if (!word)
            word = find_word(at, end, w ? "__work_group_size_hint__" : "__reqd_work_group_size__");
        if (!word)
            continue;
        const char *number = word + strcspn(word, "(");
        number += *number == '(';
        for (unsigned d = 0; d < replication->request.dimension && *number; d++) {
            number += strcspn(number, ",");
            number += *number == ',';
        }
        number += strspn(number, " \t\n");
        char *rest = NULL;
        unsigned long size = strtoul(number, &rest, 0);
        unsigned long merged =
            (unsigned long)replication->request.factor * replication->request.stride;
        if (rest == number || !strchr(" ,)", *rest) || size % merged != 0)
            return clopt_source_refuse(replication->source, kernel->body, error,
                                       "%s is no multiple of %lu in dimension %u", words[w], merged,
                                       replication->request.dimension);
        clopt_output_copy(replication->output, replication->source, (size_t)(at - text),
                          (size_t)(number - text));
        clopt_output_printf(replication->output, "%lu", size / replication->request.factor);
        at = rest;
    }
    clopt_output_copy(replication->output, replication->source, (size_t)(at - text),
                      (size_t)(end - text));
    return CLOPT_OK;
}

/* ---- the program ---- */

static int by_begin(const void *a, const void *b)
{
    const struct clopt_function *const *x = a;
    const struct clopt_function *const *y = b;
    return (*x)->begin < (*y)->begin ? -1 : (*x)->begin > (*y)->begin;
}

/* What a part of the program needs is checked before any of it is printed. */
static enum clopt_status check_program(const struct replication *replication,
                                       struct clopt_error *error)
{
    struct clopt_source *source = replication->source;
    const struct clopt_function *kernel = clopt_source_kernel(source);
    enum clopt_status status = CLOPT_OK;
    if (kernel->effects & CLOPT_EFFECT_GOTO)
        return clopt_source_refuse(source, kernel->body, error, "%s uses goto", kernel->name);
    for (size_t i = 0; !status && i < clopt_source_function_count(source); i++) {
        const struct clopt_function *function = clopt_source_function(source, i);
        status = identity_check(replication, function->body, error);
        for (size_t j = 0; !status && j < function->callee_count; j++) {
            const struct clopt_function *callee = function->callees[j];
            if (callee == kernel)
                status = clopt_source_refuse(source, function->body, error, "%s is called by %s",
                                             kernel->name, function->name);
            else if (replication->clones[callee->index] && callee->begin > function->begin)
                status = clopt_source_refuse(source, function->body, error,
                                             "%s is defined behind %s, which calls it",
                                             callee->name, function->name);
        }
    }
    return status;
}

static enum clopt_status put_program(struct replication *replication, struct clopt_error *error)
{
    struct clopt_source *source = replication->source;
    const struct clopt_function *kernel = clopt_source_kernel(source);
    size_t count = clopt_source_function_count(source);
    struct clopt_function **functions = calloc(count, sizeof *functions);
    if (!functions)
        return clopt_fail(error, CLOPT_FAILED, "out of memory");
    for (size_t i = 0; i < count; i++)
        functions[i] = clopt_source_function(source, i);
    qsort(functions, count, sizeof *functions, by_begin);
    enum clopt_status status = CLOPT_OK;
    size_t at = 0;
    for (size_t i = 0; !status && i < count; i++) {
        const struct clopt_function *function = functions[i];
        size_t from = clopt_output_length(replication->output);
        if (function == kernel) {
            clopt_output_copy(replication->output, source, at, function->begin);
            from = clopt_output_length(replication->output);
            status = put_head(replication, error);
            if (!status)
                status = replicate_kernel(replication, error);
        } else if (replication->clones[function->index]) {
            clopt_output_copy(replication->output, source, at, function->end);
            clopt_output_put(replication->output, "\n\n");
            from = clopt_output_length(replication->output);
            status = replicate_function(replication, function, error);
        } else {
            continue;
        }
        at = function->end;
        clopt_output_indent(replication->output, from);
    }
    clopt_output_copy(replication->output, source, at, strlen(clopt_source_text(source)));
    free(functions);
    return status;
}

static enum clopt_status rewrite(struct clopt_transform *transform,
                                 const struct coarsening_request *request,
                                 struct clopt_source *source,
                                 const struct clopt_divergence *divergence,
                                 struct clopt_error *error)
{
    struct replication replication = {.request = *request,
                                      .source = source,
                                      .divergence = divergence,
                                      .output = clopt_output_create()};
    if (!replication.output)
        return clopt_fail(error, CLOPT_FAILED, "out of memory");
    enum clopt_status status = replicate_init(&replication, error);
    if (!status)
        status = check_program(&replication, error);
    if (!status)
        status = put_program(&replication, error);
    const char *text = clopt_output_text(replication.output);
    if (!status && !text)
        status = clopt_fail(error, CLOPT_FAILED, "out of memory");
    if (!status)
        status = clopt_transform_set_source(transform, text, error);
    replicate_fini(&replication);
    clopt_output_destroy(replication.output);
    return status;
}

enum clopt_status coarsen_apply(struct clopt_transform *transform,
                                const struct coarsening_request *request, struct clopt_error *error)
{
    enum clopt_status status = coarsen_check(transform, request, error);
    if (status)
        return status;
    struct clopt_source *source = NULL;
    struct clopt_divergence *divergence = NULL;
    status = inline_collectives(transform, &source, error);
    struct clopt_identity identity = {.dimension = request->dimension, .local_id = true};
    if (!status)
        status = clopt_divergence_create(source, identity, &divergence, error);
    if (!status)
        status = rewrite(transform, request, source, divergence, error);
    if (!status) {
        clopt_transform_require_multiple(transform, request->dimension,
                                         (size_t)request->factor * request->stride);
        clopt_transform_merge_items(transform, request->dimension, request->factor);
    }
    clopt_divergence_destroy(divergence);
    clopt_source_destroy(source);
    return status;
}
