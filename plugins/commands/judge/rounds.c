/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the study with other sizes, seeds and contents, and keeps what became of the candidates.
 *
 * A process that opens a driver is what costs most. So rounds are apps of one study, as far as they
 * can be, each with a label; and what has failed is not tried again. */
#include "commands/judge/judge.h"

#include <unistd.h>

#include "process/child.h"
#include "supervisor/supervisor.h"
#include "watch/watch.h"

#define LARGEST 256 /* of the small sizes: most groups divide it */

static const struct judge_round all_rounds[JUDGE_ROUNDS] = {
    {.what = "as given", .run = JUDGE_TIMED},
    {.what = "as given, checked", .run = JUDGE_CHECKED},
    {.what = "another seed", .run = JUDGE_COMPARED},
    {.what = "inputs of zeros", .run = JUDGE_COMPARED, .content = "zero"},
    {.what = "equal inputs", .run = JUDGE_COMPARED, .content = "constant(3)"},
    {.what = "sorted inputs", .run = JUDGE_COMPARED, .content = "ramp"},
    {.what = "large inputs (to 5%)",
     .run = JUDGE_COMPARED,
     .content = "uniform(0, 10000)",
     .rough = true},
    {.what = "inputs with NaN", .run = JUDGE_COMPARED, .content = "nans", .special = true},
    {.what = "inputs with infinities",
     .run = JUDGE_COMPARED,
     .content = "infinities",
     .special = true},
    {.what = "denormal inputs", .run = JUDGE_COMPARED, .content = "denormals", .special = true},
    {.what = "all sizes 1", .run = JUDGE_SIZED, .size = 1},
    {.what = "odd sizes (37)", .run = JUDGE_SIZED, .size = 37},
    {.what = "sizes that no work-group divides (130)", .run = JUDGE_SIZED, .size = 130},
    {.what = "sizes of 256", .run = JUDGE_SIZED, .size = LARGEST},
};

/* ---- which rounds ---- */

static const char *key_of(const json_t *setting)
{
    return json_string_value(json_array_get(setting, 0));
}

static const char *value_of(const json_t *setting)
{
    return json_string_value(json_array_get(setting, 1));
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

/* Whether a round differs from the others. What is compiled for finite numbers alone promises
 * nothing for others. */
static bool is_needed(const struct judge *judge, const struct judge_round *round)
{
    const char *options = judge->app->extension->app->options;
    const json_t *setting;
    bool real = false;
    size_t i, length;
    json_array_foreach(judge_section(judge, "arguments"), i, setting)
    {
        real |= is_real_input(value_of(setting), &length);
    }
    if (round->special && options &&
        (strstr(options, "-cl-fast-relaxed-math") || strstr(options, "-cl-finite-math-only")))
        return false;
    return !round->content || real;
}

static void make_rounds(struct judge *judge)
{
    for (size_t i = 0; i < JUDGE_ROUNDS; i++) {
        if (!is_needed(judge, &all_rounds[i]))
            continue;
        struct judge_round *round = &judge->rounds[judge->round_count++];
        *round = all_rounds[i];
        if (round->size || round->content)
            snprintf(round->label, sizeof round->label, " judge_%zu", i);
    }
}

/* ---- what studies say of them ---- */

/* Has the study be run as all rounds of a run need it. */
static void put_run(const struct judge *judge, enum judge_run run, struct clopt_list *overrides)
{
    static const char *const quick[] = {"min_samples=1", "max_samples=1", "processes=1",
                                        "peaks=no"};
    judge_add(overrides, "combine.products=parameters");
    judge_add(overrides, "study.seed=%" PRIu64, judge->study->seed + run);
    if (judge->device)
        judge_add(overrides, "study.devices=%s", judge->device);
    for (size_t i = 0; run != JUDGE_TIMED && i < sizeof quick / sizeof *quick; i++)
        judge_add(overrides, "measure.%s", quick[i]);
    if (run == JUDGE_CHECKED ||
        run == JUDGE_SIZED) /* also that nothing reads what an earlier launch left */
        judge_add(overrides, "measure.verify=check");
}

static bool has_failed(const struct judge *judge, const char *section)
{
    bool failed = false;
    for (size_t i = 0; i < judge->candidate_count; i++)
        failed |= judge->candidates[i].failed && strncmp(section, "variant ", 8) == 0 &&
                  strcmp(section + 8, judge->candidates[i].name) == 0;
    return failed;
}

/* Describes the app once more, with the label of a round. */
static void put_app(const struct judge *judge, const char *label, struct clopt_list *overrides)
{
    const json_t *section, *setting;
    size_t s, i;
    json_array_foreach(json_object_get(judge->app->description, "sections"), s, section)
    {
        const char *name = clopt_json_string(section, "name"), *rest = name + strcspn(name, " ");
        const char *plugin = strcmp(name, "app") == 0 ? " kernel" : "";
        if (strncmp(name, "parameter ", 10) == 0 || has_failed(judge, name))
            continue; /* the first are for all apps */
        json_array_foreach(json_object_get(section, "settings"), i, setting)
        {
            judge_add(overrides, "%.*s%s%s%s.%s=%s", (int)(rest - name), name, plugin, label, rest,
                      key_of(setting), value_of(setting));
        }
    }
}

/* Has all sizes be the same; and groups be of one work-item, which divide whatever global size
 * there is, where the kernels are for groups that divide it alone. */
static void put_size(const struct judge *judge, const struct judge_round *round,
                     struct clopt_list *overrides)
{
    const json_t *setting;
    CLOPT_OWNED(clopt_text) ones = {0};
    bool divides = false;
    size_t i;
    json_array_foreach(judge_section(judge, "size"), i, setting)
    {
        judge_add(overrides, "size%s.%s=%d", round->label, key_of(setting), round->size);
    }
    json_array_foreach(judge_section(judge, "app"), i, setting)
    {
        divides |= strcmp(key_of(setting), "any_local_size") == 0 &&
                   strcmp(value_of(setting), "dividing") == 0;
        for (const char *at = strcmp(key_of(setting), "local") == 0 ? value_of(setting) : NULL; at;
             at = strchr(at + 1, ','))
            clopt_text_append(&ones, ones.length ? ", 1" : "1");
    }
    if (divides && ones.length && round->size != LARGEST)
        judge_add(overrides, "app kernel%s.local=%s", round->label, clopt_text_string(&ones));
}

/* Whether rounding may make a result another one, by what the study says of it or of its type. */
static bool is_rounded(const char *value, const char *given)
{
    if (*given)
        return strstr(given, "relative ") || strstr(given, "absolute ");
    return strstr(value, "half") || strstr(value, "float") || strstr(value, "double");
}

/* Lets a result be what the contents of a round make of a right one. */
static void put_tolerance(const struct judge *judge, const struct judge_round *round,
                          const char *name, const char *value, struct clopt_list *overrides)
{
    const json_t *result;
    size_t i;
    const char *given = "";
    json_array_foreach(judge_section(judge, "results"), i, result)
    {
        given = strcmp(key_of(result), name) == 0 ? value_of(result) : given;
    }
    if (round->special)
        judge_add(overrides, "results%s.%s=nan %s", round->label, name, given);
    else if (round->rough && is_rounded(value, given))
        judge_add(overrides, "results%s.%s=%s relative 0.05", round->label, name, given);
}

/* Has random real inputs hold something else. */
static void put_content(const struct judge *judge, const struct judge_round *round,
                        struct clopt_list *overrides)
{
    const json_t *setting;
    size_t i, length;
    json_array_foreach(judge_section(judge, "arguments"), i, setting)
    {
        const char *name = key_of(setting), *value = value_of(setting);
        if (is_real_input(value, &length))
            judge_add(overrides, "arguments%s.%s=%.*s%s", round->label, name, (int)length, value,
                      round->content);
        if (strncmp(value, "output", 6) == 0 || strncmp(value, "inout", 5) == 0)
            put_tolerance(judge, round, name, value, overrides);
    }
}

static void put_round(const struct judge *judge, const struct judge_round *round,
                      struct clopt_list *overrides)
{
    const char *label = *round->label ? round->label : judge->label;
    if (*round->label)
        put_app(judge, label, overrides);
    if (round->size)
        put_size(judge, round, overrides);
    if (round->content)
        put_content(judge, round, overrides);
    for (size_t i = 0; i < judge->candidate_count; i++) {
        const struct judge_candidate *candidate = &judge->candidates[i];
        if (candidate->path && !candidate->refused && !candidate->failed)
            judge_put_candidate(candidate, label, overrides);
    }
}

/* ---- what came of them ---- */

bool judge_is_left_out(const struct judge_cell *cell)
{
    return cell->round->run != JUDGE_TIMED && cell->result->outcome == CLOPT_OUTCOME_INFEASIBLE;
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
            struct judge_candidate *candidate = &judge->candidates[i];
            CLOPT_FREED char *name = clopt_text_format(CLOPT_ALTERNATIVE "=%s", candidate->name);
            size_t row = clopt_table_find_row(table, name, i + 1);
            if (row == CLOPT_NO_ROW)
                continue;
            struct judge_cell *cell =
                clopt_array_add(&candidate->cells, &candidate->cell_count, sizeof *cell);
            *cell = (struct judge_cell){round, results, &table->rows[row].cells[d]};
            candidate->failed |=
                cell->result->outcome != CLOPT_OUTCOME_OK && !judge_is_left_out(cell);
        }
    }
}

static void take_results(struct judge *judge, struct judge_round *rounds, size_t count,
                         struct clopt_results *results)
{
    struct clopt_results **kept =
        clopt_array_add(&judge->results, &judge->result_count, sizeof *kept);
    *kept = results;
    for (size_t t = 0; t < results->table_count; t++) {
        const char *app = results->problems[results->tables[t].problem].app;
        for (size_t r = 0; r < count; r++)
            if (strcmp(app, *rounds[r].label ? rounds[r].label + 1 : judge->app->extension->name) ==
                0)
                take_table(judge, &rounds[r], results, &results->tables[t]);
    }
}

/* ---- running ---- */

/* A run of the study, in a child. */
struct running {
    const struct judge *judge;
    struct clopt_list overrides;
    const char *store;
};

static enum clopt_status run_study(void *user, struct clopt_error *error)
{
    const struct running *running = user;
    const struct clopt_global_options *global = running->judge->global;
    struct clopt_study *study = NULL;
    struct clopt_store *store = NULL;
    struct clopt_watch watch;
    CLOPT_TRY(judge_read_study(running->judge, &running->overrides, &study, error));
    CLOPT_TRY(clopt_store_open(running->store, &store, error));
    clopt_watch_begin(&watch, isatty(STDERR_FILENO) ? stderr : NULL, NULL);
    const struct clopt_supervisor_options options = {.plugin_path = global->plugin_path,
                                                     .kernel_path = global->kernel_path,
                                                     .store_path = running->store,
                                                     .watcher = &watch.watcher};
    enum clopt_status status = clopt_supervisor_run(study, store, &options, error);
    clopt_watch_end(&watch);
    clopt_store_close(store);
    return status;
}

/* Runs rounds together; each alone, where one of them cannot be run. */
static enum clopt_status run_rounds(struct judge *judge, struct judge_round *rounds, size_t count,
                                    struct clopt_error *error)
{
    static const char origin[] = "command line: "; /* of what judge itself sets */
    const struct clopt_child_limits limits = {0};
    struct clopt_error why = {0};
    struct clopt_results *results = NULL;
    CLOPT_FREED char *store = clopt_text_format("%s/%zu-%zu.db", judge->folder.path,
                                                (size_t)(rounds - judge->rounds), count);
    struct running running = {.judge = judge, .store = store};
    put_run(judge, rounds->run, &running.overrides);
    for (size_t i = 0; i < count; i++)
        put_round(judge, &rounds[i], &running.overrides);
    enum clopt_status status = clopt_child_run(&limits, run_study, &running, &why);
    clopt_list_fini(&running.overrides);
    if (!status)
        status = clopt_results_read(store, &results, &why);
    if (status == CLOPT_INTERRUPTED)
        return clopt_fail(error, status, "%s", why.message);
    if (!status)
        take_results(judge, rounds, count, results);
    else if (count == 1)
        rounds->skipped =
            clopt_strdup(why.message +
                         (strncmp(why.message, origin, sizeof origin - 1) ? 0 : sizeof origin - 1));
    for (size_t i = 0; status && count > 1 && i < count; i++)
        CLOPT_TRY(run_rounds(judge, &rounds[i], 1, error));
    return CLOPT_OK;
}

/* Whether there is a candidate yet that can be launched, and has not failed. */
static bool has_more(const struct judge *judge)
{
    bool more = false;
    for (size_t i = 0; i < judge->candidate_count; i++)
        more |= !judge->candidates[i].refused && !judge->candidates[i].failed;
    return more;
}

enum clopt_status judge_run_all(struct judge *judge, struct clopt_error *error)
{
    make_rounds(judge);
    for (size_t i = 0, end; i < judge->round_count && has_more(judge); i = end) {
        for (end = i + 1;
             end < judge->round_count && judge->rounds[end].run == judge->rounds[i].run;)
            end++;
        CLOPT_TRY(run_rounds(judge, &judge->rounds[i], end - i, error));
        if (judge->rounds[0].skipped)
            return clopt_fail(error, CLOPT_FAILED, "%s", judge->rounds[0].skipped);
    }
    return CLOPT_OK;
}
