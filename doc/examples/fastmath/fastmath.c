/* SPDX-License-Identifier: BSD-3-Clause */
/* A complete optimization: lets the compiler relax the arithmetic, step by step. */
#include <clopt/clopt.h>
#include <string.h>

static enum clopt_status apply(struct clopt_transform *transform, const struct clopt_values *values,
                               struct clopt_error *error)
{
    const char *level = clopt_values_text(values, "level");
    if (strcmp(level, "mad") == 0)
        return clopt_transform_add_option(transform, "-cl-mad-enable", error);
    if (strcmp(level, "fast") == 0)
        return clopt_transform_add_option(transform, "-cl-fast-relaxed-math", error);
    return CLOPT_OK;
}

static const struct clopt_parameter parameters[] = {
    {.name = "level",
     .type = CLOPT_TEXT,
     .legal = "off, mad, fast",
     .initial = "off",
     .help = "what the compiler may relax",
     .suggest = "mad, fast"},
    {.name = NULL},
};

static const struct clopt_optimization fastmath = {.parameters = parameters, .apply = apply};

CLOPT_OPTIMIZATION_PLUGIN("fastmath", "relaxed floating-point arithmetic", &fastmath);
