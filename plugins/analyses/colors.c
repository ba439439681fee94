/* SPDX-License-Identifier: BSD-3-Clause */
/* Colors variants by their optimizations. */
#include "analyses/analyses.h"
#include "text/variant_name.h"

#define MOST_NAMES 8 /* optimizations of a variant that are told apart */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

size_t clopt_variant_color(struct clopt_document *document, const char *variant)
{
    CLOPT_OWNED(clopt_text) group = {0};
    char *names[MOST_NAMES];
    size_t count = 0;
    for (struct clopt_name_value value = clopt_name_begin(variant); clopt_name_next(&value);) {
        struct clopt_piece name = value.optimization;
        name = name.length ? name : (struct clopt_piece){"parameters", strlen("parameters")};
        size_t i = 0;
        while (i < count && !clopt_piece_is(name, names[i]))
            i++;
        if (i == count && count < MOST_NAMES)
            names[count++] = clopt_text_format("%.*s", (int)name.length, name.text);
    }
    if (!count)
        return 0;
    qsort(names, count, sizeof *names, compare_names);
    for (size_t i = 0; i < count; i++) {
        clopt_text_printf(&group, "%s%s", i ? " + " : "", names[i]);
        free(names[i]);
    }
    return clopt_document_color(document, clopt_text_string(&group));
}
