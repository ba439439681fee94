/* SPDX-License-Identifier: BSD-3-Clause */
/* A search that a model guides: a forest predicts the logarithm of the times of points, and that
 * point is tried next from which the largest improvement is expected a second (Jones, Schonlau and
 * Welch, Efficient global optimization, 1998; with forests, Hutter, Hoos and Leyton-Brown, 2011).
 */
#include <math.h>

#include <clopt/memory.h>

#include "model/regression.h"
#include "strategies/strategies.h"

#define DRAWN_FIRST  10 /* trials before the first forest; spread out evenly, they help no more */
#define TREES        40
#define COST_TREES   10
#define MOST_FAILED  64 /* that are learnt from, spread evenly: each costs time */
#define BEST_POINTS  5  /* of which all neighbours are candidates */
#define DRAWN_POINTS 500

#define MOST_MULTIPLIED 8 /* parameters; more would have too many products */

/* A parameter, or two of them, and what is made of their values. */
struct source {
    size_t first;
    size_t second; /* of a product; else `first` */
    bool alignment;
};

struct model {
    struct clopt_feature *features; /* what trees may ask about a point */
    struct source *sources;         /* what each is computed from */
    size_t feature_count;
    size_t *neighbours;
    double *values; /* of one candidate */
};

/* What is learnt from: a row a trial. */
struct record {
    double *values;
    double *times; /* logarithms; of what failed, that of the slowest */
    double *costs;
    size_t count;
    bool costly; /* some costs are known */
};

static void record_fini(struct record *record)
{
    free(record->values);
    free(record->times);
    free(record->costs);
}

/* What candidates are compared by. */
struct comparison {
    struct clopt_search *search;
    struct clopt_forest times;
    struct clopt_forest costs; /* without trees: not known */
    double best;               /* logarithm of the best time */
    double most;               /* expected of the best candidate so far */
    size_t *point;             /* the best candidate */
    bool chosen;
};

/* ---- what trees ask about a point ---- */

static void add_feature(struct model *model, const struct clopt_domain *domain,
                        struct source source)
{
    bool categories = !domain->values && domain->count <= CLOPT_MOST_CATEGORIES;
    model->features[model->feature_count] = (struct clopt_feature){
        .name = domain->name, .category_count = categories ? domain->count : 0};
    model->sources[model->feature_count++] = source;
}

/* Whether more can be made of a parameter than a choice of two. */
static bool is_number(const struct clopt_domain *domain)
{
    return domain->values && domain->count > 2;
}

/* Chooses the features: each parameter; of numbers, the largest power of two that divides them
 * (alignment, whole vectors); and the product of each two (work-items of a group, size of a tile).
 */
static void choose_features(struct model *model, const struct clopt_search_space *space)
{
    size_t numbers = 0, most = space->count * (space->count + 2) + 1;
    model->features = clopt_calloc(most, sizeof *model->features);
    model->sources = clopt_calloc(most, sizeof *model->sources);
    for (size_t i = 0; i < space->count; i++)
        numbers += is_number(&space->domains[i]);
    for (size_t i = 0; i < space->count; i++) {
        const struct clopt_domain *domain = &space->domains[i];
        if (domain->count < 2)
            continue;
        add_feature(model, domain, (struct source){i, i, false});
        if (!is_number(domain))
            continue;
        add_feature(model, domain, (struct source){i, i, true});
        for (size_t j = i + 1; j < space->count && numbers <= MOST_MULTIPLIED; j++)
            if (is_number(&space->domains[j]))
                add_feature(model, domain, (struct source){i, j, false});
    }
}

static double value_of(const struct clopt_domain *domain, size_t value)
{
    return domain->values ? domain->values[value].real : (double)value;
}

/* Returns the largest power of two that divides a number: a huge one for 0, and 0 for what is not
 * whole. */
static double align(double value)
{
    int exponent = 0;
    if (value == 0)
        return 0x1p53;
    if (value != floor(value) || fabs(value) > 0x1p53)
        return 0;
    double rest = fabs(value);
    for (; fmod(rest, 2) == 0; exponent++)
        rest /= 2;
    return ldexp(1, exponent);
}

/* Computes all features of a point. */
static void fill(const struct clopt_search *search, const size_t *point, double *values)
{
    const struct model *model = search->state;
    const struct clopt_domain *domains = search->space->domains;
    for (size_t i = 0; i < model->feature_count; i++) {
        const struct source *source = &model->sources[i];
        values[i] = value_of(&domains[source->first], point[source->first]);
        if (source->second != source->first)
            values[i] *= value_of(&domains[source->second], point[source->second]);
        if (source->alignment)
            values[i] = align(values[i]);
    }
}

static void create(struct clopt_search *search)
{
    struct model *model = clopt_calloc(1, sizeof *model);
    size_t limit = clopt_neighbour_limit(search->space);
    search->state = model;
    choose_features(model, search->space);
    model->values = clopt_calloc(model->feature_count, sizeof *model->values);
    model->neighbours = clopt_calloc((limit + 1) * (search->space->count + 1), sizeof(size_t));
}

static void destroy(struct clopt_search *search)
{
    CLOPT_FREED struct model *model = search->state;
    free(model->features);
    free(model->sources);
    free(model->values);
    free(model->neighbours);
}

/* ---- learning ---- */

static double find_worst(const struct clopt_search *search)
{
    double worst = 0;
    for (size_t i = 0; i < search->points.count; i++)
        if (search->trials[i].state == CLOPT_SEARCH_RIGHT)
            worst = fmax(worst, search->trials[i].time);
    return worst;
}

/* Takes what costs are not known for the mean of those that are. */
static void complete_costs(struct record *record)
{
    double sum = 0;
    size_t known = 0;
    for (size_t i = 0; i < record->count; i++)
        if (isfinite(record->costs[i])) {
            sum += record->costs[i];
            known++;
        }
    record->costly = known;
    for (size_t i = 0; i < record->count && known; i++)
        if (!isfinite(record->costs[i]))
            record->costs[i] = sum / (double)known;
}

/* Takes trials of which nothing has been told yet to end as a small forest predicts: else points
 * that are asked for together would be near each other. */
static void believe(struct clopt_search *search, struct record *record,
                    struct clopt_observations *observations,
                    const struct clopt_regression_rules *rules)
{
    size_t width = observations->feature_count;
    if (record->count == search->points.count)
        return;
    CLOPT_OWNED(clopt_forest) forest = clopt_forest_grow(observations, rules, COST_TREES);
    for (size_t i = 0; i < search->points.count; i++) {
        double *values = record->values + record->count * width;
        if (search->trials[i].state != CLOPT_SEARCH_PENDING)
            continue;
        fill(search, clopt_search_point(search, i), values);
        record->costs[record->count] = NAN;
        record->times[record->count++] =
            clopt_forest_predict(&forest, observations->features, values).mean;
    }
    observations->count = record->count;
}

static struct record collect(const struct clopt_search *search)
{
    const struct model *model = search->state;
    size_t count = search->points.count, width = model->feature_count, failed = 0, seen = 0;
    double worst = find_worst(search);
    for (size_t i = 0; i < count; i++)
        failed += search->trials[i].state == CLOPT_SEARCH_FAILED;
    struct record record = {
        .values = clopt_calloc(count * width, sizeof *record.values),
        .times = clopt_calloc(count, sizeof *record.times),
        .costs = clopt_calloc(count, sizeof *record.costs),
    };
    for (size_t i = 0; i < count; i++) {
        const struct clopt_search_trial *trial = &search->trials[i];
        if (trial->state == CLOPT_SEARCH_PENDING ||
            (trial->state == CLOPT_SEARCH_FAILED && seen++ % (failed / MOST_FAILED + 1)))
            continue;
        fill(search, clopt_search_point(search, i), record.values + record.count * width);
        record.times[record.count] = log(trial->state == CLOPT_SEARCH_RIGHT ? trial->time : worst);
        record.costs[record.count++] = log(trial->cost_s);
    }
    return record;
}

static void learn(struct comparison *comparison)
{
    struct clopt_search *search = comparison->search;
    const struct model *model = search->state;
    const struct clopt_regression_rules rules = {.least_leaf = 1,
                                                 .least_split = 3,
                                                 .tried_features = (model->feature_count + 1) / 2,
                                                 .resampled = true,
                                                 .random = &search->random};
    CLOPT_OWNED(record) record = collect(search);
    struct clopt_observations observations = {model->features, model->feature_count, record.values,
                                              record.times, record.count};
    believe(search, &record, &observations, &rules);
    comparison->times = clopt_forest_grow(&observations, &rules, TREES);
    complete_costs(&record);
    observations.targets = record.costs;
    if (record.costly)
        comparison->costs = clopt_forest_grow(&observations, &rules, COST_TREES);
}

/* ---- choosing ---- */

/* Returns what a normal distribution is expected to be below `best`. */
static double expect_improvement(double best, const struct clopt_prediction *prediction)
{
    double deviation = sqrt(prediction->variance), gain = best - prediction->mean;
    if (deviation <= 0)
        return fmax(gain, 0);
    double z = gain / deviation;
    double density = exp(-0.5 * z * z) / sqrt(2 * acos(-1));
    return gain * 0.5 * erfc(-z / sqrt(2)) + deviation * density;
}

/* Takes a candidate from which more is expected than from those before. Few are, and those alone
 * are asked whether they are feasible: that takes longer than all else. */
static void consider(struct comparison *comparison, const size_t *candidate)
{
    struct clopt_search *search = comparison->search;
    struct model *model = search->state;
    if (clopt_keys_find(&search->points, candidate) != CLOPT_NO_TRIAL)
        return;
    fill(search, candidate, model->values);
    struct clopt_prediction time =
        clopt_forest_predict(&comparison->times, model->features, model->values);
    double expected = expect_improvement(comparison->best, &time);
    if (comparison->costs.count)
        expected /=
            exp(clopt_forest_predict(&comparison->costs, model->features, model->values).mean);
    if ((comparison->chosen && expected <= comparison->most) ||
        !search->space->is_feasible(search->space->user, candidate))
        return;
    comparison->most = expected;
    comparison->chosen = true;
    memcpy(comparison->point, candidate, search->space->count * sizeof *candidate);
}

static bool is_any(const void *user, const size_t *point)
{
    (void)user;
    (void)point;
    return true;
}

/* Considers the neighbours of the best points, in a space where all are feasible. */
static void consider_neighbours(struct comparison *comparison,
                                const struct clopt_search_space *space)
{
    const struct clopt_search *search = comparison->search;
    const struct model *model = search->state;
    size_t best[BEST_POINTS], count = 0, width = search->space->count;
    for (size_t i = 0; i < search->points.count; i++) {
        const struct clopt_search_trial *trials = search->trials;
        size_t at = count;
        if (trials[i].state != CLOPT_SEARCH_RIGHT)
            continue;
        for (; at && trials[best[at - 1]].time > trials[i].time; at--)
            if (at < BEST_POINTS)
                best[at] = best[at - 1];
        if (at < BEST_POINTS)
            best[at] = i;
        count += count < BEST_POINTS;
    }
    for (size_t i = 0; i < count; i++) {
        size_t found =
            clopt_neighbours_find(space, clopt_search_point(search, best[i]), model->neighbours);
        for (size_t n = 0; n < found; n++)
            consider(comparison, model->neighbours + n * width);
    }
}

static bool choose(struct clopt_search *search, size_t *point)
{
    const struct model *model = search->state;
    if (search->points.count < DRAWN_FIRST || search->best == CLOPT_NO_TRIAL)
        return false;
    struct comparison comparison = {
        .search = search, .best = log(search->trials[search->best].time), .point = point};
    struct clopt_search_space all = *search->space;
    all.is_feasible = is_any;
    learn(&comparison);
    consider_neighbours(&comparison, &all);
    for (size_t i = 0; i < DRAWN_POINTS; i++)
        if (clopt_search_space_draw(&all, &search->random, model->neighbours))
            consider(&comparison, model->neighbours);
    clopt_forest_fini(&comparison.times);
    clopt_forest_fini(&comparison.costs);
    return comparison.chosen;
}

const struct clopt_strategy clopt_strategy_model = {
    .standard = true, .learns = true, .create = create, .destroy = destroy, .choose = choose};
