/* SPDX-License-Identifier: BSD-3-Clause */
/* A complete rewrite: a quotient by what a loop leaves alone becomes a product with 1 / divisor. */
#include <clopt/clopt.h>
#include <clopt/loop.h>
#include <clopt/rewrite.h>

/* Returns the outermost loop around a divisor in which it is invariant; NULL: there is none. */
static struct clopt_node *find_loop(const struct clopt_node *divisor)
{
    struct clopt_node *found = NULL;
    for (struct clopt_node *node = divisor->parent; node; node = node->parent)
        if (clopt_node_is_loop(node) && clopt_loop_is_invariant(node, divisor))
            found = node;
    return found;
}

/* Rewrites the divisions of floats below a node, inner ones first; returns how many. */
static unsigned rewrite(struct clopt_source *source, struct clopt_node *node, const char *pattern)
{
    unsigned count = 0;
    for (size_t i = 0; i < node->child_count; i++)
        count += rewrite(source, node->children[i], pattern);
    if (node->kind != CLOPT_NODE_BINARY || !clopt_node_is_operator(node, "/"))
        return count;
    struct clopt_node *x = node->children[0], *d = node->children[1], *loop = find_loop(d);
    if (x->scalar != CLOPT_SCALAR_FLOAT || d->scalar != CLOPT_SCALAR_FLOAT || node->width != 1 ||
        clopt_node_effects(x) & ~CLOPT_EFFECT_MEMORY_READ || clopt_node_effects(d) || !loop)
        return count;
    struct clopt_variable *r = clopt_variable_make(source, "const float", "", "reciprocal");
    clopt_insert_before(source, loop, clopt_build(source, loop, "$V = 1.0f / $n;", r, d));
    clopt_replace(source, node, clopt_build(source, node, pattern, x, r, d, x, r, x, r));
    return count + 1;
}

static enum clopt_status apply(struct clopt_transform *transform, const struct clopt_values *values,
                               struct clopt_error *error)
{
    struct clopt_source *source = NULL;
    enum clopt_status status = clopt_transform_parse(transform, &source, error);
    bool exact = clopt_values_text(values, "quotient")[0] == 'e';
    const char *pattern = exact ? "fma(fma(-($n * $v), $n, $n), $v, $n * $v)" : "$n * $v";
    if (!status && !rewrite(source, source->kernel->body, pattern))
        status = clopt_source_refuse(source, source->kernel->body, error,
                                     "no loop has a quotient of floats with an invariant divisor");
    if (!status)
        status = clopt_transform_set_tree(transform, source, error);
    clopt_source_destroy(source);
    return status;
}

static const struct clopt_parameter parameters[] = {
    {.name = "quotient",
     .type = CLOPT_TEXT,
     .legal = "off, fast, exact",
     .initial = "off",
     .help = "by multiplication with the reciprocal; exact: corrected by the remainder"},
    {.name = NULL},
};
static const struct clopt_optimization optimization = {.parameters = parameters, .apply = apply};
CLOPT_OPTIMIZATION_PLUGIN("divide", "multiplication by reciprocals", &optimization);
