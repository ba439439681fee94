/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt judge`: tries what somebody wrote in place of a kernel. */
#include "commands/judge/judge.h"

#include "commands/draft/draft.h"
#include "commands/shared/commands.h"
#include "commands/shared/compiler_options.h"

static const struct clopt_key options[] = {
    CLOPT_TEXT('k', "kernel", "NAME", struct judge, kernel,
               "the kernel of OLD.cl, where it has several"),
    CLOPT_TEXT('d', "device", "NAME", struct judge, device,
               "the device: a part of its or its platform's name; of a study, its label"),
    {0},
};

/* Writes a study for a file of kernels, as `clopt init` does, with sizes that can be measured. */
static int draft(struct judge *judge, const char *file, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_list) words = {0};
    judge_add(&words, "init");
    judge_add(&words, "--quiet");
    judge_add(&words, "--output=%s", judge->study_path);
    if (judge->options.all.length)
        judge_add(&words, "--build-options=%s", clopt_text_string(&judge->options.all));
    if (judge->kernel)
        judge_add(&words, "--kernel=%s", judge->kernel);
    if (judge->device)
        judge_add(&words, "--device=%s", judge->device);
    judge_add(&words, "--");
    judge_add(&words, "%s", file);
    clopt_array_add(&words.items, &words.count, sizeof *words.items); /* NULL, after the last one */
    int code = clopt_init_command.run(judge->global, (int)words.count - 1, words.items);
    if (!code && clopt_draft_enlarge(judge->global, judge->study_path, judge->device, file, error))
        code = clopt_report_error(error);
    judge->device = NULL; /* the study names it */
    return code;
}

/* Reads the study, which has one app that is described in it. */
static enum clopt_status read_study(struct judge *judge, struct clopt_error *error)
{
    CLOPT_TRY(judge_read_study(judge, &(struct clopt_list){0}, &judge->study, error));
    const struct clopt_study *study = judge->study;
    judge->app = study->app_count ? study->apps[0].entry : NULL;
    if (study->app_count != 1 || !judge->app->description)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: judged is one kernel that the study describes, [app kernel]; of a "
                          "file with several choose one by --kernel",
                          judge->study_path);
    const char *label = clopt_json_string(judge->app->description, "label");
    judge->label = clopt_text_format("%s%s", *label ? " " : "", label);
    return study->search.strategy
               ? clopt_fail(error, CLOPT_INVALID, "%s: [search]: leave it out, nothing is searched",
                            judge->study_path)
               : CLOPT_OK;
}

static enum clopt_status judge_all(struct judge *judge, char **files, int count, int *code,
                                   struct clopt_error *error)
{
    CLOPT_TRY(read_study(judge, error));
    CLOPT_TRY(judge_add_candidates(judge, files, (size_t)count, error));
    CLOPT_TRY(judge_run_all(judge, error));
    struct clopt_document document = clopt_output_begin(&judge->output, "clopt judge");
    *code = judge_answer(judge, &document);
    return clopt_output_finish(&judge->output, &document, CLOPT_OK, error);
}

static void judge_fini(struct judge *judge)
{
    for (size_t i = 0; i < judge->candidate_count; i++) {
        struct judge_candidate *candidate = &judge->candidates[i];
        free(candidate->name);
        free(candidate->path);
        free(candidate->kernel);
        free(candidate->arguments);
        free(candidate->refused);
        free(candidate->cells);
    }
    for (size_t r = 0; r < judge->round_count; r++)
        free(judge->rounds[r].skipped);
    for (size_t i = 0; i < judge->result_count; i++)
        clopt_results_destroy(judge->results[i]);
    free(judge->results);
    free(judge->candidates);
    free(judge->label);
    free(judge->study_path);
    clopt_study_destroy(judge->study);
    clopt_temporary_fini(&judge->folder);
    clopt_compiler_options_fini(&judge->options);
}

/* Judges the files after the first one, which is or has the initial code. */
static int run_judge(struct judge *judge, char **files, int count)
{
    struct clopt_error error = {0};
    const char *old = files[0];
    bool file = clopt_text_ends(old, ".cl");
    if (file && count < 2)
        return clopt_usage_error("judge", "name the kernels to try in place of %s", old);
    if (!file && (judge->kernel || judge->options.all.length))
        return clopt_usage_error(
            "judge", "-k, -D, -I and --build-options are for kernels: %s is a study", old);
    if (clopt_temporary_create(&judge->folder, &error))
        return clopt_report_error(&error);
    judge->study_path = file ? clopt_path_join(judge->folder.path, "study.ini") : clopt_strdup(old);
    int code = file ? draft(judge, old, &error) : CLOPT_EXIT_DONE;
    if (!code && judge_all(judge, files + 1, count - 1, &code, &error))
        code = clopt_report_error(&error);
    return code;
}

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct judge judge = {.global = global, .output = {.registry = global->registry}};
    int code;
    if (clopt_command_read(global, &clopt_judge_command, &judge, argc, argv, &code)) {
        code = optind == argc ? clopt_usage_error("judge", "no kernel and no study given")
                              : clopt_output_check(global, &judge.output, "judge");
        if (!code)
            code = run_judge(&judge, argv + optind, argc - optind);
    }
    judge_fini(&judge);
    return code;
}

const struct clopt_command clopt_judge_command = {
    .name = "judge",
    .usage = "judge OLD.cl | STUDY.ini [NEW.cl ...] [OPTION ...]\n",
    .about = "Example: clopt judge mm.cl faster.cl\n\n"
             "Tries kernels that somebody wrote in place of another one, and believes nothing\n"
             "before: with other sizes, seeds and contents, with kernels that check each\n"
             "access, and against the clock. Exit code 0: right and faster; 1: one cannot be\n"
             "run; 4: one is wrong; 5: right, but not surely faster.\n"
             "\n",
    .arguments = "FILE ...",
    .lists = {{options, 0},
              {clopt_compiler_option_rows, offsetof(struct judge, options)},
              {clopt_output_options, offsetof(struct judge, output), clopt_output_row}},
    .run = run_command,
};
