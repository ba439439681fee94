/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic of affine forms. */
#include "analysis/affine.h"

struct clopt_affine clopt_affine_constant(int64_t value)
{
    return (struct clopt_affine){.count = value != 0, .terms[0].factor = value};
}

struct clopt_affine clopt_affine_symbol(unsigned symbol)
{
    return (struct clopt_affine){.count = 1, .terms[0] = {1, {(unsigned short)symbol}}};
}

static int compare(const struct clopt_term *a, const struct clopt_term *b)
{
    for (unsigned i = 0; i < CLOPT_TERM_SYMBOLS; i++)
        if (a->symbols[i] != b->symbols[i])
            return a->symbols[i] < b->symbols[i] ? -1 : 1;
    return 0;
}

static void remove_term(struct clopt_affine *affine, unsigned at)
{
    affine->count--;
    memmove(&affine->terms[at], &affine->terms[at + 1],
            (affine->count - at) * sizeof affine->terms[0]);
    affine->terms[affine->count] = (struct clopt_term){0};
}

static bool add_term(struct clopt_affine *affine, const struct clopt_term *term)
{
    unsigned at = 0;
    if (!term->factor)
        return true;
    while (at < affine->count && compare(&affine->terms[at], term) < 0)
        at++;
    struct clopt_term *slot = &affine->terms[at];
    if (at < affine->count && compare(slot, term) == 0) {
        if (__builtin_add_overflow(slot->factor, term->factor, &slot->factor))
            return false;
        if (!slot->factor)
            remove_term(affine, at);
        return true;
    }
    if (affine->count == CLOPT_AFFINE_TERMS)
        return false;
    memmove(slot + 1, slot, (affine->count - at) * sizeof *slot);
    *slot = *term;
    affine->count++;
    return true;
}

bool clopt_affine_add(struct clopt_affine *a, const struct clopt_affine *b, int64_t factor)
{
    const struct clopt_affine added = *b; /* which may be `a` itself */
    a->wraps |= added.wraps;
    for (unsigned i = 0; i < added.count; i++) {
        struct clopt_term term = added.terms[i];
        if (__builtin_mul_overflow(term.factor, factor, &term.factor) || !add_term(a, &term))
            return false;
    }
    return true;
}

/* Merges the symbols of two terms. */
static bool multiply_term(const struct clopt_term *a, const struct clopt_term *b,
                          struct clopt_term *product)
{
    unsigned i = 0;
    unsigned j = 0;
    *product = (struct clopt_term){0};
    if (__builtin_mul_overflow(a->factor, b->factor, &product->factor))
        return false;
    for (unsigned k = 0; k < CLOPT_TERM_SYMBOLS; k++) {
        unsigned short x = i < CLOPT_TERM_SYMBOLS ? a->symbols[i] : 0;
        unsigned short y = j < CLOPT_TERM_SYMBOLS ? b->symbols[j] : 0;
        bool first = x && (!y || x <= y);
        product->symbols[k] = first ? x : y;
        i += first;
        j += !first && y;
    }
    return (i == CLOPT_TERM_SYMBOLS || !a->symbols[i]) &&
           (j == CLOPT_TERM_SYMBOLS || !b->symbols[j]);
}

bool clopt_affine_multiply(struct clopt_affine *a, const struct clopt_affine *b)
{
    struct clopt_affine product = {.wraps = a->wraps || b->wraps};
    for (unsigned i = 0; i < a->count; i++)
        for (unsigned j = 0; j < b->count; j++) {
            struct clopt_term term;
            if (!multiply_term(&a->terms[i], &b->terms[j], &term) || !add_term(&product, &term))
                return false;
        }
    *a = product;
    return true;
}

bool clopt_affine_operate(struct clopt_affine *a, const char *op, const struct clopt_affine *b)
{
    int64_t shift;
    if (strcmp(op, "+") == 0 || strcmp(op, "-") == 0)
        return clopt_affine_add(a, b, *op == '-' ? -1 : 1);
    if (strcmp(op, "*") == 0)
        return clopt_affine_multiply(a, b);
    if (strcmp(op, "<<") != 0 || !clopt_affine_is_constant(b, &shift) || shift < 0 || shift > 31)
        return false;
    const struct clopt_affine factor = clopt_affine_constant(INT64_C(1) << shift);
    return clopt_affine_multiply(a, &factor);
}

int clopt_affine_compare(const struct clopt_affine *a, const struct clopt_affine *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (unsigned i = 0; i < a->count; i++) {
        int order = compare(&a->terms[i], &b->terms[i]);
        if (order || a->terms[i].factor != b->terms[i].factor)
            return order ? order : a->terms[i].factor < b->terms[i].factor ? -1 : 1;
    }
    return 0;
}

bool clopt_affine_is_constant(const struct clopt_affine *affine, int64_t *value)
{
    *value = affine->count ? affine->terms[0].factor : 0;
    return !affine->count || (affine->count == 1 && !affine->terms[0].symbols[0]);
}

/* Takes a symbol out of a term; returns how often it was in it. */
static unsigned take_symbol(struct clopt_term *term, unsigned symbol)
{
    struct clopt_term rest = {.factor = term->factor};
    unsigned count = 0;
    for (unsigned k = 0; k < CLOPT_TERM_SYMBOLS && term->symbols[k]; k++)
        if (term->symbols[k] == symbol)
            count++;
        else
            rest.symbols[k - count] = term->symbols[k];
    *term = rest;
    return count;
}

bool clopt_affine_has(const struct clopt_affine *affine, unsigned symbol)
{
    for (unsigned i = 0; i < affine->count; i++) {
        struct clopt_term term = affine->terms[i];
        if (take_symbol(&term, symbol))
            return true;
    }
    return false;
}

bool clopt_affine_take(struct clopt_affine *affine, unsigned symbol,
                       struct clopt_affine *coefficient)
{
    *coefficient = (struct clopt_affine){.wraps = affine->wraps};
    for (unsigned i = affine->count; i-- > 0;) {
        struct clopt_term term = affine->terms[i];
        unsigned count = take_symbol(&term, symbol);
        if (count > 1 || (count && !add_term(coefficient, &term)))
            return false;
        if (count)
            remove_term(affine, i);
    }
    return true;
}

bool clopt_affine_factor(const struct clopt_affine *affine, unsigned symbol, int64_t *factor)
{
    struct clopt_affine rest = *affine, coefficient;
    return clopt_affine_take(&rest, symbol, &coefficient) &&
           clopt_affine_is_constant(&coefficient, factor);
}
