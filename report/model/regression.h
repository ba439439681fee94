/* SPDX-License-Identifier: BSD-3-Clause */
/* Regression trees: what a number depends on, as questions with two answers. */
#pragma once

#include <clopt/random.h>

struct clopt_text;

/* Categories of a feature, at most: a split is a set of them. */
#define CLOPT_MOST_CATEGORIES 64

/* What is known of each observation: a number, or one of some categories. */
struct clopt_feature {
    const char *name;
    const char *const *categories; /* their names; NULL: a number */
    size_t category_count;         /* 0: a number */
};

/* Observations: row by row one finite value a feature (of a category its index), and a target. */
struct clopt_observations {
    const struct clopt_feature *features;
    size_t feature_count;
    const double *values;
    const double *targets;
    size_t count; /* 1 .. UINT32_MAX */
};

/* When a node is split. All zero but `least_leaf` grows a tree until its leaves are pure. */
struct clopt_regression_rules {
    size_t least_leaf;     /* observations in a leaf: 1 .. */
    size_t least_split;    /* observations in a node that is split */
    size_t most_depth;     /* 0: any */
    double least_gain;     /* share of all of the targets' sum of squares that a split explains */
    size_t tried_features; /* drawn at random for each split; 0: all */
    bool random_cuts;      /* where a feature is cut is drawn, too */
    bool resampled;        /* each tree of a forest has observations drawn with replacement */
    struct clopt_random *random; /* draws; may be NULL where nothing is drawn */
};

struct clopt_regression_node {
    size_t feature;
    double threshold; /* of a number: at most this goes left */
    uint64_t left_categories;
    size_t left; /* index of the node; 0: a leaf */
    size_t right;
    double mean;
    double squares; /* sum of the squared differences from the mean */
    size_t count;
};

struct clopt_regression {
    struct clopt_regression_node *nodes; /* the root first, a node before what is below it */
    size_t count;
};

/* Grows a tree: splits greedily by the largest decrease of the sum of squares, a feature with
 * categories in the order of their means (Breiman, Friedman, Olshen and Stone, Classification and
 * Regression Trees, 1984, 8.4 and 9.4). */
struct clopt_regression clopt_regression_grow(const struct clopt_observations *observations,
                                              const struct clopt_regression_rules *rules);
void clopt_regression_fini(struct clopt_regression *tree);

/* Returns the leaf of an observation. */
const struct clopt_regression_node *clopt_regression_find(const struct clopt_regression *tree,
                                                          const struct clopt_feature *features,
                                                          const double *values);

/* Estimates how much of the targets' sum of squares trees leave unexplained of observations that
 * they have not seen: 0 all is explained, 1 and more nothing. Each of `folds` parts, drawn at
 * random, is predicted from the others. */
double clopt_regression_cross_validate(const struct clopt_observations *observations,
                                       const struct clopt_regression_rules *rules, size_t folds);

/* Trees of the same observations that differ in what was drawn. */
struct clopt_forest {
    struct clopt_regression *trees;
    size_t count;
};

struct clopt_prediction {
    double mean;
    double variance; /* between the trees, and in their leaves */
};

/* Grows one: resampled (Breiman, Random forests, 2001), or with all observations and random cuts
 * (Geurts, Ernst and Wehenkel, Extremely randomized trees, 2006). */
struct clopt_forest clopt_forest_grow(const struct clopt_observations *observations,
                                      const struct clopt_regression_rules *rules, size_t count);
void clopt_forest_fini(struct clopt_forest *forest);

/* Predicts a target, with the variance that the law of total variance gives. */
struct clopt_prediction clopt_forest_predict(const struct clopt_forest *forest,
                                             const struct clopt_feature *features,
                                             const double *values);
