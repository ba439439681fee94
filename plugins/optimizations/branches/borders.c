/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops that ask once whether they come near a border: conditions that compare an index with a
 * bound hold for all iterations where they hold for those at either end, and min, max and clamp
 * return the index there, so that a loop without them is there for work-items inside, and the loop
 * as it was for the others. */
#include <clopt/affine.h>
#include <clopt/divergence.h>

#include "branches.h"
#include "flatten.h"

#define MOST_COUNTERS 8
#define MOST_SYMBOLS  24
#define MOST_DEPTH    8 /* of definitions inside definitions */

/* A loop of a nest, and where its counter begins and ends. */
struct counter {
    const struct clopt_node *loop;
    struct clopt_trip trip;
    bool at_most; /* the value that is asked for is the largest one */
};

struct borders {
    struct clopt_source *source;
    struct clopt_cloning cloning;
    const struct clopt_node *nest; /* the outermost loop, with its #pragma; NULL: outside of all */
    struct counter counters[MOST_COUNTERS]; /* symbols 1, 2, ... */
    unsigned counter_count;
    const struct clopt_node *symbols[MOST_SYMBOLS]; /* the symbols after them */
    unsigned symbol_count;
    unsigned depth;
    size_t node_count;      /* of the original */
    unsigned char *decided; /* by node: 1: holds in all iterations inside, 2: in none; of a call,
                               the number of the argument that it returns there */
    bool counted;           /* a counter is in a condition that is being decided */
    bool never;             /* no work-item is inside */
    const struct clopt_divergence *divergence;
    size_t parts; /* of conditions that are decided */
    struct clopt_nodes guards;
    struct clopt_cloning ends; /* gives conditions the values at an end */
    size_t changed;
};

/* ---- forms of conditions ---- */

static unsigned find_counter(const struct borders *borders, const struct clopt_node *node)
{
    for (unsigned i = 0; i < borders->counter_count; i++)
        if (clopt_node_names(node, borders->counters[i].trip.counter) &&
            clopt_node_contains(borders->counters[i].loop->body, node))
            return i;
    return MOST_COUNTERS;
}

/* Whether an expression has one value all through the nest, which is there in front of it. */
static bool is_outer(const struct borders *borders, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_VARIABLE &&
        (clopt_node_declares(borders->nest, node->variable) || clopt_node_is_exposed(node, NULL)))
        return false;
    for (size_t i = 0; i < node->child_count; i++)
        if (!is_outer(borders, node->children[i]))
            return false;
    return clopt_loop_is_invariant(borders->nest, node);
}

/* The value of a variable that an iteration declares; NULL: it is none, or it changes. */
static const struct clopt_node *definition_of(const struct borders *borders,
                                              const struct clopt_node *node)
{
    const struct clopt_variable *variable = node->variable;
    bool defined = node->kind == CLOPT_NODE_VARIABLE && variable->declarator &&
                   variable->declarator->condition && !variable->changed &&
                   !variable->is_volatile && variable->bits >= 32 && variable->is_signed &&
                   clopt_node_declares(borders->nest, variable) &&
                   !clopt_node_is_exposed(node, NULL);
    const struct clopt_node *value = defined ? variable->declarator->condition : NULL;
    return value && value->is_signed && value->bits == variable->bits ? value : NULL;
}

/* Whether no part of a condition is left inside. */
static bool is_decided(const struct borders *borders, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_PAREN || clopt_node_is_operator(node, "!"))
        return is_decided(borders, node->children[0]);
    if (clopt_node_is_logical(node))
        return is_decided(borders, node->children[0]) && is_decided(borders, node->children[1]);
    return borders->decided[node->index];
}

/* What ?:, or a call of min, max or clamp, is inside; NULL: that is not decided. */
static const struct clopt_node *decided_value(const struct borders *borders,
                                              const struct clopt_node *node)
{
    const struct clopt_node *condition =
        node->kind == CLOPT_NODE_CONDITIONAL ? node->children[0] : NULL;
    unsigned number = node->kind == CLOPT_NODE_CALL ? borders->decided[node->index] : 0;
    if (condition && conditional_has_one_type(node) && is_decided(borders, condition))
        return node->children[borders->decided[condition->index]];
    return number ? node->children[number - 1] : NULL;
}

static bool read_part(void *user, const struct clopt_node *node, struct clopt_affine *form)
{
    struct borders *borders = user;
    const struct clopt_affine_reader reader = {.read = read_part, .user = user};
    const struct clopt_node *value = definition_of(borders, node);
    unsigned counter = find_counter(borders, node), i = 0;
    if (decided_value(borders, node))
        return clopt_affine_evaluate(&reader, decided_value(borders, node), form);
    *form = clopt_affine_symbol(counter + 1);
    if (counter < MOST_COUNTERS)
        return borders->counted = true;
    if (value && borders->depth < MOST_DEPTH) {
        borders->depth++;
        bool fits = clopt_affine_evaluate(&reader, value, form);
        borders->depth--;
        return fits;
    }
    if (!is_outer(borders, node) || clopt_node_search(node, clopt_node_is_memory, NULL) ||
        clopt_node_find_trap(node))
        return false;
    while (i < borders->symbol_count && !clopt_nodes_equal(borders->symbols[i], node))
        i++;
    if (i == MOST_SYMBOLS)
        return false;
    borders->symbols[i] = node;
    borders->symbol_count += i == borders->symbol_count;
    *form = clopt_affine_symbol(MOST_COUNTERS + 1 + i);
    return true;
}

static bool read(struct borders *borders, const struct clopt_node *node, struct clopt_affine *form)
{
    const struct clopt_affine_reader reader = {.read = read_part, .user = borders};
    return clopt_affine_evaluate(&reader, node, form) && !form->wraps;
}

/* Reads by how much a comparison holds: it does where that is 0 or more. */
static bool read_margin(struct borders *borders, const struct clopt_node *node, bool holds,
                        struct clopt_affine *margin)
{
    struct clopt_affine less;
    const struct clopt_node *a = node->children[0], *b = node->children[1];
    if (node->kind != CLOPT_NODE_BINARY || !strchr("<>", *node->op) || node->op[1] == *node->op ||
        !a->is_signed || !b->is_signed || a->bits < 32 || b->bits < 32)
        return false;
    bool swaps = (*node->op == '>') == holds;
    bool strict = (node->op[1] != '=') == holds;
    const struct clopt_affine one = clopt_affine_constant(1);
    return read(borders, swaps ? a : b, margin) && read(borders, swaps ? b : a, &less) &&
           clopt_affine_add(margin, &less, -1) && (!strict || clopt_affine_add(margin, &one, -1));
}

/* ---- ends of loops ---- */

/* Returns the least or largest value of a counter; what a loop with unknown bounds may have. */
static struct clopt_node *build_end(const struct borders *borders, const struct counter *counter,
                                    const struct clopt_node *at)
{
    const struct clopt_trip *trip = &counter->trip;
    bool first = counter->at_most == (trip->step < 0);
    if (trip->count_known && trip->first_known)
        return clopt_build(borders->source, at, "$l",
                           trip->first_value + (first ? 0 : (trip->count - 1) * trip->step));
    if (first)
        return clopt_build(borders->source, at, "$n", trip->first);
    return clopt_build(borders->source, at, trip->step < 0 ? "$n + $l" : "$n - $l", trip->bound,
                       (int64_t)!trip->inclusive);
}

/* Adds the counters of the loops in a nest whose ends are known in front of it. */
static void add_counters(struct borders *borders, const struct clopt_node *node)
{
    struct counter counter = {.loop = node};
    struct clopt_trip *trip = &counter.trip;
    if (node->kind == CLOPT_NODE_FOR && borders->counter_count < MOST_COUNTERS &&
        clopt_trip_find(node, NULL, trip) && !trip->unequal && trip->counter->is_signed) {
        bool known = trip->count_known && trip->first_known && trip->count > 0;
        if (known ||
            (trip->first && trip->bound && is_outer(borders, trip->first) &&
             is_outer(borders, trip->bound) && trip->first->is_signed && trip->bound->is_signed))
            borders->counters[borders->counter_count++] = counter;
    }
    for (size_t i = 0; i < node->child_count; i++)
        add_counters(borders, node->children[i]);
}

/* Finds the end of each counter at which a margin is least, and leaves it the least one; false
 * where a counter is in it otherwise. */
static bool find_ends(struct borders *borders, struct clopt_affine *margin)
{
    for (unsigned i = 0; i < borders->counter_count; i++) {
        struct counter *counter = &borders->counters[i];
        const struct clopt_affine symbol = clopt_affine_symbol(i + 1);
        struct clopt_affine end;
        int64_t factor = 0;
        if (!clopt_affine_has(margin, i + 1))
            continue;
        if (!clopt_affine_factor(margin, i + 1, &factor))
            return false;
        counter->at_most = factor < 0;
        if (!read(borders, build_end(borders, counter, counter->loop), &end) ||
            !clopt_affine_add(margin, &symbol, -factor) || !clopt_affine_add(margin, &end, factor))
            return false;
    }
    return true;
}

/* Returns what takes the place of a counter, or of what an iteration computes from it. */
static struct clopt_node *form_end(void *user, const struct clopt_node *node)
{
    struct borders *borders = user;
    const struct clopt_node *value = decided_value(borders, node);
    unsigned counter = find_counter(borders, node);
    if (!value)
        value = definition_of(borders, node);
    if (counter < MOST_COUNTERS)
        return build_end(borders, &borders->counters[counter], node);
    return value ? clopt_clone(&borders->ends, value) : NULL;
}

/* ---- conditions ---- */

/* Has a guard asked for in front of the nest, once. */
static void add_guard(struct borders *borders, struct clopt_node *guard)
{
    borders->parts++;
    for (size_t i = 0; i < borders->guards.count; i++)
        if (clopt_nodes_equal(borders->guards.items[i], guard))
            return;
    clopt_nodes_add(borders->source, &borders->guards, guard);
}

/* Decides one part of a condition for work-items inside. */
static bool decide_part(void *user, const struct clopt_node *node, bool holds)
{
    struct borders *borders = user;
    struct clopt_affine margin;
    int64_t least;
    if (!read_margin(borders, node, holds, &margin) || !find_ends(borders, &margin))
        return true;
    borders->decided[node->index] = holds ? 1 : 2;
    if (clopt_affine_is_constant(&margin, &least)) {
        borders->parts++;
        borders->never |= least < 0;
        return true;
    }
    add_guard(borders, clopt_build(borders->source, node, holds ? "$n" : "!$n",
                                   clopt_clone(&borders->ends, node)));
    return true;
}

/* Whether a part of a condition depends on a counter, so that it can be decided. */
static bool is_counted(void *user, const struct clopt_node *node, bool holds)
{
    struct borders *borders = user;
    struct clopt_affine margin;
    borders->counted = false;
    return !(read_margin(borders, node, holds, &margin) && borders->counted &&
             find_ends(borders, &margin)); /* false: it was found */
}

/* The condition of an if or of ?:, of which one side can take the place; NULL: there is none. */
static const struct clopt_node *condition_of(const struct clopt_node *node)
{
    bool chooses = node->kind == CLOPT_NODE_IF ||
                   (node->kind == CLOPT_NODE_CONDITIONAL && conditional_has_one_type(node));
    return chooses ? node->children[0] : NULL;
}

/* What is between a value and a bound: 0 or more where min, max or clamp returns the value. */
struct limit {
    const struct clopt_node *lesser;
    const struct clopt_node *greater;
};

/* Returns the guard that a limit holds in all iterations; NULL: it always does, where `holds`
 * becomes true, or that cannot be asked. */
static struct clopt_node *form_limit(struct borders *borders, const struct limit *limit,
                                     bool *holds)
{
    struct clopt_affine margin, less;
    int64_t least;
    *holds = false;
    if (!read(borders, limit->greater, &margin) || !read(borders, limit->lesser, &less) ||
        !clopt_affine_add(&margin, &less, -1) || !find_ends(borders, &margin))
        return NULL;
    if (clopt_affine_is_constant(&margin, &least)) {
        *holds = least >= 0;
        return NULL;
    }
    struct clopt_node *lesser = clopt_clone(&borders->ends, limit->lesser);
    struct clopt_node *greater = clopt_clone(&borders->ends, limit->greater);
    return is_outer(borders, limit->lesser)
               ? clopt_build(borders->source, limit->lesser, "$n >= $n", greater, lesser)
               : clopt_build(borders->source, limit->lesser, "$n <= $n", lesser, greater);
}

/* Decides that a call of min, max or clamp returns one of its arguments inside, if a counter is in
 * it, and the others are the same for all work-items; false: it does not. */
static bool decide_argument(struct borders *borders, const struct clopt_node *node, unsigned number)
{
    struct clopt_node *const *arguments = node->children;
    const struct clopt_node *value = arguments[number];
    bool clamps = node->child_count == 3, least = clopt_node_calls(node, "min");
    const struct clopt_node *other = arguments[clamps ? 1 : 1 - number];
    const struct limit limits[] = {{least ? value : other, least ? other : value},
                                   {value, arguments[node->child_count - 1]}};
    struct clopt_node *guards[2] = {NULL};
    struct clopt_affine form;
    borders->counted = false;
    if (!read(borders, value, &form) || !borders->counted)
        return false;
    for (size_t i = 0; i < node->child_count; i++)
        if (i != number && clopt_node_diverges(borders->divergence, arguments[i]))
            return false;
    for (int i = 0; i <= clamps; i++) {
        bool holds;
        guards[i] = form_limit(borders, &limits[i], &holds);
        if (!guards[i] && !holds)
            return false;
    }
    borders->decided[node->index] = (unsigned char)(number + 1);
    borders->parts++;
    for (int i = 0; i <= clamps; i++)
        if (guards[i])
            add_guard(borders, guards[i]);
    return true;
}

static void decide_limits(struct borders *borders, const struct clopt_node *node)
{
    bool clamps = clopt_node_calls(node, "clamp") && node->child_count == 3;
    bool limits = clamps || ((clopt_node_calls(node, "min") || clopt_node_calls(node, "max")) &&
                             node->child_count == 2);
    if (!limits || node->callee || node->width != 1)
        return;
    for (size_t i = 0; i < node->child_count; i++)
        if (!node->children[i]->is_signed || node->children[i]->bits < 32)
            return;
    if (!decide_argument(borders, node, 0) && !clamps)
        decide_argument(borders, node, 1);
}

/* Whether a condition says that an iteration is outside: it is left then, or computes nothing from
 * its counter, or more than otherwise. */
static bool is_outside(const struct borders *borders, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_IF)
        return !node->otherwise && clopt_node_leaves(node->body);
    const struct clopt_node *yes = node->children[1], *no = node->children[2];
    while (decided_value(borders, no))
        no = decided_value(borders, no);
    return !is_outer(borders, no) &&
           (is_outer(borders, yes) || clopt_node_count(yes) > clopt_node_count(no));
}

/* Decides what an iteration computes first, then what compares it. */
static void decide(struct borders *borders, const struct clopt_node *node)
{
    const struct clopt_node *condition = condition_of(node);
    for (size_t i = 0; i < node->child_count; i++)
        decide(borders, node->children[i]);
    decide_limits(borders, node);
    bool outside = condition && is_outside(borders, node);
    for (int holds = !outside, i = 0; condition && i < 2; holds = !holds, i++)
        if (!clopt_condition_parts(condition, holds, is_counted, borders)) {
            clopt_condition_parts(condition, holds, decide_part, borders);
            borders->decided[condition->index] = holds ? 1 : 2;
            break;
        }
}

/* Returns what is left of a condition inside; NULL: it is decided. */
static struct clopt_node *form_rest(struct borders *borders, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_PAREN)
        return form_rest(borders, node->children[0]);
    if (clopt_node_is_operator(node, "!")) {
        struct clopt_node *rest = form_rest(borders, node->children[0]);
        return rest ? clopt_build(borders->source, node, "!$n", rest) : NULL;
    }
    if (clopt_node_is_logical(node)) {
        struct clopt_node *left = form_rest(borders, node->children[0]);
        struct clopt_node *right = form_rest(borders, node->children[1]);
        return left && right ? clopt_build(borders->source, node, "$n $s $n", left, node->op, right)
               : left        ? left
                             : right;
    }
    return borders->decided[node->index] ? NULL : clopt_clone(&borders->cloning, node);
}

/* Returns an if or ?: as it is inside. */
static struct clopt_node *form_inside(struct borders *borders, const struct clopt_node *node)
{
    struct clopt_source *source = borders->source;
    const struct clopt_cloning *cloning = &borders->cloning;
    const struct clopt_node *condition = node->children[0];
    bool holds = borders->decided[condition->index] == 1;
    const struct clopt_node *side = node->kind == CLOPT_NODE_IF
                                        ? (holds ? node->body : node->otherwise)
                                        : node->children[holds ? 1 : 2];
    struct clopt_node *rest = form_rest(borders, condition);
    if (!rest)
        return branch_form_side(cloning, node, side);
    if (node->kind == CLOPT_NODE_CONDITIONAL)
        return clopt_build(source, node, "$n ? $n : $n", rest,
                           clopt_clone(cloning, node->children[1]),
                           clopt_clone(cloning, node->children[2]));
    struct clopt_node *body = clopt_clone(cloning, node->body);
    return node->otherwise ? clopt_build(source, node, "if ($n) $n else $n", rest, body,
                                         clopt_clone(cloning, node->otherwise))
                           : clopt_build(source, node, "if ($n) $n", rest, body);
}

/* ---- the kernel ---- */

/* Returns a nest in two versions, or NULL. */
static struct clopt_node *form_nest(struct borders *borders, const struct clopt_node *nest)
{
    struct clopt_source *source = borders->source;
    const struct clopt_cloning general = {.source = source, .plain = true};
    borders->nest = nest;
    borders->counter_count = borders->symbol_count = 0;
    borders->guards.count = borders->parts = 0;
    borders->never = false;
    memset(borders->decided, 0, borders->node_count * sizeof *borders->decided);
    if (!(clopt_node_effects(nest) & (CLOPT_EFFECT_COLLECTIVE | CLOPT_EFFECT_GOTO))) {
        add_counters(borders, nest);
        decide(borders, nest);
    }
    if (!borders->parts || borders->never) {
        borders->nest = NULL;
        return NULL;
    }
    struct clopt_node *inside = clopt_clone(&borders->cloning, nest);
    borders->nest = NULL;
    borders->changed++;
    if (!borders->guards.count)
        return inside;
    inside->plain = true; /* what is before the nest is before both versions */
    struct clopt_node *guard = borders->guards.items[0];
    for (size_t i = 1; i < borders->guards.count; i++)
        guard = clopt_build(source, nest, "$n && $n", guard, borders->guards.items[i]);
    return clopt_build(source, nest, "if ($n) { $n } else { $n }", guard, inside,
                       clopt_clone(&general, nest));
}

/* Returns the new form of a node of the original; NULL: as it is. */
static struct clopt_node *form(void *user, const struct clopt_node *node)
{
    struct borders *borders = user;
    const struct clopt_node *condition = condition_of(node);
    if (borders->nest && node->kind == CLOPT_NODE_CALL && decided_value(borders, node))
        return clopt_clone(&borders->cloning, decided_value(borders, node));
    if (borders->nest)
        return condition && borders->decided[condition->index] ? form_inside(borders, node) : NULL;
    bool marked =
        node->kind == CLOPT_NODE_ATTRIBUTED && node->body && clopt_node_is_loop(node->body);
    return marked || clopt_node_is_loop(node) ? form_nest(borders, node) : NULL;
}

enum clopt_status borders_edit(void *user, struct clopt_source *source, struct clopt_error *error)
{
    (void)user;
    struct clopt_node *body = source->kernel->body;
    struct borders borders = {.source = source, .node_count = source->node_count};
    borders.cloning = (struct clopt_cloning){.source = source, .user = &borders, .node = form};
    borders.ends =
        (struct clopt_cloning){.source = source, .user = &borders, .node = form_end, .plain = true};
    borders.divergence = clopt_divergence_create(
        source, (struct clopt_identity){
                    .dimension = CLOPT_ANY_DIMENSION, .local_id = true, .group_id = true});
    borders.decided = clopt_source_table(source, source->node_count, sizeof *borders.decided);
    clopt_replace(source, body, clopt_clone(&borders.cloning, body));
    return borders.changed
               ? CLOPT_OK
               : clopt_source_refuse(source, body, error,
                                     "borders: no loop of %s compares what it counts with a bound, "
                                     "as in if (x + i >= 0 && x + i < n), or limits it, as in "
                                     "clamp(x + i, 0, n - 1)",
                                     source->kernel->name);
}
