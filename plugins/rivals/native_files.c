/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rival is given and gives back: buffers as .npy files of bytes. */
#include <errno.h>
#include <unistd.h>

#include "file/file.h"
#include "rivals/native.h"

#define MAGIC      "\x93NUMPY"
#define PREFIX     10  /* bytes before the text of the header, */
#define TEXT_BYTES 118 /* and those of the text: together a multiple of 64 */

/* Writes what makes the bytes that follow a .npy file (version 1.0). */
static bool write_head(FILE *stream, size_t bytes)
{
    char text[TEXT_BYTES];
    snprintf(text, sizeof text, "{'descr': '|u1', 'fortran_order': False, 'shape': (%zu,), }",
             bytes);
    return fprintf(stream, MAGIC "%c%c%c%c%-*s\n", 1, 0, TEXT_BYTES, 0, TEXT_BYTES - 1, text) ==
           PREFIX + TEXT_BYTES;
}

static bool write_data(FILE *stream, const struct clopt_device_buffer *buffer)
{
    if (!buffer->filled)
        return fwrite(buffer->contents, buffer->bytes, 1, stream) == 1;
    for (size_t i = 0; i < buffer->bytes; i++)
        putc(buffer->byte, stream);
    return !ferror(stream);
}

static enum clopt_status write_input(const struct clopt_device_buffer *buffer, const char *folder,
                                     struct clopt_error *error)
{
    CLOPT_FREED char *path = clopt_text_format("%s/in/%s.npy", folder, buffer->name);
    FILE *stream = fopen(path, "wb");
    bool good = stream && write_head(stream, buffer->bytes) && write_data(stream, buffer);
    good = stream && fclose(stream) == 0 && good;
    return good ? CLOPT_OK : clopt_fail(error, CLOPT_FAILED, "%s: %s", path, strerror(errno));
}

enum clopt_status clopt_native_write_inputs(const struct clopt_buffers *buffers, const char *folder,
                                            struct clopt_error *error)
{
    for (unsigned id = 0; id < CLOPT_MAX_BUFFERS; id++) {
        const struct clopt_device_buffer *buffer = &buffers->items[id];
        if (buffer->name && (buffer->filled || buffer->contents))
            CLOPT_TRY(write_input(buffer, folder, error));
    }
    return CLOPT_OK;
}

/* Returns where the data of a .npy file begin; 0: it is none that can be taken as it is. */
static size_t find_data(const unsigned char *file, size_t bytes)
{
    size_t prefix = bytes > PREFIX && file[6] > 1 ? PREFIX + 2 : PREFIX;
    if (bytes < prefix + 1 || memcmp(file, MAGIC, 6) != 0)
        return 0;
    size_t length = file[8] | (size_t)file[9] << 8;
    if (prefix > PREFIX)
        length |= (size_t)file[10] << 16 | (size_t)file[11] << 24;
    if (length > bytes - prefix)
        return 0;
    CLOPT_FREED char *text = clopt_strndup((const char *)file + prefix, length);
    bool good = strstr(text, "'fortran_order': False") && !strstr(text, "'>");
    return good ? prefix + length : 0;
}

enum clopt_status clopt_native_read_result(const char *folder, const char *name, size_t bytes,
                                           void **data, struct clopt_error *error)
{
    CLOPT_FREED char *path = clopt_text_format("%s/out/%s.npy", folder, name);
    char *file = NULL;
    size_t size = 0;
    *data = NULL;
    if (access(path, F_OK) != 0)
        return CLOPT_OK;
    CLOPT_TRY(clopt_file_read(path, bytes + 65536, &file, &size, error));
    size_t from = find_data((unsigned char *)file, size);
    if (from && size - from == bytes) {
        *data = memmove(file, file + from, bytes);
        return CLOPT_OK;
    }
    free(file);
    return from ? clopt_fail(error, CLOPT_WRONG_RESULT,
                             "out/%s.npy: %zu bytes of data, the buffer has %zu", name, size - from,
                             bytes)
                : clopt_fail(error, CLOPT_WRONG_RESULT,
                             "out/%s.npy: no .npy file in C order and the machine's byte order",
                             name);
}
