/* SPDX-License-Identifier: BSD-3-Clause */
/* precision: functions of float that trade accuracy for speed, native_ and half_. */
#include <clopt/clopt.h>

static const struct clopt_parameter parameters[] = {
    {.name = "functions",
     .type = CLOPT_TEXT,
     .legal = "full, native, half",
     .initial = "full",
     .help = "native, half: sin, exp, sqrt and others of float, and divisions, become native_ or"
             " half_ functions, which are less accurate"},
    {.name = NULL},
};

/* Whether native_ and half_ have a function of this name. */
static bool is_replaced(const char *name)
{
    static const char *const names[] = {"cos",  "exp",   "exp2",  "exp10", "log",  "log2", "log10",
                                        "powr", "recip", "rsqrt", "sin",   "sqrt", "tan"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool is_computed(const struct clopt_node *node, const void *user)
{
    (void)user;
    return node->kind == CLOPT_NODE_VARIABLE || node->kind == CLOPT_NODE_CALL;
}

/* Whether a node divides real numbers: no constants, which compilers do. */
static bool divides(const struct clopt_node *node)
{
    return (node->kind == CLOPT_NODE_BINARY || node->kind == CLOPT_NODE_ASSIGN) &&
           *node->op == '/' && clopt_node_search(node, is_computed, NULL);
}

/* Whether a less accurate function can be called for a node, if it is of float. */
static bool has_function(const struct clopt_node *node)
{
    return clopt_scalar_is_real(node->scalar) &&
           (divides(node) ||
            (node->kind == CLOPT_NODE_CALL && !node->callee && is_replaced(node->name)));
}

static bool is_one(const struct clopt_source *source, const struct clopt_node *node)
{
    double number;
    return clopt_node_number(source, node, &number) && number == 1;
}

/* Returns the type that an operation computes in: a /= b divides as a / b does. */
static enum clopt_scalar type_of(const struct clopt_node *node)
{
    enum clopt_scalar other =
        node->kind == CLOPT_NODE_ASSIGN ? node->children[1]->scalar : CLOPT_SCALAR_NONE;
    return other > node->scalar ? other : node->scalar;
}

/* What changes functions. */
struct change {
    struct clopt_source *source;
    const char *prefix;
    size_t replaced;
    const struct clopt_node *other; /* what is not of float; NULL: nothing */
};

/* Returns an operand as the type of a quotient. */
static struct clopt_node *operand(const struct change *change, const struct clopt_node *quotient,
                                  struct clopt_node *node)
{
    char type[16];
    while (node->kind == CLOPT_NODE_PAREN && !clopt_node_is_operator(node->children[0], ","))
        node = node->children[0];
    if (node->scalar == quotient->scalar && node->width == quotient->width)
        return node;
    snprintf(type, sizeof type, quotient->width > 1 ? "float%u" : "float", quotient->width);
    return clopt_build(change->source, quotient, "($t)$n", type, node);
}

static struct clopt_node *build_division(struct change *change, struct clopt_node *node)
{
    struct clopt_node *dividend = node->children[0];
    struct clopt_node *divisor = operand(change, node, node->children[1]);
    if (node->kind == CLOPT_NODE_ASSIGN)
        return clopt_build(change->source, node, "$n = $sdivide($n, $n)", dividend, change->prefix,
                           dividend, divisor);
    if (is_one(change->source, dividend))
        return clopt_build(change->source, node, "$srecip($n)", change->prefix, divisor);
    return clopt_build(change->source, node, "$sdivide($n, $n)", change->prefix,
                       operand(change, node, dividend), divisor);
}

static struct clopt_node *build_call(struct change *change, struct clopt_node *node)
{
    struct clopt_nodes arguments = {0};
    for (size_t i = 0; i < node->child_count; i++)
        clopt_nodes_add(change->source, &arguments, node->children[i]);
    return clopt_build(change->source, node, "$s$s($N)", change->prefix, node->name, &arguments);
}

/* Whether the left side of /= can be written twice. */
static bool is_repeatable(const struct clopt_node *node)
{
    return node->kind != CLOPT_NODE_ASSIGN || !clopt_node_effects(node->children[0]) ||
           clopt_node_effects(node->children[0]) == CLOPT_EFFECT_MEMORY_READ;
}

static void replace(struct change *change, struct clopt_node *node)
{
    if (type_of(node) != CLOPT_SCALAR_FLOAT) {
        change->other = node;
        return;
    }
    if (!is_repeatable(node))
        return;
    struct clopt_node *built =
        node->kind == CLOPT_NODE_CALL ? build_call(change, node) : build_division(change, node);
    built->scalar = node->scalar;
    built->width = node->width;
    clopt_replace(change->source, node, built);
    change->replaced++;
}

/* Replaces what a node holds before the node itself, which then clones what has become of that. */
static void replace_all(struct change *change, struct clopt_node *body)
{
    struct clopt_nodes found = {0};
    for (struct clopt_node *node = body; node; node = clopt_node_next(node, body))
        if (has_function(node))
            clopt_nodes_add(change->source, &found, node);
    while (found.count)
        replace(change, found.items[--found.count]);
}

static enum clopt_status edit(void *prefix, struct clopt_source *source, struct clopt_error *error)
{
    struct change change = {.source = source, .prefix = prefix};
    for (size_t i = 0; i < source->function_count; i++)
        replace_all(&change, source->functions[i]->body);
    if (change.replaced)
        return CLOPT_OK;
    if (change.other)
        return clopt_source_refuse(source, change.other, error,
                                   "functions: %s functions are of float, and this is %s",
                                   change.prefix, clopt_scalar_name(type_of(change.other)));
    return clopt_source_refuse(source, source->kernel->body, error,
                               "functions: %s calls no function of float that has a %s one, and "
                               "divides no float",
                               source->kernel->name, change.prefix);
}

static enum clopt_status apply(struct clopt_transform *transform, const struct clopt_values *values,
                               struct clopt_error *error)
{
    const char *functions = clopt_values_text(values, "functions");
    char prefix[16];
    snprintf(prefix, sizeof prefix, "%s_", functions);
    return strcmp(functions, "full") != 0
               ? clopt_transform_edit(transform, CLOPT_INLINE_NONE, edit, prefix, error)
               : CLOPT_OK;
}

/* Last: vectors are not made of native_ functions, unless they are asked for. */
static const struct clopt_search_section search[] = {
    {1, ""},
    {1, ""},
    {1, "calls cos exp exp2 exp10 log log2 log10 powr rsqrt sin sqrt tan\n"
        "functions = full, native\n"},
    {0, NULL},
};

static const struct clopt_optimization optimization = {
    .parameters = parameters,
    .apply = apply,
    .search = search,
};

CLOPT_OPTIMIZATION_PLUGIN("precision", "faster functions that are less accurate", &optimization);
