/* SPDX-License-Identifier: BSD-3-Clause */
/* Loop-carried dependences through scalars: lanes execute one after the other what is from the
 * first statement that uses such a scalar to the last. Before that, vectors load and compute what
 * does not depend on these scalars; after it, vectors are stored. */
#include "code.h"

struct chain {
    struct code *code;
    const struct clopt_node *body;
    size_t first, last; /* of the body's statements */
    bool *written;      /* by variable: a statement of the chain changes it */
};

static bool is_named(const struct clopt_node *node, const void *variables)
{
    return node->kind == CLOPT_NODE_VARIABLE && ((const bool *)variables)[node->variable->index];
}

/* Whether a statement assigns to memory that is not private. */
static bool stores(const struct clopt_node *node)
{
    const struct clopt_node *written = clopt_node_written(node);
    return written && !clopt_space_may_be_private(written->space);
}

/* ---- what forbids it ---- */

static enum clopt_status check_declaration(const struct code *code, const struct clopt_node *node,
                                           struct clopt_error *error)
{
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *declarator = node->children[i];
        const struct clopt_variable *variable = declarator->variable;
        enum form form = code->plan->forms[variable->index];
        bool mixed = (form == FORM_VECTOR) !=
                     (code->plan->forms[node->children[0]->variable->index] == FORM_VECTOR);
        if (mixed || form == FORM_SCALARS || variable->is_array || variable->is_volatile ||
            (declarator->condition && code_has_effects(declarator->condition)))
            return clopt_source_refuse(code->source, node, error,
                                       "%s is declared where iterations wait for each other",
                                       variable->name);
    }
    return CLOPT_OK;
}

/* Refuses what lanes cannot do one after the other while loads come before them: what reads memory
 * after a store, and what has more than one effect. */
static enum clopt_status check_statement(const struct code *code, const struct clopt_node *node,
                                         bool stored, struct clopt_error *error)
{
    const struct clopt_node *written = clopt_node_written(node);
    const struct clopt_node *value = node->kind == CLOPT_NODE_ASSIGN ? node->children[1] : NULL;
    bool scalar = written && written->kind == CLOPT_NODE_VARIABLE && !written->is_volatile &&
                  (code->ordered[written->variable->index] ||
                   code->plan->forms[written->variable->index] >= FORM_VECTOR);
    bool declares = node->kind == CLOPT_NODE_DECLARE;
    if (!(declares || scalar || stores(node)) || (written && code_has_effects(written)) ||
        (value && code_has_effects(value)) ||
        (stored && clopt_node_effects(value ? value : node) & CLOPT_EFFECT_MEMORY_READ))
        return clopt_source_refuse(code->source, node, error,
                                   "iterations wait for each other, and this statement can be "
                                   "executed neither before nor after that");
    return declares ? check_declaration(code, node, error) : CLOPT_OK;
}

/* Whether several statements of the body use one of the scalars: others wait alone. */
static bool is_shared(const struct chain *chain, const struct clopt_variable *variable)
{
    size_t count = 0;
    for (size_t i = 0; i < chain->body->child_count; i++)
        count += clopt_node_uses(chain->body->children[i], variable) != 0;
    return chain->code->ordered[variable->index] && count > 1;
}

/* Finds the statements of the chain; false: there is none. */
static bool find(struct chain *chain)
{
    const struct clopt_node *body = chain->body;
    size_t count = chain->code->source->variable_count;
    bool found = false;
    if (body->kind != CLOPT_NODE_COMPOUND)
        return false;
    chain->written = clopt_source_table(chain->code->source, count, sizeof *chain->written);
    for (size_t i = 0; i < count; i++)
        chain->written[i] = is_shared(chain, chain->code->source->variables[i]);
    for (size_t i = 0; i < body->child_count; i++)
        if (clopt_node_search(body->children[i], is_named, chain->written)) {
            chain->first = found ? chain->first : i;
            chain->last = i;
            found = true;
        }
    return found;
}

static bool note(void *user, const struct clopt_node *node, const struct clopt_variable *variable)
{
    (void)node;
    ((bool *)user)[variable->index] = true;
    return false;
}

/* Takes note of what statements change, and refuses them where they cannot wait. */
static enum clopt_status check(const struct chain *chain, struct clopt_error *error)
{
    bool stored = false;
    for (size_t i = chain->first; i <= chain->last; i++) {
        const struct clopt_node *node = chain->body->children[i];
        CLOPT_TRY(check_statement(chain->code, node, stored, error));
        stored |= stores(node);
        plan_visit_writes(node, note, chain->written);
    }
    return CLOPT_OK;
}

/* ---- what takes its place ---- */

/* Adds what comes before the lanes: vectors of what a statement declares, or what does not differ.
 */
static void declare(const struct chain *chain, const struct clopt_node *node,
                    struct clopt_nodes *list)
{
    struct code *code = chain->code;
    if (code->plan->forms[node->children[0]->variable->index] != FORM_VECTOR) {
        code_add(code, list, code_lane(code, node, 0));
        return;
    }
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_variable *variable = node->children[i]->variable;
        char type[32];
        snprintf(type, sizeof type, "%s%u", scalar_name(variable->scalar), code->width);
        code_put(code, list, node, "$V;", clopt_variable_like(code->source, variable, type, ""));
    }
}

/* Adds what one lane does of a declaration: the values. */
static void add_values(const struct chain *chain, const struct clopt_node *node, unsigned lane,
                       struct clopt_nodes *list)
{
    struct code *code = chain->code;
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *declarator = node->children[i];
        if (declarator->condition && code->plan->forms[declarator->variable->index] == FORM_VECTOR)
            code_put(code, list, node, "$v.$s = $n;", declarator->variable, code_component(lane),
                     code_lane(code, declarator->condition, lane));
    }
}

/* Begins a store of a row after all lanes; returns the vector of what they store, or NULL. */
static struct clopt_variable *begin_store(const struct chain *chain, const struct clopt_node *node,
                                          struct clopt_nodes *before, struct clopt_nodes *after)
{
    struct code *code = chain->code;
    int64_t stride;
    if (!stores(node) || !clopt_node_is_operator(node, "=") ||
        !code_is_row(code, node->children[0], &stride))
        return NULL;
    char type[32];
    snprintf(type, sizeof type, "%s%u", scalar_name(node->children[0]->scalar), code->width);
    struct clopt_variable *stored =
        clopt_variable_make(code->source, type, "", "stored_%u", ++code->numbered);
    code_put(code, before, node, "$V;", stored);
    code_add(code, after,
             code_store(code, node->children[0], stride, code_build(code, node, "$v", stored)));
    return stored;
}

/* Whether all that the chain stores is rows: else lanes store, so that the order stays. */
static bool stores_rows(const struct chain *chain)
{
    for (size_t i = chain->first; i <= chain->last; i++) {
        const struct clopt_node *node = chain->body->children[i];
        int64_t stride;
        if (stores(node) && (!clopt_node_is_operator(node, "=") ||
                             !code_is_row(chain->code, node->children[0], &stride)))
            return false;
    }
    return true;
}

/* Adds what comes before the lanes: what is declared, and what does not wait. */
static struct clopt_variable *prepare(const struct chain *chain, const struct clopt_node *node,
                                      bool rows, struct clopt_nodes *list,
                                      struct clopt_nodes *after)
{
    bool declares = node->kind == CLOPT_NODE_DECLARE;
    if (declares)
        declare(chain, node, list);
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *child = node->children[i];
        if (declares && child->condition)
            code_add_parts(chain->code, child->condition, list);
        else if (!declares && i > 0)
            code_add_parts(chain->code, child, list);
    }
    return rows ? begin_store(chain, node, list, after) : NULL;
}

/* Adds what one lane does of a statement. */
static void add_lane(const struct chain *chain, const struct clopt_node *node,
                     const struct clopt_variable *stored, unsigned lane, struct clopt_nodes *list)
{
    struct code *code = chain->code;
    if (node->kind == CLOPT_NODE_DECLARE)
        add_values(chain, node, lane, list);
    else if (stored)
        code_put(code, list, node, "$v.$s = $n;", stored, code_component(lane),
                 code_lane(code, node->children[1], lane));
    else
        code_add(code, list, code_lane(code, node, lane));
}

static void add_chain(const struct chain *chain, struct clopt_nodes *list)
{
    struct code *code = chain->code;
    struct clopt_node **statements = &chain->body->children[chain->first];
    size_t count = chain->last - chain->first + 1;
    struct clopt_variable **stored = clopt_source_table(code->source, count, sizeof *stored);
    struct clopt_nodes after = {0};
    const bool *ordered = code->ordered;
    bool rows = stores_rows(chain);
    code->ordered = chain->written;
    for (size_t i = 0; i < count; i++)
        stored[i] = prepare(chain, statements[i], rows, list, &after);
    for (unsigned lane = 0; lane < code->width; lane++)
        for (size_t i = 0; i < count; i++)
            add_lane(chain, statements[i], stored[i], lane, list);
    code->ordered = ordered;
    for (size_t i = 0; i < after.count; i++)
        code_add(code, list, after.items[i]);
}

enum clopt_status code_body(struct code *code, const struct clopt_node *body,
                            struct clopt_node **built, struct clopt_error *error)
{
    struct chain chain = {.code = code, .body = body};
    struct clopt_nodes list = {0};
    if (!find(&chain)) {
        *built = code_block(code, code_statement(code, body));
        return CLOPT_OK;
    }
    CLOPT_TRY(check(&chain, error));
    for (size_t i = 0; i < body->child_count; i++)
        if (i == chain.first)
            add_chain(&chain, &list);
        else if (i < chain.first || i > chain.last)
            code_add(code, &list, code_statement(code, body->children[i]));
    *built = code_build(code, body, "{ $N }", &list);
    return CLOPT_OK;
}
