/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs one trial outside of a study, in a child process: what commands do that run an app once. */
#include "commands/check/run_parts.h"
#include "commands/shared/asked_device.h"
#include "commands/shared/usage.h"

#include <unistd.h>

#include "document/file_set.h"
#include "file/cache.h"
#include "file/folder.h"
#include "opencl/listing.h"
#include "opencl/traits.h"
#include "pool/pool.h"
#include "shared/variant_parse.h"
#include "space/parameters.h"
#include "study/reader.h"
#include "study/schema.h"
#include "text/suggest.h"

/* Finds the kernel that the variant is of. */
static enum clopt_status find_kernel(struct run *run, struct clopt_error *error)
{
    const struct clopt_kernel *kernels = run->trial.app->extension->app->kernels;
    const char *names[64];
    size_t count = 0;
    run->trial.kernel = kernels;
    if (!run->asked.kernel)
        return CLOPT_OK;
    for (const struct clopt_kernel *kernel = kernels; kernel->name; kernel++) {
        if (count < sizeof names / sizeof names[0])
            names[count++] = kernel->name;
        if (strcmp(kernel->name, run->asked.kernel) == 0) {
            run->trial.kernel = kernel;
            return CLOPT_OK;
        }
    }
    const char *near = clopt_suggest(run->asked.kernel, names, count);
    return clopt_fail(error, CLOPT_INVALID, "--kernel=%s: no such kernel; did you mean %s?",
                      run->asked.kernel, near ? near : names[0]);
}

/* Reads the variant. A knob's value that the app does not have is the user's to mend. */
static enum clopt_status read_variant(struct run *run, struct clopt_error *error)
{
    CLOPT_HELD(clopt_values) knobs = NULL;
    enum clopt_status status =
        clopt_trial_parse_name(&run->trial, run->asked.variant, run->registry, error);
    if (!status)
        status = clopt_trial_knobs(&run->trial, &knobs, error);
    if (status == CLOPT_INFEASIBLE) {
        clopt_fail_within(error, "-v %s", run->asked.variant);
        status = error->status = CLOPT_INVALID;
    }
    return status;
}

/* Returns the limits that hold where no study says others. */
static struct clopt_limits default_limits(void)
{
    struct clopt_study study = {0};
    const struct clopt_study_section *kind;
    for (size_t i = 0; (kind = clopt_study_section(NULL, i)); i++)
        if (strcmp(kind->kind, "limits") == 0)
            clopt_keys_read(kind->keys, NULL, NULL, &study, NULL);
    return study.limits;
}

/* Takes the app and its inputs from a study. */
static enum clopt_status take_from_study(struct run *run, struct clopt_error *error)
{
    CLOPT_TRY(clopt_study_read(run->asked.study_path, run->registry, NULL, 0, &run->study, error));
    const struct clopt_study *study = run->study;
    const struct clopt_study_app *app = clopt_study_find_app(study, run->app_name);
    if (!app)
        return clopt_fail(error, CLOPT_INVALID, "%s: no app %s is in this study",
                          run->asked.study_path, run->app_name);
    run->trial.app = app->entry;
    const struct clopt_values *inputs = app->problems[0];
    for (size_t i = 1; run->asked.smallest && i < app->problem_count; i++)
        if (clopt_inputs_size(app->problems[i]) < clopt_inputs_size(inputs))
            inputs = app->problems[i];
    run->trial.inputs = clopt_values_copy(inputs);
    run->asked.seed = run->asked.seed < 0 ? (int64_t)study->seed : run->asked.seed;
    clopt_study_initial_parameters(study, app->entry, &run->trial);
    return CLOPT_OK;
}

/* Takes the app as its plugin offers it. */
static enum clopt_status take_plugin(struct run *run, struct clopt_error *error)
{
    CLOPT_TRY(
        clopt_registry_find(run->registry, CLOPT_KIND_APP, run->app_name, &run->trial.app, error));
    const struct clopt_app *app = run->trial.app->extension->app;
    if (app->define)
        return clopt_fail(error, CLOPT_INVALID, "a study describes it: name one with -c");
    run->trial.inputs = clopt_values_create(app->inputs);
    return CLOPT_OK;
}

enum clopt_status clopt_run_make_trial(struct run *run, char **assignments,
                                       struct clopt_error *error)
{
    CLOPT_TRY(run->asked.study_path ? take_from_study(run, error) : take_plugin(run, error));
    const struct clopt_app *app = run->trial.app->extension->app;
    run->trial.seed = run->asked.seed < 0 ? 1 : (uint64_t)run->asked.seed;
    run->limits = run->study ? run->study->limits : default_limits();
    run->trial.source_limit = run->limits.source_bytes;
    CLOPT_TRY(find_kernel(run, error));
    for (; *assignments; assignments++)
        CLOPT_TRY(clopt_input_set(run->trial.app, run->trial.inputs, *assignments, error));
    if (run->asked.variant)
        CLOPT_TRY(read_variant(run, error));
    if (run->asked.output && !app->write)
        return clopt_fail(error, CLOPT_INVALID, "has no result that goes to a file");
    return run->asked.output && !app->define
               ? clopt_file_check_target(run->asked.output, NULL, error)
               : CLOPT_OK;
}

/* Returns the folder where studies keep builds, if this one does, and the driver caches what it
 * compiles by itself, for all processes: a search finds its initial code compiled there. */
static char *builds_folder(const struct run *run, const struct clopt_device_info *device)
{
    bool keeps = run->keeps_builds && (!run->study || run->study->measure.keep_builds);
    bool caches = clopt_traits_find(device->platform)->cache_variable;
    return keeps && caches ? clopt_cache_folder("builds") : NULL;
}

/* Opens the one device that is meant. */
static enum clopt_status open_device(struct run *run, struct clopt_error *error)
{
    CLOPT_FREED struct clopt_device_info *devices = NULL;
    size_t count = 0, index = 0;
    CLOPT_TRY(clopt_device_list(NULL, &devices, NULL, &count, error));
    if (!run->asked.any_device)
        CLOPT_TRY(
            clopt_choose_device(run->study, run->asked.device, devices, count, &index, error));
    else
        while (index < count && !clopt_device_is_cpu(&devices[index]))
            index++;
    index = index < count ? index : 0;
    run->device_count = count;
    run->builds = builds_folder(run, &devices[index]);
    return clopt_workspace_open(&run->workspace, &devices[index],
                                clopt_device_ordinal(devices, index), run->builds);
}

enum clopt_status clopt_run_make_session(struct run *run, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_trial) trial = {0};
    clopt_trial_copy(&run->trial, &trial);
    CLOPT_TRY(clopt_variant_check(&trial, &run->workspace.context.info, error));
    return clopt_session_make(&run->workspace, 0, &trial, NULL, &run->session);
}

/* Takes note of a stage that begins. */
static void begin_stage(void *user, enum clopt_stage stage)
{
    struct run *run = user;
    const char *key;
    char name[64];
    double seconds = clopt_limits_stage(&run->limits, stage, &key);
    clopt_fail(run->error, CLOPT_OK, "stage %s", clopt_stage_name(stage));
    snprintf(name, sizeof name, "[limits] %s%s", key, run->study ? "" : " of studies, or --limit");
    if (!run->asked.limit_s)
        clopt_child_limit(run->error, seconds, name);
}

/* Opens the device, and does the work there. */
static enum clopt_status run_trial(void *user, struct clopt_error *error)
{
    struct run *run = user;
    run->error = error;
    clopt_registry_load(run->registry); /* before OpenCL, as in workers */
    run->workspace.registry = run->registry;
    run->workspace.kernel_path = run->global->kernel_path;
    run->workspace.memory_bytes = clopt_memory_limit(run->limits.memory_bytes);
    run->workspace.error = error;
    setpgid(0, 0); /* what a kernel does to its group is done to its own process alone */
    run->workspace.stages.begins = begin_stage;
    run->workspace.stages.user = run;
    begin_stage(run, CLOPT_STAGE_OPEN);
    if (setenv("TMPDIR", run->folder, 1) != 0)
        clopt_memory_end();
    enum clopt_status status = open_device(run, error);
    if (!status)
        status = run->work(run, error);
    clopt_workspace_close(&run->workspace);
    free(run->builds);
    free(run->block.times_ns);
    free(run->result);
    return status;
}

enum clopt_status clopt_run_apart(struct run *run, struct clopt_error *error)
{
    const struct clopt_child_limits limits = {.seconds = (double)run->asked.limit_s,
                                              .seconds_key = "--limit",
                                              .memory_bytes =
                                                  clopt_memory_limit(run->limits.memory_bytes),
                                              .memory_key = "[limits] memory"};
    CLOPT_OWNED(clopt_temporary) temporary = {0};
    CLOPT_TRY(clopt_temporary_create(&temporary, error));
    run->folder = temporary.path;
    return clopt_child_run(&limits, run_trial, run, error) ? clopt_driver_accuse(NULL, error)
                                                           : CLOPT_OK;
}

void clopt_run_fini(struct run *run)
{
    clopt_trial_fini(&run->trial);
    clopt_study_destroy(run->study);
}

/* Writes the one result of an app. */
static enum clopt_status write_result(void *user, FILE *stream, struct clopt_error *error)
{
    const struct run *run = user;
    (void)error; /* the session's */
    return clopt_session_write(run->session, 0, stream);
}

/* Writes all results into a folder, by their names. */
static enum clopt_status write_folder(struct run *run, struct clopt_error *error)
{
    const struct clopt_parameter *results = run->trial.app->extension->app->results;
    CLOPT_OWNED(clopt_file_set) files = {.grows = true, .folder = run->asked.output};
    CLOPT_TRY(clopt_folder_create(run->asked.output, error));
    for (unsigned i = 0; results[i].name; i++) {
        char *data = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&data, &size);
        if (!stream)
            clopt_memory_end();
        enum clopt_status status = clopt_session_write(run->session, i, stream);
        if (fclose(stream) != 0)
            clopt_memory_end();
        clopt_file_set_add(&files, results[i].name, data, size);
        CLOPT_TRY(status);
    }
    return clopt_file_set_write(&files, CLOPT_FILES_MANIFEST,
                                json_pack("{s:s}", "format", "clopt-files"), error);
}

enum clopt_status clopt_run_write(struct run *run, struct clopt_error *error)
{
    if (run->trial.app->extension->app->define)
        return write_folder(run, error);
    if (strcmp(run->asked.output, "-") == 0)
        return clopt_session_write(run->session, 0, stdout);
    return clopt_file_save(run->asked.output, NULL, write_result, run, error);
}
