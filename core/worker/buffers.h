/* SPDX-License-Identifier: BSD-3-Clause */
/* The device buffers and images of an app: guarded, poisoned and restored by clopt. */
#pragma once

#include <clopt/app.h>

#include "opencl/context.h"
#include "trial/transform.h"

#define CLOPT_MAX_BUFFERS 32

/* Of a guard on each side; a multiple of every base address alignment. */
#define CLOPT_GUARD_BYTES ((size_t)4096)

/* The host copies so many bytes at a time. */
#define CLOPT_PIECE_BYTES ((size_t)16 << 20)

struct clopt_device_buffer {
    const char *name; /* NULL: not asked for */
    enum clopt_buffer_use use;
    size_t bytes;
    const void *contents;
    bool cached; /* they lie in data of clopt_cached() */
    bool filled; /* with copies of `byte` */
    unsigned char byte;
    bool is_image;
    struct clopt_image_format format; /* of an image */
    cl_mem whole;                     /* guard, data, guard */
    cl_mem data;                      /* the part that kernels get; of an image all there is */
    cl_mem pristine; /* what CLOPT_IN_OUT starts from; NULL where the host's copy is as near */
    char digest[CLOPT_HASH_SIZE]; /* of an input and its guards, as written; "": not known */
    void *pages;                  /* that an input lies in, as for clopt_pages_map(); or NULL */
    bool is_protected;            /* what writes there is noticed */
};

/* A buffer's contents in another order. */
struct clopt_duplicate {
    struct clopt_device_buffer buffer; /* name NULL: not created */
    struct clopt_layout_shape shape;
    bool holds;                   /* what the buffer is to hold */
    bool newer;                   /* and the buffer does not */
    char digest[CLOPT_HASH_SIZE]; /* of an input's, when it got that */
};

/* The buffers of one problem, shared by all variants that ask for the same ones. */
struct clopt_buffers {
    struct clopt_buffers *next; /* used less recently */
    struct clopt_context *context;
    struct clopt_error *error; /* the caller's: says why a call for these buffers has failed */
    struct clopt_device_buffer items[CLOPT_MAX_BUFFERS];
    struct clopt_duplicate duplicates[CLOPT_MAX_BUFFERS];
    size_t bytes; /* on the device, all together */
    bool damaged; /* something was written outside of a buffer: other memory may be hit, too */
    bool times_permuting, keeps_scratch; /* which is not poisoned: it may hold a state */
    double permuted_ns;                  /* that contents were permuted for, in all */
};

/* Creates what an app has asked for by clopt_buffer() and its relatives. */
enum clopt_status clopt_buffers_create(struct clopt_context *context,
                                       const struct clopt_buffers *wanted,
                                       struct clopt_buffers **buffers, struct clopt_error *error);
void clopt_buffers_destroy(struct clopt_buffers *buffers);
CLOPT_HOLDER(clopt_buffers, clopt_buffers_destroy);

/* Creates one that is not among those, and releases what one holds. */
enum clopt_status clopt_buffer_create(struct clopt_buffers *buffers,
                                      struct clopt_device_buffer *buffer);
void clopt_buffer_release(struct clopt_device_buffer *buffer);

/* Tells whether two apps, or one for two variants, have asked for the same. */
bool clopt_buffers_are_alike(const struct clopt_buffers *a, const struct clopt_buffers *b);

/* Enqueues what brings the contents back to what a run starts from. */
enum clopt_status clopt_buffers_restore(struct clopt_buffers *buffers);

/* Fills every byte that a run has to write, and the guards, with poison; sees to it that inputs
 * hold their contents, whatever an earlier run has done. */
enum clopt_status clopt_buffers_poison(struct clopt_buffers *buffers);

/* Returns the bytes of a guard, on each side of a buffer; a multiple of every alignment. */
size_t clopt_buffers_guard_bytes(const struct clopt_buffers *buffers);

/* Checks these buffers and those used less recently. CLOPT_WRONG_RESULT names one outside of which
 * something was written, or an input that was written to: inputs hold their contents again then.
 * Without `others`, of those used less recently only inputs whose pages are protected are looked
 * at, which takes no time. A device that checks accesses by itself has buffers without guards. */
enum clopt_status clopt_buffers_check(struct clopt_buffers *buffers, bool others);

/* Fills a buffer and its guards with poison, and gives it its first contents. */
enum clopt_status clopt_buffer_fill(struct clopt_buffers *buffers,
                                    struct clopt_device_buffer *buffer);

/* Whether a protected input was written to. */
bool clopt_buffer_was_hit(const struct clopt_device_buffer *buffer);

/* Gives back the memory of whole pages of mapped data; what they hold stays in their file. */
void clopt_drop_pages(const unsigned char *data, size_t bytes);

/* Copies between a part of a buffer, or a whole image, and host memory. */
enum clopt_status clopt_buffer_read(const struct clopt_buffers *buffers,
                                    const struct clopt_device_buffer *buffer, size_t offset,
                                    size_t bytes, void *destination);
enum clopt_status clopt_buffer_write(const struct clopt_buffers *buffers,
                                     const struct clopt_device_buffer *buffer, size_t offset,
                                     size_t bytes, const void *source);

/* Whether a buffer holds what a run computes. */
bool clopt_buffer_is_computed(const struct clopt_device_buffer *buffer);

/* Reports a call for a buffer that has failed (CL_SUCCESS: it has not), with the buffer's name. */
enum clopt_status clopt_buffer_check(const struct clopt_buffers *buffers,
                                     const struct clopt_device_buffer *buffer, const char *call,
                                     cl_int code);

/* ---- digests: whether a run left the same as another one, be it of another process ---- */

/* Hashes all that a run has computed: buffers and images of CLOPT_OUTPUT and CLOPT_IN_OUT. Large
 * buffers are summed up on the device, in an order that depends on its type: digests of one device
 * can be compared. The guards must be intact. */
enum clopt_status clopt_buffers_digest(const struct clopt_buffers *buffers,
                                       char digest[CLOPT_HASH_SIZE]);

/* Whether a buffer is worth it to be summed up on the device, and can be. */
bool clopt_buffer_is_large(const struct clopt_buffers *buffers,
                           const struct clopt_device_buffer *buffer);

/* Hashes a buffer; a large one with its guards. */
enum clopt_status clopt_buffer_digest(const struct clopt_buffers *buffers,
                                      const struct clopt_device_buffer *buffer,
                                      char digest[CLOPT_HASH_SIZE]);

/* ---- layouts: buffers whose elements a variant has in another order ----
 * Each gets a duplicate, between which and itself contents are permuted when a launch, or the host,
 * needs them in the other order. */

/* A launch that an app asks for, of a variant's kernel. */
struct clopt_asked_launch {
    unsigned kernel;
    const char *name;                          /* the kernel's */
    const struct clopt_ndrange *ndrange;       /* of the initial code */
    const struct clopt_ndrange_change *change; /* what the variant changes of it */
    const struct clopt_argument *arguments;
    size_t count;
};

/* Reads an argument of such a launch; false where it is no integer. */
bool clopt_asked_integer(const void *user, unsigned argument, int64_t *value);

/* Finds the layout that the variant has an argument's elements in; NULL: their own. */
const struct clopt_layout *clopt_launch_layout(const struct clopt_asked_launch *launch,
                                               size_t argument);

/* Finds out how a layout permutes the buffer of a launch over a range. CLOPT_INFEASIBLE: it is not
 * made for this launch. */
enum clopt_status clopt_layout_find(const struct clopt_buffers *buffers,
                                    const struct clopt_layout *layout,
                                    const struct clopt_asked_launch *launch,
                                    const struct clopt_ndrange *range,
                                    struct clopt_layout_shape *shape);

/* Has the duplicate of a buffer hold what that does, for a launch that may write there. */
enum clopt_status clopt_duplicate_use(struct clopt_buffers *buffers, unsigned id,
                                      const struct clopt_layout_shape *shape);

/* Sees to it that a buffer itself has what its duplicate holds. */
enum clopt_status clopt_duplicate_settle(struct clopt_buffers *buffers, unsigned id);

/* The same for all buffers. */
enum clopt_status clopt_duplicates_settle(struct clopt_buffers *buffers);

/* Forgets what a duplicate holds: the buffer has got other contents. */
void clopt_duplicate_forget(struct clopt_buffers *buffers, unsigned id);

/* ---- images ---- */

/* Computes the bytes of an image; 0 where there is no such image. */
size_t clopt_image_bytes(const struct clopt_image_format *format);

/* Creates an image; gives it its contents, or poison, once more; copies all of it. */
enum clopt_status clopt_image_create(struct clopt_buffers *buffers,
                                     struct clopt_device_buffer *image);
enum clopt_status clopt_image_fill(const struct clopt_buffers *buffers,
                                   const struct clopt_device_buffer *image);
enum clopt_status clopt_image_read(const struct clopt_buffers *buffers,
                                   const struct clopt_device_buffer *image, void *destination);
enum clopt_status clopt_image_write(const struct clopt_buffers *buffers,
                                    const struct clopt_device_buffer *image, const void *source);
