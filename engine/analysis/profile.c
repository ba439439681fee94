/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts what a kernel does. */
#include "analysis/profile.h"

#include <math.h>

#include <clopt/divergence.h>
#include <clopt/memory.h>

#include "analysis/pattern.h"
#include "analysis/subscript.h"
#include "analysis/trip.h"
#include "kernel/effect.h"

#define UNKNOWN_TRIPS 256
#define MOST_TRIPS    1024
#define FAR_LONGER    8 /* times as long as the other branch: it is where the work is */
#define DEEPEST_CALL  16

/* clang-format off */
const char *const clopt_profile_names[CLOPT_PROFILE_COUNT] = {
    "floats", "functions", "integers", "double_share", "global_reads", "global_writes",
    "local_access", "intensity", "contiguous", "focused", "scattered", "strided", "focused_y",
    "rows", "neighbours", "barriers", "atomics", "divergent", "loops", "loop_depth",
    "trip_count", "local_bytes", "private_bytes", "size", "vector_width", "dimensions",
    "work_items", "group_x", "group_y", "elements", "local_elements", "float_instructions",
    "integer_instructions"};
/* clang-format on */

/* An access to local memory, by its text. */
struct local_access {
    const char *text;
    size_t length;
    const struct clopt_node *loop; /* the innermost one around it; NULL: none */
    double weight;
    unsigned width;
};

/* Where the walk is. */
/* A loop, and how often it is taken to iterate. */
struct repeated {
    const struct clopt_node *loop;
    double count;
    bool known;
};

struct walk {
    struct clopt_profile *profile; /* counts, not their logarithms yet */
    const struct clopt_source *source;
    const struct clopt_divergence *divergence;
    struct local_access *locals;
    size_t local_count;
    struct repeated *loops; /* those seen so far */
    size_t loop_count;
    double doubles;
    unsigned calls;
};

static double *at(struct walk *walk, enum clopt_profile_feature feature)
{
    return &walk->profile->values[feature];
}

/* Whether a loop goes on where one before it has ended: from unrolling, for what remains. */
static bool is_remainder(const struct clopt_node *loop, const struct clopt_trip *trip)
{
    const struct clopt_node *parent = loop->parent;
    size_t number = parent->kind == CLOPT_NODE_COMPOUND ? clopt_node_position(loop) : 0;
    const struct clopt_node *before = number ? parent->children[number - 1] : NULL;
    while (before && before->kind == CLOPT_NODE_ATTRIBUTED)
        before = before->body;
    return before && clopt_node_repeats(before) &&
           (!trip->first || (clopt_node_is_operator(trip->first, "*") &&
                             clopt_node_is_operator(trip->first->children[0], "/")));
}

/* How many ways out of a loop are in its body: a loop whose end is not known is unrolled so. */
static unsigned count_breaks(const struct clopt_node *node)
{
    unsigned count = node->kind == CLOPT_NODE_BREAK;
    for (size_t i = 0; i < node->child_count; i++)
        if (!clopt_node_repeats(node->children[i]) && node->children[i]->kind != CLOPT_NODE_SWITCH)
            count += count_breaks(node->children[i]);
    return count;
}

/* How often a loop is taken to iterate: the fewer times, the further each iteration goes. */
static double guess_iterations(const struct clopt_node *loop, bool *known)
{
    struct clopt_trip trip = {.step = 1};
    struct clopt_iterations iterations;
    bool counts = clopt_trip_find(loop, NULL, &trip);
    *known = true;
    if (clopt_iterations_find(loop, NULL, &iterations))
        return (double)iterations.count;
    if (trip.count_known || clopt_trip_count(loop) > 0)
        return fmin((double)clopt_trip_count(loop), MOST_TRIPS);
    *known = false;
    if (counts && is_remainder(loop, &trip))
        return 1;
    return counts ? fmax(UNKNOWN_TRIPS / fabs((double)trip.step), 1)
                  : fmax((double)UNKNOWN_TRIPS / (1 + count_breaks(loop)), 1);
}

/* Whether a node is the branch that is rarely taken: the other one of an `if`, in which rewriting
 * leaves what is to be done at edges, a block for each work-item. */
static bool is_rare(const struct clopt_node *node)
{
    const struct clopt_node *parent = node->parent;
    if (!parent || parent->kind != CLOPT_NODE_IF || !parent->otherwise)
        return false;
    const struct clopt_node *body = parent->body, *otherwise = parent->otherwise;
    const struct clopt_node *list = otherwise->kind == CLOPT_NODE_IF ? otherwise->body : otherwise;
    size_t blocks = 0;
    for (size_t i = 0; i < list->child_count; i++)
        blocks += list->children[i]->kind == CLOPT_NODE_COMPOUND;
    bool longer = otherwise->end - otherwise->begin >
                  FAR_LONGER * (body->end - body->begin) * (blocks ? blocks : 1);
    return node == (longer ? body : otherwise);
}

/* Counts an operation by its elements, and as one instruction. */
static void count_operation(struct walk *walk, enum clopt_profile_feature kind, double weight,
                            unsigned width)
{
    *at(walk, kind) += weight * width;
    *at(walk, kind == CLOPT_PROFILE_INTEGERS ? CLOPT_PROFILE_INTEGER_INSTRUCTIONS
                                             : CLOPT_PROFILE_FLOAT_INSTRUCTIONS) += weight;
}

static void count_call(struct walk *walk, const struct clopt_node *call, double weight)
{
    const char *name = call->name ? call->name : "";
    bool real = clopt_scalar_is_real(call->scalar);
    if (clopt_name_starts(name, "vload") || clopt_name_starts(name, "vstore"))
        return; /* accesses are counted as such */
    if (clopt_node_find_effect(call, CLOPT_EFFECT_COLLECTIVE) == call)
        *at(walk, CLOPT_PROFILE_BARRIERS) += weight;
    else if (clopt_name_starts(name, "atom"))
        *at(walk, CLOPT_PROFILE_ATOMICS) += weight;
    else if (clopt_name_starts(name, "mad") || clopt_name_starts(name, "fma"))
        count_operation(walk, real ? CLOPT_PROFILE_FLOATS : CLOPT_PROFILE_INTEGERS, 2 * weight,
                        call->width);
    else if (real && !clopt_name_starts(name, "convert_"))
        count_operation(walk, CLOPT_PROFILE_FUNCTIONS, weight, call->width);
    else if (!clopt_name_starts(name, "get_"))
        count_operation(walk, CLOPT_PROFILE_INTEGERS, weight, call->width);
}

static void count_operator(struct walk *walk, const struct clopt_node *node, double weight)
{
    const struct clopt_node *operand = node->child_count ? node->children[0] : node;
    if (node->kind == CLOPT_NODE_UNARY &&
        (clopt_node_is_operator(node, "&") || clopt_node_is_operator(node, "*")))
        return; /* of an access */
    bool counts = clopt_scalar_is_real(node->scalar);
    enum clopt_scalar scalar =
        counts ? node->scalar : operand->scalar; /* a comparison's operands */
    bool real = clopt_scalar_is_real(scalar);
    bool divides =
        real && (clopt_node_is_operator(node, "/") || clopt_node_is_operator(node, "/="));
    count_operation(walk,
                    divides ? CLOPT_PROFILE_FUNCTIONS
                    : real  ? CLOPT_PROFILE_FLOATS
                            : CLOPT_PROFILE_INTEGERS,
                    weight, node->width);
    walk->doubles += scalar == CLOPT_SCALAR_DOUBLE ? weight * node->width : 0;
}

/* Notes an access to local memory, which may be one of a vector: *(__local float4 *)&a[i]. */
static void add_local(struct walk *walk, const struct clopt_node *node, double weight)
{
    const struct clopt_node *around = node->parent;
    struct local_access *access =
        clopt_array_add(&walk->locals, &walk->local_count, sizeof *walk->locals);
    *access = (struct local_access){walk->source->text + node->begin, node->end - node->begin, NULL,
                                    weight, node->width};
    for (; around && (around->kind == CLOPT_NODE_UNARY || around->kind == CLOPT_NODE_CAST ||
                      around->kind == CLOPT_NODE_PAREN);
         around = around->parent)
        access->width = around->width > access->width ? around->width : access->width;
    if (around && around->kind == CLOPT_NODE_CALL && around->name &&
        (clopt_name_starts(around->name, "vload") || clopt_name_starts(around->name, "vstore")))
        access->width =
            clopt_name_starts(around->name, "vload") ? around->width : around->children[0]->width;
    while (around && !clopt_node_repeats(around))
        around = around->parent;
    access->loop = around;
}

static int compare_locals(const void *a, const void *b)
{
    const struct local_access *x = a, *y = b;
    if (x->loop != y->loop)
        return x->loop < y->loop ? -1 : 1;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    return memcmp(x->text, y->text, x->length);
}

/* Adds the accesses to local memory of which none before is the same. */
static void add_locals(struct walk *walk)
{
    if (walk->local_count)
        qsort(walk->locals, walk->local_count, sizeof *walk->locals, compare_locals);
    for (size_t i = 0; i < walk->local_count; i++) {
        const struct local_access *access = &walk->locals[i];
        if (i && compare_locals(access - 1, access) == 0)
            continue;
        *at(walk, CLOPT_PROFILE_LOCAL) += access->weight;
        *at(walk, CLOPT_PROFILE_LOCAL_ELEMENTS) += access->weight * access->width;
    }
    free(walk->locals);
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
        count_operator(walk, node, weight);
        break;
    case CLOPT_NODE_ASSIGN:
        if (!clopt_node_is_operator(node, "="))
            count_operator(walk, node, weight);
        break;
    case CLOPT_NODE_SUBSCRIPT:
        if (node->space == CLOPT_SPACE_LOCAL && node->parent->kind != CLOPT_NODE_SUBSCRIPT)
            add_local(walk, node, weight);
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

/* The same, asked once of each loop. */
static struct repeated iterations_of(struct walk *walk, const struct clopt_node *loop)
{
    for (size_t i = 0; i < walk->loop_count; i++)
        if (walk->loops[i].loop == loop)
            return walk->loops[i];
    struct repeated *added = clopt_array_add(&walk->loops, &walk->loop_count, sizeof *added);
    added->loop = loop;
    added->count = guess_iterations(loop, &added->known);
    return *added;
}

static void walk_node(struct walk *walk, const struct clopt_node *node, double weight,
                      unsigned depth)
{
    count_node(walk, node, weight);
    if (clopt_node_repeats(node)) {
        const struct repeated repeated = iterations_of(walk, node);
        weight *= repeated.count;
        depth++;
        *at(walk, CLOPT_PROFILE_LOOPS) += 1;
        *at(walk, CLOPT_PROFILE_DIVERGENT) += clopt_node_is_region(walk->divergence, node);
        *at(walk, CLOPT_PROFILE_TRIP_COUNT) = repeated.known ? repeated.count : 0;
        *at(walk, CLOPT_PROFILE_DEPTH) = fmax(*at(walk, CLOPT_PROFILE_DEPTH), depth);
    }
    for (size_t i = 0; i < node->child_count; i++)
        if (!is_rare(node->children[i]))
            walk_node(walk, node->children[i], weight, depth);
    if (node->kind == CLOPT_NODE_CALL && node->callee && walk->calls < DEEPEST_CALL) {
        walk->calls++;
        walk_node(walk, node->callee->body, weight, depth);
        walk->calls--;
    }
}

/* How often a node is executed, by the loops around it. */
static double weigh(struct walk *walk, const struct clopt_node *node)
{
    double weight = 1;
    for (const struct clopt_node *around = node; around && weight > 0; around = around->parent)
        if (is_rare(around))
            weight = 0;
        else if (clopt_node_repeats(around))
            weight *= iterations_of(walk, around).count;
    return weight;
}

/* Adds the accesses to global memory, with neighbours along dimension 0. */
static void add_patterns(struct walk *walk, const struct clopt_patterns *patterns)
{
    for (size_t i = 0; i < patterns->count; i++) {
        const struct clopt_pattern *pattern = &patterns->items[i];
        bool contiguous = pattern->group_elements == pattern->width,
             focused = pattern->group == CLOPT_GROUP_FOCUSED;
        bool along = pattern->item == CLOPT_ITEM_ROW || pattern->item == CLOPT_ITEM_BLOCK;
        double weight = weigh(walk, pattern->node);
        *at(walk, CLOPT_PROFILE_CONTIGUOUS) += contiguous ? weight : 0;
        *at(walk, CLOPT_PROFILE_FOCUSED) += focused ? weight : 0;
        *at(walk, CLOPT_PROFILE_SCATTERED) += contiguous || focused ? 0 : weight;
        *at(walk, CLOPT_PROFILE_STRIDED) += pattern->group_elements && !contiguous ? weight : 0;
        *at(walk, CLOPT_PROFILE_ROWS) += along ? weight : 0;
        *at(walk, CLOPT_PROFILE_NEIGHBOURS) += pattern->item == CLOPT_ITEM_NEIGHBOURS ? weight : 0;
    }
}

static int compare_subscripts(const void *a, const void *b)
{
    const struct clopt_subscript *x = a, *y = b;
    if (x->array != y->array)
        return x->array < y->array ? -1 : 1;
    if (x->access != y->access)
        return x->access < y->access ? -1 : 1;
    if (x->loops != y->loops)
        return x->loops < y->loops ? -1 : 1;
    return clopt_affine_compare(&x->affine, &y->affine);
}

/* Adds the accesses to global memory of which none before is the same: compilers keep what was
 * read, also for the next iteration. */
static void add_accesses(struct walk *walk)
{
    CLOPT_OWNED(clopt_subscripts) found = {0};
    clopt_subscripts_find(walk->source, NULL, &found);
    if (found.access_count)
        qsort(found.accesses, found.access_count, sizeof *found.accesses, compare_subscripts);
    double before = 0;
    for (size_t i = 0; i < found.access_count; i++) {
        const struct clopt_subscript *access = &found.accesses[i];
        bool same = i && access->array && compare_subscripts(access - 1, access) == 0;
        bool invariant = access->loops && access->array &&
                         clopt_affine_depends(&found, &access->affine) < CLOPT_DEPENDS_LOOP(0);
        double weight = invariant ? fmin(weigh(walk, access->node), 1) : weigh(walk, access->node),
               more = fmax(weight - (same ? before : 0), 0);
        before = same ? fmax(before, weight) : weight;
        *at(walk, CLOPT_PROFILE_READS) += access->access & CLOPT_READ ? more : 0;
        *at(walk, CLOPT_PROFILE_WRITES) += access->access & CLOPT_WRITE ? more : 0;
        *at(walk, CLOPT_PROFILE_ELEMENTS) += more * access->width;
    }
}

/* Makes shares and logarithms of the counts. */
static void finish(struct walk *walk)
{
    static const enum clopt_profile_feature shares[] = {
        CLOPT_PROFILE_CONTIGUOUS, CLOPT_PROFILE_FOCUSED,   CLOPT_PROFILE_SCATTERED,
        CLOPT_PROFILE_STRIDED,    CLOPT_PROFILE_FOCUSED_Y, CLOPT_PROFILE_ROWS,
        CLOPT_PROFILE_NEIGHBOURS};
    /* clang-format off */
    static const enum clopt_profile_feature counts[] = {
        CLOPT_PROFILE_FLOATS, CLOPT_PROFILE_FUNCTIONS, CLOPT_PROFILE_INTEGERS,
        CLOPT_PROFILE_READS, CLOPT_PROFILE_WRITES, CLOPT_PROFILE_LOCAL, CLOPT_PROFILE_BARRIERS,
        CLOPT_PROFILE_ATOMICS, CLOPT_PROFILE_TRIP_COUNT, CLOPT_PROFILE_LOCAL_BYTES,
        CLOPT_PROFILE_PRIVATE_BYTES, CLOPT_PROFILE_SIZE, CLOPT_PROFILE_ELEMENTS,
        CLOPT_PROFILE_LOCAL_ELEMENTS, CLOPT_PROFILE_FLOAT_INSTRUCTIONS,
        CLOPT_PROFILE_INTEGER_INSTRUCTIONS};
    /* clang-format on */
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

void clopt_profile_find(const struct clopt_source *source, const struct clopt_ndrange *ndrange,
                        struct clopt_profile *profile)
{
    struct clopt_identity identity = {.dimension = 0, .local_id = true, .group_id = true};
    CLOPT_OWNED(clopt_patterns) along = {0}, across = {0}; /* dimensions 0 and 1 */
    *profile = (struct clopt_profile){.values[CLOPT_PROFILE_VECTOR_WIDTH] = 1};
    clopt_patterns_find(source, 0, &along);
    clopt_patterns_find(source, 1, &across);
    struct walk walk = {.profile = profile,
                        .source = source,
                        .divergence = clopt_divergence_create(source, identity)};
    walk_node(&walk, source->kernel->body, 1, 0);
    add_locals(&walk);
    add_patterns(&walk, &along);
    for (size_t i = 0; i < across.count; i++)
        if (across.items[i].group == CLOPT_GROUP_FOCUSED)
            *at(&walk, CLOPT_PROFILE_FOCUSED_Y) += weigh(&walk, across.items[i].node);
    add_accesses(&walk);
    finish(&walk);
    free(walk.loops);
    add_ndrange(profile, ndrange);
}

enum clopt_status clopt_variant_profile(const struct clopt_trial *trial,
                                        const struct clopt_variant *variant, const char *file,
                                        const struct clopt_kernel *kernel,
                                        struct clopt_profile *profile, struct clopt_error *error)
{
    CLOPT_HELD(clopt_source) tree = NULL;
    struct clopt_kernel_work work;
    CLOPT_TRY(clopt_trial_describe(trial, variant->knobs, kernel, &work, error));
    CLOPT_TRY(clopt_source_create(file, variant->source, NULL, variant->dialect, kernel->name,
                                  &tree, error));
    const struct clopt_ndrange_change *change = clopt_variant_change(variant, kernel);
    if (change)
        work.ndrange = clopt_ndrange_map(&work.ndrange, change);
    clopt_profile_find(tree, &work.ndrange, profile);
    return CLOPT_OK;
}
