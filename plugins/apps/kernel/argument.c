/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of kernels: scalars, buffers, local memory, images, samplers. */
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

bool kernel_argument_is_expected(const struct kernel_argument *argument)
{
    return kernel_argument_is_result(argument) && argument->tolerance.how != KERNEL_IGNORED &&
           !argument->tolerance.file;
}

void kernel_argument_fini(struct kernel_argument *argument)
{
    kernel_type_fini(&argument->type);
    kernel_expressions_fini(&argument->values);
    kernel_content_fini(&argument->content);
    kernel_tolerance_fini(&argument->tolerance);
}

/* Finds what the channels of an image hold; false where there are no such images. */
static bool find_channel(const char *word, struct kernel_argument *argument)
{
    static const struct {
        const char *name;
        enum clopt_channel channel;
    } channels[] = {
        {"char", CLOPT_SIGNED_INT8},       {"short", CLOPT_SIGNED_INT16},
        {"int", CLOPT_SIGNED_INT32},       {"uchar", CLOPT_UNSIGNED_INT8},
        {"ushort", CLOPT_UNSIGNED_INT16},  {"uint", CLOPT_UNSIGNED_INT32},
        {"half", CLOPT_HALF_FLOAT},        {"float", CLOPT_FLOAT},
        {"unorm_uchar", CLOPT_UNORM_INT8}, {"unorm_ushort", CLOPT_UNORM_INT16},
        {"snorm_char", CLOPT_SNORM_INT8},  {"snorm_short", CLOPT_SNORM_INT16},
    };
    size_t length = strcspn(word, "0123456789");
    bool is_norm = strncmp(word, "unorm_", 6) == 0 || strncmp(word, "snorm_", 6) == 0;
    if (!kernel_type_named(is_norm ? word + 6 : word, &argument->type) ||
        argument->type.width == 3 || argument->type.width > 4)
        return false;
    for (size_t i = 0; i < sizeof channels / sizeof *channels; i++)
        if (strncmp(channels[i].name, word, length) == 0 && !channels[i].name[length]) {
            argument->channel = channels[i].channel;
            return true;
        }
    return false;
}

/* Reads the type of elements, or of pixels. */
static enum clopt_status read_type(struct kernel_scan *scan, struct kernel_argument *argument,
                                   struct clopt_error *error)
{
    char word[KERNEL_WORD];
    if (!kernel_scan_word(scan, word))
        return kernel_scan_fail(scan, error, "expected a type, such as float");
    if (strcmp(word, "image") != 0)
        return kernel_type_read(scan, word, &argument->type, error);
    argument->is_image = true;
    kernel_scan_rest(scan);
    struct kernel_scan before = *scan;
    if (!kernel_scan_word(scan, word) || !find_channel(word, argument))
        return kernel_scan_fail(&before, error,
                                "expected char, uchar, short, ushort, int, uint, half, float, "
                                "unorm_uchar, unorm_ushort, snorm_char or snorm_short, with 2 or 4 "
                                "after it for several channels");
    return CLOPT_OK;
}

/* Reads TYPE[COUNT]. */
static enum clopt_status read_elements(struct kernel_scan *scan, struct kernel_argument *argument,
                                       struct clopt_error *error)
{
    char *inside = NULL;
    enum clopt_status status = read_type(scan, argument, error);
    if (!status)
        status = kernel_scan_bracket(scan, '[', &inside, error);
    if (!status && !inside)
        status = kernel_scan_fail(scan, error, "expected [COUNT], how many elements there are");
    if (!status)
        status = kernel_expressions_read(&argument->place, inside, 1, argument->is_image ? 3 : 8,
                                         &argument->values, error);
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
    argument->tolerance = kernel_tolerance_usual();
    return status;
}

bool kernel_argument_by_value(const struct kernel_type *type)
{
    return type->members && kernel_type_components(type) <= KERNEL_MOST_EXPRESSIONS &&
           kernel_type_bytes(type) <= KERNEL_MOST_VALUE_BYTES;
}

/* Reads TYPE EXPRESSION, ... */
static enum clopt_status read_scalar(struct kernel_scan *scan, const char *word,
                                     struct kernel_argument *argument, struct clopt_error *error)
{
    enum clopt_status status = kernel_type_read(scan, word, &argument->type, error);
    bool is_struct = argument->type.kind == KERNEL_STRUCT;
    size_t count = kernel_type_components(&argument->type);
    if (!status && is_struct && !kernel_argument_by_value(&argument->type))
        status = kernel_scan_fail(scan, error,
                                  "a structure by value names its members, at most %d numbers of "
                                  "%d bytes together",
                                  KERNEL_MOST_EXPRESSIONS, KERNEL_MOST_VALUE_BYTES);
    if (status)
        return status;
    const char *rest = kernel_scan_rest(scan);
    if (*rest == '[')
        return kernel_scan_fail(scan, error,
                                "a buffer needs its use: input, output, inout, scratch or local");
    status = kernel_expressions_read(&argument->place, rest, 1, count, &argument->values, error);
    if (!status && argument->values.count != 1 && argument->values.count != count)
        status = kernel_scan_fail(scan, error, "expected 1 or %zu expressions", count);
    return status;
}

/* Reads FILTER ADDRESSING COORDINATES. */
static enum clopt_status read_sampler(struct kernel_scan *scan, struct kernel_argument *argument,
                                      struct clopt_error *error)
{
    static const char *const filters[] = {"nearest", "linear", NULL};
    static const char *const modes[] = {"none",   "clamp_to_edge",   "clamp",
                                        "repeat", "mirrored_repeat", NULL};
    static const char *const coordinates[] = {"unnormalized", "normalized", NULL};
    static const char *const *const choices[] = {filters, modes, coordinates};
    unsigned chosen[3];
    for (size_t i = 0; i < 3; i++) {
        char word[KERNEL_WORD] = "";
        kernel_scan_rest(scan);
        struct kernel_scan before = *scan;
        kernel_scan_word(scan, word);
        unsigned k = 0;
        while (choices[i][k] && strcmp(choices[i][k], word) != 0)
            k++;
        if (!choices[i][k])
            return kernel_scan_fail(&before, error,
                                    "expected nearest or linear; none, clamp, clamp_to_edge, "
                                    "repeat or mirrored_repeat; normalized or unnormalized");
        chosen[i] = k;
    }
    argument->sampler = (struct clopt_sampler){(enum clopt_filter)chosen[0],
                                               (enum clopt_addressing)chosen[1], chosen[2] == 1};
    if (chosen[1] >= CLOPT_ADDRESS_REPEAT && !argument->sampler.normalized)
        return kernel_scan_fail(scan, error, "images that repeat need normalized coordinates");
    return *kernel_scan_rest(scan) ? kernel_scan_fail(scan, error, "expected nothing more")
                                   : CLOPT_OK;
}

/* Reads what a value begins with, and then the rest. */
static enum clopt_status read_value(struct kernel_scan *scan, struct kernel_argument *argument,
                                    struct clopt_error *error)
{
    char word[KERNEL_WORD];
    if (!kernel_scan_word(scan, word))
        return kernel_scan_fail(scan, error,
                                "expected input, output, inout, scratch, local, sampler or a type");
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++)
        if (strcmp(word, uses[i].name) == 0) {
            argument->kind = KERNEL_BUFFER;
            argument->use = uses[i].use;
            return read_buffer(scan, argument, error);
        }
    if (strcmp(word, "sampler") == 0) {
        argument->kind = KERNEL_SAMPLER;
        return read_sampler(scan, argument, error);
    }
    if (strcmp(word, "local") != 0)
        return read_scalar(scan, word, argument, error);
    argument->kind = KERNEL_LOCAL;
    enum clopt_status status = read_elements(scan, argument, error);
    if (!status && argument->is_image)
        status = kernel_scan_fail(scan, error, "an image is not local memory");
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
static enum clopt_status store(const struct kernel_argument *argument,
                               const struct kernel_type *type, struct clopt_number number,
                               unsigned char *to, struct clopt_error *error)
{
    char name[KERNEL_WORD];
    int64_t least;
    int64_t most;
    kernel_type_name(argument->type.members ? type : &argument->type, name);
    if (type->kind == KERNEL_REAL) {
        kernel_store_real(type, number.real, to);
        return isfinite(kernel_load_real(type, to))
                   ? CLOPT_OK
                   : kernel_fail(&argument->place, error, "%s cannot hold %.17g", name,
                                 number.real);
    }
    kernel_type_range(type, &least, &most);
    if (number.is_real || number.integer < least || number.integer > most)
        return kernel_fail(&argument->place, error, "%s cannot hold %.17g", name, number.real);
    kernel_store_integer(type, number.integer, to);
    return CLOPT_OK;
}

enum clopt_status kernel_argument_evaluate(const struct kernel_argument *argument,
                                           struct kernel_scope *scope, unsigned char *value,
                                           size_t *bytes, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    *bytes = kernel_type_bytes(&argument->type);
    memset(value, 0, *bytes);
    for (size_t c = 0; c < kernel_type_components(&argument->type) && !status; c++) {
        struct kernel_component component = kernel_type_component(&argument->type, c);
        struct clopt_number number;
        size_t index = argument->values.count == 1 ? 0 : c;
        status = kernel_evaluate(scope, &argument->values, index, &number, error);
        if (!status)
            status = store(argument, &component.type, number, value + component.offset, error);
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
