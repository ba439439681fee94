/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads whole files, and names paths. */
#include "file/file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define LONGEST_PART    60 /* of a file's name that says what is in it */
#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

static const char *kind_of(mode_t mode)
{
    return S_ISDIR(mode)    ? "a folder"
           : S_ISFIFO(mode) ? "a pipe"
           : S_ISSOCK(mode) ? "a socket"
                            : "a device";
}

/* Checks what was opened. A pipe may be read from now on: without a writer it ends at once. */
static enum clopt_status check(const char *path, int file, bool pipes, uint64_t most_bytes,
                               struct clopt_error *error)
{
    struct stat about;
    if (fstat(file, &about) != 0 || fcntl(file, F_SETFL, 0) != 0)
        return clopt_fail(error, CLOPT_INVALID, "%s: cannot be read: %s", path, strerror(errno));
    if (!S_ISREG(about.st_mode) && !(pipes && S_ISFIFO(about.st_mode)))
        return clopt_fail(error, CLOPT_INVALID, "%s: this is %s, not a file", path,
                          kind_of(about.st_mode));
    if ((uint64_t)about.st_size > most_bytes)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: has %" PRIu64 " MiB; no more than %" PRIu64 " are read", path,
                          (uint64_t)about.st_size >> 20, most_bytes >> 20);
    return CLOPT_OK;
}

/* Opens a file; never waits for who may write to it. */
static enum clopt_status open_file(const char *path, bool pipes, uint64_t most_bytes, FILE **stream,
                                   struct clopt_error *error)
{
    *stream = NULL;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return clopt_fail(error, CLOPT_INVALID, "%s: cannot be read: %s", path, strerror(errno));
    enum clopt_status status = check(path, file, pipes, most_bytes, error);
    if (!status && !(*stream = fdopen(file, "rb")))
        status = clopt_fail(error, CLOPT_FAILED, "%s: cannot be read: %s", path, strerror(errno));
    if (status)
        close(file);
    return status;
}

enum clopt_status clopt_file_open(const char *path, FILE **stream, struct clopt_error *error)
{
    return open_file(path, false, UINT64_MAX, stream, error);
}

uint64_t clopt_file_rest(FILE *stream)
{
    off_t here = ftello(stream);
    off_t end = here >= 0 && fseeko(stream, 0, SEEK_END) == 0 ? ftello(stream) : -1;
    return end < here || fseeko(stream, here, SEEK_SET) != 0 ? UINT64_MAX : (uint64_t)(end - here);
}

enum clopt_status clopt_file_check(const char *path, struct clopt_error *error)
{
    CLOPT_CLOSED FILE *stream = NULL;
    return clopt_file_open(path, &stream, error);
}

enum clopt_status clopt_file_open_text(const char *path, FILE **stream, struct clopt_error *error)
{
    return open_file(path, true, CLOPT_MOST_TEXT_BYTES, stream, error);
}

/* Reads a file. */
static enum clopt_status read_file(const char *path, bool pipes, uint64_t most_bytes,
                                   struct clopt_text *text, struct clopt_error *error)
{
    CLOPT_CLOSED FILE *stream = NULL;
    char chunk[65536];
    size_t got;
    CLOPT_TRY(open_file(path, pipes, most_bytes, &stream, error));
    errno = 0;
    while (text->length <= most_bytes && (got = fread(chunk, 1, sizeof chunk, stream)) > 0)
        clopt_text_append_bytes(text, chunk, got);
    if (ferror(stream))
        return clopt_fail(error, CLOPT_INVALID, "%s: cannot be read: %s", path, strerror(errno));
    if (text->length > most_bytes)
        return clopt_fail(error, CLOPT_INVALID, "%s: no more than %" PRIu64 " MiB are read", path,
                          most_bytes >> 20);
    clopt_text_append(text, ""); /* there is a text of an empty file, too */
    return CLOPT_OK;
}

enum clopt_status clopt_file_read(const char *path, uint64_t most_bytes, char **data, size_t *size,
                                  struct clopt_error *error)
{
    CLOPT_OWNED(clopt_text) text = {0};
    *data = NULL;
    CLOPT_TRY(read_file(path, false, most_bytes, &text, error));
    if (size)
        *size = text.length;
    *data = clopt_text_take(&text);
    return CLOPT_OK;
}

static enum clopt_status read_text(const char *path, bool pipes, char **text,
                                   struct clopt_error *error)
{
    CLOPT_OWNED(clopt_text) read = {0};
    size_t mark = strlen(BYTE_ORDER_MARK);
    *text = NULL;
    CLOPT_TRY(read_file(path, pipes, CLOPT_MOST_TEXT_BYTES, &read, error));
    if (strlen(read.data) != read.length)
        return clopt_fail(error, CLOPT_INVALID, "%s: this is not text: it holds a NUL", path);
    if (strncmp(read.data, BYTE_ORDER_MARK, mark) == 0) /* what is put before it would be first */
        memmove(read.data, read.data + mark, read.length - mark + 1);
    *text = clopt_text_take(&read);
    return CLOPT_OK;
}

enum clopt_status clopt_text_read(const char *path, char **text, struct clopt_error *error)
{
    return read_text(path, false, text, error);
}

enum clopt_status clopt_text_read_once(const char *path, char **text, struct clopt_error *error)
{
    return read_text(path, true, text, error);
}

char *clopt_path_join(const char *folder, const char *name)
{
    return clopt_text_format("%s%s%s", folder, clopt_text_ends(folder, "/") ? "" : "/", name);
}

char *clopt_path_beside(const char *file, const char *path)
{
    const char *slash = *path == '/' ? NULL : strrchr(file, '/');
    return clopt_text_format("%.*s%s", slash ? (int)(slash - file) + 1 : 0, file, path);
}

void clopt_file_name_append(struct clopt_text *name, const char *part)
{
    clopt_text_append(name, name->length && *part ? "-" : "");
    for (size_t i = 0; part[i] && i < LONGEST_PART; i++) {
        bool plain = isalnum((unsigned char)part[i]) || strchr("_.-", part[i]);
        bool follows = name->length && name->data[name->length - 1] == '_';
        if (plain && (i > 0 || part[i] != '.'))
            clopt_text_append_char(name, part[i]);
        else if (!follows)
            clopt_text_append_char(name, '_');
    }
}
