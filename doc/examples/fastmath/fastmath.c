/* SPDX-License-Identifier: BSD-3-Clause */
/* A complete optimization: arithmetic that is faster and less exact, step by step. */
#include <clopt/clopt.h>
#include <clopt/rewrite.h>

#include <string.h>

/* Functions of floats that have a native_ form of the same name. */
static const char *const natives[] = {"cos",  "exp",  "exp10", "exp2", "log",  "log10",
                                      "log2", "powr", "rsqrt", "sin",  "sqrt", "tan"};

static bool has_native(const struct clopt_node *call)
{
    if (call->kind != CLOPT_NODE_CALL || call->callee || call->scalar != CLOPT_SCALAR_FLOAT)
        return false;
    for (size_t i = 0; i < sizeof natives / sizeof *natives; i++)
        if (strcmp(call->name, natives[i]) == 0)
            return true;
    return false;
}

/* Gives the calls below a node, inner ones first, their native_ form; returns how many. */
static unsigned use_natives(struct clopt_source *source, struct clopt_node *node)
{
    struct clopt_nodes arguments = {0};
    unsigned count = 0;
    for (size_t i = 0; i < node->child_count; i++)
        count += use_natives(source, node->children[i]);
    if (!has_native(node))
        return count;
    for (size_t i = 0; i < node->child_count; i++)
        clopt_nodes_add(source, &arguments, node->children[i]);
    clopt_replace(source, node, clopt_build(source, node, "native_$s($N)", node->name, &arguments));
    return count + 1;
}

/* Edits the kernel's body; what is around it stays. */
static enum clopt_status rewrite(struct clopt_transform *transform, struct clopt_source *source,
                                 struct clopt_error *error)
{
    struct clopt_node *body = source->kernel->body;
    if (!use_natives(source, body))
        return clopt_source_refuse(source, body, error,
                                   "level=native: it calls no function that has a native_ form");
    return clopt_transform_set_tree(transform, source, error);
}

static enum clopt_status apply(struct clopt_transform *transform, const struct clopt_values *values,
                               struct clopt_error *error)
{
    const char *level = clopt_values_text(values, "level");
    struct clopt_source *source = NULL;
    if (strcmp(level, "mad") == 0)
        clopt_transform_add_option(transform, "-cl-mad-enable");
    if (strcmp(level, "fast") == 0)
        clopt_transform_add_option(transform, "-cl-fast-relaxed-math");
    if (strcmp(level, "native") != 0)
        return CLOPT_OK;
    enum clopt_status status = clopt_transform_parse(transform, &source, error);
    if (!status)
        status = rewrite(transform, source, error);
    clopt_source_destroy(source);
    return status;
}

static const struct clopt_parameter parameters[] = {
    {.name = "level",
     .type = CLOPT_TEXT,
     .legal = "off, mad, fast, native",
     .initial = "off",
     .help = "mad and fast: what the compiler may relax; native: faster functions",
     .suggest = "fast, native"},
    {.name = NULL},
};

static const struct clopt_optimization optimization = {.parameters = parameters, .apply = apply};

CLOPT_OPTIMIZATION_PLUGIN("fastmath", "relaxed floating-point arithmetic", &optimization);
