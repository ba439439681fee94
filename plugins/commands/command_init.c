/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt init`: writes a study for the kernels of a file. */
#include "commands/check/drafted_check.h"
#include "commands/shared/asked_device.h"
#include "commands/shared/commands.h"
#include "commands/shared/compiler_options.h"
#include "commands/shared/usage.h"

#include <ctype.h>
#include <errno.h>

#include "commands/draft/draft.h"
#include "file/folder.h"
#include "process/clock.h"

#define MOST_ROUNDS 6

struct request {
    const char *file;
    const char *kernel;
    const char *output;      /* "-": standard output; NULL: `study` */
    struct clopt_text study; /* named after the file */
    const char *app;
    struct clopt_list devices; /* those of -d */
    const struct clopt_global_options *global;
    int64_t limit_s;
    int64_t began_ns;
    bool no_check;
    bool search;
    bool quiet;
    struct clopt_draft_check check;
    const char *small; /* the file that gets a study for a check; NULL: write the whole one */
    struct clopt_text verdict;       /* on the check */
    struct clopt_text idle;          /* a line for each part of a kernel that did nothing in it */
    struct clopt_device_info *asked; /* that of -d; NULL: none was named, or it is not there */
    struct clopt_compiler_options options;
};

static const struct clopt_key options[] = {
    CLOPT_TEXT('k', "kernel", "NAME", struct request, kernel,
               "this kernel alone; otherwise all of the file"),
    CLOPT_TEXT('o', "output", "FILE", struct request, output,
               "the study [FILE.ini in the working directory], which must not be there yet; - is "
               "the standard output"),
    CLOPT_TEXT(0, "app", "NAME", struct request, app,
               "the app that describes kernels, where several do"),
    CLOPT_FLAG(0, "search", struct request, search,
               "with all that optimizations offer to a search, for `clopt tune`"),
    CLOPT_FLAG(0, "no-check", struct request, no_check, "do not run the kernels to check them"),
    CLOPT_EACH('d', "device", "PATTERN", struct request, devices,
               "a device that the study is for, again for more; on the first the kernels are "
               "checked [the first processor]"),
    CLOPT_SECONDS(0, "limit", "SECONDS", struct request, limit_s, CLOPT_LEGAL_LIMIT,
                  "give up after this time; half is for the check [60]"),
    CLOPT_FLAG('q', "quiet", struct request, quiet, "do not say what to do next"),
    {0},
};

/* Takes the file, and names the study after it, in the working directory, unless an option does. */
static int take_file(struct request *request, int argc, char **argv)
{
    if (optind >= argc)
        return clopt_usage_error("init", "init: no file");
    request->file = argv[optind++];
    if (optind < argc)
        return clopt_usage_error("init", "%s: one file only", argv[optind]);
    if (clopt_text_ends(request->file, ".ini"))
        return clopt_usage_error("init", "%s is a study, not a kernel", request->file);
    if (request->output)
        return CLOPT_EXIT_DONE;
    const char *slash = strrchr(request->file, '/'), *name = slash ? slash + 1 : request->file;
    size_t length = strlen(name) - (clopt_text_ends(name, ".cl") ? 3 : 0);
    clopt_text_printf(&request->study, "%.*s.ini", (int)length, name);
    request->output = clopt_text_string(&request->study);
    return CLOPT_EXIT_DONE;
}

static bool is_stdout(const struct request *request)
{
    return strcmp(request->output, "-") == 0;
}

/* Says early that the study is there already: all the work would be in vain. */
static enum clopt_status check_output(const struct request *request, struct clopt_error *error)
{
    return request->small || is_stdout(request)
               ? CLOPT_OK
               : clopt_file_check_target(request->output, NULL, error);
}

/* Returns the path by which the study, which files are relative to, names the source. */
static char *name_source(const struct request *request)
{
    if (request->small)
        return realpath(request->file, NULL);
    const char *slash = is_stdout(request) ? NULL : strrchr(request->output, '/');
    if (!slash || request->file[0] == '/')
        return clopt_strdup(request->file);
    size_t folder = (size_t)(slash - request->output) + 1;
    if (strncmp(request->file, request->output, folder) == 0)
        return clopt_strdup(request->file + folder);
    return realpath(request->file, NULL);
}

/* Whether the study says which of several devices were chosen: the next command needs that. */
static bool names_device(const struct request *request)
{
    return !request->small && request->check.device.length;
}

static enum clopt_status write_study(const struct request *request, const char *named,
                                     const struct clopt_registry *registry,
                                     struct clopt_error *error)
{
    CLOPT_OWNED(clopt_text) study = {0};
    struct clopt_draft_request draft = {
        .registry = registry,
        .file = request->file,
        .named = named,
        .options = &request->options,
        .asked = request->asked,
        .kernel = request->kernel,
        .app = request->app,
        .run = request->small ? request->check.run : 0,
        .overruns = request->check.overruns,
        .overrun_count = request->check.overrun_count,
        .halvings = request->check.halvings,
        .check = clopt_text_string(&request->verdict),
        .device = names_device(request) ? clopt_text_string(&request->check.device) : NULL,
        .found = request->small ? NULL : clopt_text_string(&request->check.first),
        .search = request->search};
    CLOPT_TRY(clopt_draft_write(&draft, &study, error));
    if (request->small)
        return clopt_file_write_soon(request->small, study.data, study.length, error);
    if (!is_stdout(request))
        return clopt_file_write(request->output, NULL, study.data, study.length, error);
    fputs(clopt_text_string(&study), stdout);
    return CLOPT_OK;
}

static enum clopt_status init(void *user, struct clopt_error *error)
{
    const struct request *request = user;
    CLOPT_FREED char *text = NULL;
    CLOPT_TRY(check_output(request, error));
    CLOPT_TRY(clopt_text_read(request->file, &text, error)); /* before it is asked for its path */
    CLOPT_FREED char *named = name_source(request);
    if (!named)
        return clopt_fail(error, CLOPT_FAILED, "%s: %s", request->file, strerror(errno));
    clopt_registry_load(request->global->registry);
    return write_study(request, named, request->global->registry, error);
}

/* What is left of the time limit, in whole seconds. */
static int64_t left_s(const struct request *request)
{
    int64_t left = request->limit_s - (clopt_now_ns() - request->began_ns) / 1000000000;
    return left > 1 ? left : 1;
}

/* How long a round may take: half of the time is for the whole study, and half of what is left of
 * the other one for rounds with smaller sizes. */
static int64_t round_limit_s(const struct request *request)
{
    int64_t left = left_s(request) - request->limit_s / 2;
    return left > 8 ? left / 2 : left > 1 ? left : 1;
}

/* Returns what the study calls a device: as the command line does, if that is a word. */
static const char *label_of(const char *pattern, const struct clopt_device_info *device)
{
    for (const char *at = pattern; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '_' && *at != '-')
            return device->type;
    return pattern;
}

/* Asks the devices of -d for their names, and the first for its macros. */
static enum clopt_status ask_devices(struct request *request, struct clopt_error *error)
{
    for (size_t i = 0; i < request->devices.count; i++) {
        CLOPT_FREED struct clopt_device_info *asked = NULL;
        struct clopt_error reason = {0};
        enum clopt_status status =
            clopt_ask_device(request->global, request->devices.items[i], &asked, &reason);
        if (status)
            return clopt_fail(error, reason.status, "%s", reason.message);
        clopt_draft_check_device(&request->check, label_of(request->devices.items[i], asked),
                                 asked->platform, asked->name);
        if (!i) {
            request->asked = asked;
            asked = NULL;
        }
    }
    return CLOPT_OK;
}

/* Checks a study with the sizes of a run. Why it could not be checked is no failure of init. */
static enum clopt_status check_round(struct request *request, const char *study,
                                     struct clopt_error *error)
{
    struct clopt_error reason = {0};
    request->small = study;
    enum clopt_status status = clopt_command_apart(left_s(request), init, request, error);
    request->small = NULL;
    if (status)
        return status;
    const char *device = request->devices.count ? request->devices.items[0] : NULL;
    json_auto_t *runs =
        clopt_check_drafted(request->global, study, device, round_limit_s(request), &reason);
    bool named = strncmp(reason.message, study, strlen(study)) == 0; /* nobody has seen that file */
    const char *words = named ? strstr(reason.message, ": ") : NULL;
    if (runs)
        clopt_draft_check_note(&request->check, runs);
    else
        clopt_draft_check_fail(&request->check, words ? words + 2 : reason.message);
    request->check.timed_out |= reason.status == CLOPT_TIMED_OUT;
    return CLOPT_OK;
}

/* Runs the kernels in a folder of its own, until no argument is too short. */
static enum clopt_status check_rounds(struct request *request, struct clopt_error *error)
{
    struct clopt_draft_check *check = &request->check;
    CLOPT_OWNED(clopt_temporary) folder = {0};
    CLOPT_TRY(clopt_temporary_create(&folder, error));
    CLOPT_FREED char *study = clopt_path_join(folder.path, "study.ini");
    check->run = 1;
    for (int round = 0; round < MOST_ROUNDS && check->run <= CLOPT_DRAFT_RUNS &&
                        left_s(request) > request->limit_s / 2;
         round++) {
        CLOPT_TRY(check_round(request, study, error));
        if (check->timed_out)
            clopt_draft_check_shrink(check);
        else
            check->run += !check->found;
    }
    return CLOPT_OK;
}

/* Writes why there was no check, on one line: it is for a comment. */
static void note_failure(struct clopt_text *verdict, const char *reason)
{
    clopt_text_append(verdict, "Not checked: ");
    for (const char *at = reason; *at; at++)
        clopt_text_append_bytes(verdict, *at == '\n' ? " " : at, 1);
    clopt_text_append(verdict, ".");
}

/* Checks the study, where that can be done, and says on stderr and in the study what came out. */
static enum clopt_status check(struct request *request, struct clopt_error *error)
{
    struct clopt_draft_check *check = &request->check;
    struct clopt_text *verdict = &request->verdict;
    if (request->no_check)
        clopt_text_append(verdict, "Not checked: --no-check.");
    enum clopt_status status = request->no_check ? CLOPT_OK : check_rounds(request, error);
    if (check->failure.length)
        note_failure(verdict, clopt_text_string(&check->failure));
    else if (!request->no_check)
        clopt_text_append(verdict,
                          check->found || check->faults.length
                              ? "Checked at small sizes; init has said what is not right yet."
                              : "Checked at small sizes: what ran there had no access outside of "
                                "an argument, and no data race.");
    clopt_draft_check_tell_idle(check, &request->idle);
    for (const char *at = clopt_text_string(&request->idle); *at; at += strcspn(at, "\n") + 1)
        clopt_text_printf(verdict, "\n; Did nothing there: %.*s", (int)strcspn(at, "\n"), at);
    return status;
}

/* Prints lines that begin with a kernel's name. */
static void print_lines(const struct clopt_text *lines, const char *more)
{
    for (const char *at = clopt_text_string(lines); *at; at += strcspn(at, "\n") + 1)
        fprintf(stderr, "clopt: %.*s%s\n", (int)strcspn(at, "\n"), at, more);
}

static int init_apart(struct request *request)
{
    struct clopt_error error = {0};
    if (check_output(request, &error) || ask_devices(request, &error) || check(request, &error) ||
        clopt_command_apart(left_s(request), init, request, &error))
        return clopt_report_error(&error);
    print_lines(&request->check.corrected, request->check.found ? "" : "; it is long enough now");
    print_lines(&request->check.faults, "");
    print_lines(&request->idle, " (in the check, at small sizes)");
    if (request->check.failure.length)
        fprintf(stderr, "clopt: not checked: %s\n", clopt_text_string(&request->check.failure));
    if (!is_stdout(request) && !request->quiet)
        clopt_tell_next(request->output, request->search ? "clopt tune " : "clopt -c ", "");
    return CLOPT_EXIT_DONE;
}

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct request request = {
        .global = global, .began_ns = clopt_now_ns(), .limit_s = CLOPT_DEFAULT_LIMIT_S};
    int code;
    if (clopt_command_read(global, &clopt_init_command, &request, argc, argv, &code) &&
        !(code = take_file(&request, argc, argv)))
        code = init_apart(&request);
    clopt_draft_check_fini(&request.check);
    clopt_compiler_options_fini(&request.options);
    clopt_list_fini(&request.devices);
    clopt_text_fini(&request.study);
    clopt_text_fini(&request.verdict);
    clopt_text_fini(&request.idle);
    free(request.asked);
    return code;
}

const struct clopt_command clopt_init_command = {
    .name = "init",
    .first = true,
    .usage = "init FILE.cl [OPTION ...]\n",
    .about = "Example: clopt init mm.cl\n\n"
             "Reads OpenCL C and writes a study for the kernels in it, with comments: a start,\n"
             "in which guesses are called so. Where there is a device, each kernel is checked\n"
             "on it at small sizes, as `clopt check` does, and arguments that turn out to be\n"
             "too short are made longer. Then: clopt -c FILE.ini\n"
             "\n",
    .arguments = "FILE.cl",
    .lists = {{options, 0}, {clopt_compiler_option_rows, offsetof(struct request, options)}},
    .run = run_command,
};
