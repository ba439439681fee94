/* SPDX-License-Identifier: BSD-3-Clause */
/* A search that a model guides: a forest predicts the times of points, and the one is tried next
 * whose expected improvement is the largest. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/regression.h"
#include "search/strategy.h"

static double env(const char *name, double initial)
{
    const char *text = getenv(name);
    return text ? strtod(text, NULL) : initial;
}

/* What a point's features are made of. */
struct source {
    size_t first;
    size_t second; /* the product of two parameters; the same: one */
    int kind;
};

struct model {
    struct clopt_feature *features;
    struct source *sources;
    size_t count;
    size_t *candidates;
};

static enum clopt_status create(struct clopt_search *search, struct clopt_error *error)
{
    struct model *model = calloc(1, sizeof *model);
    size_t width = search->space->count;
    const struct clopt_domain *domains = search->space->domains;
    search->state = model;
    if (!model)
        return clopt_fail_memory(error);
    model->features = calloc(3 * width * (width + 1) + 1, sizeof *model->features);
    model->sources = calloc(3 * width * (width + 1) + 1, sizeof *model->sources);
    bool products = env("PROD", 1), twos = env("TWOS", 1);
    for (size_t i = 0; i < width; i++) {
        if (domains[i].count < 2)
            continue;
        model->features[model->count].category_count = domains[i].values ? 0 : domains[i].count;
        model->sources[model->count++] = (struct source){i, i, 0};
        if (domains[i].values && domains[i].count > 2 && twos)
            model->sources[model->count++] = (struct source){i, i, 1};
        for (size_t j = i + 1; j < width && products; j++)
            if (domains[i].values && domains[j].values && domains[i].count > 2 &&
                domains[j].count > 2)
                model->sources[model->count++] = (struct source){i, j, 0};
    }
    return CLOPT_OK;
}

static void destroy(struct clopt_search *search)
{
    struct model *model = search->state;
    if (!model)
        return;
    free(model->features);
    free(model->sources);
    free(model->candidates);
    free(model);
}

static double number(const struct clopt_domain *domain, size_t value)
{
    return domain->values ? domain->values[value].real : (double)value;
}

static void fill_features(const struct clopt_search *search, const size_t *point, double *values)
{
    const struct model *model = search->state;
    const struct clopt_domain *domains = search->space->domains;
    for (size_t i = 0; i < model->count; i++) {
        const struct source *source = &model->sources[i];
        values[i] = number(&domains[source->first], point[source->first]);
        if (source->first != source->second)
            values[i] *= number(&domains[source->second], point[source->second]);
        if (source->kind == 1) {
            int64_t n = (int64_t)values[i];
            values[i] = n ? (double)(n & -n) : 1e9;
        }
    }
}

static double improvement(double best, double mean, double deviation)
{
    if (deviation <= 0)
        return fmax(0, best - mean);
    double z = (best - mean) / deviation;
    return deviation * (z * 0.5 * erfc(-z * M_SQRT1_2) + exp(-0.5 * z * z) * 0.3989422804014327);
}

static void farthest(struct clopt_search *search, size_t *point, bool *chosen)
{
    size_t width = search->space->count;
    size_t *drawn = calloc(width, sizeof *drawn);
    double most = -1;
    for (int i = 0; i < (int)env("MAXIMIN", 30); i++) {
        if (!clopt_search_draw(search, drawn))
            break;
        double least = 2;
        for (size_t t = 0; t < search->points.count; t++)
            least = fmin(least, clopt_search_space_distance(search->space, drawn,
                                                            clopt_search_point(search, t)));
        if (least > most) {
            most = least;
            memcpy(point, drawn, width * sizeof *point);
            *chosen = true;
        }
    }
    free(drawn);
}

static int compare_times(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (x[0] > y[0]) - (x[0] < y[0]);
}

static enum clopt_status choose(struct clopt_search *search, size_t *point, bool *chosen,
                                struct clopt_error *error)
{
    struct model *model = search->state;
    size_t width = search->space->count;
    *chosen = false;
    if (search->points.count < (size_t)env("INIT", 20) || search->best == CLOPT_NO_TRIAL) {
        farthest(search, point, chosen);
        return CLOPT_OK;
    }
    double *values = calloc((search->points.count + 1) * (model->count + 1), sizeof *values);
    double *targets = calloc(search->points.count, sizeof *targets);
    double(*order)[2] = calloc(search->points.count, sizeof *order);
    size_t n = 0;
    double worst = 0;
    for (size_t i = 0; i < search->points.count; i++)
        if (search->trials[i].state == CLOPT_SEARCH_RIGHT)
            worst = fmax(worst, search->trials[i].time);
    for (size_t i = 0; i < search->points.count; i++) {
        if (search->trials[i].state == CLOPT_SEARCH_PENDING)
            continue;
        fill_features(search, clopt_search_point(search, i), values + n * model->count);
        double time =
            search->trials[i].state == CLOPT_SEARCH_RIGHT ? search->trials[i].time : worst;
        order[n][0] = time;
        order[n][1] = (double)i;
        targets[n++] = log(time);
    }
    struct clopt_observations observations = {model->features, model->count, values, targets, n};
    struct clopt_regression_rules rules = {
        .least_leaf = (size_t)env("LEAF", 1),
        .least_split = (size_t)env("SPLIT", 3),
        .tried_features = (size_t)ceil(env("MTRY", 0.5) * (double)model->count),
        .random_cuts = env("CUTS", 0) > 0,
    };
    struct clopt_forest forest;
    enum clopt_status status =
        clopt_forest_grow(&observations, &rules, (size_t)env("TREES", 40), env("BOOT", 1) > 0,
                          &search->random, &forest, error);
    if (status)
        return status;
    qsort(order, n, sizeof *order, compare_times);
    size_t limit = clopt_search_space_neighbour_limit(search->space);
    size_t top = (size_t)env("TOP", 5), randoms = (size_t)env("RANDOMS", 500);
    size_t *candidates = calloc((top * limit + randoms + 1) * width, sizeof *candidates);
    size_t count = 0;
    for (size_t i = 0; i < top && i < n; i++)
        count += clopt_search_space_neighbours(search->space,
                                               clopt_search_point(search, (size_t)order[i][1]),
                                               CLOPT_NEIGHBOURS_VALUE, candidates + count * width);
    for (size_t i = 0; i < randoms; i++)
        count +=
            clopt_search_space_draw(search->space, &search->random, candidates + count * width);
    double best = log(search->trials[search->best].time) - env("XI", 0.0), most = -1;
    for (size_t i = 0; i < count; i++) {
        size_t *candidate = candidates + i * width;
        if (clopt_search_find(search, candidate) != CLOPT_NO_TRIAL)
            continue;
        fill_features(search, candidate, values);
        struct clopt_prediction p = clopt_forest_predict(&forest, model->features, values);
        double gain = improvement(best, p.mean, sqrt(p.variance) * env("KAPPA", 1));
        gain *= 1 + 1e-6 * clopt_random_real(&search->random);
        if (gain > most) {
            most = gain;
            memcpy(point, candidate, width * sizeof *point);
            *chosen = true;
        }
    }
    clopt_forest_fini(&forest);
    free(candidates);
    free(values);
    free(targets);
    free(order);
    return CLOPT_OK;
}

const struct clopt_strategy_operations clopt_strategy_model = {
    .create = create, .destroy = destroy, .choose = choose};
