/* SPDX-License-Identifier: BSD-3-Clause */
/* Values and texts of affine forms. */
#include <clopt/form.h>

#include "text/text.h"

bool clopt_affine_compute(const struct clopt_affine *affine, clopt_affine_symbol_value value_of,
                          const void *user, int64_t *value)
{
    *value = 0;
    for (unsigned i = 0; i < affine->count; i++) {
        int64_t product = affine->terms[i].factor, factor;
        for (unsigned k = 0; k < CLOPT_TERM_SYMBOLS && affine->terms[i].symbols[k]; k++)
            if (!value_of(user, affine->terms[i].symbols[k], &factor) ||
                __builtin_mul_overflow(product, factor, &product))
                return false;
        if (__builtin_add_overflow(*value, product, value))
            return false;
    }
    return true;
}

static bool print_term(struct clopt_text *text, const struct clopt_term *term, const char *times,
                       clopt_affine_name name, const void *user)
{
    const char *sign = term->factor < 0 ? "-" : "+";
    bool first = !text->length, number = llabs(term->factor) != 1 || !term->symbols[0];
    clopt_text_printf(text, first ? "%s" : " %s ", first && *sign == '+' ? "" : sign);
    if (number)
        clopt_text_printf(text, "%" PRIu64, (uint64_t)llabs(term->factor));
    for (unsigned k = 0; k < CLOPT_TERM_SYMBOLS && term->symbols[k]; k++) {
        const char *own = name(user, term->symbols[k]);
        if (!own)
            return false;
        clopt_text_printf(text, "%s%s", k || number ? times : "", own);
    }
    return true;
}

char *clopt_affine_print(const struct clopt_affine *affine, const char *times,
                         clopt_affine_name name, const void *user)
{
    CLOPT_OWNED(clopt_text) text = {0};
    bool known = true;
    for (unsigned symbols = CLOPT_TERM_SYMBOLS + 1; symbols-- > 0;)
        for (unsigned i = 0; i < affine->count && known; i++)
            if (clopt_term_degree(&affine->terms[i]) == symbols)
                known = print_term(&text, &affine->terms[i], times, name, user);
    if (!affine->count)
        clopt_text_append(&text, "0");
    return known ? clopt_text_take(&text) : NULL;
}
