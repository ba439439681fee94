/* SPDX-License-Identifier: BSD-3-Clause */
/* What `clopt report` computes from a store. */
#include "analyses/analyses.h"

#include "analyses/guidelines/guidelines.h"

static const struct clopt_analysis
    best = {.standard = true, .top = true, .write = clopt_report_best},
    tree = {.value = "[counters]", .selection = true, .draws = true, .write = clopt_report_tree},
    counters = {.value = "[NAME]", .write = clopt_report_counters},
    by = {.letter = 'b',
          .value = "PARAMETER",
          .baseline = true,
          .several = true,
          .write = clopt_report_effects},
    guidelines = {.several = true, .write = clopt_report_guidelines},
    productivity = {.baseline = true, .write = clopt_report_productivity};

CLOPT_PLUGIN(
    CLOPT_EXTENSION(ANALYSIS, "best", "say what pays where, with all tables", &best),
    CLOPT_EXTENSION(ANALYSIS, "tree",
                    "explain speed-ups by a tree of questions; counters: by what is executed",
                    &tree),
    CLOPT_EXTENSION(ANALYSIS, "counters",
                    "what was counted of each variant, or by the value of a parameter", &counters),
    CLOPT_EXTENSION(ANALYSIS, "by",
                    "what a parameter, such as granularity, does to the best speed-ups", &by),
    CLOPT_EXTENSION(ANALYSIS, "guidelines",
                    "which optimization pays on which kind of device, over all stores",
                    &guidelines),
    CLOPT_EXTENSION(ANALYSIS, "productivity",
                    "time and speed-up beside the lines that a person writes for them",
                    &productivity));
