/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts what a kernel does. */
#include "analysis/profile.h"

#include <math.h>
#include <stdlib.h>

#include <clopt/divergence.h>
#include <clopt/loop.h>

#include "analysis/pattern.h"
#include "kernel/effect.h"

#define UNKNOWN_TRIPS 16
#define MOST_TRIPS    1024
#define DEEPEST_CALL  16

const char *const clopt_profile_names[CLOPT_PROFILE_COUNT] = {
    "floats",       "functions",  "integers",   "double_share", "global_reads",  "global_writes",
    "local_access", "intensity",  "contiguous", "focused",      "scattered",     "strided",
    "focused_y",    "rows",       "neighbours", "barriers",     "atomics",       "divergent",
    "loops",        "loop_depth", "trip_count", "local_bytes",  "private_bytes", "size",
    "vector_width", "dimensions", "work_items", "group_x",      "group_y"};

/* Where the walk is. */
struct walk {
    struct clopt_profile *profile; /* counts, not their logarithms yet */
    const struct clopt_divergence *divergence;
    double doubles;
    unsigned calls;
};

static double *at(struct walk *walk, enum clopt_profile_feature feature)
{
    return &walk->profile->values[feature];
}

/* How often a loop is taken to iterate. */
static double iterations_of(const struct clopt_node *loop, bool *known)
{
    struct clopt_trip trip;
    struct clopt_iterations iterations;
    *known = true;
    if (clopt_trip_find(loop, NULL, &trip) && trip.count_known)
        return fmin((double)trip.count, MOST_TRIPS);
    if (clopt_iterations_find(loop, NULL, &iterations))
        return (double)iterations.count;
    *known = false;
    return UNKNOWN_TRIPS;
}

static void count_call(struct walk *walk, const struct clopt_node *call, double weight)
{
    const char *name = call->name ? call->name : "";
    bool real = clopt_scalar_is_real(call->scalar);
    if (clopt_node_find_effect(call, CLOPT_EFFECT_COLLECTIVE) == call)
        *at(walk, CLOPT_PROFILE_BARRIERS) += weight;
    else if (clopt_name_starts(name, "atom"))
        *at(walk, CLOPT_PROFILE_ATOMICS) += weight;
    else if (clopt_name_starts(name, "mad") || clopt_name_starts(name, "fma"))
        *at(walk, real ? CLOPT_PROFILE_FLOATS : CLOPT_PROFILE_INTEGERS) += 2 * weight * call->width;
    else if (real && !clopt_name_starts(name, "convert_"))
        *at(walk, CLOPT_PROFILE_FUNCTIONS) += weight * call->width;
    else if (!clopt_name_starts(name, "get_"))
        *at(walk, CLOPT_PROFILE_INTEGERS) += weight * call->width;
}

static void count_operation(struct walk *walk, const struct clopt_node *node, double weight)
{
    const struct clopt_node *operand = node->child_count ? node->children[0] : node;
    enum clopt_scalar scalar = operand->scalar; /* of a comparison, that of what is compared */
    bool real = clopt_scalar_is_real(scalar);
    bool divides =
        real && (clopt_node_is_operator(node, "/") || clopt_node_is_operator(node, "/="));
    *at(walk, divides ? CLOPT_PROFILE_FUNCTIONS
              : real  ? CLOPT_PROFILE_FLOATS
                      : CLOPT_PROFILE_INTEGERS) += weight * node->width;
    walk->doubles += scalar == CLOPT_SCALAR_DOUBLE ? weight * node->width : 0;
}

/* Counts what a node is, without its children. */
static void count_node(struct walk *walk, const struct clopt_node *node, double weight)
{
    *at(walk, CLOPT_PROFILE_SIZE) += 1;
    if (clopt_node_is_expression(node))
        *at(walk, CLOPT_PROFILE_VECTOR_WIDTH) =
            fmax(*at(walk, CLOPT_PROFILE_VECTOR_WIDTH), node->width);
    switch (node->kind) {
    case CLOPT_NODE_CALL:
        if (!node->callee)
            count_call(walk, node, weight);
        break;
    case CLOPT_NODE_BINARY:
    case CLOPT_NODE_UNARY:
    case CLOPT_NODE_POSTFIX:
        count_operation(walk, node, weight);
        break;
    case CLOPT_NODE_ASSIGN:
        if (!clopt_node_is_operator(node, "="))
            count_operation(walk, node, weight);
        break;
    case CLOPT_NODE_SUBSCRIPT:
        *at(walk, CLOPT_PROFILE_LOCAL) += node->space == CLOPT_SPACE_LOCAL ? weight : 0;
        break;
    case CLOPT_NODE_DECLARATOR:
        if (node->variable->space == CLOPT_SPACE_LOCAL)
            *at(walk, CLOPT_PROFILE_LOCAL_BYTES) += (double)node->variable->bytes;
        else if (node->variable->space == CLOPT_SPACE_PRIVATE)
            *at(walk, CLOPT_PROFILE_PRIVATE_BYTES) += (double)node->variable->bytes;
        break;
    case CLOPT_NODE_IF:
        *at(walk, CLOPT_PROFILE_DIVERGENT) += clopt_node_is_region(walk->divergence, node);
        break;
    default:
        break;
    }
}

static void walk_node(struct walk *walk, const struct clopt_node *node, double weight,
                      unsigned depth)
{
    count_node(walk, node, weight);
    if (clopt_node_repeats(node)) {
        bool known;
        double count = iterations_of(node, &known);
        weight *= count;
        depth++;
        *at(walk, CLOPT_PROFILE_LOOPS) += 1;
        *at(walk, CLOPT_PROFILE_DIVERGENT) += clopt_node_is_region(walk->divergence, node);
        *at(walk, CLOPT_PROFILE_TRIP_COUNT) = known ? count : 0;
        *at(walk, CLOPT_PROFILE_DEPTH) = fmax(*at(walk, CLOPT_PROFILE_DEPTH), depth);
    }
    for (size_t i = 0; i < node->child_count; i++)
        walk_node(walk, node->children[i], weight, depth);
    if (node->kind == CLOPT_NODE_CALL && node->callee && walk->calls < DEEPEST_CALL) {
        walk->calls++;
        walk_node(walk, node->callee->body, weight, depth);
        walk->calls--;
    }
}

/* How often a node is executed, by the loops around it. */
static double weigh(const struct clopt_node *node)
{
    double weight = 1;
    bool known;
    for (const struct clopt_node *around = node->parent; around; around = around->parent)
        if (clopt_node_repeats(around))
            weight *= iterations_of(around, &known);
    return weight;
}

/* How far the elements of neighbours are apart; 0: not known, or they are one. */
static unsigned long find_distance(const struct clopt_pattern *pattern)
{
    char *end = NULL;
    const char *text = pattern->group_distance;
    unsigned long distance = text ? strtoul(text, &end, 10) : 0;
    return text && !*end && pattern->group == CLOPT_GROUP_SEPARATE ? distance : 0;
}

/* Adds the accesses to global memory, with neighbours along dimension 0. */
static void add_patterns(struct walk *walk, const struct clopt_patterns *patterns)
{
    for (size_t i = 0; i < patterns->count; i++) {
        const struct clopt_pattern *pattern = &patterns->items[i];
        unsigned long distance = find_distance(pattern);
        bool contiguous = distance == pattern->width,
             focused = pattern->group == CLOPT_GROUP_FOCUSED;
        bool along = pattern->item == CLOPT_ITEM_ROW || pattern->item == CLOPT_ITEM_BLOCK;
        double weight = weigh(pattern->node);
        *at(walk, CLOPT_PROFILE_READS) += pattern->access & CLOPT_READ ? weight : 0;
        *at(walk, CLOPT_PROFILE_WRITES) += pattern->access & CLOPT_WRITE ? weight : 0;
        *at(walk, CLOPT_PROFILE_CONTIGUOUS) += contiguous ? weight : 0;
        *at(walk, CLOPT_PROFILE_FOCUSED) += focused ? weight : 0;
        *at(walk, CLOPT_PROFILE_SCATTERED) += contiguous || focused ? 0 : weight;
        *at(walk, CLOPT_PROFILE_STRIDED) += distance && !contiguous ? weight : 0;
        *at(walk, CLOPT_PROFILE_ROWS) += along ? weight : 0;
        *at(walk, CLOPT_PROFILE_NEIGHBOURS) += pattern->item == CLOPT_ITEM_NEIGHBOURS ? weight : 0;
    }
}

/* Makes shares and logarithms of the counts. */
static void finish(struct walk *walk)
{
    static const enum clopt_profile_feature shares[] = {
        CLOPT_PROFILE_CONTIGUOUS, CLOPT_PROFILE_FOCUSED,   CLOPT_PROFILE_SCATTERED,
        CLOPT_PROFILE_STRIDED,    CLOPT_PROFILE_FOCUSED_Y, CLOPT_PROFILE_ROWS,
        CLOPT_PROFILE_NEIGHBOURS};
    static const enum clopt_profile_feature counts[] = {
        CLOPT_PROFILE_FLOATS,      CLOPT_PROFILE_FUNCTIONS,     CLOPT_PROFILE_INTEGERS,
        CLOPT_PROFILE_READS,       CLOPT_PROFILE_WRITES,        CLOPT_PROFILE_LOCAL,
        CLOPT_PROFILE_BARRIERS,    CLOPT_PROFILE_ATOMICS,       CLOPT_PROFILE_TRIP_COUNT,
        CLOPT_PROFILE_LOCAL_BYTES, CLOPT_PROFILE_PRIVATE_BYTES, CLOPT_PROFILE_SIZE};
    double *values = walk->profile->values;
    double accesses = values[CLOPT_PROFILE_CONTIGUOUS] + values[CLOPT_PROFILE_FOCUSED] +
                      values[CLOPT_PROFILE_SCATTERED];
    double floats = values[CLOPT_PROFILE_FLOATS] + values[CLOPT_PROFILE_FUNCTIONS];
    double operations = floats + values[CLOPT_PROFILE_INTEGERS];
    values[CLOPT_PROFILE_INTENSITY] = log2((1 + operations) / (1 + accesses));
    values[CLOPT_PROFILE_DOUBLE] = floats > 0 ? fmin(walk->doubles / floats, 1) : 0;
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        values[shares[i]] /= fmax(accesses, 1);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        values[counts[i]] = log2(1 + values[counts[i]]);
}

static void add_ndrange(struct clopt_profile *profile, const struct clopt_ndrange *ndrange)
{
    double items = 1;
    for (unsigned d = 0; d < ndrange->dimensions; d++)
        items *= (double)ndrange->global[d];
    profile->values[CLOPT_PROFILE_DIMENSIONS] = ndrange->dimensions;
    profile->values[CLOPT_PROFILE_WORK_ITEMS] = log2(1 + items);
    profile->values[CLOPT_PROFILE_GROUP_X] = log2(1 + (double)ndrange->local[0]);
    profile->values[CLOPT_PROFILE_GROUP_Y] = log2(1 + (double)ndrange->local[1]);
}

json_t *clopt_profile_to_json(const struct clopt_profile *profile)
{
    json_t *json = json_object();
    for (size_t i = 0; i < CLOPT_PROFILE_COUNT; i++) /* no more digits than mean something */
        json_object_set_new(json, clopt_profile_names[i],
                            json_real(round(profile->values[i] * 1e4) / 1e4));
    return json;
}

bool clopt_profile_from_json(const json_t *json, struct clopt_profile *profile)
{
    for (size_t i = 0; i < CLOPT_PROFILE_COUNT; i++) {
        const json_t *value = json_object_get(json, clopt_profile_names[i]);
        if (!json_is_number(value))
            return false;
        profile->values[i] = json_number_value(value);
    }
    return true;
}

enum clopt_status clopt_profile_find(const struct clopt_source *source,
                                     const struct clopt_ndrange *ndrange,
                                     struct clopt_profile *profile, struct clopt_error *error)
{
    struct clopt_identity identity = {.dimension = 0, .local_id = true, .group_id = true};
    struct clopt_divergence *divergence = NULL;
    struct clopt_patterns patterns[2] = {{0}, {0}};
    *profile = (struct clopt_profile){.values[CLOPT_PROFILE_VECTOR_WIDTH] = 1};
    enum clopt_status status = clopt_divergence_create(source, identity, &divergence, error);
    for (unsigned d = 0; d < 2 && !status; d++)
        status = clopt_patterns_find(source, d, &patterns[d], error);
    if (!status) {
        struct walk walk = {.profile = profile, .divergence = divergence};
        walk_node(&walk, source->kernel->body, 1, 0);
        add_patterns(&walk, &patterns[0]);
        for (size_t i = 0; i < patterns[1].count; i++)
            if (patterns[1].items[i].group == CLOPT_GROUP_FOCUSED)
                *at(&walk, CLOPT_PROFILE_FOCUSED_Y) += weigh(patterns[1].items[i].node);
        finish(&walk);
        add_ndrange(profile, ndrange);
    }
    clopt_patterns_fini(&patterns[0]);
    clopt_patterns_fini(&patterns[1]);
    clopt_divergence_destroy(divergence);
    return status;
}
