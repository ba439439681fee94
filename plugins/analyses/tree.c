/* SPDX-License-Identifier: BSD-3-Clause */
/* Grows regression trees of speed-ups, and adds them to a document as text and as a graph. */
#include "analyses/analyses.h"

#include <math.h>

#define DEEPEST    4
#define LEAST_GAIN 0.01 /* share of all variance that a question explains */
#define LEAST_LEAF 5
#define LEAF_SHARE 50 /* and no leaf has less than a fiftieth of all variants */
#define FOLDS      10

static double leaf_squares(const struct clopt_regression *tree)
{
    double sum = 0;
    for (size_t i = 0; i < tree->count; i++)
        sum += tree->nodes[i].left ? 0 : tree->nodes[i].squares;
    return sum;
}

/* Appends what a tree explains of what it was grown from, and of what it has not seen. */
static void append_explained(struct clopt_text *text, const struct clopt_regression *tree,
                             double unexplained)
{
    double squares = tree->nodes[0].squares;
    if (!(squares > 0))
        return;
    clopt_text_printf(text, "The tree explains %.0f%% of the variance of the logarithm",
                      100 * (1 - leaf_squares(tree) / squares));
    if (!isnan(unexplained))
        clopt_text_printf(text, ", and %.0f%% of variants that it has not seen",
                          100 * fmax(1 - unexplained, 0));
    clopt_text_append_char(text, '.');
}

/* Adds a tree as text, and to the graph of all. */
static void add_tree(struct clopt_tree_page *page, const struct clopt_regression *tree,
                     const struct clopt_feature *features, const char *title, double unexplained)
{
    struct clopt_text text = {0}, label = {0};
    char name[32];
    snprintf(name, sizeof name, "tree_%zu", page->count++);
    if (title)
        clopt_document_heading(page->document, CLOPT_HEADING_SECTION, "%s", title);
    clopt_document_printf(page->document, CLOPT_SENTENCE_PLAIN,
                          "Speed-up over the initial code (geometric means) of %zu variants",
                          tree->nodes[0].count);
    clopt_regression_append(&text, tree, features);
    clopt_document_code(page->document, "", clopt_text_string(&text));
    clopt_text_clear(&text);
    append_explained(&text, tree, unexplained);
    if (title)
        clopt_text_printf(&label, "%s. ", title);
    clopt_text_append(&label, clopt_text_string(&text));
    clopt_regression_append_graph(&page->graph, tree, features, name, clopt_text_string(&label));
    clopt_document_say(page->document, CLOPT_SENTENCE_PLAIN, &text);
    clopt_text_fini(&label);
}

void clopt_tree_append(struct clopt_tree_page *page, const struct clopt_observations *observations,
                       const char *title)
{
    const size_t share = observations->count / LEAF_SHARE;
    struct clopt_random random = clopt_random_seed(1, 0);
    const struct clopt_regression_rules rules = {.least_leaf =
                                                     share > LEAST_LEAF ? share : LEAST_LEAF,
                                                 .most_depth = DEEPEST,
                                                 .least_gain = LEAST_GAIN,
                                                 .random = &random};
    CLOPT_OWNED(clopt_regression) tree = clopt_regression_grow(observations, &rules);
    double unexplained = NAN;
    if (observations->count >= FOLDS * 2)
        unexplained = clopt_regression_cross_validate(observations, &rules, FOLDS);
    for (size_t i = 0; i < tree.count; i++)
        tree.nodes[i].mean = exp2(tree.nodes[i].mean);
    add_tree(page, &tree, observations->features, title, unexplained);
}

void clopt_tree_page_finish(struct clopt_tree_page *page)
{
    struct clopt_chart chart;
    struct clopt_text graph = {0};
    clopt_chart_begin(&chart, 0, "tree", NULL);
    clopt_chart_title(&chart, "Speed-up over the initial code, as a tree of questions");
    clopt_text_printf(&graph,
                      "digraph clopt {\n"
                      "  graph [label=\"Speed-up over the initial code, geometric means "
                      "(variants)\", fontname=\"sans-serif\", pencolor=\"#dddddd\"]\n"
                      "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#ffffff\", "
                      "fontname=\"sans-serif\"]\n"
                      "  edge [fontname=\"sans-serif\"]\n%s}\n",
                      clopt_text_string(&page->graph));
    chart.graph = clopt_text_take(&graph);
    clopt_document_chart(page->document, &chart);
    clopt_text_fini(&page->graph);
}
