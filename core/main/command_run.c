/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt run APP`: runs an app once as an application, without a study. */
#include "main/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/file.h"
#include "file/folder.h"
#include "file/temporary.h"
#include "main/choose_device.h"
#include "main/run_parts.h"
#include "main/usage.h"
#include "opencl/driver.h"
#include "opencl/listing.h"
#include "pool/pool.h"
#include "process/child.h"
#include "space/parameters.h"
#include "study/schema.h"
#include "study/reader.h"
#include "text/suggest.h"
#include "text/text.h"

#define DEFAULT_RUNS 5

static const struct clopt_option options[] = {
    CLOPT_TEXT('c', "config", "FILE", struct run, study_path,
               "take the app, and the first value of each input, from a study; needed where it "
               "describes the app"),
    CLOPT_TEXT('d', "device", "PATTERN", struct run, device,
               "the device: a part of its platform's or its own name, or a type (cpu, gpu, "
               "accelerator); needed where there are several"),
    CLOPT_TEXT('o', "output", "FILE", struct run, output,
               "write the result to this file (- is standard output); of an app that a study "
               "describes, all results to this folder"),
    CLOPT_TEXT('v', "variant", "NAME", struct run, variant,
               "run a variant, such as 'geometry(block_size=32)'"),
    CLOPT_TEXT('k', "kernel", "NAME", struct run, kernel,
               "the kernel that the variant is of [the app's first]"),
    CLOPT_NUMBER('n', "runs", "N", struct run, runs, 1, 1000000, "timed runs [5]"),
    CLOPT_NUMBER(0, "seed", "N", struct run, seed, 0, INT64_MAX,
                 "seed of pseudo-random inputs [the study's, or 1]"),
    CLOPT_NUMBER(0, "limit", "SECONDS", struct run, limit_s, 1, CLOPT_LONGEST_LIMIT_S,
                 "give up after this time [what a study allows each stage]"),
    CLOPT_FLAG(0, "json", struct run, json, "print a JSON object"),
    {0},
};

/* Finds the kernel that the variant is of. */
static enum clopt_status find_kernel(struct run *run, struct clopt_error *error)
{
    const struct clopt_kernel *kernels = clopt_entry_app(run->trial.app)->kernels;
    const char *names[64];
    size_t count = 0;
    run->trial.kernel = kernels;
    if (!run->kernel)
        return CLOPT_OK;
    for (const struct clopt_kernel *kernel = kernels; kernel->name; kernel++) {
        if (count < sizeof names / sizeof names[0])
            names[count++] = kernel->name;
        if (strcmp(kernel->name, run->kernel) == 0) {
            run->trial.kernel = kernel;
            return CLOPT_OK;
        }
    }
    const char *near = clopt_suggest(run->kernel, names, count);
    return clopt_fail(error, CLOPT_INVALID, "--kernel=%s: no such kernel; did you mean %s?",
                      run->kernel, near ? near : names[0]);
}

/* Reads the variant. A knob's value that the app does not have is the user's to mend. */
static enum clopt_status read_variant(struct run *run, struct clopt_error *error)
{
    struct clopt_values *knobs = NULL;
    enum clopt_status status =
        clopt_trial_parse_name(&run->trial, run->variant, run->registry, error);
    if (!status)
        status = clopt_trial_knobs(&run->trial, &knobs, error);
    clopt_values_destroy(knobs);
    if (status == CLOPT_INFEASIBLE) {
        clopt_fail_within(error, "-v %s", run->variant);
        status = error->status = CLOPT_INVALID;
    }
    return status;
}

/* Takes the app and its inputs from a study. */
static enum clopt_status take_from_study(struct run *run, struct clopt_error *error)
{
    enum clopt_status status =
        clopt_study_read(run->study_path, run->registry, NULL, 0, &run->study, error);
    if (status)
        return status;
    const struct clopt_study *study = run->study;
    const struct clopt_study_app *app = clopt_study_find_app(study, run->app_name);
    if (app) {
        run->trial.app = app->entry;
        run->trial.inputs = clopt_values_copy(app->problems[0]);
        run->seed = run->seed < 0 ? (int64_t)study->seed : run->seed;
        status = run->trial.inputs ? CLOPT_OK : clopt_fail_memory(error);
        if (!status)
            status = clopt_study_initial_parameters(study, app->entry, &run->trial, error);
    } else {
        status = clopt_fail(error, CLOPT_INVALID, "%s: no app %s is in this study", run->study_path,
                            run->app_name);
    }
    return status;
}

/* Takes the app as its plugin offers it. */
static enum clopt_status take_plugin(struct run *run, struct clopt_error *error)
{
    enum clopt_status status =
        clopt_registry_find(run->registry, CLOPT_PLUGIN_APP, run->app_name, &run->trial.app, error);
    if (status)
        return status;
    const struct clopt_app *app = clopt_entry_app(run->trial.app);
    if (app->define)
        return clopt_fail(error, CLOPT_INVALID, "a study describes it: name one with -c");
    run->trial.inputs = clopt_values_create(app->inputs);
    return run->trial.inputs ? CLOPT_OK : clopt_fail_memory(error);
}

/* Makes the trial that the command line asks for. */
static enum clopt_status make_trial(struct run *run, char **assignments, struct clopt_error *error)
{
    enum clopt_status status =
        run->study_path ? take_from_study(run, error) : take_plugin(run, error);
    if (status)
        return status;
    const struct clopt_app *app = clopt_entry_app(run->trial.app);
    run->trial.seed = run->seed < 0 ? 1 : (uint64_t)run->seed;
    if (run->study)
        run->limits = run->study->limits;
    else if (clopt_study_default_limits(&run->limits, error))
        return error->status;
    run->trial.source_limit = run->limits.source_bytes;
    status = find_kernel(run, error);
    for (; *assignments && !status; assignments++)
        status = clopt_input_set(run->trial.app, run->trial.inputs, *assignments, error);
    if (!status && run->variant)
        status = read_variant(run, error);
    if (!status && run->output && !app->write)
        status = clopt_fail(error, CLOPT_INVALID, "has no result that goes to a file");
    return status;
}

/* Opens the one device that is meant. */
static enum clopt_status open_device(struct run *run, struct clopt_error *error)
{
    struct clopt_device_info *devices = NULL;
    size_t count = 0, index = 0;
    enum clopt_status status = clopt_device_list(NULL, &devices, NULL, &count, error);
    if (status)
        return status;
    status = clopt_choose_device(run->study, run->device, devices, count, &index, error);
    if (!status)
        status = clopt_workspace_open(&run->workspace, &devices[index],
                                      clopt_device_ordinal(devices, index), NULL);
    free(devices);
    return status;
}

/* Keeps what the app says of its result. */
static enum clopt_status summarize(struct run *run, struct clopt_error *error)
{
    size_t size = 0;
    FILE *stream = open_memstream(&run->result, &size);
    if (!stream)
        return clopt_fail_memory(error);
    enum clopt_status status = clopt_entry_app(run->trial.app)->summarize
                                   ? clopt_session_summarize(run->session, stream)
                                   : CLOPT_OK;
    fclose(stream);
    return status;
}

/* One result of a run. */
struct result {
    const struct run *run;
    unsigned index;
};

static enum clopt_status write_result(void *user, FILE *stream, struct clopt_error *error)
{
    const struct result *result = user;
    (void)error; /* the session's */
    return clopt_session_write(result->run->session, result->index, stream);
}

/* Writes all results into a folder, by their names. */
static enum clopt_status write_folder(struct run *run, struct clopt_error *error)
{
    const struct clopt_parameter *results = clopt_entry_app(run->trial.app)->results;
    enum clopt_status status = clopt_folder_create(run->output, error);
    for (unsigned i = 0; results[i].name && !status; i++) {
        char *path = clopt_path_join(run->output, results[i].name);
        struct result result = {run, i};
        status =
            path ? clopt_file_save(path, write_result, &result, error) : clopt_fail_memory(error);
        free(path);
    }
    return status;
}

static enum clopt_status write_output(struct run *run, struct clopt_error *error)
{
    if (clopt_entry_app(run->trial.app)->define)
        return write_folder(run, error);
    if (strcmp(run->output, "-") == 0)
        return clopt_session_write(run->session, 0, stdout);
    return clopt_file_save(run->output, write_result, &(struct result){run, 0}, error);
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
    if (!run->limit_s)
        clopt_child_limit(run->error, seconds, name);
}

/* Builds, verifies, measures. */
static enum clopt_status execute(struct run *run, struct clopt_error *error)
{
    struct clopt_trial trial;
    if (clopt_trial_copy(&run->trial, &trial, error))
        return error->status;
    enum clopt_status status = clopt_variant_check(&trial, &run->workspace.context.info, error);
    if (status)
        clopt_trial_fini(&trial);
    else
        status = clopt_session_make(&run->workspace, 0, &trial, NULL, &run->session);
    if (!status) {
        clopt_workspace_begin(&run->workspace, CLOPT_STAGE_BUILD);
        status = clopt_session_build(run->session);
    }
    if (status == CLOPT_BUILD_FAILED && run->session && run->session->build.log)
        clopt_text_print(stderr, "%s\n", run->session->build.log);
    if (!status)
        status = clopt_session_verify(run->session, NULL, NULL, &run->verdict);
    if (!status)
        status = clopt_samples_take(run->session, CLOPT_OBJECTIVE_TIME, run->runs, INT64_MAX,
                                    &run->block);
    if (!status)
        status = summarize(run, error);
    if (!status && run->output)
        status = write_output(run, error);
    return status;
}

/* Runs the trial, and prints what came of it. */
static enum clopt_status run_trial(void *user, struct clopt_error *error)
{
    struct run *run = user;
    run->error = error;
    run->workspace.kernel_path = run->global->kernel_path;
    run->workspace.memory_bytes = clopt_memory_limit(run->limits.memory_bytes);
    run->workspace.error = error;
    run->workspace.begins = begin_stage;
    run->workspace.user = run;
    begin_stage(run, CLOPT_STAGE_OPEN);
    enum clopt_status status = open_device(run, error);
    if (!status)
        status = execute(run, error);
    /* Where the result itself goes to standard output, nothing else may. */
    FILE *stream = run->output && strcmp(run->output, "-") == 0 ? stderr : stdout;
    if (!status)
        status = clopt_run_print(run, stream, error);
    clopt_workspace_close(&run->workspace);
    free(run->block.times_ns);
    free(run->result);
    return status;
}

/* Does so in a child, with a folder for temporary files that goes with it. */
static enum clopt_status run_apart(struct run *run, struct clopt_error *error)
{
    const struct clopt_child_limits limits = {.seconds = (double)run->limit_s,
                                              .seconds_key = "--limit",
                                              .memory_bytes =
                                                  clopt_memory_limit(run->limits.memory_bytes),
                                              .memory_key = "[limits] memory"};
    struct clopt_temporary temporary;
    enum clopt_status status = clopt_temporary_create(&temporary, error);
    if (status)
        return status;
    if (setenv("TMPDIR", temporary.path, 1) != 0)
        status = clopt_fail_memory(error);
    if (!status && clopt_child_run(&limits, run_trial, run, error))
        status = clopt_driver_accuse(NULL, error);
    clopt_temporary_remove(&temporary);
    return status;
}

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct run run = {.global = global, .seed = -1, .runs = DEFAULT_RUNS};
    int code;
    if (!clopt_command_read(&clopt_run_command, &run, argc, argv, &code))
        return code;
    if (optind == argc)
        return clopt_usage_error("run", "no app given");
    run.app_name = argv[optind];
    struct clopt_error error = {0};
    enum clopt_status status = clopt_registry_open(global->plugin_path, &run.registry, &error);
    if (!status)
        status = make_trial(&run, argv + optind + 1, &error);
    if (!status)
        status = run_apart(&run, &error);
    if (status && run.trial.app)
        clopt_fail_within(&error, "%s", run.app_name);
    clopt_trial_fini(&run.trial);
    clopt_study_destroy(run.study);
    clopt_registry_close(run.registry);
    return status ? clopt_report_error(&error) : CLOPT_EXIT_DONE;
}

const struct clopt_command clopt_run_command = {
    .name = "run",
    .summary = "run an app once, without a study",
    .usage = "run APP [INPUT=VALUE ...] [-c STUDY.ini] [-d DEVICE] [-o FILE]\n",
    .about = "Runs an app once as an application: prints its result, whether that is right,\n"
             "and how long its kernels took. `clopt plugins APP` lists the inputs.\n"
             "\n",
    .arguments = "APP INPUT=VALUE ...",
    .lists = {{options, 0}},
    .run = run_command,
};
