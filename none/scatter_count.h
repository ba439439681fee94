/* scatter_count: which of its variants a device wants, and how they are launched. Written by clopt
 * 0.1.0 (clopt export); scatter_count.json says the same for programs that are not C or C++.
 *
 * To launch what is computed over `global` work-items in work-groups of `local` before clopt rewrites
 * it: what the study launched over variant->initial_global in work-groups of variant->initial_local.
 * Macros in variant->options that the study varies may change what that is.
 *
 *   1. const struct scatter_count_variant *variant = scatter_count_choose_size(platform, device, global);
 *      by CL_PLATFORM_NAME and CL_DEVICE_NAME, and where several sizes were measured, by scatter_count_ranges;
 *      scatter_count_choose(platform, device) is that for the slowest problem. Without names (NULL), and for
 *      other devices, it is the default one.
 *   2. Build variant->source with variant->options.
 *   3. Set the kernel's arguments as they are for the initial code. Then set, after them, each of
 *      the variant->added_count others, a cl_ulong: scatter_count_added(variant, i, global, local).
 *   4. See that scatter_count_fits(variant, d, local[d]) for each dimension d: for other local sizes the
 *      variant is not right. If variant->whole_groups, global[d] has to be a multiple of
 *      scatter_count_size(variant, d, local[d]). If variant->distinct_buffers, no buffer may be two of
 *      the arguments. For each of the variant->multiple_count multiples the argument, an integer that
 *      the initial code has as number `argument`, from 0, has to be a multiple of `multiple` and,
 *      unless `covers` is 0, at least global[d] rounded up to a multiple of
 *      scatter_count_size(variant, d, local[d]), where d is covers - 1; argument 101 + a dimension is
 *      global[dimension]. Unless `equals` is 0, the argument has to be that number.
 *   5. Launch it over scatter_count_global(variant, d, global[d], local[d]) work-items in work-groups
 *      of scatter_count_local(variant, d, local[d]). */
#ifndef CLOPT_EXPORT_SCATTER_COUNT_H
#define CLOPT_EXPORT_SCATTER_COUNT_H

#include <stddef.h>
#include <string.h>

#define SCATTER_COUNT_DIMENSIONS 1
#define SCATTER_COUNT_VARIANTS 2
#define SCATTER_COUNT_DEVICES 1
#define SCATTER_COUNT_DEFAULT 1 /* the variant for devices that are not listed */

struct scatter_count_variant {
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
    } added[8];
    size_t multiple_count;     /* of arguments of the initial code that must be multiples */
    struct {
        unsigned argument;
        unsigned multiple;
        unsigned covers;
        unsigned equals;
    } multiples[8];
};

struct scatter_count_device {
    const char *platform; /* CL_PLATFORM_NAME */
    const char *name;     /* CL_DEVICE_NAME */
    size_t variant;
};

static const struct scatter_count_variant scatter_count_variants[SCATTER_COUNT_VARIANTS] = {
    {"initial code",
     "scatter_count-initial.cl", "",
     {262144, 1, 1}, {64, 1, 1}, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, 0, 0, 0, 0, {{0, 1}}, 0, {{0, 1, 0, 0}}},
    {"branches(guards=yes)+geometry(local_size=1,group_loop=65536)+memory(constant=all,privatise=all,window=1024)",
     "scatter_count.cl", "",
     {262144, 1, 1}, {64, 1, 1}, {1, 0, 0}, {1, 1, 1}, {1, 1, 1}, {65536, 1, 1}, {1, 1, 1}, {1, 0, 0}, 0, 1, 4096, 1, {{0, 1}}, 1, {{3, 1, 1, 0}}},
};

/* The devices that were measured, and which variant is the best of each. */
static const struct scatter_count_device scatter_count_devices[SCATTER_COUNT_DEVICES] = {
    {"Portable Computing Language", "pthread-skylake-avx512-Intel(R) Xeon(R) Processor", 1},
};

static inline const struct scatter_count_variant *scatter_count_choose(const char *platform,
                                                             const char *device)
{
    for (size_t i = 0; platform && device && i < SCATTER_COUNT_DEVICES; i++)
        if (strcmp(scatter_count_devices[i].platform, platform) == 0 &&
            strcmp(scatter_count_devices[i].name, device) == 0)
            return &scatter_count_variants[scatter_count_devices[i].variant];
    return &scatter_count_variants[SCATTER_COUNT_DEFAULT];
}

/* For which global sizes which variant is the best, as far as several were measured: from low to high
 * in each dimension. */
struct scatter_count_range {
    size_t device; /* its number in scatter_count_devices */
    size_t low[3], high[3];
    size_t variant;
    double loss; /* expected to the best at sizes that were not measured, as a share; -1: unknown */
};

#define SCATTER_COUNT_RANGES 0
static const struct scatter_count_range scatter_count_ranges[SCATTER_COUNT_RANGES + 1] = {
    {0, {0, 0, 0}, {0, 0, 0}, 0, -1},
};

static inline const struct scatter_count_variant *
scatter_count_choose_size(const char *platform, const char *device, const size_t *global)
{
    for (const struct scatter_count_range *range = scatter_count_ranges;
         platform && device && range < scatter_count_ranges + SCATTER_COUNT_RANGES; range++) {
        int in = strcmp(scatter_count_devices[range->device].platform, platform) == 0 &&
                 strcmp(scatter_count_devices[range->device].name, device) == 0;
        for (unsigned d = 0; d < SCATTER_COUNT_DIMENSIONS && in; d++)
            in = range->low[d] <= global[d] && global[d] <= range->high[d];
        if (in)
            return &scatter_count_variants[range->variant];
    }
    return scatter_count_choose(platform, device);
}

static inline size_t scatter_count_divide_up(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

/* The local size before work-items are merged. */
static inline size_t scatter_count_size(const struct scatter_count_variant *variant, unsigned dimension,
                                   size_t local)
{
    return variant->local_size[dimension] ? variant->local_size[dimension] : local;
}

static inline int scatter_count_fits(const struct scatter_count_variant *variant, unsigned dimension,
                                size_t local)
{
    size_t size = scatter_count_size(variant, dimension, local);
    size_t multiple = variant->local_multiple[dimension];
    return size % multiple == 0 && (!variant->local_only[dimension] || size == multiple);
}

static inline size_t scatter_count_local(const struct scatter_count_variant *variant, unsigned dimension,
                                    size_t local)
{
    return scatter_count_divide_up(scatter_count_size(variant, dimension, local),
                              variant->merged_items[dimension]);
}

static inline size_t scatter_count_global(const struct scatter_count_variant *variant, unsigned dimension,
                                     size_t global, size_t local)
{
    size_t groups = scatter_count_divide_up(global, scatter_count_size(variant, dimension, local)) *
                    variant->divided_items[dimension];
    return scatter_count_divide_up(groups, variant->merged_groups[dimension]) *
           scatter_count_local(variant, dimension, local);
}

/* The value of argument number `index` of those that are added. */
static inline unsigned long long scatter_count_added(const struct scatter_count_variant *variant,
                                                size_t index, const size_t *global,
                                                const size_t *local)
{
    unsigned d = variant->added[index].dimension;
    size_t groups = scatter_count_divide_up(global[d], scatter_count_size(variant, d, local[d])) *
                    variant->divided_items[d];
    return scatter_count_divide_up(groups, variant->added[index].merged);
}

/* The default variant, where the initial code is launched in work-groups of 64: its local
 * sizes, and its global sizes by those before clopt rewrites it. */
#define SCATTER_COUNT_LOCAL_0 1
static inline size_t scatter_count_global_0(size_t global)
{
    return scatter_count_global(&scatter_count_variants[1], 0, global, 64);
}

#endif
