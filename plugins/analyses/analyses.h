/* SPDX-License-Identifier: BSD-3-Clause */
/* The analyses that ship. */
#pragma once

#include "model/regression.h"
#include "view/analysis.h"

/* What pays where, per kernel and problem: what is best, tables of times and speed-ups with 95%
 * confidence intervals, infeasible and failed variants with footnotes, and how portable they are;
 * where the time went. For programs: all of it, and a row a device, problem, kernel and variant. */
extern clopt_analysis_writer clopt_report_best;

extern clopt_analysis_writer clopt_report_counters, clopt_report_effects, clopt_report_guidelines,
    clopt_report_productivity, clopt_report_tree;

/* A regression tree of each device's speed-ups over counters, which is one of the trees. */
extern clopt_analysis_writer clopt_report_counter_trees;

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
