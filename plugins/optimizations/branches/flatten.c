/* SPDX-License-Identifier: BSD-3-Clause */
/* Divergent branches that become selects. */
#include "selects.h"

#include <stdio.h>
#include <string.h>

#include <clopt/divergence.h>

#include "branches.h"

#define MOST_TYPE 128

/* ---- variables ---- */

struct clopt_node *selects_clone(const struct selects *selects, const struct clopt_node *node)
{
    return clopt_clone(&selects->cloning, node);
}

struct clopt_variable *selects_make(const struct selects *selects, const char *type,
                                    const char *base, unsigned number)
{
    char name[256];
    snprintf(name, sizeof name, "%.200s_%u", base, number);
    return clopt_variable_make(selects->source, type, name, "");
}

/* Copies of variables of one name are numbered together. */
static unsigned next_number(struct selects *selects, const struct clopt_variable *variable)
{
    size_t first = 0;
    while (strcmp(selects->source->variables[first]->name, variable->name) != 0)
        first++;
    return ++selects->counts[first];
}

struct clopt_variable *selects_copy(struct selects *selects, const struct clopt_variable *variable,
                                    size_t subscripts)
{
    char type[MOST_TYPE];
    place_type(variable, subscripts, type, sizeof type);
    return selects_make(selects, type, variable->name, next_number(selects, variable));
}

struct clopt_variable *selects_variable(const struct selects *selects,
                                        const struct clopt_variable *variable)
{
    struct clopt_variable *copy = selects->copies[variable->index].variable;
    return copy ? copy : selects->source->variables[variable->index];
}

static struct clopt_variable *variable_of(void *user, const struct clopt_variable *variable)
{
    const struct selects *selects = user;
    return selects->copies[variable->index].variable;
}

/* ---- statements ---- */

static struct clopt_node *form_declaration(struct selects *selects, const struct clopt_node *node)
{
    struct clopt_source *source = selects->source;
    struct clopt_nodes list = {0};
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *declarator = node->children[i];
        const struct clopt_variable *variable = declarator->variable;
        struct clopt_variable *copy =
            clopt_variable_copy(source, variable, next_number(selects, variable));
        selects->copies[variable->index] = (struct copy){.variable = copy};
        const struct clopt_node *value = declarator->condition;
        selects_put(selects, &list, node, "$V = $n;", copy,
                    value ? selects_clone(selects, value) : NULL);
    }
    return clopt_build(source, node, "$N", &list);
}

static struct clopt_node *form_expression(struct selects *selects, const struct clopt_node *node)
{
    const struct clopt_node *place = clopt_node_written(node);
    const struct clopt_node *whole = place ? clopt_node_whole(place) : NULL;
    if (whole && is_private_element(whole))
        return selects_form_element(selects, node, whole);
    struct copy *copy = whole && whole->kind == CLOPT_NODE_VARIABLE
                            ? &selects->copies[whole->variable->index]
                            : NULL;
    if (!copy || !copy->begins)
        return selects_form_stored(selects, node);
    copy->begins = false;
    return clopt_build(selects->source, node, "$V = $n;", copy->variable,
                       selects_clone(selects, node->children[1]));
}

static struct clopt_node *form_block(struct selects *selects, const struct clopt_node *block)
{
    struct clopt_nodes list = {0};
    if (block->kind == CLOPT_NODE_COMPOUND)
        clopt_nodes_add_body(&selects->cloning, &list, block);
    return clopt_build(selects->source, block, "$N", &list);
}

/* ---- sides ---- */

/* A side whose variables get copies. */
struct side {
    struct selects *selects;
    const struct clopt_node *body;
    struct copy *copies; /* by variable */
};

static void note_written(void *user, const struct clopt_node *node, struct clopt_variable *variable,
                         unsigned access)
{
    const struct side *side = user;
    struct copy *copy = &side->copies[variable->index];
    bool inside = clopt_node_declares(side->body, variable);
    (void)node;
    if ((access & CLOPT_WRITE) && !variable->is_array && !inside &&
        variable->space == CLOPT_SPACE_PRIVATE && !copy->written &&
        !(variable->is_pointer && variable->pointee == CLOPT_SPACE_PRIVATE))
        *copy = (struct copy){selects_copy(side->selects, variable, 0), true, false};
}

/* Finds the first statement of a side that uses a variable. */
static const struct clopt_node *find_first(const struct clopt_node *node,
                                           const struct clopt_variable *variable)
{
    if (node->kind != CLOPT_NODE_COMPOUND)
        return clopt_node_uses(node, variable) ? node : NULL;
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *found = find_first(node->children[i], variable);
        if (found)
            return found;
    }
    return NULL;
}

/* Whether a side begins with an assignment to a variable: what it was before does not matter. */
static bool begins_with(const struct clopt_node *body, const struct clopt_variable *variable)
{
    const struct clopt_node *node = find_first(body, variable);
    return node && node->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(node, "=") &&
           clopt_node_written(node)->kind == CLOPT_NODE_VARIABLE &&
           clopt_node_written(node)->variable == variable &&
           !clopt_node_uses(node->children[1], variable);
}

/* Adds the copies of a side, and what it does to them. */
static void add_side(struct side *side, const struct guard *guard, struct clopt_nodes *list)
{
    struct selects *selects = side->selects;
    struct copy *outer = selects->copies;
    const struct guard *around = selects->guard;
    size_t count = selects->source->variable_count;
    for (size_t i = 0; i < count; i++)
        side->copies[i].variable = outer[i].variable;
    if (!side->body)
        return;
    clopt_node_visit_uses(side->body, note_written, side);
    for (size_t i = 0; i < count; i++) {
        const struct clopt_variable *variable = selects->source->variables[i];
        struct copy *copy = &side->copies[i];
        copy->begins = copy->written && begins_with(side->body, variable);
        if (copy->written && !copy->begins)
            selects_put(selects, list, side->body, "$V = $v;", copy->variable,
                        selects_variable(selects, variable));
    }
    selects->copies = side->copies;
    selects->guard = guard;
    clopt_nodes_add(selects->source, list, selects_clone(selects, side->body));
    selects->guard = around;
    selects->copies = outer;
}

/* Gives each variable the copy of the side that is taken. */
static void add_selects(const struct selects *selects, const struct side *sides,
                        struct clopt_variable *taken, struct clopt_nodes *list)
{
    for (size_t i = 0; i < selects->source->variable_count; i++) {
        struct clopt_variable *variable = selects_variable(selects, selects->source->variables[i]);
        const struct copy *yes = &sides[0].copies[i];
        const struct copy *no = &sides[1].copies[i];
        if (yes->written || no->written)
            selects_put(selects, list, sides[0].body, "$v = $v ? $v : $v;", variable, taken,
                        yes->written ? yes->variable : variable,
                        no->written ? no->variable : variable);
    }
}

static struct clopt_node *form_branch(struct selects *selects, const struct clopt_node *branch)
{
    size_t count = selects->source->variable_count;
    struct copy *copies = clopt_source_table(selects->source, 2 * count, sizeof *copies);
    struct side sides[2] = {{selects, branch->body, copies},
                            {selects, branch->otherwise, copies + count}};
    struct clopt_variable *taken = selects_make(selects, "bool", "taken", ++selects->taken);
    struct clopt_nodes list = {0};
    if (!copies) {
        selects->failed = true;
        return NULL;
    }
    selects_put(selects, &list, branch, "$V = $n;", taken,
                selects_clone(selects, branch->condition));
    for (unsigned i = 0; i < 2; i++) {
        const struct guard guard = {selects->guard, taken, i};
        add_side(&sides[i], &guard, &list);
    }
    add_selects(selects, sides, taken, &list);
    if (branch == selects->branch)
        selects_add_stores(selects, taken, &list);
    return clopt_build(selects->source, branch, "$N", &list);
}

static struct clopt_node *form_outermost(struct selects *selects, const struct clopt_node *branch)
{
    stores_find(branch, &selects->stores);
    selects->branch = branch;
    struct clopt_node *made = form_branch(selects, branch);
    selects->branch = NULL;
    return made;
}

/* Returns the new form of a node of the original; NULL: as it is. */
static struct clopt_node *form(void *user, const struct clopt_node *node)
{
    struct selects *selects = user;
    if (!selects->branch)
        return selects->flat[node->index] ? form_outermost(selects, node) : NULL;
    if (!selects->guard)
        return NULL; /* in the condition, all is as it was */
    if (node == selects->element)
        return clopt_build(selects->source, node, "$v", selects->element_copy);
    if (is_memory(node))
        return selects_form_read(selects, node);
    if (!clopt_node_is_statement(node) || selects->element)
        return NULL;
    switch (node->kind) {
    case CLOPT_NODE_EMPTY:
    case CLOPT_NODE_COMPOUND:
        return form_block(selects, node);
    case CLOPT_NODE_DECLARE:
        return form_declaration(selects, node);
    case CLOPT_NODE_IF:
        return form_branch(selects, node);
    default:
        return form_expression(selects, node);
    }
}

static enum clopt_status rewrite(struct clopt_source *source, const bool *flat,
                                 struct clopt_error *error)
{
    size_t count = source->variable_count;
    struct selects selects = {.source = source, .flat = flat};
    selects.cloning = (struct clopt_cloning){
        .source = source, .user = &selects, .node = form, .variable = variable_of};
    selects.copies = clopt_source_table(source, count, sizeof *selects.copies);
    selects.counts = clopt_source_table(source, count, sizeof *selects.counts);
    selects.failed = !selects.copies || !selects.counts;
    if (!selects.failed)
        clopt_replace(source, source->kernel->body, selects_clone(&selects, source->kernel->body));
    return selects.failed ? clopt_fail_memory(error) : CLOPT_OK;
}

/* ---- the choice ---- */

struct search {
    const struct clopt_divergence *divergence;
    struct check check;
    bool *flat;               /* by node */
    bool chosen;              /* some are */
    struct clopt_error first; /* why the first one that is not is refused */
};

/* Chooses the outermost branches that can become selects. */
static void choose(struct search *search, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_IF && clopt_node_diverges(search->divergence, node->condition)) {
        if (check_branch(&search->check, node)) {
            search->chosen = search->flat[node->index] = true;
            return;
        }
        if (!search->first.status)
            search->first = search->check.error;
    }
    for (size_t i = 0; i < node->child_count; i++)
        choose(search, node->children[i]);
}

static enum clopt_status choose_checked(struct search *search, struct clopt_error *error)
{
    const struct clopt_source *source = search->check.source;
    const struct clopt_function *kernel = source->kernel;
    if (clopt_node_effects(kernel->body) & CLOPT_EFFECT_GOTO)
        return clopt_source_refuse(source, clopt_node_find_effect(kernel->body, CLOPT_EFFECT_GOTO),
                                   error, "%s uses goto", kernel->name);
    choose(search, kernel->body);
    if (search->chosen)
        return CLOPT_OK;
    if (!search->first.status)
        return clopt_fail(error, CLOPT_INFEASIBLE, "%s has no divergent branch", kernel->name);
    *error = search->first;
    return error->status;
}

enum clopt_status flatten_edit(void *cost, struct clopt_source *source, struct clopt_error *error)
{
    const struct clopt_identity identity = {.dimension = CLOPT_ANY_DIMENSION, .local_id = true};
    struct clopt_divergence *divergence = NULL;
    struct search search = {.check = {.source = source, .cost = *(const unsigned *)cost}};
    enum clopt_status status = clopt_divergence_create(source, identity, &divergence, error);
    search.divergence = divergence;
    search.flat = clopt_source_table(source, source->node_count, sizeof *search.flat);
    if (!status && !search.flat)
        status = clopt_fail_memory(error);
    if (!status)
        status = choose_checked(&search, error);
    if (!status)
        status = rewrite(source, search.flat, error);
    clopt_divergence_destroy(divergence);
    return status;
}
