/* SPDX-License-Identifier: BSD-3-Clause */
/* How variants change the NDRange of their kernels. */
#include <clopt/rewrite.h>

#include "number/number.h"
#include "text/token.h"
#include "trial/transform.h"

enum clopt_status clopt_transform_check_local_size(const struct clopt_transform *transform,
                                                   const size_t local_size[3],
                                                   struct clopt_error *error)
{
    const struct clopt_ndrange *initial = &transform->initial;
    for (unsigned d = 0; d < initial->dimensions && transform->whole_groups; d++)
        if (local_size[d] && initial->global[d] % local_size[d])
            return clopt_fail(error, CLOPT_INFEASIBLE,
                              "local size %zu does not divide the global size %zu in dimension %u, "
                              "as %s needs it (any_local_size = dividing)",
                              local_size[d], initial->global[d], d, transform->kernel);
    return CLOPT_OK;
}

/* Adds what a change requires of the local size to what earlier steps do, which may have left no
 * choice. What was merged before has divided the local size that this step sees. */
static enum clopt_status require_local_size(struct clopt_transform *transform,
                                            const struct clopt_ndrange_change *change, unsigned d,
                                            struct clopt_error *error)
{
    struct clopt_ndrange_change *all = &transform->change;
    size_t before = clopt_ndrange_factor(all->local_multiple[d]);
    size_t multiple = clopt_ndrange_factor(change->local_multiple[d] *
                                           clopt_ndrange_factor(all->merged_items[d]));
    size_t divisor = (size_t)clopt_greatest_divisor((int64_t)before, (int64_t)multiple);
    size_t both = before / divisor * multiple;
    bool fits = !all->local_only[d] ||
                (both == before && (!change->local_size[d] || change->local_size[d] == before));
    if (!fits || (change->local_only[d] && both != multiple))
        return clopt_fail(
            error, CLOPT_INFEASIBLE,
            "an earlier step is right only where the local size is %s%zu in dimension "
            "%u",
            all->local_only[d] ? "" : "a multiple of ", before, d);
    all->local_only[d] |= change->local_only[d];
    if (both > 1 || all->local_only[d])
        all->local_multiple[d] = both;
    return CLOPT_OK;
}

/* Adds what a change requires of an argument. */
static enum clopt_status require_multiple(struct clopt_ndrange_change *all,
                                          struct clopt_argument_multiple required,
                                          struct clopt_error *error)
{
    size_t i = 0;
    while (i < all->multiple_count && (all->multiples[i].argument != required.argument ||
                                       all->multiples[i].covers != required.covers ||
                                       all->multiples[i].equals != required.equals))
        i++;
    if (i == CLOPT_MOST_MULTIPLES)
        return clopt_fail(error, CLOPT_INFEASIBLE, "more than %d arguments have to meet conditions",
                          CLOPT_MOST_MULTIPLES);
    if (i == all->multiple_count || all->multiples[i].multiple < required.multiple)
        all->multiples[i] = required;
    all->multiple_count += i == all->multiple_count;
    return CLOPT_OK;
}

/* Makes a form of the sizes that a step sees one of the sizes that the host knows, which merging
 * has divided. */
static bool undo_merging(const struct clopt_ndrange_change *all, struct clopt_affine *form)
{
    for (unsigned i = 0; i < form->count; i++)
        for (unsigned k = 0; k < CLOPT_TERM_SYMBOLS; k++) {
            unsigned symbol = form->terms[i].symbols[k];
            if (symbol < CLOPT_LAUNCH_GLOBAL)
                continue;
            bool global = symbol < CLOPT_LAUNCH_LOCAL;
            unsigned d = symbol - (global ? CLOPT_LAUNCH_GLOBAL : CLOPT_LAUNCH_LOCAL);
            int64_t divisor = (int64_t)clopt_ndrange_factor(all->merged_items[d]);
            if ((global && clopt_ndrange_factor(all->merged_groups[d]) > 1) ||
                form->terms[i].factor % divisor)
                return false;
            form->terms[i].factor /= divisor;
            if (global)
                form->terms[i].factor *= (int64_t)clopt_ndrange_factor(all->divided_items[d]);
        }
    return true;
}

static enum clopt_status add_layout(struct clopt_ndrange_change *all, struct clopt_layout layout,
                                    struct clopt_error *error)
{
    if (all->layout_count == CLOPT_MOST_LAYOUTS)
        return clopt_fail(error, CLOPT_INFEASIBLE, "more than %d buffers have another layout",
                          CLOPT_MOST_LAYOUTS);
    bool known = undo_merging(all, &layout.row);
    for (unsigned i = 0; i < layout.need_count; i++)
        known &= undo_merging(all, &layout.needs[i].form);
    if (!known)
        return clopt_fail(error, CLOPT_INFEASIBLE,
                          "layout: the rows of argument %u depend on sizes that an earlier step "
                          "has changed",
                          layout.argument);
    all->layouts[all->layout_count++] = layout;
    return CLOPT_OK;
}

/* Finds the first function but the kernel itself that calls the kernel; without length: none. */
static struct clopt_token find_caller(const char *text, const char *kernel)
{
    struct clopt_token function = {0}, last = {0};
    unsigned braces = 0, parens = 0;
    for (const char *at = text;;) {
        struct clopt_token token = clopt_token_next(&at);
        bool named = clopt_token_is(&token, "(") && last.kind == CLOPT_TOKEN_NAME;
        if (token.kind == CLOPT_TOKEN_END)
            return (struct clopt_token){0};
        if (named && braces && clopt_token_is(&last, kernel) && !clopt_token_is(&function, kernel))
            return function;
        if (named && !braces && !parens && !clopt_token_is(&last, "__attribute__"))
            function = last;
        parens += clopt_token_is(&token, "(") - clopt_token_is(&token, ")");
        braces += clopt_token_is(&token, "{") - clopt_token_is(&token, "}");
        last = token;
    }
}

/* Whether launches look otherwise, the local size aside. */
static bool changes_launches(const struct clopt_ndrange_change *change)
{
    bool changes = change->whole_groups || change->distinct_buffers || change->multiple_count ||
                   change->added_count || change->layout_count;
    for (unsigned d = 0; d < 3; d++)
        changes = changes || change->divided_items[d] || change->merged_items[d] ||
                  change->merged_groups[d] || change->local_multiple[d] || change->local_only[d];
    return changes;
}

/* What launches have to look like, callers in the program do not know. */
static enum clopt_status check_callers(const struct clopt_transform *transform,
                                       const struct clopt_ndrange_change *change,
                                       struct clopt_error *error)
{
    struct clopt_token caller = {0};
    if (changes_launches(change) && transform->source)
        caller = find_caller(transform->source, transform->kernel);
    return caller.length ? clopt_fail(error, CLOPT_INFEASIBLE,
                                      "%s is called by %.*s, which is not rewritten with it",
                                      transform->kernel, (int)caller.length, caller.text)
                         : CLOPT_OK;
}

enum clopt_status clopt_transform_change_ndrange(struct clopt_transform *transform,
                                                 const struct clopt_ndrange_change *change,
                                                 struct clopt_error *error)
{
    struct clopt_ndrange_change *all = &transform->change;
    if (clopt_transform_check_local_size(transform, change->local_size, error) ||
        check_callers(transform, change, error))
        return CLOPT_INFEASIBLE;
    for (size_t i = 0; i < change->added_count; i++) {
        struct clopt_added_argument added = change->added[i];
        if (added.rows)
            added.number += (unsigned)all->layout_count;
        else if (!added.local)
            added.merged = clopt_ndrange_factor(added.merged) *
                           clopt_ndrange_factor(all->merged_groups[added.number]);
        if (all->added_count == CLOPT_MOST_ADDED)
            return clopt_fail(
                error, CLOPT_INFEASIBLE,
                "work-groups are merged so often that the kernel would take more than "
                "%d arguments in addition",
                CLOPT_MOST_ADDED);
        all->added[all->added_count++] = added;
    }
    for (unsigned d = 0; d < 3; d++) {
        if (require_local_size(transform, change, d, error))
            return CLOPT_INFEASIBLE;
        if (change->divided_items[d] && all->merged_groups[d])
            return clopt_fail(
                error, CLOPT_INFEASIBLE,
                "work-groups are merged before, whose number is not known when work-items "
                "are divided");
        if (change->local_size[d])
            all->local_size[d] = change->local_size[d];
        if (change->divided_items[d])
            all->divided_items[d] =
                clopt_ndrange_factor(all->divided_items[d]) * change->divided_items[d];
        if (change->merged_items[d])
            all->merged_items[d] =
                clopt_ndrange_factor(all->merged_items[d]) * change->merged_items[d];
        if (change->merged_groups[d])
            all->merged_groups[d] =
                clopt_ndrange_factor(all->merged_groups[d]) * change->merged_groups[d];
        all->whole_groups |= transform->whole_groups && change->local_size[d];
    }
    for (size_t i = 0; i < change->layout_count; i++)
        if (add_layout(all, change->layouts[i], error))
            return CLOPT_INFEASIBLE;
    for (size_t i = 0; i < change->multiple_count; i++)
        if (require_multiple(all, change->multiples[i], error))
            return CLOPT_INFEASIBLE;
    all->distinct_buffers |= change->distinct_buffers;
    transform->current = clopt_ndrange_map(&transform->initial, all);
    return CLOPT_OK;
}

bool clopt_transform_has_local_size(const struct clopt_transform *transform, unsigned dimension,
                                    size_t size)
{
    const struct clopt_ndrange *ndrange = transform->ndrange;
    return ndrange && !transform->any_local_size && dimension < ndrange->dimensions &&
           ndrange->local[dimension] == size;
}
