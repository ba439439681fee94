/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what differs between the work-items of a kernel. */
#include "trial/analyze.h"

#include <ctype.h>

#include <clopt/divergence.h>

#include "analysis/pattern.h"
#include "kernel/tree.h"
#include "text/table.h"

static void put_row(struct clopt_table *table, const struct clopt_source *source,
                    const struct clopt_node *node, const char *what, bool diverges)
{
    struct clopt_position position = clopt_source_position(source, node->begin);
    clopt_table_row(table, "%s:%u\t%s\t%s", position.file, position.line, what,
                    diverges ? "divergent" : "uniform");
}

static const char *branch_name(enum clopt_node_kind kind)
{
    switch (kind) {
    case CLOPT_NODE_IF:
        return "if";
    case CLOPT_NODE_FOR:
        return "for";
    case CLOPT_NODE_WHILE:
        return "while";
    case CLOPT_NODE_DO:
        return "do";
    case CLOPT_NODE_SWITCH:
        return "switch";
    default:
        return NULL;
    }
}

static void put_node(struct clopt_table *table, const struct clopt_source *source,
                     const struct clopt_divergence *divergence, const struct clopt_node *node)
{
    const char *branch = branch_name(node->kind);
    if (branch)
        put_row(table, source, node, branch, clopt_node_is_region(divergence, node));
    if (node->kind == CLOPT_NODE_DECLARATOR)
        put_row(table, source, node, node->variable->name,
                clopt_variable_diverges(divergence, node->variable));
    for (size_t i = 0; i < node->child_count; i++)
        put_node(table, source, divergence, node->children[i]);
}

static enum clopt_status print_verdicts(const struct clopt_source *source, unsigned dimension,
                                        struct clopt_error *error)
{
    struct clopt_identity identity = {.dimension = dimension, .local_id = true};
    const struct clopt_divergence *divergence = clopt_divergence_create(source, identity);
    CLOPT_HELD(clopt_table) table = clopt_table_create("lll");
    const struct clopt_function *kernel = source->kernel;
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        const struct clopt_variable *parameter = kernel->parameters[i];
        put_row(table, source, kernel->body, parameter->name,
                clopt_variable_diverges(divergence, parameter));
    }
    put_node(table, source, divergence, kernel->body);
    return clopt_table_print(table, stdout, 0, error);
}

/* Appends the text of an expression, with runs of blanks made one. */
static void append_expression(struct clopt_text *text, const struct clopt_source *source,
                              const struct clopt_node *node)
{
    const char *all = source->text;
    for (size_t i = node->begin; i < node->end; i++) {
        bool blank = isspace((unsigned char)all[i]);
        if (!blank)
            clopt_text_append_char(text, all[i]);
        else if (i > node->begin && !isspace((unsigned char)all[i - 1]))
            clopt_text_append_char(text, ' ');
    }
}

static void put_pattern(struct clopt_table *table, const struct clopt_source *source,
                        const struct clopt_pattern *pattern)
{
    CLOPT_OWNED(clopt_text) text = {0};
    append_expression(&text, source, pattern->node);
    struct clopt_position position = clopt_source_position(source, pattern->node->begin);
    const char *item = pattern->item_distance, *group = pattern->group_distance;
    clopt_table_row(table, "%s:%u\t%s\t%s%s%s%s\t%s%s%s%s\t%s", position.file, position.line,
                    clopt_access_name(pattern->access), clopt_item_pattern_name(pattern->item),
                    item ? " (" : "", item ? item : "", item ? " apart)" : "",
                    clopt_group_pattern_name(pattern->group), group ? " (" : "", group ? group : "",
                    group ? " apart)" : "", clopt_text_string(&text));
}

static enum clopt_status print_patterns(const struct clopt_source *source, unsigned dimension,
                                        struct clopt_error *error)
{
    CLOPT_OWNED(clopt_patterns) patterns = {0};
    clopt_patterns_find(source, dimension, &patterns);
    CLOPT_HELD(clopt_table) table = clopt_table_create("lllll");
    clopt_table_wrap(table);
    clopt_table_row(table, "global memory\t\twork-item\twork-group");
    for (size_t i = 0; i < patterns.count; i++)
        put_pattern(table, source, &patterns.items[i]);
    putchar('\n');
    return patterns.count ? clopt_table_print(table, stdout, 0, error) : CLOPT_OK;
}

enum clopt_status clopt_analyze(const struct clopt_transform *transform, const char *dimension,
                                struct clopt_error *error)
{
    if (strlen(dimension) != 1 || *dimension < '0' || *dimension > '2')
        return clopt_fail(error, CLOPT_INVALID, "--analyze=%s: not a dimension, 0 to 2", dimension);
    CLOPT_HELD(clopt_source) source = NULL;
    CLOPT_TRY(clopt_transform_parse(transform, &source, error));
    CLOPT_TRY(print_verdicts(source, (unsigned)(*dimension - '0'), error));
    return print_patterns(source, (unsigned)(*dimension - '0'), error);
}

/* ---- accesses to global memory, and profiles ---- */

static bool is_there(const json_t *list, const json_t *pattern)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_equal(json_array_get(list, i), pattern))
            return true;
    return false;
}

/* Lists each pattern of an array once. */
static json_t *list_patterns(const struct clopt_patterns *patterns)
{
    json_t *list = json_array();
    for (size_t i = 0; i < patterns->count; i++) {
        const struct clopt_pattern *pattern = &patterns->items[i];
        json_t *entry = json_pack("{s:s, s:s, s:s, s:s?, s:s, s:s?}", "array", pattern->array,
                                  "access", clopt_access_name(pattern->access), "work_item",
                                  clopt_item_pattern_name(pattern->item), "work_item_distance",
                                  pattern->item_distance, "work_group",
                                  clopt_group_pattern_name(pattern->group), "work_group_distance",
                                  pattern->group_distance);
        if (!entry || is_there(list, entry))
            json_decref(entry);
        else
            json_array_append_new(list, entry);
    }
    return list;
}

/* What is told of one kernel of a variant; NULL: nothing. */
typedef json_t *(*tell_kernel)(const struct clopt_trial *trial, const struct clopt_variant *variant,
                               const char *file, const struct clopt_kernel *kernel);

static json_t *tell_kernels(tell_kernel tell, const struct clopt_trial *trial,
                            const struct clopt_variant *variant, const char *file)
{
    const struct clopt_kernel *kernel = trial->app->extension->app->kernels;
    json_t *all = json_object();
    for (; kernel->name; kernel++) {
        json_t *json = tell(trial, variant, file, kernel);
        if (json)
            json_object_set_new(all, kernel->name, json);
    }
    return all;
}

/* Its patterns, or why they are not known. */
static json_t *tell_patterns(const struct clopt_trial *trial, const struct clopt_variant *variant,
                             const char *file, const struct clopt_kernel *kernel)
{
    CLOPT_HELD(clopt_source) tree = NULL;
    CLOPT_OWNED(clopt_patterns) patterns = {0};
    struct clopt_error why = {0};
    (void)trial;
    if (clopt_source_create(file, variant->source, NULL, variant->dialect, kernel->name, &tree,
                            &why))
        return json_string(why.message);
    clopt_patterns_find(tree, 0, &patterns);
    return list_patterns(&patterns);
}

json_t *clopt_patterns_to_json(const struct clopt_trial *trial, const struct clopt_variant *variant,
                               const char *file)
{
    return tell_kernels(tell_patterns, trial, variant, file);
}

static json_t *tell_profile(const struct clopt_trial *trial, const struct clopt_variant *variant,
                            const char *file, const struct clopt_kernel *kernel)
{
    struct clopt_profile profile;
    struct clopt_error why = {0};
    bool known = clopt_trial_is_of(trial, kernel) &&
                 !clopt_variant_profile(trial, variant, file, kernel, &profile, &why);
    return known ? clopt_profile_to_json(&profile) : NULL;
}

json_t *clopt_profiles_to_json(const struct clopt_trial *trial, const struct clopt_variant *variant,
                               const char *file)
{
    return tell_kernels(tell_profile, trial, variant, file);
}

/* ---- counts what the kernels of a variant do ---- */

enum clopt_status clopt_variant_profile(const struct clopt_trial *trial,
                                        const struct clopt_variant *variant, const char *file,
                                        const struct clopt_kernel *kernel,
                                        struct clopt_profile *profile, struct clopt_error *error)
{
    CLOPT_HELD(clopt_source) tree = NULL;
    struct clopt_kernel_work work;
    CLOPT_TRY(clopt_trial_describe(trial, variant->knobs, kernel, &work, error));
    CLOPT_TRY(clopt_source_create(file, variant->source, NULL, variant->dialect, kernel->name,
                                  &tree, error));
    const struct clopt_ndrange_change *change = clopt_variant_change(variant, kernel);
    if (change)
        work.ndrange = clopt_ndrange_map(&work.ndrange, change);
    clopt_profile_find(tree, &work.ndrange, profile);
    return CLOPT_OK;
}
