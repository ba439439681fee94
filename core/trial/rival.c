/* SPDX-License-Identifier: BSD-3-Clause */
/* A native program that solves a problem instead of an app's kernels. */
#include "trial/rival.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/program.h"
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

enum clopt_status clopt_rival_macros(const json_t *rival, struct clopt_text *macros,
                                     struct clopt_error *error)
{
    const char *compiler = clopt_rival_text(rival, "compiler");
    struct clopt_text line = {0};
    clopt_text_printf(&line, "%s %s -E -dM -x c /dev/null", compiler,
                      clopt_rival_text(rival, "cflags"));
    enum clopt_status status =
        line.failed ? clopt_fail_memory(error)
                    : clopt_shell_run(clopt_text_string(&line), compiler, macros, error);
    clopt_text_fini(&line);
    return status;
}

/* Whether all sources are C: flags for other languages are left to their compiler. */
static bool is_c(const json_t *rival)
{
    const json_t *sources = json_object_get(rival, "sources");
    bool c = true;
    for (size_t i = 0; i < json_array_size(sources); i++) {
        const char *end = strrchr(json_string_value(json_array_get(sources, i)), '.');
        c &= end && (strncmp(end, ".c>", 3) == 0 || !strcmp(end, ".c") || !strncmp(end, ".h", 2));
    }
    return c;
}

/* Checks that the shell knows the program that a line begins with, unless that takes the shell. */
static enum clopt_status check_program(const json_t *rival, const char *key,
                                       struct clopt_error *error)
{
    const char *text = clopt_rival_text(rival, key);
    size_t length = strcspn(text, " \t");
    struct clopt_text line = {0}, none = {0};
    enum clopt_status status = CLOPT_OK;
    clopt_text_append(&line, "cd ");
    clopt_text_append_word(&line, strcmp(key, "command") ? "." : clopt_rival_text(rival, "folder"));
    clopt_text_printf(&line, " && command -v %.*s", (int)length, text);
    if (strcspn(text, "=$`'\"\\;&|<>()~*?[#") >= length &&
        clopt_shell_run(clopt_text_string(&line), "", &none, error))
        status = clopt_fail(error, CLOPT_INVALID,
                            "%s = %s: there is no program %.*s; install it, "
                            "or name another one",
                            key, text, (int)length, text);
    clopt_text_fini(&line);
    clopt_text_fini(&none);
    return status;
}

static enum clopt_status check_sources(const json_t *rival, const char *kernel_path,
                                       struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < json_array_size(json_object_get(rival, "sources")) && !status; i++) {
        char *path = NULL;
        status = clopt_rival_source(rival, i, kernel_path, &path, error);
        if (!status)
            status = clopt_file_check(path, error);
        free(path);
    }
    return status ? clopt_fail_within(error, "sources") : CLOPT_OK;
}

enum clopt_status clopt_rival_check(const json_t *rival, const char *kernel_path,
                                    struct clopt_error *error)
{
    bool command = *clopt_rival_text(rival, "command");
    struct clopt_text macros = {0};
    struct clopt_error cause;
    enum clopt_status status = check_sources(rival, kernel_path, error);
    if (!status)
        status = check_program(rival, command ? "command" : "compiler", error);
    if (!status && !command && is_c(rival) && clopt_rival_macros(rival, &macros, &cause))
        status = clopt_fail(error, CLOPT_INVALID, "%s; correct compiler = %s and cflags = %s",
                            cause.message, clopt_rival_text(rival, "compiler"),
                            clopt_rival_text(rival, "cflags"));
    clopt_text_fini(&macros);
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
