/* SPDX-License-Identifier: BSD-3-Clause */
/* Translates the arguments of T1 files' kernels, and the references that results are compared with.
 */
#include <math.h>
#include <string.h>

#include "study/t1_parts.h"

static const char arguments[] = "arguments";
static const char results[] = "results";

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
    enum clopt_status status = clopt_t1_append_expression(t1, spec, &size, text);
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

enum clopt_status clopt_t1_argument(const struct clopt_t1 *t1, const struct clopt_t1_node *spec,
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

enum clopt_status clopt_t1_reference(const struct clopt_t1 *t1, const struct clopt_t1_node *node)
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
