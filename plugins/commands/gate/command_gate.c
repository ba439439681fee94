/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt gate`: says whether kernels have become slower, or wrong, since a store was written.
 *
 * Two runs minutes apart, on shared cores or on two machines, differ by more than what is looked
 * for. So main's code, which is in its store, is a row of the new run: beside it, in the same
 * processes, everything is measured. */
#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "commands/gate/fastest.h"
#include "commands/shared/commands.h"
#include "commands/shared/output.h"
#include "commands/study/study_command.h"
#include "file/file.h"
#include "file/folder.h"
#include "results/change.h"
#include "text/json.h"

#define MAIN     "main_code" /* the [variant ...] that is main's initial code */
#define MAIN_ROW CLOPT_ALTERNATIVE "=" MAIN

struct gate {
    struct clopt_study_command run; /* of the study as it is now */
    struct clopt_output output;
    struct clopt_list set;
    const char *against;
    struct clopt_temporary folder;
    struct clopt_list words; /* overrides that the run keeps */
    struct clopt_results *before, *after;
    struct clopt_store *old_samples, *new_samples;
    double precision; /* what is within it is no loss */
    uint64_t processes, samples;

    struct clopt_grid grid;
    json_t *rows;
    size_t compared, losses, wrong;
    bool suspected; /* a row may be a loss */
    bool again;     /* and what counts is a second run */
};

/* What is found out about a row. */
struct finding {
    const struct clopt_results_table *table; /* of main */
    const char *device, *variant;
    struct clopt_interval gain; /* its speed now, over that in main; NaN: not known */
    const char *wrong;          /* why it does not count as working; NULL: it works */
    const char *open;           /* why nothing can be said; NULL: something can */
};

static const struct clopt_key options[] = {
    CLOPT_TEXT('c', "config", "FILE", struct gate, run.study_path, "the study, as it is now"),
    CLOPT_TEXT(0, "against", "STORE", struct gate, against,
               "what the study has found with main's kernels"),
    CLOPT_TEXT('o', "output", "FILE", struct gate, run.output,
               "keep the new store there, for the next gate; it must not be there yet"),
    CLOPT_EACH('s', "set", "SECTION.KEY=VALUE", struct gate, set,
               "override a value of the study: size.n=1024"),
    {0},
};

/* ---- main's code as a row ---- */

/* Finds the source of main's initial code, for the caller to free; none: main does not have the
 * kernel. */
static enum clopt_status find_source(const struct gate *gate, const char *app, const char *kernel,
                                     char **source, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_store_trial) trial = {0};
    const struct clopt_result *initial = NULL;
    for (size_t t = 0; !initial && t < gate->before->table_count; t++) {
        const struct clopt_results_table *table = &gate->before->tables[t];
        if (strcmp(gate->before->problems[table->problem].app, app) == 0 &&
            strcmp(table->kernel, kernel) == 0)
            initial = clopt_table_initial(table, 0);
    }
    if (!initial)
        return CLOPT_OK;
    CLOPT_TRY(clopt_store_find_trial(gate->old_samples, initial->trial.key, &trial, error));
    *source = trial.source ? clopt_strdup(trial.source) : NULL;
    return CLOPT_OK;
}

static CLOPT_PRINTF(3, 4) enum clopt_status
    override(struct gate *gate, struct clopt_error *error, const char *format, ...)
{
    char **word = clopt_array_add(&gate->words.items, &gate->words.count, sizeof *word);
    va_list arguments;
    va_start(arguments, format);
    *word = clopt_text_vformat(format, arguments);
    va_end(arguments);
    return clopt_study_command_set(&gate->run, *word, error);
}

static enum clopt_status add_main(struct gate *gate, const struct clopt_plugin_entry *app,
                                  size_t number, struct clopt_error *error)
{
    const struct clopt_kernel *kernels = app->extension->app->kernels;
    const char *label = clopt_json_string(app->description, "label"), *blank = *label ? " " : "";
    if (!app->description || kernels[1].name)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: %s: gates are for apps of one kernel that the study describes; of "
                          "others compare two stores: clopt compare --fail-on-regression",
                          gate->run.study_path, app->extension->name);
    CLOPT_FREED char *source = NULL;
    CLOPT_TRY(find_source(gate, app->extension->name, kernels[0].name, &source, error));
    if (!source)
        return CLOPT_OK;
    CLOPT_FREED char *path = clopt_text_format("%s/main-%zu.cl", gate->folder.path, number);
    CLOPT_TRY(clopt_file_write(path, NULL, source, strlen(source), error));
    CLOPT_TRY(override(gate, error, "variant%s%s " MAIN ".source=%s", blank, label, path));
    return override(gate, error, "variant%s%s " MAIN ".kernel=%s", blank, label, kernels[0].name);
}

static enum clopt_status prepare(struct gate *gate, struct clopt_error *error)
{
    CLOPT_HELD(clopt_study) study = NULL;
    for (size_t i = 0; i < gate->set.count; i++)
        CLOPT_TRY(clopt_study_command_set(&gate->run, gate->set.items[i], error));
    CLOPT_TRY(clopt_results_read(gate->against, &gate->before, error));
    CLOPT_TRY(clopt_store_open_read(gate->against, &gate->old_samples, error));
    CLOPT_TRY(clopt_study_read(gate->run.study_path, gate->run.global.registry, gate->run.overrides,
                               gate->run.override_count, &study, error));
    if (study->search.strategy)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: [search]: a gate measures the same variants each time; name them in "
                          "[optimization ...]",
                          gate->run.study_path);
    gate->processes = study->measure.processes;
    gate->samples = study->measure.max_samples;
    gate->precision = study->measure.precision;
    for (size_t a = 0; a < study->app_count; a++)
        CLOPT_TRY(add_main(gate, study->apps[a].entry, a, error));
    return CLOPT_OK;
}

/* ---- what has become of main's rows ---- */

static struct clopt_interval invert(const struct clopt_interval *speedup)
{
    struct clopt_interval inverted = *speedup;
    inverted.median = 1 / speedup->median;
    inverted.low = 1 / speedup->high;
    inverted.high = 1 / speedup->low;
    return inverted;
}

/* Compares the initial code with main's, which is a row beside it. What one process decides alone,
 * since it is that large, has no others. */
static enum clopt_status compare_initial(const struct gate *gate, const struct clopt_result *now,
                                         const struct clopt_result *main_now,
                                         struct finding *finding, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_medians) before = {0}, after = {0};
    if (clopt_result_measured(main_now) == clopt_result_measured(now)) {
        finding->gain = (struct clopt_interval){.median = 1, .low = 1, .high = 1, .attained = true};
        return CLOPT_OK;
    }
    CLOPT_TRY(clopt_fastest_read(gate->new_samples, finding->table, main_now, &before, error));
    CLOPT_TRY(clopt_fastest_read(gate->new_samples, finding->table, now, &after, error));
    finding->gain = clopt_ratio_estimate(&before, &after, NULL);
    if (finding->gain.processes < 2)
        finding->gain = invert(&main_now->times[CLOPT_SCOPE_KERNEL].speedup);
    return CLOPT_OK;
}

/* Compares how much faster than main's initial code a variant is, and was. */
static enum clopt_status compare_variant(const struct gate *gate,
                                         const struct clopt_result *then[2],
                                         const struct clopt_result *now[2], struct finding *finding,
                                         struct clopt_error *error)
{
    const struct clopt_results_table *table = finding->table;
    CLOPT_OWNED(clopt_medians) before = {0}, after = {0};
    CLOPT_TRY(clopt_fastest_speed(gate->old_samples, table, then[0], then[1], &before, error));
    CLOPT_TRY(clopt_fastest_speed(gate->new_samples, table, now[0], now[1], &after, error));
    struct clopt_change change = clopt_change_estimate(&before, &after);
    finding->gain = (struct clopt_interval){.median = change.ratio,
                                            .low = change.low,
                                            .high = change.high,
                                            .attained = !isnan(change.ratio)};
    return CLOPT_OK;
}

static const char *why(const struct clopt_result *result)
{
    return result->trial.verdict.text && *result->trial.verdict.text ? result->trial.verdict.text
           : result->trial.reason && *result->trial.reason           ? result->trial.reason
                                                           : clopt_outcome_name(result->outcome);
}

/* Adds a row of the answer, and counts it. */
static void add_finding(struct gate *gate, const struct finding *finding)
{
    const struct clopt_results_problem *problem = &gate->before->problems[finding->table->problem];
    bool known = !finding->wrong && !finding->open && finding->gain.attained;
    bool loss = known && finding->gain.high < 1 - gate->precision;
    CLOPT_OWNED(clopt_text) text = {0};
    if (finding->wrong || !known)
        clopt_text_printf(&text, "%s: %s", finding->wrong ? "wrong" : "not compared",
                          finding->wrong  ? finding->wrong
                          : finding->open ? finding->open
                                          : "fewer than two processes have measured both");
    else if (loss)
        clopt_text_append(&text, "loss");
    else if (finding->gain.low > 1 + gate->precision)
        clopt_text_append(&text, "gain");
    else
        clopt_text_append(&text, "no sure change");
    clopt_grid_add_row(&gate->grid, "%s", finding->table->kernel);
    clopt_grid_put(&gate->grid, "%s", problem->label);
    clopt_grid_put(&gate->grid, "%s", finding->device);
    clopt_grid_put(&gate->grid, "%s", finding->variant);
    clopt_grid_put_interval(&gate->grid, &finding->gain, 3, 1);
    clopt_grid_put(&gate->grid, "%s", clopt_text_string(&text));
    gate->compared += known;
    gate->wrong += finding->wrong != NULL;
    gate->losses += loss;
    gate->suspected |= known && finding->gain.median < 1 - gate->precision;
    json_array_append_new(
        gate->rows,
        clopt_json_object("kernel:s problem:s device:s variant:s gain:d low:d high:d says:s",
                          finding->table->kernel, problem->label, finding->device, finding->variant,
                          finding->gain.median, finding->gain.low, finding->gain.high,
                          clopt_text_string(&text)));
}

/* Finds the results of a row of main's, and of its initial code, in the new run: NULL, none. */
static const struct clopt_result *find_now(const struct gate *gate,
                                           const struct clopt_results_table *like,
                                           const char *variant, size_t device)
{
    const struct clopt_results *after = gate->after;
    const char *label = gate->before->devices[device].label;
    const struct clopt_results_problem *problem = &gate->before->problems[like->problem];
    bool single = after->device_count == 1 && gate->before->device_count == 1;
    for (size_t t = 0; t < after->table_count; t++) {
        const struct clopt_results_table *table = &after->tables[t];
        size_t row = clopt_table_find_row(table, variant, 0);
        if (row == CLOPT_NO_ROW || strcmp(table->kernel, like->kernel) != 0 ||
            strcmp(after->problems[table->problem].app, problem->app) != 0 ||
            strcmp(after->problems[table->problem].label, problem->label) != 0)
            continue;
        for (size_t d = 0; d < after->device_count; d++)
            if ((single || strcmp(after->devices[d].label, label) == 0) &&
                table->rows[row].cells[d].present)
                return &table->rows[row].cells[d];
    }
    return NULL;
}

static enum clopt_status judge_row(struct gate *gate, const struct clopt_results_table *table,
                                   size_t device, const struct clopt_result *then,
                                   struct clopt_error *error)
{
    const struct clopt_result *initial = clopt_table_initial(table, device);
    const struct clopt_result *now = find_now(gate, table, then->row->name, device);
    const struct clopt_result *main_now = find_now(gate, table, MAIN_ROW, device);
    struct finding finding = {.table = table,
                              .device = gate->before->devices[device].label,
                              .variant = then->row->name,
                              .gain = {.median = NAN, .low = NAN, .high = NAN}};
    if (!now || !main_now)
        finding.open = "the study has no such row any more";
    else if (now->outcome != CLOPT_OUTCOME_OK)
        finding.wrong = why(now);
    else if (main_now->outcome == CLOPT_OUTCOME_WRONG_RESULT)
        finding.wrong = "it computes something else than main's code";
    else if (main_now->outcome != CLOPT_OUTCOME_OK)
        finding.open = why(main_now);
    else if (then == initial)
        CLOPT_TRY(compare_initial(gate, now, main_now, &finding, error));
    else
        CLOPT_TRY(compare_variant(gate, (const struct clopt_result *[]){initial, then},
                                  (const struct clopt_result *[]){main_now, now}, &finding, error));
    add_finding(gate, &finding);
    return CLOPT_OK;
}

/* Judges the initial code and the best variant of each kernel, as main has them. */
static enum clopt_status judge_all(struct gate *gate, struct clopt_error *error)
{
    for (size_t t = 0; t < gate->before->table_count; t++) {
        const struct clopt_results_table *table = &gate->before->tables[t];
        for (size_t d = 0; d < gate->before->device_count; d++)
            for (size_t r = 0; r < table->row_count; r++) {
                const struct clopt_result *then = &table->rows[r].cells[d];
                bool initial = r == table->initial;
                if (then->present && then->ranked &&
                    (initial || then->times[CLOPT_SCOPE_KERNEL].best) &&
                    strcmp(then->row->name, MAIN_ROW) != 0)
                    CLOPT_TRY(judge_row(gate, table, d, then, error));
            }
    }
    return CLOPT_OK;
}

/* ---- the answer ---- */

static int find_code(const struct gate *gate)
{
    return gate->wrong                       ? CLOPT_EXIT_VERIFICATION
           : gate->losses || !gate->compared ? CLOPT_EXIT_FAILURE
                                             : CLOPT_EXIT_DONE;
}

static enum clopt_status answer(struct gate *gate, struct clopt_error *error)
{
    struct clopt_document document = clopt_output_begin(&gate->output, "clopt gate");
    clopt_document_heading(&document, CLOPT_HEADING_TITLE, "%s against %s", gate->run.study_path,
                           gate->against);
    clopt_document_printf(&document, CLOPT_SENTENCE_ANSWER,
                          "%s: %zu %s compared with main, %zu surely over %.3g%% slower, %zu wrong",
                          find_code(gate) ? "Fails" : "Passes", gate->compared,
                          gate->compared == 1 ? "row" : "rows", gate->losses, 100 * gate->precision,
                          gate->wrong);
    clopt_document_printf(&document, CLOPT_SENTENCE_PLAIN,
                          "Speeds are ratios to main's initial code, which was measured in the "
                          "same processes, by the fastest fifth of the samples of each; below 1 is "
                          "slower%s",
                          gate->again ? "; the figures are of a second run with twice as many "
                                        "processes, since the first may have had a loss"
                                      : "");
    clopt_document_table(&document, &gate->grid);
    clopt_document_data(&document, "rows", json_incref(gate->rows));
    return clopt_output_finish(&gate->output, &document, CLOPT_OK, error);
}

/* Runs the study into a store that is not there yet, and judges it. Returns an exit code. */
static int run_once(struct gate *gate, const char *store, struct clopt_error *error)
{
    gate->run.output = store;
    free(gate->run.store_path);
    gate->run.store_path = NULL;
    int code = clopt_study_command_run(&gate->run);
    if (code == CLOPT_EXIT_USAGE || code == CLOPT_EXIT_PLUGIN)
        return code;
    clopt_results_destroy(gate->after);
    gate->after = NULL;
    clopt_store_close(gate->new_samples);
    gate->new_samples = NULL;
    if (clopt_results_read(store, &gate->after, error) ||
        clopt_store_open_read(store, &gate->new_samples, error))
        return clopt_report_error(error);
    clopt_grid_fini(&gate->grid);
    json_decref(gate->rows);
    gate->grid = (struct clopt_grid){0};
    gate->rows = json_array();
    gate->compared = gate->losses = gate->wrong = 0;
    clopt_grid_add_columns(&gate->grid, "*Kernel, *Problem, *Device, *Variant, =Now / main, =Says");
    return judge_all(gate, error) ? clopt_report_error(error) : CLOPT_EXIT_DONE;
}

/* Runs it with twice as many processes: intervals are narrower, and chance does not come twice. */
static int run_again(struct gate *gate, struct clopt_error *error)
{
    CLOPT_FREED char *second = clopt_path_join(gate->folder.path, "second.db");
    if (override(gate, error, "measure.processes=%" PRIu64, 2 * gate->processes) ||
        override(gate, error, "measure.max_samples=%" PRIu64, 2 * gate->samples))
        return clopt_report_error(error);
    return run_once(gate, second, error);
}

static int run_gate(struct gate *gate)
{
    struct clopt_error error = {0};
    if (gate->run.output && access(gate->run.output, F_OK) == 0)
        return clopt_usage_error("gate",
                                 "%s: is there already: what it has would not be measured again",
                                 gate->run.output);
    if (clopt_temporary_create(&gate->folder, &error) || prepare(gate, &error))
        return clopt_report_error(&error);
    CLOPT_FREED char *first = gate->run.output ? clopt_strdup(gate->run.output)
                                               : clopt_path_join(gate->folder.path, "first.db");
    int code = clopt_study_command_check(&gate->run, "gate");
    code = code ? code : run_once(gate, first, &error);
    gate->again = !code && gate->suspected && !gate->wrong;
    if (gate->again)
        code = run_again(gate, &error);
    if (code)
        return code;
    return answer(gate, &error) ? clopt_report_error(&error) : find_code(gate);
}

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct gate gate = {.run = {.name = "gate", .quiet = true, .global = *global},
                        .output = {.registry = global->registry}};
    int code;
    if (clopt_command_read(global, &clopt_gate_command, &gate, argc, argv, &code)) {
        if (optind < argc || !gate.run.study_path || !gate.against)
            code = clopt_usage_error("gate", "a study and a store: clopt gate -c STUDY.ini "
                                             "--against=MAIN.db");
        else if (!(code = clopt_output_check(global, &gate.output, "gate")))
            code = run_gate(&gate);
    }
    clopt_results_destroy(gate.before);
    clopt_results_destroy(gate.after);
    clopt_store_close(gate.old_samples);
    clopt_store_close(gate.new_samples);
    clopt_list_fini(&gate.words);
    clopt_list_fini(&gate.set);
    free(gate.run.store_path);
    json_decref(gate.rows);
    clopt_temporary_fini(&gate.folder);
    return code;
}

const struct clopt_command clopt_gate_command = {
    .name = "gate",
    .usage = "gate -c STUDY.ini --against=MAIN.db [OPTION ...]\n",
    .about = "Example: clopt gate -c study.ini --against=main.db\n\n"
             "Runs a study, and compares the initial code and the best variant of each kernel\n"
             "with main's, whose code comes from its store and is measured once more, in the\n"
             "same processes: so a change counts, and not another machine or a busy one. Exit\n"
             "code 0: nothing is surely slower by more than [measure] precision; 1: something\n"
             "is, or nothing can be compared; 4: something is wrong.\n"
             "\n",
    .lists = {{options, 0},
              {clopt_output_options, offsetof(struct gate, output), clopt_output_row}},
    .run = run_command,
};
