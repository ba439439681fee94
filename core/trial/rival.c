/* SPDX-License-Identifier: BSD-3-Clause */
/* A native program that solves a problem instead of an app's kernels. */
#include "trial/rival.h"

#include "file/file.h"
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
    if (name[0] != '<' || name[length - 1] != '>') {
        *path = clopt_strdup(name);
        return CLOPT_OK;
    }
    CLOPT_FREED char *shipped = clopt_strndup(name + 1, length - 2);
    return clopt_source_find(shipped, kernel_path, path, error);
}

enum clopt_status clopt_rival_hash(const json_t *rival, const char *kernel_path,
                                   struct clopt_file_hashes *known, struct clopt_sha256 *hash,
                                   struct clopt_error *error)
{
    static const char *const keys[] = {"label", "folder", "command", "compiler", "cflags"};
    const json_t *libraries = json_object_get(rival, "libraries");
    const json_t *sources = json_object_get(rival, "sources");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(keys[i], "folder") != 0 || *clopt_rival_text(rival, "command"))
            clopt_sha256_add_string(hash, clopt_rival_text(rival, keys[i]));
    if (*clopt_rival_text(rival, "kind"))
        clopt_sha256_add_string(hash, clopt_rival_text(rival, "kind"));
    for (size_t i = 0; i < json_array_size(libraries); i++)
        clopt_sha256_add_string(hash, json_string_value(json_array_get(libraries, i)));
    for (size_t i = 0; i < json_array_size(sources); i++) {
        char content[CLOPT_HASH_SIZE];
        CLOPT_FREED char *path = NULL;
        CLOPT_TRY(clopt_rival_source(rival, i, kernel_path, &path, error));
        CLOPT_TRY(clopt_file_hash(path, known, content, error));
        clopt_sha256_add_string(hash, content);
    }
    return CLOPT_OK;
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

enum clopt_status clopt_rival_find(const struct clopt_registry *registry, const char *kind,
                                   const struct clopt_rival **found, struct clopt_error *error)
{
    const struct clopt_plugin_entry *entry;
    if (*kind) {
        CLOPT_TRY(clopt_registry_find(registry, CLOPT_KIND_RIVAL, kind, &entry, error));
        *found = entry->extension->operations;
        return CLOPT_OK;
    }
    clopt_registry_load(registry);
    for (size_t i = 0; (entry = clopt_registry_entry(registry, CLOPT_KIND_RIVAL, i)); i++) {
        *found = entry->extension->operations;
        if ((*found)->standard)
            return CLOPT_OK;
    }
    return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                      "no plugin has a standard kind of rivals; name one: [rival LABEL] kind");
}
