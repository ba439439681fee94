/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers as NumPy arrays. */
#include "array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "npy.h"

bool kernel_array_is_named(const char *path)
{
    size_t length = strlen(path);
    return length >= 4 && strcmp(path + length - 4, ".npy") == 0;
}

/* Describes the array that a buffer is. */
static enum clopt_status describe(const struct kernel_argument *argument,
                                  struct kernel_scope *scope, struct kernel_npy *array,
                                  struct clopt_error *error)
{
    static const enum kernel_npy_kind kinds[] = {[KERNEL_SIGNED] = KERNEL_NPY_SIGNED,
                                                 [KERNEL_UNSIGNED] = KERNEL_NPY_UNSIGNED,
                                                 [KERNEL_REAL] = KERNEL_NPY_REAL,
                                                 [KERNEL_STRUCT] = KERNEL_NPY_UNSIGNED};
    const struct kernel_type *type = &argument->type;
    bool is_struct = type->kind == KERNEL_STRUCT;
    *array = (struct kernel_npy){.kind = kinds[type->kind],
                                 .scalar_bytes = is_struct ? 1 : type->scalar_bytes};
    for (size_t i = 0; i < argument->values.count; i++) {
        int64_t length;
        /* The width of an image varies fastest, as the last length of a buffer does. */
        size_t index = argument->is_image ? argument->values.count - 1 - i : i;
        enum clopt_status status =
            kernel_evaluate_integer(scope, &argument->values, index, 1, &length, error);
        if (status)
            return status;
        array->shape[array->dimensions++] = (size_t)length;
    }
    if (is_struct)
        array->shape[array->dimensions++] = type->scalar_bytes;
    else if (type->width > 1)
        array->shape[array->dimensions++] = type->width;
    return CLOPT_OK;
}

/* ---- reading ---- */

/* Writes a shape as NumPy does: (3, 4). */
static void print_shape(const struct kernel_npy *array, char *text, size_t size)
{
    size_t length = (size_t)snprintf(text, size, "(");
    for (unsigned d = 0; d < array->dimensions && length < size; d++)
        length +=
            (size_t)snprintf(text + length, size - length, "%s%zu", d ? ", " : "", array->shape[d]);
    if (length < size)
        snprintf(text + length, size - length, ")");
}

/* Where the study gives a buffer one length, a file of any shape will do that has as many. */
static bool has_shape(const struct kernel_argument *argument, const struct kernel_npy *array,
                      const struct kernel_npy *wanted)
{
    if (argument->values.count == 1)
        return kernel_npy_count(array) == kernel_npy_count(wanted);
    return array->dimensions == wanted->dimensions &&
           memcmp(array->shape, wanted->shape, wanted->dimensions * sizeof *wanted->shape) == 0;
}

static enum clopt_status check_array(const struct kernel_argument *argument, const char *path,
                                     const struct kernel_npy *array,
                                     const struct kernel_npy *wanted, struct clopt_error *error)
{
    char is[256];
    char should[256];
    if (array->kind != wanted->kind || array->scalar_bytes != wanted->scalar_bytes) {
        kernel_npy_type(array, is);
        kernel_npy_type(wanted, should);
        return kernel_fail(&argument->place, error, "%s: an array of %s, the buffer is of %s", path,
                           is, should);
    }
    print_shape(array, is, sizeof is);
    print_shape(wanted, should, sizeof should);
    return has_shape(argument, array, wanted)
               ? CLOPT_OK
               : kernel_fail(&argument->place, error, "%s: has the shape %s, the buffer %s", path,
                             is, should);
}

/* Copies vectors of three between a file, which has them without gaps, and a buffer, which leaves
 * room for a fourth number. */
static void copy_elements(const struct kernel_type *type, size_t count, void *to, size_t to_stride,
                          const void *from, size_t from_stride)
{
    for (size_t i = 0; i < count; i++)
        memcpy((char *)to + i * to_stride, (const char *)from + i * from_stride,
               type->width * type->scalar_bytes);
}

enum clopt_status kernel_array_load(const struct kernel_argument *argument, const char *path,
                                    struct kernel_scope *scope, void *data,
                                    struct clopt_error *error)
{
    struct kernel_npy wanted;
    struct kernel_npy array;
    void *content;
    enum clopt_status status = describe(argument, scope, &wanted, error);
    if (status)
        return status;
    status = kernel_npy_load(path, &array, &content, error);
    if (status)
        return kernel_fail_within(&argument->place, error);
    status = check_array(argument, path, &array, &wanted, error);
    size_t packed = argument->type.width * argument->type.scalar_bytes;
    size_t room = kernel_type_bytes(&argument->type);
    if (!status) {
        size_t count = kernel_npy_bytes(&wanted) / packed;
        memset(data, 0, count * room);
        copy_elements(&argument->type, count, data, room, content, packed);
    }
    free(content);
    return status;
}

/* ---- writing ---- */

enum clopt_status kernel_array_write(const struct kernel_argument *argument, const void *data,
                                     size_t count, struct kernel_scope *scope, FILE *stream,
                                     struct clopt_error *error)
{
    struct kernel_npy array;
    enum clopt_status status = describe(argument, scope, &array, error);
    if (status)
        return status;
    size_t packed = argument->type.width * argument->type.scalar_bytes;
    if (kernel_npy_bytes(&array) != count * packed) {
        size_t numbers = array.dimensions > argument->values.count;
        array.shape[1] = packed / array.scalar_bytes;
        array.shape[0] = count;
        array.dimensions = 1 + (unsigned)numbers;
    }
    void *content = malloc(count * packed);
    if (!content)
        return clopt_fail_memory(error);
    copy_elements(&argument->type, count, content, packed, data,
                  kernel_type_bytes(&argument->type));
    status = kernel_npy_write(stream, argument->name, &array, content, error);
    free(content);
    return status;
}
