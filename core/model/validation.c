/* SPDX-License-Identifier: BSD-3-Clause */
/* How well trees predict what they have not seen, and how they are printed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/growth.h"

/* ---- cross-validation ---- */

static void shuffle(uint32_t *rows, size_t count, struct clopt_random *random)
{
    for (size_t i = 0; i < count; i++)
        rows[i] = (uint32_t)i;
    for (size_t i = count; i > 1; i--) {
        size_t other = clopt_random_below(random, i);
        uint32_t row = rows[i - 1];
        rows[i - 1] = rows[other];
        rows[other] = row;
    }
}

/* Predicts one part of the rows by a tree of the others; adds up the squared errors. */
static enum clopt_status validate_fold(const struct clopt_codes *codes,
                                       const struct clopt_regression_rules *rules,
                                       const uint32_t *order, size_t first, size_t end,
                                       struct clopt_random *random, uint32_t *rows, double *squares,
                                       struct clopt_error *error)
{
    const struct clopt_observations *observations = codes->observations;
    struct clopt_regression tree;
    size_t count = 0;
    for (size_t i = 0; i < observations->count; i++)
        if (i < first || i >= end)
            rows[count++] = order[i];
    enum clopt_status status = clopt_codes_grow(codes, rules, rows, count, random, &tree, error);
    if (status)
        return status;
    for (size_t i = first; i < end; i++) {
        const double *values = observations->values + order[i] * observations->feature_count;
        double wrong = observations->targets[order[i]] -
                       clopt_regression_find(&tree, observations->features, values)->mean;
        *squares += wrong * wrong;
    }
    clopt_regression_fini(&tree);
    return CLOPT_OK;
}

static double sum_squares(const struct clopt_observations *observations)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < observations->count; i++)
        sum += observations->targets[i];
    for (size_t i = 0; i < observations->count; i++) {
        double difference = observations->targets[i] - sum / (double)observations->count;
        squares += difference * difference;
    }
    return squares;
}

enum clopt_status clopt_regression_cross_validate(const struct clopt_observations *observations,
                                                  const struct clopt_regression_rules *rules,
                                                  size_t folds, struct clopt_random *random,
                                                  double *error_share, struct clopt_error *error)
{
    size_t count = observations->count;
    double all = sum_squares(observations), wrong = 0;
    struct clopt_codes codes = {0};
    uint32_t *order = calloc(count, sizeof *order), *rows = calloc(count, sizeof *rows);
    enum clopt_status status =
        order && rows ? clopt_codes_init(&codes, observations, error) : clopt_fail_memory(error);
    folds = folds < count ? folds : count;
    if (!status)
        shuffle(order, count, random);
    for (size_t i = 0; i < folds && folds > 1 && !status; i++)
        status = validate_fold(&codes, rules, order, count * i / folds, count * (i + 1) / folds,
                               random, rows, &wrong, error);
    *error_share = all > 0 && folds > 1 ? wrong / all : 1;
    clopt_codes_fini(&codes);
    free(order);
    free(rows);
    return status;
}

/* ---- printing ---- */

/* Appends which answer leads to a node: "threads <= 96", "layout = row, tiled". */
static void append_answer(struct clopt_text *line, const struct clopt_regression_node *node,
                          const struct clopt_feature *features, bool left)
{
    const struct clopt_feature *feature = &features[node->feature];
    clopt_text_append_printable(line, feature->name);
    if (!feature->category_count) {
        clopt_text_printf(line, " %s %.6g", left ? "<=" : ">", node->threshold);
        return;
    }
    const char *separator = left ? " = " : " is none of ";
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
        append_answer(text, node, features, !right);
        append_node(text, tree, features, right ? node->right : node->left, depth + 1);
    }
}

enum clopt_status clopt_regression_print(const struct clopt_regression *tree,
                                         const struct clopt_feature *features, FILE *stream,
                                         struct clopt_error *error)
{
    struct clopt_text text = {0};
    clopt_text_append(&text, "all");
    append_node(&text, tree, features, 0, 0);
    enum clopt_status status = CLOPT_OK;
    if (text.failed)
        status = clopt_fail_memory(error);
    else if (fputs(text.data, stream) == EOF)
        status = clopt_fail(error, CLOPT_FAILED, "cannot write the tree: %s", strerror(errno));
    clopt_text_fini(&text);
    return status;
}
