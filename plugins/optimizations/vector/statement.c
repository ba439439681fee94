/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds the kernel's statements for lanes that go together, as far as they do. */
#include <stdio.h>
#include <string.h>

#include "code.h"
#include "scalar.h"
#include "share.h"

/* ---- lane by lane ---- */

struct clopt_node *code_sequence(struct code *code, const struct clopt_node *at,
                                 struct clopt_nodes *list)
{
    return list->count == 1 ? list->items[0] : code_build(code, at, "$N", list);
}

/* Returns a statement once for each lane, as a whole. */
static struct clopt_node *region(struct code *code, const struct clopt_node *node)
{
    struct clopt_nodes list = {0};
    code_note(code, node, "a divergent branch, which lanes go through one by one");
    code->region_begin = node->begin;
    code->region_end = node->stop;
    for (unsigned lane = 0; lane < code->width; lane++)
        code_add(code, &list, code_lane(code, node, lane));
    code->region_begin = code->region_end = 0;
    return code_sequence(code, node, &list);
}

/* ---- declarations ---- */

/* The elements of a list of initial values. */
struct elements {
    struct code *code;
    enum clopt_scalar type;
};

static struct clopt_node *element(void *user, const struct clopt_node *node)
{
    const struct elements *elements = user;
    return node->kind == CLOPT_NODE_LIST ? NULL
                                         : code_value(elements->code, node, elements->type, true);
}

static struct clopt_node *vector_declaration(struct code *code, const struct clopt_node *declarator)
{
    const struct clopt_variable *variable = declarator->variable;
    const struct clopt_node *value = declarator->condition;
    const char *word = strstr(variable->type, "const ");
    bool constant = word && (word == variable->type || word[-1] == ' ');
    struct clopt_variable *vector =
        code_like(code, variable, constant ? "const " : "", variable->scalar);
    if (!value)
        return code_build(code, declarator, "$V;", vector);
    struct elements elements = {code, variable->scalar};
    struct clopt_cloning cloning = {.source = code->source, .user = &elements, .node = element};
    return code_build(code, declarator, "$V = $n;", vector,
                      value->kind == CLOPT_NODE_LIST
                          ? clopt_clone(&cloning, value)
                          : code_value(code, value, variable->scalar, false));
}

static bool is_aligned(const struct code *code, const struct clopt_node *declarator)
{
    return code->alignment && code->alignment->arrays[declarator->variable->index];
}

/* Returns the declaration of an array in local memory, which is aligned for vectors of its
 * elements. */
static struct clopt_node *aligned_declaration(struct code *code,
                                              const struct clopt_node *declarator)
{
    const struct clopt_variable *array = declarator->variable;
    char attribute[64];
    snprintf(attribute, sizeof attribute, " __attribute__((aligned(%u)))",
             scalar_bits(array->scalar) / 8 * code->width);
    return code_build(code, declarator, "$V;",
                      clopt_variable_like(code->source, array, NULL, attribute));
}

/* Returns the declaration of a variable that a lane has of its own. */
static struct clopt_node *lane_declaration(struct code *code, const struct clopt_node *declarator,
                                           unsigned lane)
{
    struct clopt_variable *variable = declarator->variable;
    struct clopt_variable *copy = code->copies[variable->index * code->width + lane];
    copy = copy ? copy : variable;
    return declarator->condition ? code_build(code, declarator, "$V = $n;", copy,
                                              code_lane(code, declarator->condition, lane))
                                 : code_build(code, declarator, "$V;", copy);
}

static void add_declarator(struct code *code, const struct clopt_node *declarator,
                           struct clopt_nodes *list)
{
    enum form form = code->plan->forms[declarator->variable->index];
    unsigned count = form == FORM_SCALARS ? code->width : 1;
    if (is_aligned(code, declarator))
        code_add(code, list, aligned_declaration(code, declarator));
    else if (form == FORM_VECTOR)
        code_add(code, list, vector_declaration(code, declarator));
    else
        for (unsigned lane = 0; lane < count; lane++)
            code_add(code, list, lane_declaration(code, declarator, lane));
}

static bool declares_forms(const struct code *code, const struct clopt_node *declare)
{
    for (size_t i = 0; i < declare->child_count; i++)
        if (code->plan->forms[declare->children[i]->variable->index] >= FORM_VECTOR ||
            is_aligned(code, declare->children[i]))
            return true;
    return false;
}

static void add_declare(struct code *code, const struct clopt_node *node, struct clopt_nodes *list)
{
    if (!declares_forms(code, node))
        code_add(code, list, code_lane(code, node, 0));
    else
        for (size_t i = 0; i < node->child_count; i++)
            add_declarator(code, node->children[i], list);
}

/* ---- branches ---- */

struct clopt_node *code_block(struct code *code, struct clopt_node *statement)
{
    return statement->kind == CLOPT_NODE_COMPOUND
               ? statement
               : code_build(code, statement, "{ $n }", statement);
}

static bool holds_split(const struct code *code, const struct clopt_node *node)
{
    if (plan_splits(code->plan, node))
        return true;
    for (size_t i = 0; i < node->child_count; i++)
        if (holds_split(code, node->children[i]))
            return true;
    return false;
}

/* Adds the branch for lanes of which some go one way and some the other. */
static void add_parted(struct code *code, const struct clopt_node *node,
                       struct clopt_variable *mask, struct clopt_nodes *list)
{
    code->region_begin = node->begin;
    code->region_end = node->stop;
    for (unsigned lane = 0; lane < code->width; lane++) {
        const char *component = code_component(lane);
        struct clopt_node *body = code_block(code, code_lane(code, node->body, lane));
        code_add(code, list,
                 node->otherwise
                     ? code_build(code, node, "if ($v.$s) $n else $n", mask, component, body,
                                  code_block(code, code_lane(code, node->otherwise, lane)))
                     : code_build(code, node, "if ($v.$s) $n", mask, component, body));
    }
    code->region_begin = code->region_end = 0;
}

/* Returns a divergent branch: vector code where all lanes go the same way. NULL where that gains
 * nothing; the condition alone is no gain. */
static struct clopt_node *together(struct code *code, const struct clopt_node *node)
{
    struct code_mark mark = code_begin(code);
    struct clopt_nodes parted = {0};
    if (code_has_effects(node->condition))
        return NULL;
    struct clopt_variable *mask = code_make_next(code, CLOPT_SCALAR_INT, "mask");
    struct clopt_node *condition =
        code_build(code, node, "$V = $n;", mask, code_mask(code, node->condition));
    unsigned gains = code->gains;
    struct clopt_node *body = code_block(code, code_statement(code, node->body));
    struct clopt_node *otherwise =
        node->otherwise ? code_block(code, code_statement(code, node->otherwise)) : NULL;
    if (code->gains == gains) {
        code_drop(code, mark);
        return NULL;
    }
    add_parted(code, node, mask, &parted);
    return otherwise
               ? code_build(code, node, "{ $n if (all($v)) $n else if (!any($v)) $n else { $N } }",
                            condition, mask, body, mask, otherwise, &parted)
               : code_build(code, node, "{ $n if (all($v)) $n else if (any($v)) { $N } }",
                            condition, mask, body, mask, &parted);
}

/* Returns a branch, or NULL where it stays with what it holds. PoCL 3.1 miscompiles two sides of
 * which one holds a barrier and a branch on the work-item's identity, unless both end with a
 * barrier. */
static struct clopt_node *branch(struct code *code, const struct clopt_node *node)
{
    struct clopt_node *built = NULL;
    bool diverges = code_diverges(code, node->condition);
    if (clopt_node_holds_return(node) && plan_splits(code->plan, node))
        return region(code, node);
    if (diverges)
        built = code_can_select(code, node) ? code_selection(code, node) : together(code, node);
    else if (node->otherwise && clopt_node_find_collective(node) && holds_split(code, node))
        built = code_build(code, node,
                           "if ($n) { $n barrier(CLK_LOCAL_MEM_FENCE); } "
                           "else { $n barrier(CLK_LOCAL_MEM_FENCE); }",
                           code_lane(code, node->condition, 0), code_statement(code, node->body),
                           code_statement(code, node->otherwise));
    return built || !diverges ? built : region(code, node);
}

/* ---- loops ---- */

static bool declares_vectors(const struct code *code, const struct clopt_node *loop)
{
    return loop->init && loop->init->kind == CLOPT_NODE_DECLARE && declares_forms(code, loop->init);
}

/* Returns a part of a for's head. */
static struct clopt_node *head(struct code *code, const struct clopt_node *node)
{
    struct clopt_nodes list = {0};
    if (!clopt_node_is_expression(node))
        return declares_forms(code, node) ? code_build(code, node, ";") : code_lane(code, node, 0);
    code_add_expression(code, node, true, &list);
    struct clopt_node *all = list.items[0];
    for (size_t i = 1; i < list.count; i++)
        all = code_build(code, node, "$n, $n", all, list.items[i]);
    return all;
}

/* Returns a loop, with a #pragma in front of it, or NULL where it stays with what it holds. What
 * its head declares as vectors is declared before it. */
static struct clopt_node *loop_of(struct code *code, const struct clopt_node *whole,
                                  const struct clopt_node *loop)
{
    struct clopt_nodes list = {0};
    if (plan_splits(code->plan, loop))
        return region(code, whole);
    if (!declares_vectors(code, loop) || code->opened == whole)
        return NULL;
    const struct clopt_node *outer = code->opened;
    add_declare(code, loop->init, &list);
    code->opened = whole;
    code_add(code, &list, code_statement(code, whole));
    code->opened = outer;
    return code_build(code, whole, "{ $N }", &list);
}

/* ---- statements ---- */

/* Returns a statement that holds no other one. */
static struct clopt_node *simple(struct code *code, const struct clopt_node *node)
{
    struct clopt_nodes list = {0};
    if (plan_splits(code->plan, node))
        return region(code, node);
    share_add(code, node, &list);
    if (node->kind == CLOPT_NODE_DECLARE)
        add_declare(code, node, &list);
    else if (clopt_node_is_expression(node))
        code_add_expression(code, node, false, &list);
    else
        code_add(code, &list, code_lane(code, node, 0));
    return code_sequence(code, node, &list);
}

struct clopt_node *code_node_of_all(void *user, const struct clopt_node *node)
{
    struct code *code = user;
    const struct clopt_node *holder = node->parent;
    const struct clopt_node *loop = node->kind == CLOPT_NODE_ATTRIBUTED ? node->body : node;
    if (holder && node == holder->condition)
        return code_lane(code, node, 0);
    if (holder && (node == holder->init || node == holder->step))
        return head(code, node);
    if (clopt_node_is_loop(loop))
        return loop == node && holder && holder->kind == CLOPT_NODE_ATTRIBUTED
                   ? NULL
                   : loop_of(code, node, loop);
    if (node->kind == CLOPT_NODE_COMPOUND || node->kind == CLOPT_NODE_ATTRIBUTED)
        return NULL;
    return node->kind == CLOPT_NODE_IF ? branch(code, node) : simple(code, node);
}
