/* SPDX-License-Identifier: BSD-3-Clause */
/* The analyses of `clopt report`: each is a file that adds to a document, and a row of the table.
 * None needs a device, a plugin or a study. */
#pragma once

#include "document/document.h"
#include "model/regression.h"
#include "results/results.h"

/* What is asked of an analysis. */
struct clopt_analysis_request {
    struct clopt_store *store; /* of which a run is chosen; NULL: it opens several by itself */
    const char *const *paths;  /* of the stores, for messages, and for commands to copy */
    size_t path_count;
    const char *value;    /* of the option that names it; NULL: none */
    const char *baseline; /* NULL: its default */
    size_t top;           /* variants of each device that are shown; 0: all */
    struct clopt_selection selection;
};

/* Adds what it finds to a document, whatever that is written as. */
typedef enum clopt_status clopt_analysis(const struct clopt_analysis_request *request,
                                         struct clopt_document *document,
                                         struct clopt_error *error);

/* All analyses that an option names: the option's letter (0: none) and name, its value, what is
 * said of it, what does it, and what it takes of a request besides the value. A new analysis is a
 * row here, and a file. */
#define CLOPT_ANALYSES(ANALYSIS)                                                                   \
    ANALYSIS(0, "tree", "[counters]",                                                              \
             "explain the speed-ups by a tree of questions, as far as it can; with counters, for " \
             "each device by what the variants execute",                                           \
             clopt_report_tree, .selection = true, .draws = true)                                  \
    ANALYSIS(0, "counters", NULL,                                                                  \
             "print what was counted of each variant beside its speed-up, and what tells those "   \
             "that gain from those that lose",                                                     \
             clopt_report_counters)                                                                \
    ANALYSIS('b', "by", "PARAMETER",                                                               \
             "print what a parameter, such as granularity, does to the best speed-up of each "     \
             "kernel, on all devices of all these stores",                                         \
             clopt_report_effects, .baseline = true, .several = true)                              \
    ANALYSIS(0, "productivity", NULL,                                                              \
             "print time, performance and speed-up of each variant and native program beside the " \
             "lines that a person has to write for it",                                            \
             clopt_report_productivity, .baseline = true)

#define CLOPT_DECLARE_ANALYSIS(LETTER, OPTION, VALUE, HELP, ANALYSIS, ...)                         \
    extern clopt_analysis ANALYSIS;
CLOPT_ANALYSES(CLOPT_DECLARE_ANALYSIS)

/* What pays where, which is what a report is about unless an option says otherwise: per kernel and
 * problem what is best, tables of times and speed-ups with 95% confidence intervals, infeasible and
 * failed variants with footnotes, and how portable they are; where the time went. For programs: all
 * of it, and a row a device, problem, kernel and variant. */
extern clopt_analysis clopt_report_best;

/* A regression tree of each device's speed-ups over counters, which is one of the trees. */
extern clopt_analysis clopt_report_counter_trees;

/* ---- regression trees of speed-ups in a document: texts, and one graph of all ---- */

struct clopt_tree_page {
    struct clopt_document *document;
    struct clopt_text graph;
    size_t count; /* of the trees */
};

/* Grows a tree of speed-ups (logarithms to base 2), and adds it and what it explains; `title` may
 * be NULL where it is the only one. */
void clopt_tree_append(struct clopt_tree_page *page, const struct clopt_observations *observations,
                       const char *title);

/* Adds the graph of all trees, and ends the page. */
void clopt_tree_page_finish(struct clopt_tree_page *page);
