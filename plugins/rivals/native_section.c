/* SPDX-License-Identifier: BSD-3-Clause */
/* What [rival LABEL] says of a native program: how it is compiled, or run. */
#include "file/file.h"
#include "rivals/native.h"
#include "text/json.h"
#include "trial/variant.h"

#define KEY(NAME, INITIAL, HELP)                                                                   \
    {                                                                                              \
        .name = NAME, .type = CLOPT_TEXT, .initial = INITIAL, .help = HELP                         \
    }

const struct clopt_parameter clopt_native_parameters[] = {
    KEY("sources", NULL, "files that it is compiled from, or depends on"),
    KEY("compiler", "cc", "what compiles it"),
    KEY("cflags", "-O3 -march=native -fopenmp", "the compiler's options"),
    KEY("libraries", NULL, "libraries to link"),
    KEY("command", NULL, "a command of the shell, in place of sources"),
    KEY("package", NULL, "the Debian package that it needs"),
    {0},
};

/* Reads a list of texts; empty where the key is missing. */
static enum clopt_status read_list(const struct clopt_ini_section *section, const char *key,
                                   struct clopt_list *list, struct clopt_error *error)
{
    const struct clopt_ini_setting *setting = clopt_ini_setting(section, key);
    return setting ? clopt_study_list_setting(section, setting, CLOPT_TEXT, list, error) : CLOPT_OK;
}

/* Adds the files: those in <> are looked for with the kernels, later. */
static enum clopt_status add_sources(const struct clopt_ini_section *section, const char *study,
                                     json_t *rival, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_list) names = {0};
    json_t *sources = json_array();
    json_object_set_new(rival, "sources", sources);
    CLOPT_TRY(read_list(section, "sources", &names, error));
    for (size_t i = 0; i < names.count; i++) {
        bool own = *names.items[i] == '<';
        CLOPT_FREED char *path = own ? NULL : clopt_path_beside(study, names.items[i]);
        if (!own && clopt_file_check(path, error))
            return clopt_fail_within(error, "%s: [%s] sources",
                                     clopt_ini_setting(section, "sources")->origin, section->name);
        json_array_append_new(sources, clopt_json_text(own ? names.items[i] : path));
    }
    return CLOPT_OK;
}

enum clopt_status clopt_native_describe(const struct clopt_ini_section *section, const char *study,
                                        json_t *rival, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_list) names = {0};
    json_t *libraries = json_array();
    json_object_set_new(rival, "libraries", libraries);
    CLOPT_TRY(add_sources(section, study, rival, error));
    CLOPT_TRY(read_list(section, "libraries", &names, error));
    for (size_t i = 0; i < names.count; i++)
        json_array_append_new(libraries, clopt_json_text(names.items[i]));
    if (json_object_get(rival, "command") || json_array_size(json_object_get(rival, "sources")))
        return CLOPT_OK;
    return clopt_fail(error, CLOPT_INVALID,
                      "%s: [%s]: names neither sources = FILE.c nor command = PROGRAM",
                      section->origin, section->name);
}

enum clopt_status clopt_native_source(const json_t *rival, size_t index, const char *kernel_path,
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

enum clopt_status clopt_native_hash(const json_t *rival, const char *kernel_path,
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
        CLOPT_TRY(clopt_native_source(rival, i, kernel_path, &path, error));
        CLOPT_TRY(clopt_file_hash(path, known, content, error));
        clopt_sha256_add_string(hash, content);
    }
    return CLOPT_OK;
}

enum clopt_status clopt_native_key(const json_t *rival, const char *kernel_path,
                                   struct clopt_file_hashes *known, char key[CLOPT_HASH_SIZE],
                                   struct clopt_error *error)
{
    struct clopt_sha256 hash;
    clopt_sha256_init(&hash);
    clopt_sha256_add_string(&hash, key);
    enum clopt_status status = clopt_native_hash(rival, kernel_path, known, &hash, error);
    clopt_sha256_end(&hash, key);
    return status;
}
