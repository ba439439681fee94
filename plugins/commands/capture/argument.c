/* SPDX-License-Identifier: BSD-3-Clause */
/* What captured arguments are in a study: their types and values, and the files of arrays. */
#include "commands/capture/argument.h"

#include <errno.h>
#include <math.h>

#include "kernel/tree.h"

#define CHUNK            65536 /* a multiple of every element that numbers are looked at of */
#define NOT_SAID         "a number that a study cannot say: no finite one, or too large"
#define MOST_NUMBERS     16 /* of a structure by value */
#define MOST_VALUE_BYTES 128

static enum clopt_status refuse(const struct clopt_variable *parameter, const char *why,
                                struct clopt_error *error)
{
    return clopt_fail(error, CLOPT_INVALID, "argument %s is %s", parameter->name, why);
}

/* ---- types ---- */

static enum clopt_status find_element(const struct clopt_variable *parameter,
                                      struct clopt_array_element *element,
                                      struct clopt_error *error)
{
    bool points = parameter->is_pointer;
    element->scalar = points ? parameter->pointee_scalar : parameter->scalar;
    element->width = points ? parameter->pointee_width : parameter->width;
    element->bytes = points ? parameter->pointee_bytes : parameter->bytes;
    if (!element->width)
        element->width = 1;
    if (points && element->scalar == CLOPT_SCALAR_NONE && strstr(parameter->type, "void"))
        element->scalar = CLOPT_SCALAR_UCHAR; /* bytes that the kernel takes for something */
    if (element->scalar != CLOPT_SCALAR_NONE) {
        clopt_scalar_print(element->scalar, element->width, element->name, sizeof element->name);
        element->bytes = clopt_scalar_bytes(element->scalar, element->width);
        return CLOPT_OK;
    }
    if (strstr(parameter->type, "image") || strstr(parameter->type, "sampler"))
        return refuse(parameter, "an image or a sampler that clopt does not know", error);
    if (!points)
        return refuse(parameter, "a structure by value with more than numbers in it", error);
    if (!element->bytes)
        return refuse(parameter, "of a type whose size is not known", error);
    snprintf(element->name, sizeof element->name, "struct(%zu)", element->bytes);
    return CLOPT_OK;
}

/* The channels of an image, whose text begins with them: unorm_uchar2[640, 360]. */
static void find_channels(const char *text, struct clopt_array_element *element)
{
    const char *name = text + (strstr(text, "norm_") == text + 1 ? strlen("unorm_") : 0);
    element->scalar = clopt_scalar_named(name, strcspn(name, "["), &element->width);
    element->bytes = clopt_scalar_bytes(element->scalar, element->width);
    clopt_scalar_print(element->scalar, 1, element->name, sizeof element->name);
}

/* ---- values ---- */

/* Appends a number as an expression; false: it is none. */
static bool append_number(struct clopt_text *text, enum clopt_scalar scalar,
                          const unsigned char *bytes)
{
    size_t size = clopt_scalar_bits(scalar) / 8;
    uint64_t bits = 0;
    memcpy(&bits, bytes, size); /* little-endian, as every host that clopt runs on */
    if (clopt_scalar_is_real(scalar)) {
        double value = clopt_scalar_real(scalar, bytes);
        clopt_text_printf(text, "%.*g", size == sizeof value ? 17 : 9, value);
        return isfinite(value);
    }
    if (clopt_scalar_is_signed(scalar)) {
        unsigned unused = 64 - 8 * (unsigned)size;
        clopt_text_printf(text, "%" PRId64, (int64_t)(bits << unused) >> unused);
        return true;
    }
    clopt_text_printf(text, "%" PRIu64, bits);
    return bits <= INT64_MAX;
}

/* Appends the numbers of an element, with commas; false: one of them is none. */
static bool append_element(struct clopt_text *text, const struct clopt_array_element *element,
                           const unsigned char *bytes)
{
    bool good = true;
    for (unsigned i = 0; i < element->width; i++) {
        clopt_text_append(text, i ? ", " : "");
        good &= append_number(text, element->scalar,
                              bytes + i * (clopt_scalar_bits(element->scalar) / 8));
    }
    return good;
}

/* Takes the next of the members that clang lists, TYPE or TYPE[COUNT]; false: that was all. */
static bool next_member(const char **list, struct clopt_array_element *member, unsigned *count)
{
    unsigned bits;
    bool is_signed;
    if (!**list)
        return false;
    *member = (struct clopt_array_element){0};
    member->scalar = clopt_scalar_parse(*list, &member->width, &bits, &is_signed);
    member->bytes = clopt_scalar_bytes(member->scalar, member->width);
    *list += strcspn(*list, "[,");
    *count = **list == '[' ? (unsigned)strtoul(*list + 1, NULL, 10) : 1;
    *list += strcspn(*list, ",");
    *list += strspn(*list, ", ");
    return member->bytes > 0;
}

/* Appends a structure by value, whose members have to be laid as C lays them. */
static enum clopt_status append_structure(const struct clopt_variable *parameter,
                                          const struct clopt_captured_argument *argument,
                                          struct clopt_text *text, struct clopt_error *error)
{
    struct clopt_array_element member;
    const char *list = parameter->members;
    size_t at = 0, alignment = 1, numbers = 0;
    unsigned count;
    clopt_text_printf(text, "struct(%s) ", list);
    while (next_member(&list, &member, &count)) {
        alignment = member.bytes > alignment ? member.bytes : alignment;
        at = (at + member.bytes - 1) / member.bytes * member.bytes;
        for (; count && at + member.bytes <= argument->bytes; count--, at += member.bytes) {
            clopt_text_append(text, numbers ? ", " : "");
            if (!append_element(text, &member, argument->value + at))
                return refuse(parameter, NOT_SAID, error);
            numbers += member.width;
        }
        at += count * member.bytes; /* beyond the end: refused */
    }
    if ((at + alignment - 1) / alignment * alignment != argument->bytes)
        return refuse(parameter, "a structure whose members are not laid as C lays them", error);
    if (numbers > MOST_NUMBERS || at > MOST_VALUE_BYTES)
        return refuse(parameter, "a structure of more than 16 numbers or 128 bytes", error);
    return CLOPT_OK;
}

static enum clopt_status append_value(const struct clopt_variable *parameter,
                                      const struct clopt_captured_argument *argument,
                                      struct clopt_text *text, struct clopt_error *error)
{
    struct clopt_array_element element = {0};
    if (parameter->is_record && parameter->members)
        return append_structure(parameter, argument, text, error);
    if (find_element(parameter, &element, error))
        return error->status;
    if (element.bytes != argument->bytes)
        return refuse(parameter, "of another size than its type", error);
    clopt_text_printf(text, "%s ", element.name);
    return append_element(text, &element, argument->value) ? CLOPT_OK
                                                           : refuse(parameter, NOT_SAID, error);
}

/* ---- arguments ---- */

/* Whether an application passes a null pointer: OpenCL takes a null value or a null handle for one.
 */
static bool is_null(const struct clopt_variable *parameter,
                    const struct clopt_captured_argument *argument)
{
    static const unsigned char null[sizeof(void *)];
    if (!parameter->is_pointer || parameter->pointee == CLOPT_SPACE_LOCAL)
        return false;
    return argument->kind == CLOPT_CAPTURED_NULL ||
           (argument->kind == CLOPT_CAPTURED_VALUE && argument->bytes == sizeof null &&
            memcmp(argument->value, null, sizeof null) == 0);
}

/* Says why an argument is neither a value nor memory that a study has. */
static enum clopt_status refuse_kind(const struct clopt_variable *parameter,
                                     const struct clopt_captured_argument *argument,
                                     struct clopt_error *error)
{
    struct clopt_array_element element = {0};
    if (parameter->is_pointer)
        return refuse(parameter, "a memory object that clopt does not know", error);
    if (find_element(parameter, &element, error))
        return error->status;
    return refuse(parameter,
                  argument->kind == CLOPT_CAPTURED_NOTHING
                      ? "unknown: it was set by a call that clopt does not know"
                      : "not a buffer for OpenCL C, but for the application",
                  error);
}

enum clopt_status clopt_argument_define(const struct clopt_variable *parameter,
                                        const struct clopt_captured_argument *argument,
                                        struct clopt_text *definition,
                                        struct clopt_array_element *element,
                                        struct clopt_error *error)
{
    bool local = parameter->is_pointer && parameter->pointee == CLOPT_SPACE_LOCAL;
    bool image = argument->text && strstr(parameter->type, "image");
    *element = (struct clopt_array_element){0};
    if (argument->kind == CLOPT_CAPTURED_SAMPLER && strstr(parameter->type, "sampler")) {
        clopt_text_printf(definition, "sampler %s", argument->text);
    } else if (argument->kind == CLOPT_CAPTURED_BUFFER && image) {
        find_channels(argument->text, element);
        clopt_text_printf(definition, "image %s", argument->text);
    } else if (is_null(parameter, argument)) {
        clopt_text_append(definition, "null");
    } else if (argument->kind == CLOPT_CAPTURED_VALUE && !parameter->is_pointer) {
        return append_value(parameter, argument, definition, error);
    } else if ((argument->kind == CLOPT_CAPTURED_BUFFER && parameter->is_pointer && !local &&
                !argument->text) ||
               (argument->kind == CLOPT_CAPTURED_NULL && local)) {
        if (find_element(parameter, element, error))
            return error->status;
        size_t count = argument->bytes / element->bytes;
        if (argument->is_shared && element->scalar == CLOPT_SCALAR_NONE && !parameter->members)
            return refuse(parameter, "shared virtual memory that may have pointers in it", error);
        if (!local && !count)
            return refuse(parameter, "shorter than one element", error);
        clopt_text_printf(definition, "%s%s[%zu]", local ? "local " : "", element->name,
                          count + (local && argument->bytes % element->bytes != 0));
    } else {
        return refuse_kind(parameter, argument, error);
    }
    return CLOPT_OK;
}

/* ---- arrays ---- */

/* Whether an array has a number that is none, which no comparison takes for right. */
static bool has_nan(const struct clopt_array_element *element, const char *bytes, size_t size)
{
    size_t number = clopt_scalar_bytes(element->scalar, 1);
    bool nan = false;
    for (size_t i = 0; clopt_scalar_is_real(element->scalar) && i + number <= size; i += number)
        nan |= isnan(clopt_scalar_real(element->scalar, bytes + i)) != 0;
    return nan;
}

/* Writes the head of a .npy file (version 1.0): the type, and how many of them there are. */
static void write_head(FILE *stream, const struct clopt_array_element *element, size_t count)
{
    char head[118], kind = 'u';
    size_t bytes = element->bytes / element->width, last = element->width;
    if (clopt_scalar_is_real(element->scalar)) {
        kind = 'f';
    } else if (element->scalar == CLOPT_SCALAR_NONE) {
        last = element->bytes; /* a structure is a row of bytes */
        bytes = 1;
    } else if (clopt_scalar_is_signed(element->scalar)) {
        kind = 'i';
    }
    bool rows = last > 1 || (kind == 'u' && element->scalar == CLOPT_SCALAR_NONE);
    char shape[64];
    snprintf(shape, sizeof shape, rows ? "(%zu, %zu)" : "(%zu,)", count, last);
    int length =
        snprintf(head, sizeof head, "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': %s, }",
                 bytes == 1 ? '|' : '<', kind, bytes, shape);
    fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, stream);
    fprintf(stream, "%s%*s\n", head, (int)sizeof head - 1 - length, "");
}

enum clopt_status clopt_argument_copy(const char *from, const char *to,
                                      const struct clopt_array_element *element, size_t count,
                                      bool *nan, struct clopt_error *error)
{
    char chunk[CHUNK];
    CLOPT_CLOSED FILE *input = fopen(from, "rb");
    FILE *output = fopen(to, "wb");
    size_t left = count * element->bytes;
    *nan = false;
    if (output && strstr(to, ".npy"))
        write_head(output, element, count);
    while (input && output && left) {
        size_t got = fread(chunk, 1, left < CHUNK ? left : CHUNK, input);
        if (!got || fwrite(chunk, 1, got, output) != got)
            break;
        *nan |= has_nan(element, chunk, got);
        left -= got;
    }
    bool failed = !input || !output || left;
    failed |= output && fclose(output) != 0;
    return failed
               ? clopt_fail(error, CLOPT_FAILED, "%s: cannot be written: %s", to, strerror(errno))
               : CLOPT_OK;
}
