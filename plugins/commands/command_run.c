/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt run APP`: runs an app once as an application, without a study. */

#include "commands/check/run_parts.h"
#include "commands/shared/commands.h"
#include "commands/shared/usage.h"
#include "file/folder.h"
#include "results/results.h"
#include "text/table.h"

/* ---- what is printed ---- */

static struct clopt_interval column_interval(const struct run *run, size_t column)
{
    CLOPT_FREED double *times = clopt_calloc(run->block.count, sizeof *times);
    CLOPT_FREED uint32_t *process = clopt_calloc(run->block.count, sizeof *process);
    for (size_t row = 0; row < run->block.count; row++)
        times[row] = run->block.times_ns[row * run->block.columns + column];
    return clopt_interval_estimate(times, process, run->block.count);
}

static void add_time_row(const struct run *run, struct clopt_table *table, const char *name,
                         size_t column, const struct clopt_kernel *kernel)
{
    struct clopt_interval time = column_interval(run, column);
    if (time.median == 0) /* the app has not launched this kernel */
        return;
    struct clopt_kernel_work work = {0};
    char operations[64] = "", bytes[64] = "";
    if (kernel)
        run->session->app->describe(&run->session->problem, run->workspace.state, kernel, &work,
                                    NULL);
    if (work.operations > 0)
        snprintf(operations, sizeof operations, "%.4g %s", work.operations / time.median,
                 clopt_arithmetic_unit(work.arithmetic));
    if (work.bytes > 0)
        snprintf(bytes, sizeof bytes, "%.4g GB/s", work.bytes / time.median);
    clopt_table_row(table, "%s\t%.4g ms\t%s\t%s", name, time.median * 1e-6, operations, bytes);
}

static enum clopt_status print_text(const struct run *run, FILE *stream, struct clopt_error *error)
{
    const struct clopt_app *app = run->trial.app->extension->app;
    const struct clopt_device_info *device = &run->workspace.context.info;
    CLOPT_FREED char *label = clopt_inputs_label(run->trial.app, run->trial.inputs);
    CLOPT_FREED char *variant = clopt_trial_name(&run->trial);
    clopt_text_print(stream, "%s%s%s, %s, on %s (%s)\n", run->app_name, *label ? " " : "", label,
                     variant, device->name, device->platform);
    clopt_text_print(stream, "%s", run->result);
    clopt_text_print(stream, "check: right; %s: error %.3g, allowed %.3g\n", run->verdict.text,
                     run->verdict.error, run->verdict.bound);
    CLOPT_HELD(clopt_table) table = clopt_table_create("lrrr");
    clopt_table_row(table, "kernel\tmedian of %zu", run->block.count);
    clopt_table_rule(table);
    for (size_t k = 0; app->kernels[k].name; k++)
        add_time_row(run, table, app->kernels[k].name, k, &app->kernels[k]);
    add_time_row(run, table, "whole run", run->session->kernel_count, NULL);
    return clopt_table_print(table, stream, 0, error);
}

/* Turns lines `name: value` into an object of texts. */
static json_t *read_lines(const char *lines)
{
    json_t *object = json_object();
    while (lines && *lines) {
        size_t length = strcspn(lines, "\n"), name = strcspn(lines, ":");
        if (name < length) {
            size_t skip = name + 1 + strspn(lines + name + 1, " ");
            CLOPT_FREED char *key = clopt_strndup(lines, name);
            json_object_set_new(object, key,
                                json_stringn(lines + skip, skip < length ? length - skip : 0));
        }
        lines += length + (lines[length] == '\n');
    }
    return object;
}

static enum clopt_status print_json(const struct run *run, FILE *stream, struct clopt_error *error)
{
    const struct clopt_app *app = run->trial.app->extension->app;
    json_t *kernels = json_object();
    for (size_t k = 0; app->kernels[k].name; k++)
        json_object_set_new(kernels, app->kernels[k].name,
                            clopt_json_real(column_interval(run, k).median));
    CLOPT_FREED char *variant = clopt_trial_name(&run->trial);
    json_t *object = json_pack(
        "{s:s,s:o,s:I,s:s,s:o,s:o,s:b,s:s,s:o,s:o,s:i,s:o,s:o}", "app", run->app_name, "inputs",
        clopt_values_to_json(run->trial.inputs), "seed", (json_int_t)run->asked.seed, "variant",
        variant, "device", clopt_device_to_json(&run->workspace.context.info), "result",
        read_lines(run->result), "right", run->verdict.right, "check", run->verdict.text, "error",
        clopt_json_real(run->verdict.error), "bound", clopt_json_real(run->verdict.bound), "runs",
        (int)run->block.count, "kernels_ns", kernels, "whole_run_ns",
        clopt_json_real(column_interval(run, run->session->kernel_count).median));
    return clopt_json_print(object, stream, "the result", error);
}

/* ---- the command ---- */

#define DEFAULT_RUNS 5

static const struct clopt_key options[] = {
    CLOPT_TEXT('c', "config", "FILE", struct run, asked.study_path,
               "take the app, and the first value of each input, from a study; needed where it "
               "describes the app"),
    CLOPT_TEXT('d', "device", "PATTERN", struct run, asked.device,
               "the device: a part of its platform's or its own name, or a type (cpu, gpu, "
               "accelerator); needed where there are several"),
    CLOPT_TEXT('o', "output", "FILE", struct run, asked.output,
               "write the result to this file (- is standard output); of an app that a study "
               "describes, all results to this folder"),
    CLOPT_TEXT('v', "variant", "NAME", struct run, asked.variant,
               "run a variant, such as 'geometry(block_size=32)'"),
    CLOPT_TEXT('k', "kernel", "NAME", struct run, asked.kernel,
               "the kernel that the variant is of [the app's first]"),
    CLOPT_NUMBER('n', "runs", "N", struct run, asked.runs, "1..1000000", "timed runs [5]"),
    CLOPT_NUMBER(0, "seed", "N", struct run, asked.seed, "0..",
                 "seed of pseudo-random inputs [the study's, or 1]"),
    CLOPT_SECONDS(0, "limit", "SECONDS", struct run, asked.limit_s, CLOPT_LEGAL_LIMIT,
                  "give up after this time [what a study allows each stage]"),
    CLOPT_FLAG(0, "json", struct run, asked.json, "print a JSON object"),
    CLOPT_FLAG(0, "check", struct run, asked.check,
               "then look for wrong accesses and data races, as clopt check does"),
    {0},
};

/* Keeps what the app says of its result. */
static enum clopt_status summarize(struct run *run)
{
    size_t size = 0;
    FILE *stream = open_memstream(&run->result, &size);
    if (!stream)
        clopt_memory_end();
    enum clopt_status status = run->trial.app->extension->app->summarize
                                   ? clopt_session_summarize(run->session, stream)
                                   : CLOPT_OK;
    fclose(stream);
    return status;
}

/* Builds, verifies, measures, and prints what came of it. */
static enum clopt_status execute(struct run *run, struct clopt_error *error)
{
    if (run->study && !run->asked.json)
        clopt_study_tell_found(run->study);
    CLOPT_TRY(clopt_run_make_session(run, error));
    clopt_workspace_begin(&run->workspace, CLOPT_STAGE_BUILD);
    enum clopt_status status = clopt_session_build(run->session);
    if (status == CLOPT_BUILD_FAILED && run->session->build.log)
        clopt_text_print(stderr, "%s\n", run->session->build.log);
    CLOPT_TRY(status);
    status = clopt_session_verify(run->session, NULL, NULL, &run->verdict);
    if (status == CLOPT_WRONG_RESULT && run->workspace.learning.error.status) {
        CLOPT_FREED char *why = clopt_strdup(error->message);
        return clopt_fail(error, status, "%s; clopt check names wrong accesses", why);
    }
    CLOPT_TRY(status);
    CLOPT_TRY(clopt_samples_take(run->session, CLOPT_OBJECTIVE_TIME, run->asked.runs, INT64_MAX,
                                 &run->block));
    CLOPT_TRY(summarize(run));
    if (run->asked.output)
        CLOPT_TRY(clopt_run_write(run, error));
    /* Where the result itself goes to standard output, nothing else may. */
    FILE *stream = run->asked.output && strcmp(run->asked.output, "-") == 0 ? stderr : stdout;
    return run->asked.json ? print_json(run, stream, error) : print_text(run, stream, error);
}

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct run run = {.global = global,
                      .asked = {.seed = -1, .runs = DEFAULT_RUNS},
                      .work = execute,
                      .keeps_builds = true};
    int code;
    if (!clopt_command_read(global, &clopt_run_command, &run, argc, argv, &code))
        return code;
    if (optind == argc)
        return clopt_usage_error("run", "no app given");
    if (run.asked.check &&
        (run.asked.json || (run.asked.output && strcmp(run.asked.output, "-") == 0)))
        return clopt_usage_error("run", "--check prints text: not with --json, nor with -o -");
    run.app_name = argv[optind];
    struct clopt_error error = {0};
    clopt_registry_load(global->registry); /* before OpenCL, as in workers */
    run.registry = global->registry;
    bool failed =
        clopt_run_make_trial(&run, argv + optind + 1, &error) || clopt_run_apart(&run, &error);
    if (failed && run.trial.app)
        clopt_fail_within(&error, "%s", run.app_name);
    clopt_run_fini(&run);
    if (!failed && run.asked.check)
        return clopt_run_check(&run, argv + optind + 1);
    return failed ? clopt_report_error(&error) : CLOPT_EXIT_DONE;
}

const struct clopt_command clopt_run_command = {
    .name = "run",
    .usage = "run APP [INPUT=VALUE ...] [-c STUDY.ini] [-d DEVICE] [-o FILE]\n",
    .about = "Example: clopt run lud size=512\n\n"
             "Runs an app once as an application: prints its result, whether that is right,\n"
             "and how long its kernels took. `clopt plugins APP` lists the inputs.\n"
             "\n",
    .arguments = "APP INPUT=VALUE ...",
    .lists = {{options, 0}},
    .run = run_command,
};
