/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops over the columns of a window near a border: where a counter alone decides whether an
 * iteration is inside, those outside do what one inside does, and nothing of it is taken. So no
 * read waits for a condition, and all that is read is read anyway. */
#include "borders.h"

/* What is found out about a loop, or one of its statements. */
struct search {
    struct borders *borders;
    unsigned counter;
    struct clopt_node *low, *high; /* between which its counter is inside; NULL: no such end */
    bool differs;                  /* there are two of an end */
    unsigned left;                 /* parts of a condition that are neither, nor decided */
};

/* Returns an expression where the counter is 0. */
static struct clopt_node *form_zero(struct search *search, const struct clopt_node *node)
{
    search->borders->zero = &search->borders->counters[search->counter];
    struct clopt_node *zero = clopt_clone(&search->borders->ends, node);
    search->borders->zero = NULL;
    return zero;
}

/* Reads the end of a counter that a comparison says, if it is of nothing else; false: it is. */
static bool read_end(struct search *search, const struct clopt_node *node, bool holds)
{
    struct borders *borders = search->borders;
    struct clopt_affine margin;
    int64_t factor = 0;
    borders->counted = false;
    if (!border_stays(borders, node) || !border_read_margin(borders, node, holds, &margin) ||
        !borders->counted)
        return false;
    for (unsigned i = 0; i < borders->counter_count; i++)
        if (clopt_affine_has(&margin, i + 1) != (i == search->counter))
            return false;
    if (!clopt_affine_factor(&margin, search->counter + 1, &factor) || llabs(factor) != 1)
        return false;
    bool swaps = (*node->op == '>') == holds, strict = (node->op[1] != '=') == holds;
    const struct clopt_node *more = node->children[!swaps], *less = node->children[swaps];
    const char *low = strict ? "$n - $n + 1" : "$n - $n";
    const char *high = strict ? "$n - $n - 1" : "$n - $n";
    struct clopt_node **known = factor > 0 ? &search->low : &search->high;
    struct clopt_node *end = clopt_build(borders->source, node, factor > 0 ? low : high,
                                         form_zero(search, factor > 0 ? less : more),
                                         form_zero(search, factor > 0 ? more : less));
    search->differs |= *known && !clopt_nodes_equal(*known, end);
    *known = end;
    return true;
}

static bool look_at_part(void *user, const struct clopt_node *node, bool holds)
{
    struct search *search = user;
    if (!search->borders->decided[node->index])
        search->left += !read_end(search, node, holds);
    return true;
}

static bool mark_part(void *user, const struct clopt_node *node, bool holds)
{
    struct search *search = user;
    unsigned char *decided = &search->borders->decided[node->index];
    if (!*decided && read_end(search, node, holds))
        *decided = holds ? 1 : 2;
    return true;
}

static bool is_left(const struct clopt_node *node)
{
    while (node->kind == CLOPT_NODE_COMPOUND && node->child_count == 1)
        node = node->children[0];
    return node->kind == CLOPT_NODE_CONTINUE;
}

static bool are_same(const struct clopt_node *a, const struct clopt_node *b)
{
    return !a == !b && (!a || clopt_nodes_equal(a, b));
}

/* Whether a statement changes nothing outside of what all such statements say is inside; `inside`:
 * one before has left those that are outside. */
static bool is_guarded(struct search *search, const struct clopt_node *statement, bool *inside)
{
    struct search own = {.borders = search->borders, .counter = search->counter};
    if (*inside || statement->kind == CLOPT_NODE_DECLARE || statement->kind == CLOPT_NODE_EMPTY)
        return true;
    if (statement->kind != CLOPT_NODE_IF || statement->otherwise ||
        border_is_limit(statement->condition, NULL))
        return false;
    bool leaves = is_left(statement->body);
    clopt_condition_parts(statement->condition, !leaves, look_at_part, &own);
    if (own.differs || (leaves && own.left))
        return false;
    if (leaves && !own.low && !own.high)
        return true;
    bool first = !search->low && !search->high;
    if ((!own.low && !own.high) ||
        !(first || (are_same(own.low, search->low) && are_same(own.high, search->high))))
        return false;
    search->low = own.low;
    search->high = own.high;
    *inside = leaves;
    return true;
}

/* Whether what a loop's body changes are variables that can be copied. */
static bool is_copied(const struct borders *borders, const struct clopt_node *body)
{
    const unsigned forbidden = CLOPT_EFFECT_MEMORY_WRITE | CLOPT_EFFECT_ORDERED |
                               CLOPT_EFFECT_COLLECTIVE | CLOPT_EFFECT_GOTO;
    if ((clopt_node_effects(body) & forbidden) || clopt_node_find(body, CLOPT_NODE_BREAK) ||
        clopt_node_find(body, CLOPT_NODE_RETURN))
        return false;
    for (size_t i = 0; i < borders->source->variable_count; i++) {
        const struct clopt_variable *variable = borders->source->variables[i];
        if (border_changes(body, variable) &&
            (variable->is_array || variable->is_pointer || variable->is_record ||
             variable->is_volatile || (variable->uses & CLOPT_ADDRESS)))
            return false;
    }
    return true;
}

/* ---- what is read ---- */

static bool names_carried(const struct clopt_node *node, const void *carried)
{
    return node->kind == CLOPT_NODE_VARIABLE && ((const bool *)carried)[node->variable->index];
}

/* Marks what a body computes from what iterations before have left. */
static void mark_carried(const struct borders *borders, const struct clopt_node *body,
                         bool *carried)
{
    for (size_t i = 0; i < borders->source->variable_count; i++)
        carried[i] = border_changes(body, borders->source->variables[i]);
    for (bool again = true; again;) {
        again = false;
        for (const struct clopt_node *node = body; node; node = clopt_node_next(node, body)) {
            const struct clopt_node *lvalue = clopt_node_written(node);
            const struct clopt_variable *to = node->kind == CLOPT_NODE_DECLARATOR ? node->variable
                                              : lvalue ? clopt_access_of(lvalue).base
                                                       : NULL;
            if (to && !carried[to->index] && clopt_node_search(node, names_carried, carried))
                again = carried[to->index] = true;
        }
    }
}

/* What decides whether the parts of a node are evaluated; NULL: nothing. */
static const struct clopt_node *decider(const struct clopt_node *node)
{
    bool chooses = node->kind == CLOPT_NODE_CONDITIONAL || clopt_node_is_logical(node);
    return chooses                               ? node->children[0]
           : node->kind == CLOPT_NODE_DECLARATOR ? NULL
                                                 : node->condition;
}

/* Whether where a body reads memory, and whether it does, is the same each time that an iteration
 * is done. */
static bool reads_alike(const struct borders *borders, const struct clopt_node *body)
{
    bool *carried =
        clopt_source_table(borders->source, borders->source->variable_count, sizeof *carried);
    mark_carried(borders, body, carried);
    for (const struct clopt_node *node = body; node; node = clopt_node_next(node, body)) {
        if (node->callee)
            return false;
        if (!clopt_node_is_memory(node, NULL))
            continue;
        if (clopt_node_search(node, names_carried, carried))
            return false;
        for (const struct clopt_node *at = node; at != body; at = at->parent) {
            const struct clopt_node *decides = decider(at->parent);
            if (decides && decides != at && clopt_node_search(decides, names_carried, carried))
                return false;
        }
    }
    return !clopt_node_find_trap(body);
}

/* Whether every continue of a loop leaves what is outside, or what is decided. */
static bool only_leaves(const struct clopt_node *body)
{
    for (const struct clopt_node *node = body; node; node = clopt_node_next(node, body)) {
        if (node->kind != CLOPT_NODE_CONTINUE || clopt_node_target(node) != body->parent)
            continue;
        const struct clopt_node *branch = node->parent;
        while (branch->kind == CLOPT_NODE_COMPOUND)
            branch = branch->parent;
        if (branch->kind != CLOPT_NODE_IF || branch->parent != body || !is_left(branch->body))
            return false;
    }
    return true;
}

/* Adds a guard that some iteration is inside. */
static void add_guards(struct borders *borders, const struct counter *counter,
                       const struct clamp *clamp)
{
    struct clopt_source *source = borders->source;
    struct counter end = *counter;
    const struct clopt_node *at = counter->loop;
    end.at_most = true;
    if (clamp->low)
        border_add_guard(borders, clopt_build(source, at, "$n <= $n", clamp->low,
                                              border_build_end(borders, &end, at)));
    end.at_most = false;
    if (clamp->high)
        border_add_guard(borders, clopt_build(source, at, "$n <= $n",
                                              border_build_end(borders, &end, at), clamp->high));
    if (clamp->low && clamp->high)
        border_add_guard(borders, clopt_build(source, at, "$n <= $n", clamp->low, clamp->high));
}

bool border_find_clamps(struct borders *borders)
{
    bool any = false;
    for (unsigned i = 0; i < borders->counter_count; i++) {
        const struct counter *counter = &borders->counters[i];
        const struct clopt_node *body = counter->loop->body;
        struct search search = {.borders = borders, .counter = i};
        bool inside = false, fits = body->kind == CLOPT_NODE_COMPOUND && only_leaves(body);
        size_t count = body->kind == CLOPT_NODE_COMPOUND ? body->child_count : 1;
        borders->clamps[i] = (struct clamp){NULL, NULL};
        fits = (fits || body->kind == CLOPT_NODE_IF) && llabs(counter->trip.step) == 1 &&
               counter->trip.counter->bits == 32 && is_copied(borders, body) &&
               reads_alike(borders, body);
        for (size_t s = 0; s < count && fits; s++)
            fits = is_guarded(&search, body->kind == CLOPT_NODE_IF ? body : body->children[s],
                              &inside);
        if (!fits || (!search.low && !search.high))
            continue;
        borders->clamps[i] = (struct clamp){search.low, search.high};
        add_guards(borders, counter, &borders->clamps[i]);
        any = true;
    }
    return any;
}

/* Decides the conditions of columns in a loop that is clamped. */
static void mark(struct borders *borders, unsigned counter)
{
    struct search search = {.borders = borders, .counter = counter};
    const struct clopt_node *body = borders->counters[counter].loop->body;
    size_t count = body->kind == CLOPT_NODE_COMPOUND ? body->child_count : 1;
    for (size_t s = 0; s < count; s++) {
        const struct clopt_node *branch =
            body->kind == CLOPT_NODE_COMPOUND ? body->children[s] : body;
        if (branch->kind != CLOPT_NODE_IF)
            continue;
        bool holds = !is_left(branch->body);
        clopt_condition_parts(branch->condition, holds, mark_part, &search);
        if (search.low || search.high)
            borders->decided[branch->condition->index] = holds ? 1 : 2;
        if (!holds && (search.low || search.high))
            return;
    }
}

void border_mark_clamps(struct borders *borders)
{
    for (unsigned i = 0; i < borders->counter_count; i++)
        if (borders->clamps[i].low || borders->clamps[i].high)
            mark(borders, i);
}

/* Returns a counter inside. */
static struct clopt_node *form_clamp(const struct borders *borders,
                                     const struct clopt_variable *counter,
                                     const struct clamp *clamp, const struct clopt_node *at)
{
    struct clopt_source *source = borders->source;
    return clamp->low && clamp->high
               ? clopt_build(source, at, "clamp($v, $n, $n)", counter, clamp->low, clamp->high)
           : clamp->low ? clopt_build(source, at, "max($v, $n)", counter, clamp->low)
                        : clopt_build(source, at, "min($v, $n)", counter, clamp->high);
}

struct clopt_node *border_form_clamped(struct borders *borders, const struct clopt_node *loop)
{
    struct clopt_source *source = borders->source;
    const struct clopt_cloning *cloning = &borders->cloning;
    unsigned i = 0;
    while (i < borders->counter_count && borders->counters[i].loop != loop)
        i++;
    if (i == borders->counter_count || (!borders->clamps[i].low && !borders->clamps[i].high))
        return NULL;
    struct clopt_variable *counter = source->variables[borders->counters[i].trip.counter->index];
    struct clopt_variable *inside = clopt_variable_copy(source, counter, 1);
    struct clopt_variable **const outer = borders->copies;
    struct clopt_nodes body = {0}, ends = {0};
    size_t count = source->variable_count;
    clopt_nodes_put(source, &body, loop, "$V = $n;", inside,
                    form_clamp(borders, counter, &borders->clamps[i], loop));
    borders->copies = clopt_source_table(source, count, sizeof *borders->copies);
    borders->copies[counter->index] = inside;
    for (size_t v = 0; v < count; v++) {
        struct clopt_variable *variable = source->variables[v];
        if (!border_changes(loop->body, variable))
            continue;
        borders->copies[v] = clopt_variable_copy(source, variable, 1);
        clopt_nodes_put(source, &body, loop, "$V = $v;", borders->copies[v], variable);
        clopt_nodes_put(source, &ends, loop, "$v = $v == $v ? $v : $v;", variable, inside, counter,
                        borders->copies[v], variable);
    }
    clopt_nodes_add_body(cloning, &body, loop->body);
    borders->copies = outer;
    for (size_t n = 0; n < ends.count; n++)
        clopt_nodes_add(source, &body, ends.items[n]);
    return clopt_build(source, loop, "for ($n; $n; $n) { $N }", clopt_clone(cloning, loop->init),
                       clopt_clone(cloning, loop->condition), clopt_clone(cloning, loop->step),
                       &body);
}
