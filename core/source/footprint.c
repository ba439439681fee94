/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds footprints: sorts the terms of subscripts by the distance that they multiply. */
#include <clopt/footprint.h>

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "source/subscript.h"

/* Steps that are this much longer than all shorter ones together have a direction of their own, but
 * for short ones alone: those of merged work-items, whose other elements others read. */
#define LEAST_JUMP 2
#define SHORT_STEP 32

/* ---- loops ---- */

/* How many iterations a loop has, where that is a number: also from k to below k + 16; 0: not
 * known, or none. */
static int64_t count_iterations(const struct clopt_node *loop)
{
    struct clopt_trip trip;
    struct clopt_sum way, first;
    if (!clopt_trip_find(loop, NULL, &trip))
        return 0;
    if (trip.count_known)
        return trip.count;
    if (trip.step < 0 || trip.unequal || !trip.first || !clopt_sum_find(NULL, trip.bound, &way) ||
        !clopt_sum_find(NULL, trip.first, &first) || !clopt_sum_subtract(&way, &first) || way.count)
        return 0;
    int64_t distance = way.constant + trip.inclusive;
    return distance > 0 ? (distance + trip.step - 1) / trip.step : 0;
}

/* ---- one access ---- */

struct candidate;

struct search {
    const struct clopt_source *source;
    const struct clopt_node *part;
    const size_t *local;
    struct clopt_subscripts subscripts;
    struct clopt_footprints *found;
    struct candidate *firsts; /* of the footprints */
};

/* What makes steps: local identities, then loops. */
enum { CLOPT_MOST_STEPS = 3 + CLOPT_FOOTPRINT_LOOPS };

/* What is found out of one access: a footprint of its own. */
struct candidate {
    struct clopt_footprint footprint;
    struct clopt_footprint_access access;
    struct clopt_form lengths[CLOPT_MOST_DIRECTIONS]; /* of the directions' steps */
    struct clopt_form coefficients[CLOPT_MOST_STEPS]; /* what one step adds to the index */
    struct clopt_form rest;                           /* what is the same for all */
    int64_t extents[CLOPT_MOST_STEPS];                /* how many steps there are, and one */
};

static const char not_affine[] =
    "its index is not a sum of work-items, iterations and what is the same for all";
static const char too_many[] = "its index has too many terms";

static bool is_parameter(const struct search *search, const struct clopt_variable *variable)
{
    return variable->is_parameter && !variable->is_pointer &&
           variable->function == clopt_source_kernel(search->source) && !variable->changed;
}

/* Whether an expression has the same value wherever it stands in the kernel. */
static bool is_fixed(const struct search *search, const struct clopt_node *node)
{
    static const char *const sizes[] = {"get_global_size", "get_local_size", "get_num_groups"};
    bool known = node->known;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        known |= node->kind == CLOPT_NODE_CALL && strcmp(node->name, sizes[i]) == 0;
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

static bool is_factor(const struct search *search, const struct clopt_symbol *symbol)
{
    if (symbol->kind != CLOPT_SYMBOL_UNIFORM)
        return false;
    return symbol->name ? is_parameter(search, symbol->key)
                        : symbol->node && is_fixed(search, symbol->node);
}

/* The number of a loop of the part among what makes steps; CLOPT_MOST_STEPS: there are too many. */
static unsigned loop_of(struct candidate *candidate, const struct clopt_node *loop)
{
    struct clopt_footprint *footprint = &candidate->footprint;
    unsigned i = 0;
    while (i < footprint->loop_count && footprint->loops[i] != loop)
        i++;
    if (i == CLOPT_FOOTPRINT_LOOPS)
        return CLOPT_MOST_STEPS;
    if (i == footprint->loop_count) {
        candidate->extents[3 + i] = count_iterations(loop);
        footprint->loops[footprint->loop_count++] = loop;
    }
    return 3 + i;
}

/* Adds a term of the index to what it is a multiple of: a step, or the rest. */
static const char *add_term(const struct search *search, struct candidate *candidate,
                            const struct clopt_term *term)
{
    struct clopt_form product = clopt_form_constant(term->factor);
    unsigned step = CLOPT_MOST_STEPS;
    bool named = true;
    for (unsigned k = 0; k < CLOPT_TERM_SYMBOLS && term->symbols[k]; k++) {
        const struct clopt_symbol *symbol = &search->subscripts.symbols[term->symbols[k] - 1];
        bool item = symbol->kind == CLOPT_SYMBOL_ITEM;
        struct clopt_form factor = clopt_form_symbol(term->symbols[k]);
        if (item ||
            (symbol->kind == CLOPT_SYMBOL_LOOP && clopt_node_contains(search->part, symbol->key))) {
            if (step != CLOPT_MOST_STEPS)
                return not_affine;
            step = item ? symbol->number : loop_of(candidate, symbol->key);
            if (step == CLOPT_MOST_STEPS)
                return too_many;
            if (!candidate->extents[step])
                return "how often a loop iterates is not known";
            continue;
        }
        if (symbol->depends & CLOPT_DEPENDS_ITEMS)
            return not_affine;
        named &= is_factor(search, symbol);
        clopt_form_multiply(&product, &factor);
    }
    if (step != CLOPT_MOST_STEPS && !named)
        return not_affine;
    struct clopt_form *sum =
        step == CLOPT_MOST_STEPS ? &candidate->rest : &candidate->coefficients[step];
    return clopt_form_add(sum, &product, 1) ? NULL : too_many;
}

/* Divides a form by the greatest number that divides all of it, which is returned; its first term
 * becomes positive. */
static int64_t divide_by_content(struct clopt_form *form)
{
    int64_t content = 0;
    for (unsigned i = 0; i < form->count; i++)
        for (int64_t other = llabs(form->terms[i].factor); other;) {
            int64_t rest = content % other;
            content = other;
            other = rest;
        }
    if (form->terms[0].factor < 0)
        content = -content;
    for (unsigned i = 0; i < form->count; i++)
        form->terms[i].factor /= content;
    return content;
}

/* Tells apart the directions of the steps. */
static const char *find_directions(struct candidate *candidate)
{
    unsigned *count = &candidate->footprint.direction_count;
    for (unsigned i = 0; i < CLOPT_MOST_STEPS; i++) {
        struct clopt_form length = candidate->coefficients[i];
        if (!length.count)
            continue;
        int64_t steps = divide_by_content(&length);
        unsigned d = 0;
        while (d < *count && !clopt_form_equals(&candidate->lengths[d], &length))
            d++;
        if (d == CLOPT_MOST_DIRECTIONS)
            return too_many;
        if (d == *count)
            candidate->lengths[(*count)++] = length;
        *(i < 3 ? &candidate->access.steps[d].items[i] : &candidate->access.steps[d].loops[i - 3]) =
            steps;
    }
    return NULL;
}

/* Takes out of the rest what is a multiple of a direction's steps: n + 4 of them by its n, a number
 * by those of single elements. */
static void find_offsets(struct candidate *candidate)
{
    for (unsigned numbers = 0; numbers < 2; numbers++)
        for (unsigned d = 0; d < candidate->footprint.direction_count; d++) {
            const struct clopt_form *length = &candidate->lengths[d];
            const struct clopt_term *term = &length->terms[length->count - 1];
            const struct clopt_form *rest = &candidate->rest;
            if ((term->symbols[0] == 0) != (numbers == 1))
                continue;
            for (unsigned i = 0; i < rest->count; i++) {
                if (memcmp(rest->terms[i].symbols, term->symbols, sizeof term->symbols) != 0)
                    continue;
                int64_t times = rest->terms[i].factor / term->factor;
                candidate->access.steps[d].offset = times;
                clopt_form_add(&candidate->rest, length, -times);
                break;
            }
        }
}

static const char *read_form(const struct search *search, const struct clopt_form *form,
                             struct candidate *candidate)
{
    const char *reason = NULL;
    for (unsigned d = 0; d < 3; d++)
        candidate->extents[d] = (int64_t)search->local[d];
    for (unsigned i = 0; i < form->count && !reason; i++)
        reason = add_term(search, candidate, &form->terms[i]);
    if (!reason)
        reason = find_directions(candidate);
    if (!reason)
        find_offsets(candidate);
    return reason;
}

/* ---- directions of one length that are far apart ---- */

static int64_t *step_of(struct clopt_steps *steps, unsigned i)
{
    return i < 3 ? &steps->items[i] : &steps->loops[i - 3];
}

/* The shortest step that is longer than all shorter ones together, and divides all longer ones; 0:
 * there is none. */
static int64_t find_jump(const struct candidate *candidate, struct clopt_steps *steps)
{
    int64_t jump = 0;
    for (unsigned i = 0; i < CLOPT_MOST_STEPS; i++) {
        int64_t distance = llabs(*step_of(steps, i)), reach = 0;
        bool divides = distance > 1;
        for (unsigned j = 0; j < CLOPT_MOST_STEPS && divides; j++) {
            int64_t other = llabs(*step_of(steps, j));
            if (other < distance)
                reach += other * (candidate->extents[j] - 1);
            else
                divides = other % distance == 0;
        }
        if (divides && distance > (reach ? LEAST_JUMP * reach : SHORT_STEP) &&
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

/* Takes the steps of a jump and longer ones out of a direction into one of their own. */
static void split(struct candidate *candidate, unsigned index)
{
    struct clopt_footprint *footprint = &candidate->footprint;
    struct clopt_steps *near = &candidate->access.steps[index];
    int64_t jump = find_jump(candidate, near);
    if (!jump || footprint->direction_count == CLOPT_MOST_DIRECTIONS)
        return;
    unsigned other = footprint->direction_count++;
    struct clopt_steps *far = &candidate->access.steps[other];
    candidate->lengths[other] = (struct clopt_form){0};
    clopt_form_add(&candidate->lengths[other], &candidate->lengths[index], jump);
    *far = (struct clopt_steps){.offset = divide_nearest(near->offset, jump)};
    near->offset -= far->offset * jump;
    for (unsigned i = 0; i < CLOPT_MOST_STEPS; i++)
        if (llabs(*step_of(near, i)) >= jump) {
            *step_of(far, i) = *step_of(near, i) / jump;
            *step_of(near, i) = 0;
        }
}

/* ---- boxes ---- */

/* Whether steps are longer, as far as their first terms tell: those with parameters are. */
static bool is_longer(const struct clopt_form *a, const struct clopt_form *b)
{
    const struct clopt_term *x = &a->terms[a->count - 1];
    const struct clopt_term *y = &b->terms[b->count - 1];
    for (unsigned k = 0; k < CLOPT_TERM_SYMBOLS; k++)
        if ((x->symbols[k] != 0) != (y->symbols[k] != 0))
            return x->symbols[k] != 0;
    return llabs(x->factor) > llabs(y->factor);
}

/* Puts the longest steps first: those of single elements are the last. */
static void sort_directions(struct candidate *candidate)
{
    for (unsigned i = 1; i < candidate->footprint.direction_count; i++)
        for (unsigned j = i; j && is_longer(&candidate->lengths[j], &candidate->lengths[j - 1]);
             j--) {
            struct clopt_form length = candidate->lengths[j];
            struct clopt_steps steps = candidate->access.steps[j];
            candidate->lengths[j] = candidate->lengths[j - 1];
            candidate->lengths[j - 1] = length;
            candidate->access.steps[j] = candidate->access.steps[j - 1];
            candidate->access.steps[j - 1] = steps;
        }
}

/* Tells a step's length in terms of the kernel's parameters. */
static const char *name_length(const struct search *search, const struct clopt_form *length,
                               struct clopt_direction *direction)
{
    if (length->count > CLOPT_MOST_LENGTH)
        return too_many;
    for (unsigned i = 0; i < length->count; i++) {
        struct clopt_length *term = &direction->terms[direction->term_count++];
        term->number = length->terms[i].factor;
        for (unsigned k = 0; k < CLOPT_TERM_SYMBOLS && length->terms[i].symbols[k]; k++) {
            const struct clopt_symbol *symbol =
                &search->subscripts.symbols[length->terms[i].symbols[k] - 1];
            term->parameters[term->count] = symbol->name ? symbol->key : NULL;
            term->expressions[term->count++] = symbol->node;
        }
    }
    return NULL;
}

/* Finds between what numbers of steps the accesses of a group are. */
static void find_range(const struct candidate *candidate, const struct clopt_steps *steps,
                       int64_t *least, int64_t *most)
{
    *least = *most = steps->offset;
    for (unsigned i = 0; i < CLOPT_MOST_STEPS; i++) {
        int64_t step = i < 3 ? steps->items[i] : steps->loops[i - 3];
        if (step)
            *(step < 0 ? least : most) += step * (candidate->extents[i] - 1);
    }
}

static void find_box(const struct search *search, struct candidate *candidate)
{
    struct clopt_footprint *footprint = &candidate->footprint;
    footprint->reads = search->local[0] * search->local[1] * search->local[2];
    for (unsigned i = 0; i < footprint->loop_count; i++)
        footprint->reads *= (uint64_t)candidate->extents[3 + i];
    for (unsigned d = 0; d < footprint->direction_count; d++)
        find_range(candidate, &candidate->access.steps[d], &footprint->directions[d].least,
                   &footprint->directions[d].most);
}

static bool is_same_box(const struct candidate *a, const struct candidate *b)
{
    bool same = a->footprint.array == b->footprint.array &&
                a->footprint.direction_count == b->footprint.direction_count &&
                a->footprint.loop_count == b->footprint.loop_count &&
                clopt_form_equals(&a->rest, &b->rest) &&
                memcmp(a->footprint.loops, b->footprint.loops, sizeof a->footprint.loops) == 0;
    for (unsigned d = 0; same && d < a->footprint.direction_count; d++)
        same = clopt_form_equals(&a->lengths[d], &b->lengths[d]);
    return same;
}

static bool append(struct clopt_footprint *footprint, const struct clopt_footprint_access *access)
{
    struct clopt_footprint_access *accesses =
        realloc(footprint->accesses, (footprint->access_count + 1) * sizeof *accesses);
    if (!accesses)
        return false;
    footprint->accesses = accesses;
    accesses[footprint->access_count++] = *access;
    return true;
}

/* Joins a candidate with the footprint whose box it shares, or makes it one. */
static bool add_candidate(struct search *search, const struct candidate *candidate)
{
    struct clopt_footprints *found = search->found;
    size_t i = 0;
    while (i < found->count && !is_same_box(candidate, &search->firsts[i]))
        i++;
    if (i == found->count) {
        struct clopt_footprint *items = realloc(found->items, (i + 1) * sizeof *items);
        found->items = items ? items : found->items;
        struct candidate *firsts = realloc(search->firsts, (i + 1) * sizeof *firsts);
        search->firsts = firsts ? firsts : search->firsts;
        if (!items || !firsts)
            return false;
        items[found->count++] = candidate->footprint;
        firsts[i] = *candidate;
        return append(&items[i], &candidate->access);
    }
    struct clopt_footprint *footprint = &found->items[i];
    footprint->reads += candidate->footprint.reads;
    for (unsigned d = 0; d < footprint->direction_count; d++) {
        struct clopt_direction *box = &footprint->directions[d];
        const struct clopt_direction *own = &candidate->footprint.directions[d];
        box->least = own->least < box->least ? own->least : box->least;
        box->most = own->most > box->most ? own->most : box->most;
    }
    return append(footprint, &candidate->access);
}

static const char *find_candidate(const struct search *search,
                                  const struct clopt_subscript *subscript,
                                  struct candidate *candidate)
{
    *candidate = (struct candidate){.footprint = {.array = subscript->array},
                                    .access = {.node = subscript->node}};
    if (!subscript->array)
        return "it is not known what it points to";
    if (subscript->width != 1)
        return "it reads a vector by vload";
    const char *reason = read_form(search, &subscript->form, candidate);
    for (unsigned d = 0; d < candidate->footprint.direction_count && !reason; d++)
        split(candidate, d);
    sort_directions(candidate);
    for (unsigned d = 0; d < candidate->footprint.direction_count && !reason; d++)
        reason = name_length(search, &candidate->lengths[d], &candidate->footprint.directions[d]);
    find_box(search, candidate);
    return reason;
}

/* ---- whether a box is read wholly ---- */

/* Whether an access reaches a corner: the most in the directions whose bits are set, else the
 * least. What makes steps in two directions must be for both or against both. */
static bool reaches(const struct candidate *first, const struct clopt_footprint *footprint,
                    const struct clopt_footprint_access *access, unsigned corner)
{
    int signs[CLOPT_MOST_STEPS] = {0};
    for (unsigned d = 0; d < footprint->direction_count; d++) {
        const struct clopt_direction *box = &footprint->directions[d];
        const struct clopt_steps *steps = &access->steps[d];
        bool far = corner >> d & 1;
        int64_t least, most;
        find_range(first, steps, &least, &most);
        if (far ? most != box->most : least != box->least)
            return false;
        for (unsigned i = 0; i < CLOPT_MOST_STEPS; i++) {
            int64_t step = i < 3 ? steps->items[i] : steps->loops[i - 3];
            int sign = !step ? 0 : (step > 0) == far ? 1 : -1;
            if (sign && signs[i] && sign != signs[i])
                return false;
            signs[i] = sign ? sign : signs[i];
        }
    }
    return true;
}

/* Whether the corners are read, so that all of the box lies in the buffer. */
static bool is_whole(const struct candidate *first, const struct clopt_footprint *footprint)
{
    for (unsigned corner = 0; corner < 1u << footprint->direction_count; corner++) {
        size_t i = 0;
        while (i < footprint->access_count &&
               !reaches(first, footprint, &footprint->accesses[i], corner))
            i++;
        if (i == footprint->access_count)
            return false;
    }
    return true;
}

/* ---- all accesses ---- */

static void refuse(struct clopt_footprints *found, const struct clopt_node *node,
                   const char *reason)
{
    if (found->refused)
        return;
    found->refused = node;
    found->reason = reason;
}

static enum clopt_status find_all(struct search *search, struct clopt_error *error)
{
    struct clopt_footprints *found = search->found;
    for (size_t i = 0; i < search->subscripts.access_count; i++) {
        const struct clopt_subscript *subscript = &search->subscripts.accesses[i];
        struct candidate candidate;
        if (subscript->access != CLOPT_READ || !clopt_node_contains(search->part, subscript->node))
            continue;
        const char *reason = find_candidate(search, subscript, &candidate);
        if (reason)
            refuse(found, subscript->node, reason);
        else if (!add_candidate(search, &candidate))
            return clopt_fail_memory(error);
    }
    size_t whole = 0;
    for (size_t i = 0; i < found->count; i++) {
        struct clopt_footprint *footprint = &found->items[i];
        footprint->elements = 1;
        for (unsigned d = 0; d < footprint->direction_count; d++)
            footprint->elements *=
                (uint64_t)(footprint->directions[d].most - footprint->directions[d].least + 1);
        if (is_whole(&search->firsts[i], footprint)) {
            found->items[whole++] = *footprint;
            continue;
        }
        refuse(found, footprint->accesses[0].node,
               "corners of the box that holds all elements are not read, and may be outside");
        free(footprint->accesses);
    }
    found->count = whole;
    return CLOPT_OK;
}

enum clopt_status clopt_footprints_find(const struct clopt_source *source,
                                        const struct clopt_node *part, const size_t local[3],
                                        struct clopt_footprints *footprints,
                                        struct clopt_error *error)
{
    struct search search = {.source = source, .part = part, .local = local, .found = footprints};
    *footprints = (struct clopt_footprints){0};
    enum clopt_status status = clopt_subscripts_find(source, local, &search.subscripts, error);
    if (!status)
        status = find_all(&search, error);
    clopt_subscripts_fini(&search.subscripts);
    free(search.firsts);
    if (status)
        clopt_footprints_fini(footprints);
    return status;
}

void clopt_footprints_fini(struct clopt_footprints *footprints)
{
    for (size_t i = 0; i < footprints->count; i++)
        free(footprints->items[i].accesses);
    free(footprints->items);
    *footprints = (struct clopt_footprints){0};
}
