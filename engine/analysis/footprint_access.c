/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads subscripts for footprints: sorts their terms by what moves them, and how far. */

#include "analysis/footprint_parts.h"
#include "analysis/trip.h"
#include "number/number.h"

/* What moves this much further than all that moves less has a direction of its own, but for short
 * distances: those of merged work-items, whose other elements others read. */
#define LEAST_JUMP     2
#define SHORT_DISTANCE 32

/* ---- terms ---- */

static const char not_affine[] =
    "its index is not a sum of work-items, iterations and what is the same for all";
const char clopt_footprint_too_many[] = "its index has too many terms";

static bool is_parameter(const struct clopt_footprint_search *search,
                         const struct clopt_variable *variable)
{
    return variable->is_parameter && !variable->is_pointer &&
           variable->function == search->part->source->kernel && !variable->changed;
}

/* Whether an expression has the same value everywhere in the kernel. */
static bool is_fixed(const struct clopt_footprint_search *search, const struct clopt_node *node)
{
    bool known = node->known || clopt_node_asks_size(node);
    if (known || node->kind == CLOPT_NODE_VARIABLE)
        return known || is_parameter(search, node->variable);
    if (node->kind != CLOPT_NODE_BINARY && node->kind != CLOPT_NODE_PAREN &&
        node->kind != CLOPT_NODE_CAST)
        return false;
    for (size_t i = 0; i < node->child_count; i++)
        if (!is_fixed(search, node->children[i]))
            return false;
    return true;
}

static bool is_factor(const struct clopt_footprint_search *search,
                      const struct clopt_symbol *symbol)
{
    if (symbol->kind != CLOPT_SYMBOL_UNIFORM)
        return false;
    return symbol->name ? is_parameter(search, symbol->key)
                        : symbol->node && is_fixed(search, symbol->node);
}

/* The number of a loop of the part among the iterators; CLOPT_MOST_ITERATORS: there are too many.
 */
static unsigned loop_of(const struct clopt_footprint_search *search,
                        struct clopt_footprint_candidate *candidate, const struct clopt_node *loop)
{
    struct clopt_footprint *footprint = &candidate->footprint;
    unsigned i = 0;
    while (i < footprint->loop_count && footprint->loops[i] != loop)
        i++;
    if (i == footprint->loop_count && i < CLOPT_FOOTPRINT_LOOPS) {
        int64_t count = clopt_trip_count(loop);
        footprint->is_strip = !count && loop == search->part->node && search->part->strip;
        candidate->extents[3 + i] = footprint->is_strip ? search->part->strip : count;
        footprint->loops[footprint->loop_count++] = loop;
    }
    return 3 + i;
}

static bool is_named(const struct clopt_footprint_search *search, const struct clopt_affine *affine)
{
    for (unsigned s = 1; s <= search->subscripts.symbol_count; s++)
        if (clopt_affine_has(affine, s) && !is_factor(search, &search->subscripts.symbols[s - 1]))
            return false;
    return true;
}

/* Takes out of an index what a symbol multiplies, if that is an iterator. */
static const char *take_iterator(const struct clopt_footprint_search *search,
                                 struct clopt_footprint_candidate *candidate, unsigned number)
{
    const struct clopt_symbol *symbol = &search->subscripts.symbols[number - 1];
    bool item = symbol->kind == CLOPT_SYMBOL_ITEM;
    if (!clopt_affine_has(&candidate->rest, number) ||
        (!item && (symbol->kind != CLOPT_SYMBOL_LOOP ||
                   !clopt_node_contains(search->part->node, symbol->key))))
        return NULL;
    unsigned iterator = item ? symbol->number : loop_of(search, candidate, symbol->key);
    if (iterator == CLOPT_MOST_ITERATORS)
        return clopt_footprint_too_many;
    if (!candidate->extents[iterator])
        return "how often a loop iterates is not known, and work-items may not begin parts of it "
               "together";
    struct clopt_affine *coefficient = &candidate->coefficients[iterator];
    if (!clopt_affine_take(&candidate->rest, number, coefficient) || !is_named(search, coefficient))
        return not_affine;
    if (candidate->extents[iterator] == 1) /* it is 0: it moves nothing */
        *coefficient = (struct clopt_affine){0};
    return NULL;
}

/* Divides a form by the greatest number that divides all of it, which is returned; its first term
 * becomes positive. */
static int64_t divide_by_content(struct clopt_affine *affine)
{
    int64_t content = 0;
    for (unsigned i = 0; i < affine->count; i++)
        content = clopt_greatest_divisor(content, affine->terms[i].factor);
    if (affine->terms[0].factor < 0)
        content = -content;
    for (unsigned i = 0; i < affine->count; i++)
        affine->terms[i].factor /= content;
    return content;
}

/* Tells apart the directions, by their strides. */
static const char *find_directions(struct clopt_footprint_candidate *candidate)
{
    unsigned *count = &candidate->footprint.direction_count;
    for (unsigned i = 0; i < CLOPT_MOST_ITERATORS; i++) {
        struct clopt_affine stride = candidate->coefficients[i];
        if (!stride.count)
            continue;
        int64_t factor = divide_by_content(&stride);
        unsigned d = 0;
        while (d < *count && !clopt_affine_equals(&candidate->strides[d], &stride))
            d++;
        if (d == CLOPT_MOST_DIRECTIONS)
            return clopt_footprint_too_many;
        if (d == *count)
            candidate->strides[(*count)++] = stride;
        candidate->access.coordinates[d].factors[i] = factor;
    }
    return NULL;
}

/* Takes out of the rest what is a multiple of a direction's stride: n + 4 of them by its n, a
 * number by that of single elements. */
static void find_offsets(struct clopt_footprint_candidate *candidate)
{
    for (unsigned numbers = 0; numbers < 2; numbers++)
        for (unsigned d = 0; d < candidate->footprint.direction_count; d++) {
            const struct clopt_affine *stride = &candidate->strides[d];
            const struct clopt_term *term = &stride->terms[stride->count - 1];
            const struct clopt_affine *rest = &candidate->rest;
            if ((term->symbols[0] == 0) != (numbers == 1))
                continue;
            for (unsigned i = 0; i < rest->count; i++) {
                if (memcmp(rest->terms[i].symbols, term->symbols, sizeof term->symbols) != 0)
                    continue;
                int64_t times = rest->terms[i].factor / term->factor;
                candidate->access.coordinates[d].offset = times;
                clopt_affine_add(&candidate->rest, stride, -times);
                break;
            }
        }
}

const char *clopt_footprint_read(const struct clopt_footprint_search *search,
                                 const struct clopt_subscript *subscript,
                                 struct clopt_footprint_candidate *candidate)
{
    const struct clopt_affine *affine = &subscript->affine;
    const char *reason = NULL;
    unsigned loops = subscript->loops; /* of the part: the outer ones have the lower bits */
    for (const struct clopt_node *at = search->part->node->parent; at; at = at->parent)
        loops &= clopt_node_is_loop(at) ? loops - 1 : loops;
    for (unsigned d = 0; d < 3; d++)
        candidate->extents[d] = (int64_t)search->part->local[d];
    candidate->rest = *affine;
    for (unsigned i = 0; i < affine->count; i++)
        for (unsigned k = 0; k < CLOPT_TERM_SYMBOLS && affine->terms[i].symbols[k] && !reason; k++)
            reason = take_iterator(search, candidate, affine->terms[i].symbols[k]);
    if (!reason &&
        clopt_affine_depends(&search->subscripts, &candidate->rest) & (CLOPT_DEPENDS_ITEMS | loops))
        reason = not_affine;
    if (!reason)
        reason = find_directions(candidate);
    if (!reason)
        find_offsets(candidate);
    return reason;
}

/* ---- coordinates of one direction that are far apart ---- */

/* The shortest distance that is longer than all shorter ones together, and divides all longer ones;
 * 0: there is none. */
static int64_t find_jump(const struct clopt_footprint_candidate *candidate,
                         const struct clopt_coordinate *coordinate, bool rows)
{
    int64_t jump = 0;
    for (unsigned i = 0; i < CLOPT_MOST_ITERATORS; i++) {
        int64_t distance = llabs(coordinate->factors[i]), reach = 0;
        int64_t least = rows && i < 3 ? 1 : LEAST_JUMP;
        bool divides = distance > 1;
        for (unsigned j = 0; j < CLOPT_MOST_ITERATORS && divides; j++) {
            int64_t other = llabs(coordinate->factors[j]);
            if (other < distance)
                reach += other * (candidate->extents[j] - 1);
            else
                divides = other % distance == 0;
        }
        if (divides && distance > (reach ? least * reach : SHORT_DISTANCE) &&
            (!jump || distance < jump))
            jump = distance;
    }
    return jump;
}

static int64_t divide_nearest(int64_t value, int64_t by)
{
    int64_t half = by / 2;
    return value >= 0 ? (value + half) / by : -((-value + half) / by);
}

void clopt_footprint_split(struct clopt_footprint_candidate *candidate, unsigned index, bool rows)
{
    struct clopt_footprint *footprint = &candidate->footprint;
    struct clopt_coordinate *near = &candidate->access.coordinates[index];
    int64_t jump = find_jump(candidate, near, rows);
    if (!jump || footprint->direction_count == CLOPT_MOST_DIRECTIONS)
        return;
    unsigned other = footprint->direction_count++;
    struct clopt_coordinate *far = &candidate->access.coordinates[other];
    candidate->strides[other] = (struct clopt_affine){0};
    clopt_affine_add(&candidate->strides[other], &candidate->strides[index], jump);
    *far = (struct clopt_coordinate){.offset = divide_nearest(near->offset, jump)};
    near->offset -= far->offset * jump;
    for (unsigned i = 0; i < CLOPT_MOST_ITERATORS; i++)
        if (llabs(near->factors[i]) >= jump) {
            far->factors[i] = near->factors[i] / jump;
            near->factors[i] = 0;
        }
}
