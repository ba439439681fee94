/* SPDX-License-Identifier: BSD-3-Clause */
/* Grows the tree of winners by size. Its nodes are split as those of a regression tree are, and
 * pruned from below (Breiman, Friedman, Olshen and Stone, Classification and Regression Trees,
 * 1984, chapters 3 and 8); but what a leaf predicts is no mean of numbers: it is a variant. */
#include "commands/export/sizes.h"

#include <math.h>
#include <stdint.h>

#include <clopt/memory.h>

#define LEAST_GAIN 0.01
#define RISK       0.05 /* that a loss exceeds its bound */

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
        sum += loss;
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

/* Finds the cut after which both parts cost least; false: all sizes are equal. */
static bool find_cut(const struct clopt_size_table *table, struct node *node, unsigned *dimension,
                     size_t *after)
{
    double least = INFINITY;
    bool found = false;
    size_t variant;
    for (unsigned d = 0; d < table->dimensions; d++) {
        sort(table, node, d);
        for (size_t i = 1; i < node->count; i++) {
            struct node parts[2];
            if (table->global[node->sizes[i - 1]][d] == table->global[node->sizes[i]][d])
                continue;
            divide(table, node, d, i, parts);
            double cost = choose(table, &parts[0], &variant) + choose(table, &parts[1], &variant);
            if (found && cost >= least)
                continue;
            found = true;
            least = cost;
            *dimension = d;
            *after = i;
        }
    }
    return found;
}

static void add_leaf(const struct clopt_size_table *table, struct clopt_size_ranges *ranges,
                     const struct node *node, size_t variant)
{
    double most = 0;
    struct clopt_size_range *leaf =
        clopt_array_add(&ranges->items, &ranges->count, sizeof *ranges->items);
    *leaf = node->range;
    leaf->variant = variant;
    leaf->sizes = node->count;
    for (size_t i = 0; i < node->count; i++) {
        double items = 1;
        for (unsigned d = 0; d < table->dimensions; d++)
            items *= (double)table->global[node->sizes[i]][d];
        if (items > most)
            leaf->largest = node->sizes[i];
        most = fmax(most, items);
    }
}

/* Grows a node with all that is below it, and prunes what does not pay; returns what it costs.
 * `price` is that of a leaf. */
static double grow(const struct clopt_size_table *table, struct node *node, double price,
                   struct clopt_size_ranges *ranges)
{
    size_t variant = 0, first = ranges->count, after = 0;
    unsigned d = 0;
    double own = choose(table, node, &variant) + price;
    if (find_cut(table, node, &d, &after)) {
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

/* Grows a tree of all sizes but those that are equal to `without`; NULL: of all. */
static struct clopt_size_ranges grow_without(const struct clopt_size_table *table,
                                             const size_t *without)
{
    struct clopt_size_ranges ranges = {0};
    CLOPT_FREED size_t *sizes = clopt_calloc(table->size_count, sizeof *sizes);
    struct node all = {sizes, 0, {.high = {SIZE_MAX, SIZE_MAX, SIZE_MAX}}};
    for (size_t i = 0; i < table->size_count; i++) {
        bool same = without;
        for (unsigned d = 0; d < table->dimensions && same; d++)
            same = table->global[i][d] == without[d];
        if (!same)
            sizes[all.count++] = i;
    }
    if (all.count)
        grow(table, &all, LEAST_GAIN * (double)all.count, &ranges);
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

/* Leaves each size out, and adds what the tree of the others loses there to its range. */
struct clopt_size_ranges clopt_size_ranges_grow(const struct clopt_size_table *table)
{
    struct clopt_size_ranges ranges = grow_without(table, NULL);
    size_t tested = 0;
    double sum = 0;
    for (size_t i = 0; i < table->size_count; i++) {
        const size_t *global = table->global[i];
        CLOPT_OWNED(clopt_size_ranges) others = grow_without(table, global);
        const struct clopt_size_range *chosen =
            clopt_size_ranges_find(&others, table->dimensions, global);
        struct clopt_size_range *range = clopt_size_ranges_find(&ranges, table->dimensions, global);
        double loss = chosen ? at(table, table->losses, chosen->variant, i) : NAN;
        if (!range || isnan(loss))
            continue;
        range->mean = (range->mean * (double)range->tested + loss) / (double)(range->tested + 1);
        range->most = fmax(range->most, loss);
        range->tested++;
        tested++;
        sum += fmax(loss, table->precision);
    }
    for (size_t i = 0; i < ranges.count && tested; i++)
        ranges.items[i].bound = fmax(ranges.items[i].most, find_bound(sum, tested));
    return ranges;
}

void clopt_size_ranges_fini(struct clopt_size_ranges *ranges)
{
    free(ranges->items);
    *ranges = (struct clopt_size_ranges){0};
}
