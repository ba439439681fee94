/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints statements for merged work-items. */
#include "statement.h"

#include "fuse.h"

static bool declares_divergent(const struct replication *replication,
                               const struct clopt_node *declare)
{
    for (size_t i = 0; i < declare->child_count; i++)
        if (clopt_variable_diverges(replication->divergence, declare->children[i]->variable))
            return true;
    return false;
}

/* The variable that says whether a replica is still there; NULL: it is. */
static const char *flag_of(const struct replication *replication, unsigned replica)
{
    return replication->active ? replication->active[replica] : NULL;
}

/* Puts a declaration for the current replica. One that has left must not read memory, where it may
 * not have been allowed to. */
static void put_declarator(struct replication *replication, const struct clopt_node *declarator)
{
    const struct clopt_node *value = declarator->condition;
    const char *active = flag_of(replication, replication->replica);
    bool split = active && value && value->kind != CLOPT_NODE_LIST &&
                 !declarator->variable->is_array &&
                 (clopt_node_effects(value) & ~(unsigned)CLOPT_EFFECT_PRIVATE_WRITE);
    replication->guard = active;
    clopt_print_declarator(&replication->printer, replication->output, declarator, !split);
    replication->guard = NULL;
    if (!split)
        return;
    const char *name = replication->printer.name(replication, declarator->variable);
    clopt_output_printf(replication->output, "\nif (%s)\n%s = ", active,
                        name ? name : declarator->variable->name);
    replication_print(replication, value);
    replication_put(replication, ";");
}

static void emit_declare(struct replication *replication, const struct clopt_node *node)
{
    if (!declares_divergent(replication, node)) {
        replication_print(replication, node);
        return;
    }
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *declarator = node->children[i];
        bool each = clopt_variable_diverges(replication->divergence, declarator->variable);
        for (unsigned r = 0; r < (each ? replication->request.factor : 1); r++) {
            replication_put(replication, i || r ? "\n" : "");
            replication->replica = r;
            put_declarator(replication, declarator);
        }
        replication->replica = 0;
    }
}

void statement_put_guard(struct replication *replication, unsigned replica)
{
    const char *active = flag_of(replication, replica);
    if (active)
        clopt_output_printf(replication->output, "if (%s)\n", active);
}

/* An expression statement; the parts of a comma become statements of their own. */
static void emit_expression(struct replication *replication, const struct clopt_node *node)
{
    bool whole = node->stop > node->end; /* prints with its semicolon */
    if (replication_diverges(replication, node) && replication_is_comma(node)) {
        emit_expression(replication, node->children[0]);
        replication_put(replication, "\n");
        emit_expression(replication, node->children[1]);
        return;
    }
    unsigned count = replication_diverges(replication, node) ? replication->request.factor : 1;
    for (unsigned r = 0; r < count; r++) {
        replication_put(replication, r ? "\n" : "");
        if (count > 1)
            statement_put_guard(replication, r);
        replication->replica = r;
        replication_print(replication, node);
        replication_put(replication, whole ? "" : ";");
    }
    replication->replica = 0;
}

void statement_emit_region(struct replication *replication, const struct clopt_node *node)
{
    replication->region_begin = node->begin;
    replication->region_end = node->stop;
    for (unsigned r = 0; r < replication->request.factor; r++) {
        replication_put(replication, r ? "\n" : "");
        replication->replica = r;
        const char *active = flag_of(replication, r);
        if (active)
            clopt_output_printf(replication->output, "if (%s) {\n", active);
        replication_print(replication, node);
        replication_put(replication, active ? "\n}" : "");
    }
    replication->replica = 0;
    replication->region_begin = replication->region_end = 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Puts the statements of a list, with the text from `at` to `end` that is around them. */
static void emit_list(struct replication *replication, const struct clopt_node *node, size_t at,
                      size_t end)
{
    for (size_t i = 0; i < node->child_count; i++) {
        replication_copy(replication, at, node->children[i]->begin);
        size_t versioned = fuse_active(replication, node, i);
        if (versioned)
            i += versioned - 1;
        else
            statement_emit(replication, node->children[i]);
        at = node->children[i]->stop;
    }
    replication_copy(replication, at, end);
}

void statement_emit_inside(struct replication *replication, const struct clopt_node *node)
{
    if (node->kind != CLOPT_NODE_COMPOUND || clopt_node_is_region(replication->divergence, node)) {
        statement_emit(replication, node);
        return;
    }
    const char *text = clopt_source_text(replication->source);
    size_t begin = node->begin + 1;
    size_t end = node->end - 1;
    while (begin < end && is_blank(text[begin]))
        begin++;
    while (begin < end && is_blank(text[end - 1]))
        end--;
    emit_list(replication, node, begin, end);
}

static bool needs_braces(const struct replication *replication, const struct clopt_node *node)
{
    return node->kind != CLOPT_NODE_COMPOUND && node->kind != CLOPT_NODE_EMPTY &&
           replication_diverges(replication, node);
}

/* Copies what stands between two parts of a statement, on the line of the braces around it. */
static void copy_joint(struct replication *replication, size_t begin, size_t end, bool behind,
                       bool before)
{
    const char *text = clopt_source_text(replication->source);
    while (behind && begin < end && is_blank(text[begin]))
        begin++;
    size_t last = end;
    while (before && last > begin && is_blank(text[last - 1]))
        last--;
    bool comment = false;
    for (size_t i = begin; i + 1 < last; i++)
        comment |= text[i] == '/' && text[i + 1] == '/';
    if (comment)
        last = end; /* it would swallow the brace */
    replication_put(replication, behind ? " " : "");
    replication_copy(replication, begin, last);
    replication_put(replication, before && last > begin ? " " : "");
}

/* Puts what an if or a loop holds, in braces where it may become several statements. */
static void emit_held(struct replication *replication, const struct clopt_node *node)
{
    bool bare = needs_braces(replication, node);
    replication_put(replication, bare ? "{\n" : "");
    statement_emit(replication, node);
    replication_put(replication, bare ? "\n}" : "");
}

/* Makes an arm end with a barrier. PoCL 3.1 miscompiles two arms of which one holds a barrier and a
 * branch on the work-item's identity, unless both end with a barrier. */
static void emit_arm(struct replication *replication, const struct clopt_node *node)
{
    replication_put(replication, "{\n");
    statement_emit(replication, node);
    replication_put(replication, "\nbarrier(CLK_LOCAL_MEM_FENCE);\n}");
}

static bool holds_region(const struct replication *replication, const struct clopt_node *node)
{
    if (clopt_node_is_region(replication->divergence, node))
        return true;
    for (size_t i = 0; i < node->child_count; i++)
        if (holds_region(replication, node->children[i]))
            return true;
    return false;
}

static void emit_if(struct replication *replication, const struct clopt_node *node)
{
    const struct clopt_node *otherwise = node->otherwise;
    bool arms = otherwise && clopt_node_find_collective(node) && holds_region(replication, node);
    bool chain = otherwise && !arms && otherwise->kind == CLOPT_NODE_IF &&
                 !clopt_node_is_region(replication->divergence, otherwise);
    bool braces = arms || needs_braces(replication, node->body);
    replication_copy(replication, node->begin, node->condition->begin);
    replication_print(replication, node->condition);
    copy_joint(replication, node->condition->end, node->body->begin, false, braces);
    if (arms)
        emit_arm(replication, node->body);
    else
        emit_held(replication, node->body);
    if (!otherwise)
        return;
    copy_joint(replication, node->body->stop, otherwise->begin, braces,
               arms || (!chain && needs_braces(replication, otherwise)));
    if (arms)
        emit_arm(replication, otherwise);
    else if (chain)
        statement_emit(replication, otherwise);
    else
        emit_held(replication, otherwise);
}

/* A loop whose text, with what stands in front of `for`, begins at `begin`. */
static void emit_for(struct replication *replication, const struct clopt_node *node, size_t begin)
{
    const struct clopt_node *init = node->init;
    bool declares = init && init->kind == CLOPT_NODE_DECLARE;
    bool outside = declares && declares_divergent(replication, init);
    if (outside) {
        replication_put(replication, "{\n");
        emit_declare(replication, init);
        replication_put(replication, "\n");
    }
    replication_copy(replication, begin, node->begin);
    replication_put(replication, "for (");
    if (declares && !outside)
        replication_print(replication, init);
    else if (init && !outside)
        replication_put_each(replication, init, ", ");
    replication_put(replication, declares && !outside ? "" : ";");
    if (node->condition) {
        replication_put(replication, " ");
        replication_print(replication, node->condition);
    }
    replication_put(replication, ";");
    if (node->step) {
        replication_put(replication, " ");
        replication_put_each(replication, node->step, ", ");
    }
    replication_put(replication, ") ");
    emit_held(replication, node->body);
    replication_put(replication, outside ? "\n}" : "");
}

static void emit_loop(struct replication *replication, const struct clopt_node *node)
{
    const struct clopt_node *first = node->kind == CLOPT_NODE_DO ? node->body : node->condition;
    const struct clopt_node *second = node->kind == CLOPT_NODE_DO ? node->condition : node->body;
    replication_copy(replication, node->begin, first->begin);
    if (first == node->body)
        emit_held(replication, first);
    else
        replication_print(replication, first);
    bool behind = first == node->body && needs_braces(replication, first);
    bool before = second == node->body && needs_braces(replication, second);
    copy_joint(replication, first == node->body ? first->stop : first->end, second->begin, behind,
               before);
    if (second == node->body)
        emit_held(replication, second);
    else
        replication_print(replication, second);
    if (second != node->body)
        replication_copy(replication, second->end, node->stop);
}

/* A statement behind its attributes: nothing may come between them. */
static void emit_attributed(struct replication *replication, const struct clopt_node *node)
{
    if (clopt_node_is_region(replication->divergence, node->body)) {
        statement_emit_region(replication, node);
    } else if (node->body->kind == CLOPT_NODE_FOR) {
        emit_for(replication, node->body, node->begin);
    } else {
        replication_copy(replication, node->begin, node->body->begin);
        statement_emit(replication, node->body);
    }
}

void statement_emit(struct replication *replication, const struct clopt_node *node)
{
    if (clopt_node_is_region(replication->divergence, node)) {
        if (!fuse_if(replication, node))
            statement_emit_region(replication, node);
        return;
    }
    switch (node->kind) {
    case CLOPT_NODE_COMPOUND:
        emit_list(replication, node, node->begin, node->stop);
        break;
    case CLOPT_NODE_DECLARE:
        emit_declare(replication, node);
        break;
    case CLOPT_NODE_IF:
        emit_if(replication, node);
        break;
    case CLOPT_NODE_FOR:
        emit_for(replication, node, node->begin);
        break;
    case CLOPT_NODE_WHILE:
    case CLOPT_NODE_DO:
        emit_loop(replication, node);
        break;
    case CLOPT_NODE_ATTRIBUTED:
        emit_attributed(replication, node);
        break;
    default:
        if (clopt_node_is_expression(node))
            emit_expression(replication, node);
        else
            replication_print(replication, node);
        break;
    }
}
