/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes with sums of products of sizes. */
#include "bound.h"

#include <string.h>

struct kernel_bound kernel_bound_constant(int64_t value)
{
    struct kernel_bound bound = {.known = true, .count = value != 0};
    memset(bound.terms[0].sizes, KERNEL_NO_SIZE, sizeof bound.terms[0].sizes);
    bound.terms[0].factor = value;
    return bound;
}

struct kernel_bound kernel_bound_size(unsigned size)
{
    struct kernel_bound bound = kernel_bound_constant(1);
    bound.terms[0].sizes[0] = (unsigned char)size;
    return bound;
}

static bool same_sizes(const struct kernel_term *a, const struct kernel_term *b)
{
    return memcmp(a->sizes, b->sizes, sizeof a->sizes) == 0;
}

static void drop_term(struct kernel_bound *bound, size_t index)
{
    bound->count--;
    memmove(bound->terms + index, bound->terms + index + 1,
            (bound->count - index) * sizeof *bound->terms);
}

static void add_term(struct kernel_bound *bound, const struct kernel_term *term)
{
    size_t at = 0;
    while (at < bound->count && !same_sizes(&bound->terms[at], term))
        at++;
    if (at == KERNEL_MOST_TERMS) {
        bound->known = false;
        return;
    }
    if (at == bound->count) {
        bound->terms[bound->count++] = *term;
        return;
    }
    if (__builtin_add_overflow(bound->terms[at].factor, term->factor, &bound->terms[at].factor))
        bound->known = false;
    else if (bound->terms[at].factor == 0)
        drop_term(bound, at);
}

struct kernel_bound kernel_bound_add(struct kernel_bound a, struct kernel_bound b, int64_t factor)
{
    a.known = a.known && b.known;
    for (size_t i = 0; i < b.count && a.known; i++)
        if (__builtin_mul_overflow(b.terms[i].factor, factor, &b.terms[i].factor))
            a.known = false;
        else
            add_term(&a, &b.terms[i]);
    return a;
}

struct kernel_bound kernel_bound_plus(struct kernel_bound a, int64_t value)
{
    return kernel_bound_add(a, kernel_bound_constant(value), 1);
}

static size_t count_sizes(const struct kernel_term *term)
{
    size_t count = 0;
    while (count < KERNEL_MOST_FACTORS && term->sizes[count] != KERNEL_NO_SIZE)
        count++;
    return count;
}

/* Multiplies a term by another one; false where the product has too many sizes or overflows. */
static bool multiply_term(struct kernel_term *term, const struct kernel_term *other)
{
    size_t count = count_sizes(term), more = count_sizes(other);
    if (count + more > KERNEL_MOST_FACTORS ||
        __builtin_mul_overflow(term->factor, other->factor, &term->factor))
        return false;
    for (size_t i = 0; i < more; i++) {
        size_t at = count++;
        for (; at > 0 && term->sizes[at - 1] > other->sizes[i]; at--)
            term->sizes[at] = term->sizes[at - 1];
        term->sizes[at] = other->sizes[i];
    }
    return true;
}

struct kernel_bound kernel_bound_multiply(struct kernel_bound a, struct kernel_bound b)
{
    struct kernel_bound product = {.known = a.known && b.known};
    for (size_t i = 0; i < a.count; i++)
        for (size_t j = 0; j < b.count && product.known; j++) {
            struct kernel_term term = a.terms[i];
            product.known = multiply_term(&term, &b.terms[j]);
            if (product.known)
                add_term(&product, &term);
        }
    return product;
}

bool kernel_bound_divide(struct kernel_bound *bound, unsigned size)
{
    unsigned char *sizes = bound->terms[0].sizes;
    unsigned char *found = memchr(sizes, (int)size, KERNEL_MOST_FACTORS);
    if (!found)
        return false;
    memmove(found, found + 1, (size_t)(sizes + KERNEL_MOST_FACTORS - found - 1));
    sizes[KERNEL_MOST_FACTORS - 1] = KERNEL_NO_SIZE;
    return true;
}

/* Whether all sizes of one term are among those of another. */
static bool divides(const struct kernel_term *part, const struct kernel_term *whole)
{
    struct kernel_bound rest = {true, 1, {*whole}};
    for (size_t i = 0; i < count_sizes(part); i++)
        if (!kernel_bound_divide(&rest, part->sizes[i]))
            return false;
    return true;
}

bool kernel_bound_covers(struct kernel_bound a, struct kernel_bound b)
{
    struct kernel_bound rest = kernel_bound_add(a, b, -1);
    bool covers = rest.known;
    /* What is taken away has to be made up for by terms that are multiples of it. */
    for (size_t i = 0; i < rest.count; i++) {
        for (size_t j = 0; j < rest.count && rest.terms[i].factor < 0; j++)
            if (rest.terms[j].factor > 0 && divides(&rest.terms[i], &rest.terms[j])) {
                int64_t have = rest.terms[j].factor, want = -rest.terms[i].factor;
                int64_t used = have < want ? have : want;
                rest.terms[j].factor -= used;
                rest.terms[i].factor += used;
            }
        covers &= rest.terms[i].factor >= 0;
    }
    return covers;
}

bool kernel_bound_equal(struct kernel_bound a, struct kernel_bound b)
{
    struct kernel_bound rest = kernel_bound_add(a, b, -1);
    return rest.known && rest.count == 0;
}

bool kernel_bound_is_number(const struct kernel_bound *bound)
{
    return bound->count == 1 && bound->terms[0].sizes[0] == KERNEL_NO_SIZE;
}

uint64_t kernel_bound_evaluate(const struct kernel_bound *bound,
                               uint64_t (*value)(const void *user, unsigned size), const void *user)
{
    double sum = 0;
    for (size_t i = 0; i < bound->count && bound->known; i++) {
        double product = (double)bound->terms[i].factor;
        for (size_t k = 0; k < KERNEL_MOST_FACTORS; k++)
            if (bound->terms[i].sizes[k] != KERNEL_NO_SIZE)
                product *= (double)value(user, bound->terms[i].sizes[k]);
        sum += product;
    }
    return bound->known && sum > 0 && sum < 0x1p53 ? (uint64_t)sum : 0;
}

struct kernel_bound kernel_bound_round_up(struct kernel_bound bound)
{
    bool larger = false;
    for (size_t i = 0; i < bound.count; i++)
        larger |= bound.terms[i].factor > 0 && bound.terms[i].sizes[0] != KERNEL_NO_SIZE;
    for (size_t i = bound.count; larger && i-- > 0;)
        if (bound.terms[i].factor < 0)
            drop_term(&bound, i);
    return bound;
}

void kernel_bound_print(const struct kernel_bound *bound,
                        const char *(*name)(const void *user, unsigned size), const void *user,
                        FILE *output)
{
    if (!bound->count)
        fputs("0", output);
    for (size_t i = 0; i < bound->count; i++) {
        const struct kernel_term *term = &bound->terms[i];
        bool negative = term->factor < 0;
        long long factor = (long long)(negative ? -term->factor : term->factor);
        bool any = factor != 1 || term->sizes[0] == KERNEL_NO_SIZE;
        fputs(i ? negative ? " - " : " + " : negative ? "-" : "", output);
        if (any)
            fprintf(output, "%lld", factor);
        for (size_t k = 0; k < KERNEL_MOST_FACTORS && term->sizes[k] != KERNEL_NO_SIZE; k++) {
            fprintf(output, "%s%s", any ? " * " : "", name(user, term->sizes[k]));
            any = true;
        }
    }
}
