/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers as NumPy arrays: a vector is a last dimension, a structure one of bytes. */
#include "data.h"
#include "npy.h"

/* Describes the array that a buffer is. */
static struct kernel_npy describe(const struct kernel_argument *argument,
                                  struct kernel_scope *scope)
{
    static const char kinds[] = {
        [KERNEL_SIGNED] = 'i', [KERNEL_UNSIGNED] = 'u', [KERNEL_REAL] = 'f', [KERNEL_STRUCT] = 'u'};
    const struct kernel_type *type = &argument->type;
    bool is_struct = type->kind == KERNEL_STRUCT;
    size_t count = argument->values.count;
    struct kernel_npy array = {.kind = kinds[type->kind],
                               .scalar_bytes = is_struct ? 1 : type->scalar_bytes};
    /* The width of an image varies fastest, as the last length of a buffer does. */
    for (size_t i = 0; i < count; i++)
        array.shape[array.dimensions++] = (size_t)kernel_evaluate_integer(
            scope, &argument->values, argument->is_image ? count - 1 - i : i, 1);
    if (is_struct || type->width > 1)
        array.shape[array.dimensions++] = is_struct ? type->scalar_bytes : type->width;
    return array;
}

/* ---- reading ---- */

/* Where the study gives a buffer one length, a file of any shape will do that has as many. */
static bool has_shape(const struct kernel_argument *argument, const struct kernel_npy *array,
                      const struct kernel_npy *wanted)
{
    if (argument->values.count == 1)
        return kernel_npy_count(array) == kernel_npy_count(wanted);
    return array->dimensions == wanted->dimensions &&
           memcmp(array->shape, wanted->shape, wanted->dimensions * sizeof *wanted->shape) == 0;
}

static void check_array(const struct kernel_argument *argument, const char *path,
                        const struct kernel_npy *array, const struct kernel_npy *wanted,
                        struct clopt_error *error)
{
    char is[KERNEL_NPY_TEXT], should[KERNEL_NPY_TEXT];
    kernel_npy_print_type(array, is);
    kernel_npy_print_type(wanted, should);
    if (strcmp(is, should) != 0)
        kernel_fail(&argument->position, error, "%s: an array of %s, the buffer is of %s", path, is,
                    should);
    kernel_npy_print_shape(array, is);
    kernel_npy_print_shape(wanted, should);
    if (!has_shape(argument, array, wanted))
        kernel_fail(&argument->position, error, "%s: has the shape %s, the buffer %s", path, is,
                    should);
}

/* Copies vectors of three between a file, which has them without gaps, and a buffer, which leaves
 * room for a fourth number: `packs` is to the file. */
static void copy_elements(const struct kernel_type *type, size_t count, void *to, const void *from,
                          bool packs)
{
    size_t packed = type->width * type->scalar_bytes, room = kernel_type_bytes(type);
    for (size_t i = 0; i < count; i++)
        memcpy((char *)to + i * (packs ? packed : room),
               (const char *)from + i * (packs ? room : packed), packed);
}

void kernel_array_load(const struct kernel_argument *argument, const char *path,
                       struct kernel_scope *scope, void *data)
{
    size_t packed = argument->type.width * argument->type.scalar_bytes;
    size_t room = kernel_type_bytes(&argument->type);
    struct kernel_npy array, wanted = describe(argument, scope);
    struct clopt_error reason;
    CLOPT_FREED void *content = NULL;
    if (kernel_npy_load(path, &array, &content, &reason))
        kernel_fail_for(&argument->position, scope->error, &reason);
    else
        check_array(argument, path, &array, &wanted, scope->error);
    if (!scope->error->status) {
        size_t count = kernel_npy_bytes(&wanted) / packed;
        memset(data, 0, count * room);
        copy_elements(&argument->type, count, data, content, false);
    }
}

/* ---- writing ---- */

void kernel_array_write(const struct kernel_argument *argument, struct kernel_values values,
                        struct kernel_scope *scope, FILE *stream)
{
    struct kernel_npy array = describe(argument, scope);
    size_t packed = argument->type.width * argument->type.scalar_bytes;
    if (kernel_npy_bytes(&array) != values.count * packed) {
        size_t numbers = array.dimensions > argument->values.count;
        array.shape[1] = packed / array.scalar_bytes;
        array.shape[0] = values.count;
        array.dimensions = 1 + (unsigned)numbers;
    }
    CLOPT_FREED void *content = scope->error->status ? NULL : malloc(values.count * packed);
    if (content) {
        copy_elements(&argument->type, values.count, content, values.data, true);
        kernel_npy_write(stream, &array, content);
    } else if (!scope->error->status)
        clopt_fail_memory(scope->error);
}
