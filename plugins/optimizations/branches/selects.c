/* SPDX-License-Identifier: BSD-3-Clause */
/* Branches as selects.
 *
 * Each side works on copies of the variables that it writes; after both, each variable gets the
 * copy of the side that is taken. A copy never depends on the other side, so that compilers find
 * straight-line code: what they make of `a = taken ? a_1 : a_2` with three variables is one select,
 * and never a branch. */

#include "flatten.h"

/* A condition that holds where a side is meant. */
struct guard {
    const struct guard *outer;
    struct clopt_variable *taken;
    bool negative;
};

/* What takes the place of a variable in a side. */
struct copy {
    struct clopt_variable *variable; /* NULL: itself */
    bool written;                    /* the side writes it, not one around it */
    bool begins;                     /* it is declared by the assignment that comes next */
};

struct selects {
    struct clopt_source *source;
    const bool *flat;                 /* by node: an outermost `if` that becomes selects */
    bool as_is;                       /* its reads are safe as they are */
    struct clopt_cloning cloning;     /* gives nodes of the original their new form */
    struct copy *copies;              /* by variable */
    unsigned *counts;                 /* by the first variable of a name: copies so far */
    const struct clopt_node *branch;  /* the outermost `if` that is being changed */
    const struct guard *guard;        /* what holds where a node is meant */
    const struct clopt_node *element; /* an element that `element_copy` holds for now */
    struct clopt_variable *element_copy;
    struct stores stores;                           /* of the branch */
    struct clopt_variable *stored[2 * MOST_STORES]; /* by their numbers */
    unsigned taken;                                 /* conditions so far */
    unsigned lvalues;
};

/* Builds a statement at the end of a list. */
#define put(selects, list, ...) clopt_nodes_put((selects)->source, list, __VA_ARGS__)

/* ---- variables ---- */

/* Returns the new form of a node. */
static struct clopt_node *clone(const struct selects *selects, const struct clopt_node *node)
{
    return clopt_clone(&selects->cloning, node);
}

/* Copies of variables of one name are numbered together. */
static unsigned next_number(struct selects *selects, const struct clopt_variable *variable)
{
    size_t first = 0;
    while (strcmp(selects->source->variables[first]->name, variable->name) != 0)
        first++;
    return ++selects->counts[first];
}

/* Makes a variable of another one's type. */
static struct clopt_variable *make_copy(struct selects *selects,
                                        const struct clopt_variable *variable)
{
    return clopt_variable_copy(selects->source, variable, next_number(selects, variable));
}

/* Makes a variable for an element. */
static struct clopt_variable *make_element(struct selects *selects,
                                           const struct clopt_access *elements)
{
    char type[MOST_TYPE];
    element_type(elements, type, sizeof type);
    return clopt_variable_make(selects->source, type, "", "%s_%u", elements->base->name,
                               next_number(selects, elements->base));
}

/* The variable that takes the place of another one now. */
static struct clopt_variable *current(const struct selects *selects,
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

/* ---- memory ---- */

/* Returns one value where the side is taken, and another one where it is not. */
static struct clopt_node *choose(const struct selects *selects, const struct clopt_node *at,
                                 const struct clopt_node *taken, const struct clopt_node *otherwise)
{
    const struct guard *guard = selects->guard;
    struct clopt_node *holds = NULL;
    if (!guard->outer && guard->negative)
        return clopt_build(selects->source, at, "$v ? $n : $n", guard->taken, otherwise, taken);
    for (; guard; guard = guard->outer) {
        struct clopt_node *own =
            clopt_build(selects->source, at, guard->negative ? "!$v" : "$v", guard->taken);
        holds = holds ? clopt_build(selects->source, at, "$n && $n", holds, own) : own;
    }
    return clopt_build(selects->source, at, "$n ? $n : $n", holds, taken, otherwise);
}

/* ---- reads ---- */

/* Returns a subscript where the side is taken, and one that is safe where it is not; `safe` NULL:
 * 0. */
static struct clopt_node *form_subscript(const struct selects *selects,
                                         const struct clopt_node *subscript,
                                         const struct clopt_node *safe)
{
    return choose(selects, subscript, clone(selects, subscript),
                  safe ? safe : clopt_build(selects->source, subscript, "0"));
}

/* Returns a read that is safe where the side is not taken; NULL: it is so by itself. */
static struct clopt_node *form_read(struct selects *selects, const struct clopt_node *node)
{
    if (selects->as_is)
        return NULL;
    struct read read = read_find(selects->branch, node);
    if (read.kind != READ_ELSEWHERE)
        return NULL;
    struct clopt_access elements = clopt_access_of(node);
    struct clopt_access like = {0};
    if (read.like)
        like = clopt_access_of(read.like);
    struct clopt_node *access =
        clopt_build(selects->source, node, "$v", current(selects, elements.base));
    for (size_t i = 0; i < elements.index_count; i++) {
        const struct clopt_node *subscript = elements.indices[i];
        bool safe = read.like ? clopt_nodes_equal(subscript, like.indices[i])
                              : is_in_range(elements.base, i, subscript);
        access = clopt_build(selects->source, node, "$n[$n]", access,
                             safe ? clone(selects, subscript)
                                  : form_subscript(selects, subscript, like.indices[i]));
    }
    return access;
}

/* ---- elements of private arrays ---- */

/* Returns an element with subscripts that are known, or in variables that the list then has. */
static struct clopt_node *name_element(struct selects *selects, const struct clopt_access *elements,
                                       struct clopt_nodes *list)
{
    const struct clopt_node *at = elements->node;
    struct clopt_node *element =
        clopt_build(selects->source, at, "$v", current(selects, elements->base));
    for (size_t i = 0; i < elements->index_count; i++) {
        const struct clopt_node *index = elements->indices[i];
        if (is_in_range(elements->base, i, index)) {
            element = clopt_build(selects->source, at, "$n[$l]", element, index->value);
            continue;
        }
        struct clopt_variable *subscript =
            clopt_variable_make(selects->source, "int", "", "at_%u", ++selects->lvalues);
        put(selects, list, at, "$V = $n;", subscript, form_subscript(selects, index, NULL));
        element = clopt_build(selects->source, at, "$n[$v]", element, subscript);
    }
    return element;
}

/* Adds an assignment to a copy of its lvalue, which holds `before`. */
static void add_copy(struct selects *selects, const struct clopt_node *node,
                     const struct clopt_node *lvalue, struct clopt_variable *copy,
                     const struct clopt_node *before, struct clopt_nodes *list)
{
    bool whole = node->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(node, "=") &&
                 lvalue == clopt_node_written(node);
    put(selects, list, node, "$V = $n;", copy, whole ? clone(selects, node->children[1]) : before);
    if (whole)
        return;
    selects->element = lvalue;
    selects->element_copy = copy;
    struct clopt_node *change = clone(selects, node);
    selects->element = NULL;
    change->plain = true; /* what is before the statement is before all of them */
    clopt_nodes_add(selects->source, list, change);
}

/* Returns a write to an element of an array in private memory, which gets what it has where the
 * side is not taken. */
static struct clopt_node *form_element(struct selects *selects, const struct clopt_node *node,
                                       const struct clopt_node *lvalue)
{
    struct clopt_source *source = selects->source;
    struct clopt_access elements = clopt_access_of(lvalue);
    struct clopt_nodes list = {0};
    struct clopt_node *element = name_element(selects, &elements, &list);
    struct clopt_variable *copy = make_element(selects, &elements);
    add_copy(selects, node, lvalue, copy, element, &list);
    put(selects, &list, node, "$n = $n;", element,
        choose(selects, node, clopt_build(source, node, "$v", copy), element));
    return clopt_build(source, node, "$N", &list);
}

/* ---- stores that both sides do ---- */

/* Returns a store that both sides do as a copy's value; NULL where a statement is none. */
static struct clopt_node *form_stored(struct selects *selects, const struct clopt_node *node)
{
    const struct clopt_node *lvalue = clopt_node_written(node);
    int number = stores_number(&selects->stores, node);
    struct clopt_nodes list = {0};
    if (number < 0)
        return NULL;
    const struct clopt_access elements = clopt_access_of(lvalue);
    selects->stored[number] = make_element(selects, &elements);
    add_copy(selects, node, lvalue, selects->stored[number], lvalue, &list);
    return clopt_build(selects->source, node, "$N", &list);
}

/* Adds those stores, after both sides. */
static void add_stores(const struct selects *selects, const struct clopt_variable *taken,
                       struct clopt_nodes *list)
{
    for (size_t i = 0; i < selects->stores.count; i++) {
        const struct clopt_node *store = selects->stores.sides[0][i];
        put(selects, list, store, "$n = $v ? $v : $v;", store->children[0], taken,
            selects->stored[2 * i], selects->stored[2 * i + 1]);
    }
}

/* ---- statements ---- */

static struct clopt_node *form_declaration(struct selects *selects, const struct clopt_node *node)
{
    struct clopt_source *source = selects->source;
    struct clopt_nodes list = {0};
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *declarator = node->children[i];
        const struct clopt_variable *variable = declarator->variable;
        struct clopt_variable *copy = make_copy(selects, variable);
        selects->copies[variable->index] = (struct copy){.variable = copy};
        const struct clopt_node *value = declarator->condition;
        put(selects, &list, node, "$V = $n;", copy, value ? clone(selects, value) : NULL);
    }
    return clopt_build(source, node, "$N", &list);
}

static struct clopt_node *form_expression(struct selects *selects, const struct clopt_node *node)
{
    const struct clopt_node *lvalue = clopt_node_written(node);
    const struct clopt_node *whole = lvalue ? clopt_node_whole(lvalue) : NULL;
    if (whole && is_private_element(whole))
        return form_element(selects, node, whole);
    struct copy *copy = whole && whole->kind == CLOPT_NODE_VARIABLE
                            ? &selects->copies[whole->variable->index]
                            : NULL;
    if (!copy || !copy->begins)
        return form_stored(selects, node);
    copy->begins = false;
    return clopt_build(selects->source, node, "$V = $n;", copy->variable,
                       clone(selects, node->children[1]));
}

static struct clopt_node *form_block(struct selects *selects, const struct clopt_node *block)
{
    struct clopt_nodes list = {0};
    if (block->kind == CLOPT_NODE_COMPOUND)
        clopt_nodes_add_body(&selects->cloning, &list, block);
    return clopt_build(selects->source, block, "$N", &list);
}

/* Returns a loop that declares its counter. */
static struct clopt_node *form_loop(struct selects *selects, const struct clopt_node *loop)
{
    const struct clopt_node *declarator = loop->init->children[0];
    struct clopt_variable *counter = make_copy(selects, declarator->variable);
    struct clopt_nodes body = {0};
    selects->copies[declarator->variable->index] = (struct copy){.variable = counter};
    clopt_nodes_add_body(&selects->cloning, &body, loop->body);
    return clopt_build(selects->source, loop, "for ($V = $n; $n; $n) { $N }", counter,
                       clone(selects, declarator->condition), clone(selects, loop->condition),
                       clone(selects, loop->step), &body);
}

/* ---- sides ---- */

/* Whether a side writes a variable that it does not declare. */
static bool changes(const struct clopt_node *body, const struct clopt_variable *variable)
{
    bool leads = variable->is_pointer && clopt_space_may_be_private(variable->pointee);
    return variable->space == CLOPT_SPACE_PRIVATE && !variable->is_array && !leads &&
           !clopt_node_declares(body, variable) && (clopt_node_uses(body, variable) & CLOPT_WRITE);
}

/* Whether a side begins with an assignment to a variable: what it was before does not matter. */
static bool begins_with(const struct clopt_node *body, const struct clopt_variable *variable)
{
    for (size_t i = 0; body->kind == CLOPT_NODE_COMPOUND && i < body->child_count; i++)
        if (clopt_node_uses(body->children[i], variable))
            return begins_with(body->children[i], variable);
    return clopt_node_sets(body, variable);
}

/* Adds the copies of a side, and what it does to them. */
static void add_side(struct selects *selects, const struct clopt_node *body, struct copy *copies,
                     const struct guard *guard, struct clopt_nodes *list)
{
    const struct selects around = *selects;
    for (size_t i = 0; i < selects->source->variable_count; i++) {
        const struct clopt_variable *variable = selects->source->variables[i];
        copies[i].variable = around.copies[i].variable;
        if (!body || !changes(body, variable))
            continue;
        copies[i] = (struct copy){make_copy(selects, variable), true, begins_with(body, variable)};
        if (!copies[i].begins)
            put(selects, list, body, "$V = $v;", copies[i].variable, current(selects, variable));
    }
    if (!body)
        return;
    selects->copies = copies;
    selects->guard = guard;
    clopt_nodes_add(selects->source, list, clone(selects, body));
    selects->guard = around.guard;
    selects->copies = around.copies;
}

/* Gives each variable the copy of the side that is taken. */
static void add_selects(const struct selects *selects, const struct clopt_node *branch,
                        struct copy *const *copies, struct clopt_variable *taken,
                        struct clopt_nodes *list)
{
    for (size_t i = 0; i < selects->source->variable_count; i++) {
        struct clopt_variable *variable = current(selects, selects->source->variables[i]);
        const struct copy *yes = &copies[0][i];
        const struct copy *no = &copies[1][i];
        if (yes->written || no->written)
            put(selects, list, branch->body, "$v = $v ? $v : $v;", variable, taken,
                yes->written ? yes->variable : variable, no->written ? no->variable : variable);
    }
}

static struct clopt_node *form_branch(struct selects *selects, const struct clopt_node *branch)
{
    size_t count = selects->source->variable_count;
    const struct clopt_node *sides[2] = {branch->body, branch->otherwise};
    struct copy *copies[2];
    struct clopt_variable *taken =
        clopt_variable_make(selects->source, "bool", "", "taken_%u", ++selects->taken);
    struct clopt_nodes list = {0};
    put(selects, &list, branch, "$V = $n;", taken, clone(selects, branch->condition));
    for (unsigned i = 0; i < 2; i++) {
        const struct guard guard = {selects->guard, taken, i};
        copies[i] = clopt_source_table(selects->source, count, sizeof **copies);
        add_side(selects, sides[i], copies[i], &guard, &list);
    }
    add_selects(selects, branch, copies, taken, &list);
    if (branch == selects->branch)
        add_stores(selects, taken, &list);
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
    if (clopt_node_is_memory(node, NULL))
        return form_read(selects, node);
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
    case CLOPT_NODE_FOR:
        return form_loop(selects, node);
    default:
        return form_expression(selects, node);
    }
}

void selects_rewrite(struct clopt_source *source, const bool *flat, bool as_is)
{
    size_t count = source->variable_count;
    struct selects selects = {.source = source, .flat = flat, .as_is = as_is};
    selects.cloning = (struct clopt_cloning){
        .source = source, .user = &selects, .node = form, .variable = variable_of};
    selects.copies = clopt_source_table(source, count, sizeof *selects.copies);
    selects.counts = clopt_source_table(source, count, sizeof *selects.counts);
    clopt_replace(source, source->kernel->body, clone(&selects, source->kernel->body));
}
