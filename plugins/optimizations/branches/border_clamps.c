/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops over the columns of a window near a border: where a counter alone decides whether an
 * iteration is inside, those outside do what one inside does, and nothing of it is taken. So no
 * read waits for a condition, and all that is read is read anyway. */
#include "borders.h"

/* What is found out about a loop, or one of its statements. */
struct search {
    struct borders *borders;
    unsigned counter;
    struct clamp clamp;
    bool differs;  /* there are two of an end */
    bool marks;    /* parts of conditions that say an end are decided */
    unsigned left; /* parts that do not, and are not decided otherwise */
};

/* Returns an expression where the counter is 0. */
static struct clopt_node *form_zero(struct search *search, const struct clopt_node *node)
{
    search->borders->zero = &search->borders->counters[search->counter];
    struct clopt_node *zero = clopt_clone(&search->borders->ends, node);
    search->borders->zero = NULL;
    return zero;
}

/* Reads the end of a counter that a comparison says, if it is of nothing else. */
static bool read_end(struct search *search, const struct clopt_node *node, bool holds)
{
    struct borders *borders = search->borders;
    struct clopt_affine margin;
    int64_t factor = 0;
    if (!border_stays(borders, node) || !border_read_margin(borders, node, holds, &margin))
        return false;
    for (unsigned i = 0; i < borders->counter_count; i++)
        if (clopt_affine_has(&margin, i + 1) != (i == search->counter))
            return false;
    if (!clopt_affine_factor(&margin, search->counter + 1, &factor) || llabs(factor) != 1)
        return false;
    bool less = (*node->op == '>') != holds, low = factor > 0;
    const char *distance = (node->op[1] == '=') == holds ? "$n - $n"
                           : low                         ? "$n - $n + 1"
                                                         : "$n - $n - 1";
    struct clopt_node **known = low ? &search->clamp.low : &search->clamp.high;
    struct clopt_node *end =
        clopt_build(borders->source, node, distance, form_zero(search, node->children[low != less]),
                    form_zero(search, node->children[low == less]));
    search->differs |= *known && !clopt_nodes_equal(*known, end);
    *known = end;
    return true;
}

static bool look_at_part(void *user, const struct clopt_node *node, bool holds)
{
    struct search *search = user;
    unsigned char *decided = &search->borders->decided[node->index];
    if (*decided)
        return true;
    bool read = read_end(search, node, holds);
    search->left += !read;
    if (read && search->marks)
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
    struct search own = {
        .borders = search->borders, .counter = search->counter, .marks = search->marks};
    bool branch = statement->kind == CLOPT_NODE_IF && !statement->otherwise;
    bool leaves = branch && is_left(statement->body);
    if (!leaves && clopt_node_find(statement, CLOPT_NODE_CONTINUE))
        return false;
    if (*inside || statement->kind == CLOPT_NODE_DECLARE || statement->kind == CLOPT_NODE_EMPTY)
        return !*inside || !leaves;
    if (!branch || border_is_limit(statement->condition, NULL))
        return false;
    clopt_condition_parts(statement->condition, !leaves, look_at_part, &own);
    bool any = own.clamp.low || own.clamp.high;
    if (own.differs || (leaves && own.left) || (!leaves && !any))
        return false;
    if (!any)
        return true;
    if (search->marks)
        search->borders->decided[statement->condition->index] = leaves ? 2 : 1;
    bool first = !search->clamp.low && !search->clamp.high;
    search->differs |= !first && !(are_same(own.clamp.low, search->clamp.low) &&
                                   are_same(own.clamp.high, search->clamp.high));
    search->clamp = own.clamp;
    *inside = leaves;
    return !search->differs;
}

/* Whether a use of what iterations leave to the next ones decides nothing, and not what is read. */
static bool only_adds(const struct clopt_node *body, const struct clopt_node *use)
{
    const struct clopt_node *node = use->parent;
    for (; !clopt_node_is_statement(node); node = node->parent)
        if (!clopt_node_is_expression(node) || clopt_node_is_memory(node, NULL) ||
            node->kind == CLOPT_NODE_CONDITIONAL || clopt_node_is_logical(node))
            return false;
    const struct clopt_node *lvalue = clopt_node_written(node);
    return lvalue && lvalue->kind == CLOPT_NODE_VARIABLE && border_changes(body, lvalue->variable);
}

/* Whether a body changes variables alone that can be copied, and nothing but them depends on what
 * they were. */
static bool is_copied(const struct clopt_node *body)
{
    const unsigned forbidden = CLOPT_EFFECT_MEMORY_WRITE | CLOPT_EFFECT_ORDERED |
                               CLOPT_EFFECT_COLLECTIVE | CLOPT_EFFECT_GOTO;
    if ((clopt_node_effects(body) & forbidden) || clopt_node_find(body, CLOPT_NODE_BREAK) ||
        clopt_node_find(body, CLOPT_NODE_RETURN) || clopt_node_find_trap(body))
        return false;
    for (const struct clopt_node *node = body; node; node = clopt_node_next(node, body)) {
        const struct clopt_variable *variable =
            node->kind == CLOPT_NODE_VARIABLE ? node->variable : NULL;
        if (node->callee)
            return false;
        if (variable && border_changes(body, variable) &&
            (variable->is_array || variable->is_pointer || variable->is_record ||
             variable->is_volatile || (variable->uses & CLOPT_ADDRESS) || !only_adds(body, node)))
            return false;
    }
    return true;
}

/* Looks at all statements of a loop. */
static bool look_at(struct search *search)
{
    const struct counter *counter = &search->borders->counters[search->counter];
    const struct clopt_node *body = counter->loop->body;
    bool inside = false, block = body->kind == CLOPT_NODE_COMPOUND;
    if (llabs(counter->trip.step) != 1 || counter->trip.counter->bits != 32 || !is_copied(body))
        return false;
    for (size_t i = 0; i < (block ? body->child_count : 1); i++)
        if (!is_guarded(search, block ? body->children[i] : body, &inside))
            return false;
    return search->clamp.low || search->clamp.high;
}

/* Asks that some iteration is inside. */
static void add_guards(struct borders *borders, const struct counter *counter,
                       const struct clamp *clamp)
{
    struct counter ends[] = {*counter, *counter};
    const struct clopt_node *at = counter->loop;
    ends[0].at_most = false;
    ends[1].at_most = true;
    struct clopt_node *first = border_build_end(borders, &ends[0], at);
    struct clopt_node *const order[][2] = {{clamp->low, border_build_end(borders, &ends[1], at)},
                                           {clamp->high ? first : NULL, clamp->high},
                                           {clamp->low, clamp->high}};
    for (size_t i = 0; i < 3; i++)
        if (order[i][0] && order[i][1])
            border_add_guard(
                borders, clopt_build(borders->source, at, "$n <= $n", order[i][0], order[i][1]));
}

bool border_clamp(struct borders *borders)
{
    bool any = false;
    for (unsigned i = 0; i < borders->counter_count; i++) {
        struct search search = {.borders = borders, .counter = i};
        borders->clamps[i] = (struct clamp){NULL, NULL};
        if (!look_at(&search))
            continue;
        any = true;
        add_guards(borders, &borders->counters[i], &search.clamp);
        borders->clamps[i] = search.clamp;
        search = (struct search){.borders = borders, .counter = i, .marks = true};
        look_at(&search);
    }
    return any;
}

/* Returns a counter inside. */
static struct clopt_node *form_clamp(const struct borders *borders, const struct clamp *clamp,
                                     const struct clopt_node *at,
                                     const struct clopt_variable *counter)
{
    struct clopt_node *value = clopt_build(borders->source, at, "$v", counter);
    if (clamp->low)
        value = clopt_build(borders->source, at, "max($n, $n)", value, clamp->low);
    return clamp->high ? clopt_build(borders->source, at, "min($n, $n)", value, clamp->high)
                       : value;
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
                    form_clamp(borders, &borders->clamps[i], loop, counter));
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
