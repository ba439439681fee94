/* SPDX-License-Identifier: BSD-3-Clause */
/* Masks: a kernel's last branch, which compares two identities and decides what is stored, as in
 * if (j > i) { s[at] = -INFINITY; return; }. Its sides are done by all, and the store chooses, so
 * that work-items do the same and can share what they read.
 *
 * A side that is done where i <= j, with i and j identities in two dimensions, may be done by all:
 * what it reads that does not depend on i, the work-item reads whose i is 0; what does not depend
 * on j, the one whose j is the last, if there are no more i than j, for which launches are asked.
 */
#include <clopt/coarsen.h>
#include <clopt/divergence.h>

#include "branches.h"
#include "flatten.h"

struct mask {
    struct clopt_source *source;
    const struct clopt_node *branch;
    /* By side: it is done where the identity in `small` is at most that in `large`; 3: not known.
     */
    unsigned small[2], large[2];
    const struct clopt_divergence *all;             /* what differs in a launch, */
    const struct clopt_divergence *by_dimension[3]; /* and by one dimension */
    bool
        asks[2]; /* by side: launches are asked for no more work-items in `small` than in `large` */
};

/* ---- conditions ---- */

struct comparison {
    unsigned small, large;
    unsigned parts;
};

/* Reads i <= j, or its opposite that does not hold. */
static bool read_part(void *user, const struct clopt_node *node, bool holds)
{
    struct comparison *comparison = user;
    bool same = clopt_node_is_operator(node, holds ? "<=" : ">");
    bool turned = clopt_node_is_operator(node, holds ? ">=" : "<");
    comparison->parts++;
    comparison->small = comparison->large = 3;
    if (node->kind != CLOPT_NODE_BINARY || (!same && !turned))
        return true;
    comparison->small = clopt_node_identity(node->children[turned], 32);
    comparison->large = clopt_node_identity(node->children[same], 32);
    return true;
}

static void read_side(struct mask *mask, unsigned side)
{
    struct comparison comparison = {3, 3, 0};
    clopt_condition_parts(mask->branch->condition, side == 0, read_part, &comparison);
    bool known = comparison.parts == 1 && comparison.small < 3 && comparison.large < 3 &&
                 comparison.small != comparison.large;
    mask->small[side] = known ? comparison.small : 3;
    mask->large[side] = known ? comparison.large : 3;
}

static struct clopt_divergence *find_divergence(const struct mask *mask, unsigned dimension)
{
    const struct clopt_identity identity = {
        .dimension = dimension, .local_id = true, .group_id = true, .inside = true};
    return clopt_divergence_create(mask->source, identity);
}

/* ---- sides ---- */

/* Whether work-items that differ in a dimension alone find a node at the same address in the same
 * iterations: it is in no branch but the mask. */
static bool is_alike(const struct mask *mask, const struct clopt_node *access, unsigned dimension)
{
    const struct clopt_divergence *differs = mask->by_dimension[dimension];
    struct clopt_access elements = clopt_access_of(access);
    const struct clopt_node *child = access;
    if (!elements.base || clopt_variable_diverges(differs, elements.base))
        return false;
    for (size_t i = 0; i < elements.index_count; i++)
        if (clopt_node_diverges(differs, elements.indices[i]))
            return false;
    for (const struct clopt_node *node = access->parent; node != mask->branch;
         child = node, node = node->parent) {
        bool chosen = node->kind == CLOPT_NODE_CONDITIONAL || clopt_node_is_logical(node);
        if (node->kind == CLOPT_NODE_IF || node->kind == CLOPT_NODE_SWITCH ||
            (chosen && child != node->children[0]))
            return false;
    }
    return true;
}

bool mask_is_read(struct mask *mask, const struct clopt_node *node)
{
    unsigned side = !clopt_node_contains(mask->branch->body, node);
    const struct clopt_variable *base = clopt_access_of(node).base;
    if (mask->small[side] == 3 || !base || node_writes(mask->source->kernel->body, base))
        return false;
    if (is_alike(mask, node, mask->small[side]))
        return true;
    bool alike = is_alike(mask, node, mask->large[side]);
    mask->asks[side] |= alike;
    return alike;
}

bool mask_is_common(const struct mask *mask, const struct clopt_node *loop)
{
    struct clopt_trip trip;
    return clopt_trip_find(loop, NULL, &trip) && trip.declared && !trip.unequal &&
           loop->init->kind == CLOPT_NODE_DECLARE && loop->init->child_count == 1 && trip.first &&
           !clopt_node_diverges(mask->all, trip.first) &&
           !clopt_node_diverges(mask->all, trip.bound);
}

/* ---- the kernel ---- */

/* Finds the mask at the end of the kernel, which all work-items come to. */
static const struct clopt_node *find_mask(const struct clopt_source *source)
{
    const struct clopt_node *body = source->kernel->body;
    const unsigned forbidden = CLOPT_EFFECT_ORDERED | CLOPT_EFFECT_COLLECTIVE | CLOPT_EFFECT_GOTO;
    const struct clopt_node *last =
        body->child_count ? body->children[body->child_count - 1] : NULL;
    bool found = last && last->kind == CLOPT_NODE_IF && last->otherwise &&
                 !clopt_node_find(body, CLOPT_NODE_RETURN) &&
                 !(clopt_node_effects(body) & forbidden) && !clopt_node_effects(last->condition);
    return found ? last : NULL;
}

static enum clopt_status rewrite(struct mask *mask, struct clopt_error *error)
{
    struct clopt_source *source = mask->source;
    mask->branch = find_mask(source);
    if (!mask->branch)
        return clopt_source_refuse(source, source->kernel->body, error,
                                   "masks: the kernel does not end with a branch of which each "
                                   "side stores, no loop ends at an identity, as in for (j = 0; j "
                                   "<= i; j++), and no group can do without one, as in b[x] = j > "
                                   "i ? 0 : sum");
    for (unsigned side = 0; side < 2; side++)
        read_side(mask, side);
    mask->all = find_divergence(mask, CLOPT_ANY_DIMENSION);
    for (unsigned d = 0; d < 3; d++)
        mask->by_dimension[d] = find_divergence(mask, d);
    if (!flatten_can(source, mask->branch, mask, error))
        return error->status;
    bool *flat = clopt_source_table(source, source->node_count, sizeof *flat);
    flat[mask->branch->index] = true;
    selects_rewrite(source, flat, true);
    return CLOPT_OK;
}

enum clopt_status masks_apply(struct clopt_transform *transform, struct clopt_error *error)
{
    const struct clopt_identity any = {.dimension = CLOPT_ANY_DIMENSION, .local_id = true};
    struct clopt_ndrange_change change = {.multiple_count = 0};
    struct clopt_error jumps = {0};
    CLOPT_HELD(clopt_source) source = NULL;
    CLOPT_TRY(clopt_transform_parse(transform, &source, error));
    CLOPT_TRY(clopt_returns_join(transform, &source, any, error));
    struct mask mask = {.source = source};
    enum clopt_status status = rewrite(&mask, error);
    if (status == CLOPT_INFEASIBLE) {
        bool masked;
        CLOPT_TRY(clopt_jumps_mask(transform, &source, any, &masked, &jumps));
        return masked ? clopt_transform_set_tree(transform, source, error) : status;
    }
    CLOPT_TRY(status);
    for (unsigned side = 0; side < 2; side++)
        if (mask.asks[side])
            change.multiples[change.multiple_count++] =
                (struct clopt_argument_multiple){.argument = CLOPT_LAUNCH_GLOBAL + mask.large[side],
                                                 .multiple = 1,
                                                 .covers = mask.small[side] + 1};
    CLOPT_TRY(clopt_transform_set_tree(transform, source, error));
    return clopt_transform_change_ndrange(transform, &change, error);
}
