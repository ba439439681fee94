/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints loops with several copies of their body. */
#include "copies.h"

#include <inttypes.h>
#include <string.h>

#define MOST_COPIES 65536 /* in a kernel */

static void put(struct copies *copies, const char *text)
{
    clopt_output_put(copies->rewriting->output, text);
}

static void print(struct copies *copies, const struct clopt_node *node)
{
    clopt_print(&copies->rewriting->printer, copies->rewriting->output, node);
}

static void refuse(struct copies *copies, const struct clopt_node *node, const char *reason)
{
    if (!copies->rewriting->status)
        copies->rewriting->status = clopt_source_refuse(copies->rewriting->source, node,
                                                        copies->rewriting->error, "%s", reason);
}

static unsigned factor_of(const struct copies *copies, const struct clopt_node *loop)
{
    return (unsigned)copies->rewriting->factors[loop->index];
}

/* ---- copies of a body ---- */

static bool declares(const struct clopt_node *body)
{
    for (size_t i = 0; i < body->child_count; i++)
        if (body->children[i]->kind == CLOPT_NODE_DECLARE)
            return true;
    return false;
}

/* Puts the statements of a body, whose braces it needs no more. */
static void put_statements(struct copies *copies, const struct clopt_node *body, bool first)
{
    size_t at = body->begin + 1;
    for (size_t i = 0; i < body->child_count; i++) {
        /* Comments are told once. */
        if (first)
            clopt_output_copy(copies->rewriting->output, copies->rewriting->source, at,
                              body->children[i]->begin);
        print(copies, body->children[i]);
        put(copies, first ? "" : "\n");
        at = body->children[i]->stop;
    }
    if (first)
        put(copies, "\n");
}

static void put_plain_body(struct copies *copies, const struct clopt_node *body, bool first)
{
    if (body->kind == CLOPT_NODE_COMPOUND && !declares(body)) {
        put_statements(copies, body, first);
        return;
    }
    print(copies, body);
    put(copies, "\n");
}

/* Puts a body as a loop of one turn, out of which a continue gets, and a break with a note. */
static void put_turning_body(struct copies *copies, const struct clopt_node *loop, bool first)
{
    const struct copies outer = *copies;
    bool leaves = clopt_loop_find_jump(loop, CLOPT_NODE_BREAK) != NULL;
    const char *left =
        leaves ? clopt_source_fresh(copies->rewriting->source, "left", (unsigned)copies->count)
               : NULL;
    if (leaves && !left)
        copies->rewriting->status = clopt_fail_memory(copies->rewriting->error);
    copies->turning = loop;
    copies->left = left;
    if (left)
        clopt_output_printf(copies->rewriting->output, "bool %s = false;\n", left);
    put(copies, "do {\n");
    put_plain_body(copies, loop->body, first);
    put(copies, "} while (0);\n");
    if (left)
        clopt_output_printf(copies->rewriting->output, "if (%s)\nbreak;\n", left);
    copies->turning = outer.turning;
    copies->left = outer.left;
}

static void put_body(struct copies *copies, const struct clopt_node *loop, bool first)
{
    if (++copies->count > MOST_COPIES)
        refuse(copies, loop->body, "unrolling makes the kernel too long");
    if (copies->rewriting->status)
        return;
    if (clopt_loop_find_jump(loop, CLOPT_NODE_CONTINUE))
        put_turning_body(copies, loop, first);
    else
        put_plain_body(copies, loop->body, first);
}

/* Puts the copy that sees the counter moved by `distance`, or as `value` if that is known. */
static void put_copy(struct copies *copies, const struct clopt_node *loop,
                     const struct clopt_variable *counter, bool known, int64_t value, bool first)
{
    struct clopt_binding binding = {copies->bindings, counter, known, known ? value : 0,
                                    known ? 0 : value};
    copies->bindings = &binding;
    put_body(copies, loop, first);
    copies->bindings = binding.outer;
}

static const char *suffix_of(const struct clopt_variable *variable)
{
    if (variable->bits == 64)
        return variable->is_signed ? "L" : "UL";
    return variable->is_signed ? "" : "u";
}

/* Whether a sum may stand there without parentheses. */
static bool stands_free(const struct clopt_node *node)
{
    const struct clopt_node *parent = node->parent;
    return parent && ((parent->kind == CLOPT_NODE_SUBSCRIPT && parent->children[1] == node) ||
                      (parent->kind == CLOPT_NODE_ASSIGN && parent->children[1] == node) ||
                      parent->kind == CLOPT_NODE_PAREN || parent->kind == CLOPT_NODE_CALL);
}

static void put_bound_variable(struct copies *copies, const struct clopt_binding *binding,
                               const struct clopt_node *node)
{
    bool free = stands_free(node);
    if (binding->known && binding->value < 0)
        clopt_output_printf(copies->rewriting->output, "(%" PRId64 "%s)", binding->value,
                            suffix_of(binding->variable));
    else if (binding->known)
        clopt_output_printf(copies->rewriting->output, "%" PRId64 "%s", binding->value,
                            suffix_of(binding->variable));
    else if (binding->distance)
        clopt_output_printf(copies->rewriting->output, "%s%s %c %" PRId64 "%s", free ? "" : "(",
                            binding->variable->name, binding->distance < 0 ? '-' : '+',
                            binding->distance < 0 ? -binding->distance : binding->distance,
                            free ? "" : ")");
    else
        put(copies, binding->variable->name);
}

/* ---- loops that count ---- */

/* Sets a counter that outlives its loop to what it has in an iteration. */
static void put_counter(struct copies *copies, const struct clopt_iterations *iterations, size_t i)
{
    if (!iterations->declared)
        clopt_output_printf(copies->rewriting->output, "%s = %" PRId64 ";",
                            iterations->counter->name, iterations->values[i]);
}

/* Puts iterations one after the other. */
static void put_iterations(struct copies *copies, const struct clopt_node *loop,
                           const struct clopt_iterations *iterations, bool first)
{
    for (size_t i = 0; i < iterations->count; i++)
        put_copy(copies, loop, iterations->counter, true, iterations->values[i], first && i == 0);
    put_counter(copies, iterations, iterations->count);
}

static void put_full(struct copies *copies, const struct clopt_node *loop,
                     const struct clopt_iterations *iterations)
{
    bool braces = clopt_rewriting_needs_braces(loop);
    put(copies, braces ? "{\n" : "");
    put_iterations(copies, loop, iterations, true);
    put(copies, braces ? "\n}" : "");
}

/* Puts all iterations of a loop that a break may leave: into a loop of one iteration. */
static void put_full_leaving(struct copies *copies, const struct clopt_node *loop,
                             const struct clopt_iterations *iterations)
{
    put(copies, "do {\n");
    for (size_t i = 0; i < iterations->count; i++) {
        put_counter(copies, iterations, i);
        put(copies, iterations->declared || !i ? "" : "\n");
        put_copy(copies, loop, iterations->counter, true, iterations->values[i], i == 0);
    }
    put_counter(copies, iterations, iterations->count);
    put(copies, "\n} while (0);");
}

static void put_turns(struct copies *copies, const struct clopt_node *loop,
                      const struct clopt_trip *trip)
{
    int64_t step = trip->step < 0 ? -trip->step : trip->step;
    clopt_output_printf(copies->rewriting->output, "; %s %c= %" PRId64 ") {\n", trip->counter->name,
                        trip->step < 0 ? '-' : '+', step * factor_of(copies, loop));
    for (unsigned i = 0; i < factor_of(copies, loop); i++)
        put_copy(copies, loop, trip->counter, false, i * trip->step, i == 0);
    put(copies, "}");
}

/* Puts the head of a loop up to its condition, which ends it where the rest begins. */
static void put_known_head(struct copies *copies, const struct clopt_node *loop,
                           const struct clopt_iterations *rest, const char *operator)
{
    put(copies, "for (");
    print(copies, loop->init);
    put(copies, rest->declared ? " " : "; ");
    if (rest->count)
        clopt_output_printf(copies->rewriting->output, "%s %s %" PRId64,
                            rest->counter->name, operator, rest->values[0]);
    else
        print(copies, loop->condition);
}

static void put_known(struct copies *copies, const struct clopt_node *loop,
                      const struct clopt_trip *trip)
{
    struct clopt_iterations rest = {.counter = trip->counter, .declared = trip->declared};
    rest.count = (size_t)(trip->count % factor_of(copies, loop));
    for (size_t i = 0; i <= rest.count; i++)
        rest.values[i] =
            trip->first_value + (trip->count - (int64_t)rest.count + (int64_t)i) * trip->step;
    bool braces = rest.count && clopt_rewriting_needs_braces(loop);
    put(copies, braces ? "{\n" : "");
    put_known_head(copies, loop, &rest, trip->step < 0 ? ">" : "<");
    put_turns(copies, loop, trip);
    put(copies, rest.count ? "\n" : "");
    if (rest.count)
        put_iterations(copies, loop, &rest, false);
    put(copies, braces ? "\n}" : "");
}

static void put_unknown(struct copies *copies, const struct clopt_node *loop,
                        const struct clopt_trip *trip)
{
    bool braces = trip->declared || clopt_rewriting_needs_braces(loop);
    put(copies, braces ? "{\n" : "");
    if (trip->declared) {
        print(copies, loop->init);
        put(copies, "\n");
    }
    /* Compilers that can count these turns would unroll them again, with a rest of their own. */
    clopt_output_begin_line(copies->rewriting->output);
    put(copies, "#pragma unroll 1\nfor (");
    if (!trip->declared && loop->init)
        print(copies, loop->init);
    put(copies, "; ");
    clopt_trip_put_condition(&copies->rewriting->printer, copies->rewriting->output, loop, trip,
                             factor_of(copies, loop));
    put_turns(copies, loop, trip);
    put(copies, "\nfor (; ");
    print(copies, loop->condition);
    put(copies, "; ");
    print(copies, loop->step);
    put(copies, ") ");
    print(copies, loop->body);
    put(copies, braces ? "\n}" : "");
}

/* ---- loops whose counter takes known values, at distances that differ ---- */

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

static void put_stepping(struct copies *copies, const struct clopt_node *loop,
                         const struct clopt_iterations *iterations)
{
    struct clopt_iterations rest = rest_of(iterations, factor_of(copies, loop));
    bool braces = rest.count && clopt_rewriting_needs_braces(loop);
    put(copies, braces ? "{\n" : "");
    put_known_head(copies, loop, &rest, "!=");
    put(copies, "; ");
    print(copies, loop->step);
    put(copies, ") {\n");
    for (unsigned i = 0; i < factor_of(copies, loop); i++) {
        if (i) {
            print(copies, loop->step);
            put(copies, ";\n");
        }
        put_body(copies, loop, i == 0);
    }
    put(copies, rest.count ? "}\n" : "}");
    if (rest.count)
        put_iterations(copies, loop, &rest, false);
    put(copies, braces ? "\n}" : "");
}

/* ---- other loops: each copy tests whether it is to run ---- */

static void put_test(struct copies *copies, const struct clopt_node *loop)
{
    if (loop->step) {
        print(copies, loop->step);
        put(copies, ";\n");
    }
    if (!loop->condition)
        return;
    put(copies, "if (!(");
    print(copies, loop->condition);
    put(copies, "))\nbreak;\n");
}

static void put_tested(struct copies *copies, const struct clopt_node *loop)
{
    if (loop->kind == CLOPT_NODE_FOR) {
        bool declared = loop->init && loop->init->kind == CLOPT_NODE_DECLARE;
        put(copies, "for (");
        if (loop->init)
            print(copies, loop->init);
        put(copies, declared ? " " : "; ");
        if (loop->condition)
            print(copies, loop->condition);
        put(copies, "; ");
        if (loop->step)
            print(copies, loop->step);
        put(copies, ") {\n");
    } else if (loop->kind == CLOPT_NODE_WHILE) {
        put(copies, "while (");
        print(copies, loop->condition);
        put(copies, ") {\n");
    } else {
        put(copies, "do {\n");
    }
    for (unsigned i = 0; i < factor_of(copies, loop); i++) {
        if (i)
            put_test(copies, loop);
        put_body(copies, loop, i == 0);
    }
    put(copies, "}");
    if (loop->kind == CLOPT_NODE_DO) {
        put(copies, " while (");
        print(copies, loop->condition);
        put(copies, ");");
    }
}

/* ---- the choice ---- */

/* Says why a loop cannot be unrolled; NULL where it can. *node is what to blame. */
static const char *find_obstacle(const struct copies *copies, const struct clopt_node *loop,
                                 const struct clopt_trip *trip, bool counts, bool known,
                                 const struct clopt_node **node)
{
    bool leaving = clopt_loop_find_jump(loop, CLOPT_NODE_BREAK) != NULL;
    bool often = counts && trip->count_known && trip->count > CLOPT_MOST_ITERATIONS;
    *node = loop;
    if (clopt_node_effects(loop) & CLOPT_EFFECT_GOTO) {
        *node = clopt_node_find_goto(loop);
        return "goto in a loop that is to be unrolled";
    }
    if (!factor_of(copies, loop) && !known)
        return often ? "the loop turns more than 1024 times, too often to be unrolled fully"
                     : "how often the loop turns is not known, so it cannot be unrolled fully";
    if (factor_of(copies, loop) && clopt_node_find_collective(loop) &&
        (leaving || !(known || (counts && clopt_trip_is_comparable(trip)))))
        return "barrier in a loop whose turns cannot be counted";
    return NULL;
}

static void put_unrolled(struct copies *copies, const struct clopt_node *loop,
                         const struct clopt_trip *trip, bool counts,
                         const struct clopt_iterations *iterations)
{
    bool leaving = clopt_loop_find_jump(loop, CLOPT_NODE_BREAK) != NULL;
    unsigned factor = factor_of(copies, loop);
    if (!factor && leaving)
        put_full_leaving(copies, loop, iterations);
    else if (!factor || (iterations && !leaving && iterations->count <= factor))
        put_full(copies, loop, iterations);
    else if (counts && trip->count_known && !leaving)
        put_known(copies, loop, trip);
    else if (iterations && !leaving && tells_rest(iterations, factor))
        put_stepping(copies, loop, iterations);
    else if (counts && !leaving && clopt_trip_is_comparable(trip))
        put_unknown(copies, loop, trip);
    else
        put_tested(copies, loop);
}

/* Puts a loop unrolled; false where it stays as it is. */
static bool put_loop(struct copies *copies, const struct clopt_node *loop)
{
    struct clopt_trip trip;
    struct clopt_iterations iterations;
    const struct clopt_node *node;
    struct clopt_error error = {0};
    enum clopt_status status = CLOPT_OK;
    bool counts = clopt_trip_find(loop, copies->bindings, &trip);
    bool known = clopt_iterations_find(loop, copies->bindings, &iterations);
    const char *obstacle = find_obstacle(copies, loop, &trip, counts, known, &node);
    if (obstacle)
        status = clopt_source_refuse(copies->rewriting->source, node, &error, "%s", obstacle);
    if (!clopt_rewriting_decide(copies->rewriting, status, &error))
        return false;
    put_unrolled(copies, loop, &trip, counts, known ? &iterations : NULL);
    return true;
}

static bool replace(void *user, struct clopt_output *output, const struct clopt_node *node)
{
    struct copies *copies = user;
    if (copies->rewriting->status)
        return true;
    if (node->kind == CLOPT_NODE_VARIABLE) {
        const struct clopt_binding *binding = copies->bindings;
        while (binding && binding->variable != node->variable)
            binding = binding->outer;
        if (!binding)
            return false;
        put_bound_variable(copies, binding, node);
        return true;
    }
    if (node->kind == CLOPT_NODE_BREAK && copies->left &&
        clopt_node_target(node) == copies->turning) {
        clopt_output_printf(output, "{\n%s = true;\nbreak;\n}", copies->left);
        return true;
    }
    if (node->kind == CLOPT_NODE_ATTRIBUTED && copies->rewriting->factors[node->body->index] >= 0)
        node = node->body; /* what the pragma says of it is done */
    if (!clopt_node_is_loop(node) || copies->rewriting->factors[node->index] < 0)
        return false;
    return put_loop(copies, node);
}

void copies_init(struct copies *copies, struct clopt_rewriting *rewriting)
{
    *copies = (struct copies){.rewriting = rewriting};
    rewriting->printer.user = copies;
    rewriting->printer.replace = replace;
}
