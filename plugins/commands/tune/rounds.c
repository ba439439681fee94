/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches at several sizes: one run of the study after the other, into the same store. */
#include "commands/tune/rounds.h"

#include <math.h>
#include <unistd.h>

#include "commands/tune/sizes.h"
#include "process/clock.h"

/* What shares of the time that is left go into a search at other sizes, and into measuring the
 * winners at all of them. */
#define SEARCH    0.4
#define COMPARE   0.25
#define LEAST     0.25 /* of what each of the first sizes had, a later one has at least */
#define REMAINDER 0.25 /* so much of the whole time is worth another search */
#define AGAIN     0.6  /* which takes this share of it */

struct rounds {
    struct clopt_study_command *command;
    size_t own; /* overrides of the command itself */
    struct clopt_size_axes axes;
    struct clopt_size_winners winners;
    struct clopt_list settings; /* the texts of the other overrides */
    struct clopt_study *study;  /* with all sizes */
    int64_t began_ns;
    double first_s; /* what each of the first sizes had */
};

static void rounds_fini(struct rounds *rounds)
{
    rounds->command->override_count = rounds->own;
    rounds->command->starts = NULL;
    clopt_size_axes_fini(&rounds->axes);
    clopt_size_winners_fini(&rounds->winners);
    clopt_list_fini(&rounds->settings);
    clopt_study_destroy(rounds->study);
}

/* ---- the time ---- */

static bool is_timed(const struct rounds *rounds)
{
    return rounds->study->measure.time_s > 0;
}

/* Returns the seconds that are left; infinite without a limit. */
static double find_left(const struct rounds *rounds)
{
    double passed_s = 1e-9 * (double)(clopt_now_ns() - rounds->began_ns);
    return is_timed(rounds) ? fmax(1, rounds->study->measure.time_s - passed_s) : INFINITY;
}

/* ---- what a run is told ---- */

static enum clopt_status set(struct rounds *rounds, const char *text, struct clopt_error *error)
{
    clopt_list_add(&rounds->settings, text);
    return clopt_study_command_set(rounds->command,
                                   rounds->settings.items[rounds->settings.count - 1], error);
}

/* Gives a size the values that are marked (NULL: all), wherever the study has it. */
static enum clopt_status set_axis(struct rounds *rounds, const struct clopt_study *study,
                                  const struct clopt_size_axis *axis, const bool *marked,
                                  struct clopt_error *error)
{
    const char *at = NULL;
    for (char *section; (section = clopt_size_axis_section(axis, study, &at));) {
        CLOPT_OWNED(clopt_text) text = {0};
        clopt_text_printf(&text, "%s.%s=", section, axis->name);
        clopt_size_axis_append(&text, axis, marked);
        free(section);
        CLOPT_TRY(set(rounds, clopt_text_string(&text), error));
    }
    return CLOPT_OK;
}

/* Sets the values that are tuned: of one size (which may be NULL) those that are fresh. */
static enum clopt_status set_sizes(struct rounds *rounds, const struct clopt_size_axis *fresh,
                                   struct clopt_error *error)
{
    rounds->command->override_count = rounds->own;
    for (size_t i = 0; i < rounds->axes.count; i++) {
        const struct clopt_size_axis *axis = &rounds->axes.items[i];
        CLOPT_TRY(set_axis(rounds, rounds->study, axis, axis == fresh ? axis->fresh : axis->chosen,
                           error));
    }
    return CLOPT_OK;
}

/* Gives a run so much of what is left. */
static enum clopt_status set_time(struct rounds *rounds, double share, struct clopt_error *error)
{
    CLOPT_FREED char *text = clopt_text_format("search.time=%.1fs", share * find_left(rounds));
    return is_timed(rounds) ? set(rounds, text, error) : CLOPT_OK;
}

/* Counts the combinations of values that are tuned, of one size (which may be NULL) the fresh ones.
 */
static size_t count_sizes(const struct rounds *rounds, const struct clopt_size_axis *fresh)
{
    size_t count = 1;
    for (size_t i = 0; i < rounds->axes.count; i++) {
        const struct clopt_size_axis *axis = &rounds->axes.items[i];
        count *= clopt_size_axis_count(axis, axis == fresh ? axis->fresh : axis->chosen);
    }
    return count;
}

/* ---- what is said ---- */

/* Says what comes next, and at which sizes. */
static void tell(const struct rounds *rounds, const struct clopt_size_axis *fresh, double share,
                 const char *what)
{
    CLOPT_OWNED(clopt_text) text = {0};
    for (size_t i = 0; i < rounds->axes.count; i++) {
        const struct clopt_size_axis *axis = &rounds->axes.items[i];
        clopt_text_printf(&text, "%s%s = ", i ? "; " : "", axis->name);
        clopt_size_axis_append(&text, axis, axis == fresh ? axis->fresh : axis->chosen);
    }
    if (is_timed(rounds))
        clopt_text_printf(&text, ", for %.0f s", share * find_left(rounds));
    clopt_text_print(stderr, "clopt: %s at %s\n", what, clopt_text_string(&text));
}

/* ---- runs ---- */

/* Reads what the last run has measured. */
static enum clopt_status read_results(const struct rounds *rounds, struct clopt_results **results,
                                      struct clopt_error *error)
{
    return clopt_results_read(rounds->command->store_path, results, error);
}

static int run_part(struct rounds *rounds, bool last)
{
    struct clopt_study_command *command = rounds->command;
    free(command->store_path);
    command->store_path = NULL;
    command->part = !last;
    command->starts = rounds->winners.items;
    command->start_count = rounds->winners.count;
    return clopt_study_command_run(command);
}

/* Searches, and adds who won. */
static int search(struct rounds *rounds, const struct clopt_size_axis *fresh, double share,
                  const char *what, bool last)
{
    struct clopt_error error = {0};
    CLOPT_HELD(clopt_results) results = NULL;
    if (set_sizes(rounds, fresh, &error) || set_time(rounds, share, &error))
        return clopt_report_error(&error);
    tell(rounds, fresh, share, what);
    int code = run_part(rounds, last);
    if (code)
        return code;
    if (read_results(rounds, &results, &error))
        return clopt_report_error(&error);
    clopt_size_winners_add(&rounds->winners, results);
    return CLOPT_EXIT_DONE;
}

/* Measures what won at one size at all of them; then those win who do so in this. */
static int compare(struct rounds *rounds, double share, bool last)
{
    struct clopt_error error = {0};
    CLOPT_HELD(clopt_results) results = NULL;
    size_t most = clopt_size_winners_most(&rounds->winners);
    CLOPT_FREED char *trials = clopt_text_format("search.trials=%zu", most);
    if (set_sizes(rounds, NULL, &error) || set_time(rounds, share, &error) ||
        set(rounds, "search.strategy=model", &error) || set(rounds, trials, &error))
        return clopt_report_error(&error);
    CLOPT_FREED char *what =
        clopt_text_format("sizes: comparing %zu winner%s", most, most == 1 ? "" : "s");
    tell(rounds, NULL, share, what);
    int code = run_part(rounds, last);
    if (code || last)
        return code;
    if (read_results(rounds, &results, &error))
        return clopt_report_error(&error);
    clopt_size_winners_fini(&rounds->winners);
    clopt_size_winners_add(&rounds->winners, results);
    return CLOPT_EXIT_DONE;
}

/* Returns how many values one more search may have, each beside all of the other sizes. */
static size_t find_most(const struct rounds *rounds)
{
    double most = SEARCH * find_left(rounds) / (LEAST * rounds->first_s);
    return is_timed(rounds) ? (size_t)most : SIZE_MAX;
}

/* Chooses what is searched next; NULL: nothing. */
static enum clopt_status choose_next(struct rounds *rounds, struct clopt_size_axis **axis,
                                     struct clopt_error *error)
{
    CLOPT_HELD(clopt_results) results = NULL;
    double precision = rounds->study->measure.precision;
    CLOPT_TRY(read_results(rounds, &results, error));
    *axis = clopt_size_axes_divide(&rounds->axes, results, precision, find_most(rounds));
    if (*axis && is_timed(rounds) && count_sizes(rounds, *axis) > find_most(rounds))
        *axis = NULL; /* one value of it is many problems */
    return CLOPT_OK;
}

/* Goes on between sizes whose winners differ. */
static int divide(struct rounds *rounds)
{
    int code = CLOPT_EXIT_DONE;
    for (struct clopt_size_axis *axis; !code;) {
        struct clopt_error error = {0};
        if (choose_next(rounds, &axis, &error))
            return clopt_report_error(&error);
        if (!axis)
            break;
        code = search(rounds, axis, SEARCH, "sizes: winners differ beside: searching", false);
        for (size_t i = 0; i < axis->count; i++)
            axis->chosen[i] |= axis->fresh[i];
        if (!code)
            code = compare(rounds, COMPARE, false);
    }
    return code;
}

/* Spends what is left of the time, and ends in a run that has all sizes. */
static int finish(struct rounds *rounds)
{
    static const char what[] = "sizes: searching with the time that is left";
    double worth_s = rounds->winners.count ? REMAINDER * rounds->study->measure.time_s : 0;
    if (is_timed(rounds) && find_left(rounds) > worth_s) {
        int code = search(rounds, NULL, AGAIN, what, false);
        if (code)
            return code;
    }
    return rounds->winners.count ? compare(rounds, 1, true) : search(rounds, NULL, 1, what, true);
}

static int run(struct rounds *rounds)
{
    rounds->first_s = SEARCH * find_left(rounds) / (double)count_sizes(rounds, NULL);
    int code = search(rounds, NULL, SEARCH, "sizes: searching", false);
    if (!code && rounds->winners.count)
        code = compare(rounds, COMPARE, false);
    if (!code && rounds->winners.count)
        code = divide(rounds);
    return code ? code : finish(rounds);
}

/* ---- the command ---- */

/* Reads the study as it is, then with all sizes: it refuses values that are none. */
static enum clopt_status read_study(struct rounds *rounds, struct clopt_error *error)
{
    const struct clopt_study_command *command = rounds->command;
    const struct clopt_registry *registry = command->global.registry;
    CLOPT_HELD(clopt_study) study = NULL;
    CLOPT_TRY(clopt_study_read(command->study_path, registry, command->overrides,
                               command->override_count, &study, error));
    CLOPT_TRY(clopt_size_axes_check(&rounds->axes, study, error));
    for (size_t i = 0; i < rounds->axes.count; i++)
        CLOPT_TRY(set_axis(rounds, study, &rounds->axes.items[i], NULL, error));
    return clopt_study_read(command->study_path, registry, command->overrides,
                            command->override_count, &rounds->study, error);
}

/* Begins with what a store has tuned already, which a search that was interrupted goes on with. */
static void resume(struct rounds *rounds)
{
    CLOPT_FREED char *path = clopt_study_command_store(rounds->command);
    CLOPT_HELD(clopt_results) results = NULL;
    struct clopt_error none = {0};
    if (access(path, R_OK) == 0 && clopt_results_read(path, &results, &none) == CLOPT_OK)
        clopt_size_axes_take(&rounds->axes, results);
}

/* Says what a search begins with, and lets the study say the rest. */
static int preview(struct rounds *rounds)
{
    struct clopt_error error = {0};
    if (rounds->command->print_config)
        return clopt_study_command_run(rounds->command); /* with all sizes */
    if (set_sizes(rounds, NULL, &error))
        return clopt_report_error(&error);
    for (size_t i = 0; i < rounds->axes.count; i++) {
        const struct clopt_size_axis *axis = &rounds->axes.items[i];
        CLOPT_OWNED(clopt_text) text = {0};
        clopt_size_axis_append(&text, axis, axis->chosen);
        clopt_text_print(stderr,
                         "clopt: sizes: %s = %s first; then, of %zu values, those between two "
                         "whose winners differ\n",
                         axis->name, clopt_text_string(&text), axis->count);
    }
    return clopt_study_command_run(rounds->command);
}

int clopt_tune_sizes(struct clopt_study_command *command, const char *sizes)
{
    struct clopt_error error = {0};
    CLOPT_OWNED(rounds)
    rounds = {.command = command, .own = command->override_count, .began_ns = clopt_now_ns()};
    if (clopt_size_axes_read(sizes, &rounds.axes, &error) || read_study(&rounds, &error))
        return clopt_report_error(&error);
    clopt_size_axes_begin(&rounds.axes);
    resume(&rounds);
    return command->dry_run || command->print_config ? preview(&rounds) : run(&rounds);
}
