/* SPDX-License-Identifier: BSD-3-Clause */
/* A complete optimization: arithmetic that is faster and less exact, step by step. */
#include <clopt/clopt.h>
#include <string.h>

/* Functions of floats that have a native_ form of the same name. */
static const char *const natives[] = {"cos",  "exp",  "exp10", "exp2", "log",  "log10",
                                      "log2", "powr", "rsqrt", "sin",  "sqrt", "tan"};

struct rewrite {
    struct clopt_printer printer;
    const struct clopt_node *inside; /* the call that is being printed */
    unsigned count;
};

static bool has_native(const struct clopt_node *call)
{
    if (call->kind != CLOPT_NODE_CALL || call->callee || call->scalar != CLOPT_SCALAR_FLOAT)
        return false;
    for (size_t i = 0; i < sizeof natives / sizeof *natives; i++)
        if (strcmp(call->name, natives[i]) == 0)
            return true;
    return false;
}

/* Prints a call with native_ in front of it. */
static bool replace(void *user, struct clopt_output *output, const struct clopt_node *node)
{
    struct rewrite *rewrite = user;
    if (node == rewrite->inside || !has_native(node))
        return false; /* printed as it is; what it holds comes here, too */
    clopt_output_put(output, "native_");
    rewrite->inside = node;
    rewrite->count++;
    clopt_print(&rewrite->printer, output, node);
    return true;
}

/* Rewrites the kernel's body; what is around it stays. */
static enum clopt_status use_natives(struct clopt_transform *transform,
                                     const struct clopt_source *source, struct clopt_error *error)
{
    const struct clopt_node *body = clopt_source_kernel(source)->body;
    struct rewrite rewrite = {
        .printer = {.source = source, .user = &rewrite, .replace = replace},
    };
    struct clopt_output *output = clopt_output_create();
    if (!output)
        return clopt_fail_memory(error);
    clopt_output_copy(output, source, 0, body->begin);
    clopt_print(&rewrite.printer, output, body);
    clopt_output_copy(output, source, body->end, strlen(clopt_source_text(source)));
    enum clopt_status status =
        rewrite.count
            ? clopt_transform_set_output(transform, output, error)
            : clopt_source_refuse(source, body, error,
                                  "level=native: it calls no function that has a native_ form");
    clopt_output_destroy(output);
    return status;
}

static enum clopt_status apply(struct clopt_transform *transform, const struct clopt_values *values,
                               struct clopt_error *error)
{
    const char *level = clopt_values_text(values, "level");
    struct clopt_source *source = NULL;
    if (strcmp(level, "mad") == 0)
        return clopt_transform_add_option(transform, "-cl-mad-enable", error);
    if (strcmp(level, "fast") == 0)
        return clopt_transform_add_option(transform, "-cl-fast-relaxed-math", error);
    if (strcmp(level, "native") != 0)
        return CLOPT_OK;
    enum clopt_status status = clopt_transform_parse(transform, &source, error);
    if (!status)
        status = use_natives(transform, source, error);
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
