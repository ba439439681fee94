/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt capture`: runs an application, and writes studies of the kernels that it launches. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* versionsort() */
#endif
#include "commands/capture/captured.h"
#include "commands/capture/command_application.h"
#include "commands/shared/commands.h"
#include "commands/shared/usage.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "commands/capture/study.h"
#include "file/folder.h"
#include "study/reader.h"

#define RAW_FOLDER ".captured"

struct request {
    struct clopt_application_request whole;
    const char *folder;
    const char *kernel;
    int64_t launches;
    int64_t limit_bytes;
};

/* Launches whose study is written in a child. */
struct task {
    const struct clopt_registry *registry;
    const struct clopt_captured *const *launches;
    size_t count;
    const char *raw, *folder, *application;
};

/* ---- studies of what was captured ---- */

/* Reads the study as every command does: what it cannot say is left out. */
static enum clopt_status check_study(const struct task *task, struct clopt_error *error)
{
    CLOPT_FREED char *path = clopt_path_join(task->folder, "kernel.ini");
    struct clopt_study *study = NULL;
    enum clopt_status status = clopt_study_read(path, task->registry, NULL, 0, &study, error);
    clopt_study_destroy(study);
    if (status)
        clopt_folder_remove(task->folder);
    return status;
}

static enum clopt_status write_apart(void *user, struct clopt_error *error)
{
    const struct task *task = user;
    CLOPT_FREED char *text = NULL,
                     *name = clopt_text_format("%s/%s.cl", task->raw, task->launches[0]->program);
    CLOPT_TRY(clopt_text_read(name, &text, error));
    CLOPT_TRY(clopt_captured_write(task->launches, task->count, text, task->application,
                                   task->folder, task->registry, error));
    return check_study(task, error);
}

/* Names the folder of a study after its kernel: the first that is not there. */
static char *name_folder(const struct request *request, const char *kernel)
{
    struct clopt_text path = {0};
    struct stat info;
    for (unsigned i = 1; i == 1 || lstat(path.data, &info) == 0; i++) {
        clopt_text_clear(&path);
        clopt_text_printf(&path, "%s/%s", request->folder, kernel);
        if (i > 1)
            clopt_text_printf(&path, "-%u", i);
    }
    return clopt_text_take(&path);
}

/* Adds which launches the layer has left out, and why. */
static void add_left_out(const struct clopt_record_row *row, struct clopt_captured_studies *list)
{
    CLOPT_OWNED(clopt_text) reason = {0};
    clopt_text_append(&reason, row->left_out.reason);
    if (row->captured)
        clopt_text_printf(&reason, " (%" PRIu64 " launches beside those that were captured)",
                          row->left_out.count);
    clopt_captured_refuse(list, row->kernel, clopt_text_string(&reason));
}

/* Names the kernels of launches, each once. */
static char *name_kernels(const struct clopt_captured *const *launches, size_t count)
{
    struct clopt_text names = {0};
    for (size_t i = 0; i < count; i++) {
        size_t same = 0;
        while (strcmp(launches[same]->kernel, launches[i]->kernel) != 0)
            same++;
        if (same == i)
            clopt_text_printf(&names, "%s%s", i ? ", " : "", launches[i]->kernel);
    }
    return clopt_text_take(&names);
}

/* Writes the study of a launch, or of several that belong together. */
static void write_study(const struct request *request, struct task task,
                        struct clopt_captured_studies *list)
{
    struct clopt_error reason = {0};
    CLOPT_FREED char *folder =
        name_folder(request, task.count > 1 ? "sequence" : task.launches[0]->kernel);
    CLOPT_FREED char *kernels = name_kernels(task.launches, task.count);
    CLOPT_FREED char *path = clopt_path_join(folder, "kernel.ini");
    task.folder = folder;
    if (clopt_command_apart(CLOPT_DEFAULT_LIMIT_S, write_apart, &task, &reason) == CLOPT_OK)
        clopt_captured_add(list, kernels, path, task.count > 1 ? NULL : task.launches[0]);
    else
        clopt_captured_refuse(list, kernels, reason.message);
}

static bool changes(const struct clopt_captured *launch)
{
    bool changed = false;
    for (size_t i = 0; i < launch->argument_count; i++)
        changed |= launch->arguments[i].changed;
    return changed;
}

/* Whether a launch changes nothing, and another one of its kernel does. */
static bool is_idle(const struct task *task, const struct clopt_captured *launch)
{
    bool other = false;
    for (size_t i = 0; i < task->count && !other; i++)
        other = strcmp(task->launches[i]->kernel, launch->kernel) == 0 &&
                strcmp(task->launches[i]->program, launch->program) == 0 &&
                changes(task->launches[i]);
    return other && !changes(launch);
}

/* Writes studies of launches that belong together, then one of each launch. */
static void write_all(const struct request *request, struct task task,
                      struct clopt_captured_studies *list)
{
    const struct task all = task;
    const struct clopt_captured *const *launches = task.launches;
    size_t count = task.count;
    for (size_t i = 0; i < count; i += task.count) {
        const char *reason;
        task.launches = launches + i;
        task.count = clopt_sequence_length(task.launches, count - i, &reason);
        if (task.count > 1)
            write_study(request, task, list);
        CLOPT_FREED char *names = name_kernels(task.launches, task.count + (reason != NULL));
        if (reason)
            clopt_captured_refuse(list, names, reason);
    }
    task.count = 1;
    for (size_t i = 0; i < count; i++) {
        task.launches = launches + i;
        if (!is_idle(&all, launches[i]))
            write_study(request, task, list);
    }
}

static int is_launch(const struct dirent *entry)
{
    return clopt_text_ends(entry->d_name, ".launch");
}

/* Reads the launches of a folder; what cannot be read is left out. */
static struct clopt_captured **read_launches(const char *raw, size_t *count,
                                             struct clopt_captured_studies *list)
{
    struct dirent **entries = NULL;
    int found = scandir(raw, &entries, is_launch, versionsort);
    struct clopt_captured **launches =
        clopt_calloc((size_t)(found > 0 ? found : 0), sizeof *launches);
    for (int i = 0; i < found; i++) {
        struct clopt_error reason = {0};
        CLOPT_FREED char *path = clopt_path_join(raw, entries[i]->d_name);
        struct clopt_captured *launch = clopt_calloc(1, sizeof *launch);
        if (clopt_captured_read(path, launch, &reason)) {
            clopt_captured_refuse(list, entries[i]->d_name, reason.message);
            clopt_captured_destroy(launch);
        } else {
            launches[(*count)++] = launch;
        }
        free(entries[i]);
    }
    free(entries);
    return launches;
}

/* Adds what came of each kernel: its studies, or why there is none. */
static enum clopt_status write_studies(struct clopt_application_request *whole,
                                       struct clopt_document *document, struct clopt_error *error)
{
    const struct request *request = (const struct request *)whole; /* its first member */
    const struct clopt_record *record = whole->application.record;
    const struct clopt_registry *registry = whole->global->registry;
    CLOPT_OWNED(clopt_captured_studies) list = {.record = record};
    size_t count = 0;
    (void)error;
    clopt_registry_load(registry);
    struct clopt_captured **launches = read_launches(whole->application.folder, &count, &list);
    struct task task = {.registry = registry,
                        .launches = (const struct clopt_captured *const *)launches,
                        .count = count,
                        .raw = whole->application.folder,
                        .application = whole->application.argv[0]};
    write_all(request, task, &list);
    for (size_t i = 0; i < CLOPT_RECORD_ROWS && i < record->row_count; i++)
        if (record->rows[i].ready && record->rows[i].left_out.count)
            add_left_out(&record->rows[i], &list);
    clopt_captured_report(&list, document);
    for (size_t i = 0; i < count; i++)
        clopt_captured_destroy(launches[i]);
    free(launches);
    return CLOPT_OK;
}

/* ---- the whole ---- */

/* Makes the folder, which must have nothing in it, and one in it for what the layer writes; `raw`
 * is its path. That of a process that was killed goes first. */
static enum clopt_status make_folder(const struct request *request, char **raw,
                                     struct clopt_error *error)
{
    CLOPT_TRY(clopt_folder_create(request->folder, error));
    DIR *listing = opendir(request->folder);
    size_t entries = 0;
    for (const struct dirent *entry; listing && (entry = readdir(listing));)
        entries += strcmp(entry->d_name, RAW_FOLDER) != 0;
    if (listing)
        closedir(listing);
    if (entries != 2) /* . and .. */
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: this folder is not empty, and clopt never overwrites what is in it; "
                          "choose another with -o",
                          request->folder);
    CLOPT_FREED char *whole = realpath(request->folder, NULL);
    if (!whole)
        return clopt_fail(error, CLOPT_FAILED, "%s: %s", request->folder, strerror(errno));
    *raw = clopt_path_join(whole, RAW_FOLDER);
    return clopt_scratch_create(*raw, error);
}

static const struct clopt_key capture_options[] = {
    CLOPT_TEXT('o', "output", "FOLDER", struct request, folder,
               "where the studies go, a folder each [capture]; nothing may be in it"),
    CLOPT_TEXT('k', "kernel", "NAME", struct request, kernel, "capture this kernel alone [all]"),
    CLOPT_NUMBER('n', "launches", "N", struct request, launches, "1..1000",
                 "capture so many launches of each kernel and each size of it [1]"),
    CLOPT_NUMBER(0, "limit", "BYTES", struct request, limit_bytes, "1..",
                 "capture buffers of so many bytes together, before and after [1Gi]"),
    {0},
};

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct request request = {
        .whole = {.global = global, .output.on_stderr = true, .report = write_studies},
        .folder = "capture",
        .launches = 1,
        .limit_bytes = (int64_t)1 << 30};
    struct clopt_error error = {0};
    CLOPT_FREED char *raw = NULL;
    int code;
    if (!clopt_application_take(&clopt_capture_command, &request.whole, argc, argv, &code))
        return code;
    if (make_folder(&request, &raw, &error))
        return clopt_report_error(&error);
    request.whole.application =
        (struct clopt_application){.folder = raw,
                                   .kernel = request.kernel,
                                   .launches = (uint32_t)request.launches,
                                   .limit_bytes = (uint64_t)request.limit_bytes};
    code = clopt_application_command(&clopt_capture_command, &request.whole, argv + optind);
    clopt_folder_remove(raw);
    return code;
}

const struct clopt_command clopt_capture_command = {
    .name = "capture",
    .usage = "capture [-o FOLDER] [--kernel=NAME] [--launches=N] [--limit=BYTES]\n"
             "                     -- APPLICATION [ARGUMENT ...]\n",
    .about = "Example: clopt capture -- ./program\n\n"
             "Runs an application as it is, with a layer of OpenCL's loader, and writes a\n"
             "study for each kernel that it launches: its source, options, sizes, arguments,\n"
             "with what is in buffers before the launch as inputs, and what is after as what\n"
             "is right. What cannot be captured is named, with the reason.\n"
             "\n"
             "  clopt tune capture/NAME/kernel.ini\n"
             "\n",
    .arguments = "APPLICATION ...",
    .lists = {{capture_options, 0},
              {clopt_application_options, 0},
              {clopt_output_options, offsetof(struct request, whole.output), clopt_output_row}},
    .run = run_command,
};
