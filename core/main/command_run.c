/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt run APP`: runs an app once as an application, without a study. */
#include "main/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/suggest.h"
#include "base/temporary.h"
#include "base/text.h"
#include "main/choose_device.h"
#include "main/run_parts.h"
#include "main/usage.h"
#include "opencl/driver.h"
#include "opencl/listing.h"
#include "pool/pool.h"
#include "space/parameters.h"
#include "study/keys.h"
#include "study/reader.h"

#define DEFAULT_RUNS 5

const char clopt_help_run[] =
    "Usage: clopt run APP [INPUT=VALUE ...] [-c STUDY.ini] [-d DEVICE] [-o FILE]\n"
    "\n"
    "Runs an app once as an application: prints its result, whether that is right,\n"
    "and how long its kernels took. `clopt plugins APP` lists the inputs.\n"
    "\n"
    "Options:\n"
    "  -c, --config=FILE     take the app, and the first value of each input, from a\n"
    "                        study; needed where it describes the app\n"
    "  -d, --device=PATTERN  the device: a part of its platform's or its own name, or\n"
    "                        a type (cpu, gpu, accelerator); needed where there are\n"
    "                        several\n"
    "  -o, --output=FILE     write the result to this file (- is standard output);\n"
    "                        of an app that a study describes, all results to this\n"
    "                        folder\n"
    "  -v, --variant=NAME    run a variant, such as 'geometry(block_size=32)'\n"
    "  -k, --kernel=NAME     the kernel that the variant is of [the app's first]\n"
    "  -n, --runs=N          timed runs [5]\n"
    "      --seed=N          seed of pseudo-random inputs [1]\n"
    "      --limit=SECONDS   give up after this time [what a study allows each stage]\n"
    "      --json            print a JSON object\n"
    "  -h, --help            show this help\n";

static const struct option long_options[] = {
    {"device", required_argument, NULL, 'd'},
    {"output", required_argument, NULL, 'o'},
    {"variant", required_argument, NULL, 'v'},
    {"config", required_argument, NULL, 'c'},
    {"kernel", required_argument, NULL, 'k'},
    {"runs", required_argument, NULL, 'n'},
    {"seed", required_argument, NULL, 's'},
    {"limit", required_argument, NULL, 'l'},
    {"json", no_argument, NULL, 'j'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

/* Takes the value of an option that is a number. */
static int take_number(struct run *run, int option)
{
    int64_t number = option == 'n'   ? clopt_number_read(optarg, 1, 1000000)
                     : option == 's' ? clopt_number_read(optarg, 0, INT64_MAX)
                                     : clopt_limit_read(optarg);
    if (number < 0 && option == 'n')
        return clopt_usage_error("run", "--runs=%s: not a number from 1 to 1000000", optarg);
    if (number < 0 && option == 's')
        return clopt_usage_error("run", "--seed=%s: not a number", optarg);
    if (number < 0)
        return clopt_usage_error("run", "--limit=%s: %s", optarg, CLOPT_LIMIT_MISTAKE);
    if (option == 'n') {
        run->runs = (size_t)number;
    } else if (option == 's') {
        run->seed = (uint64_t)number;
        run->seeded = true;
    } else {
        run->limit_s = number;
    }
    return CLOPT_EXIT_DONE;
}

/* Takes one option, and returns the exit code that it means. */
static int take_option(struct run *run, int option, char **argv)
{
    switch (option) {
    case 'c':
        run->study_path = optarg;
        break;
    case 'd':
        run->device = optarg;
        break;
    case 'o':
        run->output = optarg;
        break;
    case 'v':
        run->variant = optarg;
        break;
    case 'k':
        run->kernel = optarg;
        break;
    case 'n':
    case 's':
    case 'l':
        return take_number(run, option);
    case 'j':
        run->json = true;
        break;
    case 'h':
        run->help = true;
        break;
    default:
        return clopt_option_error("run", option, argv, long_options);
    }
    return CLOPT_EXIT_DONE;
}

static int read_options(struct run *run, int argc, char **argv)
{
    int option, code = CLOPT_EXIT_DONE;
    while (!code && !run->help &&
           (option = getopt_long(argc, argv, ":c:d:o:v:k:n:h", long_options, NULL)) != -1)
        code = take_option(run, option, argv);
    if (!code && !run->help && optind == argc)
        return clopt_usage_error("run", "no app given");
    return code;
}

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
        run->seed = run->seeded ? run->seed : study->seed;
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
    run->trial.seed = run->seed;
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

int clopt_command_run(const struct clopt_global_options *global, int argc, char **argv)
{
    struct run run = {.global = global, .seed = 1, .runs = DEFAULT_RUNS};
    int code = read_options(&run, argc, argv);
    if (!code && run.help)
        fputs(clopt_help_run, stdout);
    if (code || run.help)
        return code;
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
