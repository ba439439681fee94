/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads subscripts for footprints: sorts their terms by what makes steps, and how long these are.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/footprint_parts.h"
#include "analysis/sum.h"

/* Steps that are this much longer than all shorter ones together have a direction of their own, but
 * for short ones alone: those of merged work-items, whose other elements others read. */
#define LEAST_JUMP 2
#define SHORT_STEP 32

/* ---- loops ---- */

int64_t clopt_footprint_iterations(const struct clopt_node *loop)
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

/* ---- terms ---- */

static const char not_affine[] =
    "its index is not a sum of work-items, iterations and what is the same for all";
const char clopt_footprint_too_many[] = "its index has too many terms";

static bool is_parameter(const struct clopt_footprint_search *search,
                         const struct clopt_variable *variable)
{
    return variable->is_parameter && !variable->is_pointer &&
           variable->function == search->source->kernel && !variable->changed;
}

/* Whether an expression has the same value everywhere in the kernel. */
static bool is_fixed(const struct clopt_footprint_search *search, const struct clopt_node *node)
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

static bool is_factor(const struct clopt_footprint_search *search,
                      const struct clopt_symbol *symbol)
{
    if (symbol->kind != CLOPT_SYMBOL_UNIFORM)
        return false;
    return symbol->name ? is_parameter(search, symbol->key)
                        : symbol->node && is_fixed(search, symbol->node);
}

/* The number of a loop of the part among what makes steps; CLOPT_MOST_STEPS: there are too many. */
static unsigned loop_of(struct clopt_footprint_candidate *candidate, const struct clopt_node *loop)
{
    struct clopt_footprint *footprint = &candidate->footprint;
    unsigned i = 0;
    while (i < footprint->loop_count && footprint->loops[i] != loop)
        i++;
    if (i == CLOPT_FOOTPRINT_LOOPS)
        return CLOPT_MOST_STEPS;
    if (i == footprint->loop_count) {
        candidate->extents[3 + i] = clopt_footprint_iterations(loop);
        footprint->loops[footprint->loop_count++] = loop;
    }
    return 3 + i;
}

/* Adds a term of the index to what it is a multiple of: a step, or the rest. */
static const char *add_term(const struct clopt_footprint_search *search,
                            struct clopt_footprint_candidate *candidate,
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
                return clopt_footprint_too_many;
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
    return clopt_form_add(sum, &product, 1) ? NULL : clopt_footprint_too_many;
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
static const char *find_directions(struct clopt_footprint_candidate *candidate)
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
            return clopt_footprint_too_many;
        if (d == *count)
            candidate->lengths[(*count)++] = length;
        *(i < 3 ? &candidate->access.steps[d].items[i] : &candidate->access.steps[d].loops[i - 3]) =
            steps;
    }
    return NULL;
}

/* Takes out of the rest what is a multiple of a direction's steps: n + 4 of them by its n, a number
 * by those of single elements. */
static void find_offsets(struct clopt_footprint_candidate *candidate)
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

const char *clopt_footprint_read(const struct clopt_footprint_search *search,
                                 const struct clopt_form *form,
                                 struct clopt_footprint_candidate *candidate)
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
static int64_t find_jump(const struct clopt_footprint_candidate *candidate,
                         struct clopt_steps *steps)
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
void clopt_footprint_split(struct clopt_footprint_candidate *candidate, unsigned index)
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
