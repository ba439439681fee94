/* SPDX-License-Identifier: BSD-3-Clause */
/* Translates KernelSpecification of T1 files: the kernel, its sizes, arguments and references. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/t1_parts.h"

static const char app[] = "app kernel";
static const char arguments[] = "arguments";
static const char results[] = "results";

/* ---- expressions ---- */

/* Finds what ProblemSize[i] stands for; NULL where it is nothing. */
static const json_t *find_problem_size(const struct clopt_t1_node *spec, const char *text,
                                       const char **behind)
{
    static const char name[] = "ProblemSize[";
    const size_t length = sizeof name - 1;
    if (strncmp(text, name, length) != 0 || !isdigit((unsigned char)text[length]) ||
        text[length + 1] != ']')
        return NULL;
    *behind = text + length + 2;
    return json_array_get(json_object_get(spec->json, "ProblemSize"), (size_t)(text[length] - '0'));
}

/* Appends a number or an expression, in which ProblemSize[0] stands for a number. */
static enum clopt_status append_expression(const struct clopt_t1 *t1,
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
        const char *behind;
        const json_t *number = find_problem_size(spec, expression, &behind);
        if (json_is_number(number)) {
            clopt_t1_append_number(text, number);
            expression = behind;
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
            status = append_expression(t1, spec, &size, &sizes[d]);
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
        status = append_expression(t1, spec, &item, text);
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
        status = append_expression(t1, spec, &size, &sizes[d]);
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

/* ---- arguments ---- */

/* One argument, taken apart. */
struct argument {
    struct clopt_t1_node node;
    struct clopt_t1_node type;
    struct clopt_t1_node value; /* FillValue */
    const char *name;
    char type_name[32]; /* as a study writes it */
    bool is_real;
};

/* Names of types in T1 and in OpenCL C; those of real numbers come last. */
static const struct {
    const char *t1;
    const char *own;
} types[] = {
    {"bool", "uchar"},      {"int8", "char"},       {"uint8", "uchar"},
    {"int16", "short"},     {"uint16", "ushort"},   {"int32", "int"},
    {"uint32", "uint"},     {"int64", "long"},      {"uint64", "ulong"},
    {"half", "half"},       {"half2", "half2"},     {"half4", "half4"},
    {"half8", "half8"},     {"half16", "half16"},   {"float", "float"},
    {"float2", "float2"},   {"float4", "float4"},   {"float8", "float8"},
    {"float16", "float16"}, {"double", "double"},   {"double2", "double2"},
    {"double4", "double4"}, {"double8", "double8"}, {"double16", "double16"},
};

#define FIRST_REAL 9

static enum clopt_status read_type(const struct clopt_t1 *t1, struct argument *argument)
{
    const char *name;
    enum clopt_status status = clopt_t1_text(t1, &argument->type, &name);
    if (status)
        return status;
    if (strcmp(name, "custom") == 0) {
        struct clopt_t1_node size = clopt_t1_member(&argument->node, "TypeSize");
        if (json_integer_value(size.json) < 1)
            return clopt_t1_fail(t1, &size, "a custom type needs its size in bytes");
        snprintf(argument->type_name, sizeof argument->type_name, "struct(%lld)",
                 (long long)json_integer_value(size.json));
        return CLOPT_OK;
    }
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(name, types[i].t1) == 0) {
            snprintf(argument->type_name, sizeof argument->type_name, "%s", types[i].own);
            argument->is_real = i >= FIRST_REAL;
            return CLOPT_OK;
        }
    return clopt_t1_fail(t1, &argument->type, "%s is not supported", name);
}

/* Appends FillValue, or what holds without it. */
static enum clopt_status append_value(const struct clopt_t1 *t1, const struct argument *argument,
                                      const char *usual, struct clopt_text *text)
{
    const json_t *value = argument->value.json;
    double number = json_number_value(value);
    if (value && !json_is_number(value))
        return clopt_t1_fail(t1, &argument->value, "this must be a number");
    if (!value && !usual)
        return clopt_t1_fail(t1, &argument->value, "missing");
    if (value && !argument->is_real && floor(number) != number)
        return clopt_t1_fail(t1, &argument->value, "this must be an integer");
    if (!value)
        clopt_text_append(text, usual);
    else if (json_is_integer(value) || argument->is_real)
        clopt_t1_append_number(text, value);
    else
        clopt_text_printf(text, "%.0f", number);
    return CLOPT_OK;
}

static enum clopt_status append_file(const struct clopt_t1 *t1, const struct clopt_t1_node *node,
                                     struct clopt_text *text)
{
    struct clopt_t1_node source = clopt_t1_member(node, "DataSource");
    clopt_text_append(text, " file(");
    enum clopt_status status = clopt_t1_append_file(t1, &source, text);
    clopt_text_append(text, ")");
    return status;
}

enum fill { FILL_CONSTANT, FILL_RANDOM, FILL_FILE };

static const char *const fills[] = {"Constant", "Random", "BinaryRaw", NULL};

/* Appends what a buffer holds. */
static enum clopt_status append_content(const struct clopt_t1 *t1, const struct argument *argument,
                                        struct clopt_text *text)
{
    struct clopt_t1_node fill_node = clopt_t1_member(&argument->node, "FillType");
    enum clopt_status status;
    size_t fill;
    status = clopt_t1_word(t1, &fill_node, fills, FILL_CONSTANT, &fill);
    if (status || fill == FILL_FILE)
        return status ? status : append_file(t1, &argument->node, text);
    if (fill == FILL_CONSTANT)
        clopt_text_append(text, " constant(");
    else
        clopt_text_append(text, argument->is_real ? " uniform(0, " : " integers(0, ");
    status = append_value(t1, argument, fill == FILL_CONSTANT ? "0" : "1", text);
    clopt_text_append(text, ")");
    return status;
}

enum memory { MEMORY_SCALAR, MEMORY_VECTOR, MEMORY_LOCAL };

/* Appends the type with the number of elements: float[1024]. */
static enum clopt_status append_array(const struct clopt_t1 *t1, const struct clopt_t1_node *spec,
                                      const struct argument *argument, struct clopt_text *text)
{
    struct clopt_t1_node size = clopt_t1_member(&argument->node, "Size");
    clopt_text_printf(text, "%s[", argument->type_name);
    enum clopt_status status = append_expression(t1, spec, &size, text);
    clopt_text_append(text, "]");
    return status;
}

static enum clopt_status append_buffer(const struct clopt_t1 *t1, const struct clopt_t1_node *spec,
                                       const struct argument *argument, struct clopt_text *text)
{
    static const char *const accesses[] = {"ReadOnly", "WriteOnly", "ReadWrite", NULL};
    static const char *const uses[] = {"input ", "output ", "inout "};
    struct clopt_t1_node access_node = clopt_t1_member(&argument->node, "AccessType");
    size_t access;
    enum clopt_status status = clopt_t1_word(t1, &access_node, accesses, 2, &access);
    if (status)
        return status;
    clopt_text_append(text, uses[access]);
    status = append_array(t1, spec, argument, text);
    return status || access == 1 ? status : append_content(t1, argument, text);
}

static enum clopt_status append_argument(const struct clopt_t1 *t1,
                                         const struct clopt_t1_node *spec,
                                         const struct argument *argument, struct clopt_text *text)
{
    static const char *const memories[] = {"Scalar", "Vector", "Local", NULL};
    static const char *const constant[] = {"Constant", NULL};
    struct clopt_t1_node memory_node = clopt_t1_member(&argument->node, "MemoryType");
    struct clopt_t1_node fill_node = clopt_t1_member(&argument->node, "FillType");
    size_t memory;
    size_t fill;
    enum clopt_status status = memory_node.json
                                   ? clopt_t1_word(t1, &memory_node, memories, 0, &memory)
                                   : clopt_t1_fail(t1, &memory_node, "missing");
    if (status || memory == MEMORY_VECTOR)
        return status ? status : append_buffer(t1, spec, argument, text);
    if (memory == MEMORY_LOCAL) {
        clopt_text_append(text, "local ");
        return append_array(t1, spec, argument, text);
    }
    status = clopt_t1_word(t1, &fill_node, constant, 0, &fill);
    clopt_text_printf(text, "%s ", argument->type_name);
    return status ? status : append_value(t1, argument, NULL, text);
}

static enum clopt_status read_argument(const struct clopt_t1 *t1, const struct clopt_t1_node *spec,
                                       const struct clopt_t1_node *node, size_t number)
{
    static const char *const known[] = {"Name",       "Type",     "MemoryType", "AccessType",
                                        "Size",       "TypeSize", "FillType",   "FillValue",
                                        "DataSource", "MemType",  "Output",     NULL};
    static const char *const spaces[] = {"Global", "Constant", NULL};
    struct argument argument = {.node = *node,
                                .type = clopt_t1_member(node, "Type"),
                                .value = clopt_t1_member(node, "FillValue")};
    struct clopt_t1_node name = clopt_t1_member(node, "Name");
    struct clopt_t1_node space = clopt_t1_member(node, "MemType");
    char usual[32];
    size_t word;
    snprintf(usual, sizeof usual, "argument_%zu", number);
    argument.name = usual;
    enum clopt_status status = clopt_t1_check_object(t1, node, known);
    if (status == CLOPT_OK && name.json)
        status = clopt_t1_text(t1, &name, &argument.name);
    if (status == CLOPT_OK)
        status = clopt_t1_word(t1, &space, spaces, 0, &word);
    if (status == CLOPT_OK)
        status = read_type(t1, &argument);
    if (status)
        return status;
    if (clopt_ini_setting(clopt_ini_section(t1->ini, arguments), argument.name))
        return clopt_t1_fail(t1, &name, "there is another argument %s", argument.name);
    struct clopt_text text = {0};
    status = append_argument(t1, spec, &argument, &text);
    if (status == CLOPT_OK)
        return clopt_t1_put_text(t1, node, arguments, argument.name, &text);
    clopt_text_fini(&text);
    return status;
}

/* ---- references ---- */

static enum clopt_status read_reference(const struct clopt_t1 *t1, const struct clopt_t1_node *node)
{
    static const char *const known[] = {"Name",       "TargetName",       "FillType",
                                        "DataSource", "ValidationMethod", "ValidationThreshold",
                                        NULL};
    static const char *const files[] = {"BinaryRaw", NULL};
    static const char *const methods[] = {"SideBySideComparison", "SideBySideRelativeComparison",
                                          NULL};
    struct clopt_t1_node target_node = clopt_t1_member(node, "TargetName");
    struct clopt_t1_node fill_node = clopt_t1_member(node, "FillType");
    struct clopt_t1_node method_node = clopt_t1_member(node, "ValidationMethod");
    struct clopt_t1_node threshold = clopt_t1_member(node, "ValidationThreshold");
    const char *target;
    size_t word;
    size_t method;
    enum clopt_status status = clopt_t1_check_object(t1, node, known);
    if (status == CLOPT_OK)
        status = clopt_t1_text(t1, &target_node, &target);
    if (status == CLOPT_OK)
        status = clopt_t1_word(t1, &fill_node, files, 0, &word);
    if (status == CLOPT_OK)
        status = clopt_t1_word(t1, &method_node, methods, 0, &method);
    if (status == CLOPT_OK && !json_is_number(threshold.json))
        status =
            clopt_t1_fail(t1, &threshold, threshold.json ? "this must be a number" : "missing");
    if (status)
        return status;
    struct clopt_text text = {0};
    clopt_text_append(&text, method ? "relative " : "absolute ");
    clopt_t1_append_number(&text, threshold.json);
    status = append_file(t1, node, &text);
    if (status == CLOPT_OK)
        return clopt_t1_put_text(t1, node, results, target, &text);
    clopt_text_fini(&text);
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
    const char *text;
    if (!node->json)
        return CLOPT_OK;
    enum clopt_status status = clopt_t1_check_object(t1, node, known);
    if (status == CLOPT_OK && name.json)
        status = clopt_t1_text(t1, &name, &text);
    if (status == CLOPT_OK && name.json)
        status = clopt_t1_put(t1, &name, "device T1", "name", text);
    return status;
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
        status = read_argument(t1, spec, &item, i + 1);
    }
    for (size_t i = 0; i < json_array_size(references.json) && status == CLOPT_OK; i++) {
        struct clopt_t1_node item = clopt_t1_item(&references, i);
        status = read_reference(t1, &item);
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
