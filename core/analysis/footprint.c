/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds footprints: joins accesses that share a box, and checks that all of it is read. */
#include <clopt/footprint.h>

#include <stdlib.h>
#include <string.h>

#include "analysis/footprint_parts.h"
#include "base/text.h"

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
static void sort_directions(struct clopt_footprint_candidate *candidate)
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
static const char *name_length(const struct clopt_footprint_search *search,
                               const struct clopt_form *length, struct clopt_direction *direction)
{
    if (length->count > CLOPT_MOST_LENGTH)
        return clopt_footprint_too_many;
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
static void find_range(const struct clopt_footprint_candidate *candidate,
                       const struct clopt_steps *steps, int64_t *least, int64_t *most)
{
    *least = *most = steps->offset;
    for (unsigned i = 0; i < CLOPT_MOST_STEPS; i++) {
        int64_t step = i < 3 ? steps->items[i] : steps->loops[i - 3];
        if (step)
            *(step < 0 ? least : most) += step * (candidate->extents[i] - 1);
    }
}

static void find_box(const struct clopt_footprint_search *search,
                     struct clopt_footprint_candidate *candidate)
{
    struct clopt_footprint *footprint = &candidate->footprint;
    footprint->reads = search->local[0] * search->local[1] * search->local[2];
    for (unsigned i = 0; i < footprint->loop_count; i++)
        footprint->reads *= (uint64_t)candidate->extents[3 + i];
    for (unsigned d = 0; d < footprint->direction_count; d++)
        find_range(candidate, &candidate->access.steps[d], &footprint->directions[d].least,
                   &footprint->directions[d].most);
}

static bool is_same_box(const struct clopt_footprint_candidate *a,
                        const struct clopt_footprint_candidate *b)
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
static bool add_candidate(struct clopt_footprint_search *search,
                          const struct clopt_footprint_candidate *candidate)
{
    struct clopt_footprints *found = search->found;
    size_t i = 0;
    while (i < found->count && !is_same_box(candidate, &search->firsts[i]))
        i++;
    if (i == found->count) {
        struct clopt_footprint *items = realloc(found->items, (i + 1) * sizeof *items);
        found->items = items ? items : found->items;
        struct clopt_footprint_candidate *firsts =
            realloc(search->firsts, (i + 1) * sizeof *firsts);
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

static const char *find_candidate(const struct clopt_footprint_search *search,
                                  const struct clopt_subscript *subscript,
                                  struct clopt_footprint_candidate *candidate)
{
    *candidate = (struct clopt_footprint_candidate){.footprint = {.array = subscript->array},
                                                    .access = {.node = subscript->node}};
    if (!subscript->array)
        return "it is not known what it points to";
    if (subscript->width != 1)
        return "it reads a vector by vload";
    const char *reason = clopt_footprint_read(search, &subscript->form, candidate);
    for (unsigned d = 0; d < candidate->footprint.direction_count && !reason; d++)
        clopt_footprint_split(candidate, d);
    sort_directions(candidate);
    for (unsigned d = 0; d < candidate->footprint.direction_count && !reason; d++)
        reason = name_length(search, &candidate->lengths[d], &candidate->footprint.directions[d]);
    find_box(search, candidate);
    return reason;
}

/* ---- whether a box is read wholly ---- */

/* Whether an access reaches a corner: the most in the directions whose bits are set, else the
 * least. What makes steps in two directions must be for both or against both. */
static bool reaches(const struct clopt_footprint_candidate *first,
                    const struct clopt_footprint *footprint,
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
static bool is_whole(const struct clopt_footprint_candidate *first,
                     const struct clopt_footprint *footprint)
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

/* ---- whether an access is made by all ---- */

/* Whether a child of a node is evaluated only where the node's condition says so. */
static bool is_chosen(const struct clopt_node *node, const struct clopt_node *child)
{
    switch (node->kind) {
    case CLOPT_NODE_IF:
    case CLOPT_NODE_SWITCH:
        return child != node->condition;
    case CLOPT_NODE_CONDITIONAL:
        return child != node->children[0];
    case CLOPT_NODE_BINARY:
        return child != node->children[0] &&
               (clopt_node_is_operator(node, "&&") || clopt_node_is_operator(node, "||"));
    default:
        return false;
    }
}

/* Whether the body of a loop is executed, and each of its iterations wholly. */
static bool is_executed(const struct clopt_node *loop)
{
    bool some = loop->kind == CLOPT_NODE_DO || clopt_footprint_iterations(loop) > 0;
    return some && !clopt_loop_find_jump(loop, CLOPT_NODE_BREAK) &&
           !clopt_loop_find_jump(loop, CLOPT_NODE_CONTINUE);
}

/* Whether all that execute a part make an access in every iteration. If the part is the kernel's
 * body, returns in other statements of it are left to the caller. */
static bool is_certain(const struct clopt_node *part, const struct clopt_node *access)
{
    const struct clopt_node *child = access, *top = part;
    for (const struct clopt_node *node = access->parent; child != part && node;
         child = node, node = node->parent) {
        if (is_chosen(node, child) || (clopt_node_is_loop(node) && !is_executed(node)))
            return false;
        if (node == part && !part->parent)
            top = child;
    }
    return !clopt_node_find(top, CLOPT_NODE_RETURN) && !clopt_node_find(top, CLOPT_NODE_GOTO);
}

/* ---- steps that only every so many are taken of ---- */

static uint64_t common(uint64_t a, int64_t b)
{
    uint64_t other = b < 0 ? -(uint64_t)b : (uint64_t)b;
    while (other) {
        uint64_t rest = a % other;
        a = other;
        other = rest;
    }
    return a;
}

/* What all steps of a footprint in a direction, and all distances between them, are multiples of.
 */
static int64_t find_stride(const struct clopt_footprint *footprint, unsigned d)
{
    uint64_t stride = 0;
    for (size_t a = 0; a < footprint->access_count; a++) {
        const struct clopt_steps *steps = &footprint->accesses[a].steps[d];
        for (unsigned i = 0; i < CLOPT_MOST_STEPS; i++)
            stride = common(stride, i < 3 ? steps->items[i] : steps->loops[i - 3]);
        stride = common(stride, steps->offset - footprint->accesses[0].steps[d].offset);
    }
    return stride ? (int64_t)stride : 1;
}

/* Makes steps longer where no access is between them, so that the box holds what is read alone. */
static void lengthen(struct clopt_footprint *footprint, unsigned d)
{
    struct clopt_direction *box = &footprint->directions[d];
    int64_t stride = find_stride(footprint, d), least = box->least;
    box->most = (box->most - least) / stride;
    box->least = 0;
    for (unsigned i = 0; i < box->term_count; i++)
        box->terms[i].number *= stride;
    for (size_t a = 0; a < footprint->access_count; a++) {
        struct clopt_steps *steps = &footprint->accesses[a].steps[d];
        for (unsigned i = 0; i < CLOPT_MOST_STEPS; i++)
            *(i < 3 ? &steps->items[i] : &steps->loops[i - 3]) /= stride;
        steps->offset = (steps->offset - least) / stride;
    }
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

static enum clopt_status find_all(struct clopt_footprint_search *search, struct clopt_error *error)
{
    struct clopt_footprints *found = search->found;
    for (size_t i = 0; i < search->subscripts.access_count; i++) {
        const struct clopt_subscript *subscript = &search->subscripts.accesses[i];
        struct clopt_footprint_candidate candidate;
        if (subscript->access != CLOPT_READ || !clopt_node_contains(search->part, subscript->node))
            continue;
        const char *reason = find_candidate(search, subscript, &candidate);
        if (!reason && !is_certain(search->part, subscript->node))
            reason = "not all that come here read it in each iteration";
        if (reason)
            refuse(found, subscript->node, reason);
        else if (!add_candidate(search, &candidate))
            return clopt_fail_memory(error);
    }
    size_t whole = 0;
    for (size_t i = 0; i < found->count; i++) {
        struct clopt_footprint *footprint = &found->items[i];
        footprint->elements = 1;
        for (unsigned d = 0; d < footprint->direction_count; d++) {
            lengthen(footprint, d);
            footprint->elements *=
                (uint64_t)(footprint->directions[d].most - footprint->directions[d].least + 1);
        }
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
    struct clopt_footprint_search search = {
        .source = source, .part = part, .local = local, .found = footprints};
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
