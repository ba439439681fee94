/* red_black: which of its variants a device wants, and how they are launched. Written by clopt
 * 0.1.0 (clopt export); red_black.json says the same for programs that are not C or C++.
 *
 * To launch what is computed over `global` work-items in work-groups of `local` before clopt rewrites
 * it: what the study launched over variant->initial_global in work-groups of variant->initial_local.
 * Macros in variant->options that the study varies may change what that is.
 *
 *   1. const struct red_black_variant *variant = red_black_choose_size(platform, device, global);
 *      by CL_PLATFORM_NAME and CL_DEVICE_NAME, and where several sizes were measured, by red_black_ranges;
 *      red_black_choose(platform, device) is that for the slowest problem. Without names (NULL), and for
 *      other devices, it is the default one.
 *   2. Build variant->source with variant->options.
 *   3. Set the kernel's arguments as they are for the initial code. Then set, after them, each of
 *      the variant->added_count others, a cl_ulong: red_black_added(variant, i, global, local).
 *   4. See that red_black_fits(variant, d, local[d]) for each dimension d: for other local sizes the
 *      variant is not right. If variant->whole_groups, global[d] has to be a multiple of
 *      red_black_size(variant, d, local[d]). If variant->distinct_buffers, no buffer may be two of
 *      the arguments. For each of the variant->multiple_count multiples the argument, an integer that
 *      the initial code has as number `argument`, from 0, has to be a multiple of `multiple` and,
 *      unless `covers` is 0, at least global[d] rounded up to a multiple of
 *      red_black_size(variant, d, local[d]), where d is covers - 1; argument 101 + a dimension is
 *      global[dimension]. Unless `equals` is 0, the argument has to be that number.
 *   5. Launch it over red_black_global(variant, d, global[d], local[d]) work-items in work-groups
 *      of red_black_local(variant, d, local[d]). */
#ifndef CLOPT_EXPORT_RED_BLACK_H
#define CLOPT_EXPORT_RED_BLACK_H

#include <stddef.h>
#include <string.h>

#define RED_BLACK_DIMENSIONS 2
#define RED_BLACK_VARIANTS 2
#define RED_BLACK_DEVICES 1
#define RED_BLACK_DEFAULT 1 /* the variant for devices that are not listed */

struct red_black_variant {
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

struct red_black_device {
    const char *platform; /* CL_PLATFORM_NAME */
    const char *name;     /* CL_DEVICE_NAME */
    size_t variant;
};

static const struct red_black_variant red_black_variants[RED_BLACK_VARIANTS] = {
    {"initial code",
     "red_black-initial.cl", "",
     {512, 512, 1}, {16, 16, 1}, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, 0, 0, 0, 0, {{0, 1}}, 0, {{0, 1, 0, 0}}},
    {"variant=hand",
     "red_black.cl", "",
     {128, 512, 1}, {32, 8, 1}, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, 0, 0, 0, 0, {{0, 1}}, 0, {{0, 1, 0, 0}}},
};

/* The devices that were measured, and which variant is the best of each. */
static const struct red_black_device red_black_devices[RED_BLACK_DEVICES] = {
    {"Portable Computing Language", "pthread-skylake-avx512-Intel(R) Xeon(R) Processor", 1},
};

static inline const struct red_black_variant *red_black_choose(const char *platform,
                                                             const char *device)
{
    for (size_t i = 0; platform && device && i < RED_BLACK_DEVICES; i++)
        if (strcmp(red_black_devices[i].platform, platform) == 0 &&
            strcmp(red_black_devices[i].name, device) == 0)
            return &red_black_variants[red_black_devices[i].variant];
    return &red_black_variants[RED_BLACK_DEFAULT];
}

/* For which global sizes which variant is the best, as far as several were measured: from low to high
 * in each dimension. */
struct red_black_range {
    size_t device; /* its number in red_black_devices */
    size_t low[3], high[3];
    size_t variant;
    double loss; /* expected to the best at sizes that were not measured, as a share; -1: unknown */
};

#define RED_BLACK_RANGES 0
static const struct red_black_range red_black_ranges[RED_BLACK_RANGES + 1] = {
    {0, {0, 0, 0}, {0, 0, 0}, 0, -1},
};

static inline const struct red_black_variant *
red_black_choose_size(const char *platform, const char *device, const size_t *global)
{
    for (const struct red_black_range *range = red_black_ranges;
         platform && device && range < red_black_ranges + RED_BLACK_RANGES; range++) {
        int in = strcmp(red_black_devices[range->device].platform, platform) == 0 &&
                 strcmp(red_black_devices[range->device].name, device) == 0;
        for (unsigned d = 0; d < RED_BLACK_DIMENSIONS && in; d++)
            in = range->low[d] <= global[d] && global[d] <= range->high[d];
        if (in)
            return &red_black_variants[range->variant];
    }
    return red_black_choose(platform, device);
}

static inline size_t red_black_divide_up(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

/* The local size before work-items are merged. */
static inline size_t red_black_size(const struct red_black_variant *variant, unsigned dimension,
                                   size_t local)
{
    return variant->local_size[dimension] ? variant->local_size[dimension] : local;
}

static inline int red_black_fits(const struct red_black_variant *variant, unsigned dimension,
                                size_t local)
{
    size_t size = red_black_size(variant, dimension, local);
    size_t multiple = variant->local_multiple[dimension];
    return size % multiple == 0 && (!variant->local_only[dimension] || size == multiple);
}

static inline size_t red_black_local(const struct red_black_variant *variant, unsigned dimension,
                                    size_t local)
{
    return red_black_divide_up(red_black_size(variant, dimension, local),
                              variant->merged_items[dimension]);
}

static inline size_t red_black_global(const struct red_black_variant *variant, unsigned dimension,
                                     size_t global, size_t local)
{
    size_t groups = red_black_divide_up(global, red_black_size(variant, dimension, local)) *
                    variant->divided_items[dimension];
    return red_black_divide_up(groups, variant->merged_groups[dimension]) *
           red_black_local(variant, dimension, local);
}

/* The value of argument number `index` of those that are added. */
static inline unsigned long long red_black_added(const struct red_black_variant *variant,
                                                size_t index, const size_t *global,
                                                const size_t *local)
{
    unsigned d = variant->added[index].dimension;
    size_t groups = red_black_divide_up(global[d], red_black_size(variant, d, local[d])) *
                    variant->divided_items[d];
    return red_black_divide_up(groups, variant->added[index].merged);
}

/* The default variant, where the initial code is launched in work-groups of 32 x 8: its local
 * sizes, and its global sizes by those before clopt rewrites it. */
#define RED_BLACK_LOCAL_0 32
static inline size_t red_black_global_0(size_t global)
{
    return red_black_global(&red_black_variants[1], 0, global, 32);
}
#define RED_BLACK_LOCAL_1 8
static inline size_t red_black_global_1(size_t global)
{
    return red_black_global(&red_black_variants[1], 1, global, 8);
}

#endif
