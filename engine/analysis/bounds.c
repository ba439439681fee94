/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that affine forms are 0 or more. */
#include "analysis/bounds.h"

#define MOST_DEPTH 8 /* facts that a proof adds up */
#define LESS_DEPTH 6 /* of those that are needed often */

/* ---- reading ---- */

static bool is_counter(const struct clopt_node *node, const struct clopt_variable *variable)
{
    struct clopt_trip trip;
    for (const struct clopt_node *loop = node->parent; loop; loop = loop->parent)
        if (clopt_node_is_loop(loop) && clopt_node_contains(loop->body, node) &&
            clopt_trip_find(loop, NULL, &trip) && trip.counter == variable)
            return true;
    return false;
}

/* Whether an expression has one value, which nothing but its place decides: what it names does not
 * change, or counts a loop around it. */
static bool is_stable(const struct clopt_node *node, unsigned depth)
{
    if (node->kind == CLOPT_NODE_VARIABLE && node->variable->changed)
        return is_counter(node, node->variable);
    if (node->kind == CLOPT_NODE_VARIABLE && node->variable->declarator) {
        const struct clopt_node *value = node->variable->declarator->condition;
        return depth && value && is_stable(value, depth - 1);
    }
    for (size_t i = 0; i < node->child_count; i++)
        if (!is_stable(node->children[i], depth))
            return false;
    return true;
}

bool clopt_index_read(struct clopt_symbols *symbols, const struct clopt_node *node,
                      struct clopt_affine *form)
{
    const struct clopt_node whole = {.body = (struct clopt_node *)clopt_node_function(node)};
    if (clopt_node_effects(node) || !is_stable(node, MOST_DEPTH) ||
        !clopt_affine_read(symbols, &whole, node, form))
        return false;
    for (unsigned i = 0; i < symbols->count; i++)
        if (clopt_affine_has(form, i + 1) && clopt_node_effects(symbols->nodes[i]))
            return false;
    return true;
}

/* ---- what a launch knows ---- */

/* Returns what a symbol is in a launch form; 0: no launch knows it. */
static unsigned launch_symbol(const struct clopt_source *source,
                              const struct clopt_symbols *symbols, unsigned symbol)
{
    if (!source)
        return 0;
    if (symbol >= CLOPT_SYMBOL_LOCAL_SIZE)
        return CLOPT_LAUNCH_LOCAL + symbol - CLOPT_SYMBOL_LOCAL_SIZE;
    if (symbol >= CLOPT_SYMBOL_GLOBAL_SIZE)
        return CLOPT_LAUNCH_GLOBAL + symbol - CLOPT_SYMBOL_GLOBAL_SIZE;
    const struct clopt_node *node = symbols->nodes[symbol - 1];
    unsigned global = clopt_node_dimension(node, "get_global_size");
    unsigned local = clopt_node_dimension(node, "get_local_size");
    if (global < 3 || local < 3)
        return global < 3 ? CLOPT_LAUNCH_GLOBAL + global : CLOPT_LAUNCH_LOCAL + local;
    const struct clopt_function *kernel = source->kernel;
    for (unsigned i = 0; i < kernel->parameter_count && i < CLOPT_LAUNCH_GLOBAL - 1; i++)
        if (clopt_node_names(node, kernel->parameters[i]) && node->variable->bits &&
            !node->variable->changed)
            return i + 1;
    return 0;
}

bool clopt_launch_form_make(const struct clopt_source *source, const struct clopt_symbols *symbols,
                            const struct clopt_affine *form, struct clopt_affine *launch)
{
    *launch = clopt_affine_constant(0);
    for (unsigned i = 0; i < form->count; i++) {
        struct clopt_affine product = clopt_affine_constant(form->terms[i].factor);
        for (unsigned k = 0; k < CLOPT_TERM_SYMBOLS && form->terms[i].symbols[k]; k++) {
            unsigned known = launch_symbol(source, symbols, form->terms[i].symbols[k]);
            const struct clopt_affine symbol = clopt_affine_symbol(known);
            if (!known || !clopt_affine_multiply(&product, &symbol))
                return false;
        }
        if (!clopt_affine_add(launch, &product, 1))
            return false;
    }
    return true;
}

/* ---- facts ---- */

/* Adds that factor * (a - b) + more is 0 or more. */
static void add(struct clopt_facts *facts, const struct clopt_affine *a,
                const struct clopt_affine *b, int64_t factor, int64_t more)
{
    struct clopt_affine form = clopt_affine_constant(more);
    if (facts->count < CLOPT_MOST_FACTS && clopt_affine_add(&form, a, factor) &&
        clopt_affine_add(&form, b, -factor) && (facts->source || !form.wraps))
        facts->forms[facts->count++] = form;
}

static bool has_negative(const struct clopt_affine *form)
{
    for (unsigned i = 0; i < form->count; i++)
        if (form->terms[i].factor < 0)
            return true;
    return false;
}

/* Adds what a comparison says where it holds, or where it does not. */
static bool add_comparison(void *user, const struct clopt_node *node, bool holds)
{
    struct clopt_facts *facts = user;
    if (!clopt_node_compares(node))
        return true;
    const struct clopt_node *left = clopt_node_bare(node->children[0]);
    const struct clopt_node *right = clopt_node_bare(node->children[1]);
    struct clopt_affine a, b;
    bool equal = clopt_node_is_operator(node, "==") || clopt_node_is_operator(node, "!=");
    bool less = *node->op == '<', inclusive = node->op[1] == '=';
    if (!left->bits || !right->bits || !clopt_index_read(facts->symbols, left, &a) ||
        !clopt_index_read(facts->symbols, right, &b))
        return true;
    /* What is less than 0 is large where it is compared as unsigned. */
    bool mixed = left->is_signed != right->is_signed && !left->known && !right->known;
    if ((!(left->is_signed && right->is_signed) && (has_negative(&a) || has_negative(&b))) ||
        (mixed && !facts->source))
        return true;
    if (equal && (*node->op == '=') == holds) {
        add(facts, &a, &b, 1, 0);
        add(facts, &a, &b, -1, 0);
    } else if (!equal) {
        inclusive = inclusive == holds;
        less = less == holds;
        add(facts, &b, &a, less ? 1 : -1, inclusive ? 0 : -1);
    }
    return true;
}

static void add_condition(struct clopt_facts *facts, const struct clopt_node *node, bool holds)
{
    clopt_condition_parts(node, holds, add_comparison, facts);
}

/* Reads what a counter is compared with, as it is inside the loop. */
static bool read_limit(const struct clopt_facts *facts, const struct clopt_node *loop,
                       const struct clopt_node *node, struct clopt_affine *form)
{
    return facts->source ? clopt_index_read(facts->symbols, node, form)
                         : clopt_loop_is_invariant(loop, node) &&
                               clopt_affine_read(facts->symbols, loop, node, form);
}

/* Adds where the counter of a loop is. One that begins at 0 ends a step before a bound that is a
 * multiple of its steps. */
static void add_loop(struct clopt_facts *facts, const struct clopt_node *loop)
{
    struct clopt_trip trip;
    struct clopt_affine counter, first, bound;
    unsigned symbol = 0;
    if (!clopt_trip_find(loop, NULL, &trip) || !trip.first)
        return;
    while (symbol < facts->symbols->count &&
           !(facts->symbols->nodes[symbol]->kind == CLOPT_NODE_VARIABLE &&
             facts->symbols->nodes[symbol]->variable == trip.counter))
        symbol++;
    counter = clopt_affine_symbol(symbol + 1);
    if (symbol == facts->symbols->count)
        return;
    if (read_limit(facts, loop, trip.first, &first))
        add(facts, &counter, &first, trip.step > 0 ? 1 : -1, 0);
    if (trip.unequal || !read_limit(facts, loop, trip.bound, &bound))
        return;
    struct clopt_launch_need need = {.multiple = (unsigned)trip.step};
    if (facts->count < CLOPT_MOST_FACTS && trip.step > 1 && trip.step < INT32_MAX &&
        trip.first_known && trip.first_value == 0 && !trip.inclusive &&
        clopt_launch_form_make(facts->source, facts->symbols, &bound, &need.form)) {
        facts->needs[facts->count] = need;
        add(facts, &bound, &counter, 1, -trip.step);
    }
    add(facts, &bound, &counter, trip.step > 0 ? 1 : -1, trip.inclusive ? 0 : -1);
}

/* Adds what is known of symbols by what they are. */
static void add_symbol(struct clopt_facts *facts, unsigned symbol)
{
    static const char *const identities[] = {"get_global_id", "get_local_id", "get_group_id"};
    const struct clopt_node *node = facts->symbols->nodes[symbol - 1];
    struct clopt_affine form = clopt_affine_symbol(symbol), size, low, high;
    const struct clopt_affine nothing = {.count = 0};
    if (node->bits && !node->is_signed)
        add(facts, &form, &nothing, 1, -(int)clopt_node_asks_size(node));
    bool defined = node->kind == CLOPT_NODE_VARIABLE && node->variable->declarator;
    if (defined && clopt_index_read(facts->symbols, node, &low) &&
        !clopt_affine_equals(&form, &low)) {
        add(facts, &form, &low, 1, 0);
        add(facts, &low, &form, 1, 0);
    }
    for (unsigned i = 0; i < sizeof identities / sizeof *identities; i++) {
        unsigned dimension = clopt_node_dimension(node, identities[i]);
        if (dimension == 3)
            continue;
        size = clopt_affine_symbol((i ? CLOPT_SYMBOL_LOCAL_SIZE : CLOPT_SYMBOL_GLOBAL_SIZE) +
                                   dimension);
        if (i < 2)
            add(facts, &size, &form, 1, -1);
    }
    if (clopt_node_calls(node, "clamp") && node->bits &&
        clopt_index_read(facts->symbols, node->children[1], &low) &&
        clopt_index_read(facts->symbols, node->children[2], &high)) {
        add(facts, &form, &low, 1, 0);
        add(facts, &high, &form, 1, 0);
    }
    if (node->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(node, "&") &&
        node->children[1]->known && node->children[1]->value >= 0) {
        high = clopt_affine_constant(node->children[1]->value);
        add(facts, &form, &nothing, 1, 0);
        add(facts, &high, &form, 1, 0);
    }
}

void clopt_facts_find(const struct clopt_source *source, const struct clopt_node *where,
                      struct clopt_symbols *symbols, struct clopt_facts *facts)
{
    *facts = (struct clopt_facts){.source = source, .symbols = symbols};
    for (const struct clopt_node *node = where; node->parent; node = node->parent) {
        const struct clopt_node *outer = node->parent;
        bool chooses = outer->kind == CLOPT_NODE_IF;
        if (chooses && node == outer->body)
            add_condition(facts, outer->condition, true);
        if (chooses && node == outer->otherwise)
            add_condition(facts, outer->condition, false);
        if (outer->kind == CLOPT_NODE_CONDITIONAL && node != outer->children[0])
            add_condition(facts, outer->children[0], node == outer->children[1]);
        if (clopt_node_is_loop(outer) && node == outer->body)
            add_loop(facts, outer);
        for (size_t i = 0; outer->kind == CLOPT_NODE_COMPOUND && outer->children[i] != node; i++) {
            const struct clopt_node *before = outer->children[i];
            if (before->kind == CLOPT_NODE_IF && !before->otherwise &&
                clopt_node_leaves(before->body))
                add_condition(facts, before->condition, false);
        }
    }
    for (unsigned i = 0; i < symbols->count; i++)
        add_symbol(facts, i + 1);
}

/* ---- proofs ---- */

/* Returns the first symbol that no launch knows; 0: there is none. */
static unsigned find_unknown(const struct clopt_facts *facts, const struct clopt_affine *form)
{
    for (unsigned i = 0; i < form->count; i++)
        for (unsigned k = 0; k < CLOPT_TERM_SYMBOLS && form->terms[i].symbols[k]; k++)
            if (!launch_symbol(facts->source, facts->symbols, form->terms[i].symbols[k]))
                return form->terms[i].symbols[k];
    return 0;
}

/* What a form multiplies a symbol with, a number; 0: it does not, or with something else. */
static int64_t factor_of(const struct clopt_affine *form, unsigned symbol)
{
    int64_t factor;
    return clopt_affine_factor(form, symbol, &factor) ? factor : 0;
}

static bool add_need(const struct clopt_launch_need *need, struct clopt_launch_need *needs,
                     unsigned *count)
{
    for (unsigned i = 0; i < *count; i++)
        if (needs[i].multiple == need->multiple && clopt_affine_equals(&needs[i].form, &need->form))
            return true;
    if (*count == CLOPT_LAYOUT_NEEDS)
        return false;
    needs[(*count)++] = *need;
    return true;
}

/* Proves a form; `asks`: a launch may be asked for what is left. */
static bool prove(const struct clopt_facts *facts, const struct clopt_affine *form, unsigned depth,
                  bool asks, struct clopt_launch_need *needs, unsigned *count)
{
    struct clopt_launch_need need = {.multiple = 0};
    int64_t number;
    unsigned symbol = find_unknown(facts, form);
    if (clopt_affine_is_constant(form, &number))
        return number >= 0;
    if (!symbol)
        return asks && clopt_launch_form_make(facts->source, facts->symbols, form, &need.form) &&
               (clopt_affine_is_constant(&need.form, &number) ? number >= 0
                                                              : add_need(&need, needs, count));
    int64_t factor = factor_of(form, symbol);
    for (unsigned i = 0; i < facts->count && factor && depth; i++) {
        int64_t own = factor_of(&facts->forms[i], symbol);
        struct clopt_affine rest = *form;
        unsigned before = *count;
        bool needed = facts->needs[i].multiple > 0;
        if (!own || factor % own || factor / own < 0 || (needed && !asks) ||
            !clopt_affine_add(&rest, &facts->forms[i], -(factor / own)))
            continue;
        if (prove(facts, &rest, depth - 1, asks, needs, count) &&
            (!needed || add_need(&facts->needs[i], needs, count)))
            return true;
        *count = before;
    }
    return false;
}

bool clopt_facts_prove(const struct clopt_facts *facts, const struct clopt_affine *form,
                       struct clopt_launch_need *needs, unsigned *count)
{
    return prove(facts, form, MOST_DEPTH, false, needs, count) ||
           prove(facts, form, MOST_DEPTH, true, needs, count);
}

bool clopt_affine_exceeds(struct clopt_symbols *symbols, const struct clopt_node *where,
                          const struct clopt_affine *form, int64_t number)
{
    struct clopt_facts facts;
    struct clopt_affine rest = clopt_affine_constant(-number - 1);
    unsigned count = 0;
    if (form->wraps || !clopt_affine_add(&rest, form, 1))
        return false;
    clopt_facts_find(NULL, where, symbols, &facts);
    return prove(&facts, &rest, LESS_DEPTH, false, NULL, &count);
}
