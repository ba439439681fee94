/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints branches as selects. */
#include "selects.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "expression.h"
#include "selects_parts.h"

/* ---- statements ---- */

static void put_statement(struct selects *selects, const struct clopt_node *node);

/* Puts the comments between two places of the text. */
static void put_comments(struct selects *selects, size_t from, size_t end)
{
    const char *text = clopt_source_text(selects->source);
    bool apart = false;
    for (; from < end && isspace((unsigned char)text[from]); from++)
        apart |= text[from] == '\n';
    while (end > from && isspace((unsigned char)text[end - 1]))
        end--;
    if (from == end)
        return;
    if (apart)
        selects_begin_line(selects);
    else
        selects_put(selects, selects->begun ? " " : "");
    selects->begun = true;
    clopt_output_copy(selects->output, selects->source, from, end);
}

/* Where the word `else` of a branch stands, or the branch ends. */
static size_t else_begin(const struct selects *selects, const struct clopt_node *branch)
{
    const char *text = clopt_source_text(selects->source);
    size_t end = branch->otherwise ? branch->otherwise->begin : branch->stop;
    const char *at = text + branch->body->stop;
    while (at < text + end && *at != 'e') {
        const char *close = at;
        if (strncmp(at, "/*", 2) == 0)
            close = strstr(at + 2, "*/") + 1;
        else if (*at == '/')
            close = strchr(at, '\n');
        at = close + 1;
    }
    return (size_t)(at - text);
}

static void put_block(struct selects *selects, const struct clopt_node *block)
{
    size_t at = block->begin + 1;
    for (size_t i = 0; i < block->child_count; i++) {
        put_comments(selects, at, block->children[i]->begin);
        put_statement(selects, block->children[i]);
        at = block->children[i]->stop;
    }
    put_comments(selects, at, block->end - 1);
}

static void put_declarators(struct selects *selects, const struct clopt_node *declaration)
{
    for (size_t i = 0; i < declaration->child_count; i++) {
        const struct clopt_node *declarator = declaration->children[i];
        selects->names[declarator->variable->index] =
            selects_fresh_copy(selects, declarator->variable);
        selects_begin_line(selects);
        clopt_print_declarator(&selects->printer, selects->output, declarator, true);
    }
}

static void put_branch(struct selects *selects, const struct clopt_node *branch);

static void put_expression(struct selects *selects, const struct clopt_node *node)
{
    const struct clopt_node *place = written_place(node);
    const struct clopt_node *whole = place ? written_whole(place) : NULL;
    if (whole && is_private_element(whole)) {
        selects_put_element(selects, node, whole);
        return;
    }
    selects_begin_line(selects);
    if (selects_put_stored(selects, node))
        return;
    if (whole && whole->kind == CLOPT_NODE_VARIABLE &&
        selects->beginnings[whole->variable->index] == node) {
        selects_put_type(selects, whole->variable, 0);
        clopt_output_printf(selects->output, "%s = ", selects_name(selects, whole->variable));
        selects_print(selects, node->children[1]);
        selects_put(selects, ";");
        return;
    }
    selects_print(selects, node);
}

static void put_statement(struct selects *selects, const struct clopt_node *node)
{
    switch (node->kind) {
    case CLOPT_NODE_EMPTY:
        break;
    case CLOPT_NODE_COMPOUND:
        put_block(selects, node);
        break;
    case CLOPT_NODE_DECLARE:
        put_declarators(selects, node);
        break;
    case CLOPT_NODE_IF:
        put_branch(selects, node);
        break;
    default:
        put_expression(selects, node);
        break;
    }
}

/* ---- sides ---- */

/* The variables of a side that get a copy, and what is called what. */
struct side {
    const struct clopt_node *body;
    struct selects *selects;
    const char **copies; /* by variable: NULL: it has none */
};

static void note_written(void *user, const struct clopt_node *node, struct clopt_variable *variable,
                         unsigned access)
{
    struct side *side = user;
    bool inside = variable->declarator && clopt_node_contains(side->body, variable->declarator);
    (void)node;
    if ((access & CLOPT_WRITE) && !variable->is_array && !inside &&
        variable->space == CLOPT_SPACE_PRIVATE && !side->copies[variable->index] &&
        !(variable->is_pointer && variable->pointee == CLOPT_SPACE_PRIVATE))
        side->copies[variable->index] = selects_fresh_copy(side->selects, variable);
}

/* Finds the first statement of a side that touches a variable. */
static const struct clopt_node *first_access(const struct clopt_node *node,
                                             const struct clopt_variable *variable)
{
    if (node->kind != CLOPT_NODE_COMPOUND)
        return clopt_node_uses(node, variable) ? node : NULL;
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *found = first_access(node->children[i], variable);
        if (found)
            return found;
    }
    return NULL;
}

/* The assignment with which a copy can begin: what the variable was does not matter to it. */
static const struct clopt_node *find_beginning(const struct clopt_node *body,
                                               const struct clopt_variable *variable)
{
    const struct clopt_node *node = first_access(body, variable);
    bool begins = node && node->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(node, "=") &&
                  written_place(node)->kind == CLOPT_NODE_VARIABLE &&
                  written_place(node)->variable == variable &&
                  !clopt_node_uses(node->children[1], variable);
    return begins ? node : NULL;
}

static void put_side(struct selects *selects, struct side *side, const char *taken, bool negative)
{
    const struct guard guard = {selects->guard, taken, negative};
    size_t count = clopt_source_variable_count(selects->source);
    const char **outer = calloc(count + 1, sizeof *outer);
    side->copies = calloc(count + 1, sizeof *side->copies);
    if (!outer || !side->copies) {
        selects->failed = true;
        free(outer);
        return;
    }
    clopt_node_visit_uses(side->body, note_written, side);
    memcpy(outer, selects->names, count * sizeof *outer);
    for (size_t i = 0; i < count; i++) {
        if (!side->copies[i])
            continue;
        const struct clopt_variable *variable = clopt_source_variable(selects->source, i);
        selects->beginnings[i] = find_beginning(side->body, variable);
        if (!selects->beginnings[i]) {
            selects_begin_line(selects);
            selects_put_type(selects, variable, 0);
            clopt_output_printf(selects->output, "%s = %s;", side->copies[i],
                                selects_name(selects, variable));
        }
        selects->names[i] = side->copies[i];
    }
    selects->guard = &guard;
    put_statement(selects, side->body);
    selects->guard = guard.outer;
    memcpy(selects->names, outer, count * sizeof *outer);
    free(outer);
}

static void put_selects(struct selects *selects, const struct side *sides, const char *taken)
{
    size_t count = clopt_source_variable_count(selects->source);
    for (size_t i = 0; i < count; i++) {
        const char *copies[2];
        const char *name = selects_name(selects, clopt_source_variable(selects->source, i));
        for (unsigned side = 0; side < 2; side++)
            copies[side] =
                sides[side].copies && sides[side].copies[i] ? sides[side].copies[i] : name;
        if (copies[0] == name && copies[1] == name)
            continue;
        selects_begin_line(selects);
        clopt_output_printf(selects->output, "%s = %s ? %s : %s;", name, taken, copies[0],
                            copies[1]);
    }
}

static void put_branch(struct selects *selects, const struct clopt_node *branch)
{
    const char *taken = selects_fresh(selects, "taken", ++selects->taken);
    struct side sides[2] = {{branch->body, selects, NULL}, {branch->otherwise, selects, NULL}};
    selects_begin_line(selects);
    clopt_output_printf(selects->output, "bool %s = ", taken);
    selects_put_operand(selects, &selects->printer, branch->condition);
    selects_put(selects, ";");
    for (unsigned i = 0; i < 2 && sides[i].body; i++) {
        put_side(selects, &sides[i], taken, i);
        if (i == 0 && branch->otherwise)
            put_comments(selects, branch->body->stop, else_begin(selects, branch));
    }
    put_selects(selects, sides, taken);
    if (branch == selects->branch)
        selects_put_stores(selects, taken);
    free(sides[0].copies);
    free(sides[1].copies);
}

static void put_outermost(struct selects *selects, const struct clopt_node *branch)
{
    bool braces = !branch->parent || branch->parent->kind != CLOPT_NODE_COMPOUND;
    selects_put(selects, braces ? "{\n" : "");
    selects->begun = false;
    stores_find(selects->source, branch, &selects->stores);
    selects->branch = branch;
    put_branch(selects, branch);
    selects->branch = NULL;
    selects_put(selects, braces ? "\n}" : "");
}

static bool replace(void *user, struct clopt_output *output, const struct clopt_node *node)
{
    struct selects *selects = user;
    if (!selects->branch) {
        if (!selects->flat[node->index])
            return false;
        put_outermost(selects, node);
        return true;
    }
    if (node == selects->element) {
        clopt_output_put(output, selects->element_name);
        return true;
    }
    /* Outside of the sides, in the condition, all is as it was. */
    return selects->guard && is_memory(node) && selects_put_read(selects, node);
}

static const char *get_name(void *user, const struct clopt_variable *variable)
{
    const struct selects *selects = user;
    return selects->names[variable->index];
}

enum clopt_status selects_init(struct selects *selects, struct clopt_error *error)
{
    size_t count = clopt_source_variable_count(selects->source);
    selects->printer = (struct clopt_printer){
        .source = selects->source, .user = selects, .name = get_name, .replace = replace};
    selects->names = calloc(count + 1, sizeof *selects->names);
    selects->beginnings = calloc(count + 1, sizeof *selects->beginnings);
    selects->counts = calloc(count + 1, sizeof *selects->counts);
    if (selects->names && selects->beginnings && selects->counts)
        return CLOPT_OK;
    return clopt_fail_memory(error);
}

void selects_fini(struct selects *selects)
{
    free(selects->names);
    free(selects->beginnings);
    free(selects->counts);
}
