/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes .npy files: a magic word, a header, the numbers. */
#include "npy.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <clopt/file.h>

#define MAGIC          "\x93NUMPY"
#define MAGIC_BYTES    6
#define LONGEST_HEADER 65536
#define LONGEST_WORD   64
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

/* ---- the header: a dictionary of Python ---- */

/* A file that is read. Once something is wrong nothing more is read. */
struct reading {
    const char *name; /* of the file */
    const char *rest; /* of the header */
    struct kernel_npy *array;
    bool has_type, has_order, has_shape;
    enum clopt_status status;
    struct clopt_error *error;
};

static void CLOPT_PRINTF(2, 3) refuse(struct reading *reading, const char *format, ...)
{
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (!reading->status)
        reading->status =
            clopt_fail(reading->error, CLOPT_INVALID, "%s: %s", reading->name, message);
}

static void refuse_format(struct reading *reading)
{
    refuse(reading, "the header is not that of a .npy file, at \"%.20s\"", reading->rest);
}

/* Moves past a character; false where it is another one. */
static bool accept(struct reading *reading, char character)
{
    while (isspace((unsigned char)*reading->rest))
        reading->rest++;
    if (reading->status || *reading->rest != character)
        return false;
    reading->rest++;
    return true;
}

/* Reads a text in single or double quotes. */
static bool read_text(struct reading *reading, char text[LONGEST_WORD])
{
    char quote = accept(reading, '\'') ? '\'' : '"';
    if (quote == '"' && !accept(reading, '"'))
        return false;
    size_t length = strcspn(reading->rest, quote == '"' ? "\"\\" : "'\\");
    if (reading->rest[length] != quote || length >= LONGEST_WORD)
        return false;
    memcpy(text, reading->rest, length);
    text[length] = '\0';
    reading->rest += length + 1;
    return true;
}

/* Reads '<f4': byte order, kind and bytes. */
static void read_type(struct reading *reading)
{
    static const char *const types[] = {"b1", "i1", "i2", "i4", "i8", "u1",
                                        "u2", "u4", "u8", "f2", "f4", "f8"};
    char text[LONGEST_WORD];
    bool known = false;
    accept(reading, ' ');
    if (accept(reading, '['))
        refuse(reading, "arrays of structures are not supported; save each field by itself");
    else if (!read_text(reading, text))
        refuse_format(reading);
    if (reading->status)
        return;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        known |= *text && strchr("<>|=", *text) && strcmp(text + 1, types[i]) == 0;
    if (!known)
        refuse(reading,
               "elements of type %s are not supported; there are b1, i1 to i8, u1 to u8 and f2 to "
               "f8",
               text);
    else if (text[2] > '1' && *text != '<')
        refuse(reading, "the elements are %s, not little-endian; save it with astype('<%s')", text,
               text + 1);
    reading->array->kind = (enum kernel_npy_kind)text[1];
    reading->array->scalar_bytes = known ? (size_t)(text[2] - '0') : 1;
    reading->has_type = true;
}

static void read_order(struct reading *reading)
{
    reading->rest += strspn(reading->rest, " ");
    if (strncmp(reading->rest, "True", 4) == 0)
        refuse(reading,
               "the elements are in Fortran's order; save it with numpy.ascontiguousarray()");
    else if (strncmp(reading->rest, "False", 5) != 0)
        refuse_format(reading);
    else
        reading->rest += 5;
    reading->has_order = true;
}

/* Reads one length; those of Python 2 may have an L after them. */
static void read_length(struct reading *reading)
{
    struct kernel_npy *array = reading->array;
    char *end;
    if (!isdigit((unsigned char)*reading->rest))
        refuse_format(reading);
    else if (array->dimensions == KERNEL_NPY_DIMENSIONS)
        refuse(reading, "more than %d dimensions", KERNEL_NPY_DIMENSIONS);
    if (reading->status)
        return;
    errno = 0;
    array->shape[array->dimensions++] = strtoull(reading->rest, &end, 10);
    if (errno)
        refuse(reading, "the shape is too large");
    reading->rest = end + (*end == 'L');
}

/* Reads what is between a character and another one, with commas between the parts. */
static void read_list(struct reading *reading, const char *brackets,
                      void (*read)(struct reading *reading))
{
    bool more = accept(reading, brackets[0]);
    if (!more)
        refuse_format(reading);
    while (!reading->status && !accept(reading, brackets[1])) {
        if (more)
            read(reading);
        else
            refuse_format(reading);
        more = accept(reading, ',');
    }
}

static void read_entry(struct reading *reading)
{
    char key[LONGEST_WORD];
    if (!read_text(reading, key) || !accept(reading, ':'))
        refuse_format(reading);
    else if (strcmp(key, "descr") == 0 && !reading->has_type)
        read_type(reading);
    else if (strcmp(key, "fortran_order") == 0 && !reading->has_order)
        read_order(reading);
    else if (strcmp(key, "shape") == 0 && !reading->has_shape) {
        read_list(reading, "()", read_length);
        reading->has_shape = true;
    } else
        refuse_format(reading);
}

/* Reads the header, and checks that the bytes of the array can be counted. */
static void read_header(struct reading *reading)
{
    struct kernel_npy *array = reading->array;
    *array = (struct kernel_npy){.kind = KERNEL_NPY_REAL};
    read_list(reading, "{}", read_entry);
    if (!reading->status && reading->rest[strspn(reading->rest, " \n")])
        refuse_format(reading);
    if (!reading->has_type || !reading->has_order || !reading->has_shape)
        refuse(reading, "the header lacks descr, fortran_order or shape");
    size_t bytes = array->scalar_bytes;
    for (unsigned i = 0; i < array->dimensions && !reading->status; i++) {
        if (array->shape[i] && bytes > SIZE_MAX / 2 / array->shape[i])
            refuse(reading, "the shape is too large");
        bytes *= array->shape[i];
    }
}

/* ---- files ---- */

/* Reads so many bytes of the file. */
static void read_bytes(struct reading *reading, FILE *stream, void *bytes, size_t count)
{
    errno = 0;
    if (reading->status || fread(bytes, 1, count, stream) == count)
        return;
    if (ferror(stream))
        refuse(reading, "cannot be read: %s", strerror(errno));
    refuse(reading, "this is not a .npy file, or the end is missing");
}

/* Reads the magic word, the version and the length of the header. */
static size_t read_start(struct reading *reading, FILE *stream)
{
    unsigned char start[MAGIC_BYTES + 2] = "", bytes[4] = {0};
    read_bytes(reading, stream, start, sizeof start);
    if (memcmp(start, MAGIC, MAGIC_BYTES) != 0)
        refuse(reading, "this is not a .npy file");
    unsigned version = start[MAGIC_BYTES];
    if (version < 1 || version > 3)
        refuse(reading, "version %u.%u of .npy; 1 to 3 are known", version,
               (unsigned)start[MAGIC_BYTES + 1]);
    read_bytes(reading, stream, bytes, version == 1 ? 2 : 4);
    size_t length =
        (size_t)bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 | (size_t)bytes[3] << 24;
    if (length > LONGEST_HEADER)
        refuse(reading, "a header of %zu bytes; %d are allowed", length, LONGEST_HEADER);
    return reading->status ? 0 : length;
}

/* Reads so many bytes into memory, for the caller to free, with a NUL after them. */
static void *read_block(struct reading *reading, FILE *stream, size_t bytes)
{
    char *block = reading->status ? NULL : malloc(bytes + 1);
    if (!block && !reading->status)
        reading->status = clopt_fail_memory(reading->error);
    if (!block)
        return NULL;
    block[bytes] = '\0';
    read_bytes(reading, stream, block, bytes);
    if (!reading->status)
        return block;
    free(block);
    return NULL;
}

enum clopt_status kernel_npy_read(FILE *stream, const char *name, struct kernel_npy *array,
                                  void **data, struct clopt_error *error)
{
    struct reading reading = {.name = name, .rest = "", .array = array, .error = error};
    size_t length = read_start(&reading, stream);
    char *header = read_block(&reading, stream, length);
    if (header && strlen(header) != length)
        refuse(&reading, "the header holds a NUL");
    reading.rest = header ? header : "";
    read_header(&reading);
    free(header);
    uint64_t rest = reading.status ? 0 : clopt_file_rest(stream);
    size_t bytes = reading.status ? 0 : kernel_npy_bytes(array);
    if (rest == UINT64_MAX)
        refuse(&reading, "this is not a plain file");
    else if (rest != bytes)
        refuse(&reading, "the header says %zu bytes of numbers, but the file has %" PRIu64, bytes,
               rest);
    *data = read_block(&reading, stream, bytes);
    return reading.status;
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

enum clopt_status kernel_npy_write(FILE *stream, const char *name, const struct kernel_npy *array,
                                   const void *data, struct clopt_error *error)
{
    char text[128 + 24 * KERNEL_NPY_DIMENSIONS] = MAGIC "\1"; /* version 1.0 */
    const size_t start = MAGIC_BYTES + 4;
    size_t size = sizeof text, bytes = kernel_npy_bytes(array);
    size_t end = start + (size_t)snprintf(text + start, size - start,
                                          "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': (",
                                          array->scalar_bytes == 1 ? '|' : '<', (char)array->kind,
                                          array->scalar_bytes);
    for (unsigned i = 0; i < array->dimensions; i++)
        end += (size_t)snprintf(text + end, size - end, "%s%zu", i ? ", " : "", array->shape[i]);
    end += (size_t)snprintf(text + end, size - end, "%s), }", array->dimensions == 1 ? "," : "");
    while ((end + 1) % ALIGNMENT)
        text[end++] = ' ';
    text[end++] = '\n';
    text[MAGIC_BYTES + 2] = (char)((end - start) & 0xff);
    text[MAGIC_BYTES + 3] = (char)((end - start) >> 8);
    errno = 0;
    if (fwrite(text, 1, end, stream) != end || (bytes && fwrite(data, 1, bytes, stream) != bytes) ||
        fflush(stream) != 0)
        return clopt_fail(error, CLOPT_FAILED, "%s: cannot be written: %s", name, strerror(errno));
    return CLOPT_OK;
}
