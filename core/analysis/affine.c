/* SPDX-License-Identifier: BSD-3-Clause */
/* Integer polynomials over symbols. */
#include "analysis/affine.h"

#include <string.h>

struct clopt_form clopt_form_constant(int64_t value)
{
    struct clopt_form form = {.count = value != 0};
    form.terms[0].factor = value;
    return form;
}

struct clopt_form clopt_form_symbol(unsigned symbol)
{
    struct clopt_form form = {.count = 1};
    form.terms[0].factor = 1;
    form.terms[0].symbols[0] = (unsigned short)symbol;
    return form;
}

static int compare(const struct clopt_term *a, const struct clopt_term *b)
{
    for (unsigned i = 0; i < CLOPT_TERM_SYMBOLS; i++)
        if (a->symbols[i] != b->symbols[i])
            return a->symbols[i] < b->symbols[i] ? -1 : 1;
    return 0;
}

static bool add_term(struct clopt_form *form, const struct clopt_term *term)
{
    unsigned at = 0;
    if (!term->factor)
        return true;
    while (at < form->count && compare(&form->terms[at], term) < 0)
        at++;
    if (at < form->count && compare(&form->terms[at], term) == 0) {
        if (__builtin_add_overflow(form->terms[at].factor, term->factor, &form->terms[at].factor))
            return false;
        if (form->terms[at].factor)
            return true;
        form->count--;
        memmove(&form->terms[at], &form->terms[at + 1], (form->count - at) * sizeof form->terms[0]);
        return true;
    }
    if (form->count == CLOPT_FORM_TERMS)
        return false;
    memmove(&form->terms[at + 1], &form->terms[at], (form->count - at) * sizeof form->terms[0]);
    form->terms[at] = *term;
    form->count++;
    return true;
}

bool clopt_form_add(struct clopt_form *a, const struct clopt_form *b, int64_t factor)
{
    const struct clopt_form added = *b; /* which may be `a` itself */
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

bool clopt_form_multiply(struct clopt_form *a, const struct clopt_form *b)
{
    struct clopt_form product = {.count = 0};
    for (unsigned i = 0; i < a->count; i++)
        for (unsigned j = 0; j < b->count; j++) {
            struct clopt_term term;
            if (!multiply_term(&a->terms[i], &b->terms[j], &term) || !add_term(&product, &term))
                return false;
        }
    *a = product;
    return true;
}

bool clopt_form_equals(const struct clopt_form *a, const struct clopt_form *b)
{
    if (a->count != b->count)
        return false;
    for (unsigned i = 0; i < a->count; i++)
        if (a->terms[i].factor != b->terms[i].factor || compare(&a->terms[i], &b->terms[i]) != 0)
            return false;
    return true;
}

bool clopt_form_is_constant(const struct clopt_form *form, int64_t *value)
{
    *value = form->count ? form->terms[0].factor : 0;
    return !form->count || (form->count == 1 && !form->terms[0].symbols[0]);
}
