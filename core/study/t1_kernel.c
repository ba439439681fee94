/* SPDX-License-Identifier: BSD-3-Clause */
/* Translates KernelSpecification of T1 files: the kernel, its sizes and what they depend on. */
#include <ctype.h>
#include <string.h>

#include "study/t1_parts.h"

static const char app[] = "app kernel";

/* ---- expressions ---- */

/* Finds what ProblemSize[i] means; NULL where it is nothing. */
static const json_t *find_problem_size(const struct clopt_t1_node *spec, const char *text,
                                       const char **rest)
{
    static const char name[] = "ProblemSize[";
    const size_t length = sizeof name - 1;
    if (strncmp(text, name, length) != 0 || !isdigit((unsigned char)text[length]) ||
        text[length + 1] != ']')
        return NULL;
    *rest = text + length + 2;
    return json_array_get(json_object_get(spec->json, "ProblemSize"), (size_t)(text[length] - '0'));
}

enum clopt_status clopt_t1_append_expression(const struct clopt_t1 *t1,
                                             const struct clopt_t1_node *spec,
                                             const struct clopt_t1_node *node,
                                             struct clopt_text *text)
{
    if (json_is_number(node->json)) {
        clopt_t1_append_number(text, node->json);
        return CLOPT_OK;
    }
    const char *expression;
    enum clopt_status status = clopt_t1_text(t1, node, &expression);
    while (status == CLOPT_OK && *expression) {
        const char *rest;
        const json_t *number = find_problem_size(spec, expression, &rest);
        if (json_is_number(number)) {
            clopt_t1_append_number(text, number);
            expression = rest;
        } else {
            clopt_text_append_char(text, *expression++);
        }
    }
    return status;
}

/* ---- sizes ---- */

#define DIMENSIONS 3

static const char *const axes[] = {"X", "Y", "Z", NULL};

/* Reads LocalSize or GlobalSize; what is not there is 1. */
static enum clopt_status read_sizes(const struct clopt_t1 *t1, const struct clopt_t1_node *spec,
                                    const struct clopt_t1_node *node,
                                    struct clopt_text sizes[DIMENSIONS])
{
    enum clopt_status status = clopt_t1_check_object(t1, node, axes);
    for (size_t d = 0; d < DIMENSIONS && status == CLOPT_OK; d++) {
        struct clopt_t1_node size = clopt_t1_member(node, axes[d]);
        if (size.json)
            status = clopt_t1_append_expression(t1, spec, &size, &sizes[d]);
        else
            clopt_text_append(&sizes[d], "1");
    }
    return status;
}

/* Appends the product of a GridDiv list. */
static enum clopt_status append_divisor(const struct clopt_t1 *t1, const struct clopt_t1_node *spec,
                                        const struct clopt_t1_node *node, struct clopt_text *text)
{
    enum clopt_status status = CLOPT_OK;
    if (node->json && !json_is_array(node->json))
        return clopt_t1_fail(t1, node, "this must be an array");
    clopt_text_append(text, "1");
    for (size_t i = 0; i < json_array_size(node->json) && status == CLOPT_OK; i++) {
        struct clopt_t1_node item = clopt_t1_item(node, i);
        clopt_text_append(text, " * (");
        status = clopt_t1_append_expression(t1, spec, &item, text);
        clopt_text_append(text, ")");
    }
    return status;
}

/* Computes groups as Kernel Tuner does, from ProblemSize and divisors of the grid. */
static enum clopt_status divide_grid(const struct clopt_t1 *t1, const struct clopt_t1_node *spec,
                                     struct clopt_text sizes[DIMENSIONS])
{
    static const char *const names[] = {"GridDivX", "GridDivY", "GridDivZ"};
    struct clopt_t1_node problem = clopt_t1_member(spec, "ProblemSize");
    enum clopt_status status = CLOPT_OK;
    if (!json_is_array(problem.json))
        return clopt_t1_fail(t1, spec, "GlobalSize is missing, and so is an array ProblemSize");
    for (size_t d = 0; d < DIMENSIONS && status == CLOPT_OK; d++) {
        struct clopt_t1_node size = clopt_t1_item(&problem, d);
        struct clopt_t1_node divisor = clopt_t1_member(spec, names[d]);
        if (!size.json) {
            clopt_text_append(&sizes[d], "1");
            continue;
        }
        clopt_text_append(&sizes[d], "ceildiv(");
        status = clopt_t1_append_expression(t1, spec, &size, &sizes[d]);
        clopt_text_append(&sizes[d], ", ");
        if (status == CLOPT_OK)
            status = append_divisor(t1, spec, &divisor, &sizes[d]);
        clopt_text_append(&sizes[d], ")");
    }
    return status;
}

static bool is_one(const struct clopt_text *text)
{
    return strcmp(clopt_text_string(text), "1") == 0;
}

/* Puts global and local size, in as many dimensions as have any. */
static enum clopt_status put_sizes(const struct clopt_t1 *t1, const struct clopt_t1_node *global,
                                   const struct clopt_t1_node *local, bool in_groups,
                                   const struct clopt_text *sizes, const struct clopt_text *locals)
{
    struct clopt_text global_text = {0};
    struct clopt_text local_text = {0};
    size_t dimensions = DIMENSIONS;
    while (dimensions > 1 && is_one(&sizes[dimensions - 1]) && is_one(&locals[dimensions - 1]))
        dimensions--;
    for (size_t d = 0; d < dimensions; d++) {
        const char *size = clopt_text_string(&sizes[d]);
        const char *own = clopt_text_string(&locals[d]);
        const char *comma = d ? ", " : "";
        if (in_groups && !is_one(&locals[d]))
            clopt_text_printf(&global_text, "%s(%s) * (%s)", comma, size, own);
        else
            clopt_text_printf(&global_text, "%s%s", comma, size);
        clopt_text_printf(&local_text, "%s%s", comma, own);
    }
    enum clopt_status status = clopt_t1_put_text(t1, global, app, "global", &global_text);
    if (status == CLOPT_OK)
        return clopt_t1_put_text(t1, local, app, "local", &local_text);
    clopt_text_fini(&local_text);
    return status;
}

static enum clopt_status read_ndrange(const struct clopt_t1 *t1, const struct clopt_t1_node *spec)
{
    static const char *const types[] = {"OpenCL", "CUDA", "Vulkan", NULL};
    struct clopt_t1_node global = clopt_t1_member(spec, "GlobalSize");
    struct clopt_t1_node local = clopt_t1_member(spec, "LocalSize");
    struct clopt_t1_node type = clopt_t1_member(spec, "GlobalSizeType");
    struct clopt_text sizes[DIMENSIONS] = {{0}};
    struct clopt_text locals[DIMENSIONS] = {{0}};
    size_t kind;
    enum clopt_status status = clopt_t1_word(t1, &type, types, 0, &kind);
    if (status == CLOPT_OK)
        status = read_sizes(t1, spec, &local, locals);
    if (status == CLOPT_OK)
        status = global.json ? read_sizes(t1, spec, &global, sizes) : divide_grid(t1, spec, sizes);
    if (status == CLOPT_OK)
        status = put_sizes(t1, &global, &local, !global.json || kind != 0, sizes, locals);
    for (size_t d = 0; d < DIMENSIONS; d++) {
        clopt_text_fini(&sizes[d]);
        clopt_text_fini(&locals[d]);
    }
    return status;
}

/* ---- the kernel ---- */

static enum clopt_status read_options(const struct clopt_t1 *t1, const struct clopt_t1_node *node)
{
    struct clopt_text text = {0};
    enum clopt_status status = CLOPT_OK;
    if (node->json && !json_is_array(node->json))
        return clopt_t1_fail(t1, node, "this must be an array");
    for (size_t i = 0; i < json_array_size(node->json) && status == CLOPT_OK; i++) {
        struct clopt_t1_node item = clopt_t1_item(node, i);
        const char *option;
        status = clopt_t1_text(t1, &item, &option);
        if (status == CLOPT_OK)
            clopt_text_printf(&text, "%s%s", text.length ? " " : "", option);
    }
    if (status == CLOPT_OK && text.length)
        return clopt_t1_put_text(t1, node, app, "options", &text);
    clopt_text_fini(&text);
    return status;
}

static enum clopt_status read_source(const struct clopt_t1 *t1, const struct clopt_t1_node *node)
{
    struct clopt_text text = {0};
    enum clopt_status status = clopt_t1_append_file(t1, node, &text);
    if (status == CLOPT_OK)
        return clopt_t1_put_text(t1, node, app, "source", &text);
    clopt_text_fini(&text);
    return status;
}

/* A device is chosen by its name; numbers of platforms mean something on one machine only. */
static enum clopt_status read_device(const struct clopt_t1 *t1, const struct clopt_t1_node *node)
{
    static const char *const known[] = {"Name", NULL};
    struct clopt_t1_node name = clopt_t1_member(node, "Name");
    if (!node->json)
        return CLOPT_OK;
    enum clopt_status status = clopt_t1_check_object(t1, node, known);
    return status ? status : clopt_t1_copy_text(t1, &name, "device T1", "name");
}

/* Refuses what only makes sense for CUDA, unless it says nothing. */
static enum clopt_status check_foreign(const struct clopt_t1 *t1, const struct clopt_t1_node *spec)
{
    static const char *const names[] = {"SharedMemory", "Stream"};
    for (size_t i = 0; i < 2; i++) {
        struct clopt_t1_node node = clopt_t1_member(spec, names[i]);
        if (node.json && !json_is_null(node.json) &&
            !(json_is_integer(node.json) && json_integer_value(node.json) == 0))
            return clopt_t1_fail(t1, &node,
                                 "not supported; local memory is an argument of MemoryType Local");
    }
    return CLOPT_OK;
}

/* Reads the members of an array, one by one. */
static enum clopt_status read_arrays(const struct clopt_t1 *t1, const struct clopt_t1_node *spec)
{
    struct clopt_t1_node list = clopt_t1_member(spec, "Arguments");
    struct clopt_t1_node references = clopt_t1_member(spec, "ReferenceArguments");
    enum clopt_status status = CLOPT_OK;
    if (list.json && !json_is_array(list.json))
        return clopt_t1_fail(t1, &list, "this must be an array");
    if (references.json && !json_is_array(references.json))
        return clopt_t1_fail(t1, &references, "this must be an array");
    for (size_t i = 0; i < json_array_size(list.json) && status == CLOPT_OK; i++) {
        struct clopt_t1_node item = clopt_t1_item(&list, i);
        status = clopt_t1_argument(t1, spec, &item, i + 1);
    }
    for (size_t i = 0; i < json_array_size(references.json) && status == CLOPT_OK; i++) {
        struct clopt_t1_node item = clopt_t1_item(&references, i);
        status = clopt_t1_reference(t1, &item);
    }
    return status;
}

enum clopt_status clopt_t1_kernel(const struct clopt_t1 *t1, const struct clopt_t1_node *node)
{
    static const char *const known[] = {"Language",
                                        "KernelName",
                                        "KernelFile",
                                        "CompilerOptions",
                                        "GlobalSizeType",
                                        "GlobalSize",
                                        "LocalSize",
                                        "GridDivX",
                                        "GridDivY",
                                        "GridDivZ",
                                        "Arguments",
                                        "ProblemSize",
                                        "Profiling",
                                        "BenchmarkName",
                                        "ReferenceArguments",
                                        "Device",
                                        "SharedMemory",
                                        "Stream",
                                        NULL};
    static const char *const languages[] = {"OpenCL", NULL};
    struct clopt_t1_node language_node = clopt_t1_member(node, "Language");
    struct clopt_t1_node file_node = clopt_t1_member(node, "KernelFile");
    struct clopt_t1_node name_node = clopt_t1_member(node, "KernelName");
    struct clopt_t1_node options = clopt_t1_member(node, "CompilerOptions");
    struct clopt_t1_node device = clopt_t1_member(node, "Device");
    const char *name;
    size_t language;
    enum clopt_status status = clopt_t1_check_object(t1, node, known);
    if (status == CLOPT_OK)
        status = clopt_t1_word(t1, &language_node, languages, 0, &language);
    if (status == CLOPT_OK)
        status = check_foreign(t1, node);
    if (status == CLOPT_OK)
        status = clopt_t1_text(t1, &name_node, &name);
    if (status == CLOPT_OK)
        status = read_source(t1, &file_node);
    if (status == CLOPT_OK)
        status = clopt_t1_put(t1, &name_node, app, "kernel", name);
    if (status == CLOPT_OK)
        status = read_options(t1, &options);
    if (status == CLOPT_OK)
        status = read_ndrange(t1, node);
    if (status == CLOPT_OK)
        status = read_device(t1, &device);
    return status ? status : read_arrays(t1, node);
}
