/* SPDX-License-Identifier: BSD-3-Clause */
/* Grows regression trees of speed-ups, and prints them as text or as a figure. */
#include "figure/tree_page.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/program.h"

#define DEEPEST    4
#define LEAST_GAIN 0.01 /* share of all variance that a question explains */
#define LEAST_LEAF 5
#define LEAF_SHARE 50 /* and no leaf has less than a fiftieth of all variants */
#define FOLDS      10

static const char *const formats[] = {"dot", "svg", "png", "pdf"};

enum clopt_status clopt_tree_page_init(struct clopt_tree_page *page, const char *format,
                                       struct clopt_error *error)
{
    if (format && strcmp(format, "text") == 0)
        format = NULL;
    *page = (struct clopt_tree_page){.format = format};
    for (size_t i = 0; format && i < sizeof formats / sizeof *formats; i++)
        if (strcmp(format, formats[i]) == 0)
            return CLOPT_OK;
    return format ? clopt_fail(
                        error, CLOPT_INVALID,
                        "--format=%s: trees are drawn as svg, png, pdf or dot, and printed as text",
                        format)
                  : CLOPT_OK;
}

/* ---- growing ---- */

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

static void append_text(struct clopt_tree_page *page, const struct clopt_regression *tree,
                        const struct clopt_feature *features, const char *title, double unexplained)
{
    if (title)
        clopt_text_printf(&page->text, "%s%s\n\n", page->count ? "\n" : "", title);
    clopt_text_printf(&page->text,
                      "Speed-up over the initial code (geometric means) of %zu variants\n\n",
                      tree->nodes[0].count);
    clopt_regression_append(&page->text, tree, features);
    if (tree->nodes[0].squares > 0)
        clopt_text_append_char(&page->text, '\n');
    append_explained(&page->text, tree, unexplained);
    if (tree->nodes[0].squares > 0)
        clopt_text_append_char(&page->text, '\n');
}

static void append_graph(struct clopt_tree_page *page, const struct clopt_regression *tree,
                         const struct clopt_feature *features, const char *title,
                         double unexplained)
{
    struct clopt_text label = {0};
    char name[32];
    snprintf(name, sizeof name, "tree_%zu", page->count);
    if (title)
        clopt_text_printf(&label, "%s. ", title);
    append_explained(&label, tree, unexplained);
    clopt_regression_append_graph(&page->text, tree, features, name, clopt_text_string(&label));
    page->text.failed |= label.failed;
    clopt_text_fini(&label);
}

enum clopt_status clopt_tree_append(struct clopt_tree_page *page,
                                    const struct clopt_observations *observations,
                                    const char *title, struct clopt_error *error)
{
    const size_t share = observations->count / LEAF_SHARE;
    const struct clopt_regression_rules rules = {.least_leaf =
                                                     share > LEAST_LEAF ? share : LEAST_LEAF,
                                                 .most_depth = DEEPEST,
                                                 .least_gain = LEAST_GAIN};
    struct clopt_random random = clopt_random_seed(1, 0);
    struct clopt_regression tree;
    double unexplained = NAN;
    enum clopt_status status = clopt_regression_grow(observations, &rules, NULL, &tree, error);
    if (status)
        return status;
    if (observations->count >= FOLDS * 2)
        status = clopt_regression_cross_validate(observations, &rules, FOLDS, &random, &unexplained,
                                                 error);
    for (size_t i = 0; i < tree.count; i++)
        tree.nodes[i].mean = exp2(tree.nodes[i].mean);
    if (!status)
        (page->format ? append_graph : append_text)(page, &tree, observations->features, title,
                                                    unexplained);
    page->count++;
    clopt_regression_fini(&tree);
    return status;
}

/* ---- printing ---- */

static enum clopt_status draw(const char *graph, const char *format, struct clopt_text *drawn,
                              struct clopt_error *error)
{
    char option[8];
    snprintf(option, sizeof option, "-T%s", format);
    char *const argv[] = {"dot", option, NULL};
    char *program = clopt_program_find("dot");
    enum clopt_status status =
        program ? clopt_program_run(program, argv, graph, drawn, error)
                : clopt_fail(error, CLOPT_FAILED,
                             "there is no program dot in PATH, which draws trees: install it "
                             "(Debian's package graphviz), or ask for --format=dot");
    free(program);
    return status;
}

enum clopt_status clopt_tree_page_print(const struct clopt_tree_page *page, FILE *stream,
                                        struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    struct clopt_text graph = {0}, drawn = {0};
    const struct clopt_text *printed = page->format ? &graph : &page->text;
    if (page->format)
        clopt_text_printf(&graph,
                          "digraph clopt {\n"
                          "  graph [label=\"Speed-up over the initial code, geometric means "
                          "(variants)\", fontname=\"sans-serif\", pencolor=\"#dddddd\"]\n"
                          "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#ffffff\", "
                          "fontname=\"sans-serif\"]\n"
                          "  edge [fontname=\"sans-serif\"]\n%s}\n",
                          clopt_text_string(&page->text));
    if (graph.failed || page->text.failed)
        status = clopt_fail_memory(error);
    if (!status && page->format && strcmp(page->format, "dot") != 0) {
        status = draw(clopt_text_string(&graph), page->format, &drawn, error);
        printed = &drawn;
    }
    if (!status && fwrite(printed->data, 1, printed->length, stream) < printed->length)
        status = clopt_fail(error, CLOPT_FAILED, "cannot write the tree: %s", strerror(errno));
    clopt_text_fini(&graph);
    clopt_text_fini(&drawn);
    return status;
}

void clopt_tree_page_fini(struct clopt_tree_page *page)
{
    clopt_text_fini(&page->text);
}
