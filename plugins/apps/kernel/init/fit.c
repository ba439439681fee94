/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds expressions of sizes for lengths that runs have shown. */
#include "fit.h"

#define MOST_PRODUCTS 256
#define MOST_TIMES    8 /* a guess */
#define MOST_DEGREE   3

/* A product of sizes, and what it is in the first run. */
struct product {
    struct kernel_bound bound;
    uint64_t value;
    unsigned degree;
};

struct search {
    const struct kernel_fit *fit;
    struct product products[MOST_PRODUCTS];
    size_t count;
};

static uint64_t value_in(const struct kernel_fit *fit, const struct kernel_bound *bound,
                         unsigned run)
{
    return kernel_bound_evaluate(bound, fit->value, fit->runs[run]);
}

static bool is_enough(const struct kernel_fit *fit, const struct kernel_bound *bound)
{
    bool enough = true;
    for (unsigned r = 0; r < CLOPT_DRAFT_RUNS; r++)
        enough &= value_in(fit, bound, r) >= fit->counts[r];
    return enough;
}

/* Adds the products of those that there are with one more size. */
static void add_size(struct search *search, unsigned size)
{
    for (size_t i = 0; i < search->count && search->count < MOST_PRODUCTS; i++) {
        const struct product *product = &search->products[i];
        struct product more = {.bound =
                                   kernel_bound_multiply(product->bound, kernel_bound_size(size)),
                               .degree = product->degree + 1};
        more.value = value_in(search->fit, &more.bound, 0);
        if (more.degree <= MOST_DEGREE && more.value)
            search->products[search->count++] = more;
    }
}

static int compare(const void *a, const void *b)
{
    const struct product *x = a, *y = b;
    return x->value != y->value ? (x->value > y->value) - (x->value < y->value)
                                : (x->degree > y->degree) - (x->degree < y->degree);
}

/* How many times a bound is needed in a run. */
static int64_t times_in(const struct kernel_fit *fit, const struct kernel_bound *bound,
                        unsigned run)
{
    uint64_t value = value_in(fit, bound, run);
    return value ? (int64_t)((fit->counts[run] + value - 1) / value) : 0;
}

/* The guess so many times, where that is as many in all runs; or the smallest product. */
static struct kernel_bound cover(const struct search *search, const struct kernel_bound *guess)
{
    int64_t times = times_in(search->fit, guess, 0);
    if (times > 0 && times <= MOST_TIMES &&
        (!search->fit->counts[1] || times_in(search->fit, guess, 1) == times))
        return kernel_bound_multiply(*guess, kernel_bound_constant(times));
    for (size_t i = 1; i < search->count; i++)
        if (is_enough(search->fit, &search->products[i].bound))
            return search->products[i].bound;
    const uint64_t *counts = search->fit->counts;
    return kernel_bound_constant((int64_t)(counts[0] > counts[1] ? counts[0] : counts[1]));
}

struct kernel_bound kernel_fit(const struct kernel_fit *fit, const struct kernel_bound *guess)
{
    struct search search = {.fit = fit, .count = 1};
    if (is_enough(fit, guess))
        return *guess;
    int64_t number;
    if (fit->counts[0] == fit->counts[1] ||
        (kernel_bound_is_number(guess, &number) && !fit->counts[1]))
        return kernel_bound_constant((int64_t)fit->counts[0]);
    search.products[0] = (struct product){kernel_bound_constant(1), 1, 0};
    for (size_t i = 0; i < fit->size_count; i++)
        add_size(&search, fit->sizes[i]);
    for (unsigned d = 0; d < fit->dimensions; d++)
        add_size(&search, KERNEL_LOCAL_SIZE + d);
    qsort(search.products, search.count, sizeof *search.products, compare);
    return cover(&search, guess);
}
