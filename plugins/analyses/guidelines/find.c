/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes guidelines of gains: over the kernels of a class of devices, and of a device. */
#include "analyses/guidelines/guidelines.h"

#include <math.h>
#include <string.h>

#include "number/statistics.h"

#define ALL_DEVICES  SIZE_MAX
#define LEAST_SAMPLE 3 /* kernels for an interval of their mean */

/* A kernel with one key on the devices of one guideline. */
struct member {
    double sum; /* of logarithms of gains */
    size_t count, pays;
};

static bool is_of(const struct clopt_guidelines *guidelines,
                  const struct clopt_guideline *guideline, const struct clopt_guideline_gain *gain)
{
    return gain->key == guideline->key && gain->objective == guideline->objective &&
           guidelines->devices[gain->device].group == guideline->class &&
           (guideline->device == ALL_DEVICES || guideline->device == gain->device);
}

static bool member_pays(const struct member *member)
{
    return member->pays * 2 >= member->count && member->sum > 0;
}

/* Computes the geometric mean of kernels, each of which counts as one that was drawn. */
static struct clopt_interval mean_of(const struct member *members, size_t count, bool paying)
{
    struct clopt_interval mean = {.low = INFINITY, .high = -INFINITY};
    double sum = 0, squares = 0, n = 0;
    for (size_t i = 0; i < count; i++) {
        if (!members[i].count || (paying && !member_pays(&members[i])))
            continue;
        double gain = members[i].sum / (double)members[i].count;
        sum += gain;
        squares += gain * gain;
        mean.low = fmin(mean.low, gain);
        mean.high = fmax(mean.high, gain);
        n++;
    }
    mean.median = sum / n;
    if (n >= LEAST_SAMPLE) {
        double variance = fmax(squares - n * mean.median * mean.median, 0) / (n - 1);
        double half = clopt_student_t((size_t)n - 1) * sqrt(variance / n);
        mean.low = mean.median - half;
        mean.high = mean.median + half;
    }
    return (struct clopt_interval){.median = exp(mean.median),
                                   .low = exp(mean.low),
                                   .high = exp(mean.high),
                                   .samples = (size_t)n,
                                   .attained = n >= LEAST_SAMPLE};
}

/* Finds which value is the best most often where it pays, the first one of equals, if another one
 * is the best elsewhere. */
static void find_value(const struct clopt_guidelines *guidelines, struct clopt_guideline *guideline)
{
    const char *first = NULL;
    bool chosen = false;
    for (size_t i = 0; i < guidelines->gain_count; i++) {
        const struct clopt_guideline_gain *gain = &guidelines->gains[i];
        size_t count = 0;
        if (!gain->value || !is_of(guidelines, guideline, gain))
            continue;
        first = first ? first : gain->value;
        chosen |= strcmp(first, gain->value) != 0;
        if (!gain->pays)
            continue;
        guideline->value_total++;
        for (size_t k = 0; k < guidelines->gain_count; k++) {
            const struct clopt_guideline_gain *other = &guidelines->gains[k];
            count += other->value && other->pays && is_of(guidelines, guideline, other) &&
                     strcmp(other->value, gain->value) == 0;
        }
        if (count > guideline->value_count) {
            guideline->value = gain->value;
            guideline->value_count = count;
        }
    }
    if (!chosen)
        guideline->value = NULL;
}

/* Tries a rule on the kernels whose profiles are known. */
static void find_rule(const struct clopt_guidelines *guidelines, const struct member *members,
                      struct clopt_guideline *guideline)
{
    const size_t width = CLOPT_GUIDELINE_FEATURES;
    struct clopt_feature features[CLOPT_GUIDELINE_FEATURES] = {{0}};
    CLOPT_FREED double *values =
        clopt_calloc(width * (guidelines->kernel_count + 1), sizeof *values);
    CLOPT_FREED double *targets = clopt_calloc(guidelines->kernel_count + 1, sizeof *targets);
    struct clopt_observations kernels = {features, width, values, targets, 0};
    for (size_t f = 0; f < width; f++)
        features[f].name = clopt_guideline_features[f].name;
    for (size_t i = 0; i < guidelines->kernel_count; i++) {
        const double *known = guidelines->kernels[i].features;
        if (!members[i].count || isnan(*known))
            continue;
        memcpy(values + kernels.count * width, known, width * sizeof *values);
        targets[kernels.count++] = member_pays(&members[i]);
    }
    guideline->found = clopt_guideline_rule_find(&kernels, &guideline->rule);
}

static void add_guideline(struct clopt_guidelines *guidelines,
                          const struct clopt_guideline *proposed)
{
    struct clopt_guideline guideline = *proposed;
    CLOPT_FREED struct member *members =
        clopt_calloc(guidelines->kernel_count + 1, sizeof *members);
    for (size_t i = 0; i < guidelines->gain_count; i++) {
        const struct clopt_guideline_gain *gain = &guidelines->gains[i];
        if (!is_of(guidelines, proposed, gain))
            continue;
        members[gain->kernel].sum += log(gain->gain.median);
        members[gain->kernel].pays += gain->pays;
        members[gain->kernel].count++;
    }
    for (size_t i = 0; i < guidelines->kernel_count; i++) {
        guideline.tried += members[i].count > 0;
        guideline.pays += members[i].count && member_pays(&members[i]);
    }
    if (!guideline.tried)
        return;
    guideline.paying = mean_of(members, guidelines->kernel_count, true);
    guideline.all = mean_of(members, guidelines->kernel_count, false);
    find_value(guidelines, &guideline);
    find_rule(guidelines, members, &guideline);
    struct clopt_guideline *added =
        clopt_array_add(&guidelines->items, &guidelines->count, sizeof *added);
    *added = guideline;
}

/* Whether two guidelines of an optimization come from the same gains. */
static bool is_repeated(const struct clopt_guidelines *guidelines, const struct clopt_guideline *a,
                        const struct clopt_guideline *b)
{
    return a->objective == b->objective && a->tried == b->tried && a->all.median == b->all.median &&
           strcmp(guidelines->keys[a->key].optimization, guidelines->keys[b->key].optimization) ==
               0;
}

/* Drops what an optimization says as a whole where one of its parameters says the same, and what a
 * parameter says that is never set without an earlier one. */
static void drop_repeated(struct clopt_guidelines *guidelines, size_t first)
{
    size_t kept = first;
    for (size_t i = first; i < guidelines->count; i++) {
        const struct clopt_guideline *item = &guidelines->items[i];
        bool whole = !guidelines->keys[item->key].parameter, repeated = false;
        size_t from = whole ? i + 1 : first, end = whole ? guidelines->count : kept;
        for (size_t k = from; k < end; k++)
            repeated |= is_repeated(guidelines, item, &guidelines->items[k]);
        if (!repeated)
            guidelines->items[kept++] = *item;
    }
    guidelines->count = kept;
}

static void add_group(struct clopt_guidelines *guidelines, size_t class, size_t device)
{
    struct clopt_guideline proposed = {.class = class, .device = device};
    size_t first = guidelines->count;
    for (size_t o = 0; o < CLOPT_OBJECTIVES; o++)
        for (proposed.key = 0; proposed.key < guidelines->key_count; proposed.key++) {
            proposed.objective = (enum clopt_objective)o;
            add_guideline(guidelines, &proposed);
        }
    drop_repeated(guidelines, first);
}

/* By class, its devices after it, and what pays on the largest share of kernels first. */
static int compare_guidelines(const void *a, const void *b)
{
    const struct clopt_guideline *x = a, *y = b;
    size_t p = x->device + 1, q = y->device + 1; /* all devices: 0 */
    size_t share = x->pays * y->tried, other = y->pays * x->tried;
    if (x->class != y->class)
        return x->class < y->class ? -1 : 1;
    if (p != q)
        return p < q ? -1 : 1;
    if (x->objective != y->objective)
        return x->objective < y->objective ? -1 : 1;
    if (share != other)
        return share > other ? -1 : 1;
    if (x->all.median != y->all.median)
        return x->all.median > y->all.median ? -1 : 1;
    return (x->key > y->key) - (x->key < y->key);
}

/* Finds the guideline of all devices of a class whose rule was found on the same kernels as that of
 * one of its devices, which is the same test; NULL: there is none. */
static const struct clopt_guideline *find_same_test(const struct clopt_guidelines *guidelines,
                                                    const struct clopt_guideline *of_device)
{
    const struct clopt_guideline_rule *rule = &of_device->rule;
    for (size_t i = 0; i < guidelines->count && of_device->device != ALL_DEVICES; i++) {
        const struct clopt_guideline *item = &guidelines->items[i];
        if (item->device == ALL_DEVICES && item->class == of_device->class &&
            item->key == of_device->key && item->objective == of_device->objective &&
            item->rule.count == rule->count && item->rule.hits == rule->hits &&
            item->rule.base == rule->base && item->rule.feature == rule->feature &&
            item->rule.threshold == rule->threshold && item->rule.above == rule->above)
            return item;
    }
    return NULL;
}

/* Chooses among all rules; a test that a class and its device share counts once. */
static void choose_rules(struct clopt_guidelines *guidelines)
{
    CLOPT_FREED struct clopt_guideline_rule *rules =
        clopt_calloc(guidelines->count + 1, sizeof *rules);
    for (size_t i = 0; i < guidelines->count; i++) {
        rules[i] = guidelines->items[i].rule;
        rules[i].asked &= !find_same_test(guidelines, &guidelines->items[i]);
    }
    guidelines->asked = clopt_guideline_rules_choose(rules, guidelines->count);
    for (size_t i = 0; i < guidelines->count; i++) {
        const struct clopt_guideline *same = find_same_test(guidelines, &guidelines->items[i]);
        guidelines->items[i].rule.holds =
            rules[same ? same - guidelines->items : (ptrdiff_t)i].holds;
    }
}

void clopt_guidelines_find(struct clopt_guidelines *guidelines)
{
    for (size_t class = 0; class < CLOPT_DEVICE_CLASSES; class ++) {
        size_t members = 0;
        for (size_t d = 0; d < guidelines->device_count; d++)
            members += guidelines->devices[d].group == class;
        if (members)
            add_group(guidelines, class, ALL_DEVICES);
        for (size_t d = 0; d < guidelines->device_count && members > 1; d++)
            if (guidelines->devices[d].group == class)
                add_group(guidelines, class, d);
    }
    qsort(guidelines->items, guidelines->count, sizeof *guidelines->items, compare_guidelines);
    choose_rules(guidelines);
}
