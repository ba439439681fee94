/* SPDX-License-Identifier: BSD-3-Clause */
/* @kernel@: which of its variants a device wants, and how they are launched. Written by clopt
 * @version@ (clopt export); @kernel@.json says the same for programs that are not C or C++.
 *
 * To launch what is computed over `global` work-items in work-groups of `local` before clopt rewrites
 * it: what the study launched over variant->initial_global in work-groups of variant->initial_local.
 * Macros in variant->options that the study varies may change what that is.
 *
 *   1. const struct @kernel@_variant *variant = @kernel@_choose_size(platform, device, global);
 *      by CL_PLATFORM_NAME and CL_DEVICE_NAME, and where several sizes were measured, by @kernel@_ranges;
 *      @kernel@_choose(platform, device) is that for the slowest problem. Without names (NULL), and for
 *      other devices, it is the default one.
 *   2. Build variant->source with variant->options.
 *   3. Set the kernel's arguments as they are for the initial code. Then set, after them, each of
 *      the variant->added_count others, a cl_ulong: @kernel@_added(variant, i, global, local).
 *      Where variant->added[i].zeroed is not 0, that is a buffer of so many bytes instead, which you
 *      fill with zeros once: each launch leaves in it what the next one needs. Launches that may run
 *      at the same time need a buffer each.
 *   4. See that @kernel@_fits(variant, d, local[d]) for each dimension d: for other local sizes the
 *      variant is not right. If variant->whole_groups, global[d] has to be a multiple of
 *      @kernel@_size(variant, d, local[d]). If variant->distinct_buffers, no buffer may be two of
 *      the arguments. For each of the variant->multiple_count multiples the argument, an integer that
 *      the initial code has as number `argument`, from 0, has to be a multiple of `multiple` and,
 *      unless `covers` is 0, at least global[d] rounded up to a multiple of
 *      @kernel@_size(variant, d, local[d]), where d is covers - 1; argument 101 + a dimension is
 *      global[dimension]. Unless `equals` is 0, the argument has to be that number.
 *   5. Launch it over @kernel@_global(variant, d, global[d], local[d]) work-items in work-groups
 *      of @kernel@_local(variant, d, local[d]). */
#ifndef CLOPT_EXPORT_@KERNEL@_H
#define CLOPT_EXPORT_@KERNEL@_H

#include <stddef.h>
#include <string.h>

#define @KERNEL@_DIMENSIONS @dimensions@
#define @KERNEL@_VARIANTS @variant_count@
#define @KERNEL@_DEVICES @device_count@
#define @KERNEL@_DEFAULT @default@ /* the variant for devices that are not listed */

struct @kernel@_variant {
    const char *name;
    const char *source;        /* the file */
    const char *options;       /* for clBuildProgram */
    size_t initial_global[3];  /* the NDRange that the study launched it with, */
    size_t initial_local[3];   /* which this changes: */
    size_t local_size[3];      /* replaces it; 0: it stays */
    size_t divided_items[3];   /* multiplies the number of work-groups */
    size_t merged_items[3];    /* divides local and global size */
    size_t merged_groups[3];   /* divides the number of work-groups */
    size_t local_multiple[3];  /* the local size must be a multiple of this, */
    int local_only[3];         /* or, where this is 1, be equal to it */
    int whole_groups;          /* 1: global sizes must be multiples of the local size */
    int distinct_buffers;      /* 1: no buffer may be two arguments */
    size_t local_memory_bytes; /* that it declares, for each work-group */
    size_t added_count;        /* of arguments after those of the initial code */
    struct {
        unsigned dimension;
        size_t merged;
        size_t zeroed;         /* not 0: a buffer, of so many bytes for each work-group */
    } added[8];
    size_t multiple_count;     /* of arguments of the initial code that must be multiples */
    struct {
        unsigned argument;
        unsigned multiple;
        unsigned covers;
        unsigned equals;
    } multiples[8];
};

struct @kernel@_device {
    const char *platform; /* CL_PLATFORM_NAME */
    const char *name;     /* CL_DEVICE_NAME */
    size_t variant;
};

static const struct @kernel@_variant @kernel@_variants[@KERNEL@_VARIANTS] = {
@variants@};

/* The devices that were measured, and which variant is the best of each. */
static const struct @kernel@_device @kernel@_devices[@KERNEL@_DEVICES] = {
@devices@};

static inline const struct @kernel@_variant *@kernel@_choose(const char *platform,
                                                             const char *device)
{
    for (size_t i = 0; platform && device && i < @KERNEL@_DEVICES; i++)
        if (strcmp(@kernel@_devices[i].platform, platform) == 0 &&
            strcmp(@kernel@_devices[i].name, device) == 0)
            return &@kernel@_variants[@kernel@_devices[i].variant];
    return &@kernel@_variants[@KERNEL@_DEFAULT];
}

/* For which global sizes which variant is the best, as far as several were measured: from low to high
 * in each dimension. */
struct @kernel@_range {
    size_t device; /* its number in @kernel@_devices */
    size_t low[3], high[3];
    size_t variant;
    double loss; /* expected to the best at sizes that were not measured, as a share; -1: unknown */
};

#define @KERNEL@_RANGES @range_count@
static const struct @kernel@_range @kernel@_ranges[@KERNEL@_RANGES + 1] = {
@ranges@    {0, {0, 0, 0}, {0, 0, 0}, 0, -1},
};

static inline const struct @kernel@_variant *
@kernel@_choose_size(const char *platform, const char *device, const size_t *global)
{
    for (const struct @kernel@_range *range = @kernel@_ranges;
         platform && device && range < @kernel@_ranges + @KERNEL@_RANGES; range++) {
        int in = strcmp(@kernel@_devices[range->device].platform, platform) == 0 &&
                 strcmp(@kernel@_devices[range->device].name, device) == 0;
        for (unsigned d = 0; d < @KERNEL@_DIMENSIONS && in; d++)
            in = range->low[d] <= global[d] && global[d] <= range->high[d];
        if (in)
            return &@kernel@_variants[range->variant];
    }
    return @kernel@_choose(platform, device);
}

static inline size_t @kernel@_divide_up(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

/* The local size before work-items are merged. */
static inline size_t @kernel@_size(const struct @kernel@_variant *variant, unsigned dimension,
                                   size_t local)
{
    return variant->local_size[dimension] ? variant->local_size[dimension] : local;
}

static inline int @kernel@_fits(const struct @kernel@_variant *variant, unsigned dimension,
                                size_t local)
{
    size_t size = @kernel@_size(variant, dimension, local);
    size_t multiple = variant->local_multiple[dimension];
    return size % multiple == 0 && (!variant->local_only[dimension] || size == multiple);
}

static inline size_t @kernel@_local(const struct @kernel@_variant *variant, unsigned dimension,
                                    size_t local)
{
    return @kernel@_divide_up(@kernel@_size(variant, dimension, local),
                              variant->merged_items[dimension]);
}

static inline size_t @kernel@_global(const struct @kernel@_variant *variant, unsigned dimension,
                                     size_t global, size_t local)
{
    size_t groups = @kernel@_divide_up(global, @kernel@_size(variant, dimension, local)) *
                    variant->divided_items[dimension];
    return @kernel@_divide_up(groups, variant->merged_groups[dimension]) *
           @kernel@_local(variant, dimension, local);
}

/* The value of argument number `index` of those that are added, or the bytes of a buffer. */
static inline unsigned long long @kernel@_added(const struct @kernel@_variant *variant,
                                                size_t index, const size_t *global,
                                                const size_t *local)
{
    unsigned d = variant->added[index].dimension;
    unsigned end = variant->added[index].zeroed ? @KERNEL@_DIMENSIONS : d + 1;
    size_t groups = 1;
    for (; d < end; d++)
        groups *= @kernel@_divide_up(global[d], @kernel@_size(variant, d, local[d])) *
                  variant->divided_items[d];
    if (variant->added[index].zeroed)
        return groups * variant->added[index].zeroed;
    return @kernel@_divide_up(groups, variant->added[index].merged);
}

@layouts@/* The default variant, where the initial code is launched in work-groups of @local@: its local
 * sizes, and its global sizes by those before clopt rewrites it. */
@forms@
#endif
