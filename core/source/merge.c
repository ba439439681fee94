/* SPDX-License-Identifier: BSD-3-Clause */
/* What merged work-items see as their identity: the NDRange that the initial code was written for.
 */
#include <clopt/rewrite.h>
#include <clopt/source.h>

#include <stdlib.h>
#include <string.h>

#include "source/effect.h"

/* Where something is printed: for one merged work-item by number, or in the copy of a function by
 * the parameter that holds the number. */
struct place {
    const struct clopt_merging *merging;
    unsigned item;
    const char *parameter;        /* NULL: `item` counts */
    struct clopt_variable *given; /* the parameter; NULL: `item` counts */
};

/* ---- identities ---- */

static bool is_named(const struct clopt_node *call, const char *name)
{
    return strcmp(call->name, name) == 0;
}

static bool is_id(const struct clopt_merge *merge, const struct clopt_node *call)
{
    return is_named(call, "get_global_id") ||
           is_named(call, merge->groups ? "get_group_id" : "get_local_id");
}

static bool is_size(const struct clopt_merge *merge, const struct clopt_node *call)
{
    return is_named(call, "get_global_size") ||
           is_named(call, merge->groups ? "get_num_groups" : "get_local_size");
}

static bool in_dimension(const struct clopt_merge *merge, const struct clopt_node *call)
{
    return call->child_count == 1 && call->children[0]->known &&
           call->children[0]->value == merge->dimension;
}

static bool is_comparison(const struct clopt_node *node)
{
    static const char *const operators[] = {"<", "<=", ">", ">=", "==", "!="};
    bool found = false;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        found |= node->kind == CLOPT_NODE_BINARY && strcmp(node->operator, operators[i]) == 0;
    return found;
}

/* Whether an expression may stand there without parentheses. */
static bool stands_free(const struct clopt_node *node)
{
    const struct clopt_node *parent = node->parent;
    if (!parent)
        return false;
    return is_comparison(parent) || parent->kind == CLOPT_NODE_DECLARATOR ||
           parent->kind == CLOPT_NODE_PAREN || parent->kind == CLOPT_NODE_RETURN ||
           parent->kind == CLOPT_NODE_CALL ||
           (parent->kind == CLOPT_NODE_ASSIGN && parent->children[1] == node) ||
           (parent->kind == CLOPT_NODE_SUBSCRIPT && parent->children[1] == node);
}

static void put_id(const struct place *place, struct clopt_output *output, const char *name)
{
    const struct clopt_merge *merge = &place->merging->merge;
    unsigned d = merge->dimension;
    unsigned stride = merge->stride;
    if (merge->whole && strcmp(name, "get_local_id") == 0) {
        if (place->parameter)
            clopt_output_put(output, place->parameter);
        else
            clopt_output_printf(output, "%u", place->item);
        return;
    }
    if (stride == 1)
        clopt_output_printf(output, "%u * %s(%u)", merge->factor, name, d);
    else
        clopt_output_printf(output, "%s(%u) / %u * %u + %s(%u) %% %u", name, d, stride,
                            merge->factor * stride, name, d, stride);
    if (place->parameter && stride == 1)
        clopt_output_printf(output, " + %s", place->parameter);
    else if (place->parameter)
        clopt_output_printf(output, " + %s * %u", place->parameter, stride);
    else if (place->item)
        clopt_output_printf(output, " + %u", place->item * stride);
}

static void put_identity(const struct place *place, struct clopt_output *output,
                         const struct clopt_node *call)
{
    const struct clopt_merge *merge = &place->merging->merge;
    bool free = stands_free(call);
    clopt_output_put(output, free ? "" : "(");
    if (is_id(merge, call))
        put_id(place, output, call->name);
    else
        clopt_output_printf(output, "%u * %s(%u)", merge->factor, call->name, merge->dimension);
    clopt_output_put(output, free ? "" : ")");
}

static void put_copy_call(const struct place *place, const struct clopt_printer *printer,
                          struct clopt_output *output, const struct clopt_node *call)
{
    clopt_output_printf(output, "%s(", place->merging->copies[call->callee->index]);
    for (size_t i = 0; i < call->child_count; i++) {
        clopt_print(printer, output, call->children[i]);
        clopt_output_put(output, ", ");
    }
    if (place->parameter)
        clopt_output_put(output, place->parameter);
    else
        clopt_output_printf(output, "%u", place->item);
    clopt_output_put(output, ")");
}

static bool replace(const struct place *place, const struct clopt_printer *printer,
                    struct clopt_output *output, const struct clopt_node *node)
{
    const struct clopt_merging *merging = place->merging;
    if (node->kind != CLOPT_NODE_CALL)
        return false;
    if (node->callee && merging->copies[node->callee->index])
        put_copy_call(place, printer, output, node);
    else if ((is_id(&merging->merge, node) || is_size(&merging->merge, node)) &&
             in_dimension(&merging->merge, node))
        put_identity(place, output, node);
    else
        return false;
    if (node->stop > node->end)
        clopt_output_put(output, ";"); /* a statement, to which its semicolon belongs */
    return true;
}

bool clopt_merging_replace(const struct clopt_merging *merging, const struct clopt_printer *printer,
                           struct clopt_output *output, const struct clopt_node *node,
                           unsigned item)
{
    return replace(&(struct place){merging, item, NULL, NULL}, printer, output, node);
}

/* ---- nodes ---- */

/* Returns an identity of merged work-item 0 in that of a given number. */
static struct clopt_node *add_item(const struct place *place, struct clopt_node *first,
                                   const struct clopt_node *call, unsigned stride)
{
    struct clopt_source *source = place->merging->source;
    if (place->given && stride > 1)
        return clopt_build(source, call, "$n + $v * $u", first, place->given, stride);
    if (place->given)
        return clopt_build(source, call, "$n + $v", first, place->given);
    return place->item ? clopt_build(source, call, "$n + $u", first, place->item * stride) : first;
}

static struct clopt_node *make_id(const struct place *place, const struct clopt_node *call)
{
    const struct clopt_merge *merge = &place->merging->merge;
    struct clopt_source *source = place->merging->source;
    unsigned d = merge->dimension;
    unsigned stride = merge->stride;
    const char *name = call->name;
    if (merge->whole && is_named(call, "get_local_id"))
        return place->given ? clopt_build(source, call, "$v", place->given)
                            : clopt_build(source, call, "$u", place->item);
    if (stride == 1)
        return add_item(place, clopt_build(source, call, "$u * $s($u)", merge->factor, name, d),
                        call, 1);
    return add_item(place,
                    clopt_build(source, call, "$s($u) / $u * $u + $s($u) % $u", name, d, stride,
                                merge->factor * stride, name, d, stride),
                    call, stride);
}

static struct clopt_node *make_group_identity(const struct place *place,
                                              const struct clopt_node *call)
{
    const struct clopt_merge *merge = &place->merging->merge;
    struct clopt_source *source = place->merging->source;
    unsigned d = merge->dimension;
    if (is_named(call, "get_num_groups"))
        return clopt_build(source, call, "$v", place->merging->count);
    if (is_named(call, "get_global_size"))
        return clopt_build(source, call, "$v * get_local_size($u)", place->merging->count, d);
    struct clopt_node *group = add_item(
        place, clopt_build(source, call, "$u * get_group_id($u)", merge->factor, d), call, 1);
    return is_named(call, "get_group_id")
               ? group
               : clopt_build(source, call, "$n * get_local_size($u) + get_local_id($u)", group, d,
                             d);
}

static struct clopt_node *make_copy_call(const struct place *place,
                                         const struct clopt_cloning *cloning,
                                         const struct clopt_node *call)
{
    const struct clopt_merging *merging = place->merging;
    struct clopt_source *source = merging->source;
    struct clopt_nodes arguments = {0};
    for (size_t i = 0; i < call->child_count; i++)
        clopt_nodes_add(source, &arguments, clopt_clone(cloning, call->children[i]));
    clopt_nodes_add(source, &arguments,
                    place->given ? clopt_build(source, call, "$v", place->given)
                                 : clopt_build(source, call, "$u", place->item));
    if (merging->merge.groups)
        clopt_nodes_add(source, &arguments, clopt_build(source, call, "$v", merging->count));
    return clopt_build(source, call, "$s($N)", merging->copies[call->callee->index], &arguments);
}

static struct clopt_node *make_node(const struct place *place, const struct clopt_cloning *cloning,
                                    const struct clopt_node *node)
{
    const struct clopt_merge *merge = &place->merging->merge;
    if (node->kind != CLOPT_NODE_CALL)
        return NULL;
    if (node->callee)
        return place->merging->copies[node->callee->index] ? make_copy_call(place, cloning, node)
                                                           : NULL;
    if (!in_dimension(merge, node) || (!is_id(merge, node) && !is_size(merge, node)))
        return NULL;
    if (merge->groups)
        return make_group_identity(place, node);
    return is_id(merge, node) ? make_id(place, node)
                              : clopt_build(place->merging->source, node, "$u * $s($u)",
                                            merge->factor, node->name, merge->dimension);
}

struct clopt_node *clopt_merging_node(const struct clopt_merging *merging,
                                      const struct clopt_cloning *cloning,
                                      const struct clopt_node *node, unsigned item)
{
    return make_node(&(struct place){.merging = merging, .item = item}, cloning, node);
}

/* ---- what cannot be merged ---- */

static enum clopt_status check_call(const struct clopt_merging *merging,
                                    const struct clopt_node *call, struct clopt_error *error)
{
    static const char *const unknown[] = {
        "get_global_offset",
        "get_global_linear_id",
        "get_local_linear_id",
        "get_enqueued",
        "sub_group_",
        "get_sub_group",
        "get_max_sub_group",
        "get_num_sub_group",
        "work_group_",
        "get_enqueued_num_sub_",
        "enqueue_",
        "intel_",
    };
    const struct clopt_merge *merge = &merging->merge;
    if ((is_id(merge, call) || is_size(merge, call)) && call->child_count == 1 &&
        !call->children[0]->known)
        return clopt_source_refuse(merging->source, call, error,
                                   "%s of a dimension that is no constant", call->name);
    if (call->callee)
        return CLOPT_OK;
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        if (clopt_name_starts(call->name, unknown[i]) && !is_named(call, "work_group_barrier"))
            return clopt_source_refuse(merging->source, call, error,
                                       "%s, whose result depends on the number of work-items",
                                       call->name);
    return CLOPT_OK;
}

static enum clopt_status check_calls(const struct clopt_merging *merging,
                                     const struct clopt_node *node, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    if (node->kind == CLOPT_NODE_CALL)
        status = check_call(merging, node, error);
    for (size_t i = 0; !status && i < node->child_count; i++)
        status = check_calls(merging, node->children[i], error);
    return status;
}

/* What a part of the program needs is checked before any of it is printed. */
static enum clopt_status check_program(const struct clopt_merging *merging,
                                       struct clopt_error *error)
{
    struct clopt_source *source = merging->source;
    const struct clopt_function *kernel = clopt_source_kernel(source);
    enum clopt_status status = CLOPT_OK;
    if (kernel->effects & CLOPT_EFFECT_GOTO)
        return clopt_source_refuse(source, clopt_node_find_goto(kernel->body), error,
                                   "%s uses goto", kernel->name);
    for (size_t i = 0; !status && i < clopt_source_function_count(source); i++) {
        const struct clopt_function *function = clopt_source_function(source, i);
        status = check_calls(merging, function->body, error);
        for (size_t j = 0; !status && j < function->callee_count; j++) {
            const struct clopt_function *callee = function->callees[j];
            if (callee == kernel)
                status = clopt_source_refuse(source, function->body, error, "%s is called by %s",
                                             kernel->name, function->name);
            else if (merging->copies[callee->index] && callee->begin > function->begin)
                status = clopt_source_refuse(source, function->body, error,
                                             "%s is defined behind %s, which calls it",
                                             callee->name, function->name);
        }
    }
    return status;
}

/* ---- copies of functions ---- */

/* Whether a node asks for an identity or size, itself or through functions that it calls. */
static bool asks(const struct clopt_merging *merging, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_CALL) {
        if ((is_id(&merging->merge, node) || is_size(&merging->merge, node)) &&
            in_dimension(&merging->merge, node))
            return true;
        if (node->callee && merging->copies[node->callee->index])
            return true;
    }
    for (size_t i = 0; i < node->child_count; i++)
        if (asks(merging, node->children[i]))
            return true;
    return false;
}

/* Functions that ask for identities or sizes get a copy, and so do those that call them. */
static bool choose_copies(struct clopt_merging *merging)
{
    struct clopt_source *source = merging->source;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = clopt_source_function_count(source); i-- > 1;) {
            const struct clopt_function *function = clopt_source_function(source, i);
            if (merging->copies[i] || !asks(merging, function->body))
                continue;
            merging->copies[i] = clopt_source_fresh(source, function->name, merging->merge.factor);
            if (!merging->copies[i])
                return false;
            changed = true;
        }
    }
    return true;
}

enum clopt_status clopt_merging_init(struct clopt_merging *merging, struct clopt_source *source,
                                     struct clopt_merge merge, struct clopt_error *error)
{
    static const char *const counts[] = {"groups_0", "groups_1", "groups_2"};
    *merging = (struct clopt_merging){.source = source, .merge = merge};
    if (merge.groups)
        merging->count = clopt_variable_make(source, "ulong", counts[merge.dimension], "");
    merging->copies = calloc(clopt_source_function_count(source), sizeof *merging->copies);
    enum clopt_status status = CLOPT_OK;
    if (!merging->copies || !choose_copies(merging))
        status = clopt_fail_memory(error);
    if (!status)
        status = check_program(merging, error);
    if (status)
        clopt_merging_fini(merging);
    return status;
}

void clopt_merging_fini(struct clopt_merging *merging)
{
    free(merging->copies);
    merging->copies = NULL;
}

struct clone {
    struct place place;
    struct clopt_cloning cloning;
};

static struct clopt_node *make_node_of_copy(void *user, const struct clopt_node *node)
{
    const struct clone *clone = user;
    return make_node(&clone->place, &clone->cloning, node);
}

enum clopt_status clopt_merging_finish(const struct clopt_merging *merging,
                                       struct clopt_error *error)
{
    const struct clopt_merge *merge = &merging->merge;
    struct clopt_source *source = merging->source;
    struct clopt_variable *item = clopt_variable_make(source, "const uint", "item", "");
    struct clone clone = {.place = {.merging = merging, .given = item}};
    clone.cloning = (struct clopt_cloning){
        .source = source, .user = &clone, .node = make_node_of_copy, .plain = true};
    size_t count = clopt_source_function_count(source);
    for (size_t i = 1; i < count; i++) {
        if (!merging->copies[i])
            continue;
        struct clopt_function *copy =
            clopt_function_copy(&clone.cloning, clopt_source_function(source, i));
        copy->name = merging->copies[i];
        clopt_function_add_parameter(source, copy, item);
        if (merge->groups)
            clopt_function_add_parameter(source, copy, merging->count);
    }
    if (merge->groups) {
        clopt_function_add_parameter(source, clopt_source_kernel(source), merging->count);
        return CLOPT_OK;
    }
    return clopt_kernel_divide_size(source, merge->dimension, (size_t)merge->factor * merge->stride,
                                    merge->factor, error);
}

struct copying {
    struct place place;
    struct clopt_printer printer;
};

static bool replace_in_copy(void *user, struct clopt_output *output, const struct clopt_node *node)
{
    const struct copying *copying = user;
    return replace(&copying->place, &copying->printer, output, node);
}

static enum clopt_status put_copy(const struct clopt_merging *merging, struct clopt_output *output,
                                  const struct clopt_function *function, struct clopt_error *error)
{
    const char *item = clopt_source_fresh(merging->source, "item", 0);
    if (!item)
        return clopt_fail_memory(error);
    struct copying copying = {{merging, 0, item, NULL},
                              {merging->source, NULL, NULL, replace_in_copy}};
    copying.printer.user = &copying;
    size_t close = function->parameters_end;
    size_t name_end = function->name_begin + strlen(function->name);
    clopt_output_copy(output, merging->source, function->begin, function->name_begin);
    clopt_output_put(output, merging->copies[function->index]);
    if (function->parameter_count) {
        clopt_output_copy(output, merging->source, name_end, close);
        clopt_output_put(output, ", ");
    } else {
        clopt_output_put(output, "(");
    }
    clopt_output_printf(output, "const uint %s", item);
    clopt_output_copy(output, merging->source, close, function->body->begin);
    clopt_print(&copying.printer, output, function->body);
    return CLOPT_OK;
}

/* ---- the head of the kernel ---- */

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
static enum clopt_status put_head(const struct clopt_merging *merging, struct clopt_output *output,
                                  struct clopt_error *error)
{
    const struct clopt_merge *merge = &merging->merge;
    const struct clopt_function *kernel = clopt_source_kernel(merging->source);
    const char *text = clopt_source_text(merging->source);
    const char *end = text + kernel->body->begin;
    const char *at = text + kernel->begin;
    static const char *const words[] = {"reqd_work_group_size", "work_group_size_hint"};
    for (size_t w = 0; !merge->groups && w < sizeof words / sizeof *words; w++) {
        const char *word = find_word(at, end, words[w]);
        if (!word)
            word = find_word(at, end, w ? "__work_group_size_hint__" : "__reqd_work_group_size__");
        if (!word)
            continue;
        const char *number = word + strcspn(word, "(");
        number += *number == '(';
        for (unsigned d = 0; d < merge->dimension && *number; d++) {
            number += strcspn(number, ",");
            number += *number == ',';
        }
        number += strspn(number, " \t\n");
        char *rest = NULL;
        unsigned long size = strtoul(number, &rest, 0);
        unsigned long merged = (unsigned long)merge->factor * merge->stride;
        if (rest == number || !strchr(" ,)", *rest) || size % merged != 0)
            return clopt_source_refuse(merging->source, kernel->body, error,
                                       "%s is no multiple of %lu in dimension %u", words[w], merged,
                                       merge->dimension);
        clopt_output_copy(output, merging->source, (size_t)(at - text), (size_t)(number - text));
        clopt_output_printf(output, "%lu", size / merge->factor);
        at = rest;
    }
    clopt_output_copy(output, merging->source, (size_t)(at - text), (size_t)(end - text));
    return CLOPT_OK;
}

/* ---- the program ---- */

static int by_begin(const void *a, const void *b)
{
    const struct clopt_function *const *x = a;
    const struct clopt_function *const *y = b;
    return (*x)->begin < (*y)->begin ? -1 : (*x)->begin > (*y)->begin;
}

/* Puts one function, after what stands before it; `at` is how far the text has been put. */
static enum clopt_status put_function(const struct clopt_merging *merging,
                                      struct clopt_output *output,
                                      const struct clopt_function *function, size_t *at,
                                      clopt_put_body put_body, void *user,
                                      struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    bool is_kernel = function == clopt_source_kernel(merging->source);
    clopt_output_copy(output, merging->source, *at, is_kernel ? function->begin : function->end);
    *at = function->end;
    if (!is_kernel)
        clopt_output_put(output, "\n\n");
    size_t from = clopt_output_length(output);
    if (is_kernel) {
        status = put_head(merging, output, error);
        if (!status)
            status = put_body(user, error);
    } else {
        status = put_copy(merging, output, function, error);
    }
    clopt_output_indent(output, from);
    return status;
}

enum clopt_status clopt_merging_put_program(const struct clopt_merging *merging,
                                            struct clopt_output *output, clopt_put_body put_body,
                                            void *user, struct clopt_error *error)
{
    struct clopt_source *source = merging->source;
    size_t count = clopt_source_function_count(source);
    struct clopt_function **functions = calloc(count, sizeof *functions);
    if (!functions)
        return clopt_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        functions[i] = clopt_source_function(source, i);
    qsort(functions, count, sizeof *functions, by_begin);
    enum clopt_status status = CLOPT_OK;
    size_t at = 0;
    for (size_t i = 0; !status && i < count; i++)
        if (merging->copies[functions[i]->index] || functions[i] == clopt_source_kernel(source))
            status = put_function(merging, output, functions[i], &at, put_body, user, error);
    clopt_output_copy(output, source, at, strlen(clopt_source_text(source)));
    free(functions);
    return status;
}
