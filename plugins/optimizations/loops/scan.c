/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds scans in loops. */
#include "scan.h"

/* What a statement adds to a variable: v += e, v = v + e, v = max(v, e) and their like. */
static bool read_operation(const struct clopt_node *statement, struct scan *scan)
{
    static const char *const calls[] = {"min", "max", "fmin", "fmax"};
    const struct clopt_node *value = clopt_node_bare(statement->children[1]);
    if (clopt_node_is_operator(statement, "+=")) {
        scan->op = "+";
        scan->term = value;
        return true;
    }
    if (!clopt_node_is_operator(statement, "=") || value->child_count != 2)
        return false;
    bool second = clopt_node_names(clopt_node_bare(value->children[1]), scan->sum);
    scan->term = clopt_node_bare(value->children[!second]);
    if (!second && !clopt_node_names(clopt_node_bare(value->children[0]), scan->sum))
        return false;
    if (value->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(value, "+"))
        scan->op = "+";
    for (size_t i = 0; value->kind == CLOPT_NODE_CALL && !value->callee && i < 4; i++)
        if (strcmp(value->name, calls[i]) == 0)
            scan->op = calls[i];
    return scan->op;
}

/* Whether terms of a type are accumulated as numbers of the sum's type are. */
static bool fits(const struct scan *scan, bool reassociate)
{
    enum clopt_scalar scalar = scan->sum->scalar;
    if (clopt_scalar_is_real(scalar) && !reassociate)
        return false;
    return scan->term->width == 1 &&
           (scan->term->scalar == scalar || (*scan->op == '+' && clopt_scalar_is_integer(scalar) &&
                                             clopt_scalar_is_integer(scan->term->scalar)));
}

static bool read_statement(const struct clopt_node *loop, const struct clopt_node *statement,
                           bool reassociate, struct scan *scan)
{
    if (statement->kind != CLOPT_NODE_ASSIGN)
        return false;
    const struct clopt_node *to = clopt_node_bare(statement->children[0]);
    const struct clopt_variable *sum = to->kind == CLOPT_NODE_VARIABLE ? to->variable : NULL;
    bool plain = sum && sum->space == CLOPT_SPACE_PRIVATE && !sum->is_array && !sum->is_pointer &&
                 !sum->is_record && !sum->is_volatile && sum->width == 1 &&
                 clopt_scalar_bits(sum->scalar) >= 32 && !clopt_node_declares(loop->body, sum);
    scan->sum = (struct clopt_variable *)sum;
    return plain && read_operation(statement, scan) && fits(scan, reassociate);
}

/* Whether the loop reads a sum elsewhere, and nothing but the statement writes it. */
static bool is_read(const struct clopt_node *loop, const struct clopt_node *statement,
                    const struct clopt_variable *sum)
{
    bool read = false;
    for (const struct clopt_node *node = loop; node; node = clopt_node_next(node, loop)) {
        if (!clopt_node_names(node, sum) || clopt_node_contains(statement, node))
            continue;
        read = true;
        if (clopt_node_use(node, loop) != CLOPT_READ)
            return false;
    }
    return read;
}

/* ---- terms before the iterations ---- */

/* What is known before an iteration begins. */
struct knowledge {
    const struct clopt_node *loop;
    const struct clopt_trip *trip;
    const struct clopt_nodes *before; /* declarations that are executed then */
    const struct clopt_accesses *accesses;
};

/* Whether a variable has its value by then: the counter, what the loop does not write, and what a
 * declaration writes that is executed then. */
static bool is_known(const struct knowledge *knowledge, const struct clopt_variable *variable)
{
    const struct clopt_node *body = knowledge->loop->body;
    if (variable == knowledge->trip->counter || variable->is_array)
        return variable->space != CLOPT_SPACE_PRIVATE || !variable->is_array;
    for (size_t i = 0; i < knowledge->before->count; i++)
        if (clopt_node_declares(knowledge->before->items[i], variable))
            return !variable->changed;
    return !clopt_node_declares(body, variable) &&
           !(clopt_node_uses(body, variable) & (CLOPT_WRITE | CLOPT_ADDRESS));
}

/* Whether memory that a node reads is written by what the iteration does before. */
static bool is_written_before(const struct knowledge *knowledge, const struct clopt_node *node)
{
    const struct clopt_accesses *accesses = knowledge->accesses;
    for (size_t i = 0; i < accesses->count; i++)
        for (size_t j = 0; j < accesses->count; j++) {
            const struct clopt_access *read = &accesses->items[i], *write = &accesses->items[j];
            if (clopt_node_contains(node, read->node) && write->writes &&
                write->space != CLOPT_SPACE_PRIVATE && write->node->index < node->index &&
                clopt_accesses_alias(read, write))
                return true;
        }
    return false;
}

/* Whether an expression, or a declaration, can be evaluated before an iteration begins as well. */
static bool is_early(const struct knowledge *knowledge, const struct clopt_node *top)
{
    for (const struct clopt_node *node = top; node; node = clopt_node_next(node, top))
        if (node->kind == CLOPT_NODE_VARIABLE && !is_known(knowledge, node->variable))
            return false;
    return !(clopt_node_effects(top) & ~(unsigned)CLOPT_EFFECT_MEMORY_READ) &&
           !is_written_before(knowledge, top);
}

/* Whether a declaration of numbers can be executed before, too. */
static bool is_early_declaration(const struct knowledge *knowledge, const struct clopt_node *node)
{
    if (node->kind != CLOPT_NODE_DECLARE || node->child_count != 1)
        return false;
    const struct clopt_node *value = node->children[0]->condition;
    return value && is_early(knowledge, value);
}

/* Whether the term is known before the iteration begins; finds the declarations that it needs. */
static bool find_before(struct clopt_source *source, const struct clopt_node *statement,
                        struct knowledge *knowledge, struct scan *scan)
{
    const struct clopt_node *body = knowledge->loop->body;
    knowledge->before = &scan->before;
    for (size_t i = 0; body->kind == CLOPT_NODE_COMPOUND && body->children[i] != statement; i++)
        if (is_early_declaration(knowledge, body->children[i]))
            clopt_nodes_add(source, &scan->before, body->children[i]);
    return is_early(knowledge, scan->term);
}

void scans_find(struct clopt_source *source, const struct clopt_node *loop,
                const struct clopt_trip *trip, bool reassociate, struct scans *scans, bool *handled)
{
    const struct clopt_node *body = loop->body;
    CLOPT_OWNED(clopt_accesses) accesses = {0};
    struct knowledge knowledge = {.loop = loop, .trip = trip, .accesses = &accesses};
    clopt_accesses_add(&accesses, body);
    scans->count = 0;
    for (size_t i = 0; body->kind == CLOPT_NODE_COMPOUND && i < body->child_count; i++) {
        const struct clopt_node *statement = body->children[i];
        struct scan scan = {0};
        if (scans->count == MOST_SCANS || !read_statement(loop, statement, reassociate, &scan) ||
            !is_read(loop, statement, scan.sum) ||
            !find_before(source, statement, &knowledge, &scan))
            continue;
        scans->items[scans->count++] = scan;
        handled[scan.sum->index] = true;
    }
}
