/* SPDX-License-Identifier: BSD-3-Clause */
/* Which device is best for which kernel and problem: by what was minimized, and by its peak. */
#include "analyses/guidelines/guidelines.h"

#include <math.h>

/* The best variant of a kernel and problem on a device. */
struct entry {
    size_t kernel;
    size_t device;
    enum clopt_objective objective;
    const char *problem;
    const struct clopt_results_row *row;
    struct clopt_interval time;
    double share; /* of the device's peak of memory or arithmetic; NaN: not known */
};

struct entries {
    struct entry *items;
    size_t count;
};

/* ---- what is there ---- */

/* Takes a result if it is the best of its device so far. */
static void add_entry(struct entries *entries, const struct entry *entry)
{
    struct entry *known = entries->items, *end = known + entries->count;
    for (; known < end; known++)
        if (known->device == entry->device && known->kernel == entry->kernel &&
            known->objective == entry->objective && strcmp(known->problem, entry->problem) == 0)
            break;
    if (known == end)
        known = clopt_array_add(&entries->items, &entries->count, sizeof *known);
    else if (known->time.median <= entry->time.median)
        return;
    *known = *entry;
}

static void add_subject(struct clopt_guidelines *guidelines,
                        const struct clopt_guideline_subject *subject, size_t device,
                        struct entries *entries)
{
    const struct clopt_results *results = subject->results;
    struct entry entry = {.kernel = subject->kernel,
                          .device = clopt_guidelines_device(guidelines, &results->devices[device]),
                          .objective = results->objective,
                          .problem = results->problems[subject->table->problem].label};
    for (size_t i = 0; i < subject->table->row_count; i++) {
        const struct clopt_result *cell = &subject->table->rows[i].cells[device];
        struct clopt_rates rates = clopt_results_rates(results, cell);
        entry.row = cell->row;
        entry.time = cell->times[CLOPT_SCOPE_KERNEL].interval;
        entry.share = fmax(rates.operations_of_peak, rates.bytes_of_peak); /* NaN counts not */
        if (cell->ranked && !isnan(entry.time.median))
            add_entry(entries, &entry);
    }
}

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->objective != y->objective)
        return x->objective < y->objective ? -1 : 1;
    if (x->kernel != y->kernel)
        return x->kernel < y->kernel ? -1 : 1;
    int problem = strcmp(x->problem, y->problem);
    return problem ? problem
                   : (x->time.median > y->time.median) - (x->time.median < y->time.median);
}

static bool is_same_subject(const struct entry *a, const struct entry *b)
{
    return a->objective == b->objective && a->kernel == b->kernel &&
           strcmp(a->problem, b->problem) == 0;
}

/* ---- what is said of it ---- */

struct race {
    struct clopt_guidelines *guidelines;
    struct clopt_grid grid;
    size_t *wins; /* of each device, surely */
    size_t count;
};

static void put_share(struct clopt_grid *grid, const struct clopt_guidelines *guidelines,
                      const struct entry *entries, size_t count)
{
    const struct entry *nearest = NULL;
    for (size_t i = 0; i < count; i++)
        if (!isnan(entries[i].share) && (!nearest || entries[i].share > nearest->share))
            nearest = &entries[i];
    if (nearest)
        clopt_grid_put(grid, "%s (%.0f%%)", guidelines->devices[nearest->device].label,
                       100 * nearest->share);
    else
        clopt_grid_skip(grid, 1);
}

/* Adds a row of a kernel and problem that several devices have, the best first. */
static void add_row(struct race *race, const struct entry *entries, size_t count, bool alone)
{
    const struct clopt_guidelines *guidelines = race->guidelines;
    const struct entry *best = entries, *next = entries + 1;
    struct clopt_unit unit = clopt_unit_choose(best->objective, best->time.median);
    bool surely = !clopt_interval_overlap(&best->time, &next->time);
    clopt_grid_add_row(&race->grid, "%s%s%s", guidelines->kernels[best->kernel].label,
                       alone ? "" : ", ", alone ? "" : best->problem);
    clopt_grid_put(&race->grid, "%s", guidelines->devices[best->device].label);
    clopt_grid_put(&race->grid, "%s %s",
                   clopt_number_text(best->time.median / unit.nanounits, 3).text, unit.name);
    struct clopt_interval ratio = {.median = next->time.median / best->time.median,
                                   .low = next->time.low / best->time.high,
                                   .high = next->time.high / best->time.low};
    clopt_grid_put_interval(&race->grid, &ratio, 3, 1)->equal = !surely;
    put_share(&race->grid, guidelines, entries, count);
    race->wins[best->device] += surely;
    race->count++;
    if (guidelines->document->for_programs)
        for (size_t i = 0; i < count; i++)
            clopt_document_row(guidelines->document, "sssssddddi",
                               guidelines->kernels[best->kernel].label, best->problem,
                               clopt_objective_words(best->objective)->name,
                               guidelines->devices[entries[i].device].label, entries[i].row->name,
                               entries[i].time.median, entries[i].time.low, entries[i].time.high,
                               entries[i].share, (int64_t)i + 1);
}

static void say(const struct race *race, enum clopt_objective objective)
{
    CLOPT_OWNED(clopt_text) text = {0};
    for (size_t i = 0; i < race->guidelines->device_count; i++)
        if (race->wins[i])
            clopt_text_printf(&text, "%s" CLOPT_STRONG "%s" CLOPT_WEAK " for %zu",
                              text.length ? ", " : "", race->guidelines->devices[i].label,
                              race->wins[i]);
    if (text.length)
        clopt_document_printf(race->guidelines->document, CLOPT_SENTENCE_PLAIN,
                              "Of %zu kernels and sizes that several devices have, surely the best "
                              "by %s is %s.",
                              race->count, clopt_objective_words(objective)->quantity,
                              clopt_text_string(&text));
}

/* Whether a kernel has but the problem of these entries. */
static bool is_alone(const struct entry *entries, size_t count, size_t first, size_t end)
{
    return (!first || entries[first - 1].kernel != entries[first].kernel) &&
           (end == count || entries[end].kernel != entries[first].kernel);
}

/* Shows the entries of one objective. */
static void show(struct clopt_guidelines *guidelines, const struct entry *entries, size_t count)
{
    CLOPT_FREED size_t *wins = clopt_calloc(guidelines->device_count + 1, sizeof *wins);
    struct race race = {.guidelines = guidelines, .wins = wins};
    clopt_grid_set_heading(&race.grid,
                           "The best device by %s, and how many times as "
                           "good it is as the next one [95%% intervals' bounds]",
                           clopt_objective_words(entries->objective)->quantity);
    clopt_grid_add_columns(&race.grid, "*Kernel, Best device, Its best, =Times, ?Nearest its peak");
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && is_same_subject(&entries[i], &entries[end]);)
            end++;
        if (end - i > 1)
            add_row(&race, &entries[i], end - i, is_alone(entries, count, i, end));
    }
    if (race.count) {
        clopt_document_heading(guidelines->document, CLOPT_HEADING_SECTION, "Which device by %s",
                               clopt_objective_words(entries->objective)->quantity);
        say(&race, entries->objective);
    }
    clopt_document_table(guidelines->document, &race.grid);
}

void clopt_guidelines_show_devices(struct clopt_guidelines *guidelines)
{
    struct entries entries = {0};
    for (size_t s = 0; s < guidelines->subject_count; s++)
        for (size_t d = 0; d < guidelines->subjects[s].results->device_count; d++)
            add_subject(guidelines, &guidelines->subjects[s], d, &entries);
    qsort(entries.items, entries.count, sizeof *entries.items, compare_entries);
    if (guidelines->document->for_programs)
        clopt_document_rows(guidelines->document, "devices",
                            "kernel problem objective device variant median low high of_peak "
                            "rank");
    for (size_t i = 0, end; i < entries.count; i = end) {
        for (end = i;
             end < entries.count && entries.items[end].objective == entries.items[i].objective;)
            end++;
        show(guidelines, &entries.items[i], end - i);
    }
    free(entries.items);
}
