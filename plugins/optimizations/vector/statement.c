/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds statements: assignments and other expressions, and declarations of vectors, of arrays that
 * are aligned for them, and of one variable for each lane. */
#include "code.h"

static bool is_plain(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(node, "=");
}

/* ---- new values ---- */

static enum clopt_scalar computed_in(const struct clopt_node *node)
{
    enum clopt_scalar lvalue = node->children[0]->scalar;
    if (clopt_node_is_step(node))
        return lvalue;
    bool shifts = clopt_node_is_operator(node, "<<=") || clopt_node_is_operator(node, ">>=");
    return shifts ? scalar_promote(lvalue) : scalar_common(lvalue, node->children[1]->scalar);
}

/* Returns what ++ adds, or the right side of an assignment. */
static struct clopt_node *change(struct code *code, const struct clopt_node *node,
                                 enum clopt_scalar type)
{
    if (!clopt_node_is_step(node))
        return code_value(code, node->children[1], type, false);
    return scalar_promote(type) == type ? code_build(code, node, "1")
                                        : code_build(code, node, "($s)1", scalar_name(type));
}

struct clopt_node *code_new_value(struct code *code, const struct clopt_node *node)
{
    const struct clopt_node *lvalue = node->children[0];
    enum clopt_scalar type = lvalue->scalar;
    if (is_plain(node))
        return code_value(code, node->children[1], type, true);
    enum clopt_scalar inner = computed_in(node);
    struct clopt_node *old = code_value(code, lvalue, inner, true);
    char op[4] = "";
    memcpy(op, node->op, strlen(node->op) - 1);
    struct clopt_node *value =
        code_build(code, node, "$n $s $n", old, op, change(code, node, inner));
    code->gains.operations++;
    return inner == type
               ? value
               : code_build(code, node, "convert_$s$u($n)", scalar_name(type), code->width, value);
}

/* Returns an assignment to a vector. */
static struct clopt_node *vector_assignment(struct code *code, const struct clopt_node *node)
{
    const struct clopt_node *lvalue = node->children[0];
    struct clopt_node *vector = code_vector_lvalue(code, lvalue);
    if (is_plain(node))
        return code_build(code, node, "$n = $n", vector,
                          code_value(code, node->children[1], lvalue->scalar, false));
    if (computed_in(node) != lvalue->scalar)
        return code_build(code, node, "$n = $n", vector, code_new_value(code, node));
    code->gains.operations++;
    const char *op = clopt_node_is_step(node) ? (node->op[0] == '+' ? "+=" : "-=") : node->op;
    return code_build(code, node, "$n $s $n", vector, op, change(code, node, lvalue->scalar));
}

/* ---- tables, and lists of places ---- */

static bool is_read_row(const struct clopt_node *node, const void *user)
{
    int64_t stride = 0;
    return node->kind == CLOPT_NODE_SUBSCRIPT && code_is_row(user, node, &stride);
}

/* Adds as vectors the indices that lanes have from memory, where neighbours access what is not
 * adjacent: `in[i]` of `table[in[i]]`. What only one side of a choice reads is left there. */
static void add_places(struct code *code, const struct clopt_node *node, struct clopt_nodes *list)
{
    bool chooses = node->kind == CLOPT_NODE_CONDITIONAL || clopt_node_is_logical(node);
    if (!code_diverges(code, node) || node->kind == CLOPT_NODE_SIZEOF)
        return;
    if (node->kind == CLOPT_NODE_SUBSCRIPT && !code_has_effects(node->children[1]) &&
        clopt_node_search(node->children[1], is_read_row, code)) {
        unsigned operations = code->gains.operations;
        code_add_parts(code, node->children[1], list);
        code->gains.operations = operations; /* alone, they are not worth another version */
        return;
    }
    for (size_t i = 0; i < (chooses ? 1 : node->child_count); i++)
        add_places(code, node->children[i], list);
}

/* Lanes compute an expression anew: another copy of it does not see its vectors. */
static void forget_parts(struct code *code, const struct clopt_node *node)
{
    for (const struct clopt_node *part = node; part; part = clopt_node_next(part, node))
        code->parts[part->index] = NULL;
}

/* ---- assignments ---- */

/* Adds stores to lvalues that are not adjacent, of values that are computed as a vector; false,
 * and nothing, where that gains nothing. */
static bool add_scatter(struct code *code, const struct clopt_node *node, struct clopt_nodes *list)
{
    const struct clopt_node *lvalue = node->children[0];
    if (!code_has_vectors(lvalue) || lvalue->scalar == CLOPT_SCALAR_BOOL ||
        clopt_node_is_step(node))
        return false;
    const struct code_gains before = code->gains;
    struct clopt_node *value = code_new_value(code, node);
    if (code->gains.operations <= before.operations + !is_plain(node)) {
        code->gains = before;
        return false;
    }
    struct clopt_variable *vector = code_make_next(code, lvalue->scalar, code->width, "value");
    code_put(code, list, node, "$V = $n;", vector, value);
    for (unsigned lane = 0; lane < code->width; lane++)
        code_put(code, list, node, "$n = $v.$s;", code_lane(code, lvalue, lane), vector,
                 code_component(lane));
    code_note(code, lvalue, "memory where neighbours do not write adjacent elements");
    return true;
}

/* Whether iterations that are lanes write elements of one array of their work-item. */
static bool is_own_array(const struct code *code, const struct clopt_node *lvalue)
{
    const struct clopt_variable *base = clopt_access_of(lvalue).base;
    return code->plan->iterations && base && base->is_array;
}

/* Adds an assignment, ++ or -- as vector code; false where it is none. */
static bool add_assignment(struct code *code, const struct clopt_node *node, bool in_head,
                           struct clopt_nodes *list)
{
    const struct clopt_node *named = clopt_node_written(node);
    int64_t stride = 0;
    if (!named)
        return false;
    const struct clopt_node *lvalue = node->children[0];
    const struct clopt_node *value = clopt_node_is_step(node) ? NULL : node->children[1];
    if (named->kind == CLOPT_NODE_VARIABLE &&
        code->plan->forms[named->variable->index] == FORM_AFFINE) {
        code_add(code, list, code_lane(code, node, 0));
        return true;
    }
    if (code_has_effects(lvalue) ||
        (value && (code_has_effects(value) || !code_has_vectors(value))))
        return false;
    if (!in_head)
        add_places(code, node, list);
    if (code_is_vector_lvalue(code, lvalue))
        code_add(code, list, vector_assignment(code, node));
    else if (code_is_row(code, lvalue, &stride))
        code_add(code, list, code_store(code, lvalue, stride, code_new_value(code, node)));
    else
        return !in_head && lvalue->kind == CLOPT_NODE_SUBSCRIPT && !lvalue->is_volatile &&
               (!clopt_space_may_be_private(lvalue->space) || is_own_array(code, lvalue)) &&
               add_scatter(code, node, list);
    return true;
}

/* ---- statements of which lanes wait for each other ---- */

static bool is_ordered(const struct clopt_node *node, const void *ordered)
{
    return node->kind == CLOPT_NODE_VARIABLE && ((const bool *)ordered)[node->variable->index];
}

/* Whether compilers may contract an expression with what it is added to: a product, or -product. */
static bool is_product(const struct clopt_node *node)
{
    node = clopt_node_bare(node);
    while (node->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(node, "-"))
        node = clopt_node_bare(node->children[0]);
    return node->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(node, "*") &&
           clopt_scalar_is_real(node->scalar);
}

void code_add_parts(struct code *code, const struct clopt_node *node, struct clopt_nodes *list)
{
    if (!code_diverges(code, node))
        return;
    bool named = node->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(node, "&");
    node = named ? clopt_node_bare(node->children[0]) : node; /* it is not read there */
    if (!named && code_has_vectors(node) && !is_product(node) &&
        !(code->ordered && clopt_node_search(node, is_ordered, code->ordered))) {
        const struct code_gains before = code->gains;
        enum clopt_scalar type =
            node->scalar == CLOPT_SCALAR_BOOL ? CLOPT_SCALAR_INT : node->scalar;
        struct clopt_node *value = code_value(code, node, type, true);
        if (code->gains.operations > before.operations) {
            struct clopt_variable *part = code_make_next(code, type, code->width, "value");
            code_put(code, list, node, "$V = $n;", part, value);
            code->parts[node->index] = part;
            return;
        }
        code->gains = before;
    }
    bool chooses = node->kind == CLOPT_NODE_CONDITIONAL || clopt_node_is_logical(node);
    for (size_t i = 0; i < (chooses ? 1 : node->child_count); i++)
        code_add_parts(code, node->children[i], list);
}

/* Adds a statement that one lane after the other executes, after what it reads: the right side of
 * an assignment that waits, or what a function is given. */
static void add_in_order(struct code *code, const struct clopt_node *node, struct clopt_nodes *list)
{
    bool waits = code->ordered && node->kind == CLOPT_NODE_ASSIGN &&
                 node->children[0]->kind == CLOPT_NODE_VARIABLE;
    for (size_t i = waits; i < node->child_count; i++)
        if ((waits || node->kind == CLOPT_NODE_CALL) && !code_has_effects(node->children[i]))
            code_add_parts(code, node->children[i], list);
    for (unsigned lane = 0; lane < code->width; lane++)
        code_add(code, list, code_lane(code, node, lane));
    forget_parts(code, node);
}

/* Adds the store of short vectors next to each other as that of one; false where it is none. */
static bool add_wide_store(struct code *code, const struct clopt_node *node,
                           struct clopt_nodes *list)
{
    int64_t stride = 0;
    struct clopt_nodes lanes = {0};
    if (!alignment_is_wide_store(&code->alignment, node) || code->ordered ||
        code_has_effects(node->children[0]) || code_has_effects(node->children[1]) ||
        !plan_address_stride(code->plan, node->children[0], &stride) || stride != 1 ||
        !alignment_holds(&code->alignment, node->children[0]))
        return false;
    code_add_parts(code, node->children[1], list);
    for (unsigned lane = 0; lane < code->width; lane++)
        code_add(code, &lanes, code_lane(code, node->children[1], lane));
    code_add(code, list, code_store_wide(code, node->children[0], &lanes));
    forget_parts(code, node);
    return true;
}

/* Adds an expression; the parts of a comma expression follow each other. */
static void add_expression(struct code *code, const struct clopt_node *node, bool in_head,
                           struct clopt_nodes *list)
{
    bool diverges = code_diverges(code, node);
    if (diverges && clopt_node_is_operator(node, ",")) {
        add_expression(code, node->children[0], in_head, list);
        add_expression(code, node->children[1], in_head, list);
        return;
    }
    if (diverges && add_assignment(code, node, in_head, list)) {
        forget_parts(code, node);
        return;
    }
    if (diverges)
        code_note(code, node, "a statement that is executed lane by lane");
    if (diverges && !in_head) {
        if (!add_wide_store(code, node, list))
            add_in_order(code, node, list);
        return;
    }
    for (unsigned lane = 0; lane < (diverges ? code->width : 1); lane++)
        code_add(code, list, code_lane(code, node, lane));
}

void code_add_expressions(void *user, const struct clopt_node *node, struct clopt_nodes *list)
{
    struct code *code = user;
    bool in_head = node->parent->init == node || node->parent->step == node;
    if (code->side && code_add_selected(code, node, list))
        return;
    code_add_shared(code, node, list);
    if (code->ordered && clopt_node_search(node, is_ordered, code->ordered))
        add_in_order(code, node, list);
    else if (list->count || code_diverges(code, node))
        add_expression(code, node, in_head, list);
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
    char type[32];
    snprintf(type, sizeof type, "%s%s%u", constant ? "const " : "", scalar_name(variable->scalar),
             code->width);
    struct clopt_variable *vector = clopt_variable_like(code->source, variable, type, "");
    if (!value)
        return code_build(code, declarator, "$V;", vector);
    struct elements elements = {code, variable->scalar};
    struct clopt_cloning cloning = {.source = code->source, .user = &elements, .node = element};
    return code_build(code, declarator, "$V = $n;", vector,
                      value->kind == CLOPT_NODE_LIST
                          ? clopt_clone(&cloning, value)
                          : code_value(code, value, variable->scalar, false));
}

static bool is_aligned(const struct code *code, const struct clopt_variable *variable)
{
    return code->alignment.arrays && code->alignment.arrays[variable->index];
}

static void add_declarator(struct code *code, const struct clopt_node *declarator,
                           struct clopt_nodes *list)
{
    const struct clopt_variable *variable = declarator->variable;
    const struct clopt_node *value = declarator->condition;
    enum form form = code->plan->forms[variable->index];
    unsigned count = form == FORM_SCALARS ? code->width : 1;
    if (is_aligned(code, variable))
        code_put(code, list, declarator, "$V;",
                 alignment_declare(code->source, variable, code->width));
    else if (form == FORM_VECTOR) {
        if (value)
            add_places(code, value, list);
        code_add(code, list, vector_declaration(code, declarator));
        forget_parts(code, declarator);
    } else
        for (unsigned lane = 0; lane < count; lane++)
            code_put(code, list, declarator, "$V = $n;",
                     clopt_coarsening_variable(&code->coarsening, variable, lane),
                     value ? code_lane(code, value, lane) : NULL);
}

void code_add_declarations(void *user, const struct clopt_node *node, struct clopt_nodes *list)
{
    struct code *code = user;
    bool changed = false;
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_variable *variable = node->children[i]->variable;
        changed |= code->plan->forms[variable->index] >= FORM_VECTOR || is_aligned(code, variable);
    }
    code_add_shared(code, node, list);
    for (size_t i = 0; changed && i < node->child_count; i++)
        add_declarator(code, node->children[i], list);
    if (!changed && list->count)
        code_add(code, list, code_lane(code, node, 0));
}
