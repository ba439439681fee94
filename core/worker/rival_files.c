/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rival is given and gives back: buffers as .npy files of bytes. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "worker/rival.h"

#define MAGIC      "\x93NUMPY"
#define PREFIX     10  /* bytes before the text of the header, */
#define TEXT_BYTES 118 /* and those of the text: together a multiple of 64 */

/* Names the file of a buffer; NULL when memory runs out. */
static char *name_file(const char *folder, const char *part, const char *name)
{
    struct clopt_text path = {0};
    clopt_text_printf(&path, "%s/%s/%s.npy", folder, part, name);
    return clopt_text_take(&path);
}

/* Writes what makes the bytes that follow a .npy file (version 1.0). */
static bool write_head(FILE *stream, size_t bytes)
{
    static const char prefix[PREFIX] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0, TEXT_BYTES, 0};
    char text[TEXT_BYTES];
    snprintf(text, sizeof text, "{'descr': '|u1', 'fortran_order': False, 'shape': (%zu,), }",
             bytes);
    return fwrite(prefix, sizeof prefix, 1, stream) == 1 &&
           fprintf(stream, "%-*s\n", TEXT_BYTES - 1, text) == TEXT_BYTES;
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
    char *path = name_file(folder, "in", buffer->name);
    FILE *stream = path ? fopen(path, "wb") : NULL;
    bool good = stream && write_head(stream, buffer->bytes) && write_data(stream, buffer);
    good = stream && fclose(stream) == 0 && good;
    enum clopt_status status = CLOPT_OK;
    if (!path)
        status = clopt_fail_memory(error);
    else if (!good)
        status = clopt_fail(error, CLOPT_FAILED, "%s: %s", path, strerror(errno));
    free(path);
    return status;
}

enum clopt_status clopt_rival_write_inputs(const struct clopt_buffers *buffers, const char *folder,
                                           struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    for (unsigned id = 0; id < CLOPT_MAX_BUFFERS && !status; id++) {
        const struct clopt_device_buffer *buffer = &buffers->items[id];
        if (buffer->name && (buffer->filled || buffer->contents))
            status = write_input(buffer, folder, error);
    }
    return status;
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
    char *text = strndup((const char *)file + prefix, length);
    bool good = text && strstr(text, "'fortran_order': False") && !strstr(text, "'>");
    free(text);
    return good ? prefix + length : 0;
}

enum clopt_status clopt_rival_read_result(const char *folder, const char *name, size_t bytes,
                                          void **data, struct clopt_error *error)
{
    char *path = name_file(folder, "out", name), *file = NULL;
    size_t size = 0;
    enum clopt_status status = path ? CLOPT_OK : clopt_fail_memory(error);
    *data = NULL;
    if (!status && access(path, F_OK) == 0)
        status = clopt_file_read(path, bytes + 65536, &file, &size, error);
    size_t from = file ? find_data((unsigned char *)file, size) : 0;
    if (file && !from)
        status =
            clopt_fail(error, CLOPT_WRONG_RESULT,
                       "out/%s.npy: no .npy file in C order and the machine's byte order", name);
    else if (file && size - from != bytes)
        status = clopt_fail(error, CLOPT_WRONG_RESULT,
                            "out/%s.npy: %zu bytes of data, the buffer has %zu", name, size - from,
                            bytes);
    if (file && !status) {
        memmove(file, file + from, bytes);
        *data = file;
        file = NULL;
    }
    free(file);
    free(path);
    return status;
}
