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
};

static struct clopt_regression ask(const struct clopt_observations *kernels)
{
    const struct clopt_regression_rules rules = {.least_leaf = LEAST_LEAF, .most_depth = 1};
    return clopt_regression_grow(kernels, &rules);
}

/* What most kernels of a leaf say, or most of all where these are even. */
static bool foretell(const struct clopt_regression *tree, const struct clopt_regression_node *leaf)
{
    return leaf->mean == 0.5 ? tree->nodes[0].mean > 0.5 : leaf->mean > 0.5;
}

/* Whether a rule made of all kernels but one foretells that one. */
static bool foretells(const struct clopt_observations *kernels, size_t left_out)
{
    size_t width = kernels->feature_count, last = kernels->count - 1;
    CLOPT_FREED double *values = clopt_calloc(width * kernels->count, sizeof *values);
    CLOPT_FREED double *targets = clopt_calloc(kernels->count, sizeof *targets);
    struct clopt_observations others = *kernels;
    memcpy(values, kernels->values, width * kernels->count * sizeof *values);
    memcpy(targets, kernels->targets, kernels->count * sizeof *targets);
    memcpy(values + left_out * width, kernels->values + last * width, width * sizeof *values);
    targets[left_out] = kernels->targets[last];
    others.values = values;
    others.targets = targets;
    others.count = last;
    CLOPT_OWNED(clopt_regression) tree = ask(&others);
    const struct clopt_regression_node *leaf =
        clopt_regression_find(&tree, kernels->features, kernels->values + left_out * width);
    return foretell(&tree, leaf) == (kernels->targets[left_out] > 0.5);
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

static size_t count_hits(const struct clopt_observations *kernels)
{
    size_t hits = 0;
    for (size_t i = 0; i < kernels->count; i++)
        hits += foretells(kernels, i);
    return hits;
}

/* The probability of so many hits or more where features say nothing: rules are made of shuffled
 * targets until enough are as good (Besag and Clifford, Sequential Monte Carlo p-values, Biometrika
 * 78, 1991). Hits of kernels left out depend on each other, for which the binomial test knows no
 * remedy. */
static double permutation_tail(const struct clopt_observations *kernels, size_t hits)
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
        as_good += count_hits(&shuffled) >= hits;
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
    if (!rule->asked)
        return false;
    CLOPT_OWNED(clopt_regression) tree = ask(kernels);
    const struct clopt_regression_node *root = tree.nodes;
    if (!root->left)
        return false;
    rule->feature = root->feature;
    rule->threshold = root->threshold;
    rule->above = foretell(&tree, &tree.nodes[root->right]);
    if (rule->above == foretell(&tree, &tree.nodes[root->left]))
        return false;
    rule->hits = count_hits(kernels);
    rule->base = fmax((double)paying, (double)(kernels->count - paying)) / (double)kernels->count;
    rule->probability = binomial_tail(rule->hits, rule->count, rule->base);
    if (rule->probability < LEVEL)
        rule->probability = fmax(rule->probability, permutation_tail(kernels, rule->hits));
    return true;
}

bool clopt_guideline_rule_holds(const struct clopt_guideline_rule *rule, size_t tried)
{
    return rule->probability < LEVEL / (double)(tried ? tried : 1);
}
