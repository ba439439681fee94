/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that are written together, over those of before and over no others. */
#include "document/file_set.h"

#include <sys/stat.h>
#include <unistd.h>

#include "file/file.h"
#include "file/sha256.h"

#define MOST_BYTES ((uint64_t)1 << 30) /* of a file of before */

void clopt_file_set_add(struct clopt_file_set *files, const char *name, char *data, size_t size)
{
    struct clopt_set_file *item = clopt_array_add(&files->items, &files->count, sizeof *item);
    *item = (struct clopt_set_file){clopt_strdup(name), data, size};
}

void clopt_file_set_add_text(struct clopt_file_set *files, const char *name,
                             struct clopt_text *text)
{
    size_t size = text->length;
    clopt_file_set_add(files, name, clopt_text_take(text), size);
}

void clopt_file_set_fini(struct clopt_file_set *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->items[i].name);
        free(files->items[i].data);
    }
    free(files->items);
    *files = (struct clopt_file_set){0};
}

/* Whether a file is there, and as a hash (NULL: none) says. */
static enum clopt_status check_file(const char *path, const char *hash, bool *is_there,
                                    struct clopt_error *error)
{
    struct stat about;
    CLOPT_FREED char *data = NULL;
    char now[CLOPT_HASH_SIZE] = "";
    size_t size = 0;
    *is_there = lstat(path, &about) == 0;
    if (!*is_there)
        return CLOPT_OK;
    if (!hash)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: exists already, and clopt did not write it; move it away, or name "
                          "another folder",
                          path);
    if (S_ISREG(about.st_mode)) {
        CLOPT_TRY(clopt_file_read(path, MOST_BYTES, &data, &size, error));
        clopt_sha256_bytes(data, size, now);
    }
    return strcmp(hash, now) == 0
               ? CLOPT_OK
               : clopt_fail(error, CLOPT_INVALID,
                            "%s: was changed since clopt wrote it; move it away, or name another "
                            "folder",
                            path);
}

bool clopt_file_set_has(const struct clopt_file_set *files, const char *name)
{
    for (size_t i = 0; i < files->count; i++)
        if (strcmp(files->items[i].name, name) == 0)
            return true;
    return false;
}

/* Reads which files were written before; NULL: there is no manifest. */
static enum clopt_status read_manifest(const char *path, const char *format, json_t **before,
                                       struct clopt_error *error)
{
    struct stat about;
    CLOPT_FREED char *text = NULL;
    *before = NULL;
    if (lstat(path, &about) != 0)
        return CLOPT_OK;
    CLOPT_TRY(clopt_text_read(path, &text, error));
    json_auto_t *json = json_loads(text, 0, NULL);
    const char *found = json_string_value(json_object_get(json, "format"));
    if (!found || strcmp(found, format) != 0)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: exists already, and clopt did not write it; move it away, or "
                          "name another folder",
                          path);
    *before = json_incref(json_object_get(json, "files"));
    return CLOPT_OK;
}

/* Checks all that is to be replaced, and removes what is not written again. */
static enum clopt_status make_way(const struct clopt_file_set *files, json_t *before,
                                  struct clopt_error *error)
{
    bool is_there;
    const char *name;
    json_t *hash;
    for (size_t i = 0; i < files->count; i++) {
        CLOPT_FREED char *path = clopt_path_join(files->folder, files->items[i].name);
        const char *known = json_string_value(json_object_get(before, files->items[i].name));
        CLOPT_TRY(check_file(path, known, &is_there, error));
    }
    if (files->grows)
        return CLOPT_OK;
    json_object_foreach(before, name, hash)
    {
        CLOPT_FREED char *path =
            strchr(name, '/') || clopt_file_set_has(files, name) || !json_is_string(hash)
                ? NULL
                : clopt_path_join(files->folder, name);
        if (path && !check_file(path, json_string_value(hash), &is_there, NULL) && is_there)
            unlink(path);
    }
    return CLOPT_OK;
}

/* Writes a file, and prints its path, if that is wanted. */
static enum clopt_status write_file(const struct clopt_file_set *files,
                                    const struct clopt_set_file *file, bool tells,
                                    struct clopt_error *error)
{
    CLOPT_FREED char *path = clopt_path_join(files->folder, file->name);
    if (files->grows)
        CLOPT_TRY(clopt_file_write_soon(path, file->data, file->size, error));
    else
        CLOPT_TRY(clopt_file_write(path, &clopt_file_any, file->data, file->size, error));
    if (files->stream && tells)
        clopt_text_print(files->stream, "%s\n", path);
    return CLOPT_OK;
}

/* Writes the manifest: a JSON object with the hashes of the files. */
static enum clopt_status write_manifest(const struct clopt_file_set *files, const char *manifest,
                                        const json_t *json, struct clopt_error *error)
{
    CLOPT_FREED char *printed = json_dumps(json, JSON_INDENT(2) | JSON_REAL_PRECISION(10));
    CLOPT_FREED char *text = clopt_text_format("%s\n", printed);
    const struct clopt_set_file file = {(char *)manifest, text, strlen(text)};
    return write_file(files, &file, !files->grows, error);
}

static enum clopt_status write_all(const struct clopt_file_set *files, json_t *hashes,
                                   struct clopt_error *error)
{
    for (size_t i = 0; i < files->count; i++) {
        const struct clopt_set_file *file = &files->items[i];
        char hash[CLOPT_HASH_SIZE];
        clopt_sha256_bytes(file->data, file->size, hash);
        json_object_set_new(hashes, file->name, json_string(hash));
        CLOPT_TRY(write_file(files, file, true, error));
    }
    return CLOPT_OK;
}

enum clopt_status clopt_file_set_write(const struct clopt_file_set *files, const char *manifest,
                                       json_t *given, struct clopt_error *error)
{
    json_auto_t *json = given, *before = NULL;
    CLOPT_FREED char *path = clopt_path_join(files->folder, manifest);
    const char *format = json_string_value(json_object_get(json, "format"));
    if (!json)
        return clopt_fail(error, CLOPT_FAILED, "%s cannot be written: a text in it is not UTF-8",
                          path);
    CLOPT_TRY(read_manifest(path, format, &before, error));
    CLOPT_TRY(make_way(files, before, error));
    json_t *hashes = files->grows && before ? json_incref(before) : json_object();
    json_object_set_new(json, "files", hashes);
    CLOPT_TRY(write_all(files, hashes, error));
    return write_manifest(files, manifest, json, error);
}
