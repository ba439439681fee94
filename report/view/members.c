/* SPDX-License-Identifier: BSD-3-Clause */
/* The members of a device, on one host or several: which measured what, and how they differ. */
#include "view/view.h"

#include <math.h>

#include "results/change.h"

#define MOST_MEMBERS 1024 /* that are told apart, */
#define MOST_NAMES   8    /* and compared one by one */

static int compare_processes(const void *a, const void *b)
{
    const struct clopt_results_member *one = a, *other = b;
    return (one->process > other->process) - (one->process < other->process);
}

/* Returns which member a process measured; NULL: its device has but one. */
static const struct clopt_results_member *find_member(const struct clopt_results *results,
                                                      uint32_t process)
{
    const struct clopt_results_member wanted = {.process = process};
    const struct clopt_results_member *found =
        results->work.member_count
            ? bsearch(&wanted, results->work.members, results->work.member_count, sizeof wanted,
                      compare_processes)
            : NULL;
    return found && found->member < MOST_MEMBERS ? found : NULL;
}

/* Of which processes a member has measured a time. */
struct member_times {
    const char *names[MOST_MEMBERS];
    size_t processes[MOST_MEMBERS];
};

static struct member_times collect(const struct clopt_results *results,
                                   const struct clopt_medians *medians)
{
    struct member_times times = {{NULL}, {0}};
    for (size_t i = 0; i < medians->count; i++) {
        const struct clopt_results_member *of = find_member(results, medians->items[i].process);
        if (!of)
            continue;
        times.names[of->member] = of->name;
        times.processes[of->member]++;
    }
    return times;
}

void clopt_members_append(struct clopt_text *text, const struct clopt_results *results,
                          const struct clopt_result *result)
{
    if (!results->work.member_count)
        return;
    struct member_times times = collect(results, &result->medians[CLOPT_SCOPE_RUN]);
    const char *before = "";
    for (size_t m = 0; m < MOST_MEMBERS; m++)
        if (times.processes[m]) {
            clopt_text_printf(text, "%s%s", before, times.names[m]);
            before = " ";
        }
}

/* Takes the medians of a member's processes. */
static struct clopt_medians take_medians(const struct clopt_results *results,
                                         const struct clopt_medians *all, size_t member)
{
    struct clopt_medians own = {clopt_calloc(all->count, sizeof *own.items), 0};
    for (size_t i = 0; i < all->count; i++) {
        const struct clopt_results_member *of = find_member(results, all->items[i].process);
        if (of && of->member == member)
            own.items[own.count++] = all->items[i];
    }
    return own;
}

/* Compares a member with the first by their times of the initial code, and says how. */
static void say(struct clopt_text *text, const struct clopt_results *results,
                const struct clopt_medians *all, const size_t members[2], double noise)
{
    CLOPT_OWNED(clopt_medians) one = take_medians(results, all, members[0]);
    CLOPT_OWNED(clopt_medians) other = take_medians(results, all, members[1]);
    struct member_times times = collect(results, all);
    const char *first = times.names[members[0]], *name = times.names[members[1]];
    struct clopt_change change = clopt_change_estimate(&one, &other);
    const struct clopt_interval ratio = {change.ratio, change.low,  change.high,
                                         all->count,   other.count, !isnan(change.low)};
    enum clopt_verdict_kind verdict = clopt_verdict_find(&ratio, noise);
    if (verdict == CLOPT_VERDICT_FASTER || verdict == CLOPT_VERDICT_SLOWER)
        clopt_text_printf(text, "%s takes %.3f times as long as %s [%.3f, %.3f]", name,
                          ratio.median, first, ratio.low, ratio.high);
    else if (verdict == CLOPT_VERDICT_SAME)
        clopt_text_printf(text, "%s takes as long as %s within %.1f%%", name, first,
                          100 * clopt_verdict_within(&ratio, noise));
    else
        clopt_text_printf(text, "%s and %s: not decided%s", name, first,
                          ratio.attained ? "" : ", too few processes");
}

void clopt_members_compare(struct clopt_text *text, const struct clopt_view *view, size_t device)
{
    const struct clopt_results *results = view->results;
    size_t initial = view->table->initial, first = 0, others = 0;
    if (!results->work.member_count || initial == CLOPT_NO_ROW)
        return;
    const struct clopt_medians *medians =
        &view->table->rows[initial].cells[device].medians[view->scope];
    struct member_times times = collect(results, medians);
    while (first < MOST_MEMBERS && !times.processes[first])
        first++;
    for (size_t m = first + 1; m < MOST_MEMBERS; m++) {
        if (!times.processes[m] || ++others > MOST_NAMES)
            continue;
        if (others == 1)
            clopt_text_printf(text, "%s of %s, with the initial code: ",
                              results->work.several_hosts ? "Hosts" : "Members",
                              results->devices[device].label);
        clopt_text_append(text, others == 1 ? "" : ", ");
        say(text, results, medians, (const size_t[2]){first, m}, view->noise[device].noise);
    }
    if (others > MOST_NAMES)
        clopt_text_printf(text, ", and %zu more", others - MOST_NAMES);
}
