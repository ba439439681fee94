/* SPDX-License-Identifier: BSD-3-Clause */
/* The analyses that ship. */
#pragma once

#include "model/regression.h"
#include "view/analysis.h"
#include "view/view.h"

/* What pays where, per kernel and problem: what is best, tables of times and speed-ups with 95%
 * confidence intervals, infeasible and failed variants with footnotes, and how portable they are;
 * where the time went. For programs: all of it, and a row a device, problem, kernel and variant. */
extern clopt_analysis_writer clopt_report_best;

extern clopt_analysis_writer clopt_report_counters, clopt_report_effects, clopt_report_productivity,
    clopt_report_tree;

/* A regression tree of each device's speed-ups over counters, which is one of the trees. */
extern clopt_analysis_writer clopt_report_counter_trees;

/* Adds the counters of each kernel by the value of a parameter, over the initial code's; false:
 * there are none. */
bool clopt_counters_by(const struct clopt_results *results, const char *parameter,
                       struct clopt_document *document);

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

/* Appends a tree, a line a node: its question, the observations that reach it, their mean. */
void clopt_regression_append(struct clopt_text *text, const struct clopt_regression *tree,
                             const struct clopt_feature *features);

/* Appends it as a cluster of a graph of Graphviz, in which `name`, an identifier, is its own. */
void clopt_regression_append_graph(struct clopt_text *graph, const struct clopt_regression *tree,
                                   const struct clopt_feature *features, const char *name,
                                   const char *title);

/* ---- memory accesses ---- */

/* Appends a table: a row an array and pattern, with what each device gives for it as it is, by
 * vectors, and in the other layout that there is for it. Without rates there is none. */
void clopt_access_tabulate(const struct clopt_results *results,
                           const struct clopt_results_table *table,
                           struct clopt_document *document);

/* Appends a table of the variants that change layouts alone: the speed-ups that probes predict, and
 * those measured. Nothing without such variants, or without rates. */
void clopt_layouts_tabulate(const struct clopt_results *results,
                            const struct clopt_results_table *table,
                            struct clopt_document *document);

/* Says of which arrays another layout would give a device clearly more; nothing where of none. */
void clopt_access_advise(struct clopt_text *text, const struct clopt_results *results,
                         const struct clopt_results_table *table, size_t device);

/* ---- tables ---- */

/* Appends a table of times, one of speed-ups, or one of both where there is a single device: all
 * variants, or the `top` best of each device and the initial code. */
void clopt_view_tabulate(const struct clopt_view *view, size_t top, struct clopt_document *document,
                         struct clopt_notes *notes);

/* Returns the color of the optimizations of a variant, the same ones in any order; 0: it has none.
 */
size_t clopt_variant_color(struct clopt_document *document, const char *variant);

/* Says which variants have no time, and why: by outcome, and each reason once. */
void clopt_refused_say(const struct clopt_results *results, struct clopt_document *document);

/* Appends the best variants of a device, named in words. */
clopt_view_part clopt_leaders_tabulate;

/* Appends a chart of the speed-ups of the variants, the `top` of each device or as many as there is
 * room for (0), or one of the samples of the best. False: there is nothing to draw. */
bool clopt_view_draw(const struct clopt_view *view, bool samples, size_t top,
                     struct clopt_document *document);

/* Appends a chart of how good the best was after each trial of a search, and over time. */
void clopt_search_draw(const struct clopt_view *view, struct clopt_document *document);

/* Appends the best speed-up on a device for each pair of values of the two parameters that matter
 * most, where variants have several values of both. */
clopt_view_part clopt_heat_tabulate;

/* Appends a chart of what each worker did when, where that is known. */
void clopt_timeline_draw(const struct clopt_results *results, struct clopt_document *document);

/* Says where the time of the run went, by stages of trials. */
void clopt_say_stages(struct clopt_document *document, const struct clopt_results *results);
