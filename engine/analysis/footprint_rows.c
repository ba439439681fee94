/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets the rows of footprints begin where their boxes are the smallest. */
#include "analysis/footprint_parts.h"

#define MOST_STARTS 32 /* of rows that are tried */

void clopt_footprint_range(const struct clopt_footprint_candidate *candidate,
                           const struct clopt_coordinate *coordinate, int64_t *least, int64_t *most)
{
    *least = *most = coordinate->offset;
    for (unsigned i = 0; i < CLOPT_MOST_ITERATORS; i++) {
        int64_t factor = coordinate->factors[i];
        if (factor)
            *(factor < 0 ? least : most) += factor * (candidate->extents[i] - 1);
    }
}

/* How many shorter strides make a longer one; 0: no such number does. */
static int64_t find_ratio(const struct clopt_affine *longer, const struct clopt_affine *shorter)
{
    int64_t ratio = longer->terms[0].factor / shorter->terms[0].factor;
    struct clopt_affine rest = *longer;
    return ratio > 1 && clopt_affine_add(&rest, shorter, -ratio) && !rest.count ? ratio : 0;
}

/* Two directions of a box, of which `length` strides of the second make one of the first: a row may
 * begin at any coordinate of the second, `start`. */
struct rows {
    const struct clopt_footprint_candidate *first;
    struct clopt_footprint *footprint;
    unsigned directions[2];
    int64_t length;
};

/* Tells an access's rows and columns where rows begin at `start`. */
static void find_row(const struct rows *rows, int64_t start, const struct clopt_coordinate *from,
                     struct clopt_coordinate to[2])
{
    int64_t least, most, row;
    to[0] = from[rows->directions[0]];
    to[1] = from[rows->directions[1]];
    clopt_footprint_range(rows->first, &to[1], &least, &most);
    row = (least - start) / rows->length - ((least - start) % rows->length < 0);
    to[0].offset += row;
    to[1].offset -= row * rows->length;
}

/* Finds the box of all accesses where rows begin at `start`; returns its elements. */
static uint64_t find_rows(const struct rows *rows, int64_t start, struct clopt_direction box[2])
{
    for (unsigned k = 0; k < 2; k++) {
        box[k] = rows->footprint->directions[rows->directions[k]];
        box[k].least = INT64_MAX;
        box[k].most = INT64_MIN;
    }
    for (size_t a = 0; a < rows->footprint->access_count; a++) {
        struct clopt_coordinate own[2];
        find_row(rows, start, rows->footprint->accesses[a].coordinates, own);
        for (unsigned k = 0; k < 2; k++) {
            int64_t least, most;
            clopt_footprint_range(rows->first, &own[k], &least, &most);
            box[k].least = least < box[k].least ? least : box[k].least;
            box[k].most = most > box[k].most ? most : box[k].most;
        }
    }
    return (uint64_t)(box[0].most - box[0].least + 1) * (uint64_t)(box[1].most - box[1].least + 1);
}

static void align(const struct rows *rows)
{
    struct clopt_footprint *footprint = rows->footprint;
    struct clopt_direction *far = &footprint->directions[rows->directions[0]], box[2];
    struct clopt_direction *near = &footprint->directions[rows->directions[1]];
    uint64_t size =
        (uint64_t)(far->most - far->least + 1) * (uint64_t)(near->most - near->least + 1);
    bool found = false;
    int64_t start = 0;
    for (size_t a = 0; a < footprint->access_count && a < MOST_STARTS; a++) {
        int64_t least, most;
        clopt_footprint_range(rows->first, &footprint->accesses[a].coordinates[rows->directions[1]],
                              &least, &most);
        uint64_t own = find_rows(rows, least, box);
        found |= own < size;
        start = own < size ? least : start;
        size = own < size ? own : size;
    }
    for (size_t a = 0; a < footprint->access_count && found; a++) {
        struct clopt_coordinate *coordinates = footprint->accesses[a].coordinates, own[2];
        find_row(rows, start, coordinates, own);
        coordinates[rows->directions[0]] = own[0];
        coordinates[rows->directions[1]] = own[1];
    }
    if (found)
        find_rows(rows, start, box);
    *far = found ? box[0] : *far;
    *near = found ? box[1] : *near;
}

void clopt_footprint_align(const struct clopt_footprint_candidate *first,
                           struct clopt_footprint *footprint)
{
    for (unsigned far = 0; far < footprint->direction_count; far++)
        for (unsigned near = far + 1; near < footprint->direction_count; near++) {
            int64_t length = find_ratio(&first->strides[far], &first->strides[near]);
            const struct rows rows = {first, footprint, {far, near}, length};
            if (length)
                align(&rows);
        }
}
