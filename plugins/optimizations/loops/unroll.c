/* SPDX-License-Identifier: BSD-3-Clause */
/* Loop unrolling: bodies of loops are replicated, one for each iteration. */
#include "../shared/counted.h"
#include "loops.h"

#define MOST_REPLICAS 65536 /* in a kernel */

struct unrolling {
    struct clopt_rewriting rewriting;
    struct clopt_cloning cloning; /* gives nodes of the original their new form */
    const struct clopt_binding *bindings;
    const struct clopt_node *single; /* the loop whose replica is a loop of one iteration */
    struct clopt_variable *left;     /* notes that this replica leaves all of the loop, or NULL */
    size_t count;                    /* of replicas */
};

static unsigned factor_of(const struct unrolling *unrolling, const struct clopt_node *loop)
{
    return (unsigned)unrolling->rewriting.factors[loop->index];
}

/* Clones a part of a loop, if there is one. */
static struct clopt_node *clone(const struct unrolling *unrolling, const struct clopt_node *node)
{
    return node ? clopt_clone(&unrolling->cloning, node) : NULL;
}

/* ---- replicas of a body ---- */

/* Adds the statements of a body; without braces, unless what it declares needs them. */
static void add_statements(struct unrolling *unrolling, const struct clopt_node *body,
                           struct clopt_nodes *list)
{
    bool declares = false;
    for (size_t i = 0; body->kind == CLOPT_NODE_COMPOUND && i < body->child_count; i++)
        declares |= body->children[i]->kind == CLOPT_NODE_DECLARE;
    if (declares)
        clopt_nodes_add(unrolling->cloning.source, list, clone(unrolling, body));
    else
        clopt_nodes_add_body(&unrolling->cloning, list, body);
}

/* Adds a body as a loop of one iteration, out of which a continue gets, and a break with a note. */
static void add_single(struct unrolling *unrolling, const struct clopt_node *loop,
                       struct clopt_nodes *list)
{
    const struct unrolling outer = *unrolling;
    struct clopt_source *source = unrolling->cloning.source;
    struct clopt_nodes statements = {0};
    unrolling->single = loop;
    unrolling->left = NULL;
    if (clopt_loop_find_jump(loop, CLOPT_NODE_BREAK)) {
        unrolling->left = clopt_variable_make(source, "bool", "", "left");
        clopt_nodes_put(source, list, loop, "$V = false;", unrolling->left);
    }
    add_statements(unrolling, loop->body, &statements);
    clopt_nodes_put(source, list, loop, "do { $N } while (0);", &statements);
    if (unrolling->left)
        clopt_nodes_put(source, list, loop, "if ($v) break;", unrolling->left);
    unrolling->single = outer.single;
    unrolling->left = outer.left;
}

/* Adds a replica of a loop's body; comments are told once, by the first one. */
static void add_body(struct unrolling *unrolling, const struct clopt_node *loop,
                     struct clopt_nodes *list, bool first)
{
    struct clopt_rewriting *rewriting = &unrolling->rewriting;
    bool plain = unrolling->cloning.plain;
    if (++unrolling->count > MOST_REPLICAS && !rewriting->status)
        rewriting->status = clopt_source_refuse(rewriting->source, loop->body, rewriting->error,
                                                "unrolling makes the kernel too long");
    if (rewriting->status)
        return;
    unrolling->cloning.plain |= !first;
    if (clopt_loop_find_jump(loop, CLOPT_NODE_CONTINUE))
        add_single(unrolling, loop, list);
    else
        add_statements(unrolling, loop->body, list);
    unrolling->cloning.plain = plain;
}

/* Adds the replica that sees the counter moved by `value`, or as `value` if that is known. */
static void add_replica(struct unrolling *unrolling, const struct clopt_node *loop,
                        const struct clopt_variable *counter, bool known, int64_t value,
                        struct clopt_nodes *list, bool first)
{
    struct clopt_binding binding = {unrolling->bindings, counter, known, value, value};
    unrolling->bindings = &binding;
    add_body(unrolling, loop, list, first);
    unrolling->bindings = binding.outer;
}

static const char *suffix_of(const struct clopt_variable *variable)
{
    if (variable->bits == 64)
        return variable->is_signed ? "L" : "UL";
    return variable->is_signed ? "" : "u";
}

/* Returns what a replica sees as a counter; NULL: as it is. */
static struct clopt_node *build_bound(const struct unrolling *unrolling,
                                      const struct clopt_node *node)
{
    struct clopt_source *source = unrolling->cloning.source;
    const struct clopt_binding *binding = unrolling->bindings;
    while (binding && binding->variable != node->variable)
        binding = binding->outer;
    if (!binding || (!binding->known && !binding->distance))
        return NULL;
    if (binding->known)
        return clopt_build(source, node, "$l$s", binding->value, suffix_of(binding->variable));
    return clopt_build(source, node, "$v + $l", binding->variable, binding->distance);
}

/* ---- loops whose counter takes known values ---- */

/* Sets a counter that outlives its loop to what it has in an iteration. */
static void add_counter(struct unrolling *unrolling, const struct clopt_node *loop,
                        const struct clopt_iterations *iterations, size_t i,
                        struct clopt_nodes *list)
{
    if (!iterations->declared)
        clopt_nodes_put(unrolling->cloning.source, list, loop, "$v = $l;", iterations->counter,
                        iterations->values[i]);
}

/* Adds iterations one after the other; the counter is set before each that may leave the loop. */
static void add_iterations(struct unrolling *unrolling, const struct clopt_node *loop,
                           const struct clopt_iterations *iterations, bool leaving,
                           struct clopt_nodes *list, bool first)
{
    for (size_t i = 0; i < iterations->count; i++) {
        if (leaving)
            add_counter(unrolling, loop, iterations, i, list);
        add_replica(unrolling, loop, iterations->counter, true, iterations->values[i], list,
                    first && i == 0);
    }
    add_counter(unrolling, loop, iterations, iterations->count, list);
}

/* Returns a loop that ends where the rest begins, and the rest. */
static struct clopt_node *build_with_rest(struct unrolling *unrolling,
                                          const struct clopt_node *loop,
                                          const struct clopt_iterations *rest, const char *op,
                                          struct clopt_node *step, struct clopt_nodes *body)
{
    struct clopt_source *source = unrolling->cloning.source;
    struct clopt_nodes list = {0};
    struct clopt_node *condition =
        rest->count ? clopt_build(source, loop, "$v $s $l", rest->counter, op, rest->values[0])
                    : clone(unrolling, loop->condition);
    clopt_nodes_put(source, &list, loop, "for ($n; $n; $n) { $N }", clone(unrolling, loop->init),
                    condition, step, body);
    if (rest->count)
        add_iterations(unrolling, loop, rest, false, &list, false);
    return clopt_build(source, loop, "$N", &list);
}

/* Adds as many replicas as become one iteration, and returns its step. */
static struct clopt_node *add_moved(struct unrolling *unrolling, const struct clopt_node *loop,
                                    const struct clopt_trip *trip, struct clopt_nodes *list)
{
    int64_t step = trip->step * factor_of(unrolling, loop);
    for (unsigned i = 0; i < factor_of(unrolling, loop); i++)
        add_replica(unrolling, loop, trip->counter, false, i * trip->step, list, i == 0);
    return clopt_build(unrolling->cloning.source, loop, "$v += $l", trip->counter, step);
}

static struct clopt_node *unroll_known(struct unrolling *unrolling, const struct clopt_node *loop,
                                       const struct clopt_trip *trip)
{
    struct clopt_nodes body = {0};
    struct clopt_iterations rest = {.counter = trip->counter, .declared = trip->declared};
    rest.count = (size_t)(trip->count % factor_of(unrolling, loop));
    for (size_t i = 0; i <= rest.count; i++)
        rest.values[i] =
            trip->first_value + (trip->count - (int64_t)rest.count + (int64_t)i) * trip->step;
    struct clopt_node *step = add_moved(unrolling, loop, trip, &body);
    return build_with_rest(unrolling, loop, &rest, trip->step < 0 ? ">" : "<", step, &body);
}

/* Takes the iterations that are not `factor` together. */
static struct clopt_iterations rest_of(const struct clopt_iterations *iterations, unsigned factor)
{
    struct clopt_iterations rest = *iterations;
    rest.count %= factor;
    memmove(rest.values, rest.values + iterations->count - rest.count,
            (rest.count + 1) * sizeof *rest.values);
    return rest;
}

/* Whether the loop can tell by its counter that the rest begins. */
static bool tells_rest(const struct clopt_iterations *iterations, unsigned factor)
{
    size_t whole = iterations->count - iterations->count % factor;
    for (size_t i = 0; i < whole; i += factor)
        if (iterations->values[i] == iterations->values[whole])
            return false;
    return true;
}

/* Unrolls a loop whose values are at distances that differ. */
static struct clopt_node *unroll_stepping(struct unrolling *unrolling,
                                          const struct clopt_node *loop,
                                          const struct clopt_iterations *iterations)
{
    struct clopt_source *source = unrolling->cloning.source;
    struct clopt_iterations rest = rest_of(iterations, factor_of(unrolling, loop));
    struct clopt_nodes body = {0};
    for (unsigned i = 0; i < factor_of(unrolling, loop); i++) {
        if (i)
            clopt_nodes_add(source, &body, clone(unrolling, loop->step));
        add_body(unrolling, loop, &body, i == 0);
    }
    return build_with_rest(unrolling, loop, &rest, "!=", clone(unrolling, loop->step), &body);
}

/* ---- other loops ---- */

/* Unrolls a loop that counts to a bound that is not known. Compilers that can count the iterations
 * would unroll them again, with a rest of their own. */
static struct clopt_node *unroll_unknown(struct unrolling *unrolling, const struct clopt_node *loop,
                                         const struct clopt_trip *trip)
{
    struct clopt_source *source = unrolling->cloning.source;
    bool plain = unrolling->cloning.plain;
    struct clopt_nodes list = {0};
    struct clopt_nodes body = {0};
    struct clopt_node *init = clone(unrolling, loop->init);
    struct clopt_node *condition =
        clopt_trip_condition(&unrolling->cloning, loop, trip, factor_of(unrolling, loop));
    struct clopt_node *step = add_moved(unrolling, loop, trip, &body);
    if (trip->declared)
        clopt_nodes_add(source, &list, init);
    clopt_nodes_put(source, &list, loop, "#pragma unroll 1\nfor ($n; $n; $n) { $N }",
                    trip->declared ? NULL : init, condition, step, &body);
    unrolling->cloning.plain = true;
    clopt_nodes_put(source, &list, loop, "for (; $n; $n) $n", clone(unrolling, loop->condition),
                    clone(unrolling, loop->step), clone(unrolling, loop->body));
    unrolling->cloning.plain = plain;
    return clopt_build(source, loop, trip->declared ? "{ $N }" : "$N", &list);
}

/* How often a loop iterates that begins wherever, as for (i = x - 2; i <= x + 2; i++); 0: it is not
 * known, or it may be left before. Without a sign x - 2 may be the larger one. */
static int64_t count_moved(const struct clopt_node *loop, const struct clopt_trip *trip)
{
    bool apart = trip->first && trip->counter->is_signed && trip->first->is_signed &&
                 trip->bound->is_signed && trip->first->bits <= trip->counter->bits &&
                 trip->bound->bits <= trip->counter->bits;
    int64_t count =
        apart && !clopt_loop_find_jump(loop, CLOPT_NODE_BREAK) ? clopt_trip_count(loop) : 0;
    return count <= CLOPT_MOST_ITERATIONS ? count : 0;
}

static struct clopt_node *unroll_moved(struct unrolling *unrolling, const struct clopt_node *loop,
                                       const struct clopt_trip *trip)
{
    struct clopt_source *source = unrolling->cloning.source;
    int64_t count = count_moved(loop, trip);
    struct clopt_nodes list = {0};
    clopt_nodes_add(source, &list, clone(unrolling, loop->init));
    for (int64_t i = 0; i < count; i++)
        add_replica(unrolling, loop, trip->counter, false, i * trip->step, &list, i == 0);
    if (trip->declared)
        return clopt_build(source, loop, "{ $N }", &list);
    clopt_nodes_put(source, &list, loop, "$v += $l;", trip->counter, count * trip->step);
    return clopt_build(source, loop, "$N", &list);
}

/* Lets each replica but the first one test whether it is to be executed. */
static struct clopt_node *unroll_tested(struct unrolling *unrolling, const struct clopt_node *loop)
{
    struct clopt_source *source = unrolling->cloning.source;
    struct clopt_nodes body = {0};
    for (unsigned i = 0; i < factor_of(unrolling, loop); i++) {
        if (i && loop->step)
            clopt_nodes_add(source, &body, clone(unrolling, loop->step));
        if (i && loop->condition)
            clopt_nodes_put(source, &body, loop, "if (!$n) break;",
                            clone(unrolling, loop->condition));
        add_body(unrolling, loop, &body, i == 0);
    }
    struct clopt_node *condition = clone(unrolling, loop->condition);
    if (loop->kind == CLOPT_NODE_WHILE)
        return clopt_build(source, loop, "while ($n) { $N }", condition, &body);
    if (loop->kind == CLOPT_NODE_DO)
        return clopt_build(source, loop, "do { $N } while ($n);", &body, condition);
    return clopt_build(source, loop, "for ($n; $n; $n) { $N }", clone(unrolling, loop->init),
                       condition, clone(unrolling, loop->step), &body);
}

/* ---- the choice ---- */

/* Refuses a loop that cannot be unrolled. Here and below, what is not known of it is NULL. */
static enum clopt_status check(const struct unrolling *unrolling, const struct clopt_node *loop,
                               const struct clopt_trip *trip,
                               const struct clopt_iterations *iterations, struct clopt_error *error)
{
    const struct clopt_source *source = unrolling->cloning.source;
    const struct clopt_node *jump = clopt_node_find_effect(loop, CLOPT_EFFECT_GOTO);
    bool often = trip && trip->count_known && trip->count > CLOPT_MOST_ITERATIONS;
    bool counts = iterations || (trip && !trip->unequal);
    unsigned factor = factor_of(unrolling, loop);
    if (jump)
        return clopt_source_refuse(source, jump, error,
                                   "goto or an inner case in a loop that is to be unrolled");
    if (!factor && !iterations && !(trip && count_moved(loop, trip)))
        return clopt_source_refuse(
            source, loop, error,
            often ? "the loop has more than 1024 iterations, too many to be unrolled fully"
                  : "the trip count of the loop is not known, so it cannot be unrolled fully");
    if (factor && clopt_node_find_effect(loop, CLOPT_EFFECT_COLLECTIVE) &&
        (!counts || clopt_loop_find_jump(loop, CLOPT_NODE_BREAK)))
        return clopt_source_refuse(source, loop, error,
                                   "barrier in a loop whose iterations cannot be counted");
    return CLOPT_OK;
}

static struct clopt_node *choose(struct unrolling *unrolling, const struct clopt_node *loop,
                                 const struct clopt_trip *trip,
                                 const struct clopt_iterations *iterations)
{
    bool leaving = clopt_loop_find_jump(loop, CLOPT_NODE_BREAK) != NULL;
    unsigned factor = factor_of(unrolling, loop);
    if (!factor && !iterations)
        return unroll_moved(unrolling, loop, trip);
    if (!factor || (iterations && !leaving && iterations->count <= factor)) {
        struct clopt_nodes list = {0};
        add_iterations(unrolling, loop, iterations, leaving, &list, true);
        return clopt_build(unrolling->cloning.source, loop, leaving ? "do { $N } while (0);" : "$N",
                           &list);
    }
    if (trip && trip->count_known && !leaving)
        return unroll_known(unrolling, loop, trip);
    if (iterations && !leaving && tells_rest(iterations, factor))
        return unroll_stepping(unrolling, loop, iterations);
    if (trip && !leaving && !trip->unequal)
        return unroll_unknown(unrolling, loop, trip);
    return unroll_tested(unrolling, loop);
}

/* Returns a loop unrolled; NULL where it stays as it is. */
static struct clopt_node *unroll(struct unrolling *unrolling, const struct clopt_node *loop)
{
    struct clopt_trip found;
    struct clopt_iterations values;
    struct clopt_error error = {0};
    const struct clopt_trip *trip =
        clopt_trip_find(loop, unrolling->bindings, &found) ? &found : NULL;
    const struct clopt_iterations *iterations =
        clopt_iterations_find(loop, unrolling->bindings, &values) ? &values : NULL;
    enum clopt_status status = loops_check_marked(&unrolling->rewriting, loop, &error);
    status = status ? status : check(unrolling, loop, trip, iterations, &error);
    return clopt_rewriting_decide(&unrolling->rewriting, status, &error)
               ? choose(unrolling, loop, trip, iterations)
               : NULL;
}

/* Returns what a node of the original becomes; NULL: it stays as it is. */
static struct clopt_node *change(void *user, const struct clopt_node *node)
{
    struct unrolling *unrolling = user;
    const int *factors = unrolling->rewriting.factors;
    if (unrolling->rewriting.status)
        return NULL;
    if (node->kind == CLOPT_NODE_VARIABLE)
        return build_bound(unrolling, node);
    if (node->kind == CLOPT_NODE_BREAK && unrolling->left &&
        clopt_node_target(node) == unrolling->single)
        return clopt_build(unrolling->cloning.source, node, "{ $v = true; break; }",
                           unrolling->left);
    if (node->kind == CLOPT_NODE_ATTRIBUTED && factors[node->body->index] >= 0)
        node = node->body; /* what the pragma says of it is done */
    return clopt_node_is_loop(node) && factors[node->index] >= 0 ? unroll(unrolling, node) : NULL;
}

enum clopt_status unroll_apply(struct clopt_transform *transform, const char *loops,
                               unsigned factor, struct clopt_error *error)
{
    struct unrolling unrolling = {.count = 0};
    struct clopt_rewriting *rewriting = &unrolling.rewriting;
    if (factor)
        CLOPT_TRY(counted_apply(transform, loops, error));
    if (!clopt_rewriting_init(rewriting, transform, loops, factor, error)) {
        struct clopt_node *body = rewriting->source->kernel->body;
        unrolling.cloning =
            (struct clopt_cloning){rewriting->source, &unrolling, change, NULL, false};
        clopt_replace(rewriting->source, body, clopt_clone(&unrolling.cloning, body));
    }
    return clopt_rewriting_finish(rewriting, transform);
}
