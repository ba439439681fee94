/* SPDX-License-Identifier: BSD-3-Clause */
/* The members of a device, on one host or several: which of them measured what, and how they
 * differ. */
#include "report/view.h"

#include <math.h>
#include <stdlib.h>

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
        results->member_count ? bsearch(&wanted, results->members, results->member_count,
                                        sizeof wanted, compare_processes)
                              : NULL;
    return found && found->member < MOST_MEMBERS ? found : NULL;
}

/* What the processes of each member say of a time. */
struct member_times {
    const char *names[MOST_MEMBERS];
    size_t processes[MOST_MEMBERS];
    double log_sum[MOST_MEMBERS];
};

static struct member_times collect(const struct clopt_results *results,
                                   const struct clopt_medians *medians)
{
    struct member_times times = {{NULL}, {0}, {0}};
    for (size_t i = 0; i < medians->count; i++) {
        const struct clopt_results_member *of = find_member(results, medians->items[i].process);
        if (!of)
            continue;
        times.names[of->member] = of->name;
        times.processes[of->member]++;
        times.log_sum[of->member] += medians->items[i].log_median;
    }
    return times;
}

void clopt_members_append(struct clopt_text *text, const struct clopt_results *results,
                          const struct clopt_result *result)
{
    if (!results->member_count)
        return;
    struct member_times times = collect(results, &result->medians[CLOPT_SCOPE_RUN]);
    const char *before = "";
    for (size_t m = 0; m < MOST_MEMBERS; m++)
        if (times.processes[m]) {
            clopt_text_printf(text, "%s%s", before, times.names[m]);
            before = " ";
        }
}

/* Says how much longer a member takes than the first. */
static void compare(struct clopt_text *text, const char *name, double ratio, const char *first)
{
    clopt_text_printf(text, "%s takes %.1f%% %s than %s", name, 100 * fabs(ratio - 1),
                      ratio < 1 ? "less" : "longer", first);
}

void clopt_members_compare(struct clopt_text *text, const struct clopt_view *view, size_t device)
{
    const struct clopt_results *results = view->results;
    double noise = view->noise[device].noise, least = INFINITY, most = 0;
    size_t initial = view->table->initial, first = 0, others = 0;
    if (!results->member_count || initial == CLOPT_NO_ROW)
        return;
    const struct clopt_result *result = &view->table->rows[initial].cells[device];
    struct member_times times = collect(results, &result->medians[view->scope]);
    while (first < MOST_MEMBERS && !times.processes[first])
        first++;
    for (size_t m = first + 1; m < MOST_MEMBERS; m++) {
        if (!times.processes[m])
            continue;
        double ratio = exp(times.log_sum[m] / (double)times.processes[m] -
                           times.log_sum[first] / (double)times.processes[first]);
        if (!others++)
            clopt_text_printf(text, "%s of %s, with the initial code: ",
                              results->several_hosts ? "Hosts" : "Members",
                              results->devices[device].label);
        clopt_text_append(text, others == 1 || others > MOST_NAMES ? "" : ", ");
        if (others <= MOST_NAMES)
            compare(text, times.names[m], ratio, times.names[first]);
        least = fmin(least, ratio);
        most = fmax(most, ratio);
    }
    if (others > MOST_NAMES) {
        clopt_text_printf(text, " and %zu others; of all, the fastest", others - MOST_NAMES);
        compare(text, "", least, times.names[first]);
        clopt_text_append(text, ", the slowest");
        compare(text, "", most, times.names[first]);
    }
    if (others && !isnan(noise))
        clopt_text_printf(text, "; that is %s than the noise floor",
                          fmax(most - 1, 1 - least) > noise ? "more" : "less");
}
