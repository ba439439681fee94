/* SPDX-License-Identifier: BSD-3-Clause */
/* A native program that solves a problem instead of an app's kernels. */
#include "trial/rival.h"

#include <stdlib.h>
#include <string.h>

#include "trial/variant.h"

const char *clopt_rival_text(const json_t *rival, const char *key)
{
    const char *text = json_string_value(json_object_get(rival, key));
    return text ? text : "";
}

enum clopt_status clopt_rival_source(const json_t *rival, size_t index, const char *kernel_path,
                                     char **path, struct clopt_error *error)
{
    const char *name = json_string_value(json_array_get(json_object_get(rival, "sources"), index));
    size_t length = name ? strlen(name) : 0;
    if (!length)
        return clopt_fail(error, CLOPT_INVALID, "trial: a source of a rival has no name");
    bool shipped = name[0] == '<' && name[length - 1] == '>';
    char *copy = shipped ? strndup(name + 1, length - 2) : strdup(name);
    if (!shipped)
        *path = copy;
    enum clopt_status status = copy ? CLOPT_OK : clopt_fail_memory(error);
    if (!status && shipped)
        status = clopt_source_find(copy, kernel_path, path, error);
    if (shipped)
        free(copy);
    return status;
}

enum clopt_status clopt_rival_hash(const json_t *rival, const char *kernel_path,
                                   struct clopt_file_hashes *known, struct clopt_sha256 *hash,
                                   struct clopt_error *error)
{
    static const char *const keys[] = {"label", "folder", "command", "compiler", "cflags"};
    const json_t *libraries = json_object_get(rival, "libraries");
    const json_t *sources = json_object_get(rival, "sources");
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(keys[i], "folder") != 0 || *clopt_rival_text(rival, "command"))
            clopt_sha256_add_string(hash, clopt_rival_text(rival, keys[i]));
    for (size_t i = 0; i < json_array_size(libraries); i++)
        clopt_sha256_add_string(hash, json_string_value(json_array_get(libraries, i)));
    for (size_t i = 0; i < json_array_size(sources) && !status; i++) {
        char content[CLOPT_HASH_SIZE];
        char *path = NULL;
        status = clopt_rival_source(rival, i, kernel_path, &path, error);
        if (!status)
            status = clopt_file_hash(path, known, content, error);
        if (!status)
            clopt_sha256_add_string(hash, content);
        free(path);
    }
    return status;
}

enum clopt_status clopt_rival_key(const json_t *rival, const char *kernel_path,
                                  struct clopt_file_hashes *known, char key[CLOPT_HASH_SIZE],
                                  struct clopt_error *error)
{
    struct clopt_sha256 hash;
    clopt_sha256_init(&hash);
    clopt_sha256_add_string(&hash, key);
    enum clopt_status status = clopt_rival_hash(rival, kernel_path, known, &hash, error);
    clopt_sha256_end(&hash, key);
    return status;
}
