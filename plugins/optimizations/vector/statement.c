/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the kernel's statements for lanes that go together, as far as they do. */
#include <string.h>

#include "code.h"
#include "scalar.h"
#include "share.h"

/* Why a branch is executed lane by lane: for messages. */
static const char apart[] = "a divergent branch, which lanes go through one by one";

/* ---- lane by lane ---- */

/* Puts a statement once for each lane, as a whole. */
static void put_region(struct code *code, const struct clopt_node *node, size_t prefix_begin,
                       const char *reason)
{
    code_note(code, node, reason);
    code->region_begin = node->begin;
    code->region_end = node->stop;
    for (unsigned lane = 0; lane < code->width; lane++) {
        if (lane) {
            code_put(code, "\n");
            code_copy(code, prefix_begin, node->begin);
        }
        code_put_lane(code, node, lane);
    }
    code->region_begin = code->region_end = 0;
}

/* ---- declarations ---- */

/* Puts `const` or whatever else stands before a declaration's type and matters. */
static void put_qualifiers(struct code *code, const struct clopt_variable *variable)
{
    const char *word = strstr(variable->type, "const ");
    if (word && (word == variable->type || word[-1] == ' '))
        code_put(code, "const ");
}

/* Puts what stands between two values of a list: a comma and perhaps [3] =. */
static void put_separator(struct code *code, const struct clopt_node *list, size_t index)
{
    const char *text = clopt_source_text(code->source);
    size_t begin = index ? list->children[index - 1]->end : list->begin + 1;
    size_t end = list->children[index]->begin;
    if (memchr(text + begin, '[', end - begin))
        code_copy(code, begin, end);
    else
        code_put(code, index ? ", " : "");
}

/* Puts the list of initial values of an array of vectors. */
static void put_list(struct code *code, const struct clopt_node *list, enum clopt_scalar type)
{
    code_put(code, "{");
    for (size_t i = 0; i < list->child_count; i++) {
        put_separator(code, list, i);
        if (list->children[i]->kind == CLOPT_NODE_LIST)
            put_list(code, list->children[i], type);
        else
            code_put_value(code, list->children[i], type, true);
    }
    code_put(code, "}");
}

/* Puts the sizes of an array. */
static void put_sizes(struct code *code, const struct clopt_node *declarator)
{
    const char *text = clopt_source_text(code->source);
    size_t at = declarator->name_begin + strlen(declarator->variable->name);
    size_t end = at;
    unsigned depth = 0;
    for (; end < declarator->end && (depth || !strchr("=,;", text[end])); end++) {
        depth += text[end] == '[';
        depth -= text[end] == ']' && depth;
    }
    while (end > at && text[end - 1] == ' ')
        end--;
    code_copy(code, at, end);
}

static void put_vector_declarator(struct code *code, const struct clopt_node *declarator)
{
    const struct clopt_variable *variable = declarator->variable;
    const struct clopt_node *value = declarator->condition;
    put_qualifiers(code, variable);
    code_put_type(code, variable->scalar);
    code_printf(code, " %s", variable->name);
    if (variable->is_array)
        put_sizes(code, declarator);
    if (value) {
        code_put(code, " = ");
        if (value->kind == CLOPT_NODE_LIST)
            put_list(code, value, variable->scalar);
        else
            code_put_value(code, value, variable->scalar, false);
    }
    code_put(code, ";");
}

static bool is_aligned(const struct code *code, const struct clopt_node *declarator)
{
    return code->alignment && code->alignment->arrays[declarator->variable->index];
}

/* Puts an array in local memory, which is aligned for vectors of its elements. */
static void put_aligned_declarator(struct code *code, const struct clopt_node *declarator)
{
    struct clopt_output *outer = code->output;
    code->output = clopt_output_create();
    if (code->output)
        clopt_print_declarator(&code->printer, code->output, declarator, false);
    const char *text = code->output ? clopt_output_text(code->output) : NULL;
    code->failed |= !text;
    if (text)
        clopt_output_printf(outer, "%.*s __attribute__((aligned(%u)));", (int)strcspn(text, ";"),
                            text, scalar_bits(declarator->variable->scalar) / 8 * code->width);
    clopt_output_destroy(code->output);
    code->output = outer;
}

static void put_declarator(struct code *code, const struct clopt_node *declarator)
{
    if (is_aligned(code, declarator)) {
        put_aligned_declarator(code, declarator);
        return;
    }
    enum form form = code->plan->forms[declarator->variable->index];
    if (form == FORM_VECTOR) {
        put_vector_declarator(code, declarator);
        return;
    }
    unsigned count = form == FORM_SCALARS ? code->width : 1;
    for (unsigned lane = 0; lane < count; lane++) {
        code_put(code, lane ? "\n" : "");
        code->lane = lane;
        clopt_print_declarator(&code->printer, code->output, declarator, true);
    }
    code->lane = 0;
}

static bool declares_forms(const struct code *code, const struct clopt_node *declare)
{
    for (size_t i = 0; i < declare->child_count; i++)
        if (code->plan->forms[declare->children[i]->variable->index] >= FORM_VECTOR ||
            is_aligned(code, declare->children[i]))
            return true;
    return false;
}

static void put_declare(struct code *code, const struct clopt_node *node)
{
    if (!declares_forms(code, node)) {
        code_put_lane(code, node, 0);
        return;
    }
    for (size_t i = 0; i < node->child_count; i++) {
        code_put(code, i ? "\n" : "");
        put_declarator(code, node->children[i]);
    }
}

/* ---- what holds statements ---- */

static bool needs_braces(const struct code *code, const struct clopt_node *node)
{
    return node->kind != CLOPT_NODE_COMPOUND && node->kind != CLOPT_NODE_EMPTY &&
           (code_diverges(code, node) || node->kind == CLOPT_NODE_DECLARE);
}

static void put_held(struct code *code, const struct clopt_node *node)
{
    bool bare = needs_braces(code, node);
    code_put(code, bare ? "{\n" : "");
    code_put_statement(code, node);
    code_put(code, bare ? "\n}" : "");
}

static void put_list_of_statements(struct code *code, const struct clopt_node *node)
{
    size_t at = node->begin;
    for (size_t i = 0; i < node->child_count; i++) {
        code_copy(code, at, node->children[i]->begin);
        code_put_statement(code, node->children[i]);
        at = node->children[i]->stop;
    }
    code_copy(code, at, node->stop);
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

/* Puts a side of a branch between braces, and a barrier at its end if need be: PoCL 3.1 miscompiles
 * two sides of which one holds a barrier and a branch on the work-item's identity, unless both end
 * with a barrier. */
static void put_side(struct code *code, const struct clopt_node *node, bool waits)
{
    bool bare = waits || node->kind != CLOPT_NODE_COMPOUND;
    code_put(code, bare ? "{\n" : "");
    code_put_statement(code, node);
    code_put(code, waits ? "\nbarrier(CLK_LOCAL_MEM_FENCE);" : "");
    code_put(code, bare ? "\n}" : "");
}

static void put_side_of_lane(struct code *code, const struct clopt_node *node, unsigned lane)
{
    bool bare = node->kind != CLOPT_NODE_COMPOUND;
    code_put(code, bare ? "{\n" : "");
    code_put_lane(code, node, lane);
    code_put(code, bare ? "\n}" : "");
}

static void put_common_if(struct code *code, const struct clopt_node *node)
{
    bool waits = node->otherwise && clopt_node_find_collective(node) && holds_split(code, node);
    code_put(code, "if (");
    code_put_lane(code, node->condition, 0);
    code_put(code, ") ");
    if (waits)
        put_side(code, node->body, true);
    else
        put_held(code, node->body);
    if (!node->otherwise)
        return;
    code_put(code,
             node->body->kind == CLOPT_NODE_COMPOUND || needs_braces(code, node->body) || waits
                 ? " else "
                 : "\nelse ");
    if (waits)
        put_side(code, node->otherwise, true);
    else if (node->otherwise->kind == CLOPT_NODE_IF && !plan_splits(code->plan, node->otherwise))
        code_put_statement(code, node->otherwise);
    else
        put_held(code, node->otherwise);
}

/* Puts the branch for lanes of which some go one way and some the other. */
static void put_parted(struct code *code, const struct clopt_node *node, const char *mask)
{
    code->region_begin = node->begin;
    code->region_end = node->stop;
    for (unsigned lane = 0; lane < code->width; lane++) {
        code_printf(code, "if (%s.s%x) ", mask, lane);
        put_side_of_lane(code, node->body, lane);
        if (node->otherwise) {
            code_put(code, " else ");
            put_side_of_lane(code, node->otherwise, lane);
        }
        code_put(code, "\n");
    }
    code->region_begin = code->region_end = 0;
}

/* Puts a divergent branch: vector code where all lanes go the same way. */
static bool put_together(struct code *code, const struct clopt_node *node)
{
    struct code_attempt attempt;
    if (code_has_effects(node->condition) || !code_begin_attempt(code, &attempt))
        return false;
    const char *mask = code_number(code, "mask");
    code_printf(code, "{\nconst int%u %s = ", code->width, mask);
    code_put_mask(code, node->condition, false);
    unsigned gains = code->gains; /* the condition alone is none */
    code_printf(code, ";\nif (all(%s)) ", mask);
    put_side(code, node->body, false);
    if (node->otherwise) {
        code_printf(code, " else if (!any(%s)) ", mask);
        put_side(code, node->otherwise, false);
    }
    bool gained = code->gains > gains;
    code_printf(code, node->otherwise ? " else {\n" : " else if (any(%s)) {\n", mask);
    put_parted(code, node, mask);
    code_put(code, "}\n}");
    if (!gained)
        code->gains = attempt.gains;
    return code_end_attempt(code, &attempt);
}

static void put_if(struct code *code, const struct clopt_node *node)
{
    if (!code_diverges(code, node->condition))
        put_common_if(code, node);
    else if (code_can_select(code, node))
        code_put_selection(code, node);
    else if (!put_together(code, node))
        put_region(code, node, node->begin, apart);
}

/* ---- loops ---- */

static void put_for(struct code *code, const struct clopt_node *node)
{
    const struct clopt_node *init = node->init;
    bool declares = init && init->kind == CLOPT_NODE_DECLARE;
    bool outside = declares && declares_forms(code, init);
    if (outside) {
        code_put(code, "{\n");
        put_declare(code, init);
        code_put(code, "\n");
    }
    code_put(code, "for (");
    if (declares && !outside)
        code_put_lane(code, init, 0);
    else if (init && !outside)
        code_put_expression(code, init, true);
    code_put(code, declares && !outside ? "" : ";");
    if (node->condition) {
        code_put(code, " ");
        code_put_lane(code, node->condition, 0);
    }
    code_put(code, ";");
    if (node->step) {
        code_put(code, " ");
        code_put_expression(code, node->step, true);
    }
    code_put(code, ") ");
    put_held(code, node->body);
    code_put(code, outside ? "\n}" : "");
}

static void put_while(struct code *code, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_DO) {
        code_put(code, "do ");
        put_held(code, node->body);
        code_put(code, " while (");
        code_put_lane(code, node->condition, 0);
        code_put(code, ");");
        return;
    }
    code_put(code, "while (");
    code_put_lane(code, node->condition, 0);
    code_put(code, ") ");
    put_held(code, node->body);
}

/* ---- statements ---- */

void code_put_statement(struct code *code, const struct clopt_node *node)
{
    const struct clopt_node *body = node->body;
    share_begin(code, node);
    if (node->kind == CLOPT_NODE_IF && !clopt_node_holds_return(node)) {
        put_if(code, node);
        return;
    }
    if (plan_splits(code->plan, node) && node->kind != CLOPT_NODE_COMPOUND) {
        put_region(code, node, node->begin, apart);
        return;
    }
    switch (node->kind) {
    case CLOPT_NODE_COMPOUND:
        put_list_of_statements(code, node);
        break;
    case CLOPT_NODE_DECLARE:
        put_declare(code, node);
        break;
    case CLOPT_NODE_IF:
        put_common_if(code, node);
        break;
    case CLOPT_NODE_FOR:
        put_for(code, node);
        break;
    case CLOPT_NODE_WHILE:
    case CLOPT_NODE_DO:
        put_while(code, node);
        break;
    case CLOPT_NODE_ATTRIBUTED:
        code_copy(code, node->begin, body->begin);
        if (plan_splits(code->plan, body) && body->kind != CLOPT_NODE_IF)
            put_region(code, body, node->begin, apart);
        else
            code_put_statement(code, body);
        break;
    default:
        if (clopt_node_is_expression(node))
            code_put_expression(code, node, false);
        else
            code_put_lane(code, node, 0);
        break;
    }
}
