/* SPDX-License-Identifier: BSD-3-Clause */
/* Apps and optimizations that exist in tests alone, and a registry that has nothing else: linked
 * before libcloptcore, whose own clopt_registry_find() is then not used. */
#include "fake_plugins.h"
#include "launchers/host.h"
#include "parameters/sections.h"
#include "readers/readers.h"
#include "rivals/native.h"
#include "strategies/strategies.h"

#include <clopt/rewrite.h>

#include <inttypes.h>
#include <string.h>

#include "text/text.h"
#include "trial/transform.h"

/* ---- app tiles ---- */

static const struct clopt_kernel tiles_kernels[] = {
    {.name = "tile", .dimensions = 2},
    {.name = "row", .dimensions = 1, .any_local_size = true},
    {.name = NULL},
};

static const struct clopt_parameter tiles_inputs[] = {
    {.name = "size", .type = CLOPT_INTEGER, .legal = "16..8192", .initial = "256"},
    {.name = "matrix", .type = CLOPT_FILE},
    {.name = "storage", .type = CLOPT_TEXT, .legal = "rows, columns", .initial = "rows"},
    {.name = NULL},
};

static const struct clopt_knob tiles_knobs[] = {
    {"shape", "block_size", "BLOCK_SIZE", "pow2 4..64", "16", NULL, "size of a block"},
    {"shape", "pad", "PAD", "0, 1", "0", "row", "columns of padding"},
    {.parameter = NULL},
};

static enum clopt_status tiles_describe(const struct clopt_problem *problem, const void *state,
                                        const struct clopt_kernel *kernel,
                                        struct clopt_kernel_work *work, struct clopt_error *error)
{
    (void)state;
    size_t block = (size_t)clopt_values_integer(problem->knobs, "block_size");
    size_t size = (size_t)clopt_values_integer(problem->inputs, "size");
    if (size % 8 != 0)
        return clopt_fail(error, CLOPT_INVALID, "size is not a multiple of 8");
    if (block > size)
        return clopt_fail(error, CLOPT_INVALID, "a block is larger than the matrix");
    work->ndrange = kernel == &tiles_kernels[0] ? CLOPT_RANGE2(size, size, block, block)
                                                : CLOPT_RANGE1(size, block);
    return CLOPT_OK;
}

static const struct clopt_app tiles = {
    .dwarf = "dense linear algebra",
    .source = "tiles.cl",
    .options = "-cl-std=CL1.2",
    .kernels = tiles_kernels,
    .inputs = tiles_inputs,
    .knobs = tiles_knobs,
    .describe = tiles_describe,
};

/* ---- app plain ---- */

static const struct clopt_kernel plain_kernels[] = {
    {.name = "plain", .dimensions = 1},
    {.name = NULL},
};

static enum clopt_status plain_describe(const struct clopt_problem *problem, const void *state,
                                        const struct clopt_kernel *kernel,
                                        struct clopt_kernel_work *work, struct clopt_error *error)
{
    (void)problem;
    (void)state;
    (void)kernel;
    (void)error;
    work->ndrange = CLOPT_RANGE1(0, 64);
    return CLOPT_OK;
}

static const struct clopt_app plain = {
    .dwarf = "map",
    .source = "plain.cl",
    .kernels = plain_kernels,
    .describe = plain_describe,
};

/* ---- optimization shape ---- */

static const struct clopt_parameter shape_parameters[] = {
    {.name = "block_size",
     .type = CLOPT_INTEGER,
     .initial = "4",
     .help = "size of a block",
     .knob = true},
    {.name = "pad", .type = CLOPT_INTEGER, .help = "columns of padding", .knob = true},
    {.name = "local_size", .type = CLOPT_INTEGER, .legal = "1..", .help = "local size"},
    {.name = NULL},
};

static enum clopt_status shape_check(const struct clopt_transform *transform,
                                     const struct clopt_values *values, struct clopt_error *error)
{
    if (clopt_values_integer(values, "local_size") == 6666)
        return clopt_fail(error, CLOPT_INVALID, "local_size = 6666: an evil number");
    if (clopt_values_has(values, "local_size") && !transform->any_local_size)
        return clopt_fail(error, CLOPT_INFEASIBLE, "%s has a local size of its own",
                          transform->kernel);
    return CLOPT_OK;
}

static enum clopt_status shape_apply(struct clopt_transform *transform,
                                     const struct clopt_values *values, struct clopt_error *error)
{
    const struct clopt_ndrange_change change = {
        .local_size = {(size_t)clopt_values_integer(values, "local_size")}};
    return clopt_transform_change_ndrange(transform, &change, error);
}

static const struct clopt_optimization shape = {
    .parameters = shape_parameters,
    .check = shape_check,
    .apply = shape_apply,
};

/* ---- optimization unroll ---- */

static const struct clopt_parameter unroll_parameters[] = {
    {.name = "factor",
     .type = CLOPT_INTEGER,
     .legal = "1..1000",
     .initial = "01",
     .help = "factor"},
    {.name = "mode", .type = CLOPT_TEXT, .legal = "outer, inner, \"a, b\"", .initial = "outer"},
    {.name = NULL},
};

static enum clopt_status unroll_apply(struct clopt_transform *transform,
                                      const struct clopt_values *values, struct clopt_error *error)
{
    struct clopt_text source = {0};
    int64_t factor = clopt_values_integer(values, "factor");
    if (factor == 13)
        return clopt_fail(error, CLOPT_INFEASIBLE, "a loop runs only 12 times");
    clopt_text_printf(&source, "%s/* unrolled by %" PRId64 " */\n", transform->source, factor);
    free(transform->source);
    transform->source = clopt_text_take(&source);
    clopt_transform_add_option(transform, "-D UNROLLED");
    return CLOPT_OK;
}

static const struct clopt_optimization unroll = {
    .parameters = unroll_parameters,
    .apply = unroll_apply,
};

/* ---- optimization join: most of its parameters mean something beside others alone ---- */

static const struct clopt_parameter join_parameters[] = {
    {.name = "factor", .type = CLOPT_INTEGER, .legal = "1..100", .initial = "1"},
    {.name = "whole", .type = CLOPT_TEXT, .initial = "no", .with = "factor"},
    {.name = "stride",
     .type = CLOPT_INTEGER,
     .legal = "1..100",
     .initial = "1",
     .with = "factor",
     .without = "whole"},
    {.name = "hint", .type = CLOPT_INTEGER},
    {.name = "order", .type = CLOPT_TEXT, .initial = "up", .with = "factor hint"},
    {.name = NULL},
};

static const struct clopt_optimization join = {
    .parameters = join_parameters,
    .apply = shape_apply,
};

/* ---- the registry ---- */

static const struct clopt_strategy model = {.standard = true}, draws = {.standard = false};

static const struct clopt_extension extensions[] = {
    CLOPT_EXTENSION(APP, "tiles", "", &tiles),
    CLOPT_EXTENSION(APP, "plain", "", &plain),
    CLOPT_EXTENSION(OPTIMIZATION, "shape", "", &shape),
    CLOPT_EXTENSION(OPTIMIZATION, "unroll", "", &unroll),
    CLOPT_EXTENSION(OPTIMIZATION, "join", "", &join),
    CLOPT_EXTENSION(STRATEGY, "model", "", &model),
    CLOPT_EXTENSION(STRATEGY, "random", "", &draws),
    CLOPT_EXTENSION(SECTION, "constraints", "", &clopt_section_constraints),
    CLOPT_EXTENSION(SECTION, "host", "", &clopt_section_host),
    CLOPT_EXTENSION(SECTION, "parameter", "", &clopt_section_parameter),
    CLOPT_EXTENSION(SECTION, "published", "", &clopt_section_published),
    CLOPT_EXTENSION(SECTION, "rival", "", &clopt_section_rival),
    CLOPT_EXTENSION(SECTION, "search", "", &clopt_section_search),
};

const struct clopt_plugin_entry fake_tiles = {.extension = &extensions[0], .hash = "t"};
const struct clopt_plugin_entry fake_plain = {.extension = &extensions[1], .hash = "p"};
const struct clopt_plugin_entry fake_shape = {.extension = &extensions[2], .hash = "s"};
const struct clopt_plugin_entry fake_unroll = {.extension = &extensions[3], .hash = "u"};
const struct clopt_plugin_entry fake_join = {.extension = &extensions[4], .hash = "j"};

static const struct clopt_plugin_entry fake_model = {.extension = &extensions[5], .hash = "m"};
static const struct clopt_plugin_entry fake_random = {.extension = &extensions[6], .hash = "r"};
static const struct clopt_plugin_entry fake_constraints = {.extension = &extensions[7]};
static const struct clopt_plugin_entry fake_host = {.extension = &extensions[8]};
static const struct clopt_plugin_entry fake_parameter = {.extension = &extensions[9]};
static const struct clopt_plugin_entry fake_published = {.extension = &extensions[10]};
static const struct clopt_plugin_entry fake_rival = {.extension = &extensions[11]};
static const struct clopt_plugin_entry fake_search = {.extension = &extensions[12]};
static const struct clopt_plugin_entry *const all[] = {
    &fake_tiles,     &fake_plain,  &fake_shape,       &fake_unroll, &fake_join,
    &fake_model,     &fake_random, &fake_constraints, &fake_host,   &fake_parameter,
    &fake_published, &fake_rival,  &fake_search};

/* Nothing looks into it. */
const struct clopt_registry *const fake_registry = (const struct clopt_registry *)&all;

void clopt_registry_load(const struct clopt_registry *registry)
{
    (void)registry;
}

const struct clopt_plugin_entry *clopt_registry_entry(const struct clopt_registry *registry,
                                                      enum clopt_kind kind, size_t index)
{
    (void)registry;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if ((kind == CLOPT_KIND_ANY || all[i]->extension->kind == kind) && index-- == 0)
            return all[i];
    return NULL;
}

enum clopt_status clopt_registry_find(const struct clopt_registry *registry, enum clopt_kind kind,
                                      const char *name, const struct clopt_plugin_entry **entry,
                                      struct clopt_error *error)
{
    const struct clopt_plugin_entry *found;
    for (size_t i = 0; (found = clopt_registry_entry(registry, kind, i)); i++)
        if (strcmp(found->extension->name, name) == 0) {
            *entry = found;
            return CLOPT_OK;
        }
    return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "%s: no such plugin", name);
}

/* None of these apps is one that a study describes. */
enum clopt_status clopt_registry_define(const struct clopt_registry *registry,
                                        const json_t *description,
                                        const struct clopt_child_limits *limits,
                                        const struct clopt_plugin_entry **app,
                                        struct clopt_error *error)
{
    (void)registry, (void)description, (void)limits;
    return clopt_fail(error, CLOPT_INVALID, "%s takes no description", (*app)->extension->name);
}
