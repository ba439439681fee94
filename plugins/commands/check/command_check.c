/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt check`: runs kernels that check what they do with memory. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create() */
#endif

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "commands/check/drafted_check.h"
#include "commands/check/run_parts.h"
#include "commands/draft/draft.h"
#include "commands/shared/asked_device.h"
#include "commands/shared/commands.h"
#include "commands/shared/compiler_options.h"
#include "commands/shared/output.h"
#include "commands/shared/usage.h"
#include "file/folder.h"
#include "process/child.h"
#include "process/clock.h"
#include "study/reader.h"
#include "trial/observer.h"
#include "view/report.h"

#define DEFAULT_SHADOW_MIB 512

struct checking {
    struct run run; /* options of runs */
    int64_t shadow_mib;
    int64_t began_ns;
    bool atomics;
    bool sarif;
    struct clopt_output output;
    struct clopt_compiler_options options; /* of a kernel's file */
    const char *what;                      /* study, kernel or app */
    char **assignments;
    int64_t given_s; /* --limit, for all of it; 0: none */
    bool goes_on;    /* with the next app where one cannot be checked */
    json_t *checked; /* one a run */
    bool found;
};

static const struct clopt_key options[] = {
    CLOPT_TEXT('c', "config", "FILE", struct checking, run.asked.study_path,
               "with an APP: the study that describes it"),
    CLOPT_TEXT('d', "device", "PATTERN", struct checking, run.asked.device,
               "the device: a part of its platform's or its own name, or a type (cpu, gpu, "
               "accelerator); needed where there are several"),
    CLOPT_TEXT('v', "variant", "NAME", struct checking, run.asked.variant,
               "check a variant, such as 'geometry(block_size=32)'"),
    CLOPT_TEXT('k', "kernel", "NAME", struct checking, run.asked.kernel,
               "the kernel that the variant is of [the app's first]"),
    CLOPT_NUMBER(0, "seed", "N", struct checking, run.asked.seed, "0..",
                 "seed of pseudo-random inputs [the study's, or 1]"),
    CLOPT_SECONDS(0, "limit", "SECONDS", struct checking, given_s, CLOPT_LEGAL_LIMIT,
                  "give up after this time [what a study allows each stage]"),
    CLOPT_NUMBER(
        0, "shadow", "MIB", struct checking, shadow_mib, "0..1Mi",
        "memory on the device for what is known of accesses; less means more runs, 0 that no "
        "data races are looked for [512]"),
    CLOPT_FLAG(0, "atomics", struct checking, atomics,
               "plain accesses beside atomic functions of other work-items are data races, too"),
    CLOPT_TEXT('o', "output", "FILE", struct checking, run.asked.output,
               "write the result to this file, as clopt run does: it is the same where nothing is "
               "found; of a study, a folder of each app to this folder"),
    CLOPT_FLAG(0, "sarif", struct checking, sarif, "print SARIF, for editors and forges"),
    {0},
};

/* ---- one app ---- */

/* Writes what was found to the file that the parent reads: it has no device. */
static enum clopt_status hand_over(struct run *run, json_t *report, struct clopt_error *error)
{
    CLOPT_FREED char *inputs = clopt_inputs_label(run->trial.app, run->trial.inputs);
    CLOPT_FREED char *variant = clopt_trial_name(&run->trial);
    json_t *object =
        json_pack("{s:s,s:s,s:s,s:s,s:s,s:s}", "app", run->app_name, "kernel",
                  run->trial.kernel->name, "inputs", inputs, "variant", variant, "device",
                  run->workspace.context.info.name, "source", run->workspace.source.path);
    json_object_update(object, report);
    enum clopt_status status = clopt_json_print(object, run->user, "what was found", error);
    fflush(run->user); /* this process ends without */
    return status;
}

/* Writes first which of the devices this is, in case that nothing comes after it. */
static enum clopt_status hand_over_device(struct run *run, struct clopt_error *error)
{
    const struct clopt_device_info *device = &run->workspace.context.info;
    json_t *object =
        json_pack("{s:s,s:s,s:s,s:I}", "device", device->name, "platform", device->platform, "type",
                  device->type, "devices", (json_int_t)run->device_count);
    enum clopt_status status = clopt_json_print(object, run->user, "the device", error);
    fflush(run->user);
    return status;
}

static enum clopt_status check_session(struct run *run, struct clopt_error *error)
{
    const struct checking *checking = (const struct checking *)run; /* its first member */
    const struct clopt_plugin_entry *checker;
    json_auto_t *report = NULL;
    json_auto_t *settings = json_pack("{s:I,s:b}", "shadow_mib", (json_int_t)checking->shadow_mib,
                                      "mixes", checking->atomics);
    CLOPT_TRY(clopt_registry_find(run->registry, CLOPT_KIND_OBSERVER, "check", &checker, error));
    CLOPT_TRY(hand_over_device(run, error));
    CLOPT_TRY(clopt_run_make_session(run, error));
    clopt_workspace_begin(&run->workspace, CLOPT_STAGE_LAUNCH);
    const struct clopt_observer *observer = checker->extension->operations;
    CLOPT_TRY(observer->run(run->session, settings, &report));
    if (run->asked.output)
        CLOPT_TRY(clopt_run_write(run, error));
    return hand_over(run, report, error);
}

/* Leaves an app as much of the limit for all as the others have left: its own ends first, which
 * names the stage. */
static enum clopt_status take_time(struct checking *checking, struct clopt_error *error)
{
    int64_t passed_s = (clopt_now_ns() - checking->began_ns) / 1000000000;
    int64_t left_s = checking->given_s - passed_s;
    if (checking->given_s && left_s <= 0)
        return clopt_fail(error, CLOPT_TIMED_OUT, "no time was left (--limit)");
    checking->run.asked.limit_s = left_s > 1 ? left_s - 1 : left_s;
    return CLOPT_OK;
}

static enum clopt_status run_app(struct checking *checking, struct clopt_error *error)
{
    struct run *run = &checking->run;
    run->registry = run->global->registry;
    CLOPT_TRY(clopt_run_make_trial(run, checking->assignments, error));
    CLOPT_TRY(take_time(checking, error));
    return clopt_run_apart(run, error);
}

/* Opens what a child process writes its answer to: in no folder, since none may be written to. */
static FILE *open_answer(struct clopt_error *error)
{
    int file = memfd_create("answer", MFD_CLOEXEC);
    FILE *answer = file < 0 ? NULL : fdopen(file, "w+");
    if (!answer)
        clopt_fail(error, CLOPT_FAILED, "memfd_create: %s", strerror(errno));
    return answer;
}

/* Checks one app, in a child process. */
static enum clopt_status check_app(struct checking *checking, const char *app,
                                   struct clopt_error *error)
{
    struct checking own = *checking;
    struct run *run = &own.run;
    CLOPT_CLOSED FILE *answer = open_answer(error);
    if (!answer)
        return error->status;
    run->app_name = app;
    run->work = check_session;
    run->user = answer;
    enum clopt_status status = run_app(&own, error);
    bool known = run->trial.app;
    rewind(answer);
    json_auto_t *device = json_loadf(answer, JSON_DISABLE_EOF_CHECK, NULL);
    json_t *found = status ? NULL : json_loadf(answer, 0, NULL);
    clopt_run_fini(run);
    if (!status && !found)
        status = clopt_fail(error, CLOPT_FAILED, "what was found cannot be read");
    if (status && !checking->goes_on)
        return known ? clopt_fail_within(error, "%s", app) : status;
    if (status)
        found = clopt_json_object("app:s error:s", app, error->message);
    if (status == CLOPT_TIMED_OUT)
        json_object_set_new(found, "timed_out", json_true());
    json_object_update_missing(found, device);
    json_array_append_new(checking->checked, found);
    checking->found |= json_array_size(json_object_get(found, "findings")) > 0;
    return CLOPT_OK;
}

/* ---- studies and kernels ---- */

static bool is_study(const char *what)
{
    return clopt_text_ends(what, ".ini") || clopt_text_ends(what, ".json");
}

/* Checks all apps of a study, each with the smallest of its problems. */
static enum clopt_status check_study(struct checking *checking, struct clopt_error *error)
{
    CLOPT_HELD(clopt_study) study = NULL;
    CLOPT_TRY(clopt_study_read(checking->run.asked.study_path, checking->run.global->registry, NULL,
                               0, &study, error));
    const char *output = checking->run.asked.output;
    enum clopt_status status = output ? clopt_folder_create(output, error) : CLOPT_OK;
    for (size_t i = 0; i < study->app_count && !status; i++) {
        const char *app = study->apps[i].entry->extension->name;
        CLOPT_FREED char *own = output ? clopt_path_join(output, app) : NULL;
        checking->run.asked.output = own;
        status = check_app(checking, app, error);
    }
    checking->run.asked.output = output;
    return status;
}

/* Writes a study for a kernel's file, as `clopt init` does, and says nothing. */
static enum clopt_status draft(const struct checking *checking, const char *path,
                               struct clopt_error *error)
{
    const struct clopt_global_options *global = checking->run.global;
    CLOPT_FREED struct clopt_device_info *asked = NULL;
    CLOPT_FREED char *text = NULL;
    CLOPT_OWNED(clopt_text) study = {0};
    CLOPT_TRY(clopt_ask_device(global, checking->run.asked.device, &asked, error));
    CLOPT_TRY(clopt_text_read(checking->what, &text, error)); /* before it is asked for its path */
    CLOPT_FREED char *named = realpath(checking->what, NULL);
    if (!named)
        return clopt_fail(error, CLOPT_FAILED, "%s: %s", checking->what, strerror(errno));
    clopt_registry_load(global->registry);
    const struct clopt_draft_request request = {.registry = global->registry,
                                                .file = checking->what,
                                                .named = named,
                                                .options = &checking->options,
                                                .asked = asked,
                                                .check = ""};
    CLOPT_TRY(clopt_draft_write(&request, &study, error));
    return clopt_file_write_soon(path, study.data, study.length, error);
}

static enum clopt_status check_source(struct checking *checking, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_temporary) folder = {0};
    CLOPT_TRY(clopt_temporary_create(&folder, error));
    CLOPT_FREED char *path = clopt_path_join(folder.path, "study.ini");
    CLOPT_TRY(draft(checking, path, error));
    checking->run.asked.study_path = path;
    return check_study(checking, error);
}

static enum clopt_status check_any(struct checking *checking, struct clopt_error *error)
{
    const char *what = checking->what;
    if (!what)
        return check_study(checking, error);
    if (clopt_text_ends(what, ".cl"))
        return check_source(checking, error);
    if (!is_study(what))
        return check_app(checking, what, error);
    checking->run.asked.study_path = what;
    return check_study(checking, error);
}

/* ---- within the limit ---- */

static enum clopt_status check_and_answer(void *user, struct clopt_error *error)
{
    struct checking *checking = user;
    FILE *answer = checking->run.user;
    CLOPT_TRY(check_any(checking, error));
    CLOPT_TRY(clopt_json_print(json_incref(checking->checked), answer, "what was found", error));
    fflush(answer); /* this process ends without */
    return CLOPT_OK;
}

/* Checks in a child process: reading a source and a study may take long, too. */
static enum clopt_status check_apart(struct checking *checking, struct clopt_error *error)
{
    bool source = checking->what && clopt_text_ends(checking->what, ".cl");
    const struct clopt_child_limits limits = {.seconds = (double)checking->given_s,
                                              .seconds_key = "--limit",
                                              .memory_bytes = source ? clopt_memory_limit(0) : 0,
                                              .advice = CLOPT_PARSING_ADVICE};
    CLOPT_CLOSED FILE *answer = open_answer(error);
    if (!answer)
        return error->status;
    checking->run.user = answer;
    CLOPT_TRY(clopt_child_run(&limits, check_and_answer, checking, error));
    rewind(answer);
    json_decref(checking->checked);
    checking->checked = json_loadf(answer, 0, NULL);
    if (!checking->checked)
        return clopt_fail(error, CLOPT_FAILED, "what was found cannot be read");
    size_t i;
    json_t *run;
    json_array_foreach(checking->checked, i, run)
    {
        checking->found |= json_array_size(json_object_get(run, "findings")) > 0;
    }
    return CLOPT_OK;
}

static struct checking make_checking(const struct clopt_global_options *global)
{
    static char *none[] = {NULL};
    return (struct checking){.run = {.global = global, .asked = {.seed = -1, .smallest = true}},
                             .output = {.registry = global->registry},
                             .shadow_mib = DEFAULT_SHADOW_MIB,
                             .began_ns = clopt_now_ns(),
                             .assignments = none,
                             .checked = json_array()};
}

json_t *clopt_check_drafted(const struct clopt_global_options *global, const char *study,
                            const char *device, int64_t limit_s, struct clopt_error *error)
{
    struct checking checking = make_checking(global);
    checking.run.asked.study_path = study;
    checking.run.asked.device = device;
    checking.run.asked.any_device = !device;
    checking.given_s = limit_s;
    checking.goes_on = true;
    if (check_apart(&checking, error) == CLOPT_OK)
        return checking.checked;
    json_decref(checking.checked);
    return NULL;
}

static enum clopt_status print(const struct checking *checking, struct clopt_error *error)
{
    if (checking->sarif)
        return clopt_findings_print_sarif(checking->checked, stdout, error);
    struct clopt_document document = clopt_output_begin(&checking->output, "clopt check");
    clopt_findings_report(checking->checked, &document);
    return clopt_output_finish(&checking->output, &document, CLOPT_OK, error);
}

/* Prints what was found, and returns the exit code. */
static int finish(struct checking *checking, enum clopt_status status, struct clopt_error *error)
{
    if (!status)
        status = print(checking, error);
    if (!status && checking->found && clopt_text_ends(checking->what, ".cl"))
        fprintf(stderr,
                "clopt: note: sizes, lengths and contents of %s are guesses, and may be what is "
                "wrong: clopt init %s writes a study; correct them there, and check that\n",
                checking->what, checking->what);
    json_decref(checking->checked);
    clopt_compiler_options_fini(&checking->options);
    return status            ? clopt_report_error(error)
           : checking->found ? CLOPT_EXIT_VERIFICATION
                             : CLOPT_EXIT_DONE;
}

int clopt_run_check(const struct run *run, char **assignments)
{
    struct checking checking = make_checking(run->global);
    struct clopt_error error = {0};
    checking.run.asked = run->asked;
    checking.run.asked.output = NULL;
    checking.given_s = run->asked.limit_s;
    checking.what = run->app_name;
    checking.assignments = assignments;
    return finish(&checking, check_apart(&checking, &error), &error);
}

/* Reads the command line; false: there is nothing to check, and the exit code is known. */
static bool take_request(struct checking *checking, int argc, char **argv, int *code)
{
    if (!clopt_command_read(checking->run.global, &clopt_check_command, checking, argc, argv, code))
        return false;
    if (optind == argc)
        *code = clopt_usage_error("check", "no study, kernel or app given");
    else if (checking->options.all.length && !clopt_text_ends(argv[optind], ".cl"))
        *code = clopt_usage_error("check", "-D, -I and --build-options are for kernels: %s is none",
                                  argv[optind]);
    else if (checking->sarif && checking->output.format)
        *code = clopt_usage_error("check", "--sarif and --%s: one format at a time",
                                  checking->output.format->name);
    else if (checking->run.asked.output && strcmp(checking->run.asked.output, "-") == 0)
        *code = clopt_usage_error("check", "--output: findings go to standard output, results to "
                                           "a file");
    else
        *code = clopt_output_check(checking->run.global, &checking->output, "check");
    return *code == CLOPT_EXIT_DONE;
}

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct checking checking = make_checking(global);
    int code;
    if (!take_request(&checking, argc, argv, &code)) {
        json_decref(checking.checked);
        clopt_compiler_options_fini(&checking.options);
        return code;
    }
    struct clopt_error error = {0};
    checking.what = argv[optind];
    checking.assignments = argv + optind + 1;
    return finish(&checking, check_apart(&checking, &error), &error);
}

const struct clopt_command clopt_check_command = {
    .name = "check",
    .first = true,
    .usage = "check STUDY.ini | KERNEL.cl | APP [INPUT=VALUE ...] [-d DEVICE]\n",
    .about = "Example: clopt check mm.cl -d cpu\n\n"
             "Runs kernels that check each access while they run, on the device itself:\n"
             "accesses outside of buffers and arrays, reads of what was never written, data\n"
             "races inside and between work-groups, barriers that not all work-items of a\n"
             "group reach, writes to inputs, divisions by zero, shifts too far. Exit code 4:\n"
             "something was found.\n"
             "\n",
    .arguments = "STUDY.ini | KERNEL.cl | APP",
    .lists = {{options, 0},
              {clopt_compiler_option_rows, offsetof(struct checking, options)},
              {clopt_output_options, offsetof(struct checking, output), clopt_output_row}},
    .run = run_command,
};
