/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes with sums of products of sizes. */
#include "bound.h"

struct kernel_bound kernel_bound_constant(int64_t value)
{
    return (struct kernel_bound){true, clopt_affine_constant(value)};
}

struct kernel_bound kernel_bound_size(unsigned size)
{
    return (struct kernel_bound){true, clopt_affine_symbol(size)};
}

struct kernel_bound kernel_bound_add(struct kernel_bound a, struct kernel_bound b, int64_t factor)
{
    a.known = a.known && b.known && clopt_affine_add(&a.sum, &b.sum, factor);
    return a;
}

struct kernel_bound kernel_bound_plus(struct kernel_bound a, int64_t value)
{
    return kernel_bound_add(a, kernel_bound_constant(value), 1);
}

struct kernel_bound kernel_bound_multiply(struct kernel_bound a, struct kernel_bound b)
{
    a.known = a.known && b.known && clopt_affine_multiply(&a.sum, &b.sum);
    return a;
}

/* Takes a symbol out of a term once; false where it is not in it. */
static bool divide(struct clopt_term *term, unsigned symbol)
{
    unsigned at = 0;
    while (at < CLOPT_TERM_SYMBOLS && term->symbols[at] != symbol)
        at++;
    if (at == CLOPT_TERM_SYMBOLS || !symbol)
        return false;
    for (; at + 1 < CLOPT_TERM_SYMBOLS; at++)
        term->symbols[at] = term->symbols[at + 1];
    term->symbols[at] = 0;
    return true;
}

bool kernel_bound_divide(struct kernel_bound *bound, unsigned size)
{
    return bound->sum.count == 1 && divide(&bound->sum.terms[0], size);
}

struct kernel_bound kernel_bound_divide_up(struct kernel_bound bound, int64_t number)
{
    for (unsigned i = 0; i < bound.sum.count; i++) {
        int64_t *factor = &bound.sum.terms[i].factor;
        *factor = *factor > 0 ? (*factor + number - 1) / number : *factor / number;
    }
    return bound;
}

/* Whether all symbols of one term are among those of another. */
static bool divides(const struct clopt_term *part, struct clopt_term whole)
{
    for (unsigned i = 0; i < CLOPT_TERM_SYMBOLS && part->symbols[i]; i++)
        if (!divide(&whole, part->symbols[i]))
            return false;
    return true;
}

bool kernel_bound_covers(struct kernel_bound a, struct kernel_bound b)
{
    struct kernel_bound rest = kernel_bound_add(a, b, -1);
    struct clopt_term *terms = rest.sum.terms;
    bool covers = rest.known;
    /* What is taken away has to be made up for by terms that are multiples of it. */
    for (unsigned i = 0; i < rest.sum.count; i++) {
        for (unsigned j = 0; j < rest.sum.count && terms[i].factor < 0; j++)
            if (terms[j].factor > 0 && divides(&terms[i], terms[j])) {
                int64_t have = terms[j].factor, want = -terms[i].factor;
                int64_t used = have < want ? have : want;
                terms[j].factor -= used;
                terms[i].factor += used;
            }
        covers &= terms[i].factor >= 0;
    }
    return covers;
}

bool kernel_bound_equal(struct kernel_bound a, struct kernel_bound b)
{
    return a.known && b.known && clopt_affine_equals(&a.sum, &b.sum);
}

bool kernel_bound_is_number(const struct kernel_bound *bound, int64_t *number)
{
    return bound->known && clopt_affine_is_constant(&bound->sum, number);
}

bool kernel_bound_has(const struct kernel_bound *bound, unsigned size)
{
    return bound->known && clopt_affine_has(&bound->sum, size);
}

uint64_t kernel_bound_evaluate(const struct kernel_bound *bound, clopt_affine_symbol_value value,
                               const void *user)
{
    int64_t sum;
    bool known = bound->known && clopt_affine_compute(&bound->sum, value, user, &sum);
    return known && sum > 0 ? (uint64_t)sum : 0;
}

struct kernel_bound kernel_bound_round_up(struct kernel_bound bound)
{
    struct kernel_bound rounded = kernel_bound_constant(0);
    bool larger = false;
    for (unsigned i = 0; i < bound.sum.count; i++) {
        struct clopt_affine term = {.count = 1, .terms[0] = bound.sum.terms[i]};
        larger |= term.terms[0].factor > 0 && term.terms[0].symbols[0];
        if (term.terms[0].factor > 0)
            clopt_affine_add(&rounded.sum, &term, 1);
    }
    return larger ? rounded : bound;
}
