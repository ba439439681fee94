/* SPDX-License-Identifier: BSD-3-Clause */
/* Says in words what the tables of a report come to. */
#include "view/view.h"

#include <math.h>

#define MOST_TIED       3
#define DIGITS          3 /* of speed-ups and rates, as in the tables */
#define LEAST_QUARTERED 8 /* samples: of fewer, the middle half tells nothing */
#define MOST_PERMUTING  6 /* variants of a device of which it is said what permuting takes */

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
    clopt_verdict_append(text, &time->speedup, time->noise, time->by_clock,
                         clopt_objective_words(view->results->objective));
}

double clopt_summary_share(const struct clopt_view *view, const struct clopt_view_row *row,
                           size_t device)
{
    struct clopt_rates rates = clopt_results_rates(view->results, &row->row->cells[device]);
    return view->scope == CLOPT_SCOPE_KERNEL ? fmax(rates.operations_of_peak, rates.bytes_of_peak)
                                             : NAN; /* a NaN of two counts not */
}

/* Appends a rate, and what share of the peak it is, if that is known. */
static void append_rate(struct clopt_text *text, double rate, const char *unit, double of_peak,
                        const char *after)
{
    if (isnan(rate))
        return;
    clopt_text_printf(text, "%s %s", clopt_number_text(rate, DIGITS).text, unit);
    if (!isnan(of_peak))
        clopt_text_printf(text, " (%s%%%s)", clopt_number_text(100 * of_peak, 2).text, after);
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

/* Says what the best does of its work in a second, beside the device's peaks, what bounds it, and
 * what the initial code does; nothing where the app does not tell its work. */
static void append_work(struct clopt_text *text, const struct clopt_view *view,
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
    const struct clopt_result *initial = clopt_table_initial(table, device);
    if (best->initial || !initial || !initial->ranked)
        return;
    clopt_text_append(text, "; initial code ");
    rates = clopt_results_rates(view->results, initial);
    append_rates(text, table, &rates, "");
}

/* Says how the samples of the best lie. */
static void append_samples(struct clopt_text *text, const struct clopt_view *view,
                           const struct clopt_result_time *time)
{
    const struct clopt_quartiles *quartiles = &time->quartiles;
    struct clopt_unit unit = clopt_unit_choose(view->results->objective, quartiles->least);
    if (isnan(quartiles->least))
        return;
    clopt_text_printf(text, "%zu sample%s from %zu process%s: %s to %s %s", time->interval.samples,
                      time->interval.samples == 1 ? "" : "s", time->interval.processes,
                      time->interval.processes == 1 ? "" : "es",
                      clopt_number_text(quartiles->least / unit.nanounits, DIGITS).text,
                      clopt_number_text(quartiles->most / unit.nanounits, DIGITS).text, unit.name);
    if (time->interval.samples >= LEAST_QUARTERED)
        clopt_text_printf(
            text, ", half of them %s to %s",
            clopt_number_text(quartiles->first_quarter / unit.nanounits, DIGITS).text,
            clopt_number_text(quartiles->third_quarter / unit.nanounits, DIGITS).text);
}

/* Counts the variants that have no time so far: nothing is known of how they compare. */
static size_t count_waiting(const struct clopt_view *view, size_t device)
{
    size_t count = 0;
    for (size_t i = 0; i < view->row_count; i++)
        count += clopt_view_waits(&view->rows[i], view->scope, device);
    return count;
}

/* Says on how few processes speed-ups rest where a search has spared the initial code. */
static void append_spared(struct clopt_text *text, const struct clopt_view *view, size_t device)
{
    const struct clopt_result *reference = view->noise[device].reference;
    const struct clopt_result *initial =
        reference ? clopt_table_initial(reference->row->table, device) : NULL;
    if (initial == reference)
        return;
    size_t all = reference->medians[CLOPT_SCOPE_RUN].count;
    size_t some = initial->medians[CLOPT_SCOPE_RUN].count;
    clopt_text_printf(text,
                      "%s%zu of %zu processes measured the initial code: speed-ups rest on %s",
                      text->length ? "; " : "", some, all, some == 1 ? "that" : "these");
}

void clopt_summary_certainty(struct clopt_text *text, const struct clopt_view *view,
                             const struct clopt_view_row *best, size_t device)
{
    const struct clopt_result_time *time = &best->row->cells[device].times[view->scope];
    const char *ending = view->noise[device].named.ending;
    const size_t waiting = count_waiting(view, device);
    if (!isnan(time->regret.high) &&
        clopt_verdict_allows_regret(&time->speedup, view->noise[device].noise))
        clopt_verdict_append_regret(text, &time->regret);
    if (text->length && waiting)
        clopt_text_printf(text, ", of those that have a time: %zu %s none yet", waiting,
                          waiting == 1 ? "has" : "have");
    if (ending)
        clopt_text_printf(text, "%sit ended as %s", text->length ? "; " : "", ending);
    append_spared(text, view, device);
}

/* Says what cannot be told apart from the best; of many only the first ones in the table. */
static void append_tied(struct clopt_text *text, const struct clopt_view *view,
                        const struct clopt_view_row *best, size_t device)
{
    size_t count = 0;
    if (!best->initial && !is_decided(best, view, device))
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

/* Says how a rival compares with the initial code and with the best variant. */
static void append_rival(struct clopt_text *text, const struct clopt_view *view,
                         const struct clopt_view_row *rival, size_t device)
{
    const struct clopt_result *cell = &rival->row->cells[device];
    const struct clopt_interval *share = &cell->times[view->scope].efficiency;
    if (!rival->rival || !clopt_result_shown(cell, view->scope))
        return;
    clopt_text_printf(text, "R%s on %s", rival->label + (*rival->label != '\0'),
                      view->results->devices[device].label);
    clopt_summary_gain(text, view, rival, device);
    if (isnan(share->median))
        return;
    int decimals = clopt_number_decimals(1 / share->median, DIGITS);
    clopt_text_printf(text, "; the best variant is %.*f times %s as it [%.*f, %.*f]", decimals,
                      1 / share->median, clopt_objective_words(view->results->objective)->as_good,
                      decimals, 1 / share->high, decimals, 1 / share->low);
}

void clopt_say_best(const struct clopt_view *view, size_t device, struct clopt_document *document)
{
    const char *label = view->results->devices[device].label;
    const struct clopt_view_row *best = clopt_summary_best(view, device);
    struct clopt_text text = {0};
    if (!best) {
        clopt_document_printf(document, CLOPT_SENTENCE_ITEM, "Best on %s: nothing was measured",
                              label);
        return;
    }
    clopt_text_printf(&text, "Best on %s: " CLOPT_STRONG "%s" CLOPT_WEAK, label, best->label);
    clopt_summary_gain(&text, view, best, device);
    clopt_document_say(document, CLOPT_SENTENCE_ITEM, &text);
    append_work(&text, view, best, device);
    clopt_document_say(document, CLOPT_SENTENCE_DETAIL, &text);
    append_samples(&text, view, &best->row->cells[device].times[view->scope]);
    clopt_document_say(document, CLOPT_SENTENCE_DETAIL, &text);
    clopt_summary_certainty(&text, view, best, device);
    clopt_document_say(document, CLOPT_SENTENCE_DETAIL, &text);
    append_tied(&text, view, best, device);
    clopt_document_say(document, CLOPT_SENTENCE_DETAIL, &text);
    for (size_t i = 0; i < view->row_count; i++) {
        append_rival(&text, view, &view->rows[i], device);
        clopt_document_say(document, CLOPT_SENTENCE_ITEM, &text);
    }
}

/* Says how long a run permutes buffers for a variant, beside its own time, if it does. */
static void append_permuting(struct clopt_text *text, const struct clopt_view *view,
                             const struct clopt_view_row *row, size_t device)
{
    const struct clopt_result *cell = &row->row->cells[device];
    const struct clopt_result *initial = view->results->objective == CLOPT_OBJECTIVE_TIME
                                             ? clopt_table_initial(row->row->table, device)
                                             : NULL;
    double own_ns = cell->times[CLOPT_SCOPE_KERNEL].interval.median;
    double spent_ns = json_number_value(
        json_array_get(json_object_get(cell->counters, CLOPT_COUNTER_PERMUTING), 0));
    if (view->scope != CLOPT_SCOPE_KERNEL || !(spent_ns > 0) || !(own_ns > 0))
        return;
    struct clopt_unit unit = clopt_unit_choose(CLOPT_OBJECTIVE_TIME, spent_ns);
    double won_ns = initial ? initial->times[CLOPT_SCOPE_KERNEL].interval.median - own_ns : 0;
    clopt_text_printf(text, "Permuting buffers for %s on %s: %s %s a run, apart from its time",
                      row->label, view->results->devices[device].label,
                      clopt_number_text(spent_ns / unit.nanounits, DIGITS).text, unit.name);
    if (won_ns > 0)
        clopt_text_printf(text, "; it pays after %.0f run%s with the same data",
                          ceil(spent_ns / won_ns), spent_ns <= won_ns ? "" : "s");
}

void clopt_say_permuting(struct clopt_document *document, const struct clopt_view *view)
{
    for (size_t d = 0; d < view->results->device_count; d++)
        for (size_t i = 0, said = 0; i < view->row_count && said < MOST_PERMUTING; i++) {
            struct clopt_text text = {0};
            append_permuting(&text, view, &view->rows[i], d);
            said += text.length > 0;
            clopt_document_say(document, CLOPT_SENTENCE_ITEM, &text);
        }
}

/* ---- how far figures can be trusted ---- */

/* Says which values tuned macros have in the initial code. */
static void append_initial(struct clopt_text *text, const struct clopt_results_table *table)
{
    const char *description =
        table->initial == CLOPT_NO_ROW ? NULL : table->rows[table->initial].description;
    json_auto_t *trial = description ? json_loads(description, 0, NULL) : NULL;
    size_t index;
    const json_t *macro;
    json_array_foreach(json_object_get(trial, "parameters"), index, macro)
    {
        const char *name = json_string_value(json_object_get(macro, "name"));
        const char *initial = json_string_value(json_object_get(macro, "initial"));
        if (name && initial)
            clopt_text_printf(text, "%s%s=%s", text->length ? ", " : "Initial code: ", name,
                              initial);
    }
}

/* Says the noise floor of the devices for which it is known. */
static void append_noise(struct clopt_text *text, const struct clopt_view *view)
{
    for (size_t d = 0; d < view->results->device_count; d++) {
        if (isnan(view->noise[d].noise))
            continue;
        clopt_text_append(text, text->length ? ", " : "Noise floor (A/A): ");
        clopt_verdict_append_noise(text, view->noise[d].noise);
        clopt_text_printf(text, " on %s", view->results->devices[d].label);
    }
}

/* Warns where the initial code drifted by more than the noise. */
static void warn_of_drift(struct clopt_document *document, const struct clopt_view *view,
                          size_t device)
{
    const struct clopt_results_noise *noise = &view->noise[device];
    const struct clopt_objective_words *words = clopt_objective_words(view->results->objective);
    if (!isnan(noise->drift) && fabs(noise->drift) > (isnan(noise->noise) ? 0 : noise->noise))
        clopt_document_printf(
            document, CLOPT_SENTENCE_WARNING,
            "Warning: on %s the initial code became %.1f%% %s while this was measured",
            view->results->devices[device].label, 100 * fabs(noise->drift),
            noise->drift > 0 ? words->worse : words->better);
}

/* Warns where no variant but the initial code was right, and two or more were wrong: then the
 * driver may have got the initial code wrong, if that is what the others are compared with. */
static void warn_of_suspicion(struct clopt_document *document, const struct clopt_view *view,
                              size_t device)
{
    size_t wrong = 0;
    for (size_t i = 0; i < view->row_count; i++) {
        const struct clopt_result *cell = &view->rows[i].row->cells[device];
        if (view->rows[i].initial || view->rows[i].rival || !cell->present)
            continue;
        if (cell->trial.verdict.right)
            return;
        bool judged = !cell->trial.stage || strcmp(cell->trial.stage, "setup") != 0;
        wrong += judged && cell->outcome == CLOPT_OUTCOME_WRONG_RESULT;
    }
    if (wrong > 1)
        clopt_document_printf(
            document, CLOPT_SENTENCE_WARNING,
            "Warning: on %s all %zu variants that were verified are wrong: is it the initial code "
            "that its compiler gets wrong, and what the variants are compared with?",
            view->results->devices[device].label, wrong);
}

void clopt_say_noise(struct clopt_document *document, const struct clopt_view *view)
{
    struct clopt_text text = {0};
    append_initial(&text, view->table);
    clopt_document_say(document, CLOPT_SENTENCE_ITEM, &text);
    append_noise(&text, view);
    clopt_document_say(document, CLOPT_SENTENCE_ITEM, &text);
    for (size_t d = 0; d < view->results->device_count; d++) {
        clopt_members_compare(&text, view, d);
        clopt_document_say(document, CLOPT_SENTENCE_ITEM, &text);
        warn_of_drift(document, view, d);
        warn_of_suspicion(document, view, d);
    }
}
