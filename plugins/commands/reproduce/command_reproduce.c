/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt reproduce`: runs one trial of a store once more. */
#include "commands/shared/commands.h"
#include "commands/shared/output.h"
#include "commands/shared/usage.h"

#include <errno.h>
#include <sys/stat.h>

#include "commands/reproduce/reproduction.h"
#include "exchange/exchange.h"
#include "results/objective.h"
#include "store/cursor.h"
#include "study/schema.h"
#include "trial/rival.h"
#include "trial/variant.h"

#define MOST_LISTED 20

struct reproduce {
    const struct clopt_global_options *global;
    const char *trial; /* as the user names it */
    struct clopt_selection selection;
    const char *output;
    struct clopt_list inputs; /* "name=value" */
    int64_t seed;             /* -1: the trial's own */
    bool allow_programs;
    char *folder;
    struct clopt_found_trial found;
    size_t candidates;
    struct clopt_text list; /* of candidates */
    struct clopt_store_trial row;
};

static const struct clopt_key own_options[] = {
    CLOPT_TEXT('o', "output", "DIR", struct reproduce, output,
               "the folder, which must not be there yet [TRIAL.d]"),
    CLOPT_NUMBER('s', "seed", "N", struct reproduce, seed, "0..",
                 "run it with another seed than the study's"),
    CLOPT_EACH('i', "input", "NAME=VALUE", struct reproduce, inputs,
               "run it with another input; may be repeated. A winner is checked with other seeds "
               "and inputs: the reason of one that failed says which"),
    CLOPT_FLAG(0, "allow-programs", struct reproduce, allow_programs,
               "run the programs that the study of the store names to compute or compare results"),
    {0},
};

/* ---- which trial ---- */

/* The texts of what was found. */
static const struct {
    size_t offset;
    const char *column;
} found_texts[] = {
    {offsetof(struct clopt_found_trial, key), "key"},
    {offsetof(struct clopt_found_trial, device), "device"},
    {offsetof(struct clopt_found_trial, platform), "platform"},
    {offsetof(struct clopt_found_trial, device_name), "device_name"},
    {offsetof(struct clopt_found_trial, app), "app"},
    {offsetof(struct clopt_found_trial, problem), "problem"},
    {offsetof(struct clopt_found_trial, kernel), "kernel"},
    {offsetof(struct clopt_found_trial, name), "name"},
    {offsetof(struct clopt_found_trial, trial_json), "description"},
    {offsetof(struct clopt_found_trial, reason), "reason"},
    {offsetof(struct clopt_found_trial, config), "config"},
};

#define FOUND_TEXTS (sizeof found_texts / sizeof *found_texts)

static char **found_text(struct clopt_found_trial *found, size_t number)
{
    return (char **)(void *)((char *)found + found_texts[number].offset);
}

/* Whether a row is about the trial that was found first: several kernels, and runs, may share it.
 */
static bool is_same(const struct clopt_found_trial *first, const struct clopt_cursor *found)
{
    int64_t trial = clopt_cursor_integer(found, "trial");
    if (first->trial || trial)
        return first->trial == trial;
    return strcmp(first->device, clopt_cursor_text(found, "device")) == 0 &&
           strcmp(first->app, clopt_cursor_text(found, "app")) == 0 &&
           strcmp(first->problem, clopt_cursor_text(found, "problem")) == 0 &&
           strcmp(first->kernel, clopt_cursor_text(found, "kernel")) == 0;
}

/* Finds the trials that may be meant: by its number (those come first), the beginning of a key, or
 * a variant's name, in the newest run that has it. */
static enum clopt_status find_all(struct reproduce *reproduce, struct clopt_store *store,
                                  struct clopt_error *error)
{
    struct clopt_cursor found = clopt_cursor_begin(
        store, CLOPT_SQL_FIND_VARIANTS, error, "ssss", reproduce->trial,
        reproduce->selection.kernel, reproduce->selection.device, reproduce->selection.problem);
    while (clopt_cursor_next(&found)) {
        const char *key = clopt_cursor_text(&found, "key");
        char number[24];
        snprintf(number, sizeof number, "%" PRId64, reproduce->found.trial);
        if (reproduce->candidates > 0 &&
            (is_same(&reproduce->found, &found) || strcmp(number, reproduce->trial) == 0))
            continue;
        if (reproduce->candidates++ < MOST_LISTED) {
            clopt_text_printf(&reproduce->list, "\n  %" PRId64 "  %.12s  ",
                              clopt_cursor_integer(&found, "trial"), key ? key : "-");
            clopt_exchange_append_options(&reproduce->list, clopt_cursor_text(&found, "device"),
                                          clopt_cursor_text(&found, "problem"),
                                          clopt_cursor_text(&found, "kernel"));
            clopt_text_printf(&reproduce->list, "  %s", clopt_cursor_text(&found, "name"));
        }
        if (reproduce->candidates > 1)
            continue;
        reproduce->found.trial = clopt_cursor_integer(&found, "trial");
        for (size_t i = 0; i < FOUND_TEXTS; i++)
            *found_text(&reproduce->found, i) = clopt_cursor_copy(&found, found_texts[i].column);
    }
    return clopt_cursor_end(&found);
}

/* Finds the one trial that is meant. */
static enum clopt_status find(struct reproduce *reproduce, struct clopt_error *error)
{
    const struct clopt_found_trial *found = &reproduce->found;
    const struct clopt_selection *selection = &reproduce->selection;
    CLOPT_HELD(clopt_store) store = NULL;
    CLOPT_TRY(clopt_store_open_read(reproduce->found.store_path, &store, error));
    CLOPT_TRY(find_all(reproduce, store, error));
    if (reproduce->candidates == 0) {
        CLOPT_OWNED(clopt_text) store_word = {0};
        clopt_text_append_word(&store_word, reproduce->found.store_path);
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: no such trial%s in %s; `clopt report %s --csv` lists them",
                          reproduce->trial,
                          selection->kernel || selection->device || selection->problem
                              ? " of that kernel, device and problem"
                              : "",
                          reproduce->found.store_path, clopt_text_string(&store_word));
    }
    if (reproduce->candidates > 1)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: may mean %zu trials; name one by its number, or say more:%s%s",
                          reproduce->trial, reproduce->candidates,
                          clopt_text_string(&reproduce->list),
                          reproduce->candidates > MOST_LISTED ? "\n  ..." : "");
    if (!found->trial)
        return clopt_fail(error, CLOPT_FAILED, "%s/%s %s on %s: was never run: %s", found->app,
                          found->kernel, found->name, found->device,
                          found->reason ? found->reason : "the study has not come so far");
    return clopt_store_find_trial(store, found->key, &reproduce->row, error);
}

/* ---- running it ---- */

/* Makes the folder, which must be new. */
static enum clopt_status make_folder(struct reproduce *reproduce, struct clopt_error *error)
{
    CLOPT_FREED char *path = reproduce->output ? clopt_strdup(reproduce->output)
                                               : clopt_text_format("%s.d", reproduce->trial);
    for (char *c = path; *c && !reproduce->output; c++)
        if (*c == '/')
            *c = '_';
    if (mkdir(path, 0777) != 0)
        return errno == EEXIST ? clopt_fail(error, CLOPT_INVALID,
                                            "%s: exists already; name another folder with -o", path)
                               : clopt_fail(error, CLOPT_FAILED, "%s: %s", path, strerror(errno));
    reproduce->folder = path;
    path = NULL;
    return CLOPT_OK;
}

/* Reads limits and the like from the configuration that was in force, which it leaves in the
 * folder. */
static enum clopt_status read_config(const struct reproduce *reproduce, struct clopt_study *study,
                                     struct clopt_error *error)
{
    const char *config = reproduce->found.config;
    CLOPT_FREED char *path = clopt_path_join(reproduce->folder, CLOPT_REPRODUCTION_STUDY);
    CLOPT_OWNED(clopt_ini) ini = {0};
    CLOPT_TRY(clopt_file_write(path, &clopt_file_any, config, strlen(config), error));
    CLOPT_TRY(clopt_ini_read(path, NULL, &ini, error));
    const struct clopt_study_reading reading = {.ini = &ini, .study = study, .error = error};
    enum clopt_status status = clopt_study_read_plain(&reading);
    free(study->title); /* nothing asks for them */
    free(study->combine);
    return status;
}

static bool is_other_problem(const struct reproduce *reproduce)
{
    return reproduce->seed >= 0 || reproduce->inputs.count;
}

/* Gives a trial the seed and the inputs that the user wants. */
static enum clopt_status change_problem(struct reproduce *reproduce,
                                        const struct clopt_registry *registry, json_t **json,
                                        struct clopt_error *error)
{
    CLOPT_OWNED(clopt_trial) trial = {0};
    CLOPT_TRY(clopt_trial_from_json(*json, registry, &trial, error));
    if (reproduce->seed >= 0)
        trial.seed = (uint64_t)reproduce->seed;
    for (size_t i = 0; i < reproduce->inputs.count; i++)
        CLOPT_TRY(clopt_input_set(trial.app, trial.inputs, reproduce->inputs.items[i], error));
    json_decref(*json);
    free(reproduce->found.trial_json);
    *json = clopt_trial_to_json(&trial);
    reproduce->found.trial_json = json_dumps(*json, JSON_COMPACT);
    return CLOPT_OK;
}

/* Refuses to run programs that a store, which may be anyone's, names, unless they are allowed. */
static enum clopt_status check_programs(const struct reproduce *reproduce,
                                        const struct clopt_trial *trial, struct clopt_error *error)
{
    const struct clopt_defined *defined = trial->app->extension->app->defined;
    const char *const *programs = defined ? defined->programs : NULL;
    CLOPT_OWNED(clopt_text) list = {0};
    if (trial->rival)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: rival %s is a native program, and no variant: run its study again",
                          reproduce->found.store_path, clopt_rival_text(trial->rival, "label"));
    if (reproduce->allow_programs || !programs || !*programs)
        return CLOPT_OK;
    for (; *programs; programs++)
        clopt_text_printf(&list, "%s%s", list.length ? "; " : "", *programs);
    return clopt_fail(error, CLOPT_INVALID,
                      "%s: its study runs a program: %s; if you trust it, say --allow-programs",
                      reproduce->found.store_path, clopt_text_string(&list));
}

/* Warns where the program, the data or the driver are not those of the store any more. */
static enum clopt_status compare_keys(const struct reproduce *reproduce, const json_t *json,
                                      const struct clopt_device_info *device,
                                      const struct clopt_registry *registry,
                                      struct clopt_error *error)
{
    CLOPT_OWNED(clopt_trial) trial = {0};
    CLOPT_OWNED(clopt_app_source) source = {0};
    char key[CLOPT_HASH_SIZE] = "";
    CLOPT_TRY(clopt_trial_from_json(json, registry, &trial, error));
    trial.objective = clopt_objective_of(reproduce->found.config);
    CLOPT_TRY(check_programs(reproduce, &trial, error));
    CLOPT_TRY(clopt_app_source_read(trial.app->extension->app, reproduce->global->kernel_path,
                                    &source, error));
    if (device)
        CLOPT_TRY(clopt_trial_key(&trial, &source, device, NULL, key, error));
    if (device && !is_other_problem(reproduce) && strcmp(key, reproduce->row.key) != 0)
        fputs("clopt: note: the kernel, a plugin, the input or the driver is not the one of the "
              "store any more\n",
              stderr);
    return CLOPT_OK;
}

static void print_times(const struct reproduce *reproduce,
                        const struct clopt_reproduction *reproduction)
{
    const json_t *names = json_object_get(reproduction->reply.answer, "kernels");
    enum clopt_objective objective = clopt_objective_of(reproduce->found.config);
    const json_t *rows = json_object_get(reproduction->reply.answer, "times_ns");
    size_t count = json_array_size(rows);
    for (size_t column = 0; column < json_array_size(names) && count; column++) {
        const char *name = json_string_value(json_array_get(names, column));
        double least = 0, most = 0;
        for (size_t row = 0; row < count; row++) {
            double time =
                json_number_value(json_array_get(json_array_get(rows, row), column)) * 1e-6;
            least = row == 0 || time < least ? time : least;
            most = time > most ? time : most;
        }
        clopt_text_print(stderr, "  %s: %.4g to %.4g %s in %zu sample%s\n",
                         *name ? name : "whole run", least, most,
                         clopt_unit_choose(objective, 1e6).name, count, count == 1 ? "" : "s");
    }
}

/* Says on standard output how it ended then and now, and writes the files. */
static enum clopt_status tell(const struct reproduce *reproduce,
                              const struct clopt_reproduction *reproduction,
                              struct clopt_error *error)
{
    const struct clopt_store_trial *row = &reproduce->row;
    CLOPT_FREED char *before = row->complete
                                   ? clopt_ending_text(row->outcome, row->stage, row->reason)
                                   : clopt_strdup("has not ended");
    CLOPT_FREED char *now =
        clopt_ending_text(reproduction->outcome, clopt_stage_name(reproduction->reply.stage),
                          reproduction->reply.cause.message);
    const char *endings[] = {before, now};
    CLOPT_TRY(clopt_reproduction_write(reproduce->folder, &reproduce->found, endings, reproduction,
                                       error));
    print_times(reproduce, reproduction);
    if (reproduction->no_binary.status)
        clopt_text_print(stderr, "clopt: note: no binary: %s\n", reproduction->no_binary.message);
    clopt_text_print(stdout, "store: %s\nnow:   %s\nfiles: %s\n", before, now, reproduce->folder);
    return CLOPT_OK;
}

/* Says what is going to run. */
static void announce(const struct reproduce *reproduce)
{
    const struct clopt_found_trial *found = &reproduce->found;
    clopt_text_print(stderr, "%s%s%s, %s: %s", found->app, *found->problem ? " " : "",
                     found->problem, found->kernel, found->name);
    for (size_t i = 0; i < reproduce->inputs.count; i++)
        clopt_text_print(stderr, "%s%s", i ? ", " : ", but with ", reproduce->inputs.items[i]);
    if (reproduce->seed >= 0)
        clopt_text_print(stderr, "%sseed %" PRId64,
                         reproduce->inputs.count ? " and " : ", but with ", reproduce->seed);
    clopt_text_print(stderr, "\non %s (%s)\n", found->device_name, found->platform);
}

/* Runs the trial and tells about it; `same` says whether it ended as the store says. */
static enum clopt_status run(struct reproduce *reproduce, const struct clopt_registry *registry,
                             bool *same, struct clopt_error *error)
{
    const struct clopt_found_trial *found = &reproduce->found;
    struct clopt_study study = {0};
    json_auto_t *trial = json_loads(found->trial_json, 0, NULL);
    CLOPT_TRY(compare_keys(reproduce, trial, NULL, registry, error));
    if (is_other_problem(reproduce))
        CLOPT_TRY(change_problem(reproduce, registry, &trial, error));
    CLOPT_TRY(make_folder(reproduce, error));
    CLOPT_TRY(read_config(reproduce, &study, error));
    CLOPT_FREED char *binary = clopt_path_join(reproduce->folder, CLOPT_REPRODUCTION_BINARY);
    struct clopt_reproduce_options options = {
        .settings = {.plugin_path = reproduce->global->plugin_path,
                     .kernel_path = reproduce->global->kernel_path,
                     .pin = study.measure.pin},
        .limits = &study.limits,
        .measure = &study.measure,
        .platform = found->platform,
        .device = found->device_name,
        .trial = trial,
        .binary = binary,
        .stream = stderr,
    };
    CLOPT_OWNED(clopt_reproduction) reproduction = {0};
    announce(reproduce);
    CLOPT_TRY(clopt_reproduce(&options, &reproduction, error));
    CLOPT_TRY(compare_keys(reproduce, trial, &reproduction.device, registry, error));
    *same = reproduce->row.complete && reproduction.outcome == reproduce->row.outcome;
    return tell(reproduce, &reproduction, error);
}

/* Finds the trial, and runs it. */
static enum clopt_status find_and_run(struct reproduce *reproduce, bool *same,
                                      struct clopt_error *error)
{
    CLOPT_TRY(find(reproduce, error));
    enum clopt_status status = run(reproduce, reproduce->global->registry, same, error);
    if (status && reproduce->folder)
        clopt_folder_remove(reproduce->folder);
    return status;
}

static int take_arguments(struct reproduce *reproduce, int argc, char **argv)
{
    if (argc - optind != 2)
        return clopt_usage_error("reproduce", "reproduce takes a store and a trial");
    reproduce->found.store_path = argv[optind];
    reproduce->trial = argv[optind + 1];
    return CLOPT_EXIT_DONE;
}

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct reproduce reproduce = {.global = global, .seed = -1};
    struct clopt_error error = {0};
    bool same = false;
    int code;
    if (!clopt_command_read(global, &clopt_reproduce_command, &reproduce, argc, argv, &code) ||
        (code = take_arguments(&reproduce, argc, argv))) {
        clopt_list_fini(&reproduce.inputs);
        return code;
    }
    enum clopt_status status = find_and_run(&reproduce, &same, &error);
    clopt_store_trial_fini(&reproduce.row);
    for (size_t i = 0; i < FOUND_TEXTS; i++)
        free(*found_text(&reproduce.found, i));
    clopt_text_fini(&reproduce.list);
    free(reproduce.folder);
    clopt_list_fini(&reproduce.inputs);
    if (status)
        return clopt_report_error(&error);
    return same ? CLOPT_EXIT_DONE : CLOPT_EXIT_FAILURE;
}

const struct clopt_command clopt_reproduce_command = {
    .name = "reproduce",
    .usage = "reproduce STORE TRIAL [-o DIR] [--kernel=NAME] [--device=LABEL]\n"
             "                       [--problem=LABEL] [--seed=N] [--input=NAME=VALUE ...]\n"
             "                       [--allow-programs]\n",
    .about = "Example: clopt reproduce lud.db 12\n\n"
             "Runs one trial of a study once more, in a process of its own, and says of each\n"
             "stage how long it took. Keeps the source, build options, build log and binary in\n"
             "a folder, with a README of how to build it by hand. Ends with exit code 0 if the\n"
             "trial ended as the store says, with 1 if not.\n"
             "\n"
             "TRIAL is a trial's number or the beginning of its key, both of which are in the\n"
             "output of `clopt report STORE --csv`, or the name of a variant.\n"
             "\n",
    .arguments = "STORE TRIAL",
    .lists = {{own_options, 0}, {clopt_selection_options, offsetof(struct reproduce, selection)}},
    .run = run_command,
};
