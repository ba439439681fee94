/* SPDX-License-Identifier: BSD-3-Clause */
/* Grows regression trees and forests, and tells how well they predict. The values of each feature
 * are numbered once for all trees, so that splits are found by counting. */
#include "model/regression.h"

#include <clopt/memory.h>

#include "number/statistics.h"

/* The rows of a node that have one value of a feature. */
struct bin {
    uint32_t code;
    size_t count;
    double sum;
};

struct split {
    size_t feature;
    double gain; /* 0: none */
    double threshold;
    uint64_t left_categories;
};

struct growth {
    const struct clopt_observations *observations;
    const struct clopt_regression_rules *rules;
    uint32_t *codes; /* of each value, row by row, its number among the feature's different ones */
    double **distinct; /* by feature: what they stand for, the smallest first */
    size_t *distinct_count;
    struct bin *bins; /* these three as many as the feature with most values needs */
    size_t *counts;   /* all 0 in between */
    double *sums;
    size_t *features; /* in an order that is drawn */
    uint32_t *rows; /* a node has some that follow each other; a row may be there more than once */
    struct clopt_regression tree;
    double least_gain; /* in squares */
};

/* Rows and their depth. */
struct range {
    size_t first;
    size_t count;
    size_t depth;
};

/* ---- values as numbers ---- */

/* Finds the place of a value, which is one of them. */
static uint32_t find_code(const double *distinct, size_t count, double value)
{
    const double *found = bsearch(&value, distinct, count, sizeof *distinct, clopt_numbers_compare);
    return (uint32_t)(found - distinct);
}

static void number_feature(struct growth *growth, size_t feature)
{
    const struct clopt_observations *observations = growth->observations;
    size_t width = observations->feature_count, count = 0;
    double *distinct = clopt_calloc(observations->count, sizeof *distinct);
    for (size_t i = 0; i < observations->count; i++)
        distinct[i] = observations->values[i * width + feature];
    qsort(distinct, observations->count, sizeof *distinct, clopt_numbers_compare);
    for (size_t i = 0; i < observations->count; i++)
        if (!count || distinct[i] > distinct[count - 1])
            distinct[count++] = distinct[i];
    for (size_t i = 0; i < observations->count; i++)
        growth->codes[i * width + feature] =
            find_code(distinct, count, observations->values[i * width + feature]);
    growth->distinct[feature] = distinct;
    growth->distinct_count[feature] = count;
}

static void growth_init(struct growth *growth, const struct clopt_observations *observations,
                        const struct clopt_regression_rules *rules)
{
    size_t width = observations->feature_count, most = 1;
    *growth = (struct growth){
        .observations = observations,
        .rules = rules,
        .codes = clopt_calloc(observations->count * width, sizeof *growth->codes),
        .distinct = clopt_calloc(width, sizeof *growth->distinct),
        .distinct_count = clopt_calloc(width, sizeof *growth->distinct_count),
        .features = clopt_calloc(width, sizeof *growth->features),
        .rows = clopt_calloc(observations->count, sizeof *growth->rows),
    };
    for (size_t i = 0; i < width; i++) {
        number_feature(growth, i);
        most = growth->distinct_count[i] > most ? growth->distinct_count[i] : most;
    }
    growth->bins = clopt_calloc(most, sizeof *growth->bins);
    growth->counts = clopt_calloc(most, sizeof *growth->counts);
    growth->sums = clopt_calloc(most, sizeof *growth->sums);
}

static void growth_fini(struct growth *growth)
{
    for (size_t i = 0; i < growth->observations->feature_count; i++)
        free(growth->distinct[i]);
    free(growth->codes);
    free(growth->distinct);
    free(growth->distinct_count);
    free(growth->bins);
    free(growth->counts);
    free(growth->sums);
    free(growth->features);
    free(growth->rows);
}

/* ---- splits ---- */

static int compare_means(const void *a, const void *b)
{
    const struct bin *first = a, *second = b;
    double left = first->sum / (double)first->count, right = second->sum / (double)second->count;
    if (left != right)
        return (left > right) - (left < right);
    return (first->code > second->code) - (first->code < second->code);
}

/* Collects the values that some rows have, sorted: few of many are noted as they come. */
static size_t find_codes(struct growth *growth, size_t feature, struct range range)
{
    const uint32_t *codes = growth->codes + feature;
    size_t width = growth->observations->feature_count, used = 0;
    size_t all = growth->distinct_count[feature];
    for (size_t i = range.first; i < range.first + range.count; i++) {
        uint32_t code = codes[growth->rows[i] * width];
        if (growth->counts[code]++ || range.count * range.count > all)
            continue;
        size_t at = used++;
        for (; at && growth->bins[at - 1].code > code; at--)
            growth->bins[at].code = growth->bins[at - 1].code;
        growth->bins[at].code = code;
    }
    for (size_t i = 0; i < all && range.count * range.count > all; i++)
        if (growth->counts[i])
            growth->bins[used++].code = (uint32_t)i;
    return used;
}

/* Sorts the rows by their value; returns how many values they have. */
static size_t fill_bins(struct growth *growth, size_t feature, struct range range)
{
    const struct clopt_observations *observations = growth->observations;
    const uint32_t *codes = growth->codes + feature;
    size_t used = find_codes(growth, feature, range);
    for (size_t i = 0; i < used; i++)
        growth->sums[growth->bins[i].code] = 0;
    for (size_t i = range.first; i < range.first + range.count; i++) {
        uint32_t row = growth->rows[i];
        growth->sums[codes[row * observations->feature_count]] += observations->targets[row];
    }
    for (size_t i = 0; i < used; i++) {
        struct bin *bin = &growth->bins[i];
        bin->count = growth->counts[bin->code];
        bin->sum = growth->sums[bin->code];
        growth->counts[bin->code] = 0;
    }
    if (observations->features[feature].category_count)
        qsort(growth->bins, used, sizeof *growth->bins, compare_means);
    return used;
}

/* Describes the split after so many bins. */
static struct split describe(const struct growth *growth, size_t feature, size_t after, double gain)
{
    const double *distinct = growth->distinct[feature];
    struct split split = {.feature = feature, .gain = gain};
    if (growth->observations->features[feature].category_count)
        for (size_t i = 0; i < after; i++)
            split.left_categories |= UINT64_C(1) << (unsigned)distinct[growth->bins[i].code];
    else {
        double low = distinct[growth->bins[after - 1].code];
        double high = distinct[growth->bins[after].code];
        double middle = low + (high - low) / 2;
        split.threshold = middle < high ? middle : low; /* there may be no number between them */
    }
    return split;
}

/* Finds the best split of a node by a feature: that with the largest gain, or one that is drawn. */
static struct split split_by(struct growth *growth, size_t feature, struct range range, double sum)
{
    size_t used = growth->distinct_count[feature] > 1 ? fill_bins(growth, feature, range) : 0;
    size_t only = growth->rules->random_cuts && used > 1
                      ? 1 + clopt_random_below(growth->rules->random, used - 1)
                      : 0;
    double total = (double)range.count, base = sum * sum / total, left_sum = 0, best = 0;
    size_t left = 0, after = 0;
    for (size_t i = 1; i < used; i++) {
        left += growth->bins[i - 1].count;
        left_sum += growth->bins[i - 1].sum;
        size_t right = range.count - left;
        double right_sum = sum - left_sum;
        double gain = left_sum * left_sum / (double)left + right_sum * right_sum / (double)right;
        if (left < growth->rules->least_leaf || right < growth->rules->least_leaf ||
            (only && i != only) || gain - base <= best)
            continue;
        best = gain - base;
        after = i;
    }
    return after ? describe(growth, feature, after, best) : (struct split){0};
}

/* Tries features in an order that is drawn, until enough of them could split the node. */
static struct split find_split(struct growth *growth, struct range range, double sum)
{
    size_t count = growth->observations->feature_count;
    size_t tried = 0, most = growth->rules->tried_features ? growth->rules->tried_features : count;
    struct split best = {0};
    for (size_t i = 0; i < count && tried < most; i++) {
        if (most < count) {
            size_t other = i + clopt_random_below(growth->rules->random, count - i);
            size_t feature = growth->features[other];
            growth->features[other] = growth->features[i];
            growth->features[i] = feature;
        }
        struct split split = split_by(growth, growth->features[i], range, sum);
        tried += split.gain > 0;
        if (split.gain > best.gain)
            best = split;
    }
    return best;
}

/* Moves the rows that go left to the front; returns how many these are. */
static size_t partition(struct growth *growth, struct range range, const struct split *split)
{
    const struct clopt_observations *observations = growth->observations;
    bool categories = observations->features[split->feature].category_count > 0;
    size_t left = range.first;
    for (size_t i = range.first; i < range.first + range.count; i++) {
        uint32_t row = growth->rows[i];
        double value = observations->values[row * observations->feature_count + split->feature];
        if (categories ? split->left_categories >> (unsigned)value & 1
                       : value <= split->threshold) {
            growth->rows[i] = growth->rows[left];
            growth->rows[left++] = row;
        }
    }
    return left - range.first;
}

/* Adds a leaf; returns its number. `sum` becomes that of its targets. */
static size_t add_leaf(struct growth *growth, struct range range, double *sum)
{
    const double *targets = growth->observations->targets;
    struct clopt_regression *tree = &growth->tree;
    struct clopt_regression_node *node =
        clopt_array_add(&tree->nodes, &tree->count, sizeof *tree->nodes);
    *sum = 0;
    for (size_t i = range.first; i < range.first + range.count; i++)
        *sum += targets[growth->rows[i]];
    node->count = range.count;
    node->mean = *sum / (double)range.count;
    for (size_t i = range.first; i < range.first + range.count; i++) {
        double difference = targets[growth->rows[i]] - node->mean;
        node->squares += difference * difference;
    }
    return tree->count - 1;
}

/* Grows a node with all that is below it; returns its number. */
static size_t grow(struct growth *growth, struct range range)
{
    const struct clopt_regression_rules *rules = growth->rules;
    double sum;
    size_t number = add_leaf(growth, range, &sum);
    double squares = growth->tree.nodes[number].squares;
    if (number == 0)
        growth->least_gain = rules->least_gain * squares;
    if (range.count < 2 * rules->least_leaf || range.count < rules->least_split || squares <= 0 ||
        (rules->most_depth && range.depth == rules->most_depth))
        return number;
    struct split split = find_split(growth, range, sum);
    if (split.gain <= 0 || split.gain < growth->least_gain)
        return number;
    size_t count = partition(growth, range, &split);
    size_t left = grow(growth, (struct range){range.first, count, range.depth + 1});
    size_t right =
        grow(growth, (struct range){range.first + count, range.count - count, range.depth + 1});
    struct clopt_regression_node *node = &growth->tree.nodes[number];
    node->feature = split.feature;
    node->threshold = split.threshold;
    node->left_categories = split.left_categories;
    node->left = left;
    node->right = right;
    return number;
}

/* Grows a tree from the first rows, which it sorts. */
static struct clopt_regression grow_tree(struct growth *growth, size_t count)
{
    for (size_t i = 0; i < growth->observations->feature_count; i++)
        growth->features[i] = i;
    growth->tree = (struct clopt_regression){0};
    grow(growth, (struct range){0, count, 0});
    return growth->tree;
}

void clopt_regression_fini(struct clopt_regression *tree)
{
    free(tree->nodes);
    *tree = (struct clopt_regression){0};
}

const struct clopt_regression_node *clopt_regression_find(const struct clopt_regression *tree,
                                                          const struct clopt_feature *features,
                                                          const double *values)
{
    const struct clopt_regression_node *node = tree->nodes;
    while (node->left) {
        double value = values[node->feature];
        bool left = features[node->feature].category_count
                        ? node->left_categories >> (unsigned)value & 1
                        : value <= node->threshold;
        node = &tree->nodes[left ? node->left : node->right];
    }
    return node;
}

/* ---- forests ---- */

struct clopt_regression clopt_regression_grow(const struct clopt_observations *observations,
                                              const struct clopt_regression_rules *rules)
{
    struct clopt_forest forest = clopt_forest_grow(observations, rules, 1);
    struct clopt_regression tree = forest.trees[0];
    free(forest.trees);
    return tree;
}

struct clopt_forest clopt_forest_grow(const struct clopt_observations *observations,
                                      const struct clopt_regression_rules *rules, size_t count)
{
    CLOPT_OWNED(growth) growth;
    struct clopt_forest forest = {clopt_calloc(count, sizeof *forest.trees), count};
    growth_init(&growth, observations, rules);
    for (size_t t = 0; t < count; t++) {
        for (size_t i = 0; i < observations->count; i++)
            growth.rows[i] =
                (uint32_t)(rules->resampled ? clopt_random_below(rules->random, observations->count)
                                            : i);
        forest.trees[t] = grow_tree(&growth, observations->count);
    }
    return forest;
}

void clopt_forest_fini(struct clopt_forest *forest)
{
    for (size_t i = 0; i < forest->count; i++)
        clopt_regression_fini(&forest->trees[i]);
    free(forest->trees);
    *forest = (struct clopt_forest){0};
}

struct clopt_prediction clopt_forest_predict(const struct clopt_forest *forest,
                                             const struct clopt_feature *features,
                                             const double *values)
{
    double sum = 0, squares = 0, within = 0, count = (double)forest->count;
    for (size_t i = 0; i < forest->count; i++) {
        const struct clopt_regression_node *leaf =
            clopt_regression_find(&forest->trees[i], features, values);
        sum += leaf->mean;
        squares += leaf->mean * leaf->mean;
        within += leaf->squares / (double)leaf->count;
    }
    double mean = sum / count, between = squares / count - mean * mean;
    return (struct clopt_prediction){mean, (between > 0 ? between : 0) + within / count};
}

/* ---- how well trees predict what they have not seen ---- */

static void shuffle(uint32_t *rows, size_t count, struct clopt_random *random)
{
    for (size_t i = 0; i < count; i++)
        rows[i] = (uint32_t)i;
    for (size_t i = count; i > 1; i--) {
        size_t other = clopt_random_below(random, i);
        uint32_t row = rows[i - 1];
        rows[i - 1] = rows[other];
        rows[other] = row;
    }
}

/* Predicts part number `fold` of the rows by a tree of the others; returns the squared errors. */
static double validate_fold(struct growth *growth, const uint32_t *order, size_t fold, size_t folds)
{
    const struct clopt_observations *observations = growth->observations;
    size_t first = observations->count * fold / folds, count = 0;
    size_t end = observations->count * (fold + 1) / folds;
    double squares = 0;
    for (size_t i = 0; i < observations->count; i++)
        if (i < first || i >= end)
            growth->rows[count++] = order[i];
    CLOPT_OWNED(clopt_regression) tree = grow_tree(growth, count);
    for (size_t i = first; i < end; i++) {
        const double *values = observations->values + order[i] * observations->feature_count;
        double wrong = observations->targets[order[i]] -
                       clopt_regression_find(&tree, observations->features, values)->mean;
        squares += wrong * wrong;
    }
    return squares;
}

static double sum_squares(const struct clopt_observations *observations)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < observations->count; i++)
        sum += observations->targets[i];
    for (size_t i = 0; i < observations->count; i++) {
        double difference = observations->targets[i] - sum / (double)observations->count;
        squares += difference * difference;
    }
    return squares;
}

double clopt_regression_cross_validate(const struct clopt_observations *observations,
                                       const struct clopt_regression_rules *rules, size_t folds)
{
    size_t count = observations->count;
    double all = sum_squares(observations), left = 0;
    CLOPT_FREED uint32_t *order = clopt_calloc(count, sizeof *order);
    CLOPT_OWNED(growth) growth;
    folds = folds < count ? folds : count;
    growth_init(&growth, observations, rules);
    shuffle(order, count, rules->random);
    for (size_t i = 0; i < folds && folds > 1; i++)
        left += validate_fold(&growth, order, i, folds);
    return all > 0 && folds > 1 ? left / all : 1;
}
