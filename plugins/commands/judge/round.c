/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the study once for each set of sizes, seeds and contents, and keeps what became of the
 * candidates. */
#include "commands/judge/judge.h"

#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#include "commands/study/study_command.h"
#include "file/file.h"
#include "process/child.h"
#include "view/view.h"

#define LARGEST 256 /* of the small sizes: most groups divide it */

/* ---- which rounds ---- */

static struct judge_round *add_round(struct judge *judge, const char *what)
{
    struct judge_round *round = clopt_array_add(&judge->rounds, &judge->round_count, sizeof *round);
    round->what = what;
    judge_override(&round->overrides, &round->override_count, "combine.products=parameters");
    return round;
}

/* Adds a round that compares results, and does not time. */
static struct judge_round *add_quick(struct judge *judge, const char *what, uint64_t seed)
{
    struct judge_round *round = add_round(judge, what);
    static const char *const quick[] = {"measure.min_samples=1", "measure.max_samples=1",
                                        "measure.processes=1", "measure.peaks=no"};
    for (size_t i = 0; i < sizeof quick / sizeof *quick; i++)
        judge_override(&round->overrides, &round->override_count, "%s", quick[i]);
    judge_override(&round->overrides, &round->override_count, "study.seed=%" PRIu64,
                   judge->study->seed + seed);
    return round;
}

/* Has kernels check what they access: also that none reads what an earlier launch left. */
static void check_accesses(struct judge_round *round)
{
    judge_override(&round->overrides, &round->override_count, "measure.verify=check");
    round->checks = true;
}

/* Gives a round groups of one work-item, which divide whatever global size there is, where the
 * kernels are for groups that divide it alone. */
static void divide(const struct judge *judge, struct judge_round *round)
{
    const json_t *app = judge_section(judge, "app"), *setting;
    const char *local = NULL;
    bool divides = false;
    size_t i;
    json_array_foreach(app, i, setting)
    {
        const char *key = json_string_value(json_array_get(setting, 0));
        const char *value = json_string_value(json_array_get(setting, 1));
        divides |= strcmp(key, "any_local_size") == 0 && strcmp(value, "dividing") == 0;
        local = strcmp(key, "local") == 0 ? value : local;
    }
    if (!divides || !local)
        return;
    CLOPT_OWNED(clopt_text) ones = {0};
    clopt_text_append(&ones, "1");
    for (; *local; local++)
        clopt_text_append(&ones, *local == ',' ? ", 1" : "");
    judge_override(&round->overrides, &round->override_count, "app kernel%s.local=%s", judge->label,
                   clopt_text_string(&ones));
}

/* Gives a round small sizes, the same to all that the study has. */
static void set_sizes(const struct judge *judge, struct judge_round *round, int size)
{
    const json_t *sizes = judge_section(judge, "size"), *setting;
    size_t i;
    json_array_foreach(sizes, i, setting)
    {
        judge_override(&round->overrides, &round->override_count, "size%s.%s=%d", judge->label,
                       json_string_value(json_array_get(setting, 0)), size);
    }
    if (size != LARGEST)
        divide(judge, round);
    check_accesses(round);
}

/* Whether a buffer holds real numbers that follow from the seed: others may be indices. */
static bool is_real_input(const char *value, size_t *length)
{
    static const char *const random[] = {"uniform(", "normal("};
    for (size_t i = 0; i < 2; i++) {
        const char *at = strstr(value, random[i]);
        *length = at ? (size_t)(at - value) : 0;
        const char *end = at ? strchr(at, ')') : NULL; /* structures and parts have more */
        if (end && !strchr(end, ',') && strncmp(value, "in", 2) == 0)
            return true;
    }
    return false;
}

/* Adds a round whose random real inputs hold something else; NULL: there are none. */
static struct judge_round *add_content(struct judge *judge, const char *what, const char *content)
{
    const json_t *arguments = judge_section(judge, "arguments"), *setting;
    struct judge_round *round = NULL;
    size_t i;
    json_array_foreach(arguments, i, setting)
    {
        const char *value = json_string_value(json_array_get(setting, 1));
        size_t length;
        if (!is_real_input(value, &length))
            continue;
        round = round ? round : add_quick(judge, what, 0);
        judge_override(&round->overrides, &round->override_count, "arguments%s.%s=%.*s%s",
                       judge->label, json_string_value(json_array_get(setting, 0)), (int)length,
                       value, content);
    }
    return round;
}

/* Adds one for which the initial code may compute NaN: it is right then. What is compiled for
 * finite numbers alone promises nothing for others. */
static void add_special(struct judge *judge, const char *what, const char *content)
{
    const json_t *arguments = judge_section(judge, "arguments"), *setting;
    const json_t *results = judge_section(judge, "results"), *result;
    const char *options = judge->study->apps[0].entry->extension->app->options;
    bool finite = options && (strstr(options, "-cl-fast-relaxed-math") ||
                              strstr(options, "-cl-finite-math-only"));
    struct judge_round *round = finite ? NULL : add_content(judge, what, content);
    size_t i, r;
    json_array_foreach(arguments, i, setting)
    {
        const char *name = json_string_value(json_array_get(setting, 0)), *given = "";
        const char *value = json_string_value(json_array_get(setting, 1));
        json_array_foreach(results, r, result)
        {
            if (strcmp(json_string_value(json_array_get(result, 0)), name) == 0)
                given = json_string_value(json_array_get(result, 1));
        }
        if (round && (strncmp(value, "output", 6) == 0 || strncmp(value, "inout", 5) == 0))
            judge_override(&round->overrides, &round->override_count, "results%s.%s=nan %s",
                           judge->label, name, given);
    }
}

static void make_rounds(struct judge *judge)
{
    add_round(judge, "as given")->measures = true;
    check_accesses(add_quick(judge, "as given, checked", 0));
    add_quick(judge, "another seed", 1);
    set_sizes(judge, add_quick(judge, "all sizes 1", 2), 1);
    set_sizes(judge, add_quick(judge, "odd sizes (37)", 3), 37);
    set_sizes(judge, add_quick(judge, "sizes that no work-group divides (130)", 4), 130);
    set_sizes(judge, add_quick(judge, "sizes of 256", 5), LARGEST);
    add_content(judge, "inputs of zeros", "zero");
    add_content(judge, "equal inputs", "constant(3)");
    add_content(judge, "sorted inputs", "ramp");
    add_content(judge, "large inputs", "uniform(0, 10000)");
    add_special(judge, "inputs with NaN", "nans");
    add_special(judge, "inputs with infinities", "infinities");
    add_special(judge, "denormal inputs", "denormals");
}

/* ---- running ---- */

/* What one run needs. */
struct running {
    const struct judge *judge;
    const struct judge_round *round;
    const char *store;
    const char *log; /* gets what it says on stderr */
    const char *device;
};

static enum clopt_status set_all(struct clopt_study_command *command,
                                 const struct clopt_text *overrides, size_t count,
                                 struct clopt_error *error)
{
    for (size_t i = 0; i < count; i++)
        CLOPT_TRY(clopt_study_command_set(command, clopt_text_string(&overrides[i]), error));
    return CLOPT_OK;
}

/* Runs in a child: what it says is for the details of this round. */
static enum clopt_status run_study(void *user, struct clopt_error *error)
{
    const struct running *running = user;
    const struct judge *judge = running->judge;
    struct clopt_study_command command = {.name = "judge",
                                          .study_path = judge->study_path,
                                          .output = running->store,
                                          .quiet = true,
                                          .global = *judge->global};
    int log = open(running->log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (log < 0 || dup2(log, STDERR_FILENO) < 0)
        return clopt_fail(error, CLOPT_FAILED, "%s: cannot be written", running->log);
    CLOPT_TRY(set_all(&command, running->round->overrides, running->round->override_count, error));
    for (size_t i = 0; i < judge->candidate_count; i++)
        if (!judge->candidates[i].refused && !judge->candidates[i].late)
            CLOPT_TRY(set_all(&command, judge->candidates[i].overrides,
                              judge->candidates[i].override_count, error));
    if (running->device)
        CLOPT_TRY(clopt_study_command_set(&command, running->device, error));
    int code = clopt_study_command_check(&command, "judge");
    code = code ? code : clopt_study_command_run(&command);
    return code == CLOPT_EXIT_DONE || code == CLOPT_EXIT_VERIFICATION || code == CLOPT_EXIT_FAILURE
               ? CLOPT_OK
               : clopt_fail(error, CLOPT_INVALID, "the study cannot be run so");
}

/* Says why a round could not be run: what was said on stderr, in one line, without the name of a
 * study that nobody has seen. */
static char *find_reason(const struct judge *judge, const char *log,
                         const struct clopt_error *error)
{
    CLOPT_FREED char *text = NULL;
    if (clopt_text_read(log, &text, NULL) || !*text)
        return clopt_strdup(error->message);
    const char *at = strncmp(text, "clopt: ", 7) == 0 ? text + 7 : text;
    if (strncmp(at, judge->folder.path, strlen(judge->folder.path)) == 0 && strstr(at, ": "))
        at = strstr(at, ": ") + 2;
    return clopt_strndup(at, strcspn(at, "\n"));
}

/* ---- what came of it ---- */

static struct judge_cell make_cell(const struct clopt_results *results,
                                   const struct clopt_results_table *table,
                                   const struct clopt_result *result)
{
    const struct clopt_result_time *time = &result->times[CLOPT_SCOPE_KERNEL];
    struct clopt_rates rates = clopt_results_rates(results, result);
    const char *why = result->trial.reason && *result->trial.reason ? result->trial.reason
                                                                    : result->trial.verdict.text;
    const char *problem = results->problems[table->problem].label;
    const char *device = results->devices[result->device].label;
    return (struct judge_cell){.sized = *problem != '\0',
                               .where = *problem ? clopt_text_format("%s on %s", problem, device)
                                                 : clopt_strdup(device),
                               .outcome = result->present ? result->outcome : CLOPT_OUTCOME_PENDING,
                               .reason = why && *why ? clopt_strdup(why) : NULL,
                               .speedup = time->speedup,
                               .verdict = time->verdict,
                               .noise = time->noise,
                               .of_limit = fmax(rates.operations_of_peak, rates.bytes_of_peak)};
}

/* Notes what became of all candidates; where the initial code fails itself, nothing is known. */
static void take_table(struct judge *judge, struct judge_round *round,
                       const struct clopt_results *results, const struct clopt_results_table *table)
{
    for (size_t d = 0; d < results->device_count; d++) {
        const struct clopt_result *initial = clopt_table_initial(table, d);
        if (!initial || !initial->present || initial->outcome != CLOPT_OUTCOME_OK) {
            const char *why = initial ? initial->trial.reason : NULL;
            if (!round->skipped)
                round->skipped = clopt_text_format("the initial code fails there itself%s%s",
                                                   why && *why ? ": " : "", why ? why : "");
            continue;
        }
        for (size_t i = 0; i < judge->candidate_count; i++) {
            CLOPT_FREED char *name =
                clopt_text_format(CLOPT_ALTERNATIVE "=%s", judge->candidates[i].name);
            size_t row = clopt_table_find_row(table, name, i + 1);
            if (row == CLOPT_NO_ROW)
                continue;
            struct judge_cell *cell =
                clopt_array_add(&round->cells[i], &round->cell_counts[i], sizeof *cell);
            *cell = make_cell(results, table, &table->rows[row].cells[d]);
            judge->candidates[i].late |= cell->outcome == CLOPT_OUTCOME_TIMEOUT;
        }
    }
}

/* Notes of which devices the host's clock was used. */
static void take_clocks(struct judge_round *round, const struct clopt_results *results)
{
    struct clopt_text text = {0};
    for (size_t d = 0; d < results->device_count; d++) {
        const struct clopt_clock clock = clopt_results_clock(&results->devices[d]);
        if (clock.source != CLOPT_CLOCK_HOST)
            continue;
        clopt_text_printf(&text, "%s%s's is ", text.length ? "; " : "", results->devices[d].label);
        clopt_clock_say(&text, &clock);
    }
    round->clock = text.data; /* NULL: nothing was appended */
}

static enum clopt_status run_round(struct judge *judge, size_t number, struct clopt_error *error)
{
    struct judge_round *round = &judge->rounds[number];
    const struct clopt_child_limits limits = {0};
    struct clopt_error why = {0};
    CLOPT_HELD(clopt_results) results = NULL;
    CLOPT_FREED char *name = clopt_text_format("round-%zu.db", number);
    CLOPT_FREED char *store = clopt_path_join(judge->folder.path, name);
    CLOPT_FREED char *log = clopt_text_format("%s.log", store);
    CLOPT_FREED char *device =
        judge->device ? clopt_text_format("study.devices=%s", judge->device) : NULL;
    struct running running = {judge, round, store, log, device};
    enum clopt_status status = clopt_child_run(&limits, run_study, &running, &why);
    if (!status)
        status = clopt_results_read(store, &results, &why);
    if (status == CLOPT_INTERRUPTED)
        return clopt_fail(error, status, "%s", why.message);
    if (status) {
        round->skipped = find_reason(judge, log, &why);
        return round->measures ? clopt_fail(error, status, "%s", round->skipped) : CLOPT_OK;
    }
    for (size_t t = 0; t < results->table_count; t++)
        take_table(judge, round, results, &results->tables[t]);
    take_clocks(round, results);
    return CLOPT_OK;
}

/* Says on a terminal which round runs; after the last one, nothing any more. */
static void show_progress(const struct judge *judge, size_t number)
{
    if (!isatty(STDERR_FILENO))
        return;
    fputs(CLOPT_CLEAR_LINE, stderr);
    if (number < judge->round_count)
        fprintf(stderr, "%zu of %zu: %s", number + 1, judge->round_count,
                judge->rounds[number].what);
    fflush(stderr);
}

/* Whether there is a candidate yet that can be launched, and ends. */
static bool has_more(const struct judge *judge)
{
    bool more = false;
    for (size_t i = 0; i < judge->candidate_count; i++)
        more |= !judge->candidates[i].refused && !judge->candidates[i].late;
    return more;
}

enum clopt_status judge_run(struct judge *judge, struct clopt_error *error)
{
    if (!has_more(judge))
        return CLOPT_OK;
    make_rounds(judge);
    for (size_t i = 0; i < judge->round_count && !judge->rounds[0].skipped; i++)
        if (has_more(judge)) {
            show_progress(judge, i);
            CLOPT_TRY(run_round(judge, i, error));
        } else {
            judge->rounds[i].skipped = clopt_strdup("no candidate is left that ends in time");
        }
    show_progress(judge, judge->round_count);
    return judge->rounds[0].skipped
               ? clopt_fail(error, CLOPT_FAILED, "%s", judge->rounds[0].skipped)
               : CLOPT_OK;
}
