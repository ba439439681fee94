/* SPDX-License-Identifier: BSD-3-Clause */
/* Says in words what the tables of a report come to. */
#include "report/view.h"

#include <math.h>
#include <time.h>

#include "number/number.h"

#define MOST_TIED       3
#define DIGITS          3 /* of speed-ups and rates, as in the tables */
#define LEAST_QUARTERED 8 /* samples: of fewer, the middle half tells nothing */

const char *clopt_summary_warning(const struct clopt_results *results)
{
    if (!results->status && results->written)
        return "This run still goes on: here is what it has measured so far.";
    if (!results->status)
        return "This run was killed: here is what it measured until then.";
    if (strcmp(results->status, "interrupted") == 0)
        return "This run was interrupted: here is what it measured until then.";
    if (strcmp(results->status, "ok") != 0)
        return "This run ended early: here is what it measured until then.";
    return NULL;
}

static double stage_seconds(const struct clopt_results *results, const char *name)
{
    for (size_t i = 0; i < results->stage_count; i++)
        if (strcmp(results->stages[i].name, name) == 0)
            return results->stages[i].seconds;
    return NAN;
}

/* Appends a point in time, in UTC, with its day if `day`. */
static void append_time(struct clopt_text *text, double seconds, bool day)
{
    time_t whole = (time_t)seconds;
    struct tm parts;
    char written[64] = "";
    if (gmtime_r(&whole, &parts))
        strftime(written, sizeof written, day ? "%Y-%m-%d %H:%M" : "%H:%M", &parts);
    clopt_text_append(text, written);
}

#define LEAST_PREEMPTED_S 0.1 /* that is said */

double clopt_summary_load(const struct clopt_results *results)
{
    double machine = stage_seconds(results, "machine");
    return machine > 0 ? stage_seconds(results, "others") / machine : NAN;
}

void clopt_summary_run(struct clopt_text *text, const struct clopt_results *results)
{
    double load = clopt_summary_load(results);
    double minutes = (results->ended_s - results->started_s) / 60;
    clopt_text_append(text, "Measured ");
    append_time(text, results->started_s, true);
    if (minutes >= 1) {
        clopt_text_append(text, " to ");
        append_time(text, results->ended_s,
                    floor(results->started_s / 86400) != floor(results->ended_s / 86400));
    }
    clopt_text_printf(text, " UTC by clopt %s, seed %" PRIu64 " (run %" PRId64 " of the store)",
                      results->version, results->seed, results->run);
    if (results->samples)
        clopt_text_printf(text, ": %" PRId64 " sample%s from %" PRId64 " worker process%s",
                          results->samples, results->samples == 1 ? "" : "s", results->processes,
                          results->processes == 1 ? "" : "es");
    clopt_text_append(text, ".");
    if (results->objective != CLOPT_OBJECTIVE_TIME)
        clopt_text_printf(text,
                          " Objective: %s. Energy is what the device took while launches were "
                          "repeated, idle power included; of a processor its packages, with other "
                          "programs and without memory. Kernels of a run share it by their times.",
                          clopt_objective_words(results->objective)->name);
    if (!isnan(load))
        clopt_text_printf(text, " Other programs used %.1f%% of the machine's processors.",
                          100 * load);
    if (results->disturbed)
        clopt_text_printf(text,
                          " They disturbed %" PRId64 " worker process%s, with over 10%%: intervals "
                          "are wider for that.",
                          results->disturbed, results->disturbed == 1 ? "" : "es");
    double preempted_s = stage_seconds(results, "preempted");
    if (preempted_s >= LEAST_PREEMPTED_S)
        clopt_text_printf(
            text,
            " Threads of kernels waited %.1f s for processors that others used, though "
            "samples with more than 10%% of that were taken again.",
            preempted_s);
}

void clopt_summary_device(struct clopt_text *text, const struct clopt_results_device *device)
{
    clopt_text_printf(text, "%s, %s, driver %s", device->name, device->platform,
                      device->driver_version);
    if (!clopt_peaks_any(&device->peaks))
        return;
    clopt_text_append(text, "; measured peaks: ");
    clopt_peaks_say(text, &device->peaks);
}

/* ---- the best ---- */

const struct clopt_view_row *clopt_summary_best(const struct clopt_view *view, size_t device)
{
    const struct clopt_view_row *best = NULL;
    for (size_t i = 0; i < view->row_count; i++)
        if (view->rows[i].row->cells[device].times[view->scope].best)
            best = &view->rows[i];
    return best;
}

/* Whether samples tell how a row compares with the initial code. */
static bool is_decided(const struct clopt_view_row *row, const struct clopt_view *view,
                       size_t device)
{
    enum clopt_verdict_kind verdict = row->row->cells[device].times[view->scope].verdict;
    return verdict != CLOPT_VERDICT_TOO_FEW && verdict != CLOPT_VERDICT_TOO_NOISY;
}

void clopt_summary_gain(struct clopt_text *text, const struct clopt_view *view,
                        const struct clopt_view_row *best, size_t device)
{
    const struct clopt_result_time *time = &best->row->cells[device].times[view->scope];
    for (size_t i = 0; i < view->row_count && best->initial; i++)
        if (!is_decided(&view->rows[i], view, device)) {
            clopt_text_append(text, ", as far as is decided");
            return;
        }
    if (isnan(time->speedup.median))
        return;
    clopt_text_append(text, ", ");
    clopt_verdict_append(text, &time->speedup, time->noise,
                         clopt_objective_words(view->results->objective));
}

/* Appends a rate, and what share of the peak it is, if that is known. */
static void append_rate(struct clopt_text *text, double rate, const char *unit, double of_peak,
                        const char *after)
{
    if (isnan(rate))
        return;
    clopt_number_append(text, rate, DIGITS);
    clopt_text_printf(text, " %s", unit);
    if (isnan(of_peak))
        return;
    clopt_text_append(text, " (");
    clopt_number_append(text, 100 * of_peak, 2);
    clopt_text_printf(text, "%%%s)", after);
}

static void append_rates(struct clopt_text *text, const struct clopt_results_table *table,
                         const struct clopt_rates *rates, const char *after)
{
    append_rate(text, rates->goperations_per_s, clopt_arithmetic_unit(table->work.arithmetic),
                rates->operations_of_peak, after);
    if (!isnan(rates->goperations_per_s) && !isnan(rates->gbytes_per_s))
        clopt_text_append(text, ", ");
    append_rate(text, rates->gbytes_per_s, "GB/s", rates->bytes_of_peak,
                isnan(rates->operations_of_peak) ? after : "");
}

void clopt_summary_rates(struct clopt_text *text, const struct clopt_view *view,
                         const struct clopt_view_row *best, size_t device)
{
    static const char *const bounds[] = {"", ", bound by arithmetic", ", bound by memory",
                                         ", served by caches", ", bound by neither"};
    const struct clopt_results_table *table = best->row->table;
    if (view->scope != CLOPT_SCOPE_KERNEL ||
        (table->work.operations <= 0 && table->work.bytes <= 0))
        return;
    struct clopt_rates rates = clopt_results_rates(view->results, &best->row->cells[device]);
    append_rates(text, table, &rates, " of peak");
    clopt_text_append(text, bounds[rates.bound]);
    if (best->initial || table->initial == CLOPT_NO_ROW ||
        !table->rows[table->initial].cells[device].ranked)
        return;
    clopt_text_append(text, "; initial code ");
    rates = clopt_results_rates(view->results, &table->rows[table->initial].cells[device]);
    append_rates(text, table, &rates, "");
}

/* Appends "16.7 to 17.3". */
static void append_range(struct clopt_text *text, double low_ns, double high_ns,
                         const struct clopt_unit *unit)
{
    clopt_number_append(text, low_ns / unit->nanounits, DIGITS);
    clopt_text_append(text, " to ");
    clopt_number_append(text, high_ns / unit->nanounits, DIGITS);
}

void clopt_summary_samples(struct clopt_text *text, const struct clopt_view *view,
                           const struct clopt_view_row *best, size_t device)
{
    const struct clopt_result_time *time = &best->row->cells[device].times[view->scope];
    const struct clopt_quartiles *quartiles = &time->quartiles;
    struct clopt_unit unit = clopt_unit_choose(view->results->objective, quartiles->least);
    if (isnan(quartiles->least))
        return;
    clopt_text_printf(text, "%zu sample%s from %zu process%s: ", time->interval.samples,
                      time->interval.samples == 1 ? "" : "s", time->interval.processes,
                      time->interval.processes == 1 ? "" : "es");
    append_range(text, quartiles->least, quartiles->most, &unit);
    clopt_text_printf(text, " %s", unit.name);
    if (time->interval.samples < LEAST_QUARTERED)
        return;
    clopt_text_append(text, ", half of them ");
    append_range(text, quartiles->first_quarter, quartiles->third_quarter, &unit);
}

void clopt_summary_certainty(struct clopt_text *text, const struct clopt_view *view,
                             const struct clopt_view_row *best, size_t device)
{
    const struct clopt_regret *regret = &best->row->cells[device].times[view->scope].regret;
    const char *ending = view->noise[device].named.ending;
    if (!isnan(regret->high))
        clopt_regret_append(text, regret);
    if (ending)
        clopt_text_printf(text, "%sit ended as %s", text->length ? "; " : "", ending);
}

void clopt_summary_permuting(struct clopt_text *text, const struct clopt_view *view,
                             const struct clopt_view_row *row, size_t device)
{
    const struct clopt_results_table *table = row->row->table;
    const struct clopt_result *cell = &row->row->cells[device];
    double own_ns = cell->times[view->scope].interval.median, initial_ns = NAN;
    double spent_ns = json_number_value(
        json_array_get(json_object_get(cell->counters, CLOPT_COUNTER_PERMUTING), 0));
    if (view->scope != CLOPT_SCOPE_KERNEL || !(spent_ns > 0) || !(own_ns > 0))
        return;
    struct clopt_unit unit = clopt_unit_choose(CLOPT_OBJECTIVE_TIME, spent_ns);
    if (table->initial != CLOPT_NO_ROW && view->results->objective == CLOPT_OBJECTIVE_TIME)
        initial_ns = table->rows[table->initial].cells[device].times[view->scope].interval.median;
    clopt_text_printf(text, "Permuting buffers for %s on %s: ", row->label,
                      view->results->devices[device].label);
    clopt_number_append(text, spent_ns / unit.nanounits, DIGITS);
    clopt_text_printf(text, " %s a run, apart from its time", unit.name);
    if (initial_ns - own_ns > 0)
        clopt_text_printf(text, "; it pays after %.0f run%s with the same data",
                          ceil(spent_ns / (initial_ns - own_ns)),
                          spent_ns <= initial_ns - own_ns ? "" : "s");
}

void clopt_summary_tied(struct clopt_text *text, const struct clopt_view *view, size_t device)
{
    size_t count = 0;
    const struct clopt_view_row *best = clopt_summary_best(view, device);
    if (best && !best->initial && !is_decided(best, view, device))
        return; /* nor can it be told apart from most others */
    for (size_t i = 0; i < view->row_count; i++) {
        const struct clopt_result *cell = &view->rows[i].row->cells[device];
        if (!cell->times[view->scope].tied || cell->alias != CLOPT_NO_ROW)
            continue;
        if (count++ < MOST_TIED)
            clopt_text_printf(text, "%s%s", count > 1 ? ", " : "cannot be told apart from it: ",
                              view->rows[i].label);
    }
    if (count > MOST_TIED)
        clopt_text_printf(text, " and %zu more", count - MOST_TIED);
}

void clopt_summary_rival(struct clopt_text *text, const struct clopt_view *view,
                         const struct clopt_view_row *rival, size_t device)
{
    const struct clopt_result *cell = &rival->row->cells[device];
    const struct clopt_interval *share = &cell->times[view->scope].efficiency;
    if (!rival->rival || !clopt_result_shown(cell, view->scope))
        return;
    clopt_text_printf(text, "%s on %s", rival->label, view->results->devices[device].label);
    text->data[0] = 'R';
    clopt_summary_gain(text, view, rival, device);
    if (isnan(share->median))
        return;
    int decimals = clopt_number_decimals(1 / share->median, DIGITS);
    clopt_text_printf(text, "; the best variant is %.*f times %s as it [%.*f, %.*f]", decimals,
                      1 / share->median, clopt_objective_words(view->results->objective)->as_good,
                      decimals, 1 / share->high, decimals, 1 / share->low);
}

/* ---- the initial code ---- */

void clopt_summary_initial(struct clopt_text *text, const struct clopt_view *view)
{
    const struct clopt_results_table *table = view->table;
    const char *description =
        table->initial == CLOPT_NO_ROW ? NULL : table->rows[table->initial].description;
    json_auto_t *trial = description ? json_loads(description, 0, NULL) : NULL;
    const char *before = "Initial code: ";
    size_t index;
    const json_t *macro;
    json_array_foreach(json_object_get(trial, "parameters"), index, macro)
    {
        const char *name = json_string_value(json_object_get(macro, "name"));
        const char *initial = json_string_value(json_object_get(macro, "initial"));
        if (name && initial)
            clopt_text_printf(text, "%s%s=%s", before, name, initial);
        before = ", ";
    }
}

/* ---- how far figures can be trusted ---- */

void clopt_summary_noise(struct clopt_text *text, const struct clopt_view *view)
{
    const char *before = "Noise floor (A/A): ";
    for (size_t d = 0; d < view->results->device_count; d++) {
        if (isnan(view->noise[d].noise))
            continue;
        clopt_text_append(text, before);
        clopt_verdict_append_noise(text, view->noise[d].noise);
        clopt_text_printf(text, " on %s", view->results->devices[d].label);
        before = ", ";
    }
}

void clopt_summary_drift(struct clopt_text *text, const struct clopt_view *view, size_t device)
{
    const struct clopt_results_noise *noise = &view->noise[device];
    const struct clopt_objective_words *words = clopt_objective_words(view->results->objective);
    if (isnan(noise->drift) || fabs(noise->drift) <= (isnan(noise->noise) ? 0 : noise->noise))
        return;
    clopt_text_printf(text,
                      "Warning: on %s the initial code became %.1f%% %s while this was measured",
                      view->results->devices[device].label, 100 * fabs(noise->drift),
                      noise->drift > 0 ? words->worse : words->better);
}

void clopt_summary_suspicion(struct clopt_text *text, const struct clopt_view *view, size_t device)
{
    size_t wrong = 0;
    for (size_t i = 0; i < view->row_count; i++) {
        const struct clopt_result *cell = &view->rows[i].row->cells[device];
        if (view->rows[i].initial || view->rows[i].rival || !cell->present)
            continue;
        if (cell->trial.verified)
            return;
        bool judged = !cell->trial.stage || strcmp(cell->trial.stage, "setup") != 0;
        wrong += judged && cell->outcome == CLOPT_OUTCOME_WRONG_RESULT;
    }
    if (wrong > 1)
        clopt_text_printf(text,
                          "Warning: on %s every variant is wrong: is it the initial code that its "
                          "compiler gets wrong, and what the variants are compared with?",
                          view->results->devices[device].label);
}

/* ---- where the time went ---- */

/* Whether a stage is the run's own, not its workers'. */
static bool is_own(const char *stage)
{
    static const char *const own[] = {"wall",       "waiting", "preempted",
                                      "supervisor", "machine", "others"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(stage, own[i]) == 0)
            return true;
    return false;
}

bool clopt_summary_is_worker_stage(const struct clopt_results_stage *stage)
{
    return stage->seconds > 0 && !is_own(stage->name);
}

double clopt_summary_worker_seconds(const struct clopt_results *results)
{
    double total = 0;
    for (size_t i = 0; i < results->stage_count; i++)
        total += is_own(results->stages[i].name) ? 0 : results->stages[i].seconds;
    return total;
}

void clopt_summary_wall(struct clopt_text *text, const struct clopt_results *results)
{
    double wall = stage_seconds(results, "wall");
    double waiting = stage_seconds(results, "waiting");
    if (isnan(wall))
        return;
    clopt_text_printf(text, "Wall time %.2f s", wall);
    if (!isnan(waiting))
        clopt_text_printf(text, "; no worker had anything to do in %.2f s of it, %.1f%%", waiting,
                          100 * waiting / wall);
}

void clopt_summary_own(struct clopt_text *text, const struct clopt_results *results)
{
    double wall = stage_seconds(results, "wall");
    double supervisor = stage_seconds(results, "supervisor");
    if (!isnan(wall) && !isnan(supervisor))
        clopt_text_printf(text, "Processor time of clopt itself, without workers: %.2f s, %.1f%%",
                          supervisor, 100 * supervisor / wall);
}
