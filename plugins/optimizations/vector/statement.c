/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds the kernel's statements for lanes that go together, as far as they do. */
#include <stdio.h>
#include <string.h>

#include "code.h"
#include "scalar.h"
#include "share.h"

/* Why a branch is executed lane by lane: for messages. */
static const char apart[] = "a divergent branch, which lanes go through one by one";

/* ---- lane by lane ---- */

/* Adds a statement once for each lane, as a whole. */
static void add_region(struct code *code, const struct clopt_node *node, struct clopt_nodes *list)
{
    code_note(code, node, apart);
    code->region_begin = node->begin;
    code->region_end = node->stop;
    for (unsigned lane = 0; lane < code->width; lane++)
        clopt_nodes_add(code->source, list, code_lane(code, node, lane));
    code->region_begin = code->region_end = 0;
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
        return clopt_build(code->source, declarator, "$V;", vector);
    struct elements elements = {code, variable->scalar};
    struct clopt_cloning cloning = {.source = code->source, .user = &elements, .node = element};
    return clopt_build(code->source, declarator, "$V = $n;", vector,
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
    return clopt_build(code->source, declarator, "$V;",
                       clopt_variable_like(code->source, array, NULL, attribute));
}

/* Returns the declaration of a variable that a lane has of its own. */
static struct clopt_node *lane_declaration(struct code *code, const struct clopt_node *declarator,
                                           unsigned lane)
{
    struct clopt_variable *variable = declarator->variable;
    struct clopt_variable *copy = code->copies[variable->index * code->width + lane];
    copy = copy ? copy : variable;
    return declarator->condition ? clopt_build(code->source, declarator, "$V = $n;", copy,
                                               code_lane(code, declarator->condition, lane))
                                 : clopt_build(code->source, declarator, "$V;", copy);
}

static void add_declarator(struct code *code, const struct clopt_node *declarator,
                           struct clopt_nodes *list)
{
    enum form form = code->plan->forms[declarator->variable->index];
    unsigned count = form == FORM_SCALARS ? code->width : 1;
    if (is_aligned(code, declarator))
        clopt_nodes_add(code->source, list, aligned_declaration(code, declarator));
    else if (form == FORM_VECTOR)
        clopt_nodes_add(code->source, list, vector_declaration(code, declarator));
    else
        for (unsigned lane = 0; lane < count; lane++)
            clopt_nodes_add(code->source, list, lane_declaration(code, declarator, lane));
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
    if (!declares_forms(code, node)) {
        clopt_nodes_add(code->source, list, code_lane(code, node, 0));
        return;
    }
    for (size_t i = 0; i < node->child_count; i++)
        add_declarator(code, node->children[i], list);
}

/* ---- what holds statements ---- */

void code_add_tail(struct code *code, const struct clopt_node *block, struct clopt_nodes *list)
{
    const char *text = clopt_source_text(code->source);
    size_t begin = block->tail_begin + (block->child_count == 0);
    size_t end = block->end - 1;
    if (begin + strspn(text + begin, " \t\r\n") >= end)
        return;
    struct clopt_node *tail = clopt_build(code->source, block, ";");
    tail->name = ""; /* prints as nothing */
    tail->gap_begin = begin;
    tail->gap_end = end;
    clopt_nodes_add(code->source, list, tail);
}

/* Adds what is inside a statement that will be between braces. */
static void add_inside(struct code *code, const struct clopt_node *node, struct clopt_nodes *list)
{
    if (node->kind != CLOPT_NODE_COMPOUND) {
        code_add_statement(code, node, list);
        return;
    }
    for (size_t i = 0; i < node->child_count; i++)
        code_add_statement(code, node->children[i], list);
    code_add_tail(code, node, list);
}

struct clopt_node *code_block(struct code *code, const struct clopt_node *node)
{
    struct clopt_nodes list = {0};
    add_inside(code, node, &list);
    return clopt_build(code->source, node, "{ $N }", &list);
}

/* Returns what a branch or a loop holds, between braces if it needs them. */
static struct clopt_node *held(struct code *code, const struct clopt_node *node)
{
    struct clopt_nodes list = {0};
    add_inside(code, node, &list);
    bool braces = node->kind == CLOPT_NODE_COMPOUND || list.count != 1 ||
                  list.items[0]->kind == CLOPT_NODE_DECLARE;
    return braces ? clopt_build(code->source, node, "{ $N }", &list) : list.items[0];
}

/* A branch or a loop that all lanes take together. */
struct frame {
    struct code *code;
    const struct clopt_node *whole;     /* with a #pragma in front of it */
    const struct clopt_node *statement; /* itself */
    bool declared;                      /* what its head declares is declared in front of it */
    bool waits;                         /* its sides end with a barrier */
};

/* Returns a side of a branch with a barrier at its end: PoCL 3.1 miscompiles two sides of which one
 * holds a barrier and a branch on the work-item's identity, unless both end with a barrier. */
static struct clopt_node *waiting_side(struct code *code, const struct clopt_node *node)
{
    struct clopt_nodes list = {0};
    add_inside(code, node, &list);
    return clopt_build(code->source, node, "{ $N barrier(CLK_LOCAL_MEM_FENCE); }", &list);
}

/* Returns a part of a for's head. */
static struct clopt_node *head(const struct frame *frame, const struct clopt_node *node)
{
    struct code *code = frame->code;
    struct clopt_nodes list = {0};
    if (!clopt_node_is_expression(node))
        return frame->declared ? clopt_build(code->source, node, ";") : code_lane(code, node, 0);
    code_add_expression(code, node, true, &list);
    struct clopt_node *all = list.items[0];
    for (size_t i = 1; i < list.count; i++)
        all = clopt_build(code->source, node, "$n, $n", all, list.items[i]);
    return all;
}

static struct clopt_node *part(void *user, const struct clopt_node *node)
{
    const struct frame *frame = user;
    const struct clopt_node *statement = frame->statement;
    if (node == frame->whole || node == statement)
        return NULL;
    if (node == statement->body || node == statement->otherwise)
        return frame->waits ? waiting_side(frame->code, node) : held(frame->code, node);
    if (node == statement->init || node == statement->step)
        return head(frame, node);
    return code_lane(frame->code, node, 0);
}

static struct clopt_node *build_frame(struct frame frame)
{
    struct clopt_cloning cloning = {.source = frame.code->source, .user = &frame, .node = part};
    return clopt_clone(&cloning, frame.whole);
}

/* ---- branches ---- */

static bool holds_split(const struct code *code, const struct clopt_node *node)
{
    if (plan_splits(code->plan, node))
        return true;
    for (size_t i = 0; i < node->child_count; i++)
        if (holds_split(code, node->children[i]))
            return true;
    return false;
}

static struct clopt_node *side_of_lane(struct code *code, const struct clopt_node *node,
                                       unsigned lane)
{
    struct clopt_nodes list = {0};
    struct clopt_node *side = code_lane(code, node, lane);
    if (side->kind == CLOPT_NODE_COMPOUND)
        return side;
    clopt_nodes_add(code->source, &list, side);
    return clopt_build(code->source, node, "{ $N }", &list);
}

/* Adds the branch for lanes of which some go one way and some the other. */
static void add_parted(struct code *code, const struct clopt_node *node,
                       struct clopt_variable *mask, struct clopt_nodes *list)
{
    code->region_begin = node->begin;
    code->region_end = node->stop;
    for (unsigned lane = 0; lane < code->width; lane++) {
        const char *component = code_component(lane);
        struct clopt_node *body = side_of_lane(code, node->body, lane);
        clopt_nodes_add(
            code->source, list,
            node->otherwise
                ? clopt_build(code->source, node, "if ($v.$s) $n else $n", mask, component, body,
                              side_of_lane(code, node->otherwise, lane))
                : clopt_build(code->source, node, "if ($v.$s) $n", mask, component, body));
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
        clopt_build(code->source, node, "$V = $n;", mask, code_mask(code, node->condition));
    unsigned gains = code->gains;
    struct clopt_node *body = code_block(code, node->body);
    struct clopt_node *otherwise = node->otherwise ? code_block(code, node->otherwise) : NULL;
    if (code->gains == gains) {
        code_drop(code, mark);
        return NULL;
    }
    add_parted(code, node, mask, &parted);
    return otherwise
               ? clopt_build(code->source, node,
                             "{ $n if (all($v)) $n else if (!any($v)) $n else { $N } }", condition,
                             mask, body, mask, otherwise, &parted)
               : clopt_build(code->source, node, "{ $n if (all($v)) $n else if (any($v)) { $N } }",
                             condition, mask, body, mask, &parted);
}

static void add_if(struct code *code, const struct clopt_node *whole, struct clopt_nodes *list)
{
    const struct clopt_node *node = whole->kind == CLOPT_NODE_IF ? whole : whole->body;
    struct clopt_node *built = NULL;
    if (code_diverges(code, node->condition))
        built = code_can_select(code, node) ? code_selection(code, node) : together(code, node);
    else
        built = build_frame((struct frame){code, whole, node, false,
                                           node->otherwise && clopt_node_find_collective(node) &&
                                               holds_split(code, node)});
    if (built)
        clopt_nodes_add(code->source, list, built);
    else
        add_region(code, whole, list);
}

/* ---- loops ---- */

static void add_loop(struct code *code, const struct clopt_node *whole,
                     const struct clopt_node *loop, struct clopt_nodes *list)
{
    const struct clopt_node *init = loop->init;
    bool declared = init && init->kind == CLOPT_NODE_DECLARE && declares_forms(code, init);
    struct clopt_nodes block = {0};
    if (declared)
        add_declare(code, init, &block);
    struct clopt_node *built = build_frame((struct frame){code, whole, loop, declared, false});
    clopt_nodes_add(code->source, declared ? &block : list, built);
    if (declared)
        clopt_nodes_add(code->source, list, clopt_build(code->source, whole, "{ $N }", &block));
}

/* ---- statements ---- */

static void add_any(struct code *code, const struct clopt_node *whole, struct clopt_nodes *list)
{
    const struct clopt_node *node = whole->kind == CLOPT_NODE_ATTRIBUTED ? whole->body : whole;
    bool splits = plan_splits(code->plan, node) && node->kind != CLOPT_NODE_COMPOUND;
    if (node->kind == CLOPT_NODE_IF && (!splits || !clopt_node_holds_return(node)))
        add_if(code, whole, list);
    else if (splits)
        add_region(code, whole, list);
    else if (clopt_node_is_loop(node))
        add_loop(code, whole, node, list);
    else if (whole != node)
        clopt_nodes_add(code->source, list,
                        build_frame((struct frame){code, whole, whole, false, false}));
    else if (node->kind == CLOPT_NODE_COMPOUND)
        clopt_nodes_add(code->source, list, code_block(code, node));
    else if (node->kind == CLOPT_NODE_DECLARE)
        add_declare(code, node, list);
    else if (clopt_node_is_expression(node))
        code_add_expression(code, node, false, list);
    else
        clopt_nodes_add(code->source, list, code_lane(code, node, 0));
}

void code_add_statement(struct code *code, const struct clopt_node *node, struct clopt_nodes *list)
{
    share_add(code, node, list);
    size_t first = list->count;
    add_any(code, node, list);
    if (list->count > first)
        clopt_take_comments(list->items[first], node);
}
