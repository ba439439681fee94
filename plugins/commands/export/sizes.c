/* SPDX-License-Identifier: BSD-3-Clause */
/* Grows the tree of winners by size. Its nodes are split as those of a regression tree are, and
 * pruned from below (Breiman, Friedman, Olshen and Stone, Classification and Regression Trees,
 * 1984, chapters 3 and 8); but what a leaf predicts is no mean of numbers: it is a variant. */
#include "commands/export/sizes.h"

#include <math.h>
#include <stdint.h>

#include <clopt/memory.h>

#define LEAST_GAIN   0.01
#define MOST_BETWEEN 64   /* sizes with computed ones between them: more take too long */
#define RISK         0.05 /* that a loss exceeds its bound */

/* Some sizes, and the range in which they are. */
struct node {
    size_t *sizes;
    size_t count;
    struct clopt_size_range range;
};

static double at(const struct clopt_size_table *table, const double *values, size_t variant,
                 size_t size)
{
    return values[variant * table->size_count + size];
}

static double weight_of(const struct clopt_size_table *table, size_t size)
{
    return table->weights ? table->weights[size] : 1;
}

static bool is_measured(const struct clopt_size_table *table, size_t size)
{
    return !table->measured || size < table->measured;
}

/* ---- leaves ---- */

/* Returns the sum of a variant's losses at the sizes of a node; infinite: it cannot be their
 * winner. */
static double cost_of(const struct clopt_size_table *table, const struct node *node, size_t variant)
{
    double sum = 0;
    bool gains = variant == 0;
    for (size_t i = 0; i < node->count; i++) {
        double loss = at(table, table->losses, variant, node->sizes[i]);
        double gain = at(table, table->gains, variant, node->sizes[i]);
        if (isnan(loss) || gain < 0)
            return INFINITY;
        gains |= gain > 0;
        sum += loss * weight_of(table, node->sizes[i]);
    }
    return gains ? sum : INFINITY;
}

/* Chooses the variant of a node; returns what that costs. */
static double choose(const struct clopt_size_table *table, const struct node *node, size_t *chosen)
{
    double least = INFINITY;
    for (size_t v = 0; v < table->variant_count; v++) {
        double cost = cost_of(table, node, v);
        if (v > 0 && cost >= least)
            continue;
        least = cost;
        *chosen = v;
    }
    return least;
}

/* ---- splits ---- */

/* Sorts the sizes of a node by one dimension. */
static void sort(const struct clopt_size_table *table, struct node *node, unsigned d)
{
    for (size_t i = 1; i < node->count; i++)
        for (size_t k = i;
             k && table->global[node->sizes[k - 1]][d] > table->global[node->sizes[k]][d]; k--) {
            size_t size = node->sizes[k];
            node->sizes[k] = node->sizes[k - 1];
            node->sizes[k - 1] = size;
        }
}

/* Divides a sorted node after so many sizes, by the geometric mean of those beside the cut. */
static void divide(const struct clopt_size_table *table, const struct node *node, unsigned d,
                   size_t after, struct node parts[2])
{
    size_t low = table->global[node->sizes[after - 1]][d],
           high = table->global[node->sizes[after]][d];
    size_t middle = (size_t)sqrt((double)low * (double)high);
    middle = middle < low ? low : middle >= high ? high - 1 : middle;
    parts[0] = (struct node){node->sizes, after, node->range};
    parts[1] = (struct node){node->sizes + after, node->count - after, node->range};
    parts[0].range.high[d] = middle;
    parts[1].range.low[d] = middle + 1;
}

/* Returns where in a sorted node its variant begins to lose most: there one cut more does not show
 * yet what two of them gain. */
static size_t find_worst(const struct clopt_size_table *table, const struct node *node,
                         size_t variant)
{
    double most = 0;
    size_t begin = 0, worst = 0;
    for (size_t i = 0; i < node->count; i++) {
        double loss = at(table, table->losses, variant, node->sizes[i]);
        if (loss <= table->precision)
            begin = i + 1;
        if (loss <= most)
            continue;
        most = loss;
        worst = begin;
    }
    return worst;
}

/* Finds the cut after which both parts cost least; false: all sizes are equal. */
static bool find_cut(const struct clopt_size_table *table, struct node *node, size_t own,
                     unsigned *dimension, size_t *after)
{
    double least = INFINITY;
    size_t variant, nearest = 0;
    bool found = false;
    for (unsigned d = 0; d < table->dimensions; d++) {
        sort(table, node, d);
        size_t worst = find_worst(table, node, own);
        for (size_t i = 1; i < node->count; i++) {
            struct node parts[2];
            if (table->global[node->sizes[i - 1]][d] == table->global[node->sizes[i]][d])
                continue;
            divide(table, node, d, i, parts);
            double cost = choose(table, &parts[0], &variant) + choose(table, &parts[1], &variant);
            size_t far = i > worst ? i - worst : worst - i;
            if (found && (cost > least || (cost >= least && far >= nearest)))
                continue;
            found = true;
            least = cost;
            nearest = far;
            *dimension = d;
            *after = i;
        }
    }
    return found;
}

static double count_items(const struct clopt_size_table *table, size_t size)
{
    double items = 1;
    for (unsigned d = 0; d < table->dimensions; d++)
        items *= (double)table->global[size][d];
    return items;
}

/* Returns the measured size that is nearest to one that was computed, of those that a variant has a
 * time at. */
static size_t find_nearest(const struct clopt_size_table *table, size_t variant, size_t size)
{
    double least = INFINITY;
    size_t nearest = 0;
    for (size_t i = 0; i < table->measured; i++) {
        double far = fabs(log(count_items(table, i) / count_items(table, size)));
        if (isnan(at(table, table->losses, variant, i)) || far >= least)
            continue;
        least = far;
        nearest = i;
    }
    return nearest;
}

static void add_leaf(const struct clopt_size_table *table, struct clopt_size_ranges *ranges,
                     const struct node *node, size_t variant)
{
    double most = 0;
    struct clopt_size_range *leaf =
        clopt_array_add(&ranges->items, &ranges->count, sizeof *ranges->items);
    *leaf = node->range;
    leaf->variant = variant;
    for (size_t i = 0; i < node->count; i++) {
        size_t size = node->sizes[i];
        double items = count_items(table, size);
        if (!is_measured(table, size))
            continue;
        if (items > most)
            leaf->largest = size;
        most = fmax(most, items);
        for (unsigned d = 0; d < table->dimensions; d++)
            if (!leaf->sizes || table->global[size][d] < leaf->least[d])
                leaf->least[d] = table->global[size][d];
        leaf->sizes++;
    }
    if (!leaf->sizes)
        leaf->largest = find_nearest(table, variant, node->sizes[node->count / 2]);
}

/* Grows a node with all that is below it, and prunes what does not pay; returns what it costs.
 * `price` is that of a leaf. */
static double grow(const struct clopt_size_table *table, struct node *node, double price,
                   struct clopt_size_ranges *ranges)
{
    size_t variant = 0, first = ranges->count, after = 0;
    unsigned d = 0;
    double own = choose(table, node, &variant) + price;
    if (find_cut(table, node, variant, &d, &after)) {
        struct node parts[2];
        sort(table, node, d);
        divide(table, node, d, after, parts);
        double both = grow(table, &parts[0], price, ranges);
        both += grow(table, &parts[1], price, ranges);
        if (both < own)
            return both;
        ranges->count = first;
    }
    add_leaf(table, ranges, node, variant);
    return own;
}

/* Grows a tree of all sizes but those that are equal to `without` (NULL: of all), with sizes
 * between them in addition where these can be computed and are asked for. */
static struct clopt_size_ranges grow_without(const struct clopt_size_table *table,
                                             const size_t *without, bool between)
{
    struct clopt_size_ranges ranges = {0};
    CLOPT_OWNED(clopt_size_columns) kept = clopt_size_columns_copy(table, without);
    CLOPT_OWNED(clopt_size_columns) columns = {0};
    const struct clopt_size_table *grown = &kept.table;
    if (between) {
        columns = clopt_size_columns_between(&kept.table);
        grown = &columns.table;
    }
    CLOPT_FREED size_t *sizes = clopt_calloc(grown->size_count, sizeof *sizes);
    struct node all = {sizes, grown->size_count, {.high = {SIZE_MAX, SIZE_MAX, SIZE_MAX}}};
    for (size_t i = 0; i < all.count; i++)
        sizes[i] = i;
    double price = between ? table->precision : LEAST_GAIN * (double)all.count;
    if (all.count)
        grow(grown, &all, price, &ranges);
    return ranges;
}

/* ---- the whole ---- */

struct clopt_size_range *clopt_size_ranges_find(const struct clopt_size_ranges *ranges,
                                                unsigned dimensions, const size_t global[3])
{
    for (size_t i = 0; i < ranges->count; i++) {
        struct clopt_size_range *range = &ranges->items[i];
        bool in = true;
        for (unsigned d = 0; d < dimensions; d++)
            in = in && range->low[d] <= global[d] && global[d] <= range->high[d];
        if (in)
            return range;
    }
    return NULL;
}

/* Returns what one more loss exceeds with RISK, if losses are distributed exponentially, with a
 * mean of which these alone are known: the fewer, the more. That loss by the sum of n others has an
 * F distribution, by which it is more than `bound` with (1 + bound / sum)^-n (Lawless, Statistical
 * Models and Methods for Lifetime Data, 1982, chapter 3). */
static double find_bound(double sum, size_t count)
{
    return sum * (pow(RISK, -1 / (double)count) - 1);
}

/* Grows a tree; then leaves each size out, and adds what the tree of the others loses there to its
 * range. `sum` gets the losses, of those of which they are known. */
static struct clopt_size_ranges grow_tested(const struct clopt_size_table *table, bool between,
                                            double *sum, size_t *tested)
{
    struct clopt_size_ranges ranges = grow_without(table, NULL, between);
    for (size_t i = 0; i < table->size_count; i++) {
        const size_t *global = table->global[i];
        CLOPT_OWNED(clopt_size_ranges) others = grow_without(table, global, between);
        const struct clopt_size_range *chosen =
            clopt_size_ranges_find(&others, table->dimensions, global);
        struct clopt_size_range *range = clopt_size_ranges_find(&ranges, table->dimensions, global);
        double loss = chosen ? at(table, table->losses, chosen->variant, i) : NAN;
        if (!range || isnan(loss))
            continue;
        range->mean = (range->mean * (double)range->tested + loss) / (double)(range->tested + 1);
        range->most = fmax(range->most, loss);
        range->tested++;
        (*tested)++;
        *sum += fmax(loss, table->precision);
    }
    for (size_t i = 0; i < ranges.count && *tested; i++)
        ranges.items[i].bound = fmax(ranges.items[i].most, find_bound(*sum, *tested));
    return ranges;
}

struct clopt_size_ranges clopt_size_ranges_grow(const struct clopt_size_table *table,
                                                enum clopt_size_choice choice)
{
    double near_sum = 0, sum = 0;
    size_t near_tested = 0, tested = 0;
    bool can = table->best_ns && table->compute_units && table->count_groups &&
               table->size_count <= MOST_BETWEEN;
    if (choice == CLOPT_SIZES_NEAREST || !can)
        return grow_tested(table, false, &sum, &tested);
    struct clopt_size_ranges ranges = grow_tested(table, true, &sum, &tested);
    if (choice == CLOPT_SIZES_ROUNDS)
        return ranges;
    struct clopt_size_ranges near = grow_tested(table, false, &near_sum, &near_tested);
    bool better = tested >= near_tested && sum <= near_sum + table->precision;
    clopt_size_ranges_fini(better ? &near : &ranges);
    return better ? ranges : near;
}

void clopt_size_ranges_fini(struct clopt_size_ranges *ranges)
{
    free(ranges->items);
    *ranges = (struct clopt_size_ranges){0};
}
