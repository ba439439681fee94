/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives an application the fastest known variant of a kernel, and how that is launched: what
 * `clopt export STORE --wisdom FILE` wrote. No clopt program is needed then. */
#pragma once

#include <clopt/ndrange.h>

struct clopt_wisdom;
struct clopt_winner;

/* Objects of OpenCL, as CL/cl.h has them. */
struct _cl_context;
struct _cl_device_id;
struct _cl_command_queue;
struct _cl_kernel;
struct _cl_event;

/* Which kernel, and where it is launched. */
struct clopt_wanted {
    const char *kernel;  /* its name */
    const char *source;  /* of the application's program; NULL: not compared. Files that it
                            includes are read where its options have them, and compared, too */
    const char *options; /* with which that is built; NULL: not compared */
    const char *device;  /* as CL_DEVICE_NAME */
    size_t global[3];    /* of the launch, by which ranges of sizes have winners of their own */
    const char *family;  /* by clopt_wisdom_family(): siblings' winners count, too; NULL: not */

    /* Of the launch, too, as for clopt_winner_map(): a winner that fits is preferred then. */
    unsigned dimensions; /* 0: these three are not known */
    const size_t *local;
    const int64_t *integers;
};

/* How a winner is launched in the place of a launch of the kernel. */
struct clopt_winner_launch {
    size_t global[3], local[3];
    size_t added_count; /* of arguments that it takes after those of the kernel: a ulong each, */
    uint64_t added[CLOPT_MOST_ADDED];
    bool zeroed[CLOPT_MOST_ADDED]; /* or, where this is true, a buffer of so many bytes */
};

/* Such a buffer is filled with zeros when it is made, and each launch leaves in it what the next
 * one of this winner needs, whatever its size. Launches that may run at the same time, as those of
 * several queues or of one out of order do, need a buffer each. */

/* Reads a file of winners; the caller closes it. CLOPT_INVALID: another file, of a newer clopt, no
 * regular one, over 64 MiB, neither root's nor the effective user's, or one that others may write
 * to: its kernels get the rights of the process. Any number of threads may use what was read. */
CLOPT_API enum clopt_status clopt_wisdom_open(const char *path, struct clopt_wisdom **wisdom,
                                              struct clopt_error *error);
CLOPT_API void clopt_wisdom_close(struct clopt_wisdom *wisdom);

/* Names the family of a device: the nearest sibling's winners stand in for missing ones. Compare
 * those with the kernel itself, on this device: nobody has measured what they do there. */
#define CLOPT_FAMILY_SIZE 320
CLOPT_API void clopt_wisdom_family(struct _cl_device_id *device, char family[CLOPT_FAMILY_SIZE]);

/* Finds the winner of a kernel, which belongs to the wisdom: of those for its size, or else nearest
 * to it, the fastest one that fits the launch, or where none does, or the launch is not known, the
 * fastest one. NULL: none faster than the kernel is known. No launch but those of the layer fits a
 * winner that has a buffer in another layout: it is found only where there are no others. */
CLOPT_API const struct clopt_winner *clopt_wisdom_find(const struct clopt_wisdom *wisdom,
                                                       const struct clopt_wanted *wanted);

/* Return a winner's name in reports, its device, its source, the options to build that with; and
 * the expected loss at sizes that were not measured, as a share of the best one's time: NaN is
 * unknown. */
CLOPT_API const char *clopt_winner_name(const struct clopt_winner *winner);
CLOPT_API const char *clopt_winner_device(const struct clopt_winner *winner);
CLOPT_API const char *clopt_winner_source(const struct clopt_winner *winner);
CLOPT_API const char *clopt_winner_options(const struct clopt_winner *winner);
CLOPT_API double clopt_winner_loss(const struct clopt_winner *winner);

/* Maps a launch of the kernel; `local` may be NULL, as for clEnqueueNDRangeKernel(). `integers` has
 * a value for each of the kernel's arguments, of which those are looked at that are integers; NULL:
 * they are not known, and no winner fits that asks something of them. Returns NULL, or why this
 * launch does not fit: then the kernel itself has to be launched. The caller sees to it that no two
 * buffers of a launch share memory. */
CLOPT_API const char *clopt_winner_map(const struct clopt_winner *winner, unsigned dimensions,
                                       const size_t *global, const size_t *local,
                                       const int64_t *integers, struct clopt_winner_launch *launch);

/* Builds a winner, or loads what an earlier process has built for this device and driver, from
 * the folder winners of its cache. The caller sets arguments as the kernel's, and releases it. */
CLOPT_API enum clopt_status clopt_winner_build(const struct clopt_winner *winner,
                                               struct _cl_context *context,
                                               struct _cl_device_id *device,
                                               struct _cl_kernel **kernel,
                                               struct clopt_error *error);

/* Launches a winner that was built for a launch of the kernel, whose global and local sizes and
 * `integers` (as above) these are, and sets what it has in addition: `arguments` counts those of
 * the kernel; a buffer of zeros is made for each launch, and released after it. `event` may be
 * NULL. CLOPT_INFEASIBLE: this launch does not fit, and why. */
CLOPT_API enum clopt_status clopt_winner_launch(
    const struct clopt_winner *winner, struct _cl_command_queue *queue, struct _cl_kernel *kernel,
    unsigned arguments, const int64_t *integers, const struct clopt_ndrange *range,
    struct _cl_event **event, struct clopt_error *error);
