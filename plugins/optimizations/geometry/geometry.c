/* SPDX-License-Identifier: BSD-3-Clause */
/* geometry: how many work-items there are, and how they form work-groups. */
#include <clopt/clopt.h>

#include <errno.h>

#include "coarsen.h"
#include "guard.h"

static const struct clopt_parameter parameters[] = {
    {.name = "block_size",
     .type = CLOPT_INTEGER,
     .help = "size of the tiles that the app works on; its values are the app's",
     .knob = true},
    {.name = "local_size",
     .type = CLOPT_TEXT,
     .help = "work-items of a work-group, one number a dimension: 64, 16x4, 8x8x4; a third that is"
             " left out is 1"},
    {.name = "granularity",
     .type = CLOPT_INTEGER,
     .legal = "pow2 1..32",
     .initial = "1",
     .help = "work-items whose work one work-item does",
     .suggest = "2, 4"},
    {.name = "dimension",
     .type = CLOPT_INTEGER,
     .legal = "0..2",
     .initial = "0",
     .help = "dimension of the NDRange along which granularity merges work-items",
     .with = "granularity"},
    {.name = "merge",
     .type = CLOPT_TEXT,
     .legal = "items, groups",
     .initial = "items",
     .help = "whether granularity merges work-items of a work-group or whole neighbouring"
             " work-groups",
     .with = "granularity"},
    {.name = "stride",
     .type = CLOPT_INTEGER,
     .legal = "1..32",
     .initial = "1",
     .help = "distance of the work-items that granularity merges; more than 1 leaves neighbours"
             " neighbours",
     .with = "granularity",
     .without = "merge"},
    {.name = "group_loop",
     .type = CLOPT_INTEGER,
     .legal = "pow2 1..65536",
     .initial = "1",
     .help = "neighbouring work-groups whose work one does, one after the other in a loop"},
    {.name = "pairs",
     .type = CLOPT_BOOLEAN,
     .initial = "no",
     .help = "whether work-group (x, y) does the work of (y, x) as well, for kernels that read a"
             " matrix and what is transposed of it"},
    {.name = "serial",
     .type = CLOPT_TEXT,
     .legal = "no, yes",
     .initial = "no",
     .help = "one work-item does the work of its whole work-group, after it was merged: loops over"
             " its work-items, with what they stage in between, in place of barriers"},
    {.name = NULL},
};

/* The local size that a study asks for. */
struct local_size {
    unsigned dimensions;
    size_t sizes[3];
};

/* Parses `64`, `16x4` or `8x8x4`. */
static enum clopt_status parse_local_size(const char *text, struct local_size *local,
                                          struct clopt_error *error)
{
    const char *rest = text;
    for (local->dimensions = 0; local->dimensions < 3;) {
        char *end;
        errno = 0;
        unsigned long size = *rest >= '1' && *rest <= '9' ? strtoul(rest, &end, 10) : 0;
        if (size == 0 || errno != 0 || size > UINT32_MAX)
            break;
        local->sizes[local->dimensions++] = size;
        if (*end == '\0')
            return CLOPT_OK;
        if (*end != 'x')
            break;
        rest = end + 1;
    }
    return clopt_fail(error, CLOPT_INVALID,
                      "local_size = %s: not one to three numbers, such as 64 or 16x4", text);
}

static struct clopt_merge get_coarsening(const struct clopt_values *values)
{
    return (struct clopt_merge){
        .factor = (unsigned)clopt_values_integer(values, "granularity"),
        .dimension = (unsigned)clopt_values_integer(values, "dimension"),
        .stride = (unsigned)clopt_values_integer(values, "stride"),
        .groups = strcmp(clopt_values_text(values, "merge"), "groups") == 0,
    };
}

static bool is_serial(const struct clopt_values *values)
{
    return strcmp(clopt_values_text(values, "serial"), "yes") == 0;
}

/* Reads and checks the parameter local_size; `dimensions` is 0 where it has no value. It may be
 * more than a device takes, since merging leaves a part of it. */
static enum clopt_status get_local_size(const struct clopt_transform *transform,
                                        const struct clopt_values *values, struct local_size *local,
                                        struct clopt_error *error)
{
    *local = (struct local_size){0};
    const char *text = clopt_values_text(values, "local_size");
    if (!text)
        return CLOPT_OK;
    CLOPT_TRY(parse_local_size(text, local, error));
    if (!transform->any_local_size)
        return clopt_fail(error, CLOPT_INFEASIBLE,
                          "local_size = %s: %s works with its own work-groups only", text,
                          transform->kernel);
    const struct clopt_ndrange *ndrange = transform->ndrange;
    if (ndrange && ndrange->dimensions == 3 && local->dimensions == 2)
        local->sizes[local->dimensions++] = 1; /* the third counts planes, or problems */
    if (ndrange && ndrange->dimensions != local->dimensions)
        return clopt_fail(error, CLOPT_INFEASIBLE,
                          "local_size = %s: has %u dimensions, the NDRange of %s has %u", text,
                          local->dimensions, transform->kernel, ndrange->dimensions);
    return clopt_transform_check_local_size(transform, local->sizes, error);
}

/* ---- local sizes that do not divide the global size ---- */

/* Whether launches are checked to have no more work-items in a dimension than an argument says. */
static bool is_covered(const struct clopt_transform *transform, unsigned dimension)
{
    for (size_t i = 0; i < transform->change.multiple_count; i++)
        if (transform->change.multiples[i].covers == dimension + 1)
            return true;
    return false;
}

/* Refuses a local size to which the global size is rounded up where the kernel would work on what
 * is not there. */
static enum clopt_status check_rounded(const struct clopt_transform *transform,
                                       const struct local_size *local, struct clopt_error *error)
{
    const struct clopt_ndrange *initial = &transform->initial;
    for (unsigned d = 0; d < local->dimensions && d < initial->dimensions; d++)
        if (initial->global[d] % local->sizes[d] && !is_covered(transform, d) &&
            !guard_find(transform, d))
            return clopt_fail(error, CLOPT_INFEASIBLE,
                              "the local size %zu does not divide the global size %zu in dimension "
                              "%u, and %s does not test its index there, as in if "
                              "(get_global_id(%u) < n)",
                              local->sizes[d], initial->global[d], d, transform->kernel, d);
    return CLOPT_OK;
}

static enum clopt_status check(const struct clopt_transform *transform,
                               const struct clopt_values *values, struct clopt_error *error)
{
    struct local_size local;
    CLOPT_TRY(get_local_size(transform, values, &local, error));
    struct clopt_merge request = get_coarsening(values);
    CLOPT_TRY(coarsen_check_dimension(transform, &request, error));
    if (is_serial(values) && transform->device && strcmp(transform->device->type, "gpu") == 0)
        return clopt_fail(error, CLOPT_INFEASIBLE,
                          "serial = yes: one work-item of a group would leave a GPU idle");
    if (request.factor == 1)
        return CLOPT_OK;
    /* A new local size, of this step or one before, is not in the NDRange yet. */
    return transform->any_local_size ? CLOPT_OK : coarsen_check(transform, &request, error);
}

static enum clopt_status apply(struct clopt_transform *transform, const struct clopt_values *values,
                               struct clopt_error *error)
{
    struct local_size local;
    CLOPT_TRY(get_local_size(transform, values, &local, error));
    CLOPT_TRY(check_rounded(transform, &local, error));
    struct clopt_ndrange_change change = {.local_size = {0}};
    for (unsigned d = 0; d < local.dimensions; d++)
        change.local_size[d] = local.sizes[d];
    CLOPT_TRY(clopt_transform_change_ndrange(transform, &change, error));
    struct clopt_merge request = get_coarsening(values);
    unsigned groups = (unsigned)clopt_values_integer(values, "group_loop");
    if (is_serial(values))
        CLOPT_TRY(serial_apply(transform, &request, error));
    else if (request.factor > 1) {
        request.whole =
            !request.groups && request.stride == 1 &&
            clopt_transform_has_local_size(transform, request.dimension, request.factor);
        CLOPT_TRY(coarsen_apply(transform, &request, error));
    }
    if (clopt_values_integer(values, "pairs"))
        CLOPT_TRY(pairs_apply(transform, error));
    return groups > 1 ? group_loop_apply(transform, groups, error) : CLOPT_OK;
}

/* Work-groups are made before loops and buffers are looked at; rows of a matrix are merged when
 * neighbours have become vectors, then these. */
static const struct clopt_search_section search[] = {
    {1, ""}, /* after what loops do first */
    {1, "local_size = 1, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8x8, 16x16, 32x8, 32x32, 64x1, "
        "64x4, "
        "64x8,"
        " 64x16, 64x64, 128x1, 128x8, 128x16, 128x32, 128x128, 256x128, 256x256, 32x16, 4x64, "
        "8x64, 8x8x4,"
        " 16x8x8, 16x16x8, 64x8x2, 64x4x4, 64x16x4, 64x16x8, 64x8x8, 16x16x16\n"
        "granularity = 1, 2, 4, 8\n"
        "dimension = 0, 1, 2\n"
        "stride = 1, 8, 16, 32\n"
        "group_loop = 1, 16, 64, 256, 1024, 65536\n"},
    {1, "granularity = 1, 2, 4, 8\n"
        "dimension = 1\n" /* of one dimension, in that */
        "stride = 1, 8, 16\n"
        "waits: serial = no, yes\n"},
    {2, "granularity = 1, 2, 4, 8\n"
        "dimension = 0, 2\n"
        "serial = no, yes\n"
        "pairs = no, yes\n"},
    {0, NULL},
};

static const struct clopt_optimization optimization = {
    .parameters = parameters,
    .check = check,
    .apply = apply,
    .search = search,
};

CLOPT_OPTIMIZATION_PLUGIN("geometry", "number and grouping of work-items", &optimization);
