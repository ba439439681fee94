/* SPDX-License-Identifier: BSD-3-Clause */
/* branches: fewer divergent branches. */
#include <clopt/clopt.h>

static const struct clopt_parameter parameters[] = {
    {.name = "padding",
     .type = CLOPT_INTEGER,
     .help = "1: the app's data layout with a border, so that edges need no branches",
     .knob = true},
    {.name = NULL},
};

static const struct clopt_optimization optimization = {
    .parameters = parameters,
};

CLOPT_OPTIMIZATION_PLUGIN("branches", "divergent branches, and data layouts that avoid them",
                          &optimization);
