/* SPDX-License-Identifier: BSD-3-Clause */
/* A rule of one question, tried on kernels that were left out when it was made. */
#include "analyses/guidelines/guidelines.h"

#include <math.h>
#include <string.h>

#define LEVEL        0.05
#define LEAST_LEAF   2    /* kernels on each side of a question */
#define PERMUTATIONS 3999 /* so that 200 rules can be tried */
#define ENOUGH       20   /* of them as good as what is tried decide */

const struct clopt_guideline_feature clopt_guideline_features[CLOPT_GUIDELINE_FEATURES] = {
    {"divergent", "branches and loops that differ between work-items are", "",
     CLOPT_GUIDELINE_COUNT, 0},
    {"contiguous", "accesses in which neighbours access neighbours are", "", CLOPT_GUIDELINE_SHARE,
     0},
    {"focused", "accesses of all work-items to the same element are", "", CLOPT_GUIDELINE_SHARE, 0},
    {"scattered", "accesses at strides or at random are", "", CLOPT_GUIDELINE_SHARE, 0},
    {"intensity", "the arithmetic intensity is", " operations an access", CLOPT_GUIDELINE_LOGARITHM,
     0},
    {"barriers", "barriers of a work-item are", "", CLOPT_GUIDELINE_LOGARITHM, 1},
    {"local_access", "local accesses of a work-item are", "", CLOPT_GUIDELINE_LOGARITHM, 1},
    {"trip_count", "known iterations of the innermost loop are", "", CLOPT_GUIDELINE_LOGARITHM, 1},
    {"loops", "loops are", "", CLOPT_GUIDELINE_COUNT, 0},
    {"dimensions", "dimensions of the NDRange are", "", CLOPT_GUIDELINE_COUNT, 0},
};

/* A question that divides kernels in two by a feature, as the root of a regression tree does: a
 * tree of its own for each kernel of thousands of permutations would take ten times as long. */
struct question {
    bool found;
    size_t feature;
    double threshold;
    double kept, below, above; /* by how much squares are less; the shares that pay of each side */
    double mean;               /* and of both */
};

static double value_of(const struct clopt_observations *kernels, size_t kernel, size_t feature)
{
    return kernels->values[kernel * kernels->feature_count + feature];
}

/* Sorts the numbers of the kernels by each feature. */
static size_t *sort_kernels(const struct clopt_observations *kernels)
{
    size_t *all = clopt_calloc(kernels->feature_count * kernels->count + 1, sizeof *all);
    for (size_t f = 0; f < kernels->feature_count; f++) {
        size_t *order = all + f * kernels->count;
        for (size_t i = 0; i < kernels->count; i++) {
            size_t at = i;
            for (; at && value_of(kernels, order[at - 1], f) > value_of(kernels, i, f); at--)
                order[at] = order[at - 1];
            order[at] = i;
        }
    }
    return all;
}

/* Tries all thresholds of a feature, without one of the kernels. */
static void try_feature(const struct clopt_observations *kernels, const size_t *order,
                        size_t feature, size_t left_out, struct question *best)
{
    double n = (double)(kernels->count - (left_out < kernels->count)), all = n * best->mean;
    double count = 0, sum = 0, last = 0;
    for (size_t i = 0; i < kernels->count; i++) {
        double value = value_of(kernels, order[i], feature), rest = n - count;
        if (order[i] == left_out)
            continue;
        if (count >= LEAST_LEAF && rest >= LEAST_LEAF && value > last) {
            double kept = sum * sum / count + (all - sum) * (all - sum) / rest;
            if (kept > best->kept + 1e-9)
                *best = (struct question){true,      feature,     (last + value) / 2,
                                          kept,      sum / count, (all - sum) / rest,
                                          best->mean};
        }
        count++;
        sum += kernels->targets[order[i]];
        last = value;
    }
}

static struct question ask(const struct clopt_observations *kernels, const size_t *orders,
                           size_t left_out)
{
    struct question best = {0};
    double n = 0;
    for (size_t i = 0; i < kernels->count; i++)
        if (i != left_out) {
            best.mean += kernels->targets[i];
            n++;
        }
    best.kept = best.mean * best.mean / n;
    best.mean /= n;
    for (size_t f = 0; f < kernels->feature_count; f++)
        try_feature(kernels, orders + f * kernels->count, f, left_out, &best);
    return best;
}

/* What most kernels of a side say, or most of all where these are even. */
static bool foretell(const struct question *question, bool above)
{
    double share = above ? question->above : question->below;
    return !question->found || share == 0.5 ? question->mean > 0.5 : share > 0.5;
}

/* Whether a rule made of all kernels but one foretells that one, for how many. */
static size_t count_hits(const struct clopt_observations *kernels, const size_t *orders)
{
    size_t hits = 0;
    for (size_t i = 0; i < kernels->count; i++) {
        struct question question = ask(kernels, orders, i);
        bool above = value_of(kernels, i, question.feature) > question.threshold;
        hits += foretell(&question, above) == (kernels->targets[i] > 0.5);
    }
    return hits;
}

/* The probability of so many hits or more, where each has the probability `share`. */
static double binomial_tail(size_t hits, size_t count, double share)
{
    double sum = 0, n = (double)count;
    for (size_t i = hits; i <= count; i++) {
        double k = (double)i;
        sum += exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(share) +
                   (n - k) * log1p(-share));
    }
    return fmin(sum, 1);
}

/* The probability of so many hits or more where features say nothing: rules are made of shuffled
 * targets until enough are as good (Besag and Clifford, Sequential Monte Carlo p-values, Biometrika
 * 78, 1991). Hits of kernels left out depend on each other, for which the binomial test knows no
 * remedy. */
static double permutation_tail(const struct clopt_observations *kernels, const size_t *orders,
                               size_t hits)
{
    struct clopt_random random = clopt_random_seed(1, 0);
    struct clopt_observations shuffled = *kernels;
    size_t as_good = 0;
    CLOPT_FREED double *targets = clopt_calloc(kernels->count, sizeof *targets);
    memcpy(targets, kernels->targets, kernels->count * sizeof *targets);
    shuffled.targets = targets;
    for (size_t p = 1; p <= PERMUTATIONS; p++) {
        for (size_t i = kernels->count; i > 1; i--) {
            size_t k = clopt_random_below(&random, i);
            double target = targets[k];
            targets[k] = targets[i - 1];
            targets[i - 1] = target;
        }
        as_good += count_hits(&shuffled, orders) >= hits;
        if (as_good == ENOUGH)
            return (double)ENOUGH / (double)p;
    }
    return (double)(as_good + 1) / (PERMUTATIONS + 1);
}

bool clopt_guideline_rule_find(const struct clopt_observations *kernels,
                               struct clopt_guideline_rule *rule)
{
    size_t paying = 0;
    *rule = (struct clopt_guideline_rule){.count = kernels->count, .probability = 1};
    for (size_t i = 0; i < kernels->count; i++)
        paying += kernels->targets[i] > 0.5;
    rule->asked = paying && paying < kernels->count;
    rule->base = fmax((double)paying, (double)(kernels->count - paying)) / (double)kernels->count;
    if (!rule->asked)
        return false;
    CLOPT_FREED size_t *orders = sort_kernels(kernels);
    struct question question = ask(kernels, orders, SIZE_MAX);
    rule->feature = question.feature;
    rule->threshold = question.threshold;
    rule->above = foretell(&question, true);
    if (!question.found || rule->above == foretell(&question, false))
        return false;
    rule->hits = count_hits(kernels, orders);
    rule->probability = binomial_tail(rule->hits, rule->count, rule->base);
    if (rule->probability < LEVEL)
        rule->probability = fmax(rule->probability, permutation_tail(kernels, orders, rule->hits));
    return true;
}

/* Whether a rule would hold at LEVEL / tried if it foretold all kernels. */
static bool could_hold(const struct clopt_guideline_rule *rule, size_t tried)
{
    return rule->asked && pow(rule->base, (double)rule->count) < LEVEL / (double)tried;
}

static size_t count_able(const struct clopt_guideline_rule *rules, size_t count, size_t tried)
{
    size_t able = 0;
    for (size_t i = 0; i < count; i++)
        able += could_hold(&rules[i], tried);
    return able;
}

size_t clopt_guideline_rules_choose(struct clopt_guideline_rule *rules, size_t count)
{
    size_t tried = 1, able;
    double level = 0;
    while ((able = count_able(rules, count, tried)) > tried)
        tried++;
    for (size_t i = 0; i < count; i++) {
        size_t rank = 0;
        for (size_t k = 0; k < count; k++)
            rank += could_hold(&rules[k], tried) && rules[k].probability <= rules[i].probability;
        if (could_hold(&rules[i], tried) &&
            rules[i].probability <= LEVEL * (double)rank / (double)able)
            level = fmax(level, rules[i].probability);
    }
    for (size_t i = 0; i < count; i++)
        rules[i].holds = could_hold(&rules[i], tried) && rules[i].probability <= level;
    return able;
}
