/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the OpenCL source of an app, and hashes it with all that it includes. */
#include <sys/stat.h>

#include "file/file.h"
#include "file/inclusion.h"
#include "trial/variant.h"

/* Looks into every folder of a colon-separated list; returns the path, or NULL. */
static char *search(const char *folders, const char *name, struct clopt_text *searched)
{
    while (folders && *folders) {
        size_t length = strcspn(folders, ":");
        char *path = clopt_text_format("%.*s/%s", (int)length, folders, name);
        struct stat about;
        clopt_text_printf(searched, "%s%.*s", searched->length ? ", " : "", (int)length, folders);
        if (length && stat(path, &about) == 0)
            return path;
        free(path);
        folders += length + (folders[length] == ':');
    }
    return NULL;
}

enum clopt_status clopt_source_find(const char *name, const char *kernel_path, char **found,
                                    struct clopt_error *error)
{
    const char *lists[] = {kernel_path, getenv("CLOPT_KERNEL_PATH"), CLOPT_KERNELDIR};
    CLOPT_OWNED(clopt_text) searched = {0};
    *found = NULL;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0] && !*found; i++)
        *found = search(lists[i], name, &searched);
    return *found ? CLOPT_OK
                  : clopt_fail(error, CLOPT_INVALID,
                               "kernel source %s: not in %s; name its folder with --kernel-path",
                               name, clopt_text_string(&searched));
}

/* Hashes a source with all that it includes. */
static enum clopt_status hash_source(struct clopt_app_source *source, const char *options,
                                     struct clopt_error *error)
{
    CLOPT_OWNED(clopt_build_options) words = {0};
    clopt_build_options_split(options, &words);
    struct clopt_sha256 hash;
    clopt_sha256_init(&hash);
    clopt_sha256_add_string(&hash, source->text);
    enum clopt_status status = clopt_inclusions_add(source->path, source->text, &words, &hash,
                                                    &source->files, &source->includes, error);
    clopt_sha256_end(&hash, source->hash);
    return status;
}

/* Reads the alternatives of an app, as it adapts them. */
static enum clopt_status read_alternatives(const struct clopt_app *app, const char *kernel_path,
                                           struct clopt_app_source *source,
                                           struct clopt_error *error)
{
    const struct clopt_alternative *own = app->defined ? app->defined->alternatives : NULL;
    for (; own && own->name; own++) {
        struct clopt_app_source *read = clopt_array_add(
            &source->alternatives, &source->alternative_count, sizeof *source->alternatives);
        CLOPT_TRY(clopt_app_source_read(own->program, kernel_path, read, error));
        read->text = own->adapt(own, read->text);
    }
    return CLOPT_OK;
}

enum clopt_status clopt_app_source_read(const struct clopt_app *app, const char *kernel_path,
                                        struct clopt_app_source *source, struct clopt_error *error)
{
    *source = (struct clopt_app_source){0};
    if (!app->source_is_path)
        CLOPT_TRY(clopt_source_find(app->source, kernel_path, &source->path, error));
    else
        source->path = clopt_strdup(app->source);
    CLOPT_TRY(clopt_text_read(source->path, &source->text, error));
    CLOPT_TRY(hash_source(source, app->options ? app->options : "", error));
    return read_alternatives(app, kernel_path, source, error);
}

const struct clopt_app_source *clopt_app_source_of(const struct clopt_app_source *source,
                                                   const struct clopt_trial *trial)
{
    const struct clopt_alternative *found = clopt_trial_alternative(trial);
    return found && source->alternatives
               ? &source->alternatives[found - trial->app->extension->app->defined->alternatives]
               : source;
}

void clopt_app_source_fini(struct clopt_app_source *source)
{
    for (size_t i = 0; i < source->alternative_count; i++)
        clopt_app_source_fini(&source->alternatives[i]);
    free(source->alternatives);
    free(source->path);
    free(source->text);
    clopt_text_fini(&source->files);
    *source = (struct clopt_app_source){0};
}
