/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt init`: writes a study for the kernels of a file. */
#include "main/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "main/draft.h"
#include "main/usage.h"

#define DEFAULT_STUDY "kernel.ini"

struct request {
    const char *file;
    const char *kernel;
    const char *output; /* "-": standard output */
    const char *app;
    const struct clopt_global_options *global;
    int64_t limit_s;
    struct clopt_text options; /* of the compiler, without: */
    struct clopt_text folders; /* -I, a list as in a study */
    struct clopt_text all;     /* both, for the compiler */
};

const char clopt_help_init[] =
    "Usage: clopt init FILE.cl [OPTION ...]\n"
    "\n"
    "Reads OpenCL C and writes a study for the kernels in it, with comments: a start,\n"
    "in which guesses are called so. No device is needed. Then:\n"
    "\n"
    "  clopt -c " DEFAULT_STUDY "\n"
    "\n"
    "Options:\n"
    "  -k, --kernel=NAME        this kernel alone; otherwise all of the file\n"
    "  -o, --output=FILE        the study [" DEFAULT_STUDY "], which must not be there\n"
    "                           yet; - is the standard output\n"
    "  -D NAME[=VALUE]          define a macro, as for the OpenCL compiler; other\n"
    "                           macros that the source wants become parameters\n"
    "  -I FOLDER                look for included files there\n"
    "      --build-options=TEXT other options of the OpenCL compiler: -cl-std=CL2.0\n"
    "      --app=NAME           the app that describes kernels, where several do\n"
    "      --limit=SECONDS      give up a source that takes longer than this [60]\n"
    "  -h, --help               show this help\n";

static void add_word(struct clopt_text *options, const char *letter, const char *value)
{
    bool quote = strpbrk(value, " \t'\"\\") != NULL;
    clopt_text_printf(options, quote ? "%s%s'%s'" : "%s%s%s", options->length ? " " : "", letter,
                      value);
}

static void add_macro(struct request *request, const char *value)
{
    add_word(&request->options, "-D", value);
    add_word(&request->all, "-D", value);
}

/* Studies name folders relative to themselves: an absolute path means the same everywhere. */
static void add_folder(struct request *request, const char *value)
{
    char *path = realpath(value, NULL);
    clopt_text_printf(&request->folders, "%s%s", request->folders.length ? ", " : "",
                      path ? path : value);
    add_word(&request->all, "-I", value);
    free(path);
}

static void add_others(struct request *request, const char *value)
{
    clopt_text_printf(&request->options, "%s%s", request->options.length ? " " : "", value);
    clopt_text_printf(&request->all, "%s%s", request->all.length ? " " : "", value);
}

static const struct option options[] = {
    {"kernel", required_argument, NULL, 'k'},
    {"output", required_argument, NULL, 'o'},
    {"build-options", required_argument, NULL, 'b'},
    {"app", required_argument, NULL, 'a'},
    {"limit", required_argument, NULL, 'l'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

/* Reads the command line; `done` is set where that was all. Returns an exit code. */
static int read_arguments(struct request *request, int argc, char **argv, bool *done)
{
    optind = 0;
    for (int option; (option = getopt_long(argc, argv, ":k:o:D:I:h", options, NULL)) != -1;) {
        switch (option) {
        case 'k':
            request->kernel = optarg;
            break;
        case 'o':
            request->output = optarg;
            break;
        case 'a':
            request->app = optarg;
            break;
        case 'l':
            request->limit_s = clopt_limit_read(optarg);
            if (request->limit_s < 0)
                return clopt_usage_error("init", "--limit=%s: %s", optarg, CLOPT_LIMIT_MISTAKE);
            break;
        case 'D':
            add_macro(request, optarg);
            break;
        case 'I':
            add_folder(request, optarg);
            break;
        case 'b':
            add_others(request, optarg);
            break;
        case 'h':
            fputs(clopt_help_init, stdout);
            *done = true;
            return CLOPT_EXIT_DONE;
        default:
            return clopt_option_error("init", option, argv, options);
        }
    }
    if (optind >= argc)
        return clopt_usage_error("init", "init: no file");
    request->file = argv[optind++];
    if (optind < argc)
        return clopt_usage_error("init", "%s: one file only", argv[optind]);
    return CLOPT_EXIT_DONE;
}

static bool is_stdout(const struct request *request)
{
    return strcmp(request->output, "-") == 0;
}

/* Says early that the study is there already: all the work would be in vain. */
static enum clopt_status check_output(const struct request *request, struct clopt_error *error)
{
    struct stat info;
    if (is_stdout(request) || lstat(request->output, &info) != 0 || S_ISCHR(info.st_mode) ||
        S_ISFIFO(info.st_mode))
        return CLOPT_OK;
    return clopt_fail(error, CLOPT_INVALID,
                      "%s: there is such a file, and it is never overwritten; choose another name "
                      "with -o",
                      request->output);
}

/* Returns the path by which the study, which files are relative to, names the source. */
static char *name_source(const struct request *request)
{
    const char *slash = is_stdout(request) ? NULL : strrchr(request->output, '/');
    if (!slash || request->file[0] == '/')
        return strdup(request->file);
    size_t folder = (size_t)(slash - request->output) + 1;
    if (strncmp(request->file, request->output, folder) == 0)
        return strdup(request->file + folder);
    return realpath(request->file, NULL);
}

static enum clopt_status write_study(const struct request *request, const char *named,
                                     const struct clopt_registry *registry,
                                     struct clopt_error *error)
{
    struct clopt_text study = {0};
    struct clopt_draft_request draft = {.registry = registry,
                                        .file = request->file,
                                        .named = named,
                                        .options = clopt_text_string(&request->all),
                                        .named_options = clopt_text_string(&request->options),
                                        .folders = clopt_text_string(&request->folders),
                                        .kernel = request->kernel,
                                        .app = request->app};
    enum clopt_status status = clopt_draft_write(&draft, &study, error);
    if (!status && is_stdout(request))
        fputs(clopt_text_string(&study), stdout);
    else if (!status)
        status = clopt_file_create(request->output, study.data, study.length, error);
    clopt_text_fini(&study);
    return status;
}

static enum clopt_status init(void *user, struct clopt_error *error)
{
    const struct request *request = user;
    struct clopt_registry *registry = NULL;
    char *text = NULL;
    enum clopt_status status = check_output(request, error);
    if (!status) /* before it is asked for its path */
        status = clopt_text_read(request->file, &text, error);
    free(text);
    char *named = status ? NULL : name_source(request);
    if (!status && (!named || request->all.failed || request->folders.failed))
        status = clopt_fail_memory(error);
    if (!status)
        status = clopt_registry_open(request->global->plugin_path, &registry, error);
    if (!status)
        status = clopt_registry_load(registry, error);
    if (!status)
        status = write_study(request, named, registry, error);
    if (registry)
        clopt_registry_close(registry);
    free(named);
    return status;
}

static int init_apart(struct request *request)
{
    struct clopt_error error = {0};
    if (clopt_command_apart(request->limit_s, init, request, &error))
        return clopt_report_error(&error);
    if (!is_stdout(request))
        clopt_tell_next(request->output, "clopt -c ", "");
    return CLOPT_EXIT_DONE;
}

int clopt_command_init(const struct clopt_global_options *global, int argc, char **argv)
{
    struct request request = {
        .output = DEFAULT_STUDY, .global = global, .limit_s = CLOPT_DEFAULT_LIMIT_S};
    bool done = false;
    int code = read_arguments(&request, argc, argv, &done);
    if (!code && !done)
        code = init_apart(&request);
    clopt_text_fini(&request.options);
    clopt_text_fini(&request.folders);
    clopt_text_fini(&request.all);
    return code;
}
