/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides the iterations of loops among neighbouring work-items, `parts` for each that there was.
 *
 *     for (int k = 0; k < n; k++)  ->  sum = part ? 0 : sum;
 *         sum += a[k];                 for (int k = part; k < n; k += 32)
 *                                          sum += a[k];
 *                                      sums[get_local_id(0)] = sum;
 *                                      for (int step = 16; step > 0; step /= 2) {
 *                                          barrier(CLK_LOCAL_MEM_FENCE);
 *                                          if (part < step)
 *                                              sums[get_local_id(0)] += sums[...(0) + step];
 *                                      }
 *                                      barrier(CLK_LOCAL_MEM_FENCE);
 *                                      sum = sums[get_local_id(0) - part];
 *
 * Where iterations read what is accumulated by then, parts take as many of them at once as they
 * are (divide_scan.c). All else the parts do alike, but that one of them alone writes to memory.
 * The local size stays, so that there are `parts` times as many work-groups. Parts that are spread
 * are local size / parts work-items from each other: who was a neighbour stays one, as sums of
 * columns need it. */
#include "divide.h"

#include <math.h>

#include "../shared/counted.h"

/* ---- edits ---- */

static void divide_identities(const struct dividing *dividing, struct clopt_node *node)
{
    if (dividing->shared && divided_share_identity(dividing, node))
        return;
    for (size_t i = 0; i < node->child_count; i++)
        divide_identities(dividing, node->children[i]);
    if (!divided_asks(node, NULL))
        return;
    if (dividing->unit > 1 && clopt_node_calls(node, "get_global_id"))
        clopt_replace_by(dividing->source, node,
                         "($n - get_local_id(0)) / $u + get_local_id(0) % $u", node,
                         dividing->parts, dividing->unit);
    else
        clopt_replace_by(dividing->source, node, "$n / $u", node,
                         dividing->parts * (dividing->shared ? dividing->groups : 1));
}

/* Returns which of those that share a loop a work-item is. */
static struct clopt_node *find_turn(const struct dividing *dividing, const struct clopt_node *loop)
{
    struct clopt_source *source = dividing->source;
    return loop != dividing->shared ? clopt_build(source, loop, "$v", dividing->part)
           : dividing->parts == 1   ? clopt_build(source, loop, "$v", dividing->share)
                                    : clopt_build(source, loop, "($v * $u + $v)", dividing->share,
                                                  dividing->parts, dividing->part);
}

/* Lets a loop take every `parts`th iteration. */
static void deal_out(const struct dividing *dividing, struct clopt_node *loop)
{
    struct clopt_source *source = dividing->source;
    struct clopt_trip trip;
    clopt_trip_find(loop, NULL, &trip);
    int64_t step = trip.step * dividing->parts * (loop == dividing->shared ? dividing->groups : 1);
    struct clopt_node *turn = find_turn(dividing, loop);
    struct clopt_node *first =
        trip.first_known && !trip.first_value
            ? clopt_build(source, loop, "$l * $n", trip.step, turn)
            : clopt_build(source, loop, "$n + $l * $n", trip.first, trip.step, turn);
    if (!divided_is_wide(dividing, &trip)) {
        clopt_replace_by(source, loop->step, "$v += $l", trip.counter, step);
        clopt_replace(source, (struct clopt_node *)trip.first, first);
        return;
    }
    struct clopt_variable *wide =
        clopt_variable_make(source, "long", "", "%s0", trip.counter->name);
    struct clopt_node *counter =
        clopt_build(source, loop->body, trip.declared ? "$V = ($t)$v;" : "$v = ($t)$v;",
                    trip.counter, clopt_scalar_name(trip.counter->scalar), wide);
    clopt_replace_by(source, loop->condition, "$v $s$s $n", wide, trip.step < 0 ? ">" : "<",
                     trip.inclusive ? "=" : "", trip.bound);
    clopt_replace_by(source, loop->step, "$v += $l", wide, step);
    if (trip.first_known && loop == dividing->shared)
        clopt_replace_by(source, loop->init, "$V = $n + $l * (long)$n;", wide, trip.first,
                         trip.step, turn);
    else
        clopt_replace_by(source, loop->init,
                         loop == dividing->shared ? "$V = (long)($t)$n + $l * (long)$n;"
                                                  : "$V = (long)($t)$n + $l * $n;",
                         wide, clopt_scalar_name(trip.counter->scalar), trip.first, trip.step,
                         turn);
    if (loop->body->kind == CLOPT_NODE_COMPOUND)
        clopt_prepend(source, loop->body, counter);
    else
        clopt_insert_before(source, loop->body, counter);
}

struct clopt_node *divided_row(const struct dividing *dividing, struct clopt_node *array)
{
    for (unsigned d = 3; d-- > 1;)
        if (dividing->local[d] > 1)
            array = clopt_build(dividing->source, NULL, "$n[get_local_id($u)]", array, d);
    return array;
}

/* Returns what a work-item names of an array with an element for each one: its own, or that of a
 * part so far away. */
static struct clopt_node *element(const struct dividing *dividing,
                                  const struct clopt_variable *array, const char *sign,
                                  const struct clopt_variable *distance)
{
    struct clopt_source *source = dividing->source;
    struct clopt_node *lvalue = divided_row(dividing, clopt_build(source, NULL, "$v", array));
    return distance ? clopt_build(source, NULL, "$n[(int)get_local_id(0) $s $v * $u]", lvalue, sign,
                                  distance, dividing->unit)
                    : clopt_build(source, NULL, "$n[get_local_id(0)]", lvalue);
}

struct clopt_variable *divided_array(struct dividing *dividing,
                                     const struct clopt_variable *variable, const char *first,
                                     const char *ending)
{
    char type[64], dimensions[96];
    snprintf(dimensions, sizeof dimensions, "%s", first);
    struct clopt_source *source = dividing->source;
    snprintf(type, sizeof type, "__local %s", clopt_scalar_name(variable->scalar));
    if (variable->width > 1)
        snprintf(type + strlen(type), sizeof type - strlen(type), "%u", variable->width);
    for (unsigned d = 3; d-- > 0;)
        if (!d || dividing->local[d] > 1)
            snprintf(dimensions + strlen(dimensions), sizeof dimensions - strlen(dimensions),
                     "[%zu]", dividing->local[d]);
    struct clopt_variable *array =
        clopt_variable_make(source, type, dimensions, "%s%s", variable->name, ending);
    clopt_nodes_put(source, &dividing->declarations, NULL, "$V;", array);
    return array;
}

/* What unites the results of a loop, for one after the other. */
struct union_parts {
    struct clopt_variable *step;
    struct clopt_nodes before; /* the loop: what each part's result starts with */
    struct clopt_nodes stores;
    struct clopt_nodes steps;
    struct clopt_nodes loads;
};

/* Whether declarations right before a loop are where a variable gets that value. */
static bool starts_with(const struct clopt_source *source, const struct clopt_node *loop,
                        const struct clopt_variable *variable, int value)
{
    const struct clopt_node *list = loop->parent;
    size_t i = list->kind == CLOPT_NODE_COMPOUND ? clopt_node_position(loop) : 0;
    while (i-- > 0 && list->children[i]->kind == CLOPT_NODE_DECLARE)
        for (size_t d = 0; d < list->children[i]->child_count; d++) {
            const struct clopt_node *declarator = list->children[i]->children[d];
            const struct clopt_node *initial = declarator->condition;
            double number = NAN;
            if (initial && !clopt_node_number(source, initial, &number))
                return false; /* it may change the variable */
            if (declarator->variable == variable)
                return number == value;
        }
    return false;
}

static void unite(struct dividing *dividing, struct clopt_variable *variable, const char *op,
                  const struct clopt_node *loop, const struct clopt_node *place,
                  struct union_parts *parts)
{
    struct clopt_source *source = dividing->source;
    if (!clopt_operator_is_call(op) &&
        !starts_with(source, place, variable, clopt_operator_start(op)))
        clopt_nodes_put(source, &parts->before, loop, "if ($n) $v = $d;", find_turn(dividing, loop),
                        variable, clopt_operator_start(op));
    if (dividing->parts == 1)
        return;
    struct clopt_variable *array = divided_array(dividing, variable, "", "s");
    struct clopt_node *own = element(dividing, array, "", NULL);
    struct clopt_node *other = element(dividing, array, "+", parts->step);
    clopt_nodes_put(source, &parts->stores, loop, "$n = $v;", element(dividing, array, "", NULL),
                    variable);
    if (clopt_operator_is_call(op))
        other =
            clopt_build(source, loop, "$s($n, $n)", op, element(dividing, array, "", NULL), other);
    clopt_nodes_put(source, &parts->steps, loop, "$n $s= $n;", own,
                    clopt_operator_is_call(op) ? "" : op, other);
    clopt_nodes_put(source, &parts->loads, loop, "$v = $n;", variable,
                    element(dividing, array, "-", dividing->part));
}

/* The same of an extremum: of equal numbers the first is taken. */
static void unite_extremum(struct dividing *dividing, const struct extremum *extremum,
                           const struct clopt_node *loop, struct union_parts *parts)
{
    struct clopt_source *source = dividing->source;
    struct clopt_variable *const variables[] = {extremum->best, extremum->index};
    struct clopt_node *own[2], *other[2];
    struct clopt_nodes taken = {0};
    for (size_t i = 0; i < (extremum->index ? 2 : 1); i++) {
        struct clopt_variable *array = divided_array(dividing, variables[i], "", "s");
        own[i] = element(dividing, array, "", NULL);
        other[i] = element(dividing, array, "+", parts->step);
        clopt_nodes_put(source, &taken, loop, "$n = $n;", own[i], other[i]);
        clopt_nodes_put(source, &parts->stores, loop, "$n = $v;", own[i], variables[i]);
        clopt_nodes_put(source, &parts->loads, loop, "$v = $n;", variables[i],
                        element(dividing, array, "-", dividing->part));
    }
    if (extremum->index)
        clopt_nodes_put(source, &parts->steps, loop,
                        "if ($n $s $n || ($n == $n && $n $s $n)) { $N }", other[0],
                        extremum->better, own[0], other[0], own[0], other[1], extremum->earlier,
                        own[1], &taken);
    else
        clopt_nodes_put(source, &parts->steps, loop, "if ($n $s $n) { $N }", other[0],
                        extremum->better, own[0], &taken);
}

/* Whether a loop is inside another one. */
static bool is_inside(const struct clopt_node *loop)
{
    const struct clopt_node *outer = loop->parent;
    while (outer && !clopt_node_is_loop(outer))
        outer = outer->parent;
    return outer;
}

/* Adds what comes after a loop: a tree of the results; `again`: one comes before it. */
static void add_union(struct dividing *dividing, const struct clopt_node *loop,
                      const struct union_parts *parts, bool again, struct clopt_nodes *list)
{
    struct clopt_source *source = dividing->source;
    const struct clopt_cloning plain = {.source = source, .plain = true};
    if (again || is_inside(loop)) /* others may still read the last results */
        clopt_nodes_add(source, list, divided_barrier(dividing));
    for (size_t i = 0; i < parts->stores.count; i++)
        clopt_nodes_add(source, list, clopt_clone(&plain, parts->stores.items[i]));
    clopt_nodes_put(source, list, loop, "for ($V = $u; $v > 0; $v /= 2) { $n if ($v < $v) { $N } }",
                    parts->step, dividing->parts / 2, parts->step, parts->step,
                    divided_barrier(dividing), dividing->part, parts->step, &parts->steps);
    clopt_nodes_add(source, list, divided_barrier(dividing));
    for (size_t i = 0; i < parts->loads.count; i++)
        clopt_nodes_add(source, list, clopt_clone(&plain, parts->loads.items[i]));
}

static void divide(struct dividing *dividing, size_t index)
{
    struct clopt_source *source = dividing->source;
    struct clopt_node *loop = dividing->loops.items[index], *place = dividing->places[index];
    struct union_parts parts = {0};
    struct clopt_nodes after = {0};
    bool has_results = divided_has_results(dividing, index), grouped = dividing->parts > 1;
    if (has_results)
        parts.step = clopt_variable_make(source, "int", "", "step");
    for (size_t i = 0; i < dividing->variables && has_results; i++) {
        const char *op = dividing->operators[index * dividing->variables + i];
        if (op)
            unite(dividing, source->variables[i], op, loop, place, &parts);
    }
    for (size_t i = 0; grouped && i < dividing->extrema[index].count; i++)
        unite_extremum(dividing, &dividing->extrema[index].items[i], loop, &parts);
    if (has_results && grouped)
        add_union(dividing, place, &parts, false, &after);
    if (loop == dividing->shared) {
        divided_share(dividing, index, &after);
        if (grouped)
            add_union(dividing, place, &parts, true, &after);
        divided_leave(dividing, place, &after);
    }
    for (size_t i = 0; i < parts.before.count; i++)
        clopt_insert_before(source, place, parts.before.items[i]);
    while (after.count)
        clopt_insert_after(source, place, after.items[--after.count]);
    if (dividing->scans[index].count)
        divided_scan(dividing, loop, &dividing->scans[index]);
    else
        deal_out(dividing, loop);
}

/* Lets one part alone do what writes to memory. */
static void guard_writes(const struct dividing *dividing, struct clopt_node *node)
{
    bool statement = clopt_node_is_expression(node);
    if (node->kind == CLOPT_NODE_DECLARE || divided_loop_of(dividing, node))
        return;
    for (size_t i = 0; !statement && i < node->child_count; i++)
        guard_writes(dividing, node->children[i]);
    if (statement && !node->made && clopt_node_is_statement(node) &&
        (clopt_node_effects(node) & CLOPT_EFFECT_MEMORY_WRITE))
        clopt_replace_by(dividing->source, node, "if (!$v) $n;", dividing->part, node);
}

/* ---- the whole ---- */

static bool is_used_besides(const struct clopt_node *outer, const struct clopt_node *loop,
                            const struct clopt_variable *variable)
{
    return loop_count_uses(outer, variable) > loop_count_uses(loop, variable);
}

/* Whether only what a loop holds uses its results in another one around it. */
static bool is_whole(const struct dividing *dividing, size_t index, const struct clopt_node *outer)
{
    const struct clopt_node *loop = dividing->loops.items[index];
    for (size_t i = 0; i < dividing->extrema[index].count; i++)
        if (dividing->extrema[index].items[i].index ||
            is_used_besides(outer, loop, dividing->extrema[index].items[i].best))
            return false;
    for (size_t i = 0; i < dividing->variables; i++)
        if (dividing->operators[index * dividing->variables + i] &&
            is_used_besides(outer, loop, dividing->source->variables[i]))
            return false;
    return true;
}

/* Finds after what the results of a loop are united: the outermost loop that only accumulates them.
 */
static struct clopt_node *find_place(const struct dividing *dividing, size_t index)
{
    struct clopt_node *place = dividing->loops.items[index];
    bool has_results = divided_has_results(dividing, index) && !dividing->scans[index].count;
    for (struct clopt_node *outer = place->parent; outer && has_results; outer = outer->parent)
        if (clopt_node_is_loop(outer)) {
            if (!is_whole(dividing, index, outer) ||
                !clopt_returns_meet(&dividing->returns, dividing->divergence, outer))
                break;
            place = outer;
        }
    return place;
}

/* Takes in a loop; the first one is what work-groups share, where they are to. */
static enum clopt_status take_loop(struct dividing *dividing, struct clopt_node *loop,
                                   const struct clopt_ndrange *ndrange, struct clopt_error *reason)
{
    size_t index = dividing->loops.count;
    CLOPT_TRY(divided_check_loop(dividing, loop, reason));
    clopt_nodes_add(dividing->source, &dividing->loops, loop);
    dividing->places[index] = find_place(dividing, index);
    enum clopt_status status = CLOPT_OK;
    if (dividing->groups > 1 && !dividing->shared)
        status = divided_check_share(dividing, index, ndrange, reason);
    else if (dividing->parts == 1)
        status = clopt_source_refuse(dividing->source, loop, reason,
                                     "work-groups share the loop in line %u already",
                                     clopt_source_line(dividing->source, dividing->shared));
    if (status)
        dividing->loops.count = index;
    else if (dividing->groups > 1 && !dividing->shared)
        dividing->shared = loop;
    return status;
}

/* Chooses the loops: none inside another one. */
static enum clopt_status choose(struct dividing *dividing, struct clopt_rewriting *rewriting,
                                const struct clopt_ndrange *ndrange)
{
    size_t variables = dividing->source->variable_count;
    dividing->variables = variables;
    dividing->extrema =
        clopt_source_table(dividing->source, rewriting->chosen.count, sizeof *dividing->extrema);
    dividing->scans =
        clopt_source_table(dividing->source, rewriting->chosen.count, sizeof *dividing->scans);
    dividing->places =
        clopt_source_table(dividing->source, rewriting->chosen.count, sizeof *dividing->places);
    dividing->operators = clopt_source_table(dividing->source, rewriting->chosen.count * variables,
                                             sizeof *dividing->operators);
    for (size_t i = 0; i < rewriting->chosen.count && !rewriting->status; i++) {
        struct clopt_node *loop = rewriting->chosen.items[i];
        struct clopt_error reason = {0};
        const char **own = dividing->operators + dividing->loops.count * variables;
        memset(own, 0, variables * sizeof *own);
        if (!divided_loop_of(dividing, loop))
            clopt_rewriting_decide(rewriting, take_loop(dividing, loop, ndrange, &reason), &reason);
    }
    return rewriting->status;
}

static enum clopt_status edit(struct dividing *dividing, struct clopt_error *error)
{
    struct clopt_source *source = dividing->source;
    struct clopt_node *body = source->kernel->body;
    const unsigned unit = dividing->unit, parts = dividing->parts;
    dividing->part = clopt_variable_make(source, "const int", "", "part");
    divided_declare_share(dividing);
    for (size_t i = 0; i < dividing->waits.count; i++)
        clopt_insert_before(source, dividing->waits.items[i], divided_barrier(dividing));
    for (size_t i = 0; i < dividing->loops.count; i++)
        divide(dividing, i);
    divide_identities(dividing, body);
    enum clopt_status status = clopt_returns_guard(source, NULL, &dividing->returns, NULL, error);
    if (parts > 1)
        guard_writes(dividing, body);
    if (parts > 1)
        clopt_nodes_put(source, &dividing->declarations, body,
                        unit > 1 ? "$V = get_local_id(0) / $u;" : "$V = get_local_id(0) % $u;",
                        dividing->part, unit > 1 ? unit : parts);
    for (size_t i = dividing->declarations.count; i > 0; i--)
        clopt_prepend(source, body, dividing->declarations.items[i - 1]);
    return status;
}

static enum clopt_status run(struct dividing *dividing, struct clopt_rewriting *rewriting,
                             const struct clopt_ndrange *ndrange)
{
    struct clopt_error *error = rewriting->error;
    CLOPT_TRY(divided_check_kernel(dividing, error));
    const size_t items[3] = {dividing->local[0] / dividing->parts, dividing->local[1],
                             dividing->local[2]}; /* of a work-group, before they are divided */
    clopt_returns_find(dividing->source, items, NULL, NULL, &dividing->returns,
                       &dividing->divergence);
    CLOPT_TRY(choose(dividing, rewriting, ndrange));
    if (dividing->loops.count)
        CLOPT_TRY(divided_check_accesses(dividing, error));
    if (dividing->loops.count)
        CLOPT_TRY(edit(dividing, error));
    return CLOPT_OK;
}

/* Reads the bounds of loops that are in memory before the loops begin. */
static void fetch_bounds(struct clopt_source *source, struct clopt_node *node)
{
    struct clopt_node *condition = node->kind == CLOPT_NODE_FOR ? node->condition : NULL;
    bool compares = condition && condition->kind == CLOPT_NODE_BINARY &&
                    (*condition->op == '<' || *condition->op == '>');
    for (size_t i = 0; i < node->child_count; i++)
        fetch_bounds(source, node->children[i]);
    for (size_t i = 0; compares && i < 2; i++) {
        struct clopt_node *bound = condition->children[i];
        if (clopt_node_effects(bound) != CLOPT_EFFECT_MEMORY_READ || bound->bits < 32 ||
            !clopt_loop_is_invariant(node, bound))
            continue;
        char type[32];
        snprintf(type, sizeof type, "const %s", clopt_scalar_name(bound->scalar));
        struct clopt_variable *end = clopt_variable_make(source, type, "", "end");
        clopt_insert_before(source, node, clopt_build(source, node, "$V = $n;", end, bound));
        clopt_replace_by(source, bound, "$v", end);
    }
}

/* Opens the guards of the kernel, so that what they hold may wait for others, and has the bounds of
 * its loops in variables. */
static enum clopt_status prepare(struct clopt_transform *transform, struct clopt_error *error)
{
    CLOPT_HELD(clopt_source) source = NULL;
    CLOPT_TRY(clopt_transform_parse(transform, &source, error));
    CLOPT_TRY(clopt_guards_open(transform, &source, NULL, error));
    fetch_bounds(source, source->kernel->body);
    return clopt_transform_set_tree(transform, source, error);
}

static enum clopt_status check_sizes(const struct clopt_transform *transform, unsigned parts,
                                     struct dividing *dividing, struct clopt_error *error)
{
    const struct clopt_ndrange *ndrange = transform->ndrange;
    dividing->dimensions = ndrange ? ndrange->dimensions : 1;
    for (unsigned d = 0; d < 3; d++)
        dividing->local[d] = ndrange && d < ndrange->dimensions ? ndrange->local[d] : 1;
    if (!ndrange || !dividing->local[0] || !dividing->local[1] || !dividing->local[2])
        return clopt_fail(error, CLOPT_INFEASIBLE,
                          "%s: the local size of %s is not known; set local_size",
                          parts > 1 ? "divide" : "share", transform->kernel);
    return dividing->local[0] % parts == 0
               ? CLOPT_OK
               : clopt_fail(
                     error, CLOPT_INFEASIBLE,
                     "divide = %u: the local size %zu in dimension 0 is not a multiple of it",
                     parts, dividing->local[0]);
}

enum clopt_status divide_apply(struct clopt_transform *transform, const struct clopt_values *values,
                               struct clopt_error *error)
{
    const char *loops = clopt_values_text(values, "loops");
    unsigned parts = (unsigned)clopt_values_integer(values, "divide");
    unsigned groups = (unsigned)clopt_values_integer(values, "share");
    struct dividing dividing = {.parts = parts, .groups = groups};
    struct clopt_rewriting rewriting;
    struct clopt_ndrange_change change = {.divided_items = {(size_t)parts * groups}};
    if (parts == 1 && groups == 1)
        return CLOPT_OK;
    dividing.reassociate = clopt_values_integer(values, "reassociate");
    CLOPT_TRY(check_sizes(transform, parts, &dividing, error));
    dividing.unit = parts > 1 && clopt_values_integer(values, "spread")
                        ? (unsigned)dividing.local[0] / parts
                        : 1;
    CLOPT_TRY(prepare(transform, error));
    CLOPT_TRY(counted_apply(transform, loops, error));
    for (unsigned d = 0; d < 3; d++) {
        change.local_only[d] = d < transform->ndrange->dimensions;
        change.local_multiple[d] = change.local_only[d] ? dividing.local[d] : 0;
    }
    if (!clopt_rewriting_init(&rewriting, transform, loops, parts, error)) {
        dividing.source = rewriting.source;
        rewriting.status = run(&dividing, &rewriting, transform->ndrange);
        change.added->zeroed = divided_bytes(&dividing);
        change.added_count = dividing.shared != NULL;
    }
    CLOPT_TRY(clopt_rewriting_finish(&rewriting, transform));
    return clopt_transform_change_ndrange(transform, &change, error);
}
