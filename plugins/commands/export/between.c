/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes times at sizes between those that were measured. A launch is a number of work-groups, of
 * which each compute unit runs some at a time: it takes as many rounds of these as the unit with
 * the most. So a launch of 144 work-groups on 132 units takes two rounds, as one of 264 does, which
 * no interpolation of times shows; the time of a round changes smoothly with the size, and is what
 * is interpolated. */
#include <math.h>
#include <stdint.h>

#include <clopt/memory.h>
#include <clopt/ndrange.h>

#include "commands/export/sizes.h"

#define STEPS       8    /* into which a factor of two is divided, */
#define MOST_STEPS  24   /* but no more than so many between two sizes */
#define MOST_GAPS   64   /* between two sizes, of a table */
#define SCATTER     0.05 /* of times of a round around smooth ones */
#define LAUNCHES    10   /* parts of the shortest time, of which the launch may be some */
#define RESIDENTS   6    /* numbers of work-groups that a compute unit may run at a time: */
#define RESIDENT(i) ((size_t)1 << (i) >> 1)

static double at(const struct clopt_size_table *table, const double *values, size_t variant,
                 size_t size)
{
    return values[variant * table->size_count + size];
}

/* Returns how much work a launch is: the logarithm of its work-items. */
static double find_work(const struct clopt_size_table *table, const size_t global[3])
{
    double work = 0;
    for (unsigned d = 0; d < table->dimensions; d++)
        work += log((double)global[d]);
    return work;
}

/* ---- neighbours ---- */

/* Whether a size is in no dimension larger than another one, and in one smaller. */
static bool is_below(const struct clopt_size_table *table, size_t low, size_t high)
{
    bool smaller = false, larger = false;
    for (unsigned d = 0; d < table->dimensions; d++) {
        smaller |= table->global[low][d] < table->global[high][d];
        larger |= table->global[low][d] > table->global[high][d];
    }
    return smaller && !larger;
}

/* Whether a size is below another one, and no third one lies between them. */
static bool are_neighbours(const struct clopt_size_table *table, size_t low, size_t high)
{
    bool near = is_below(table, low, high);
    for (size_t i = 0; i < table->size_count && near; i++)
        near = !is_below(table, low, i) || !is_below(table, i, high);
    return near;
}

/* Two neighbours, and into how many steps what lies between them is divided. */
struct gap {
    size_t low, high, steps;
};

struct gaps {
    struct gap *items;
    size_t count;
};

static void gaps_fini(struct gaps *gaps)
{
    free(gaps->items);
}

static size_t count_steps(const struct clopt_size_table *table, size_t low, size_t high)
{
    double most = 1;
    for (unsigned d = 0; d < table->dimensions; d++)
        most = fmax(most, (double)table->global[high][d] / (double)table->global[low][d]);
    double steps = fmin(round(STEPS * log2(most)), MOST_STEPS);
    return (size_t)fmax(steps, 1);
}

static struct gaps find_gaps(const struct clopt_size_table *table)
{
    struct gaps gaps = {0};
    for (size_t low = 0; low < table->size_count; low++)
        for (size_t high = 0; high < table->size_count && gaps.count < MOST_GAPS; high++)
            if (are_neighbours(table, low, high))
                *(struct gap *)clopt_array_add(&gaps.items, &gaps.count, sizeof *gaps.items) =
                    (struct gap){low, high, count_steps(table, low, high)};
    return gaps;
}

/* ---- times ---- */

/* What is known of times: each is that of a launch, and of its rounds. */
struct model {
    const struct clopt_size_table *table;
    const struct gaps *gaps;
    double launch_ns;
};

/* Returns how many rounds a variant's launch takes; `resident` 0: nothing is known of them. */
static double count_rounds(const struct clopt_size_table *table, size_t variant,
                           const size_t global[3], size_t resident)
{
    if (!resident)
        return 1;
    size_t groups = table->count_groups(table->user, variant, global);
    size_t most = clopt_divide_up(groups, table->compute_units); /* that a unit has */
    return fmax(1, (double)most / (double)resident);
}

/* Returns the logarithm of a variant's time for a round at a measured size; NaN: not known. */
static double find_round(const struct model *model, size_t variant, size_t size, size_t resident)
{
    const struct clopt_size_table *table = model->table;
    double time = table->best_ns[size] * (1 + at(table, table->losses, variant, size));
    return log((time - model->launch_ns) /
               count_rounds(table, variant, table->global[size], resident));
}

/* Interpolates that between two measured sizes. */
static double interpolate(const struct model *model, size_t variant, size_t low, size_t high,
                          const size_t global[3], size_t resident)
{
    double first = find_work(model->table, model->table->global[low]),
           last = find_work(model->table, model->table->global[high]);
    double share = (find_work(model->table, global) - first) / (last - first);
    return (1 - share) * find_round(model, variant, low, resident) +
           share * find_round(model, variant, high, resident);
}

/* Returns by how much measured times of a round differ from what those beside them say. */
static double find_error(const struct model *model, size_t variant, size_t resident)
{
    double sum = 0;
    for (size_t g = 0; g < model->gaps->count; g++)
        for (size_t h = 0; h < model->gaps->count; h++) {
            const struct gap *before = &model->gaps->items[g], *after = &model->gaps->items[h];
            if (before->high != after->low)
                continue;
            double error = find_round(model, variant, after->low, resident) -
                           interpolate(model, variant, before->low, after->high,
                                       model->table->global[after->low], resident);
            sum += isnan(error) ? 0 : error * error;
        }
    return sum;
}

/* Finds how probable it is that a compute unit runs 0 (nothing is known of rounds), 1, 2, 4, ...
 * work-groups of a variant at a time: the smoother the time of a round, the more. Returns the least
 * error. */
static double weigh_residents(const struct model *model, size_t variant, double shares[RESIDENTS])
{
    double errors[RESIDENTS], least = INFINITY, sum = 0;
    for (size_t r = 0; r < RESIDENTS; r++) {
        errors[r] = find_error(model, variant, RESIDENT(r));
        least = fmin(least, errors[r]);
    }
    for (size_t r = 0; r < RESIDENTS; r++) {
        shares[r] = exp((least - errors[r]) / (2 * SCATTER * SCATTER));
        sum += shares[r];
    }
    for (size_t r = 0; r < RESIDENTS; r++)
        shares[r] /= sum;
    return least;
}

/* Finds the part of all times that does not depend on the size, by what makes the times of rounds
 * smoothest. */
static double find_launch(struct model *model)
{
    double shortest = INFINITY, least = INFINITY, found = 0, shares[RESIDENTS];
    for (size_t i = 0; i < model->table->size_count; i++)
        shortest = fmin(shortest, model->table->best_ns[i]);
    for (size_t i = 0; i < LAUNCHES; i++) {
        double error = 0;
        model->launch_ns = shortest * (double)i / LAUNCHES;
        for (size_t v = 0; v < model->table->variant_count; v++)
            error += weigh_residents(model, v, shares);
        if (error >= least)
            continue;
        least = error;
        found = model->launch_ns;
    }
    return found;
}

/* Computes a variant's time at a size in a gap. */
static double compute_time(const struct model *model, size_t variant, const struct gap *gap,
                           const size_t global[3], const double shares[RESIDENTS])
{
    double time = 0;
    for (size_t r = 0; r < RESIDENTS; r++)
        time += shares[r] * (interpolate(model, variant, gap->low, gap->high, global, RESIDENT(r)) +
                             log(count_rounds(model->table, variant, global, RESIDENT(r))));
    return model->launch_ns + exp(time);
}

/* ---- columns ---- */

static struct clopt_size_columns make_columns(const struct clopt_size_table *table, size_t most)
{
    size_t cells = most * table->variant_count;
    struct clopt_size_columns columns = {.table = *table};
    columns.global = clopt_calloc(most, sizeof *columns.global);
    columns.losses = clopt_calloc(cells, sizeof *columns.losses);
    columns.gains = clopt_calloc(cells, sizeof *columns.gains);
    columns.best_ns = clopt_calloc(most, sizeof *columns.best_ns);
    columns.weights = clopt_calloc(most, sizeof *columns.weights);
    columns.table.global = (const void *)columns.global;
    columns.table.losses = columns.losses;
    columns.table.gains = columns.gains;
    columns.table.best_ns = table->best_ns ? columns.best_ns : NULL;
    columns.table.weights = columns.weights;
    columns.table.size_count = most;
    return columns;
}

void clopt_size_columns_fini(struct clopt_size_columns *columns)
{
    free(columns->global);
    free(columns->losses);
    free(columns->gains);
    free(columns->best_ns);
    free(columns->weights);
}

static void copy_column(const struct clopt_size_table *table, size_t from,
                        struct clopt_size_columns *columns, size_t to)
{
    memcpy(columns->global[to], table->global[from], sizeof columns->global[to]);
    columns->weights[to] = table->weights ? table->weights[from] : 1;
    columns->best_ns[to] = table->best_ns ? table->best_ns[from] : 0;
    for (size_t v = 0; v < table->variant_count; v++) {
        size_t cell = v * columns->table.size_count + to;
        columns->losses[cell] = at(table, table->losses, v, from);
        columns->gains[cell] = at(table, table->gains, v, from);
    }
}

struct clopt_size_columns clopt_size_columns_copy(const struct clopt_size_table *table,
                                                  const size_t *without)
{
    size_t count = 0;
    CLOPT_FREED size_t *kept = clopt_calloc(table->size_count, sizeof *kept);
    for (size_t i = 0; i < table->size_count; i++) {
        bool same = without;
        for (unsigned d = 0; d < table->dimensions && same; d++)
            same = table->global[i][d] == without[d];
        if (!same)
            kept[count++] = i;
    }
    struct clopt_size_columns columns = make_columns(table, count);
    for (size_t i = 0; i < count; i++)
        copy_column(table, kept[i], &columns, i);
    return columns;
}

/* ---- between ---- */

/* Returns the end of a gap that is nearer to a size. */
static size_t find_nearer(const struct clopt_size_table *table, const struct gap *gap,
                          const size_t global[3])
{
    double work = find_work(table, global);
    bool low = work - find_work(table, table->global[gap->low]) <
               find_work(table, table->global[gap->high]) - work;
    return low ? gap->low : gap->high;
}

/* Computes the times of all variants at a size in a gap. Who was measured at its nearer end alone
 * is as much faster than the initial code as there. */
static void compute_times(const struct model *model, double (*shares)[RESIDENTS],
                          const struct gap *gap, const size_t global[3], double *times)
{
    const struct clopt_size_table *table = model->table;
    size_t near = find_nearer(table, gap, global);
    double initial = 1 + at(table, table->losses, 0, near);
    for (size_t v = 0; v < table->variant_count; v++) {
        times[v] = compute_time(model, v, gap, global, shares[v]);
        if (isnan(times[v]))
            times[v] = times[0] * (1 + at(table, table->losses, v, near)) / initial;
    }
}

/* Tells whether a variant gains at a size in a gap where it takes `time`, and the initial code
 * `initial`: as at both ends, as far as it was measured there. */
static double find_gain(const struct clopt_size_table *table, const struct gap *gap, size_t variant,
                        double time, double initial)
{
    double first = at(table, table->gains, variant, gap->low),
           last = at(table, table->gains, variant, gap->high);
    if (variant && time >= initial)
        return -1;
    return fmin(first, last) < 0 ? 0 : fmax(first, last);
}

/* Computes what variants lose at a size in a gap. */
static void compute_column(const struct model *model, double (*shares)[RESIDENTS],
                           const struct gap *gap, struct clopt_size_columns *columns, size_t to)
{
    const struct clopt_size_table *table = model->table;
    const size_t *global = columns->global[to], stride = columns->table.size_count;
    double least = INFINITY;
    CLOPT_FREED double *times = clopt_calloc(table->variant_count, sizeof *times);
    compute_times(model, shares, gap, global, times);
    for (size_t v = 0; v < table->variant_count; v++)
        least = fmin(least, times[v]);
    columns->best_ns[to] = least;
    columns->weights[to] = 1 / (double)(gap->steps - 1);
    for (size_t v = 0; v < table->variant_count; v++) {
        columns->losses[v * stride + to] = times[v] / least - 1;
        columns->gains[v * stride + to] = find_gain(table, gap, v, times[v], *times);
    }
}

/* Computes all columns of a gap. */
static void fill_gap(const struct model *model, double (*shares)[RESIDENTS], const struct gap *gap,
                     struct clopt_size_columns *columns, size_t to)
{
    const size_t *low = model->table->global[gap->low], *high = model->table->global[gap->high];
    for (size_t step = 1; step < gap->steps; step++, to++) {
        double share = (double)step / (double)gap->steps;
        for (unsigned d = 0; d < model->table->dimensions; d++)
            columns->global[to][d] =
                (size_t)lround((double)low[d] * pow((double)high[d] / (double)low[d], share));
        compute_column(model, shares, gap, columns, to);
    }
}

struct clopt_size_columns clopt_size_columns_between(const struct clopt_size_table *table)
{
    size_t count = table->size_count;
    CLOPT_OWNED(gaps) gaps = find_gaps(table);
    CLOPT_FREED double(*shares)[RESIDENTS] = clopt_calloc(table->variant_count, sizeof *shares);
    struct model model = {table, &gaps, 0};
    model.launch_ns = find_launch(&model);
    for (size_t v = 0; v < table->variant_count; v++)
        weigh_residents(&model, v, shares[v]);
    for (size_t g = 0; g < gaps.count; g++)
        count += gaps.items[g].steps - 1;
    struct clopt_size_columns columns = make_columns(table, count);
    columns.table.measured = table->size_count;
    for (size_t i = 0; i < table->size_count; i++)
        copy_column(table, i, &columns, i);
    count = table->size_count;
    for (size_t g = 0; g < gaps.count; g++) {
        fill_gap(&model, shares, &gaps.items[g], &columns, count);
        count += gaps.items[g].steps - 1;
    }
    return columns;
}
