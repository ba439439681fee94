/* SPDX-License-Identifier: BSD-3-Clause */
/* vector: vector code, by rewriting, by the compiler, or by the app's own layout. */
#include <clopt/clopt.h>

#include "vector.h"

static const struct clopt_parameter parameters[] = {
    {.name = "across",
     .type = CLOPT_INTEGER,
     .legal = "1, 2, 3, 4, 8, 16",
     .initial = "1",
     .help = "neighbouring work-items of dimension 0 that become the lanes of vectors",
     .suggest = "4, 8, 16"},
    {.name = "within",
     .type = CLOPT_INTEGER,
     .legal = "1, 2, 3, 4, 8, 16",
     .initial = "1",
     .help = "iterations of a loop that become the lanes of vectors",
     .without = "across"},
    {.name = "share",
     .type = CLOPT_BOOLEAN,
     .initial = "no",
     .help = "whether across makes vectors that overlap, or are parts of records, from the fewest "
             "loads",
     .with = "across"},
    {.name = "aligned",
     .type = CLOPT_BOOLEAN,
     .initial = "no",
     .help = "whether vectors of global memory are loaded and stored as such where they are"
             " aligned; what that needs of integer arguments is checked at each launch",
     .with = "across within"},
    {.name = "functions",
     .type = CLOPT_BOOLEAN,
     .initial = "no",
     .help = "whether exp, pow and others are called with vectors, whose last bits may then differ",
     .with = "across within"},
    {.name = "loops",
     .type = CLOPT_TEXT,
     .initial = "innermost",
     .help = "loops that are meant by within: innermost, outer, nests, all, or numbers in the "
             "order of the"
             " text: 1+3",
     .with = "within"},
    {.name = "reassociate",
     .type = CLOPT_BOOLEAN,
     .initial = "no",
     .help = "whether within may add up floating-point numbers in another order, which changes"
             " results",
     .with = "within"},
    {.name = "hint",
     .type = CLOPT_INTEGER,
     .legal = "1, 4, 8, 16",
     .help = "work-items that the compiler's own vectorizer takes together, by"
             " cl_intel_vec_len_hint; 1: it stays off"},
    {.name = "transposed",
     .type = CLOPT_INTEGER,
     .help = "1: the app's data layout that makes neighbours of what is vectorized",
     .knob = true},
    {.name = "wide",
     .type = CLOPT_INTEGER,
     .help = "1: the app's form that is written in wide vectors",
     .knob = true},
    {.name = NULL},
};

/* ---- how wide the compiler's own vectorizer shall work: an attribute of cl_intel_vec_len_hint
 * ---- */

#define EXTENSION "cl_intel_vec_len_hint"
#define ATTRIBUTE "intel_vec_len_hint"

static enum clopt_status check_hint(const struct clopt_transform *transform,
                                    struct clopt_error *error)
{
    const struct clopt_device_info *device = transform->device;
    if (!device || clopt_text_has_word(device->extensions, EXTENSION))
        return CLOPT_OK;
    return clopt_fail(error, CLOPT_INFEASIBLE, "hint: the device has no extension %s", EXTENSION);
}

static enum clopt_status edit_hint(void *values, struct clopt_source *source,
                                   struct clopt_error *error)
{
    return clopt_kernel_add_attribute(source, ATTRIBUTE,
                                      (unsigned)clopt_values_integer(values, "hint"))
               ? CLOPT_OK
               : clopt_source_refuse(source, source->kernel->body, error, "%s has %s already",
                                     source->kernel->name, ATTRIBUTE);
}

/* ---- the optimization ---- */

static enum clopt_status check(const struct clopt_transform *transform,
                               const struct clopt_values *values, struct clopt_error *error)
{
    unsigned across = (unsigned)clopt_values_integer(values, "across");
    CLOPT_TRY(across_check(transform, across, error));
    CLOPT_TRY(clopt_loops_check(clopt_values_text(values, "loops"), error));
    if (clopt_values_has(values, "hint"))
        CLOPT_TRY(check_hint(transform, error));
    return CLOPT_OK;
}

static enum clopt_status apply(struct clopt_transform *transform, const struct clopt_values *values,
                               struct clopt_error *error)
{
    struct within_request within = {
        .width = (unsigned)clopt_values_integer(values, "within"),
        .loops = clopt_values_text(values, "loops"),
        .aligned = clopt_values_integer(values, "aligned"),
        .functions = clopt_values_integer(values, "functions"),
        .reassociate = clopt_values_integer(values, "reassociate"),
    };
    struct across_request across = {
        .width = (unsigned)clopt_values_integer(values, "across"),
        .share = clopt_values_integer(values, "share"),
        .aligned = clopt_values_integer(values, "aligned"),
        .functions = clopt_values_integer(values, "functions"),
    };
    if (across.width > 1)
        CLOPT_TRY(across_apply(transform, &across, error));
    else if (within.width > 1)
        CLOPT_TRY(within_apply(transform, &within, error));
    if (!clopt_values_has(values, "hint"))
        return CLOPT_OK;
    CLOPT_TRY(check_hint(transform, error));
    return clopt_transform_edit(transform, CLOPT_INLINE_NONE, edit_hint, (void *)values, error);
}

static const struct clopt_search_section search[] = {
    {1, ""}, /* after what loops do first */
    {1, "across = 1, 4, 8, 16\n"
        "share = no, yes\n"
        "aligned = no, yes\n"
        "functions = no, yes\n"
        "within = 1, 4, 8, 16\n"
        "loops = innermost, outer\n"
        "reassociate = no, yes\n"},
    {0, NULL},
};

static const struct clopt_optimization optimization = {
    .parameters = parameters,
    .check = check,
    .apply = apply,
    .search = search,
};

CLOPT_OPTIMIZATION_PLUGIN("vector", "vector code", &optimization);
