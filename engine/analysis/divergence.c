/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out what differs between work-items that differ by their identity alone.
 *
 * Variables that may share memory differ together. Memory outside a work-item is not followed:
 * work-items that access it without a barrier in between race, and those that read the same address
 * at the same time read the same. */
#include <clopt/divergence.h>

#include "analysis/alias.h"
#include "analysis/trip.h"
#include "kernel/effect.h"

struct clopt_divergence {
    const struct clopt_source *source;
    struct clopt_identity identity;
    struct clopt_aliases aliases;
    bool *variables; /* by class: differs */
    bool *functions; /* by function: differs for equal arguments */
    bool *regions;   /* by node */
    bool *together;  /* by node: statements at which all take the same way, whatever diverges */
    bool *counters;  /* by variable: see trip.h */
    bool changed;
    size_t node_count; /* when it was made: nodes that are made later are in no tree looked at */
};

/* ---- expressions ---- */

bool clopt_variable_diverges(const struct clopt_divergence *divergence,
                             const struct clopt_variable *variable)
{
    return divergence->variables[clopt_aliases_class(&divergence->aliases, variable->index)];
}

static bool is_identity(const struct clopt_divergence *divergence, const struct clopt_node *call)
{
    const struct clopt_identity *identity = &divergence->identity;
    const char *name = call->name;
    if (identity->loop)
        return false;
    bool asks = strcmp(name, "get_global_id") == 0 ||
                (identity->local_id && strcmp(name, "get_local_id") == 0) ||
                (identity->group_id && strcmp(name, "get_group_id") == 0);
    if (!asks || call->child_count != 1)
        return false;
    const struct clopt_node *dimension = call->children[0];
    if (dimension->known && identity->dimension == CLOPT_ANY_DIMENSION)
        return !identity->local || dimension->value < 0 || dimension->value > 2 ||
               identity->local[dimension->value] > 1;
    return !dimension->known || dimension->value == identity->dimension;
}

/* Whether a call returns each work-item what is its own. Work-items that differ by their groups
 * alone have the same place in their sub-groups. */
static bool numbers_items(const struct clopt_divergence *divergence, const struct clopt_node *call)
{
    const struct clopt_identity *identity = &divergence->identity;
    bool same = identity->loop || (!identity->local_id && clopt_call_is_of_sub_group(call));
    return !same && clopt_call_numbers_items(call);
}

/* What a variable of a work-item's own always is, an integer of 32 bits or more; NULL: not known.
 */
static const struct clopt_node *always_integer(const struct clopt_variable *variable)
{
    bool integer = variable->bits >= 32 && !variable->is_parameter && !variable->is_volatile &&
                   variable->space == CLOPT_SPACE_PRIVATE;
    return integer ? clopt_variable_value(variable) : NULL;
}

bool clopt_node_is_identity(const struct clopt_divergence *divergence,
                            const struct clopt_node *node)
{
    while (node->kind == CLOPT_NODE_PAREN || (node->kind == CLOPT_NODE_CAST && node->bits >= 32))
        node = node->children[0];
    const struct clopt_node *value =
        node->kind == CLOPT_NODE_VARIABLE ? always_integer(node->variable) : NULL;
    if (value)
        return value->index < node->index && clopt_node_is_identity(divergence, value);
    return node->kind == CLOPT_NODE_CALL && is_identity(divergence, node) &&
           node->children[0]->known;
}

/* Whether a value is the same for all identities of a block, as id < 16 is for blocks of 4. */
static bool is_same_in_block(const struct clopt_divergence *divergence,
                             const struct clopt_node *node)
{
    int64_t block = (int64_t)divergence->identity.block;
    if (!block || node->kind != CLOPT_NODE_BINARY)
        return false;
    const struct clopt_node *left = node->children[0];
    const struct clopt_node *right = node->children[1];
    const char *op = node->op;
    bool mirrored = left->known;
    const struct clopt_node *constant = mirrored ? left : right;
    if (!constant->known || constant->value < 0 ||
        !clopt_node_is_identity(divergence, mirrored ? right : left))
        return false;
    int64_t value = constant->value;
    if (strcmp(op, mirrored ? ">" : "<") == 0 || strcmp(op, mirrored ? "<=" : ">=") == 0)
        return value % block == 0;
    if (strcmp(op, mirrored ? ">=" : "<=") == 0 || strcmp(op, mirrored ? "<" : ">") == 0)
        return (value + 1) % block == 0;
    if (mirrored)
        return false;
    if (strcmp(op, "/") == 0)
        return value && value % block == 0 && !left->is_signed;
    return strcmp(op, ">>") == 0 && value < 31 && ((int64_t)1 << value) % block == 0;
}

bool clopt_node_diverges(const struct clopt_divergence *divergence, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_SIZEOF || is_same_in_block(divergence, node) ||
        (!divergence->identity.group_id && clopt_node_group_begin(node) < 3))
        return false;
    if (node->kind == CLOPT_NODE_VARIABLE && clopt_variable_diverges(divergence, node->variable))
        return true;
    if (node->is_volatile && clopt_node_is_expression(node) && !node->is_pointer)
        return true;
    if (node->kind == CLOPT_NODE_CALL &&
        (is_identity(divergence, node) || numbers_items(divergence, node) ||
         (node->callee && divergence->functions[node->callee->index]) ||
         (!node->callee &&
          (clopt_name_starts(node->name, "atom") || clopt_name_starts(node->name, "printf")))))
        return true;
    for (size_t i = 0; i < node->child_count; i++)
        if (clopt_node_diverges(divergence, node->children[i]))
            return true;
    return false;
}

/* Functions differ that ask for the identity, or that must be called as often as they were. */
static void find_functions(struct clopt_divergence *divergence)
{
    const struct clopt_source *source = divergence->source;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = source->function_count; i-- > 1;) {
            const struct clopt_function *function = source->functions[i];
            if (divergence->functions[i] || !clopt_node_diverges(divergence, function->body))
                continue;
            divergence->functions[i] = true;
            changed = true;
        }
    }
}

/* ---- statements ---- */

/* Marks a variable, and all that may share its memory. */
static void mark_variable(struct clopt_divergence *divergence,
                          const struct clopt_variable *variable)
{
    bool *mark = &divergence->variables[clopt_aliases_class(&divergence->aliases, variable->index)];
    divergence->changed |= !*mark;
    *mark = true;
}

/* Marks what a node writes, but for variables of a region, by the numbers of its first node and of
 * the one after it; both 0: there is none. */
static void mark_written(struct clopt_divergence *divergence, const struct clopt_node *written,
                         size_t begin, size_t end)
{
    for (const struct clopt_node *node = written; node; node = clopt_node_next(node, written)) {
        const struct clopt_variable *variable = node->variable;
        if (!(clopt_node_use(node, written) & CLOPT_WRITE) ||
            variable->space != CLOPT_SPACE_PRIVATE)
            continue;
        const struct clopt_node *own[] = {
            variable->declarator,
            divergence->counters[variable->index] ? clopt_counter_loop(node, variable) : NULL};
        size_t class = clopt_aliases_class(&divergence->aliases, variable->index);
        bool inside = (own[0] && own[0]->index >= begin && own[0]->index < end) ||
                      (own[1] && own[1]->index >= begin && own[1]->index < end);
        if (!inside || divergence->aliases.shared[class])
            mark_variable(divergence, variable);
    }
}

/* Marks the local arrays whose elements a node writes: groups differ in them. */
static void mark_local(struct clopt_divergence *divergence, const struct clopt_node *node)
{
    for (const struct clopt_node *at = node; at; at = clopt_node_next(at, node)) {
        const struct clopt_node *target = clopt_node_written(at);
        const struct clopt_variable *base =
            target ? clopt_access_of(clopt_node_whole(target)).base : NULL;
        if (base && base->space == CLOPT_SPACE_LOCAL && divergence->identity.group_id)
            mark_variable(divergence, base);
    }
}

static void mark_region(struct clopt_divergence *divergence, const struct clopt_node *statement);

/* What is left from inside a region, but not by all, becomes a region itself. */
static void mark_jumps(struct clopt_divergence *divergence, const struct clopt_node *region,
                       const struct clopt_node *node)
{
    bool jumps = node->kind == CLOPT_NODE_BREAK || node->kind == CLOPT_NODE_CONTINUE;
    const struct clopt_node *left = jumps ? clopt_node_target(node) : NULL;
    if (left && !clopt_node_contains(region, left))
        mark_region(divergence, left);
    left = node->kind == CLOPT_NODE_RETURN ? region->parent : NULL;
    for (; left && left->parent; left = left->parent)
        if (!divergence->regions[left->index] &&
            (left->kind != CLOPT_NODE_COMPOUND || left->parent->kind == CLOPT_NODE_COMPOUND))
            mark_region(divergence, left);
    for (size_t i = 0; i < node->child_count; i++)
        mark_jumps(divergence, region, node->children[i]);
}

/* Marks what a statement writes in a region that reaches from one node to before another. */
static void mark_part(struct clopt_divergence *divergence, const struct clopt_node *statement,
                      size_t begin, size_t end)
{
    mark_written(divergence, statement, begin, end);
    mark_local(divergence, statement);
    mark_jumps(divergence, statement, statement);
}

static void mark_region(struct clopt_divergence *divergence, const struct clopt_node *statement)
{
    divergence->changed |= !divergence->regions[statement->index];
    divergence->regions[statement->index] = true;
    mark_part(divergence, statement, statement->index, clopt_node_end(statement));
}

/* An expression or declaration that is executed on its own. */
static void visit_simple(struct clopt_divergence *divergence, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_BINARY && strcmp(node->op, ",") == 0) {
        visit_simple(divergence, node->children[0]);
        visit_simple(divergence, node->children[1]);
        return;
    }
    if (node->kind == CLOPT_NODE_DECLARE) {
        for (size_t i = 0; i < node->child_count; i++)
            visit_simple(divergence, node->children[i]);
        return;
    }
    bool declared =
        node->kind == CLOPT_NODE_DECLARATOR && clopt_variable_diverges(divergence, node->variable);
    if (!declared && !clopt_node_diverges(divergence, node))
        return;
    mark_written(divergence, node, 0, 0);
    mark_local(divergence, node);
}

static void visit_statement(struct clopt_divergence *divergence, const struct clopt_node *node)
{
    bool diverges = node->condition && node->kind != CLOPT_NODE_RETURN &&
                    node->kind != CLOPT_NODE_CASE &&
                    clopt_node_diverges(divergence, node->condition);
    if (node->kind == CLOPT_NODE_SWITCH) /* it is uniform only as a whole */
        diverges |= clopt_node_diverges(divergence, node);
    bool own =
        diverges && node->kind != CLOPT_NODE_DECLARATOR && !divergence->together[node->index];
    if (own)
        mark_region(divergence, node);
    if ((own || divergence->regions[node->index]) && !divergence->identity.inside)
        return;
    if (clopt_node_is_expression(node) || node->kind == CLOPT_NODE_DECLARE) {
        visit_simple(divergence, node);
        return;
    }
    const struct clopt_node *const heads[] = {node->condition, node->init, node->step};
    for (size_t i = 0; i < 3; i++)
        if (heads[i])
            visit_simple(divergence, heads[i]);
    /* What follows a return that not all take is one region, unless they meet again there. */
    const struct clopt_node *guard = NULL;
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *part = node->children[i];
        if (guard)
            mark_part(divergence, part, guard->index, clopt_node_end(node));
        if (guard && !divergence->identity.inside)
            divergence->regions[part->index] = true;
        if ((!guard || divergence->identity.inside) && part != node->init &&
            part != node->condition && part != node->step)
            visit_statement(divergence, part);
        if (!guard && !node->parent && divergence->regions[part->index] &&
            clopt_node_find(part, CLOPT_NODE_RETURN) && !clopt_node_find_collective(node, i + 1))
            guard = part;
    }
}

/* ---- the whole ---- */

/* Makes a divergence like another one, but for what is found out next. */
static struct clopt_divergence *derive(const struct clopt_divergence *from)
{
    const struct clopt_source *source = from->source;
    struct clopt_divergence *made = clopt_source_table(source, 1, sizeof *made);
    *made = *from;
    made->variables = clopt_source_table(source, source->variable_count, sizeof *made->variables);
    made->regions = clopt_source_table(source, made->node_count, sizeof *made->regions);
    made->together = clopt_source_table(source, made->node_count, sizeof *made->together);
    return made;
}

static void spread(struct clopt_divergence *divergence, const struct clopt_node *node)
{
    do {
        divergence->changed = false;
        visit_statement(divergence, node);
    } while (divergence->changed);
}

/* Whether groups have local memory of their own of which it is not known what it holds: not an
 * array that every access to it names, with the element, so that all that is written is seen. */
static bool is_apart(const struct clopt_function *kernel, const struct clopt_variable *variable)
{
    if (variable->is_parameter)
        return variable->is_pointer && variable->pointee == CLOPT_SPACE_LOCAL &&
               variable->function == kernel;
    bool seen = variable->is_array && !variable->is_volatile && !variable->is_record &&
                !clopt_variable_find_other_use(variable, kernel->body, false);
    return variable->space == CLOPT_SPACE_LOCAL && !seen;
}

static struct clopt_divergence *create(const struct clopt_source *source,
                                       struct clopt_identity identity)
{
    struct clopt_divergence first = {
        .source = source, .identity = identity, .node_count = source->node_count};
    const struct clopt_function *kernel = source->kernel;
    size_t variables = source->variable_count;
    clopt_aliases_init(&first.aliases, &source->inner->arena, variables);
    first.functions = clopt_source_table(source, source->function_count, sizeof *first.functions);
    first.counters = clopt_source_table(source, variables, sizeof *first.counters);
    struct clopt_divergence *made = derive(&first);
    clopt_aliases_follow(&made->aliases, kernel->body);
    clopt_counters_find(kernel->body, made->counters, variables);
    for (size_t i = 0; identity.group_id && i < variables; i++)
        if (is_apart(kernel, source->variables[i]))
            mark_variable(made, source->variables[i]);
    find_functions(made);
    for (size_t i = 0; identity.loop && i < variables; i++)
        if (identity.varying[i] && source->variables[i]->space == CLOPT_SPACE_PRIVATE)
            mark_variable(made, source->variables[i]);
    spread(made, identity.loop ? identity.loop->body : kernel->body);
    return made;
}

static struct clopt_divergence *create_together(const struct clopt_divergence *outer,
                                                const struct clopt_node *statement)
{
    const struct clopt_source *source = outer->source;
    struct clopt_divergence *made = derive(outer);
    memcpy(made->variables, outer->variables, source->variable_count * sizeof *made->variables);
    memcpy(made->together, outer->together, made->node_count * sizeof *made->together);
    made->together[statement->index] = true;
    spread(made, clopt_node_find(statement, CLOPT_NODE_RETURN) ? source->kernel->body : statement);
    return made;
}

struct clopt_divergence *clopt_divergence_create(const struct clopt_source *source,
                                                 struct clopt_identity identity)
{
    return identity.outer ? create_together(identity.outer, identity.agreed)
                          : create(source, identity);
}

bool clopt_node_is_region(const struct clopt_divergence *divergence,
                          const struct clopt_node *statement)
{
    return divergence->regions[statement->index];
}
