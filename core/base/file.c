/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes whole files. */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

enum clopt_status clopt_file_read(const char *path, char **data, size_t *size,
                                  struct clopt_error *error)
{
    FILE *stream = fopen(path, "rb");
    if (!stream)
        return clopt_fail(error, CLOPT_INVALID, "%s: %s", path, strerror(errno));
    struct clopt_text text = {0};
    char chunk[65536];
    size_t got;
    errno = 0;
    while ((got = fread(chunk, 1, sizeof chunk, stream)) > 0)
        clopt_text_append_bytes(&text, chunk, got);
    int failed = ferror(stream) ? errno : 0;
    fclose(stream);
    if (failed) {
        clopt_text_fini(&text);
        return clopt_fail(error, CLOPT_INVALID, "%s: %s", path, strerror(failed));
    }
    size_t length = text.length;
    *data = clopt_text_take(&text);
    if (!*data)
        return clopt_fail_memory(error);
    if (size)
        *size = length;
    return CLOPT_OK;
}

static int write_all(int file, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t done = write(file, data, size);
        if (done < 0 && errno != EINTR)
            return -1;
        if (done > 0) {
            data += done;
            size -= (size_t)done;
        }
    }
    return 0;
}

/* Gives a finished file its name; one that is there already stays, unless it is to be replaced. */
static int put_in_place(const char *temporary, const char *path, bool replace)
{
    if (replace)
        return rename(temporary, path);
    if (link(temporary, path) != 0)
        return -1;
    unlink(temporary);
    return 0;
}

static enum clopt_status write_file(const char *path, const void *data, size_t size, bool replace,
                                    bool sync, struct clopt_error *error)
{
    struct clopt_text temporary = {0};
    clopt_text_printf(&temporary, "%s.XXXXXX", path);
    if (temporary.failed) {
        clopt_text_fini(&temporary);
        return clopt_fail_memory(error);
    }
    enum clopt_status status = CLOPT_OK;
    int file = mkstemp(temporary.data);
    if (file < 0) {
        status = clopt_fail(error, CLOPT_FAILED, "%s: %s", path, strerror(errno));
        clopt_text_fini(&temporary);
        return status;
    }
    mode_t mask = umask(0);
    umask(mask);
    int bad = write_all(file, data, size) != 0 || fchmod(file, 0666 & ~mask) != 0 ||
              (sync && fsync(file) != 0);
    int saved = errno;
    if (close(file) != 0 && !bad) {
        bad = 1;
        saved = errno;
    }
    if (!bad && put_in_place(temporary.data, path, replace) != 0) {
        bad = 1;
        saved = errno;
    }
    if (bad) {
        unlink(temporary.data);
        status = clopt_fail(error, CLOPT_FAILED, "%s: %s", path, strerror(saved));
    }
    clopt_text_fini(&temporary);
    return status;
}

enum clopt_status clopt_file_write(const char *path, const void *data, size_t size,
                                   struct clopt_error *error)
{
    return write_file(path, data, size, true, true, error);
}

enum clopt_status clopt_file_write_soon(const char *path, const void *data, size_t size,
                                        struct clopt_error *error)
{
    return write_file(path, data, size, true, false, error);
}

enum clopt_status clopt_file_create(const char *path, const void *data, size_t size,
                                    struct clopt_error *error)
{
    return write_file(path, data, size, false, true, error);
}

char *clopt_path_join(const char *folder, const char *name)
{
    struct clopt_text path = {0};
    size_t length = strlen(folder);
    clopt_text_printf(&path, "%s%s%s", folder, length && folder[length - 1] == '/' ? "" : "/",
                      name);
    return clopt_text_take(&path);
}

char *clopt_path_beside(const char *file, const char *path)
{
    const char *slash = strrchr(file, '/');
    struct clopt_text joined = {0};
    if (slash && *path != '/')
        clopt_text_append_bytes(&joined, file, (size_t)(slash - file) + 1);
    clopt_text_append(&joined, path);
    return clopt_text_take(&joined);
}

void clopt_folder_remove(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return;
    struct dirent *entry;
    while ((entry = readdir(folder))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        char *inner = clopt_path_join(path, entry->d_name);
        struct stat info;
        if (inner && lstat(inner, &info) == 0) {
            if (S_ISDIR(info.st_mode))
                clopt_folder_remove(inner);
            else
                unlink(inner);
        }
        free(inner);
    }
    closedir(folder);
    rmdir(path);
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

enum clopt_status clopt_folder_create(const char *path, struct clopt_error *error)
{
    char *copy = strdup(path);
    if (!copy)
        return clopt_fail_memory(error);
    enum clopt_status status = CLOPT_OK;
    for (char *end = copy + 1; !status; end++) {
        if (*end != '/' && *end != '\0')
            continue;
        char saved = *end;
        *end = '\0';
        if (mkdir(copy, 0777) != 0 && errno != EEXIST)
            status = clopt_fail(error, CLOPT_FAILED, "%s: %s", copy, strerror(errno));
        else if (!is_folder(copy))
            status = clopt_fail(error, CLOPT_FAILED, "%s: %s", copy, strerror(ENOTDIR));
        *end = saved;
        if (!saved)
            break;
    }
    free(copy);
    return status;
}
