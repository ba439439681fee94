/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the OpenCL source of an app, and hashes it with all that it includes. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "study/variant.h"

#define DEEPEST_INCLUDE 32

/* Reads a whole file of text. */
static enum clopt_status read_text(const char *path, char **text, struct clopt_error *error)
{
    size_t size;
    enum clopt_status status = clopt_file_read(path, text, &size, error);
    if (status == CLOPT_OK && strlen(*text) != size) {
        free(*text);
        *text = NULL;
        status = clopt_fail(error, CLOPT_INVALID, "%s: this is not text: it holds a NUL", path);
    }
    return status;
}

/* Returns what a line includes, or NULL; for the caller to free. */
static char *included_name(const char *line)
{
    line += strspn(line, " \t");
    if (*line++ != '#')
        return NULL;
    line += strspn(line, " \t");
    if (strncmp(line, "include", 7) != 0)
        return NULL;
    line += 7;
    line += strspn(line, " \t");
    if (*line != '"' && *line != '<')
        return NULL;
    size_t length = strcspn(line + 1, "\"><\n");
    return strndup(line + 1, length);
}

/* Where included files are looked for. */
struct include_path {
    const char *top;     /* the app's source */
    const char *options; /* with -I FOLDER; NULL: none */
};

static enum clopt_status hash_includes(struct clopt_sha256 *hash, const struct include_path *where,
                                       const char *path, const char *text, unsigned depth,
                                       bool *any, struct clopt_error *error);

/* Returns the path of a file below the folder that the next -I of some options names, and steps
 * over it; NULL where there is none, or memory runs out. */
static char *path_in_next_folder(const char **options, const char *name)
{
    const char *word = *options ? strstr(*options, "-I") : NULL;
    if (!word)
        return NULL;
    word += 2 + strspn(word + 2, " ");
    size_t length = strcspn(word, " ");
    *options = word + length;
    struct clopt_text path = {0};
    clopt_text_append_bytes(&path, word, length);
    clopt_text_printf(&path, "/%s", name);
    return clopt_text_take(&path);
}

/* Reads a file whose path it takes over; returns the path where that was possible. */
static char *try_path(char *path, char **text)
{
    if (path && read_text(path, text, NULL) == CLOPT_OK)
        return path;
    *text = NULL;
    free(path);
    return NULL;
}

/* Reads an included file: beside the file that includes it, beside the app's source, or in a folder
 * of the build options. Returns its path; NULL where it is in none of them: that is the compiler's
 * affair. */
static char *read_include(const struct include_path *where, const char *path, const char *name,
                          char **text)
{
    const char *options = where->options;
    char *found = try_path(clopt_path_beside(path, name), text);
    if (!found)
        found = try_path(clopt_path_beside(where->top, name), text);
    for (char *next; !found && (next = path_in_next_folder(&options, name));)
        found = try_path(next, text);
    return found;
}

static enum clopt_status hash_include(struct clopt_sha256 *hash, const struct include_path *where,
                                      const char *path, const char *name, unsigned depth, bool *any,
                                      struct clopt_error *error)
{
    char *text = NULL;
    char *found = read_include(where, path, name, &text);
    clopt_sha256_add_string(hash, name);
    clopt_sha256_add_string(hash, text);
    enum clopt_status status = CLOPT_OK;
    if (found)
        status = hash_includes(hash, where, found, text, depth + 1, any, error);
    free(text);
    free(found);
    return status;
}

static enum clopt_status hash_includes(struct clopt_sha256 *hash, const struct include_path *where,
                                       const char *path, const char *text, unsigned depth,
                                       bool *any, struct clopt_error *error)
{
    if (depth > DEEPEST_INCLUDE)
        return CLOPT_OK; /* guards in the files end such circles, or the compiler says so */
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        char *name = included_name(line);
        if (!name)
            continue;
        *any = true;
        enum clopt_status status = hash_include(hash, where, path, name, depth, any, error);
        free(name);
        if (status)
            return status;
    }
    return CLOPT_OK;
}

/* Looks into every folder of a colon-separated list. */
static enum clopt_status search(const char *folders, const char *name, char **found,
                                struct clopt_text *searched, struct clopt_error *error)
{
    while (folders && *folders && !*found) {
        size_t length = strcspn(folders, ":");
        struct clopt_text path = {0};
        clopt_text_append_bytes(&path, folders, length);
        clopt_text_printf(searched, "%s%s", searched->length ? ", " : "", clopt_text_string(&path));
        clopt_text_printf(&path, "/%s", name);
        char *taken = clopt_text_take(&path);
        if (!taken)
            return clopt_fail_memory(error);
        struct stat about;
        if (length && stat(taken, &about) == 0)
            *found = taken;
        else
            free(taken);
        folders += length + (folders[length] == ':');
    }
    return CLOPT_OK;
}

static enum clopt_status find_source(const char *name, const char *kernel_path, char **found,
                                     struct clopt_error *error)
{
    const char *lists[] = {kernel_path, getenv("CLOPT_KERNEL_PATH"), CLOPT_KERNELDIR};
    struct clopt_text searched = {0};
    enum clopt_status status = CLOPT_OK;
    *found = NULL;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0] && status == CLOPT_OK && !*found; i++)
        status = search(lists[i], name, found, &searched, error);
    if (status == CLOPT_OK && !*found)
        status = clopt_fail(error, CLOPT_INVALID,
                            "kernel source %s: not in %s; name its folder with --kernel-path", name,
                            clopt_text_string(&searched));
    clopt_text_fini(&searched);
    return status;
}

enum clopt_status clopt_app_source_read(const struct clopt_app *app, const char *kernel_path,
                                        struct clopt_app_source *source, struct clopt_error *error)
{
    *source = (struct clopt_app_source){0};
    struct clopt_sha256 hash;
    enum clopt_status status = CLOPT_OK;
    if (!app->source_is_path)
        status = find_source(app->source, kernel_path, &source->path, error);
    else if (!(source->path = strdup(app->source)))
        status = clopt_fail_memory(error);
    if (status == CLOPT_OK)
        status = read_text(source->path, &source->text, error);
    if (status == CLOPT_OK) {
        clopt_sha256_init(&hash);
        clopt_sha256_add_string(&hash, source->text);
        struct include_path where = {source->path, app->options};
        status =
            hash_includes(&hash, &where, source->path, source->text, 0, &source->includes, error);
        clopt_sha256_end(&hash, source->hash);
    }
    if (status)
        clopt_app_source_fini(source);
    return status;
}

void clopt_app_source_fini(struct clopt_app_source *source)
{
    free(source->path);
    free(source->text);
    *source = (struct clopt_app_source){0};
}
