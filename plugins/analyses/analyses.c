/* SPDX-License-Identifier: BSD-3-Clause */
/* What `clopt report` computes from a store. */
#include "analyses/analyses.h"

static const struct clopt_analysis
    best = {.standard = true, .top = true, .write = clopt_report_best},
    tree = {.value = "[counters]", .selection = true, .draws = true, .write = clopt_report_tree},
    counters = {.write = clopt_report_counters},
    by = {.letter = 'b',
          .value = "PARAMETER",
          .baseline = true,
          .several = true,
          .write = clopt_report_effects},
    guidelines = {.several = true, .write = clopt_report_guidelines},
    productivity = {.baseline = true, .write = clopt_report_productivity};

CLOPT_PLUGIN(
    CLOPT_EXTENSION(ANALYSIS, "best", "say what pays where, with all tables", &best),
    CLOPT_EXTENSION(
        ANALYSIS, "tree",
        "explain the speed-ups by a tree of questions, as far as it can; with counters, "
        "for each device by what the variants execute",
        &tree),
    CLOPT_EXTENSION(ANALYSIS, "counters",
                    "print what was counted of each variant beside its speed-up, and what tells "
                    "those that gain from those that lose",
                    &counters),
    CLOPT_EXTENSION(
        ANALYSIS, "by",
        "print what a parameter, such as granularity, does to the best speed-up of each "
        "kernel, on all devices of all these stores",
        &by),
    CLOPT_EXTENSION(ANALYSIS, "guidelines",
                    "say which optimization pays on which kind of device, on how many kernels of "
                    "all these stores and where, and which device is best for which",
                    &guidelines),
    CLOPT_EXTENSION(
        ANALYSIS, "productivity",
        "print time, performance and speed-up of each variant and native program beside "
        "the lines that a person has to write for it",
        &productivity));
