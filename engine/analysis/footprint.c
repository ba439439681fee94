/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds footprints: joins accesses that share a box, and checks that all of it is read. */
#include <clopt/footprint.h>

#include "analysis/footprint_parts.h"
#include "analysis/trip.h"
#include "number/number.h"

#define MOST_JOINED 32 /* accesses that are joined to boxes */

/* ---- boxes ---- */

/* Whether a stride is longer, as far as its last term tells: those with parameters are. */
static bool is_longer(const struct clopt_affine *a, const struct clopt_affine *b)
{
    const struct clopt_term *x = &a->terms[a->count - 1];
    const struct clopt_term *y = &b->terms[b->count - 1];
    for (unsigned k = 0; k < CLOPT_TERM_SYMBOLS; k++)
        if ((x->symbols[k] != 0) != (y->symbols[k] != 0))
            return x->symbols[k] != 0;
    return llabs(x->factor) > llabs(y->factor);
}

/* Puts the longest strides first: those of single elements are the last. */
static void sort_directions(struct clopt_footprint_candidate *candidate)
{
    struct clopt_affine *strides = candidate->strides;
    struct clopt_coordinate *coordinates = candidate->access.coordinates;
    for (unsigned i = 1; i < candidate->footprint.direction_count; i++)
        for (unsigned j = i; j && is_longer(&strides[j], &strides[j - 1]); j--) {
            const struct clopt_affine stride = strides[j];
            const struct clopt_coordinate coordinate = coordinates[j];
            strides[j] = strides[j - 1];
            strides[j - 1] = stride;
            coordinates[j] = coordinates[j - 1];
            coordinates[j - 1] = coordinate;
        }
}

/* Tells a stride in terms of the kernel's parameters. */
static const char *name_stride(const struct clopt_footprint_search *search,
                               const struct clopt_affine *stride, struct clopt_direction *direction)
{
    if (stride->count > CLOPT_MOST_STRIDE_TERMS)
        return clopt_footprint_too_many;
    for (unsigned i = 0; i < stride->count; i++) {
        struct clopt_stride_term *term = &direction->terms[direction->term_count++];
        term->number = stride->terms[i].factor;
        for (unsigned k = 0; k < CLOPT_TERM_SYMBOLS && stride->terms[i].symbols[k]; k++) {
            const struct clopt_symbol *symbol =
                &search->subscripts.symbols[stride->terms[i].symbols[k] - 1];
            term->parameters[term->count] = symbol->name ? symbol->key : NULL;
            term->expressions[term->count++] = symbol->node;
        }
    }
    return NULL;
}

static void find_box(struct clopt_footprint_candidate *candidate)
{
    struct clopt_footprint *footprint = &candidate->footprint;
    footprint->reads = 1;
    for (unsigned i = 0; i < 3 + footprint->loop_count; i++)
        footprint->reads *= (uint64_t)candidate->extents[i];
    for (unsigned d = 0; d < footprint->direction_count; d++)
        clopt_footprint_range(candidate, &candidate->access.coordinates[d],
                              &footprint->directions[d].least, &footprint->directions[d].most);
}

static bool is_same_box(const struct clopt_footprint_candidate *a,
                        const struct clopt_footprint_candidate *b)
{
    bool same = a->footprint.array == b->footprint.array && !a->footprint.reason &&
                !b->footprint.reason &&
                a->footprint.direction_count == b->footprint.direction_count &&
                a->footprint.loop_count == b->footprint.loop_count &&
                clopt_affine_equals(&a->rest, &b->rest) &&
                memcmp(a->footprint.loops, b->footprint.loops, sizeof a->footprint.loops) == 0;
    for (unsigned d = 0; same && d < a->footprint.direction_count; d++)
        same = clopt_affine_equals(&a->strides[d], &b->strides[d]);
    return same;
}

/* Adds a footprint for a candidate to join. */
static void add_footprint(struct clopt_footprint_search *search,
                          const struct clopt_footprint_candidate *candidate)
{
    struct clopt_footprints *found = search->found;
    clopt_array_grow(&found->items, found->count, sizeof *found->items);
    clopt_array_grow(&search->firsts, found->count, sizeof *search->firsts);
    search->firsts[found->count] = *candidate;
    found->items[found->count] = candidate->footprint;
    found->items[found->count++].reads = 0;
}

/* Joins a candidate with the footprint whose box it shares, or makes it one. */
static void add_candidate(struct clopt_footprint_search *search,
                          const struct clopt_footprint_candidate *candidate)
{
    size_t i = 0;
    while (i < search->found->count && !is_same_box(candidate, &search->firsts[i]))
        i++;
    if (i == search->found->count)
        add_footprint(search, candidate);
    struct clopt_footprint *footprint = &search->found->items[i];
    struct clopt_footprint_access *access =
        clopt_array_add(&footprint->accesses, &footprint->access_count, sizeof *access);
    *access = candidate->access;
    footprint->reads += candidate->footprint.reads;
    for (unsigned d = 0; d < footprint->direction_count; d++) {
        struct clopt_direction *box = &footprint->directions[d];
        const struct clopt_direction *own = &candidate->footprint.directions[d];
        box->least = own->least < box->least ? own->least : box->least;
        box->most = own->most > box->most ? own->most : box->most;
    }
}

static const char *find_candidate(const struct clopt_footprint_search *search,
                                  const struct clopt_subscript *subscript,
                                  struct clopt_footprint_candidate *candidate)
{
    struct clopt_footprint *footprint = &candidate->footprint;
    *candidate = (struct clopt_footprint_candidate){.footprint = {.array = subscript->array},
                                                    .access = {.node = subscript->node}};
    if (!subscript->array)
        return "what it points to is unknown";
    if (subscript->width != 1)
        return "it reads a vector by vload";
    const char *reason = clopt_footprint_read(search, subscript, candidate);
    for (unsigned d = 0; d < footprint->direction_count && !reason; d++)
        clopt_footprint_split(candidate, d, search->part->rows);
    sort_directions(candidate);
    for (unsigned d = 0; d < footprint->direction_count && !reason; d++)
        reason = name_stride(search, &candidate->strides[d], &footprint->directions[d]);
    find_box(candidate);
    return reason;
}

/* ---- what is read wholly ---- */

/* Whether an access reaches a corner of a box: the most in the directions whose bits are set, else
 * the least. What moves in two directions must move towards the corner in both. */
static bool reaches(const struct clopt_footprint_candidate *first, unsigned directions,
                    const struct clopt_footprint_access *access, const struct clopt_box *box,
                    unsigned corner)
{
    int signs[CLOPT_MOST_ITERATORS] = {0};
    for (unsigned d = 0; d < directions; d++) {
        bool far = corner >> d & 1;
        int64_t least, most;
        clopt_footprint_range(first, &access->coordinates[d], &least, &most);
        if (far ? most != box->most[d] : least != box->least[d])
            return false;
        for (unsigned i = 0; i < CLOPT_MOST_ITERATORS; i++) {
            int64_t factor = access->coordinates[d].factors[i];
            int sign = !factor ? 0 : (factor > 0) == far ? 1 : -1;
            if (sign && signs[i] && sign != signs[i])
                return false;
            signs[i] = sign ? sign : signs[i];
        }
    }
    return true;
}

static bool has(const uint32_t *set, size_t access)
{
    return !set || *set >> access & 1;
}

/* Whether the accesses of a set (NULL: all) read the corners of the box around them, so that all of
 * it lies in the buffer. */
static bool are_whole(const struct clopt_footprint_candidate *first,
                      const struct clopt_footprint *footprint, const uint32_t *set,
                      struct clopt_box *box)
{
    unsigned directions = footprint->direction_count;
    for (unsigned d = 0; d < directions; d++) {
        box->least[d] = INT64_MAX;
        box->most[d] = INT64_MIN;
        for (size_t i = 0; i < footprint->access_count; i++) {
            int64_t least, most;
            clopt_footprint_range(first, &footprint->accesses[i].coordinates[d], &least, &most);
            if (has(set, i) && least < box->least[d])
                box->least[d] = least;
            if (has(set, i) && most > box->most[d])
                box->most[d] = most;
        }
    }
    for (unsigned corner = 0; corner < 1u << directions; corner++) {
        bool reached = false;
        for (size_t i = 0; i < footprint->access_count; i++)
            reached |=
                has(set, i) && reaches(first, directions, &footprint->accesses[i], box, corner);
        if (!reached)
            return false;
    }
    return true;
}

/* Finds as few boxes as joining them by twos leaves; false where there are too many, or an access
 * alone is in none. */
static bool find_boxes(const struct clopt_footprint_candidate *first,
                       struct clopt_footprint *footprint)
{
    uint32_t sets[MOST_JOINED], both;
    size_t count = footprint->access_count;
    struct clopt_box box;
    if (are_whole(first, footprint, NULL, &footprint->boxes[0]))
        return (footprint->box_count = 1);
    if (count > MOST_JOINED)
        return false;
    for (size_t i = 0; i < count; i++)
        sets[i] = UINT32_C(1) << i;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++) {
            both = sets[i] | sets[j];
            if (!are_whole(first, footprint, &both, &box))
                continue;
            sets[i] = both;
            sets[j] = sets[--count];
            i = j = 0; /* the larger one may join others */
        }
    bool whole = count <= CLOPT_MOST_BOXES;
    for (size_t i = 0; i < count && whole; i++)
        whole = are_whole(first, footprint, &sets[i], &footprint->boxes[i]);
    footprint->box_count = (unsigned)count;
    return whole;
}

/* ---- whether an access is made by all ---- */

/* Whether the body of a loop is executed, or a strip of it is, and each of its iterations wholly.
 */
static bool is_executed(const struct clopt_node *loop, const struct clopt_node *strip)
{
    bool some = loop->kind == CLOPT_NODE_DO || loop == strip || clopt_trip_count(loop) > 0;
    return some && !clopt_loop_find_jump(loop, CLOPT_NODE_BREAK) &&
           !clopt_loop_find_jump(loop, CLOPT_NODE_CONTINUE);
}

/* Whether all that execute a part make an access in every iteration; `strip`: the part is a loop of
 * which a strip is meant. If the part is the kernel's body, returns in other statements of it are
 * left to the caller. */
static bool is_certain(const struct clopt_node *part, const struct clopt_node *access, bool strip)
{
    const struct clopt_node *child = access, *top = part;
    for (const struct clopt_node *node = access->parent; child != part && node;
         child = node, node = node->parent) {
        if (clopt_node_chooses(node, child) ||
            (clopt_node_is_loop(node) && !is_executed(node, strip ? part : NULL)))
            return false;
        if (node == part && !part->parent)
            top = child;
    }
    return !clopt_node_find(top, CLOPT_NODE_RETURN) &&
           !clopt_node_find_effect(clopt_node_function(part), CLOPT_EFFECT_GOTO);
}

/* ---- coordinates of which only every so many are read ---- */

/* What all factors of a direction, and all distances between its accesses, are multiples of. */
static int64_t find_divisor(const struct clopt_footprint *footprint, unsigned d)
{
    int64_t divisor = 0;
    for (size_t a = 0; a < footprint->access_count; a++) {
        const struct clopt_coordinate *coordinate = &footprint->accesses[a].coordinates[d];
        for (unsigned i = 0; i < CLOPT_MOST_ITERATORS; i++)
            divisor = clopt_greatest_divisor(divisor, coordinate->factors[i]);
        divisor = clopt_greatest_divisor(divisor, coordinate->offset -
                                                      footprint->accesses[0].coordinates[d].offset);
    }
    return divisor ? divisor : 1;
}

/* Makes a stride longer where no access is between, so that the box holds what is read alone. */
static void lengthen(struct clopt_footprint *footprint, unsigned d)
{
    struct clopt_direction *box = &footprint->directions[d];
    int64_t divisor = find_divisor(footprint, d), least = box->least;
    box->most = (box->most - least) / divisor;
    box->least = 0;
    for (unsigned i = 0; i < box->term_count; i++)
        box->terms[i].number *= divisor;
    for (size_t a = 0; a < footprint->access_count; a++) {
        struct clopt_coordinate *coordinate = &footprint->accesses[a].coordinates[d];
        for (unsigned i = 0; i < CLOPT_MOST_ITERATORS; i++)
            coordinate->factors[i] /= divisor;
        coordinate->offset = (coordinate->offset - least) / divisor;
    }
}

/* ---- all accesses ---- */

static void find_all(struct clopt_footprint_search *search)
{
    struct clopt_footprints *found = search->found;
    for (size_t i = 0; i < search->subscripts.access_count; i++) {
        const struct clopt_subscript *subscript = &search->subscripts.accesses[i];
        struct clopt_footprint_candidate candidate;
        if (subscript->access != CLOPT_READ ||
            !clopt_node_contains(search->part->node, subscript->node))
            continue;
        const char *reason = find_candidate(search, subscript, &candidate);
        if (!reason &&
            !is_certain(search->part->node, subscript->node, candidate.footprint.is_strip))
            reason = "not all that come here read it in each iteration";
        candidate.footprint.reason = reason;
        add_candidate(search, &candidate);
    }
    for (size_t i = 0; i < found->count; i++) {
        struct clopt_footprint *footprint = &found->items[i];
        footprint->elements = 1;
        if (!footprint->reason)
            clopt_footprint_align(&search->firsts[i], footprint);
        for (unsigned d = 0; d < footprint->direction_count && !footprint->reason; d++) {
            lengthen(footprint, d);
            footprint->elements *=
                (uint64_t)(footprint->directions[d].most - footprint->directions[d].least + 1);
        }
        if (!footprint->reason && !find_boxes(&search->firsts[i], footprint))
            footprint->reason =
                "corners of the box that holds all elements are not read, and may be outside";
    }
}

void clopt_footprints_find(const struct clopt_footprint_part *part,
                           struct clopt_footprints *footprints)
{
    struct clopt_footprint_search search = {.part = part, .found = footprints};
    *footprints = (struct clopt_footprints){0};
    clopt_subscripts_find(part->source, part->local, &search.subscripts);
    find_all(&search);
    clopt_subscripts_fini(&search.subscripts);
    free(search.firsts);
}

void clopt_footprints_fini(struct clopt_footprints *footprints)
{
    for (size_t i = 0; i < footprints->count; i++)
        free(footprints->items[i].accesses);
    free(footprints->items);
    *footprints = (struct clopt_footprints){0};
}
