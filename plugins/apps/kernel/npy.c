/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes .npy files: a magic word, a header, the numbers. */
#include "npy.h"

#include <ctype.h>
#include <errno.h>

#include <clopt/file.h>

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

void kernel_npy_print_type(const struct kernel_npy *array, char text[KERNEL_NPY_TEXT])
{
    const char *kind = array->kind == 'f' ? "float" : array->kind == 'i' ? "int" : "uint";
    snprintf(text, KERNEL_NPY_TEXT, "%s%zu", kind, 8 * array->scalar_bytes);
}

void kernel_npy_print_shape(const struct kernel_npy *array, char text[KERNEL_NPY_TEXT])
{
    size_t end = 0;
    text[end++] = '(';
    for (unsigned d = 0; d < array->dimensions; d++)
        end += (size_t)snprintf(text + end, KERNEL_NPY_TEXT - end, "%s%zu", d ? ", " : "",
                                array->shape[d]);
    snprintf(text + end, KERNEL_NPY_TEXT - end, array->dimensions == 1 ? ",)" : ")");
}

/* A file that is read. Once something is wrong nothing more is read. */
struct reading {
    const char *name; /* of the file */
    struct kernel_npy *array;
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

/* ---- the header: a dictionary of Python ---- */

/* Finds the value of a key, which is in quotes; NULL: it is not there. */
static const char *find_value(const char *header, const char *key)
{
    const char *at = strstr(header, key);
    at = at ? at + strlen(key) : NULL;
    return at && (*at == '\'' || *at == '"') ? at + 1 + strspn(at + 1, " :") : NULL;
}

/* Reads '<f4': byte order, kind and bytes. */
static void read_type(struct reading *reading, const char *text)
{
    static const char *const types[] = {"b1", "i1", "i2", "i4", "i8", "u1",
                                        "u2", "u4", "u8", "f2", "f4", "f8"};
    char type[16] = "";
    bool known = false;
    sscanf(text, "%*1['\"]%15[^'\"]", type);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        known |= *type && strchr("<>|=", *type) && strcmp(type + 1, types[i]) == 0;
    if (*text == '[')
        refuse(reading, "arrays of structures are not supported; save each field by itself");
    else if (!known)
        refuse(reading,
               "elements of type %s are not supported; there are b1, i1 to i8, u1 to u8 and f2 to "
               "f8",
               type);
    else if (type[2] > '1' && *type != '<')
        refuse(reading, "the elements are %s, not little-endian; save it with astype('<%s')", type,
               type + 1);
    reading->array->kind = type[1] == 'b' ? 'u' : type[1];
    reading->array->scalar_bytes = known ? (size_t)(type[2] - '0') : 1;
}

/* Reads (3, 4), (3,) or (); lengths of Python 2 may have an L after them. False: it is none. */
static bool read_shape(struct reading *reading, const char *text)
{
    struct kernel_npy *array = reading->array;
    size_t bytes = array->scalar_bytes;
    bool more = *text++ == '(';
    for (text += strspn(text, " "); more && isdigit((unsigned char)*text);
         text += strspn(text, " ")) {
        char *end;
        if (array->dimensions == KERNEL_NPY_DIMENSIONS)
            refuse(reading, "more than %d dimensions", KERNEL_NPY_DIMENSIONS);
        if (reading->status)
            return true;
        errno = 0;
        size_t length = strtoull(text, &end, 10);
        array->shape[array->dimensions++] = length;
        if (errno || (length && bytes > SIZE_MAX / 2 / length))
            refuse(reading, "the shape is too large");
        bytes *= length;
        end += *end == 'L';
        more = *end == ',';
        text = end + more;
    }
    return *text == ')';
}

static void read_header(struct reading *reading, const char *text)
{
    const char *type = find_value(text, "descr"), *order = find_value(text, "fortran_order");
    const char *shape = find_value(text, "shape"), *end = strrchr(text, '}');
    bool fortran = order && strncmp(order, "True", 4) == 0;
    *reading->array = (struct kernel_npy){.kind = 'f'};
    bool good = *text == '{' && end && !end[1 + strspn(end + 1, " \n")];
    if (good && (!type || !order || !shape))
        refuse(reading, "the header lacks descr, fortran_order or shape");
    else if (good)
        read_type(reading, type);
    if (good && fortran)
        refuse(reading,
               "the elements are in Fortran's order; save it with numpy.ascontiguousarray()");
    if (!reading->status)
        good = good && strncmp(order, "False", 5) == 0 && read_shape(reading, shape);
    if (!good)
        refuse(reading, "the header is not that of a .npy file: %.60s", text);
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
    struct reading reading = {.name = name, .array = array, .error = error};
    size_t length = read_start(&reading, stream);
    CLOPT_FREED char *header = read_block(&reading, stream, length);
    if (header && strlen(header) != length)
        refuse(&reading, "the header holds a NUL");
    read_header(&reading, header ? header : "");
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
    CLOPT_CLOSED FILE *stream = NULL;
    *data = NULL;
    CLOPT_TRY(clopt_file_open(path, &stream, error));
    return kernel_npy_read(stream, path, array, data, error);
}

void kernel_npy_write(FILE *stream, const struct kernel_npy *array, const void *data)
{
    char shape[KERNEL_NPY_TEXT], text[128 + KERNEL_NPY_TEXT] = MAGIC "\1"; /* version 1.0 */
    const size_t start = MAGIC_BYTES + 4;
    kernel_npy_print_shape(array, shape);
    size_t end =
        start + (size_t)snprintf(text + start, sizeof text - start,
                                 "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': %s, }",
                                 array->scalar_bytes == 1 ? '|' : '<', array->kind,
                                 array->scalar_bytes, shape);
    while ((end + 1) % ALIGNMENT)
        text[end++] = ' ';
    text[end++] = '\n';
    text[MAGIC_BYTES + 2] = (char)((end - start) & 0xff);
    text[MAGIC_BYTES + 3] = (char)((end - start) >> 8);
    fwrite(text, 1, end, stream);
    fwrite(data, 1, kernel_npy_bytes(array), stream);
}
