/* SPDX-License-Identifier: BSD-3-Clause */
/* Says which problems of a study could not be measured. */
#include "commands/study/study_command.h"

/* A wrong result is the worst; a wrong input is for the user to mend, before other failures. */
static enum clopt_exit worse(enum clopt_exit one, enum clopt_exit other)
{
    static const int weights[] = {[CLOPT_EXIT_DONE] = 0,
                                  [CLOPT_EXIT_FAILURE] = 1,
                                  [CLOPT_EXIT_USAGE] = 2,
                                  [CLOPT_EXIT_PLUGIN] = 2,
                                  [CLOPT_EXIT_VERIFICATION] = 3};
    return weights[one] > weights[other] ? one : other;
}

/* Whether a reason has all lines of a log. */
static bool says_all(const char *reason, const char *log)
{
    for (size_t length; *log; log += length + (log[length] == '\n')) {
        length = strcspn(log, "\n");
        CLOPT_FREED char *line = clopt_text_format("%.*s", (int)length, log);
        if (!reason || !strstr(reason, line))
            return false;
    }
    return true;
}

/* Prints what the compiler said, which a trial that was read for a report lacks, unless it is the
 * reason. */
static enum clopt_status print_log(struct clopt_store *store, const char *key,
                                   struct clopt_error *error)
{
    CLOPT_OWNED(clopt_store_trial) trial = {0};
    CLOPT_TRY(clopt_store_find_trial(store, key, &trial, error));
    const char *log = trial.build.log ? trial.build.log : "";
    for (const char *line = says_all(trial.reason, log) ? "" : log; *line;) {
        size_t length = strcspn(line, "\n");
        clopt_text_print(stderr, "  %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    return CLOPT_OK;
}

/* Whether another kernel's table has shown the same trial already: the initial code is in all. */
static bool is_repeated(const struct clopt_results *results, size_t table, size_t device)
{
    const struct clopt_results_table *here = &results->tables[table];
    const char *key = here->rows[here->initial].cells[device].trial.key;
    for (size_t i = 0; i < table; i++) {
        const struct clopt_results_table *other = &results->tables[i];
        if (other->initial != CLOPT_NO_ROW &&
            strcmp(other->rows[other->initial].cells[device].trial.key, key) == 0)
            return true;
    }
    return false;
}

/* Appends the first parameters of a study, and how many more there are. */
static void append_parameters(struct clopt_text *text, const char *config)
{
    static const char section[] = "\n[parameter ";
    size_t count = 0;
    for (const char *at = config; (at = strstr(at, section)); count++) {
        at += strlen(section);
        if (count < 2)
            clopt_text_printf(text, "%s[parameter %.*s]", count ? " or " : "",
                              (int)strcspn(at, "]"), at);
    }
    if (count > 2)
        clopt_text_printf(text, " (or of %zu other%s)", count - 2, count == 3 ? "" : "s");
}

/* Says what follows from an initial code that failed, and how to have another one. */
static void print_remedy(const struct clopt_results *results)
{
    const char *config = results->run.config ? results->run.config : "";
    CLOPT_OWNED(clopt_text) parameters = {0};
    append_parameters(&parameters, config);
    if (strstr(config, "\n[search]"))
        clopt_text_print(stderr, "clopt: everything is compared with the initial code: the search "
                                 "tries nothing else\n");
    if (parameters.length)
        clopt_text_print(stderr,
                         "clopt: choose another initial code: say initial = VALUE (such as 1) in "
                         "%s\n",
                         clopt_text_string(&parameters));
}

static enum clopt_status print_failure(struct clopt_store *store,
                                       const struct clopt_results *results, size_t table,
                                       size_t device, struct clopt_error *error)
{
    const struct clopt_results_table *here = &results->tables[table];
    const struct clopt_store_trial *trial = &here->rows[here->initial].cells[device].trial;
    const char *outcome = clopt_outcome_name(trial->outcome);
    bool in_setup = trial->stage && strcmp(trial->stage, "setup") == 0;
    clopt_text_print(stderr, "clopt: %s on %s: %s: %s%s%s\n",
                     results->problems[here->problem].title, results->devices[device].label,
                     in_setup ? "not measured" : "the initial code was not measured", outcome,
                     trial->reason ? ": " : "", trial->reason ? trial->reason : "");
    enum clopt_status status = trial->outcome == CLOPT_OUTCOME_BUILD_FAILED
                                   ? print_log(store, trial->key, error)
                                   : CLOPT_OK;
    if (!in_setup)
        print_remedy(results);
    return status;
}

/* Whether a result is wrong that was asked for by name: the initial code's, or any of a study that
 * lists its variants. Of what a search has tried, the report tells. */
static bool has_wrong(const struct clopt_results *results, const struct clopt_results_table *table)
{
    bool searched = results->run.config && strstr(results->run.config, "\n[search]\n");
    for (size_t r = 0; r < table->row_count; r++)
        for (size_t d = 0; d < results->device_count; d++)
            if (table->rows[r].cells[d].outcome == CLOPT_OUTCOME_WRONG_RESULT &&
                (!searched || r == table->initial || clopt_table_is_of_rivals(table)))
                return true;
    return false;
}

enum clopt_status clopt_failures_print(struct clopt_store *store, enum clopt_exit *code,
                                       struct clopt_error *error)
{
    CLOPT_HELD(clopt_results) results = NULL;
    *code = CLOPT_EXIT_DONE;
    CLOPT_TRY(clopt_results_gather(store, false, &results, error));
    for (size_t t = 0; t < results->table_count; t++) {
        const struct clopt_results_table *table = &results->tables[t];
        if (has_wrong(results, table) ||
            has_wrong(results, &results->problems[table->problem].rivals))
            *code = CLOPT_EXIT_VERIFICATION;
        for (size_t d = 0; d < results->device_count; d++) {
            if (table->initial == CLOPT_NO_ROW)
                continue;
            const struct clopt_store_trial *trial = &table->rows[table->initial].cells[d].trial;
            if (!trial->complete || trial->outcome == CLOPT_OUTCOME_OK ||
                is_repeated(results, t, d))
                continue;
            bool wrong_input = trial->outcome == CLOPT_OUTCOME_INFEASIBLE;
            *code = worse(*code, wrong_input ? CLOPT_EXIT_USAGE : CLOPT_EXIT_FAILURE);
            CLOPT_TRY(print_failure(store, results, t, d, error));
        }
    }
    return CLOPT_OK;
}
