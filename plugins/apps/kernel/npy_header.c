/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the header of .npy files. */
#include "npy_header.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define LONGEST_WORD 64

struct header {
    const char *rest;
    const char *name; /* of the file */
    struct kernel_npy *array;
    bool has_type;
    bool has_order;
    bool has_shape;
    struct clopt_error *error;
};

static enum clopt_status fail_format(const struct header *header)
{
    return clopt_fail(header->error, CLOPT_INVALID,
                      "%s: the header is not that of a .npy file, at \"%.20s\"", header->name,
                      header->rest);
}

/* Moves past a character; false where it is another one. */
static bool accept(struct header *header, char character)
{
    while (isspace((unsigned char)*header->rest))
        header->rest++;
    if (*header->rest != character)
        return false;
    header->rest++;
    return true;
}

/* Reads a text in single or double quotes. */
static bool read_text(struct header *header, char text[LONGEST_WORD])
{
    char quote = accept(header, '\'') ? '\'' : '"';
    if (quote == '"' && !accept(header, '"'))
        return false;
    size_t length = strcspn(header->rest, quote == '"' ? "\"\\" : "'\\");
    if (header->rest[length] != quote || length >= LONGEST_WORD)
        return false;
    memcpy(text, header->rest, length);
    text[length] = '\0';
    header->rest += length + 1;
    return true;
}

static bool is_known_type(char kind, size_t bytes)
{
    bool power = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    return kind == 'b'   ? bytes == 1
           : kind == 'f' ? power && bytes > 1
                         : power && (kind == 'i' || kind == 'u');
}

/* Reads '<f4': byte order, kind and bytes. */
static enum clopt_status read_type(struct header *header)
{
    char text[LONGEST_WORD];
    if (accept(header, '['))
        return clopt_fail(header->error, CLOPT_INVALID,
                          "%s: arrays of structures are not supported; save each field by itself",
                          header->name);
    if (!read_text(header, text))
        return fail_format(header);
    bool digits = text[0] && text[1] && isdigit((unsigned char)text[2]) && !text[3];
    size_t bytes = digits ? (size_t)(text[2] - '0') : 0;
    if (!digits || !strchr("<>|=", text[0]) || !is_known_type(text[1], bytes))
        return clopt_fail(
            header->error, CLOPT_INVALID,
            "%s: elements of type %s are not supported; there are b1, i1 to i8, u1 to "
            "u8 and f2 to f8",
            header->name, text);
    if (bytes > 1 && text[0] != '<')
        return clopt_fail(header->error, CLOPT_INVALID,
                          "%s: the elements are %s, not little-endian; save it with "
                          "astype('<%s')",
                          header->name, text, text + 1);
    header->array->kind = (enum kernel_npy_kind)text[1];
    header->array->scalar_bytes = bytes;
    header->has_type = true;
    return CLOPT_OK;
}

static enum clopt_status read_order(struct header *header)
{
    while (*header->rest == ' ')
        header->rest++;
    if (strncmp(header->rest, "True", 4) == 0)
        return clopt_fail(header->error, CLOPT_INVALID,
                          "%s: the elements are in Fortran's order; save it with "
                          "numpy.ascontiguousarray()",
                          header->name);
    if (strncmp(header->rest, "False", 5) != 0)
        return fail_format(header);
    header->rest += 5;
    header->has_order = true;
    return CLOPT_OK;
}

/* Reads one length; those of Python 2 may have an L after them. */
static enum clopt_status read_length(struct header *header)
{
    struct kernel_npy *array = header->array;
    size_t length = 0;
    if (!isdigit((unsigned char)*header->rest))
        return fail_format(header);
    if (array->dimensions == KERNEL_NPY_DIMENSIONS)
        return clopt_fail(header->error, CLOPT_INVALID, "%s: more than %d dimensions", header->name,
                          KERNEL_NPY_DIMENSIONS);
    for (; isdigit((unsigned char)*header->rest); header->rest++) {
        size_t digit = (size_t)(*header->rest - '0');
        if (length > (SIZE_MAX - digit) / 10)
            return clopt_fail(header->error, CLOPT_INVALID, "%s: the shape is too large",
                              header->name);
        length = 10 * length + digit;
    }
    header->rest += *header->rest == 'L';
    array->shape[array->dimensions++] = length;
    return CLOPT_OK;
}

/* Reads (3, 4), (3,) or (). */
static enum clopt_status read_shape(struct header *header)
{
    if (!accept(header, '('))
        return fail_format(header);
    bool more = true;
    while (!accept(header, ')')) {
        enum clopt_status status = more ? read_length(header) : fail_format(header);
        if (status)
            return status;
        more = accept(header, ',');
    }
    header->has_shape = true;
    return CLOPT_OK;
}

static enum clopt_status read_entry(struct header *header)
{
    char key[LONGEST_WORD];
    if (!read_text(header, key) || !accept(header, ':'))
        return fail_format(header);
    if (strcmp(key, "descr") == 0 && !header->has_type) {
        accept(header, ' ');
        return read_type(header);
    }
    if (strcmp(key, "fortran_order") == 0 && !header->has_order)
        return read_order(header);
    if (strcmp(key, "shape") == 0 && !header->has_shape)
        return read_shape(header);
    return fail_format(header);
}

/* Checks that the bytes of an array can be counted. */
static enum clopt_status check_size(const struct header *header)
{
    const struct kernel_npy *array = header->array;
    size_t bytes = array->scalar_bytes;
    for (unsigned i = 0; i < array->dimensions; i++) {
        if (array->shape[i] && bytes > SIZE_MAX / 2 / array->shape[i])
            return clopt_fail(header->error, CLOPT_INVALID, "%s: the shape is too large",
                              header->name);
        bytes *= array->shape[i];
    }
    return CLOPT_OK;
}

enum clopt_status kernel_npy_header_read(const char *text, const char *name,
                                         struct kernel_npy *array, struct clopt_error *error)
{
    struct header header = {.rest = text, .name = name, .array = array, .error = error};
    *array = (struct kernel_npy){.kind = KERNEL_NPY_REAL};
    if (!accept(&header, '{'))
        return fail_format(&header);
    bool more = true;
    while (!accept(&header, '}')) {
        enum clopt_status status = more ? read_entry(&header) : fail_format(&header);
        if (status)
            return status;
        more = accept(&header, ',');
    }
    if (header.rest[strspn(header.rest, " \n")])
        return fail_format(&header);
    if (!header.has_type || !header.has_order || !header.has_shape)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: the header lacks descr, fortran_order or shape", name);
    return check_size(&header);
}
