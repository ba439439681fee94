/* SPDX-License-Identifier: BSD-3-Clause */
/* Rewrites what decides whether barriers are reached: all work-items of a group then go the same
 * way, and those that should not are switched off there. */
#include "observers/check/instrument.h"

static bool is_collective(const struct clopt_node *node)
{
    return node && clopt_node_find_effect(node, CLOPT_EFFECT_COLLECTIVE);
}

/* Whether a barrier follows a statement, in its function or in the next iteration of a loop around
 * it. */
static bool precedes_barrier(const struct clopt_node *node)
{
    for (const struct clopt_node *inner = node, *outer = node->parent; outer;
         inner = outer, outer = outer->parent) {
        if (clopt_node_repeats(outer) && is_collective(outer))
            return true;
        for (size_t i = clopt_node_position(inner) + 1; i < outer->child_count; i++)
            if (outer->kind == CLOPT_NODE_COMPOUND && is_collective(outer->children[i]))
                return true;
    }
    return false;
}

/* Whether those that a jump takes away miss a barrier: a break leaves those of what it is in, a
 * continue the rest of an iteration. */
static bool misses_barrier(const struct clopt_node *jump)
{
    return jump->kind == CLOPT_NODE_RETURN ? precedes_barrier(jump)
                                           : is_collective(clopt_node_target(jump));
}

static bool may_differ(const struct clopt_instrumenter *instrumenter,
                       const struct clopt_node *condition)
{
    bool helper = clopt_node_function(condition) != instrumenter->source->kernel->body;
    return helper || clopt_node_diverges(instrumenter->divergence, condition);
}

static bool is_jump(const struct clopt_node *node, const void *user)
{
    (void)user;
    return node->kind == CLOPT_NODE_RETURN || node->kind == CLOPT_NODE_BREAK ||
           node->kind == CLOPT_NODE_CONTINUE;
}

/* Returns the jump with which the body of an if ends, and which a return without a value is, or a
 * break or continue; NULL: it has none, or others or a barrier before it. */
static const struct clopt_node *last_jump(const struct clopt_node *node)
{
    const struct clopt_node *body = node->body, *last = body;
    if (body->kind == CLOPT_NODE_COMPOUND && body->child_count)
        last = body->children[body->child_count - 1];
    if (!is_jump(last, NULL) || (last->kind == CLOPT_NODE_RETURN && last->condition))
        return NULL;
    for (size_t i = 0; last != body && i + 1 < body->child_count; i++)
        if (is_collective(body->children[i]) || clopt_node_search(body->children[i], is_jump, NULL))
            return NULL;
    return last;
}

/* Whether all work-items that are on come to a node together: no if around it, inside of `whole`,
 * differs between them. */
static bool comes_together(const struct clopt_instrumenter *instrumenter,
                           const struct clopt_node *node, const struct clopt_node *whole)
{
    for (const struct clopt_node *outer = node->parent; outer && outer != whole;
         outer = outer->parent)
        if (outer->kind == CLOPT_NODE_IF && may_differ(instrumenter, outer->condition))
            return false;
    return true;
}

/* Returns the jump at the end of an if's body that takes away some work-items before a barrier;
 * NULL: it is none that can be asked for. */
static const struct clopt_node *parting_jump(const struct clopt_instrumenter *instrumenter,
                                             const struct clopt_node *node)
{
    const struct clopt_node *jump = last_jump(node);
    if (!jump || !may_differ(instrumenter, node->condition))
        return NULL;
    const struct clopt_node *target =
        jump->kind == CLOPT_NODE_RETURN ? NULL : clopt_node_target(jump);
    return (misses_barrier(jump) || is_collective(node->otherwise)) &&
                   comes_together(instrumenter, node, target)
               ? jump
               : NULL;
}

struct search {
    const struct clopt_instrumenter *instrumenter;
    const struct clopt_node *target;
    enum clopt_node_kind kind;
};

static bool parts(const struct clopt_node *node, const void *user)
{
    const struct search *search = user;
    if (node->kind != CLOPT_NODE_IF)
        return false;
    const struct clopt_node *jump = parting_jump(search->instrumenter, node);
    return jump && jump->kind == search->kind && clopt_node_target(jump) == search->target;
}

/* Whether a jump of this kind takes some work-items away from the others in a loop or switch. */
static bool loses(const struct clopt_instrumenter *instrumenter, const struct clopt_node *node,
                  enum clopt_node_kind kind)
{
    const struct search search = {instrumenter, node, kind};
    return clopt_node_search(node->body, parts, &search) != NULL;
}

/* ---- variables of work-items that are off ---- */

/* Statements in which work-items are off that are on again after them: their own variables are then
 * as they were when they were turned off. Memory does not change for them anyway. */
struct clopt_region {
    struct clopt_variable *off;
    struct clopt_variable *taken;
    struct clopt_variable *variables[CLOPT_MOST_KEPT];
    struct clopt_variable *kept[CLOPT_MOST_KEPT];
    size_t count;
};

static void keep_variable(struct clopt_instrumenter *instrumenter, const struct clopt_node *at,
                          struct clopt_region *region, struct clopt_variable *variable)
{
    const struct clopt_node *declarator = variable->declarator;
    bool inside = declarator && declarator->begin >= at->begin && declarator->end <= at->end;
    for (size_t i = 0; i < region->count; i++)
        inside |= region->variables[i] == variable;
    if (inside || variable->space != CLOPT_SPACE_PRIVATE || variable->is_array ||
        instrumenter->roots.base_of[variable->index] >= 0 || region->count == CLOPT_MOST_KEPT)
        return;
    region->variables[region->count] = variable;
    region->kept[region->count++] =
        clopt_variable_make(instrumenter->source, variable->type, "", "clopt_kept");
}

/* Finds the variables of a work-item that change in statements. */
static void keep_variables(struct clopt_instrumenter *instrumenter, const struct clopt_node *at,
                           struct clopt_region *region, const struct clopt_node *node)
{
    const struct clopt_node *written = clopt_node_written(node);
    while (written && (written->kind == CLOPT_NODE_SWIZZLE || written->kind == CLOPT_NODE_PAREN))
        written = written->children[0];
    if (written && written->kind == CLOPT_NODE_VARIABLE)
        keep_variable(instrumenter, at, region, written->variable);
    for (size_t i = 0; i < node->child_count; i++)
        keep_variables(instrumenter, at, region, node->children[i]);
}

static struct clopt_region *begin_region(struct clopt_instrumenter *instrumenter,
                                         const struct clopt_node *at)
{
    struct clopt_source *source = instrumenter->source;
    struct clopt_region *region = clopt_source_table(source, 1, sizeof *region);
    keep_variables(instrumenter, at, region, at);
    region->off = clopt_variable_make(source, "const uint", "", "clopt_off");
    region->taken = clopt_variable_make(source, "bool", "", "clopt_taken");
    return region;
}

/* Puts a statement between those that note what is off, and give it back. */
static struct clopt_node *end_region(struct clopt_instrumenter *instrumenter,
                                     const struct clopt_node *at, const struct clopt_region *region,
                                     struct clopt_node *statement)
{
    struct clopt_source *source = instrumenter->source;
    struct clopt_nodes list = {0}, back = {0};
    clopt_nodes_put(source, &list, at, "$V = clopt_c->off;", region->off);
    clopt_nodes_put(source, &list, at, "$V = true;", region->taken);
    for (size_t i = 0; i < region->count; i++) {
        clopt_nodes_put(source, &list, at, "$V = $v;", region->kept[i], region->variables[i]);
        clopt_nodes_put(source, &back, at, "$v = $v;", region->variables[i], region->kept[i]);
    }
    clopt_nodes_add(source, &list, statement);
    if (region->count)
        clopt_nodes_put(source, &list, at, "if (clopt_c->off > $v) { $N }", region->off, &back);
    clopt_nodes_put(source, &list, at, "clopt_c->off = $v;", region->off);
    return clopt_build(source, at, "{ $N }", &list);
}

/* Has a condition asked of all work-items: those that are turned off by it keep their variables as
 * they are then. */
static struct clopt_node *ask(struct clopt_instrumenter *instrumenter,
                              const struct clopt_node *condition, struct clopt_node *value,
                              const char *function, const struct clopt_region *region)
{
    struct clopt_source *source = instrumenter->source;
    unsigned site = clopt_instrumenter_site(instrumenter, condition, 0);
    instrumenter->asks = true;
    if (!region || !region->count)
        return clopt_build(source, condition, "$s(clopt_c, $n, $u)", function, value, site);
    struct clopt_node *keep = NULL;
    for (size_t i = 0; i < region->count; i++)
        keep =
            keep ? clopt_build(source, condition, "($n, $v = $v)", keep, region->kept[i],
                               region->variables[i])
                 : clopt_build(source, condition, "$v = $v", region->kept[i], region->variables[i]);
    return clopt_build(source, condition,
                       "($v = $n, clopt_c->off ? 0 : ($n, 0), $s(clopt_c, $v, $u))", region->taken,
                       value, keep, function, region->taken, site);
}

/* ---- statements ---- */

/* Rewrites `if (condition) { ... return; }`: those for which it holds do the rest of it, and go
 * where all of them go. */
static struct clopt_node *make_parting(struct clopt_instrumenter *instrumenter,
                                       const struct clopt_node *node, const struct clopt_node *jump)
{
    struct clopt_source *source = instrumenter->source;
    const struct clopt_cloning *cloning = &instrumenter->cloning;
    const struct clopt_node *target =
        jump->kind == CLOPT_NODE_RETURN ? NULL : clopt_node_target(jump);
    const struct clopt_region *region = !target ? NULL
                                        : jump->kind == CLOPT_NODE_CONTINUE
                                            ? instrumenter->regions[target->body->index]
                                            : instrumenter->regions[target->index];
    struct clopt_variable *taken = clopt_variable_make(source, "const bool", "", "clopt_taken");
    struct clopt_nodes list = {0}, rest = {0};
    clopt_nodes_put(source, &list, node, "$V = $n;", taken, clopt_clone(cloning, node->condition));
    for (size_t i = 0; jump != node->body && i + 1 < node->body->child_count; i++)
        clopt_nodes_add(source, &rest, clopt_clone(cloning, node->body->children[i]));
    if (rest.count)
        clopt_nodes_put(source, &list, node, "if ($v) { $N }", taken, &rest);
    clopt_nodes_put(source, &list, node, "if ($n) { $n }",
                    ask(instrumenter, node->condition, clopt_build(source, node, "$v", taken),
                        "clopt_leave", region),
                    clopt_clone(cloning, jump));
    if (node->otherwise)
        clopt_nodes_add(source, &list, clopt_clone(cloning, node->otherwise));
    return clopt_build(source, node, "{ $N }", &list);
}

/* Has one side of an if executed by all work-items where one of them goes there. */
static struct clopt_node *make_side(struct clopt_instrumenter *instrumenter,
                                    const struct clopt_node *node, struct clopt_node *value,
                                    const struct clopt_node *side)
{
    struct clopt_source *source = instrumenter->source;
    const struct clopt_region *region = begin_region(instrumenter, node);
    struct clopt_node *condition = ask(instrumenter, node->condition, value, "clopt_enter", region);
    return end_region(instrumenter, node, region,
                      clopt_build(source, node, "if ($n) { $n }", condition,
                                  clopt_clone(&instrumenter->cloning, side)));
}

static struct clopt_node *make_if(struct clopt_instrumenter *instrumenter,
                                  const struct clopt_node *node)
{
    struct clopt_source *source = instrumenter->source;
    const struct clopt_node *jump = parting_jump(instrumenter, node);
    if (jump)
        return make_parting(instrumenter, node, jump);
    if (!may_differ(instrumenter, node->condition) ||
        (!is_collective(node->body) && !is_collective(node->otherwise)) ||
        clopt_node_search(node, is_jump, NULL))
        return NULL;
    struct clopt_variable *taken = clopt_variable_make(source, "const bool", "", "clopt_first");
    struct clopt_nodes list = {0};
    clopt_nodes_put(source, &list, node, "$V = $n;", taken,
                    clopt_clone(&instrumenter->cloning, node->condition));
    clopt_nodes_add(
        source, &list,
        make_side(instrumenter, node, clopt_build(source, node, "$v", taken), node->body));
    if (node->otherwise)
        clopt_nodes_add(source, &list,
                        make_side(instrumenter, node, clopt_build(source, node, "!$v", taken),
                                  node->otherwise));
    return clopt_build(source, node, "{ $N }", &list);
}

/* Clones the body of a loop, some iterations of which some work-items leave before a barrier. */
static struct clopt_node *make_body(struct clopt_instrumenter *instrumenter,
                                    const struct clopt_node *node)
{
    if (!loses(instrumenter, node, CLOPT_NODE_CONTINUE))
        return clopt_clone(&instrumenter->cloning, node->body);
    struct clopt_region *region = begin_region(instrumenter, node->body);
    instrumenter->regions[node->body->index] = region;
    return end_region(instrumenter, node->body, region,
                      clopt_clone(&instrumenter->cloning, node->body));
}

static struct clopt_node *make_loop(struct clopt_instrumenter *instrumenter,
                                    const struct clopt_node *node)
{
    struct clopt_source *source = instrumenter->source;
    const struct clopt_cloning *cloning = &instrumenter->cloning;
    bool differs = node->condition && may_differ(instrumenter, node->condition);
    if (!is_collective(node) || (!differs && !loses(instrumenter, node, CLOPT_NODE_BREAK) &&
                                 !loses(instrumenter, node, CLOPT_NODE_CONTINUE)))
        return NULL;
    struct clopt_region *region = begin_region(instrumenter, node);
    instrumenter->regions[node->index] = region;
    struct clopt_node *init = node->init ? clopt_clone(cloning, node->init) : NULL;
    struct clopt_node *condition = node->condition ? clopt_clone(cloning, node->condition) : NULL;
    if (differs)
        condition = ask(instrumenter, node->condition, condition, "clopt_enter", region);
    struct clopt_node *body = make_body(instrumenter, node);
    struct clopt_node *loop =
        node->kind == CLOPT_NODE_WHILE ? clopt_build(source, node, "while ($n) $n", condition, body)
        : node->kind == CLOPT_NODE_DO
            ? clopt_build(source, node, "do $n while ($n);", body, condition)
            : clopt_build(source, node, "for ($n; $n; $n) $n", init, condition,
                          node->step ? clopt_clone(cloning, node->step) : NULL, body);
    return end_region(instrumenter, node, region, loop);
}

/* ---- which loops are entered ---- */

void clopt_instrumenter_reach(struct clopt_instrumenter *instrumenter,
                              const struct clopt_function *function)
{
    if (instrumenter->reached[function->index])
        return;
    instrumenter->reached[function->index] = true;
    for (const struct clopt_node *at = function->body; at; at = clopt_node_next(at, function->body))
        if (at->callee)
            clopt_instrumenter_reach(instrumenter, at->callee);
}

static bool is_reached(const struct clopt_instrumenter *instrumenter, const struct clopt_node *node)
{
    const struct clopt_source *source = instrumenter->source;
    const struct clopt_node *body = clopt_node_function(node);
    for (size_t i = 0; i < source->function_count; i++)
        if (source->functions[i]->body == body)
            return instrumenter->reached[i];
    return false;
}

struct clopt_node *clopt_instrument_body(struct clopt_instrumenter *instrumenter,
                                         const struct clopt_node *node)
{
    struct clopt_source *source = instrumenter->source;
    const struct clopt_node *loop = node->parent;
    struct clopt_nodes list = {0};
    bool may_miss = loop && (loop->kind == CLOPT_NODE_FOR || loop->kind == CLOPT_NODE_WHILE) &&
                    loop->body == node && loop->condition && !loop->condition->known;
    if (!may_miss || instrumenter->entered[node->index] || !is_reached(instrumenter, node))
        return NULL;
    instrumenter->entered[node->index] = true;
    unsigned number = clopt_instrumenter_site(instrumenter, loop->condition, 0);
    struct clopt_check_site *site = &instrumenter->program->sites[number];
    instrumenter->program->loop_count += !site->loop;
    site->loop = true;
    site->begin = loop->begin;
    site->end = loop->end;
    clopt_nodes_put(source, &list, node, "CLOPT_ENTERED($u)", number);
    clopt_nodes_add(source, &list, clopt_clone(&instrumenter->cloning, node));
    return clopt_build(source, node, "{ $N }", &list);
}

/* ---- all of them ---- */

struct clopt_node *clopt_instrument_control(struct clopt_instrumenter *instrumenter,
                                            const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_IF)
        return make_if(instrumenter, node);
    return clopt_node_repeats(node) ? make_loop(instrumenter, node) : NULL;
}

/* ---- expressions ---- */

struct clopt_node *clopt_instrument_choice(struct clopt_instrumenter *instrumenter,
                                           const struct clopt_node *node)
{
    struct clopt_source *source = instrumenter->source;
    const struct clopt_cloning *cloning = &instrumenter->cloning;
    bool both = clopt_node_is_operator(node, "&&"), either = clopt_node_is_operator(node, "||");
    bool chooses = node->kind == CLOPT_NODE_CONDITIONAL && node->scalar;
    if (!chooses && (node->kind != CLOPT_NODE_BINARY || node->width != 1 || !(both || either)))
        return NULL;
    const struct clopt_node *condition = node->children[0], *first = node->children[1];
    const struct clopt_node *second = chooses ? node->children[2] : NULL;
    if (!may_differ(instrumenter, condition) || (!is_collective(first) && !is_collective(second)))
        return NULL;
    instrumenter->asks = true;
    unsigned site = clopt_instrumenter_site(instrumenter, condition, 0);
    struct clopt_node *value = clopt_clone(cloning, condition), *one = clopt_clone(cloning, first);
    if (chooses)
        return clopt_build(source, node, "CLOPT_CHOOSE($n, $n, $n, $u)", value, one,
                           clopt_clone(cloning, second), site);
    return clopt_build(source, node,
                       both ? "CLOPT_CHOOSE($n, ($n) != 0, 0, $u)"
                            : "CLOPT_CHOOSE(!($n), ($n) != 0, 1, $u)",
                       value, one, site);
}
