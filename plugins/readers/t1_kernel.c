/* SPDX-License-Identifier: BSD-3-Clause */
/* Translates KernelSpecification of T1 files: the kernel, its sizes, its arguments, and the
 * references that results are compared with. */
#include <ctype.h>
#include <math.h>

#include "readers/t1_parts.h"

static const char app[] = "app kernel";
static const char arguments[] = "arguments";

/* ---- expressions ---- */

/* Finds what ProblemSize[i] means; NULL where it is nothing. */
static const json_t *find_problem_size(const struct clopt_t1_node *spec, const char *text)
{
    static const char name[] = "ProblemSize[";
    const size_t length = sizeof name - 1;
    if (strncmp(text, name, length) != 0 || !isdigit((unsigned char)text[length]) ||
        text[length + 1] != ']')
        return NULL;
    return json_array_get(json_object_get(spec->json, "ProblemSize"), (size_t)(text[length] - '0'));
}

/* Appends a number or an expression, in which ProblemSize[0] means a number. */
static void append_expression(struct clopt_t1 *t1, const struct clopt_t1_node *spec,
                              const struct clopt_t1_node *node, struct clopt_text *text)
{
    if (json_is_number(node->json)) {
        clopt_t1_append_number(text, node->json);
        return;
    }
    for (const char *at = clopt_t1_text(t1, node, ""); *at; at++) {
        const json_t *number = find_problem_size(spec, at);
        if (json_is_number(number)) {
            clopt_t1_append_number(text, number);
            at = strchr(at, ']');
        } else {
            clopt_text_append_char(text, *at);
        }
    }
}

/* ---- sizes ---- */

#define DIMENSIONS 3

static const char *const axes[DIMENSIONS] = {"X", "Y", "Z"};

/* Reads LocalSize or GlobalSize; what is not there is 1. */
static void read_sizes(struct clopt_t1 *t1, const struct clopt_t1_node *spec,
                       const struct clopt_t1_node *node, struct clopt_text sizes[DIMENSIONS])
{
    clopt_t1_object(t1, node, NULL, "X Y Z");
    for (size_t d = 0; d < DIMENSIONS; d++) {
        struct clopt_t1_node size = clopt_t1_member(node, axes[d]);
        if (size.json)
            append_expression(t1, spec, &size, &sizes[d]);
        else
            clopt_text_append(&sizes[d], "1");
    }
}

/* Computes groups as Kernel Tuner does, from ProblemSize and divisors of the grid. */
static void divide_grid(struct clopt_t1 *t1, const struct clopt_t1_node *spec,
                        struct clopt_text sizes[DIMENSIONS])
{
    static const char *const names[] = {"GridDivX", "GridDivY", "GridDivZ"};
    struct clopt_t1_node problem = clopt_t1_member(spec, "ProblemSize");
    if (!json_is_array(problem.json))
        clopt_t1_fail(t1, spec, "GlobalSize is missing, and so is an array ProblemSize");
    for (size_t d = 0; d < DIMENSIONS; d++) {
        struct clopt_t1_node size = clopt_t1_item(&problem, d);
        struct clopt_t1_node divisor = clopt_t1_member(spec, names[d]);
        clopt_text_append(&sizes[d], size.json ? "ceildiv(" : "1");
        if (!size.json)
            continue;
        append_expression(t1, spec, &size, &sizes[d]);
        clopt_text_append(&sizes[d], ", 1");
        for (size_t i = 0, count = clopt_t1_count(t1, &divisor); i < count; i++) {
            struct clopt_t1_node item = clopt_t1_item(&divisor, i);
            clopt_text_append(&sizes[d], " * (");
            append_expression(t1, spec, &item, &sizes[d]);
            clopt_text_append(&sizes[d], ")");
        }
        clopt_text_append(&sizes[d], ")");
    }
}

static bool is_one(const struct clopt_text *text)
{
    return strcmp(clopt_text_string(text), "1") == 0;
}

/* Puts global and local size, in as many dimensions as have any. */
static void read_ndrange(struct clopt_t1 *t1, const struct clopt_t1_node *spec)
{
    struct clopt_t1_node global = clopt_t1_member(spec, "GlobalSize");
    struct clopt_t1_node local = clopt_t1_member(spec, "LocalSize");
    struct clopt_text sizes[DIMENSIONS] = {{0}}, locals[DIMENSIONS] = {{0}};
    struct clopt_text global_text = {0}, local_text = {0};
    bool in_groups = clopt_t1_word(t1, spec, "GlobalSizeType", "OpenCL CUDA Vulkan", false) != 0;
    read_sizes(t1, spec, &local, locals);
    if (global.json)
        read_sizes(t1, spec, &global, sizes);
    else
        divide_grid(t1, spec, sizes);
    size_t dimensions = DIMENSIONS;
    while (dimensions > 1 && is_one(&sizes[dimensions - 1]) && is_one(&locals[dimensions - 1]))
        dimensions--;
    for (size_t d = 0; d < DIMENSIONS; d++) {
        const char *size = clopt_text_string(&sizes[d]), *own = clopt_text_string(&locals[d]);
        const char *comma = d ? ", " : "";
        if (d < dimensions && (in_groups || !global.json) && !is_one(&locals[d]))
            clopt_text_printf(&global_text, "%s(%s) * (%s)", comma, size, own);
        else if (d < dimensions)
            clopt_text_printf(&global_text, "%s%s", comma, size);
        if (d < dimensions)
            clopt_text_printf(&local_text, "%s%s", comma, own);
        clopt_text_fini(&sizes[d]);
        clopt_text_fini(&locals[d]);
    }
    clopt_t1_put_text(t1, &global, app, "global", &global_text);
    clopt_t1_put_text(t1, &local, app, "local", &local_text);
}

/* ---- arguments ---- */

/* Types of OpenCL C that T1 calls otherwise. */
static const struct type {
    const char *t1;
    const char *own;
} types[] = {
    {"bool", "uchar"},  {"int8", "char"},     {"uint8", "uchar"},
    {"int16", "short"}, {"uint16", "ushort"}, {"int32", "int"},
    {"uint32", "uint"}, {"int64", "long"},    {"uint64", "ulong"},
};

/* Appends a type as a study writes it; returns whether its numbers are real. */
static bool append_type(struct clopt_t1 *t1, const struct clopt_t1_node *node,
                        struct clopt_text *text)
{
    static const char *const reals[] = {"half", "float", "double"};
    static const char *const widths[] = {"", "2", "4", "8", "16"};
    struct clopt_t1_node size = clopt_t1_member(node, "TypeSize");
    struct clopt_t1_node member = clopt_t1_member(node, "Type");
    const char *name = clopt_t1_text(t1, node, "Type");
    if (strcmp(name, "custom") == 0) {
        if (json_integer_value(size.json) < 1)
            clopt_t1_fail(t1, &size, "a custom type needs its size in bytes");
        clopt_text_printf(text, "struct(%lld)", (long long)json_integer_value(size.json));
        return false;
    }
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(name, types[i].t1) == 0) {
            clopt_text_append(text, types[i].own);
            return false;
        }
    for (size_t i = 0; i < 3; i++)
        for (size_t w = 0; w < 5; w++) {
            size_t length = strlen(reals[i]);
            if (strncmp(name, reals[i], length) == 0 && strcmp(name + length, widths[w]) == 0) {
                clopt_text_append(text, name);
                return true;
            }
        }
    clopt_t1_fail(t1, &member, "%s is not supported", name);
    return false;
}

/* Appends FillValue, or what holds without it; NULL: it has to be there. */
static void append_value(struct clopt_t1 *t1, const struct clopt_t1_node *node, bool is_real,
                         const char *usual, struct clopt_text *text)
{
    struct clopt_t1_node value = clopt_t1_member(node, "FillValue");
    double number = json_number_value(value.json);
    if (value.json && !json_is_number(value.json))
        clopt_t1_fail(t1, &value, "this must be a number");
    else if (!value.json && !usual)
        clopt_t1_fail(t1, &value, "missing");
    else if (!value.json)
        clopt_text_append(text, usual);
    else if (!is_real && floor(number) != number)
        clopt_t1_fail(t1, &value, "this must be an integer");
    else if (json_is_integer(value.json) || is_real)
        clopt_t1_append_number(text, value.json);
    else
        clopt_text_printf(text, "%.0f", number);
}

/* Appends the name of a file that must be there, as the study is to say it. */
static void append_path(struct clopt_t1 *t1, const struct clopt_t1_node *node, const char *key,
                        struct clopt_text *text)
{
    const char *name = clopt_t1_text(t1, node, key);
    clopt_text_printf(text, "%s%s", *name == '/' ? "" : t1->folder, name);
}

static void append_file(struct clopt_t1 *t1, const struct clopt_t1_node *node,
                        struct clopt_text *text)
{
    clopt_text_append(text, " file(");
    append_path(t1, node, "DataSource", text);
    clopt_text_append(text, ")");
}

/* Appends what a buffer holds. */
static void append_content(struct clopt_t1 *t1, const struct clopt_t1_node *node, bool is_real,
                           struct clopt_text *text)
{
    size_t fill = clopt_t1_word(t1, node, "FillType", "Constant Random BinaryRaw", false);
    if (fill == 2) {
        append_file(t1, node, text);
        return;
    }
    clopt_text_append(text, !fill ? " constant(" : is_real ? " uniform(0, " : " integers(0, ");
    append_value(t1, node, is_real, fill ? "1" : "0", text);
    clopt_text_append(text, ")");
}

enum memory { SCALAR, VECTOR, LOCAL };

static void append_argument(struct clopt_t1 *t1, const struct clopt_t1_node *spec,
                            const struct clopt_t1_node *node, struct clopt_text *text)
{
    static const char *const uses[] = {"inout ", "input ", "output "};
    struct clopt_t1_node size = clopt_t1_member(node, "Size");
    CLOPT_OWNED(clopt_text) type = {0};
    bool is_real = append_type(t1, node, &type);
    size_t memory = clopt_t1_word(t1, node, "MemoryType", "Scalar Vector Local", true);
    size_t access = 0;
    if (memory == VECTOR)
        access = clopt_t1_word(t1, node, "AccessType", "ReadWrite ReadOnly WriteOnly", false);
    clopt_text_printf(text, "%s%s%s",
                      memory == VECTOR  ? uses[access]
                      : memory == LOCAL ? "local "
                                        : "",
                      clopt_text_string(&type), memory == SCALAR ? " " : "[");
    if (memory == SCALAR) {
        clopt_t1_word(t1, node, "FillType", "Constant", false);
        append_value(t1, node, is_real, NULL, text);
        return;
    }
    append_expression(t1, spec, &size, text);
    clopt_text_append(text, "]");
    if (memory == VECTOR && access != 2)
        append_content(t1, node, is_real, text);
}

/* Translates an argument, the kernel's `number`th. */
static void read_argument(struct clopt_t1 *t1, const struct clopt_t1_node *spec,
                          const struct clopt_t1_node *node, size_t number)
{
    struct clopt_t1_node name_node = clopt_t1_member(node, "Name");
    struct clopt_text text = {0};
    char usual[32];
    snprintf(usual, sizeof usual, "argument_%zu", number);
    clopt_t1_object(t1, node, NULL,
                    "Name Type MemoryType AccessType Size TypeSize FillType FillValue DataSource "
                    "MemType Output");
    const char *name = name_node.json ? clopt_t1_text(t1, node, "Name") : usual;
    clopt_t1_word(t1, node, "MemType", "Global Constant", false);
    if (clopt_ini_setting(clopt_ini_section(t1->ini, arguments), name))
        clopt_t1_fail(t1, &name_node, "argument %s is defined twice", name);
    append_argument(t1, spec, node, &text);
    clopt_t1_put_text(t1, node, arguments, name, &text);
}

static void read_reference(struct clopt_t1 *t1, const struct clopt_t1_node *node)
{
    struct clopt_t1_node threshold = clopt_t1_member(node, "ValidationThreshold");
    struct clopt_text text = {0};
    clopt_t1_object(t1, node, NULL,
                    "Name TargetName FillType DataSource ValidationMethod ValidationThreshold");
    const char *target = clopt_t1_text(t1, node, "TargetName");
    clopt_t1_word(t1, node, "FillType", "BinaryRaw", false);
    size_t method = clopt_t1_word(t1, node, "ValidationMethod",
                                  "SideBySideComparison SideBySideRelativeComparison", false);
    if (!json_is_number(threshold.json))
        clopt_t1_fail(t1, &threshold, threshold.json ? "this must be a number" : "missing");
    clopt_text_append(&text, method ? "relative " : "absolute ");
    clopt_t1_append_number(&text, threshold.json);
    append_file(t1, node, &text);
    clopt_t1_put_text(t1, node, "results", target, &text);
}

/* ---- the kernel ---- */

static void read_options(struct clopt_t1 *t1, const struct clopt_t1_node *node)
{
    CLOPT_OWNED(clopt_text) text = {0};
    for (size_t i = 0, count = clopt_t1_count(t1, node); i < count; i++) {
        struct clopt_t1_node item = clopt_t1_item(node, i);
        clopt_text_printf(&text, "%s%s", text.length ? " " : "", clopt_t1_text(t1, &item, ""));
    }
    if (text.length)
        clopt_t1_put_text(t1, node, app, "options", &text);
}

static void read_source(struct clopt_t1 *t1, const struct clopt_t1_node *node)
{
    struct clopt_text text = {0};
    append_path(t1, node, "", &text);
    clopt_t1_put_text(t1, node, app, "source", &text);
}

/* A device is chosen by its name; numbers of platforms mean something on one machine only. */
static void read_device(struct clopt_t1 *t1, const struct clopt_t1_node *node)
{
    static const struct clopt_t1_member rows[] = {{"Name", NULL, "device T1", "name"},
                                                  {.name = NULL}};
    if (node->json)
        clopt_t1_object(t1, node, rows, "");
}

/* Refuses what only makes sense for CUDA, unless it says nothing. */
static void check_foreign(struct clopt_t1 *t1, const struct clopt_t1_node *node)
{
    if (node->json && !json_is_null(node->json) &&
        !(json_is_integer(node->json) && json_integer_value(node->json) == 0))
        clopt_t1_fail(t1, node, "not supported; local memory is an argument of MemoryType Local");
}

void clopt_t1_read_kernel(struct clopt_t1 *t1, const struct clopt_t1_node *node)
{
    static const struct clopt_t1_member rows[] = {{"SharedMemory", check_foreign, NULL, NULL},
                                                  {"Stream", check_foreign, NULL, NULL},
                                                  {"KernelFile", read_source, NULL, NULL},
                                                  {"KernelName", NULL, app, "kernel"},
                                                  {"CompilerOptions", read_options, NULL, NULL},
                                                  {"Device", read_device, NULL, NULL},
                                                  {.name = NULL}};
    struct clopt_t1_node list = clopt_t1_member(node, "Arguments");
    struct clopt_t1_node references = clopt_t1_member(node, "ReferenceArguments");
    clopt_t1_word(t1, node, "Language", "OpenCL", false);
    clopt_t1_object(t1, node, rows,
                    "Language GlobalSizeType GlobalSize LocalSize GridDivX GridDivY GridDivZ "
                    "Arguments ProblemSize Profiling BenchmarkName ReferenceArguments");
    clopt_t1_text(t1, node, "KernelName");
    read_ndrange(t1, node);
    for (size_t i = 0, count = clopt_t1_count(t1, &list); i < count; i++) {
        struct clopt_t1_node item = clopt_t1_item(&list, i);
        read_argument(t1, node, &item, i + 1);
    }
    for (size_t i = 0, count = clopt_t1_count(t1, &references); i < count; i++) {
        struct clopt_t1_node item = clopt_t1_item(&references, i);
        read_reference(t1, &item);
    }
}
