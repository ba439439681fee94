/* SPDX-License-Identifier: BSD-3-Clause */
/* memory: where the data of a kernel are while it works on them. */
#include <clopt/clopt.h>

#include "memory.h"

static const struct clopt_parameter parameters[] = {
    {.name = "layout",
     .type = CLOPT_TEXT,
     .initial = "none",
     .help = "the order in which buffers have their elements: soa, aos, transposed or blockedN (N"
             " rows interleaved); of all buffers, or as in soa:a+b of parameters of the kernel"},
    {.name = "narrow",
     .type = CLOPT_TEXT,
     .initial = "none",
     .help =
         "half: floats that are only read are kept as half, which rounds them; of all buffers, or"
         " as in half:a+b of parameters of the kernel"},
    {.name = "constant",
     .type = CLOPT_TEXT,
     .initial = "none",
     .help = "buffers that are only read and become __constant: all, or parameters of the kernel"
             " joined by +"},
    {.name = "stage",
     .type = CLOPT_TEXT,
     .initial = "none",
     .help = "buffers whose elements, where a work-group reads them several times, its work-items"
             " bring into local memory together: all, or parameters of the kernel joined by +",
     .suggest = "all"},
    {.name = "turn",
     .type = CLOPT_TEXT,
     .legal = "no, yes",
     .initial = "no",
     .help = "whether columns that neighbours read are rows of what stage brings into local memory,"
             " so that they become vectors",
     .with = "stage"},
    {.name = "records",
     .type = CLOPT_TEXT,
     .initial = "none",
     .help = "buffers of which each work-item has a row of its own, whose length is known: a"
             " work-group brings all of its rows into local memory together, and back where they"
             " are written: all, or parameters of the kernel joined by +"},
    {.name = "pad",
     .type = CLOPT_INTEGER,
     .legal = "0..32",
     .initial = "0",
     .help =
         "elements that are added to the rows of arrays in local memory, against bank conflicts",
     .suggest = "1"},
    {.name = "privatise",
     .type = CLOPT_TEXT,
     .initial = "none",
     .help = "buffers that atomic functions alone update, such as histograms, of which each"
             " work-group updates a part of its own in local memory first: all, or parameters of"
             " the kernel joined by +",
     .suggest = "all"},
    {.name = "copies",
     .type = CLOPT_INTEGER,
     .legal = "pow2 1..16",
     .initial = "1",
     .help = "how many parts a work-group has, one for each of so many neighbours, against"
             " collisions",
     .with = "privatise"},
    {.name = "window",
     .type = CLOPT_INTEGER,
     .legal = "0..65536",
     .initial = "0",
     .help =
         "elements that such a part has where their number is not known from the types and masks"
         " of indices; others are updated in global memory",
     .with = "privatise"},
    {.name = "test",
     .type = CLOPT_BOOLEAN,
     .initial = "no",
     .help = "whether an element is read before an atomic minimum, maximum, and, or or, which is"
             " left out where it would change nothing"},
    {.name = "direct",
     .type = CLOPT_INTEGER,
     .help = "1: the app's form without local memory",
     .knob = true},
    {.name = "fused",
     .type = CLOPT_INTEGER,
     .help = "1: the app's form in which one kernel does the work of several, and what they would"
             " exchange is not stored",
     .knob = true},
    {.name = "packed",
     .type = CLOPT_INTEGER,
     .help = "1: the app's form with a bit for what otherwise takes a byte or more",
     .knob = true},
    {.name = NULL},
};

/* Takes a step for the buffers that its parameter names. */
static enum clopt_status take_step(struct clopt_transform *transform,
                                   const struct clopt_values *values, const char *parameter,
                                   memory_step *step, struct clopt_error *error)
{
    const char *names = clopt_values_text(values, parameter);
    return strcmp(names, "none") != 0 ? step(transform, names, error) : CLOPT_OK;
}

static enum clopt_status apply(struct clopt_transform *transform, const struct clopt_values *values,
                               struct clopt_error *error)
{
    const struct staging staging = {
        .names = clopt_values_text(values, "stage"),
        .turns = strcmp(clopt_values_text(values, "turn"), "yes") == 0,
        .pad = (unsigned)clopt_values_integer(values, "pad"),
    };
    CLOPT_TRY(take_step(transform, values, "layout", layout_apply, error));
    CLOPT_TRY(take_step(transform, values, "narrow", narrow_apply, error));
    CLOPT_TRY(take_step(transform, values, "constant", constant_apply, error));
    if (strcmp(staging.names, "none") != 0)
        CLOPT_TRY(stage_apply(transform, &staging, error));
    CLOPT_TRY(take_step(transform, values, "records", records_apply, error));
    if (staging.pad)
        CLOPT_TRY(pad_apply(transform, staging.pad, error));
    const struct privatisation privatisation = {
        .names = clopt_values_text(values, "privatise"),
        .copies = (unsigned)clopt_values_integer(values, "copies"),
        .window = clopt_values_integer(values, "window"),
    };
    if (strcmp(privatisation.names, "none") != 0)
        CLOPT_TRY(privatise_apply(transform, &privatisation, error));
    return clopt_values_integer(values, "test") ? test_apply(transform, error) : CLOPT_OK;
}

static enum clopt_status check(const struct clopt_transform *transform,
                               const struct clopt_values *values, struct clopt_error *error)
{
    const char *layout = clopt_values_text(values, "layout");
    const char *narrow = clopt_values_text(values, "narrow");
    (void)transform;
    if (strcmp(layout, "none") != 0)
        CLOPT_TRY(layout_check(layout, error));
    return strcmp(narrow, "none") != 0 ? narrow_check(narrow, error) : CLOPT_OK;
}

static const struct clopt_search_section search[] = {
    {1, ""}, /* after what loops do first */
    {1, "constant = none, all\n"
        "stage = none, all\n"
        "turn = no, yes\n"
        "records = none, all\n"
        "pad = 0, 1, 4, 16\n"
        "privatise = none, all\n"
        "copies = 1, 4, 8\n"
        "window = 0, 1024, 4096\n"
        "test = no, yes\n"},
    {0, NULL},
};

static const struct clopt_optimization optimization = {
    .parameters = parameters,
    .check = check,
    .apply = apply,
    .search = search,
};

CLOPT_OPTIMIZATION_PLUGIN("memory", "local and constant memory", &optimization);
