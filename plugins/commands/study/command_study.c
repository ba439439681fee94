/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt -c study.ini`: runs a study and reports it. */

#include <errno.h>
#include <unistd.h>

#include "commands/advise/experience.h"
#include "commands/advise/kernel_pattern.h"
#include "commands/shared/commands.h"
#include "commands/shared/usage.h"
#include "commands/study/preview.h"
#include "commands/study/study_command.h"
#include "study/launcher.h"
#include "supervisor/supervisor.h"
#include "view/analysis.h"
#include "watch/watch.h"

#define MOST_JOBS 200
#define STUDY     "-c STUDY.ini"

enum clopt_status clopt_study_command_set(struct clopt_study_command *command, const char *text,
                                          struct clopt_error *error)
{
    if (command->override_count == CLOPT_MOST_OVERRIDES)
        return clopt_fail(error, CLOPT_INVALID, "more than %d times -s", CLOPT_MOST_OVERRIDES);
    command->overrides[command->override_count++].text = text;
    return CLOPT_OK;
}

static enum clopt_status take_setting(void *read, const struct clopt_key *option, const char *value,
                                      struct clopt_error *error)
{
    (void)option;
    return clopt_study_command_set(read, value, error);
}

static enum clopt_status take_retry(void *read, const struct clopt_key *option, const char *value,
                                    struct clopt_error *error)
{
    struct clopt_study_command *command = read;
    if (clopt_retry_read(value, &command->retry, error))
        return clopt_fail(error, CLOPT_INVALID, "--%s=%s", option->is.name, error->message);
    return CLOPT_OK;
}

/* Reads a decimal number; -1 where it is none or out of range. `least` is not negative. */
static int64_t read_number(const char *text, int64_t least, int64_t most)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    return errno || end == text || *end || number < least || number > most ? -1 : number;
}

/* Reads "3/16". */
static enum clopt_status take_shard(void *read, const struct clopt_key *option, const char *value,
                                    struct clopt_error *error)
{
    struct clopt_study_command *command = read;
    char number[8];
    size_t length = strcspn(value, "/");
    snprintf(number, sizeof number, "%.*s", (int)length, value);
    int64_t count = value[length] ? read_number(value + length + 1, 1, CLOPT_MOST_SHARDS) : -1;
    int64_t own = length < sizeof number ? read_number(number, 1, count) : -1;
    if (count < 0 || own < 0)
        return clopt_fail(error, CLOPT_INVALID,
                          "--%s=%s: not of the form K/N, such as 3/16, with K from 1 to N",
                          option->is.name, value);
    command->shard = (struct clopt_shard){(unsigned)own, (unsigned)count};
    return CLOPT_OK;
}

const struct clopt_key clopt_study_options[] = {
    CLOPT_TAKEN('s', "set", "SECTION.KEY=VALUE", take_setting,
                "override a value of the study: size.n=1024"),
    CLOPT_FLAG('n', "dry-run", struct clopt_study_command, dry_run,
               "list the trials, or what a search would try first; say which are infeasible and "
               "why"),
    CLOPT_FLAG(0, "print-config", struct clopt_study_command, print_config,
               "print the study as it is in force, with origins"),
    CLOPT_NUMBER('j', "jobs", "N", struct clopt_study_command, jobs, "1.." CLOPT_STRING(MOST_JOBS),
                 "workers that build at the same time [as many as there are processors]"),
    CLOPT_TEXT(0, "hosts", "LIST", struct clopt_study_command, hosts,
               "run on these hosts: node[1-4],gpu7; a file of names; auto: those of the batch job"),
    CLOPT_TAKEN(0, "retry", "OUTCOMES", take_retry,
                "try trials again that ended so before: crashed, timeout ... or all, for all that "
                "did not end well"),
    CLOPT_FLAG('q', "quiet", struct clopt_study_command, quiet, "print no report"),
    CLOPT_TEXT(
        0, "live", "FILE", struct clopt_study_command, live,
        "write the page of --html to this file every few seconds, to be watched in a browser"),
    {0},
};

static const struct clopt_key own_options[] = {
    CLOPT_TEXT('c', "config", "FILE", struct clopt_study_command, study_path,
               "the study; clopt-study(5) describes it"),
    CLOPT_TEXT('o', "output", "FILE", struct clopt_study_command, output,
               "the store [STUDY.db, beside the study]"),
    CLOPT_TAKEN(0, "shard", "K/N", take_shard,
                "do the K-th of N parts of the study, which `clopt merge` unites [the store is "
                "STUDY-KofN.db]"),
    CLOPT_TEXT(0, "plugin-path", "DIRS", struct clopt_study_command, global.plugin_path,
               "look for plugins in these folders first"),
    CLOPT_TEXT(0, "kernel-path", "DIRS", struct clopt_study_command, global.kernel_path,
               "look for kernel sources in these folders first"),
    {0},
};

int clopt_study_command_check(struct clopt_study_command *command, const char *name)
{
    const struct clopt_extension *format = command->report.format;
    if (command->dry_run && format && strcmp(format->name, "json") != 0)
        return clopt_usage_error(name, "--dry-run: text or --json, not --%s", format->name);
    if (command->live && (command->dry_run || command->print_config))
        return clopt_usage_error(name, "--live goes with a study that runs, not with --%s",
                                 command->dry_run ? "dry-run" : "print-config");
    return clopt_output_check(&command->global, &command->report, name);
}

/* Refuses what is no study, and what does not go together. */
static int check_command(struct clopt_study_command *command, int argc, char **argv)
{
    if (!command->study_path)
        return clopt_usage_error("", "no study given: clopt -c STUDY.ini");
    if (optind < argc)
        return clopt_usage_error(STUDY, "%s: one study at a time", argv[optind]);
    if (clopt_text_ends(command->study_path, ".cl"))
        return clopt_usage_error("", "%s is a kernel: clopt init %s writes a study for it",
                                 command->study_path, command->study_path);
    return clopt_study_command_check(command, STUDY);
}

/* It is named after the study unless an option says how. */
char *clopt_study_command_store(const struct clopt_study_command *command)
{
    const char *path = command->study_path;
    size_t ending = clopt_text_ends(path, ".ini")    ? strlen(".ini")
                    : clopt_text_ends(path, ".json") ? strlen(".json")
                                                     : 0;
    int length = (int)(strlen(path) - ending);
    if (command->output)
        return clopt_strdup(command->output);
    return command->shard.count ? clopt_text_format("%.*s-%uof%u.db", length, path,
                                                    command->shard.number, command->shard.count)
                                : clopt_text_format("%.*s.db", length, path);
}

static enum clopt_status print_report(const struct clopt_study_command *command,
                                      struct clopt_store *store, struct clopt_error *error)
{
    if (command->quiet || command->part)
        return CLOPT_OK;
    const struct clopt_analysis_request request = {
        .store = store, .paths = (const char *const *)&command->store_path, .path_count = 1};
    struct clopt_document document = clopt_output_begin(&command->report, "clopt report");
    const struct clopt_analysis *best = clopt_analysis_find(command->report.registry, error);
    enum clopt_status status = best ? best->write(&request, &document, error) : error->status;
    return clopt_output_finish(&command->report, &document, status, error);
}

/* Runs the study, reports it, also when it was interrupted, and says which exit code that is. */
static int run_study(const struct clopt_study_command *command, struct clopt_study *study)
{
    struct clopt_error error = {0};
    struct clopt_store *store = NULL;
    struct clopt_live live = {.registry = command->report.registry,
                              .path = command->live,
                              .store_path = command->store_path};
    if (clopt_live_begin(&live, &error))
        return clopt_report_error(&error);
    if (clopt_store_open(command->store_path, &store, &error)) {
        clopt_live_end(&live, NULL, NULL);
        int code = clopt_report_error(&error);
        if (!command->output) /* it may be an installed study */
            fputs("Name a store of your own: -o FILE.db\n", stderr);
        return code;
    }
    struct clopt_watch watch;
    clopt_watch_begin(&watch, isatty(STDERR_FILENO) && !command->quiet ? stderr : NULL, live.doing);
    struct clopt_supervisor_options options = {
        .plugin_path = command->global.plugin_path,
        .kernel_path = command->global.kernel_path,
        .store_path = command->store_path,
        .jobs = (unsigned)command->jobs,
        .retry = command->retry,
        .notices = command->part ? NULL : stderr,
        .watcher = &watch.watcher,
    };
    enum clopt_status status = clopt_supervisor_run(study, store, &options, &error);
    clopt_watch_end(&watch);
    if (status == CLOPT_INTERRUPTED) {
        char how[80];
        snprintf(how, sizeof how, "%.79s", error.message);
        clopt_fail(&error, status,
                   "%s: what was measured is in %s; the same command goes on from there", how,
                   command->store_path);
    }
    enum clopt_exit code = CLOPT_EXIT_DONE;
    if (!status)
        clopt_experience_note(command->store_path);
    if (!status || status == CLOPT_INTERRUPTED) {
        struct clopt_error late = {0};
        if (clopt_live_end(&live, store, &late) || print_report(command, store, &late) ||
            clopt_failures_print(store, &code, &late)) {
            error = late;
            status = late.status;
        }
    }
    if (status) {
        clopt_live_end(&live, NULL, NULL);
        clopt_store_discard(store);
        return clopt_report_error(&error);
    }
    clopt_store_close(store);
    return code;
}

/* Looks for what the kernels' sources include, and for the kernels, as far as no macro names them.
 */
static enum clopt_status check_sources(const struct clopt_study *study, const char *kernel_path,
                                       struct clopt_error *error)
{
    for (size_t i = 0; i < study->app_count; i++) {
        const struct clopt_app *app = study->apps[i].entry->extension->app;
        CLOPT_OWNED(clopt_app_source) source = {0};
        CLOPT_TRY(clopt_app_source_read(app, kernel_path, &source, error));
        for (size_t k = 0; k < study->apps[i].kernel_count; k++)
            if (!source.includes && !strstr(source.text, "##") &&
                !strstr(source.text, study->apps[i].kernels[k]->name))
                return clopt_fail(error, CLOPT_INVALID, "%s: has no kernel %s", source.path,
                                  study->apps[i].kernels[k]->name);
    }
    return CLOPT_OK;
}

static enum clopt_status dry_run(const struct clopt_study_command *command,
                                 struct clopt_study *study, struct clopt_error *error)
{
    CLOPT_FREED struct clopt_pool_device *found = NULL;
    struct clopt_supervisor_options options = {.plugin_path = command->global.plugin_path,
                                               .kernel_path = command->global.kernel_path,
                                               .store_path = command->store_path,
                                               .notices = stderr};
    CLOPT_TRY(check_sources(study, options.kernel_path, error));
    CLOPT_TRY(clopt_supervisor_find_devices(study, &options, NULL, &found, error));
    CLOPT_FREED struct clopt_device_info *devices =
        clopt_calloc(study->device_count, sizeof *devices);
    for (size_t i = 0; i < study->device_count; i++)
        devices[i] = found[i].info;
    CLOPT_HELD(clopt_preview) preview = NULL;
    if (study->search.strategy) {
        preview = clopt_preview_create(study, devices, options.kernel_path);
        clopt_command_open_clang();
    }
    struct clopt_dry_run_search search = clopt_preview_search(preview);
    return clopt_dry_run_print(study, devices, preview ? &search : NULL, stdout,
                               command->report.format != NULL, error);
}

/* Has the study be one shard of itself, where the command line says so. */
static enum clopt_status set_study_shard(const struct clopt_study_command *command,
                                         struct clopt_study *study, struct clopt_error *error)
{
    if (command->shard.count && study->search.strategy)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: --shard: a search cannot be divided, since what it tries next "
                          "follows from all that it has tried; leave [search] out, or do it on one "
                          "machine",
                          study->path);
    study->shard = command->shard;
    return CLOPT_OK;
}

/* Has a search try what the command names before what the study does. */
static void put_starts(const struct clopt_study_command *command, struct clopt_search_plan *plan)
{
    struct clopt_start *own = plan->starts;
    size_t count = plan->start_count;
    plan->starts = NULL;
    plan->start_count = 0;
    for (size_t i = 0; i < command->start_count; i++) {
        const struct clopt_start *start = &command->starts[i];
        clopt_search_plan_add(plan, start->variant, strlen(start->variant), start->device_type)
            ->kernel = clopt_strdup(start->kernel);
    }
    for (size_t i = 0; i < count; i++)
        *(struct clopt_start *)clopt_array_add(&plan->starts, &plan->start_count, sizeof *own) =
            own[i];
    free(own);
}

/* Refuses to be one of several processes that would all do the same, where a launcher's variables
 * say so. */
static enum clopt_status check_alone(const struct clopt_study_command *command,
                                     const struct clopt_launcher_ranks *ranks,
                                     struct clopt_error *error)
{
    const char *rank = getenv(ranks->rank), *size = getenv(ranks->size);
    int64_t count = size ? read_number(size, 2, CLOPT_MOST_SHARDS) : -1;
    int64_t own = rank ? read_number(rank, 0, count - 1) : -1;
    if (count < 0 || own < 0)
        return CLOPT_OK;
    if (command->name)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s of %lld processes (%s=%s): a search cannot be divided; start one "
                          "process",
                          command->name, (long long)count, ranks->size, size);
    return clopt_fail(error, CLOPT_INVALID,
                      "%s: one of %lld processes (%s=%s), and each would do the whole study: "
                      "give each a part, this one --shard=%lld/%lld, and unite their stores by "
                      "`clopt merge`; --shard=1/1 does the whole study here",
                      command->study_path, (long long)count, ranks->size, size, (long long)own + 1,
                      (long long)count);
}

/* The same, of all launchers. */
static enum clopt_status check_launchers(const struct clopt_study_command *command,
                                         const struct clopt_registry *registry,
                                         struct clopt_error *error)
{
    const struct clopt_plugin_entry *entry;
    if (command->dry_run || command->print_config || command->shard.count)
        return CLOPT_OK;
    for (size_t i = 0; (entry = clopt_registry_entry(registry, CLOPT_KIND_LAUNCHER, i)); i++) {
        const struct clopt_launcher *launcher = entry->extension->operations;
        for (const struct clopt_launcher_ranks *ranks = launcher->ranks; ranks && ranks->rank;
             ranks++)
            CLOPT_TRY(check_alone(command, ranks, error));
    }
    return CLOPT_OK;
}

static enum clopt_status run(struct clopt_study_command *command, int *code,
                             struct clopt_error *error)
{
    const struct clopt_registry *registry = command->global.registry;
    CLOPT_HELD(clopt_study) study = NULL;
    CLOPT_TRY(check_launchers(command, registry, error));
    CLOPT_TRY(clopt_study_read(command->study_path, registry, command->overrides,
                               command->override_count, &study, error));
    CLOPT_TRY(set_study_shard(command, study, error));
    put_starts(command, &study->search);
    if (command->hosts) {
        const struct clopt_transport *transport;
        CLOPT_TRY(clopt_launcher_transport(registry, &transport, error));
        CLOPT_TRY(transport->choose(study, registry, command->hosts, error));
    }
    if (study->search.strategy && !command->print_config)
        clopt_kernel_patterns_start(study, registry, command->global.kernel_path);
    CLOPT_TRY(clopt_experience_start(&study->search, error));
    command->store_path = clopt_study_command_store(command);
    clopt_study_tell_found(study);
    if (command->print_config)
        *code = fputs(study->effective, stdout) < 0 ? CLOPT_EXIT_FAILURE : CLOPT_EXIT_DONE;
    else if (command->dry_run)
        return dry_run(command, study, error);
    else
        *code = run_study(command, study);
    return CLOPT_OK;
}

int clopt_study_command_run(struct clopt_study_command *command)
{
    struct clopt_error error = {0};
    int code = CLOPT_EXIT_DONE;
    return run(command, &code, &error) ? clopt_report_error(&error) : code;
}

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct clopt_study_command command = {.global = *global};
    int code;
    if (!clopt_command_read(global, &clopt_study_command, &command, argc, argv, &code) ||
        (code = check_command(&command, argc, argv)))
        return code;
    code = clopt_study_command_run(&command);
    free(command.store_path);
    return code;
}

const struct clopt_command clopt_study_command = {
    .name = "-c STUDY.ini",
    .hidden = true,
    .usage = "-c STUDY.ini [-o STORE.db] [-s SECTION.KEY=VALUE ...]\n",
    .about = "Example: clopt -c lud.ini -o lud.db\n\n"
             "Runs a study: makes every variant of every kernel that it asks for, proves its\n"
             "output right, measures it, and prints the tables. What the store holds already\n"
             "is not done again, so that a study that was interrupted goes on where it was.\n"
             "\n",
    .lists = {{own_options, 0},
              {clopt_study_options, 0},
              {clopt_output_options, offsetof(struct clopt_study_command, report),
               clopt_output_row}},
    .run = run_command,
};
