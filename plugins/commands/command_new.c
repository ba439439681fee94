/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt new`: writes a plugin to start from, which is an example under another name. */
#include "commands/shared/commands.h"
#include "commands/shared/usage.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin/descriptor.h"

/* The files of doc/examples: "saxpy/Makefile" and so on. */
static const struct {
    const char *path;
    const char *text;
} templates[] = {
#include "plugins/commands/templates.h"
};

static const struct {
    const char *name;
    const char *example;
} kinds[] = {{"app", "saxpy"}, {"optimization", "fastmath"}, {"rewrite", "divide"}};

#define TEMPLATE_COUNT (sizeof templates / sizeof *templates)

struct request {
    const char *kind;
    const char *name;
    const char *folder;
    const char *example; /* that it is made of: its name, and its folder among the templates */
};

static const struct clopt_key options[] = {
    CLOPT_TEXT('o', "output", "DIR", struct request, folder,
               "the folder, which must not be there yet [NAME]"),
    {0},
};

static int take_arguments(struct request *request, int argc, char **argv)
{
    if (argc - optind != 2)
        return clopt_usage_error("new",
                                 "new takes a kind, app, optimization or rewrite, and a name");
    request->kind = argv[optind];
    request->name = argv[optind + 1];
    if (!request->folder)
        request->folder = request->name;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(request->kind, kinds[i].name) == 0)
            request->example = kinds[i].example;
    return request->example
               ? CLOPT_EXIT_DONE
               : clopt_usage_error("new",
                                   "%s: not a kind of plugin; choose app, optimization or rewrite",
                                   request->kind);
}

/* Refuses names that clopt does not take, or that another plugin has: the first folder wins. */
static enum clopt_status check_name(const struct request *request,
                                    const struct clopt_registry *registry,
                                    struct clopt_error *error)
{
    const struct clopt_plugin_entry *other;
    if (!clopt_name_is_legal(request->name))
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: illegal name for a plugin: a letter a-z, then at most 30 of a-z, "
                          "0-9 and _",
                          request->name);
    return clopt_registry_find(registry, CLOPT_KIND_ANY, request->name, &other, NULL)
               ? CLOPT_OK
               : clopt_fail(error, CLOPT_INVALID,
                            "%s: a plugin of that name exists, %s; choose another", request->name,
                            other->path);
}

/* Appends a text in which the new name replaces that of the example. */
static void append_renamed(struct clopt_text *text, const struct request *request,
                           const char *original)
{
    for (const char *at; (at = strstr(original, request->example));
         original = at + strlen(request->example)) {
        clopt_text_append_bytes(text, original, (size_t)(at - original));
        clopt_text_append(text, request->name);
    }
    clopt_text_append(text, original);
}

/* Returns the path of the file that template number `index` becomes, for the caller to free; NULL:
 * it belongs to another example. */
static char *make_path(const struct request *request, size_t index)
{
    struct clopt_text path = {0};
    const char *file = strchr(templates[index].path, '/') + 1;
    if (strncmp(templates[index].path, request->example, strlen(request->example)) != 0)
        return NULL;
    clopt_text_printf(&path, "%s/", request->folder);
    append_renamed(&path, request, file);
    return clopt_text_take(&path);
}

/* Removes what has been written of a folder that could not be filled. */
static void remove_files(const struct request *request)
{
    for (size_t i = 0; i < TEMPLATE_COUNT; i++) {
        CLOPT_FREED char *path = make_path(request, i);
        if (path)
            unlink(path);
    }
    rmdir(request->folder);
}

static enum clopt_status write_files(const struct request *request, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    if (mkdir(request->folder, 0777) != 0)
        return errno == EEXIST
                   ? clopt_fail(error, CLOPT_INVALID,
                                "%s: exists already, and clopt never overwrites it; name another "
                                "folder with -o",
                                request->folder)
                   : clopt_fail(error, CLOPT_FAILED, "%s: %s", request->folder, strerror(errno));
    for (size_t i = 0; i < TEMPLATE_COUNT && !status; i++) {
        CLOPT_FREED char *path = make_path(request, i);
        CLOPT_OWNED(clopt_text) text = {0};
        append_renamed(&text, request, templates[i].text);
        if (path)
            status = clopt_file_write(path, NULL, text.data, text.length, error);
    }
    if (status)
        remove_files(request);
    return status;
}

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct request request = {0};
    struct clopt_error error = {0};
    int code;
    if (!clopt_command_read(global, &clopt_new_command, &request, argc, argv, &code) ||
        (code = take_arguments(&request, argc, argv)))
        return code;
    if (check_name(&request, global->registry, &error) || write_files(&request, &error))
        return clopt_report_error(&error);
    clopt_tell_next(request.folder, "make -C ", " check");
    return CLOPT_EXIT_DONE;
}

const struct clopt_command clopt_new_command = {
    .name = "new",
    .usage = "new KIND NAME [-o DIR]\n",
    .about = "Example: clopt new app mine\n\n"
             "Writes a plugin of your own to start from, of the KIND app, optimization, or\n"
             "rewrite, an optimization that edits what it finds in loops: source, kernel,\n"
             "Makefile, a study that tries it, and a README. It works at once:\n"
             "\n"
             "  make -C mine check\n"
             "\n",
    .arguments = "KIND NAME",
    .lists = {{options, 0}},
    .run = run_command,
};
