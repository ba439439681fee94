/* SPDX-License-Identifier: BSD-3-Clause */
/* Regression trees for people: as text, and as graphs that Graphviz draws. */
#include "analyses/analyses.h"
#include "text/text.h"

#define LINE 16 /* bytes of a line of an answer in a graph, more or less */

/* ---- text ---- */

/* Appends which answer leads to a node: "<= 96", "= row, tiled". */
static void append_answer(struct clopt_text *line, const struct clopt_regression_node *node,
                          const struct clopt_feature *features, bool left)
{
    const struct clopt_feature *feature = &features[node->feature];
    if (!feature->category_count) {
        clopt_text_printf(line, "%s %.6g", left ? "<=" : ">", node->threshold);
        return;
    }
    const char *separator = left ? "= " : "is none of ";
    for (size_t i = 0; i < feature->category_count; i++)
        if (node->left_categories >> i & 1) {
            clopt_text_append(line, separator);
            clopt_text_append_printable(line, feature->categories[i]);
            separator = ", ";
        }
}

static void append_node(struct clopt_text *text, const struct clopt_regression *tree,
                        const struct clopt_feature *features, size_t number, unsigned depth)
{
    const struct clopt_regression_node *node = &tree->nodes[number];
    clopt_text_printf(text, ": %.4g (%zu)\n", node->mean, node->count);
    for (int right = 0; right < 2 && node->left; right++) {
        clopt_text_printf(text, "%*s", (int)(2 * depth + 2), "");
        clopt_text_append_printable(text, features[node->feature].name);
        clopt_text_append_char(text, ' ');
        append_answer(text, node, features, !right);
        append_node(text, tree, features, right ? node->right : node->left, depth + 1);
    }
}

void clopt_regression_append(struct clopt_text *text, const struct clopt_regression *tree,
                             const struct clopt_feature *features)
{
    clopt_text_append(text, "all");
    append_node(text, tree, features, 0, 0);
}

/* ---- graph ---- */

/* Appends a text as it is within quotes; with `broken`, in lines that end after commas. */
static void append_quoted(struct clopt_text *graph, const char *string)
{
    size_t length = 0;
    for (const char *c = string; *c; c++, length++) {
        if (*c == '"' || *c == '\\')
            clopt_text_append_char(graph, '\\');
        clopt_text_append_char(graph, *c);
        if (*c == ',' && length >= LINE) {
            clopt_text_append(graph, "\\n");
            length = 0;
            c += c[1] == ' ';
        }
    }
}

static void append_label(struct clopt_text *graph, const char *string)
{
    CLOPT_OWNED(clopt_text) clean = {0};
    clopt_text_append_printable(&clean, string);
    append_quoted(graph, clopt_text_string(&clean));
}

/* Appends the edges from a node to those below it. */
static void append_edges(struct clopt_text *graph, const struct clopt_regression_node *node,
                         const struct clopt_feature *features, const char *name, size_t number)
{
    for (int right = 0; right < 2 && node->left; right++) {
        CLOPT_OWNED(clopt_text) answer = {0};
        if (!right || !features[node->feature].category_count)
            append_answer(&answer, node, features, !right);
        else
            clopt_text_append(&answer, "others");
        clopt_text_printf(graph, "    %s_%zu -> %s_%zu [label=\"", name, number, name,
                          right ? node->right : node->left);
        append_quoted(graph, clopt_text_string(&answer));
        clopt_text_append(graph, "\"]\n");
    }
}

void clopt_regression_append_graph(struct clopt_text *graph, const struct clopt_regression *tree,
                                   const struct clopt_feature *features, const char *name,
                                   const char *title)
{
    clopt_text_printf(graph, "  subgraph cluster_%s {\n    label=\"", name);
    append_label(graph, title);
    clopt_text_append(graph, "\"\n");
    for (size_t i = 0; i < tree->count; i++) {
        const struct clopt_regression_node *node = &tree->nodes[i];
        clopt_text_printf(graph, "    %s_%zu [label=\"", name, i);
        if (node->left) {
            append_label(graph, features[node->feature].name);
            clopt_text_append(graph, "?\\n");
        }
        /* a leaf is blue where the targets' mean is over 1, and orange where it is below */
        clopt_text_printf(graph, "%.3g (%zu)\"%s]\n", node->mean, node->count,
                          node->left       ? ""
                          : node->mean > 1 ? ", fillcolor=\"#cfe5f5\""
                                           : ", fillcolor=\"#fbe3b6\"");
        append_edges(graph, node, features, name, i);
    }
    clopt_text_append(graph, "  }\n");
}
