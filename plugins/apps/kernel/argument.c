/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of kernels: scalars, buffers, local memory. */
#include "argument.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    enum clopt_buffer_use use;
} uses[] = {
    {"input", CLOPT_INPUT},
    {"output", CLOPT_OUTPUT},
    {"inout", CLOPT_IN_OUT},
    {"scratch", CLOPT_SCRATCH},
};

bool kernel_argument_is_result(const struct kernel_argument *argument)
{
    return argument->kind == KERNEL_BUFFER &&
           (argument->use == CLOPT_OUTPUT || argument->use == CLOPT_IN_OUT);
}

void kernel_argument_fini(struct kernel_argument *argument)
{
    kernel_expressions_fini(&argument->values);
    kernel_content_fini(&argument->content);
    kernel_tolerance_fini(&argument->tolerance);
}

/* Reads TYPE[COUNT]. */
static enum clopt_status read_elements(struct kernel_scan *scan, struct kernel_argument *argument,
                                       struct clopt_error *error)
{
    char word[KERNEL_WORD];
    char *inside = NULL;
    if (!kernel_scan_word(scan, word))
        return kernel_scan_fail(scan, error, "expected a type, such as float");
    enum clopt_status status = kernel_type_read(scan, word, &argument->type, error);
    if (!status)
        status = kernel_scan_bracket(scan, '[', &inside, error);
    if (!status && !inside)
        status = kernel_scan_fail(scan, error, "expected [COUNT], how many elements there are");
    if (!status)
        status = kernel_expressions_read(&argument->place, inside, 1, 8, &argument->values, error);
    free(inside);
    return status;
}

static enum clopt_status read_buffer(struct kernel_scan *scan, struct kernel_argument *argument,
                                     struct clopt_error *error)
{
    bool filled = argument->use == CLOPT_INPUT || argument->use == CLOPT_IN_OUT;
    enum clopt_status status = read_elements(scan, argument, error);
    if (!status && filled)
        status = kernel_content_read(scan, &argument->type, &argument->content, error);
    else if (!status && *kernel_scan_rest(scan))
        status = kernel_scan_fail(scan, error,
                                  "expected nothing more: the kernel writes this buffer before it "
                                  "reads it; inout has content");
    argument->tolerance = kernel_tolerance_usual(&argument->type);
    return status;
}

/* Reads TYPE EXPRESSION, ... */
static enum clopt_status read_scalar(struct kernel_scan *scan, const char *word,
                                     struct kernel_argument *argument, struct clopt_error *error)
{
    enum clopt_status status = kernel_type_read(scan, word, &argument->type, error);
    if (!status && argument->type.kind == KERNEL_STRUCT)
        status = kernel_scan_fail(scan, error, "a structure by value is not supported");
    if (status)
        return status;
    const char *rest = kernel_scan_rest(scan);
    if (*rest == '[')
        return kernel_scan_fail(scan, error,
                                "a buffer needs its use: input, output, inout, scratch or local");
    status = kernel_expressions_read(&argument->place, rest, 1, argument->type.width,
                                     &argument->values, error);
    if (!status && argument->values.count != 1 && argument->values.count != argument->type.width)
        status =
            kernel_scan_fail(scan, error, "expected 1 or %u expressions", argument->type.width);
    return status;
}

/* Reads what a value begins with, and then the rest. */
static enum clopt_status read_value(struct kernel_scan *scan, struct kernel_argument *argument,
                                    struct clopt_error *error)
{
    char word[KERNEL_WORD];
    if (!kernel_scan_word(scan, word))
        return kernel_scan_fail(scan, error,
                                "expected input, output, inout, scratch, local or a type");
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (strcmp(word, uses[i].name) == 0) {
            argument->kind = KERNEL_BUFFER;
            argument->use = uses[i].use;
            return read_buffer(scan, argument, error);
        }
    if (strcmp(word, "local") != 0)
        return read_scalar(scan, word, argument, error);
    argument->kind = KERNEL_LOCAL;
    enum clopt_status status = read_elements(scan, argument, error);
    if (!status && *kernel_scan_rest(scan))
        status = kernel_scan_fail(scan, error, "expected nothing more");
    return status;
}

enum clopt_status kernel_argument_read(const struct kernel_place *place, const char *name,
                                       struct kernel_argument *argument, struct clopt_error *error)
{
    *argument = (struct kernel_argument){.name = name, .place = *place};
    struct kernel_scan scan = kernel_scan_begin(place);
    enum clopt_status status = read_value(&scan, argument, error);
    if (status)
        kernel_argument_fini(argument);
    return status;
}

/* Stores one number of a scalar. */
static enum clopt_status store(const struct kernel_argument *argument, struct clopt_number number,
                               unsigned char *to, struct clopt_error *error)
{
    char name[KERNEL_WORD];
    int64_t least;
    int64_t most;
    kernel_type_name(&argument->type, name);
    if (argument->type.kind == KERNEL_REAL) {
        kernel_store_real(&argument->type, number.real, to);
        return isfinite(kernel_load_real(&argument->type, to))
                   ? CLOPT_OK
                   : kernel_fail(&argument->place, error, "%s cannot hold %.17g", name,
                                 number.real);
    }
    kernel_type_range(&argument->type, &least, &most);
    if (number.is_real || number.integer < least || number.integer > most)
        return kernel_fail(&argument->place, error, "%s cannot hold %.17g", name, number.real);
    kernel_store_integer(&argument->type, number.integer, to);
    return CLOPT_OK;
}

enum clopt_status kernel_argument_evaluate(const struct kernel_argument *argument,
                                           struct kernel_scope *scope, unsigned char *value,
                                           size_t *bytes, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    *bytes = kernel_type_bytes(&argument->type);
    memset(value, 0, *bytes);
    for (unsigned lane = 0; lane < argument->type.width && !status; lane++) {
        struct clopt_number number;
        size_t index = argument->values.count == 1 ? 0 : lane;
        status = kernel_evaluate(scope, &argument->values, index, &number, error);
        if (!status)
            status = store(argument, number, value + lane * argument->type.scalar_bytes, error);
    }
    return status;
}

enum clopt_status kernel_argument_size(const struct kernel_argument *argument,
                                       struct kernel_scope *scope, size_t *count, size_t *bytes,
                                       struct clopt_error *error)
{
    enum clopt_status status = kernel_evaluate_product(scope, &argument->values, count, error);
    if (!status && __builtin_mul_overflow(*count, kernel_type_bytes(&argument->type), bytes))
        status = kernel_fail(&argument->place, error, "\"%s\" overflows: too many bytes",
                             argument->place.value);
    return status;
}
