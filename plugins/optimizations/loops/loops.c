/* SPDX-License-Identifier: BSD-3-Clause */
/* loops: unrolling, by rewriting or by the compiler, tiling, fission, interchange, scalar
 * replacement, and the promise that pointers do not overlap. */
#include <clopt/clopt.h>

#include "loops.h"

static const struct clopt_parameter parameters[] = {
    {.name = "unroll",
     .type = CLOPT_TEXT,
     .legal = "1, 2, 4, 8, 16, 32, full",
     .initial = "1",
     .help = "iterations of a loop whose bodies follow each other; full: all of them",
     .suggest = "2, 4, 8"},
    {.name = "pragma",
     .type = CLOPT_TEXT,
     .legal = "no, yes, 2, 4, 8, 16, 32",
     .initial = "no",
     .help = "whether the compiler is to unroll, by #pragma unroll, and how often",
     .without = "unroll"},
    {.name = "fission",
     .type = CLOPT_BOOLEAN,
     .initial = "no",
     .help = "whether loops are split where their statements do not depend on each other"},
    {.name = "interchange",
     .type = CLOPT_BOOLEAN,
     .initial = "no",
     .help = "whether a loop changes places with the one loop inside it, or an innermost one with"
             " the loop around it"},
    {.name = "tile",
     .type = CLOPT_INTEGER,
     .legal = "1..1024",
     .initial = "1",
     .help = "iterations of a tile: a loop becomes one over tiles and one inside a tile; of nested"
             " loops those over tiles come first"},
    {.name = "registers",
     .type = CLOPT_BOOLEAN,
     .initial = "no",
     .help = "whether a loop accumulates in a private variable instead of an array element, and "
             "reads rows again from private arrays"},
    {.name = "divide",
     .type = CLOPT_INTEGER,
     .legal = "pow2 1..1024",
     .initial = "1",
     .help =
         "work-items that share the iterations of a loop, where one did all of them: sums and the"
         " like are united in local memory"},
    {.name = "share",
     .type = CLOPT_INTEGER,
     .legal = "1..65536",
     .initial = "1",
     .help = "work-groups that share the iterations of a loop (split-K), where one did all of them:"
             " the last one unites their sums"},
    {.name = "spread",
     .type = CLOPT_BOOLEAN,
     .initial = "no",
     .help = "whether work-items that share a loop are spread over their work-group, so that"
             " neighbours work on what neighbours did: for sums of columns",
     .with = "divide"},
    {.name = "reuse",
     .type = CLOPT_BOOLEAN,
     .initial = "no",
     .help = "whether what loops with the same iterations read one after the other, such as a row,"
             " is read once and kept in private memory"},
    {.name = "reassociate",
     .type = CLOPT_BOOLEAN,
     .initial = "no",
     .help = "whether floating-point results of a loop may be accumulated in another order",
     .with = "divide registers share"},
    {.name = "specialise",
     .type = CLOPT_INTEGER,
     .legal = "0..65536",
     .initial = "0",
     .help =
         "integer arguments of at most this value that bound loops become constants; each launch"
         " is checked to pass the same"},
    {.name = "restrict",
     .type = CLOPT_BOOLEAN,
     .initial = "no",
     .help = "whether the kernel's pointers become restrict, which allows more to be done, here and"
             " in later steps"},
    {.name = "loops",
     .type = CLOPT_TEXT,
     .initial = "innermost",
     .help = "loops to change: innermost, outer, nests (outer ones that hold others), all, or "
             "numbers in the order of the text: 1+3;"
             " 3*4 and 3*full unroll or tile loop 3 otherwise than the rest",
     .with = "unroll pragma fission interchange tile registers divide share"},
    {.name = NULL},
};

static enum clopt_status check(const struct clopt_transform *transform,
                               const struct clopt_values *values, struct clopt_error *error)
{
    (void)transform;
    return clopt_loops_check(clopt_values_text(values, "loops"), error);
}

struct step {
    const char *parameter;
    const char *none; /* its value without the step */
    loops_step *apply;
};

static const struct step first_steps[] = {{"specialise", "0", specialise_apply},
                                          {"restrict", "no", restrict_apply},
                                          {"interchange", "no", interchange_apply},
                                          {"fission", "no", fission_apply},
                                          {"registers", "no", registers_apply},
                                          {"tile", "1", tile_apply},
                                          {NULL}};
static const struct step last_steps[] = {{"reuse", "no", reuse_apply},
                                         {"unroll", "1", unroll_apply},
                                         {"pragma", "no", pragma_apply},
                                         {NULL}};

/* Takes steps in their order; loops are counted again before each. */
static enum clopt_status take(const struct step *steps, struct clopt_transform *transform,
                              const struct clopt_values *values, struct clopt_error *error)
{
    const char *loops = clopt_values_text(values, "loops");
    CLOPT_TRY(clopt_loops_check(loops, error));
    for (size_t i = 0; steps[i].parameter; i++) {
        const char *value = clopt_values_text(values, steps[i].parameter);
        if (strcmp(value, steps[i].none) != 0)
            CLOPT_TRY(steps[i].apply(transform, loops, (unsigned)strtoul(value, NULL, 10), error));
    }
    return CLOPT_OK;
}

static enum clopt_status apply(struct clopt_transform *transform, const struct clopt_values *values,
                               struct clopt_error *error)
{
    CLOPT_TRY(take(first_steps, transform, values, error));
    if (clopt_values_integer(values, "registers") && clopt_values_integer(values, "reassociate"))
        CLOPT_TRY(products_apply(transform, error));
    CLOPT_TRY(divide_apply(transform, values, error));
    return take(last_steps, transform, values, error);
}

static const struct clopt_search_section search[] = {
    {1, "specialise = 0, 64, 65536\n"
        "restrict = no, yes\n"
        "interchange = no, yes\n"
        "fission = no, yes\n"
        "registers = no, yes\n"
        "reassociate = no, yes\n"
        "tile = 1, 8, 16, 32, 64\n"
        "loops = innermost, nests\n"},
    {1, ""},
    {1, "registers = no, yes\n"
        "divide = 1, 8, 32, 128, 512, 1024\n"
        "share = 1, 4, 16, 64, 256, 1024\n"
        "spread = no, yes\n"
        "reassociate = yes\n"
        "reuse = no, yes\n"
        "unroll = 1, 2, 4, 8, full\n"
        "loops = innermost, outer, all\n"},
    {0, NULL},
};

static const struct clopt_optimization optimization = {
    .parameters = parameters,
    .check = check,
    .apply = apply,
    .search = search,
};

CLOPT_OPTIMIZATION_PLUGIN("loops", "unrolling, tiling, fission and interchange of loops",
                          &optimization);
