/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt profile`, `clopt capture` and `clopt apply`: run an application, and say which of its
 * kernels take the time; they write studies of them, or launch winners in their place. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* versionsort() */
#endif
#include "main/command.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/profile.h"
#include "capture/study.h"
#include "capture/winners.h"
#include "export/export.h"
#include "file/file.h"
#include "file/folder.h"
#include "file/temporary.h"
#include "main/output.h"
#include "number/values.h"

#define RAW_FOLDER ".captured"

struct request {
    struct clopt_output output;
    const struct clopt_global_options *global;
    struct clopt_application application;

    /* of captures */
    const char *folder;
    const char *kernel;
    int64_t launches;
    int64_t limit_bytes;
    int64_t limit_s;

    /* of winners */
    struct clopt_export_request export;
    int64_t checks;
};

/* A launch whose study is written in a child. */
struct task {
    const struct clopt_registry *registry;
    const struct clopt_captured *launch;
    const char *raw, *folder, *application;
};

static const struct clopt_option report_options[] = {
    CLOPT_TEXT(0, "save", "FILE", struct request, output.save,
               "write the report to a file [standard error]"),
    {0},
};

/* ---- studies of what was captured ---- */

static enum clopt_status write_apart(void *user, struct clopt_error *error)
{
    const struct task *task = user;
    struct clopt_text name = {0};
    char *text = NULL;
    clopt_text_printf(&name, "%s/%s.cl", task->raw, task->launch->program);
    enum clopt_status status =
        name.failed ? clopt_fail_memory(error) : clopt_text_read(name.data, &text, error);
    if (!status)
        status = clopt_captured_write(task->launch, text, task->application, task->folder,
                                      task->registry, error);
    free(text);
    clopt_text_fini(&name);
    return status;
}

/* Names the folder of a study after its kernel: the first that is not there. */
static char *name_folder(const struct request *request, const char *kernel)
{
    struct clopt_text path = {0};
    struct stat info;
    for (unsigned i = 1; i == 1 || (path.data && lstat(path.data, &info) == 0); i++) {
        clopt_text_clear(&path);
        clopt_text_printf(&path, "%s/%s", request->folder, kernel);
        if (i > 1)
            clopt_text_printf(&path, "-%u", i);
    }
    return clopt_text_take(&path);
}

static void say_written(const struct clopt_captured *launch, const char *folder,
                        struct clopt_document *document)
{
    struct clopt_text path = {0}, line = {0};
    clopt_text_printf(&path, "%s/kernel.ini", folder);
    if (document->for_programs) {
        clopt_document_row(document, "sss", launch->kernel, path.data, NULL);
    } else {
        clopt_document_printf(document, CLOPT_SENTENCE_ITEM, "%s: %s", launch->kernel,
                              clopt_text_string(&path));
        clopt_text_append(&line, "clopt tune ");
        clopt_text_append_word(&line, clopt_text_string(&path));
        clopt_document_command(document, clopt_text_string(&line));
    }
    document->failed |= path.failed || line.failed;
    clopt_text_fini(&path);
    clopt_text_fini(&line);
}

/* Says why there is no study of a launch. */
static void say_refused(const char *kernel, const char *reason, struct clopt_document *document)
{
    if (document->for_programs)
        clopt_document_row(document, "sss", kernel, NULL, reason);
    else
        clopt_document_printf(document, CLOPT_SENTENCE_ITEM, "%s is left out: %s", kernel, reason);
}

/* Says which launches the layer has left out, and why. */
static void say_left_out(const struct clopt_record_row *row, struct clopt_document *document)
{
    struct clopt_text reason = {0};
    clopt_text_append(&reason, row->reason);
    if (row->captured)
        clopt_text_printf(&reason, " (%" PRIu64 " launches beside those that were captured)",
                          row->left_out);
    say_refused(row->kernel, clopt_text_string(&reason), document);
    document->failed |= reason.failed;
    clopt_text_fini(&reason);
}

static enum clopt_status write_study(const struct request *request, const char *raw,
                                     const char *name, const struct clopt_registry *registry,
                                     struct clopt_document *document, struct clopt_error *error)
{
    struct clopt_captured launch = {0};
    struct clopt_error reason = {0};
    char *path = clopt_path_join(raw, name), *folder = NULL;
    enum clopt_status status = path ? CLOPT_OK : clopt_fail_memory(error);
    if (!status && clopt_captured_read(path, &launch, &reason)) {
        say_refused(name, reason.message, document);
    } else if (!status && !(folder = name_folder(request, launch.kernel))) {
        status = clopt_fail_memory(error);
    } else if (!status) {
        struct task task = {registry, &launch, raw, folder, request->application.argv[0]};
        if (clopt_command_apart(request->limit_s, write_apart, &task, &reason) == CLOPT_OK)
            say_written(&launch, folder, document);
        else
            say_refused(launch.kernel, reason.message, document);
    }
    clopt_captured_fini(&launch);
    free(folder);
    free(path);
    return status;
}

static int is_launch(const struct dirent *entry)
{
    const char *ending = strrchr(entry->d_name, '.');
    return ending && strcmp(ending, ".launch") == 0;
}

/* Adds what came of each kernel: its studies, or why there is none. */
static enum clopt_status write_studies(const struct request *request, const char *raw,
                                       struct clopt_document *document, struct clopt_error *error)
{
    struct clopt_registry *registry = NULL;
    struct dirent **entries = NULL;
    const struct clopt_record *record = request->application.record;
    int count = scandir(raw, &entries, is_launch, versionsort);
    enum clopt_status status = clopt_registry_open(request->global->plugin_path, &registry, error);
    if (!status)
        status = clopt_registry_load(registry, error);
    if (document->for_programs)
        clopt_document_rows(document, "studies", "kernel study reason");
    else
        clopt_document_heading(document, CLOPT_HEADING_SECTION, "Captured");
    for (int i = 0; i < count; i++) {
        if (!status)
            status = write_study(request, raw, entries[i]->d_name, registry, document, error);
        free(entries[i]);
    }
    free(entries);
    for (size_t i = 0; i < CLOPT_RECORD_ROWS && i < record->row_count; i++)
        if (record->rows[i].ready && record->rows[i].left_out)
            say_left_out(&record->rows[i], document);
    if (registry)
        clopt_registry_close(registry);
    return status;
}

/* ---- winners ---- */

static enum clopt_status write_winners_apart(void *user, struct clopt_error *error)
{
    size_t count;
    const char *folder = user;
    enum clopt_status status = clopt_winners_write(folder, &count, error);
    return !status && !count
               ? clopt_fail(error, CLOPT_INVALID, "it has no winner that is faster than its kernel")
               : status;
}

/* Writes the winners of a store into a folder, for the layer. */
static enum clopt_status export_winners(struct request *request, const char *path,
                                        struct clopt_error *error)
{
    struct clopt_store *store = NULL;
    struct clopt_registry *registry = NULL;
    struct clopt_export_request *export = &request->export;
    FILE *nothing = fopen("/dev/null", "w");
    export->stream = export->notices = nothing;
    export->settings.plugin_path = request->global->plugin_path;
    export->settings.kernel_path = request->global->kernel_path;
    enum clopt_status status =
        nothing ? clopt_store_open_read(path, &store, error) : clopt_fail_memory(error);
    if (!status)
        status = clopt_registry_open(request->global->plugin_path, &registry, error);
    export->registry = registry;
    if (!status)
        status = clopt_export(store, export, error);
    if (registry)
        clopt_registry_close(registry);
    if (store)
        clopt_store_close(store);
    if (nothing)
        fclose(nothing);
    if (!status &&
        clopt_command_apart(request->limit_s, write_winners_apart, (void *)export->folder, error))
        status = clopt_fail_within(error, "%s", path);
    return status;
}

/* Says of each kernel that has a winner how many launches ran that. */
static void report_winners(const struct clopt_record *record, struct clopt_document *document)
{
    bool any = false;
    if (document->for_programs)
        clopt_document_rows(document, "applied",
                            "kernel variant replaced_launches checked_launches kept_launches "
                            "reason");
    else
        clopt_document_heading(document, CLOPT_HEADING_SECTION, "Applied");
    for (size_t i = 0; i < CLOPT_RECORD_ROWS && i < record->row_count; i++) {
        const struct clopt_record_row *row = &record->rows[i];
        struct clopt_text text = {0};
        if (!row->ready || !row->variant[0])
            continue;
        any = true;
        if (document->for_programs) {
            clopt_document_row(document, "ssiiis", row->kernel, row->variant,
                               (int64_t)row->replaced, (int64_t)row->checked, (int64_t)row->kept,
                               row->kept ? row->kept_reason : NULL);
            continue;
        }
        clopt_text_printf(&text, "%s: %" PRIu64 " of %" PRIu64 " launches ran %s", row->kernel,
                          row->replaced, row->launches, row->variant);
        if (row->checked)
            clopt_text_printf(&text, "; %" PRIu64 " ran both, with equal results", row->checked);
        if (row->kept)
            clopt_text_printf(&text, "; %" PRIu64 " ran the kernel itself: %s", row->kept,
                              row->kept_reason);
        clopt_document_say(document, CLOPT_SENTENCE_ITEM, &text);
        clopt_text_fini(&text);
    }
    if (!any && !document->for_programs)
        clopt_document_printf(document, CLOPT_SENTENCE_WARNING,
                              "No kernel of the application is one of the study: by name, source, "
                              "build options and device.");
}

/* ---- the whole ---- */

/* Makes the folder, which must have nothing in it, and one in it for what the layer writes; `raw`
 * is its path. */
static enum clopt_status make_folder(const struct request *request, char **raw,
                                     struct clopt_error *error)
{
    if (clopt_folder_create(request->folder, error))
        return error->status;
    DIR *listing = opendir(request->folder);
    size_t entries = 0;
    while (listing && readdir(listing))
        entries++;
    if (listing)
        closedir(listing);
    if (entries != 2) /* . and .. */
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: this folder is not empty, and clopt never overwrites what is in it; "
                          "choose another with -o",
                          request->folder);
    char *whole = realpath(request->folder, NULL);
    *raw = whole ? clopt_path_join(whole, RAW_FOLDER) : NULL;
    free(whole);
    return *raw ? clopt_folder_create(*raw, error) : clopt_fail_memory(error);
}

static enum clopt_status report(struct request *request, struct clopt_error *error)
{
    bool captures = request->folder != NULL;
    struct clopt_application *application = &request->application;
    struct clopt_document document =
        clopt_output_begin(&request->output, captures               ? "clopt capture"
                                             : application->winners ? "clopt apply"
                                                                    : "clopt profile");
    if (application->signal)
        clopt_text_print(stderr, "clopt: %s: killed by signal %d (%s)\n", application->argv[0],
                         application->signal, strsignal(application->signal));
    enum clopt_status status = clopt_profile_report(application, &document, error);
    if (!status && captures)
        status = write_studies(request, application->folder, &document, error);
    if (!status && application->winners)
        report_winners(application->record, &document);
    return clopt_output_finish(&request->output, &document, status, error);
}

/* Runs the application, and reports; returns the exit code. */
static int run_application(struct request *request, char **argv, const char *winners)
{
    struct clopt_error error = {0};
    char *raw = NULL;
    struct clopt_application *application = &request->application;
    *application = (struct clopt_application){.plugin_path = request->global->plugin_path,
                                              .argv = argv,
                                              .winners = winners,
                                              .checks = (uint32_t)request->checks,
                                              .kernel = request->kernel,
                                              .launches = (uint32_t)request->launches,
                                              .limit_bytes = (uint64_t)request->limit_bytes};
    enum clopt_status status = clopt_output_prepare(&request->output, &error);
    if (!status && request->folder)
        status = make_folder(request, &raw, &error);
    application->folder = raw;
    if (!status)
        status = clopt_application_run(application, &error);
    if (!status)
        status = report(request, &error);
    clopt_application_fini(application);
    if (raw)
        clopt_folder_remove(raw);
    free(raw);
    if (!status)
        return application->exit_code;
    int code = clopt_report_error(&error);
    return application->exit_code ? application->exit_code : code;
}

/* Reads the command line; false: the exit code is known. */
static bool take_request(const struct clopt_command *command, struct request *request, int argc,
                         char **argv, int *code)
{
    if (!clopt_command_read(command, request, argc, argv, code))
        return false;
    *code = optind == argc
                ? clopt_usage_error(command->name, "no application given: clopt %s -- APPLICATION",
                                    command->name)
                : clopt_output_check(&request->output, command->name);
    return *code == CLOPT_EXIT_DONE;
}

static int run_profile(const struct clopt_global_options *global, int argc, char **argv)
{
    struct request request = {.global = global, .output.on_stderr = true};
    int code;
    return take_request(&clopt_profile_command, &request, argc, argv, &code)
               ? run_application(&request, argv + optind, NULL)
               : code;
}

const struct clopt_command clopt_profile_command = {
    .name = "profile",
    .summary = "find the kernels of an application that take the time",
    .usage = "profile [OPTION ...] -- APPLICATION [ARGUMENT ...]\n",
    .about = "Runs an application as it is, with a layer of OpenCL's loader, and then prints\n"
             "a table of its kernels by the time that they took: launches, time, bytes and\n"
             "sizes, and which to tune first. Its output and its exit code stay its own.\n"
             "\n",
    .arguments = "APPLICATION ...",
    .lists = {{report_options, 0}, {clopt_output_options, offsetof(struct request, output)}},
    .run = run_profile,
};

static enum clopt_status take_limit(void *read, const struct clopt_option *option, const char *text,
                                    struct clopt_error *error)
{
    struct request *request = read;
    struct clopt_value value = {0};
    if (clopt_value_parse(text, CLOPT_INTEGER, &value, error))
        return clopt_fail_within(error, "--%s", option->name);
    request->limit_bytes = value.integer;
    clopt_value_unset(&value);
    if (request->limit_bytes < 1)
        return clopt_fail(error, CLOPT_INVALID, "--%s=%s: at least 1", option->name, text);
    return CLOPT_OK;
}

static const struct clopt_option capture_options[] = {
    CLOPT_TEXT('o', "output", "FOLDER", struct request, folder,
               "where the studies go, a folder each [capture]; nothing may be in it"),
    CLOPT_TEXT('k', "kernel", "NAME", struct request, kernel, "capture this kernel alone [all]"),
    CLOPT_NUMBER('n', "launches", "N", struct request, launches, 1, 1000,
                 "capture so many launches of each kernel and each size of it [1]"),
    CLOPT_TAKEN(0, "limit", "BYTES", take_limit,
                "capture buffers of so many bytes together, before and after [1Gi]"),
    {0},
};

static int run_capture(const struct clopt_global_options *global, int argc, char **argv)
{
    struct request request = {.global = global,
                              .output.on_stderr = true,
                              .folder = "capture",
                              .launches = 1,
                              .limit_bytes = (int64_t)1 << 30,
                              .limit_s = CLOPT_DEFAULT_LIMIT_S};
    int code;
    return take_request(&clopt_capture_command, &request, argc, argv, &code)
               ? run_application(&request, argv + optind, NULL)
               : code;
}

const struct clopt_command clopt_capture_command = {
    .name = "capture",
    .summary = "write studies of the kernels that an application launches",
    .usage = "capture [-o FOLDER] [--kernel=NAME] [--launches=N] [--limit=BYTES]\n"
             "                     -- APPLICATION [ARGUMENT ...]\n",
    .about = "Runs an application as it is, with a layer of OpenCL's loader, and writes a\n"
             "study for each kernel that it launches: its source, options, sizes, arguments,\n"
             "with what is in buffers before the launch as inputs, and what is after as what\n"
             "is right. What cannot be captured is named, with the reason.\n"
             "\n"
             "  clopt tune capture/NAME/kernel.ini\n"
             "\n",
    .arguments = "APPLICATION ...",
    .lists = {{capture_options, 0},
              {report_options, 0},
              {clopt_output_options, offsetof(struct request, output)}},
    .run = run_capture,
};

static enum clopt_status take_checks(void *read, const struct clopt_option *option,
                                     const char *text, struct clopt_error *error)
{
    struct request *request = read;
    request->checks = text ? clopt_number_read(text, 1, 1000000) : 1;
    return request->checks < 0
               ? clopt_fail(error, CLOPT_INVALID, "--%s=%s: a number of launches, 1 to 1000000",
                            option->name, text)
               : CLOPT_OK;
}

static const struct clopt_option apply_options[] = {
    CLOPT_TEXT('k', "kernel", "NAME", struct request, export.kernel,
               "replace this kernel alone [all of the store]"),
    CLOPT_TEXT(0, "variant", "NAME", struct request, export.variant,
               "launch this variant, by its name in reports [the fastest]"),
    CLOPT_TAKEN(0, "check", "[N]", take_checks,
                "run both at the first N launches of each kernel, and compare their results; a "
                "winner that differs is not launched any more [1, where only --check is said]"),
    {0},
};

static int run_apply(const struct clopt_global_options *global, int argc, char **argv)
{
    struct request request = {
        .global = global, .output.on_stderr = true, .limit_s = CLOPT_DEFAULT_LIMIT_S};
    struct clopt_error error = {0};
    struct clopt_temporary folder = {0};
    int code;
    if (!clopt_command_read(&clopt_apply_command, &request, argc, argv, &code))
        return code;
    if (optind + 1 >= argc)
        return clopt_usage_error("apply", optind == argc
                                              ? "no store given: clopt apply STORE -- APPLICATION"
                                              : "no application given: clopt apply STORE -- "
                                                "APPLICATION");
    if ((code = clopt_output_check(&request.output, "apply")) != CLOPT_EXIT_DONE)
        return code;
    char *winners = NULL;
    enum clopt_status status = clopt_temporary_create(&folder, &error);
    request.export.folder = folder.path;
    if (!status)
        status = export_winners(&request, argv[optind], &error);
    if (!status && !(winners = clopt_path_join(folder.path, "winners")))
        status = clopt_fail_memory(&error);
    int first = optind + 1;
    if (!status && strcmp(argv[first], "--") == 0)
        first++;
    code = status ? clopt_report_error(&error) : run_application(&request, argv + first, winners);
    if (folder.path)
        clopt_temporary_remove(&folder);
    free(winners);
    return code;
}

const struct clopt_command clopt_apply_command = {
    .name = "apply",
    .summary = "run an application with the winners of a study",
    .usage = "apply STORE [OPTION ...] -- APPLICATION [ARGUMENT ...]\n",
    .about = "Runs an application as it is, and launches the fastest variants of a study in\n"
             "the place of its kernels, which are recognised by their source. Where a launch\n"
             "does not fit, the kernel itself is launched, which is counted and reported.\n"
             "\n",
    .arguments = "STORE APPLICATION ...",
    .lists = {{apply_options, 0},
              {report_options, 0},
              {clopt_output_options, offsetof(struct request, output)}},
    .run = run_apply,
};
