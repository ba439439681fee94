/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans of loops that are divided: parts take as many iterations at once as they are.
 *
 *     for (int k = 0; k < n; k++) {  ->  for (long k_first = 0; k_first < n; k_first += 32) {
 *         sum += in[k];                      int k = k_first + part;
 *         out[k] = sum;                      sum_term = k < n ? in[k] : 0, and a scan of these
 *     }                                      sum_here = sum + all terms of the parts before
 *                                            sum += all terms
 *                                            if (k < n) { sum_here += in[k]; out[k] = sum_here; }
 *                                        } */
#include "divide.h"

/* What is built for one loop. */
struct building {
    struct dividing *dividing;
    struct clopt_node *loop;
    struct clopt_variable *base, *here, *step, *flip;
    struct clopt_variable *own[MOST_SCANS];  /* the sum before an iteration */
    struct clopt_variable *term[MOST_SCANS]; /* what it adds; then what all up to it add */
    struct clopt_variable *array[MOST_SCANS];
    const struct scans *scans;
};

static struct clopt_variable *name_own(void *user, const struct clopt_variable *variable)
{
    const struct building *building = user;
    for (size_t i = 0; i < building->scans->count; i++)
        if (building->scans->items[i].sum == variable)
            return building->own[i];
    return NULL;
}

/* Returns the element of a half of an array that a work-item has, or one that is away. */
static struct clopt_node *element(const struct building *building, size_t scan,
                                  struct clopt_node *half, struct clopt_node *distance)
{
    struct clopt_source *source = building->dividing->source;
    struct clopt_node *lvalue = divided_row(
        building->dividing, clopt_build(source, NULL, "$v[$n]", building->array[scan], half));
    if (!distance)
        return clopt_build(source, NULL, "$n[get_local_id(0)]", lvalue);
    if (building->dividing->unit > 1)
        distance = clopt_build(source, NULL, "($n) * $u", distance, building->dividing->unit);
    return clopt_build(source, NULL, "$n[(int)get_local_id(0) + $n]", lvalue, distance);
}

/* Returns a op b. */
static struct clopt_node *accumulate(const struct building *building, size_t scan,
                                     struct clopt_node *a, struct clopt_node *b)
{
    struct clopt_source *source = building->dividing->source;
    const char *op = building->scans->items[scan].op;
    return clopt_operator_is_call(op) ? clopt_build(source, NULL, "$s($n, $n)", op, a, b)
                                      : clopt_build(source, NULL, "$n $s $n", a, op, b);
}

static struct clopt_node *name(const struct building *building, struct clopt_variable *variable)
{
    return clopt_build(building->dividing->source, NULL, "$v", variable);
}

static void make_variables(struct building *building, size_t scan)
{
    struct dividing *dividing = building->dividing;
    struct clopt_source *source = dividing->source;
    const struct clopt_variable *sum = building->scans->items[scan].sum;
    const char *scalar = clopt_scalar_name(sum->scalar);
    building->own[scan] = clopt_variable_make(source, scalar, "", "%s_here", sum->name);
    building->term[scan] = clopt_variable_make(source, scalar, "", "%s_term", sum->name);
    building->array[scan] = divided_array(dividing, sum, "[2]", "_terms");
}

/* Adds what finds a term, where there is an iteration; elsewhere it changes nothing. */
static void add_term(const struct building *building, size_t scan, struct clopt_nodes *list)
{
    struct clopt_source *source = building->dividing->source;
    const struct scan *own = &building->scans->items[scan];
    const struct clopt_cloning plain = {.source = source, .plain = true};
    struct clopt_nodes found = {0};
    for (size_t i = 0; i < own->before.count; i++)
        clopt_nodes_add(source, &found, clopt_clone(&plain, own->before.items[i]));
    if (building->dividing->returns.count) { /* values of declarations are guarded */
        struct clopt_variable *next = clopt_variable_make(
            source, clopt_scalar_name(own->sum->scalar), "", "%s_next", own->sum->name);
        clopt_nodes_put(source, &found, NULL, "$V = $n;", next, clopt_clone(&plain, own->term));
        clopt_nodes_put(source, &found, NULL, "$v = $v;", building->term[scan], next);
    } else {
        clopt_nodes_put(source, &found, NULL, "$v = $n;", building->term[scan],
                        clopt_clone(&plain, own->term));
    }
    if (clopt_operator_is_call(own->op))
        clopt_nodes_put(source, list, NULL, "$V = $v;", building->term[scan], own->sum);
    else
        clopt_nodes_put(source, list, NULL, "$V = 0;", building->term[scan]);
    clopt_nodes_put(source, list, NULL, "if ($v) { $N }", building->here, &found);
}

/* Adds the scan of the parts' terms (Hillis, Steele: Data parallel algorithms, CACM 29, 1986). */
static void add_steps(const struct building *building, struct clopt_nodes *list)
{
    const struct dividing *dividing = building->dividing;
    struct clopt_source *source = dividing->source;
    struct clopt_nodes added = {0}, stores = {0};
    struct clopt_node *turned = clopt_build(source, NULL, "1 - $v", building->flip);
    clopt_nodes_add(source, list, divided_barrier(dividing)); /* others read the last terms */
    for (size_t i = 0; i < building->scans->count; i++) {
        struct clopt_node *term = name(building, building->term[i]);
        struct clopt_node *other = element(building, i, name(building, building->flip),
                                           clopt_build(source, NULL, "-$v", building->step));
        clopt_nodes_put(source, list, NULL, "$n = $v;",
                        element(building, i, clopt_build(source, NULL, "0"), NULL),
                        building->term[i]);
        clopt_nodes_put(source, &added, NULL, "$v = $n;", building->term[i],
                        accumulate(building, i, other, term));
        clopt_nodes_put(source, &stores, NULL, "$n = $v;", element(building, i, turned, NULL),
                        building->term[i]);
    }
    clopt_nodes_put(source, list, NULL, "$V = 0;", building->flip);
    clopt_nodes_put(source, list, NULL,
                    "for ($V = 1; $v < $u; $v *= 2) { $n if ($v >= $v) { $N } $N $v = 1 - $v; }",
                    building->step, building->step, dividing->parts, building->step,
                    divided_barrier(dividing), dividing->part, building->step, &added, &stores,
                    building->flip, building->flip);
    clopt_nodes_add(source, list, divided_barrier(dividing));
}

/* Adds the sums before each iteration, and moves those of the loop on by all terms. */
static void add_sums(const struct building *building, struct clopt_nodes *list)
{
    const struct dividing *dividing = building->dividing;
    struct clopt_source *source = dividing->source;
    for (size_t i = 0; i < building->scans->count; i++) {
        struct clopt_variable *sum = building->scans->items[i].sum;
        struct clopt_node *before =
            element(building, i, name(building, building->flip), clopt_build(source, NULL, "-1"));
        struct clopt_node *last =
            element(building, i, name(building, building->flip),
                    clopt_build(source, NULL, "$u - $v", dividing->parts - 1, dividing->part));
        clopt_nodes_put(source, list, NULL, "$V = $v;", building->own[i], sum);
        clopt_nodes_put(source, list, NULL, "if ($v) $v = $n;", dividing->part, building->own[i],
                        accumulate(building, i, name(building, sum), before));
        clopt_nodes_put(source, list, NULL, "$v = $n;", sum,
                        accumulate(building, i, name(building, sum), last));
    }
}

void divided_scan(struct dividing *dividing, struct clopt_node *loop, const struct scans *scans)
{
    struct clopt_source *source = dividing->source;
    struct building building = {.dividing = dividing, .loop = loop, .scans = scans};
    const struct clopt_cloning cloning = {
        .source = source, .user = &building, .variable = name_own};
    struct clopt_nodes list = {0}, work = {0};
    struct clopt_trip trip;
    clopt_trip_find(loop, NULL, &trip);
    const char *type = clopt_scalar_name(trip.counter->scalar);
    building.base = clopt_variable_make(source, "long", "", "%s_first", trip.counter->name);
    building.here = clopt_variable_make(source, "const int", "", "here");
    building.step = clopt_variable_make(source, "int", "", "step");
    building.flip = clopt_variable_make(source, "int", "", "side");
    for (size_t i = 0; i < scans->count; i++)
        make_variables(&building, i);
    struct clopt_node *at =
        clopt_build(source, NULL, "$v + $l * $v", building.base, trip.step, dividing->part);
    clopt_nodes_put(source, &list, NULL, trip.declared ? "$V = ($t)($n);" : "$v = ($t)($n);",
                    trip.counter, type, at);
    clopt_nodes_put(source, &list, NULL, "$V = $n $s$s $n;", building.here, at,
                    trip.step < 0 ? ">" : "<", trip.inclusive ? "=" : "", trip.bound);
    for (size_t i = 0; i < scans->count; i++)
        add_term(&building, i, &list);
    add_steps(&building, &list);
    add_sums(&building, &list);
    clopt_nodes_add_body(&cloning, &work, loop->body);
    clopt_nodes_put(source, &list, NULL, "if ($v) { $N }", building.here, &work);
    clopt_replace_by(source, loop->condition, "$v $s$s $n", building.base,
                     trip.step < 0 ? ">" : "<", trip.inclusive ? "=" : "", trip.bound);
    clopt_replace_by(source, loop->step, "$v += $l", building.base, trip.step * dividing->parts);
    clopt_replace_by(source, loop->init, "$V = $n;", building.base, trip.first);
    clopt_replace_by(source, loop->body, "{ $N }", &list);
}
