/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what differs between the work-items of a kernel. */
#include "commands/transform/analyze.h"

#include <ctype.h>

#include <clopt/divergence.h>

#include "analysis/pattern.h"
#include "kernel/tree.h"
#include "text/table.h"
#include "text/text.h"

static void put_row(struct clopt_table *table, const struct clopt_source *source,
                    const struct clopt_node *node, const char *what, bool diverges)
{
    struct clopt_position position = clopt_source_position(source, node->begin);
    clopt_table_row(table, "%s:%u\t%s\t%s", position.file, position.line, what,
                    diverges ? "divergent" : "uniform");
}

/* Names a branch; NULL: it is none. */
static const char *branch_name(enum clopt_node_kind kind)
{
    static const char *const names[] = {[CLOPT_NODE_IF] = "if",
                                        [CLOPT_NODE_FOR] = "for",
                                        [CLOPT_NODE_WHILE] = "while",
                                        [CLOPT_NODE_DO] = "do",
                                        [CLOPT_NODE_SWITCH] = "switch"};
    return kind < sizeof names / sizeof *names ? names[kind] : NULL;
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
