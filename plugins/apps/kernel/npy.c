/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes .npy files: a magic word, a header, the numbers. */
#include "npy.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <clopt/file.h>

#include "npy_header.h"

#define MAGIC          "\x93NUMPY"
#define MAGIC_BYTES    6
#define LONGEST_HEADER 65536
#define ALIGNMENT      64 /* of what is after the header */

size_t kernel_npy_count(const struct kernel_npy *array)
{
    size_t count = 1;
    for (unsigned i = 0; i < array->dimensions; i++)
        count *= array->shape[i];
    return count;
}

size_t kernel_npy_bytes(const struct kernel_npy *array)
{
    return kernel_npy_count(array) * array->scalar_bytes;
}

void kernel_npy_type(const struct kernel_npy *array, char *name)
{
    unsigned bits = 8 * (unsigned)array->scalar_bytes;
    const char *kind = array->kind == KERNEL_NPY_REAL     ? "float"
                       : array->kind == KERNEL_NPY_SIGNED ? "int"
                                                          : "uint";
    if (array->kind == KERNEL_NPY_BOOL)
        snprintf(name, 16, "bool");
    else
        snprintf(name, 16, "%s%u", kind, bits % 100);
}

static enum clopt_status fail_memory(struct clopt_error *error)
{
    return clopt_fail_memory(error);
}

/* ---- reading ---- */

static enum clopt_status fail_read(FILE *stream, const char *name, struct clopt_error *error)
{
    if (ferror(stream))
        return clopt_fail(error, CLOPT_INVALID, "%s: cannot be read: %s", name, strerror(errno));
    return clopt_fail(error, CLOPT_INVALID, "%s: this is not a .npy file, or the end is missing",
                      name);
}

/* Reads the magic word, the version and the length of the header. */
static enum clopt_status read_start(FILE *stream, const char *name, size_t *length,
                                    struct clopt_error *error)
{
    unsigned char start[MAGIC_BYTES + 2];
    unsigned char bytes[4] = {0};
    errno = 0;
    if (fread(start, 1, sizeof start, stream) != sizeof start)
        return fail_read(stream, name, error);
    if (memcmp(start, MAGIC, MAGIC_BYTES) != 0)
        return clopt_fail(error, CLOPT_INVALID, "%s: this is not a .npy file", name);
    unsigned version = start[MAGIC_BYTES];
    if (version < 1 || version > 3)
        return clopt_fail(error, CLOPT_INVALID, "%s: version %u.%u of .npy; 1 to 3 are known", name,
                          version, (unsigned)start[MAGIC_BYTES + 1]);
    size_t width = version == 1 ? 2 : 4;
    if (fread(bytes, 1, width, stream) != width)
        return fail_read(stream, name, error);
    *length =
        (size_t)bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 | (size_t)bytes[3] << 24;
    if (*length > LONGEST_HEADER)
        return clopt_fail(error, CLOPT_INVALID, "%s: a header of %zu bytes; %d are allowed", name,
                          *length, LONGEST_HEADER);
    return CLOPT_OK;
}

static enum clopt_status read_header(FILE *stream, const char *name, struct kernel_npy *array,
                                     struct clopt_error *error)
{
    size_t length = 0;
    enum clopt_status status = read_start(stream, name, &length, error);
    if (status)
        return status;
    char *text = calloc(1, length + 1);
    if (!text)
        return fail_memory(error);
    if (fread(text, 1, length, stream) != length)
        status = fail_read(stream, name, error);
    else if (strlen(text) != length)
        status = clopt_fail(error, CLOPT_INVALID, "%s: the header holds a NUL", name);
    else
        status = kernel_npy_header_read(text, name, array, error);
    free(text);
    return status;
}

enum clopt_status kernel_npy_read(FILE *stream, const char *name, struct kernel_npy *array,
                                  void **data, struct clopt_error *error)
{
    *data = NULL;
    enum clopt_status status = read_header(stream, name, array, error);
    if (status)
        return status;
    uint64_t rest = clopt_file_rest(stream);
    size_t bytes = kernel_npy_bytes(array);
    if (rest == UINT64_MAX)
        return clopt_fail(error, CLOPT_INVALID, "%s: this is not a plain file", name);
    if (rest != bytes)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: the header says %zu bytes of numbers, but the file has %" PRIu64,
                          name, bytes, rest);
    void *numbers = malloc(bytes + 1);
    if (!numbers)
        return fail_memory(error);
    if (fread(numbers, 1, bytes, stream) != bytes) {
        free(numbers);
        return fail_read(stream, name, error);
    }
    *data = numbers;
    return CLOPT_OK;
}

enum clopt_status kernel_npy_load(const char *path, struct kernel_npy *array, void **data,
                                  struct clopt_error *error)
{
    FILE *stream;
    *data = NULL;
    enum clopt_status status = clopt_file_open(path, &stream, error);
    if (status)
        return status;
    status = kernel_npy_read(stream, path, array, data, error);
    fclose(stream);
    return status;
}

/* ---- writing ---- */

static enum clopt_status fail_write(const char *name, struct clopt_error *error)
{
    return clopt_fail(error, CLOPT_FAILED, "%s: cannot be written: %s", name, strerror(errno));
}

/* Prints the header with blanks after it, and returns its length. */
static size_t print_header(const struct kernel_npy *array, char *text, size_t size)
{
    size_t length = (size_t)snprintf(
        text, size, "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': (",
        array->scalar_bytes == 1 ? '|' : '<', (char)array->kind, array->scalar_bytes);
    for (unsigned i = 0; i < array->dimensions; i++)
        length +=
            (size_t)snprintf(text + length, size - length, "%s%zu", i ? ", " : "", array->shape[i]);
    length +=
        (size_t)snprintf(text + length, size - length, "%s), }", array->dimensions == 1 ? "," : "");
    while ((MAGIC_BYTES + 4 + length + 1) % ALIGNMENT)
        text[length++] = ' ';
    text[length++] = '\n';
    return length;
}

enum clopt_status kernel_npy_write(FILE *stream, const char *name, const struct kernel_npy *array,
                                   const void *data, struct clopt_error *error)
{
    char text[128 + 24 * KERNEL_NPY_DIMENSIONS];
    size_t length = print_header(array, text, sizeof text);
    unsigned char start[MAGIC_BYTES + 4] = MAGIC;
    size_t bytes = kernel_npy_bytes(array);
    start[MAGIC_BYTES] = 1;
    start[MAGIC_BYTES + 2] = (unsigned char)(length & 0xff);
    start[MAGIC_BYTES + 3] = (unsigned char)(length >> 8);
    errno = 0;
    if (fwrite(start, 1, sizeof start, stream) != sizeof start ||
        fwrite(text, 1, length, stream) != length ||
        (bytes && fwrite(data, 1, bytes, stream) != bytes) || fflush(stream) != 0)
        return fail_write(name, error);
    return CLOPT_OK;
}
