/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out what pays where, and says it. */
#include "view/view.h"

#include <math.h>

#define MOST_PAYERS 16 /* optimizations that are told apart */
#define MOST_NAMED  4  /* kernels without a gain that are named */
#define MOST_WORDS  12 /* reasons why variants have no time */

/* What an optimization alone does to the kernels of a device. */
struct payer {
    char name[64];
    size_t tried; /* for so many kernels and problems */
    size_t paid;  /* for so many of them */
    double most;  /* the largest speed-up that is a difference; 0: none */
    size_t view;  /* the last one in which it was tried */
    size_t paid_view;
};

/* So many variants have no time, for a reason in a word or two. */
struct missing {
    const char *word;
    size_t count;
};

/* What all kernels come to on one device. */
struct tally {
    const struct clopt_results *results;
    size_t device;
    size_t views;   /* so far */
    size_t waiting; /* variants that have no outcome yet */
    size_t timed;   /* variants that have a time */
    struct missing missing[MOST_WORDS];
    double initial;  /* the median of the last initial code that has one; else 0 */
    size_t kernels;  /* and problems, of which a variant has a speed-up */
    size_t faster;   /* of which one is faster */
    size_t combined; /* of which the fastest is made by several steps */
    double least;    /* speed-ups of the fastest */
    double most;
    struct clopt_interval gain;  /* of the last one that was counted, */
    double by_clock;             /* and what the clock says of it, where that is more; else 0 */
    struct clopt_rates rates;    /* and what the fastest does of the device's peaks */
    struct clopt_text fastest;   /* the kernel with the largest one, and its variant */
    struct clopt_text others;    /* kernels of which none is faster */
    struct clopt_text undecided; /* of the last of them, the best and what is known of it */
    size_t other_count;
    struct clopt_text together;  /* what the best of all kernels gain together */
    struct clopt_text certainty; /* of the last one that was counted */
    struct payer payers[MOST_PAYERS];
    size_t payer_count;
};

/* ---- variants ---- */

/* Counts the steps of a variant by its name, and tells which optimization the only one is of.
 * Macros are together a step called "parameters". */
static size_t count_steps(const char *variant, char *only, size_t size)
{
    size_t count = 0, last = SIZE_MAX;
    bool macros = false;
    for (struct clopt_name_value value = clopt_name_begin(variant); clopt_name_next(&value);) {
        bool step = value.optimization.length && value.number != last;
        if (step && !count++)
            snprintf(only, size, "%.*s", (int)value.optimization.length, value.optimization.text);
        last = value.number;
        macros |= !value.optimization.length;
    }
    if (!count)
        snprintf(only, size, "parameters");
    return count + macros;
}

static struct payer *find_payer(struct tally *tally, const char *name)
{
    size_t i = 0;
    while (i < tally->payer_count && strcmp(tally->payers[i].name, name) != 0)
        i++;
    if (i == MOST_PAYERS)
        return NULL;
    snprintf(tally->payers[i].name, sizeof tally->payers[i].name, "%s", name);
    tally->payer_count += i == tally->payer_count;
    return &tally->payers[i];
}

/* Counts a variant made by one optimization alone. */
static void count_alone(struct tally *tally, const char *name, const struct clopt_result_time *time)
{
    struct payer *payer = find_payer(tally, name);
    if (!payer)
        return;
    payer->tried += payer->view != tally->views;
    payer->view = tally->views;
    if (!time->different || time->speedup.median <= 1)
        return;
    payer->paid += payer->paid_view != tally->views;
    payer->paid_view = tally->views;
    payer->most = fmax(payer->most, time->speedup.median);
}

/* ---- kernels ---- */

/* Returns the first device before one that has the same best variant; NULL: there is none. */
static const char *same_best(const struct clopt_view *view, const struct clopt_view_row *best,
                             size_t device)
{
    for (size_t d = 0; d < device && !best->initial; d++)
        if (clopt_summary_best(view, d) == best)
            return view->results->devices[d].label;
    return NULL;
}

/* Appends the name of the best, once: of a later device that it is that of another one. */
static void append_best(struct clopt_text *text, const struct clopt_view *view,
                        const struct clopt_view_row *best, size_t device)
{
    const char *other = same_best(view, best, device);
    if (other)
        clopt_text_printf(text, "the best variant of %s", other);
    else
        clopt_text_printf(text, CLOPT_STRONG "%s" CLOPT_WEAK, best->label);
}

static void append_kernel(struct clopt_text *text, const struct clopt_view *view)
{
    clopt_text_append(text, view->name);
    if (view->results->problem_count > 1 && *view->problem->label)
        clopt_text_printf(text, " (%s)", view->problem->label);
}

static void count_best(struct tally *tally, const struct clopt_view *view)
{
    const struct clopt_view_row *best = clopt_summary_best(view, tally->device);
    const struct clopt_result_time *time = best ? clopt_view_time(view, best, tally->device) : NULL;
    char only[64];
    clopt_text_clear(&tally->certainty);
    clopt_text_clear(&tally->undecided);
    if (best)
        clopt_summary_certainty(&tally->certainty, view, best, tally->device);
    if (!time || best->initial || !time->different || time->speedup.median <= 1) {
        if (tally->other_count++ < MOST_NAMED) {
            clopt_text_append(&tally->others, tally->others.length ? ", " : "");
            append_kernel(&tally->others, view);
        }
        if (time &&
            (time->verdict == CLOPT_VERDICT_TOO_FEW || time->verdict == CLOPT_VERDICT_TOO_NOISY)) {
            clopt_text_printf(&tally->undecided,
                              "; the best so far is " CLOPT_STRONG "%s" CLOPT_WEAK, best->label);
            clopt_summary_gain(&tally->undecided, view, best, tally->device);
        }
        return;
    }
    double speedup = time->speedup.median;
    tally->rates = clopt_results_rates(view->results, &best->row->cells[tally->device]);
    tally->gain = time->speedup;
    tally->by_clock = time->by_clock;
    tally->least = tally->faster ? fmin(tally->least, speedup) : speedup;
    tally->combined += count_steps(best->row->name, only, sizeof only) > 1;
    tally->faster++;
    if (speedup <= tally->most)
        return;
    tally->most = speedup;
    clopt_text_clear(&tally->fastest);
    append_kernel(&tally->fastest, view);
    clopt_text_append(&tally->fastest, " with ");
    append_best(&tally->fastest, view, best, tally->device);
}

/* Counts a variant that has no time. */
static void count_missing(struct tally *tally, const struct clopt_result *result)
{
    const char *word = clopt_result_missing(result);
    size_t i = 0;
    while (i + 1 < MOST_WORDS && tally->missing[i].count &&
           strcmp(tally->missing[i].word, word) != 0)
        i++;
    tally->missing[i].word = word;
    tally->missing[i].count++;
}

static void count_view(struct tally *tally, const struct clopt_view *view)
{
    bool compared = false;
    tally->views++;
    for (size_t i = 0; i < view->row_count; i++) {
        const struct clopt_result *result = &view->rows[i].row->cells[tally->device];
        const struct clopt_result_time *time = &result->times[view->scope];
        char only[64];
        tally->waiting += clopt_view_waits(&view->rows[i], view->scope, tally->device);
        bool variant = !view->rows[i].rival && !view->rows[i].initial;
        tally->timed += variant && clopt_result_shown(result, view->scope);
        if (variant && result->present && !clopt_result_shown(result, view->scope))
            count_missing(tally, result);
        if (view->rows[i].initial && clopt_result_shown(result, view->scope))
            tally->initial = time->interval.median;
        if (view->rows[i].rival || !clopt_result_shown(result, view->scope) ||
            isnan(time->speedup.median))
            continue;
        compared = true;
        if (result->alias == CLOPT_NO_ROW &&
            count_steps(view->rows[i].row->name, only, sizeof only) == 1)
            count_alone(tally, only, time);
    }
    tally->kernels += compared;
    if (compared)
        count_best(tally, view);
}

/* Says what is gained in a whole run of the app, of which all kernels are a part. */
static void say_together(struct tally *tally, const struct clopt_view *view)
{
    const struct clopt_view_row *best = clopt_summary_best(view, tally->device);
    if (!best || best->initial || !best->row->cells[tally->device].times[CLOPT_SCOPE_RUN].different)
        return;
    clopt_text_append(&tally->together, " The ");
    append_kernel(&tally->together, view);
    clopt_text_append(&tally->together, ": ");
    append_best(&tally->together, view, best, tally->device);
    clopt_summary_gain(&tally->together, view, best, tally->device);
    clopt_text_append(&tally->together, ".");
}

/* ---- sentences ---- */

static void append_interval(struct clopt_text *text, const struct tally *tally)
{
    if (isnan(tally->gain.low))
        return;
    clopt_text_append_char(text, ' ');
    clopt_verdict_append_interval(text, &tally->gain);
    clopt_verdict_append_bound(text, tally->by_clock);
}

/* Of what it is said that none is faster: what was not measured counts for nothing. */
static const char *none_of(const struct tally *tally)
{
    return tally->waiting ? "no variant that has a time" : "no variant";
}

/* Says how much of what the device can do at most the fastest does, where that is known. */
static void say_share(struct clopt_text *text, const struct clopt_rates *rates)
{
    bool memory = isnan(rates->operations_of_peak) ||
                  rates->bytes_of_peak > rates->operations_of_peak; /* NaN is not */
    double share = memory ? rates->bytes_of_peak : rates->operations_of_peak;
    if (share > 0 && share <= 1)
        clopt_text_printf(text, " It does %s%% of the device's peak of %s.",
                          clopt_number_text(100 * share, 2).text, memory ? "memory" : "arithmetic");
}

/* Says what one kernel gains. */
static void say_kernel(struct clopt_text *text, const struct tally *tally,
                       const struct clopt_objective_words *words)
{
    if (tally->faster)
        clopt_text_printf(text, "%s is %s%s times %s as the initial code",
                          clopt_text_string(&tally->fastest),
                          tally->by_clock > 0 ? "at least " : "",
                          clopt_number_text(tally->most, 3).text, words->as_good);
    else
        clopt_text_printf(text, "%s is surely %s than the initial code%s", none_of(tally),
                          words->better, clopt_text_string(&tally->undecided));
    if (tally->faster)
        append_interval(text, tally);
    clopt_text_append(text, ".");
    if (tally->faster)
        say_share(text, &tally->rates);
    if (tally->certainty.length)
        clopt_text_printf(text, " Certainty: %s.", clopt_text_string(&tally->certainty));
}

/* Says how many of several kernels have a faster variant, and how much faster. */
static void say_kernels(struct clopt_text *text, const struct tally *tally,
                        const struct clopt_objective_words *words)
{
    const char *what = tally->results->problem_count > 1 ? "kernels and sizes" : "kernels";
    const struct clopt_number_text most = clopt_number_text(tally->most, 3);
    if (!tally->faster) {
        clopt_text_printf(text, "%s is surely %s than the initial code of any of %zu %s.",
                          none_of(tally), words->better, tally->kernels, what);
        return;
    }
    clopt_text_printf(
        text, "%zu of %zu %s %s a variant that is %s than the initial code: ", tally->faster,
        tally->kernels, what, tally->faster > 1 ? "have" : "has", words->better);
    if (tally->faster > 1)
        clopt_text_printf(text, "%s to %s times %s, most of all %s.",
                          clopt_number_text(tally->least, 3).text, most.text, words->as_good,
                          clopt_text_string(&tally->fastest));
    else {
        clopt_text_printf(text, "%s, %s%s times %s", clopt_text_string(&tally->fastest),
                          tally->by_clock > 0 ? "at least " : "", most.text, words->as_good);
        append_interval(text, tally);
        clopt_text_append(text, ".");
    }
    if (tally->other_count)
        clopt_text_printf(text, " Nothing is surely %s for %s", words->better,
                          clopt_text_string(&tally->others));
    if (tally->other_count > MOST_NAMED)
        clopt_text_printf(text, " and %zu more", tally->other_count - MOST_NAMED);
    clopt_text_append(text, tally->other_count ? "." : "");
}

/* Says what happened where no variant has a time. */
static void say_nothing(struct clopt_text *text, const struct tally *tally)
{
    struct clopt_unit unit = clopt_unit_choose(tally->results->objective, tally->initial);
    clopt_text_append(text, "no variant has a time.");
    for (size_t i = 0; i < MOST_WORDS && tally->missing[i].count; i++)
        clopt_text_printf(text, "%s %zu %s", i ? "," : " Of the variants:", tally->missing[i].count,
                          tally->missing[i].word);
    clopt_text_append(text, tally->missing->count ? "." : "");
    if (tally->views == 1 && tally->initial > 0)
        clopt_text_printf(text, " The initial code: %s %s.",
                          clopt_number_text(tally->initial / unit.nanounits, 3).text, unit.name);
}

/* Says what is gained on a device. */
static void say_gains(struct clopt_text *text, const struct tally *tally)
{
    const struct clopt_objective_words *words = clopt_objective_words(tally->results->objective);
    clopt_text_printf(text, "On %s, ", tally->results->devices[tally->device].label);
    if (tally->kernels == 0 && !tally->timed)
        say_nothing(text, tally);
    else if (tally->kernels == 0)
        clopt_text_append(text,
                          "the initial code has no time with which variants could be compared.");
    else if (tally->kernels == 1)
        say_kernel(text, tally, words);
    else
        say_kernels(text, tally, words);
    if (tally->kernels > 1)
        clopt_text_append(text, clopt_text_string(&tally->together));
    if (tally->combined > 0 && tally->kernels > 1)
        clopt_text_printf(text, " In %zu, the fastest combines several optimizations.",
                          tally->combined);
}

static int compare_payers(const void *a, const void *b)
{
    const struct payer *x = a;
    const struct payer *y = b;
    return (x->most < y->most) - (x->most > y->most);
}

/* Says what each optimization alone brings: those that pay first, the most first. */
static void say_payers(struct clopt_text *text, struct tally *tally)
{
    const struct clopt_objective_words *words = clopt_objective_words(tally->results->objective);
    bool paid = true;
    qsort(tally->payers, tally->payer_count, sizeof *tally->payers, compare_payers);
    for (size_t i = 0; i < tally->payer_count; i++) {
        const struct payer *payer = &tally->payers[i];
        clopt_text_append(text, i ? (paid && !payer->paid ? "; " : ", ") : "Alone: ");
        clopt_text_append(text, paid && !payer->paid ? "no sure gain: " : "");
        paid = payer->paid;
        clopt_text_printf(text, CLOPT_STRONG "%s" CLOPT_WEAK, payer->name);
        if (payer->paid)
            clopt_text_printf(text, " up to %s%s%s", clopt_number_text(payer->most, 3).text,
                              i ? "" : " times ", i ? "" : words->as_good);
        if (tally->kernels > 1)
            clopt_text_printf(text, " (%zu of %zu)", payer->paid, payer->tried);
    }
    if (tally->payer_count)
        clopt_text_append(text, ".");
}

void clopt_overview_say(const struct clopt_results *results, const struct clopt_views *views,
                        size_t device, struct clopt_text *gains, struct clopt_text *alone)
{
    struct tally tally = {.results = results, .device = device};
    for (size_t i = 0; i < views->count; i++)
        if (views->items[i].scope == CLOPT_SCOPE_KERNEL)
            count_view(&tally, &views->items[i]);
        else if (results->device_count == 1 && results->problem_count == 1)
            say_together(&tally, &views->items[i]); /* of several, the table has them */
    say_gains(gains, &tally);
    say_payers(alone, &tally);
    struct clopt_text *texts[] = {&tally.fastest, &tally.others, &tally.undecided, &tally.together,
                                  &tally.certainty};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        clopt_text_fini(texts[i]);
}

/* ---- the table ---- */

/* Fills the last columns of a row: the speed-up of the best, where devices are compared its time,
 * its share of a peak, its name. Returns whether a share is known. */
static bool fill_best(struct clopt_grid *grid, const struct clopt_view *view, size_t device,
                      bool times)
{
    const struct clopt_view_row *best = clopt_summary_best(view, device);
    if (!best) {
        clopt_grid_skip(grid, 3);
        clopt_grid_put(grid, "nothing was measured");
        return false;
    }
    const struct clopt_result_time *time = clopt_view_time(view, best, device);
    struct clopt_unit unit = clopt_unit_choose(view->results->objective, time->interval.median);
    double share = clopt_summary_share(view, best, device);
    const char *other = same_best(view, best, device);
    if (isnan(time->speedup.median))
        clopt_grid_skip(grid, 1);
    else
        clopt_grid_put_speedup(grid, time, false);
    if (times)
        clopt_grid_printf(grid, time->interval.median, "%s %s",
                          clopt_number_text(time->interval.median / unit.nanounits, 3).text,
                          unit.name);
    else
        clopt_grid_skip(grid, 1);
    if (isnan(share))
        clopt_grid_skip(grid, 1);
    else
        clopt_grid_printf(grid, share, share < 0.1 ? "%.1f%%" : "%.0f%%", 100 * share);
    clopt_grid_put(grid, "%s%s", other ? "as on " : best->label, other ? other : "");
    return !isnan(share);
}

/* Whether a device has anything of a kernel: of several stores, not all have all. */
static bool is_tried(const struct clopt_view *view, size_t device)
{
    for (size_t i = 0; i < view->row_count; i++)
        if (view->rows[i].row->cells[device].present)
            return true;
    return false;
}

void clopt_overview_tabulate(const struct clopt_results *results, const struct clopt_views *views,
                             bool times, struct clopt_document *document)
{
    struct clopt_grid grid = {.stacked = true};
    bool peaks = false; /* whether a share of a peak is known */
    clopt_grid_add_columns(&grid,
                           "*Kernel, *?Problem, *?Device, ?=Gain, ?#Median, ?#Peak, Best variant");
    for (size_t i = 0; i < views->count; i++)
        for (size_t d = 0; d < results->device_count; d++) {
            const struct clopt_view *view = &views->items[i];
            if (!is_tried(view, d))
                continue;
            clopt_grid_add_row(&grid, "%s", view->name)->link = i + 1;
            clopt_grid_put_if(&grid, results->problem_count > 1,
                              *view->problem->label ? view->problem->label : view->problem->app);
            clopt_grid_put_if(&grid, results->device_count > 1, results->devices[d].label);
            peaks |= fill_best(&grid, view, d, times);
        }
    clopt_grid_set_heading(&grid, "Best variants: %s over the initial code [95%% interval]%s",
                           results->objective ? "efficiency gain" : "speed-up",
                           peaks ? ", share of a peak" : "");
    clopt_document_table(document, &grid);
}
