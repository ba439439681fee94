/* SPDX-License-Identifier: BSD-3-Clause */
/* A launch that the layer has captured. */
#pragma once

#include <clopt/error.h>

enum clopt_captured_kind {
    CLOPT_CAPTURED_NOTHING, /* nothing is known of the argument */
    CLOPT_CAPTURED_BUFFER,  /* or an image */
    CLOPT_CAPTURED_NULL,    /* local memory, or no buffer */
    CLOPT_CAPTURED_VALUE,
    CLOPT_CAPTURED_SAMPLER,
};

struct clopt_captured_argument {
    enum clopt_captured_kind kind;
    size_t bytes;
    bool changed;         /* a buffer, by the launch */
    bool is_shared;       /* a buffer, by SVM: it may have pointers */
    uint64_t memory;      /* of a buffer: a number of the whole one, in its process, */
    size_t begin;         /* and where this part of it begins */
    unsigned char *value; /* of CLOPT_CAPTURED_VALUE */
    const char
        *text; /* as studies have it: a sampler, or channels and sizes of an image; or NULL */
};

#define CLOPT_MOST_CAPTURED_ARGUMENTS 256

struct clopt_captured {
    char *stem; /* of its files: the path without .launch */
    char *text; /* of its file, in which these are: */
    const char *kernel, *program, *device, *options;
    uint64_t order;        /* how many launches its process had begun before */
    uint64_t buffer_bytes; /* each buffer once, however many arguments it is */
    unsigned dimensions;
    size_t global[3], local[3]; /* local: 0 where it was not given */
    struct clopt_captured_argument arguments[CLOPT_MOST_CAPTURED_ARGUMENTS];
    size_t argument_count;
};

/* Reads the file of a launch into what the heap has and is all zero. CLOPT_INVALID: it is not
 * whole. */
enum clopt_status clopt_captured_read(const char *path, struct clopt_captured *launch,
                                      struct clopt_error *error);
void clopt_captured_destroy(struct clopt_captured *launch);

/* Returns the path of what was in a buffer "before" or "after", for the caller to free. */
char *clopt_captured_file(const struct clopt_captured *launch, size_t argument, const char *when);

/* Whether two buffers of launches of one process are the same memory, or the same part of it. */
bool clopt_captured_same_memory(const struct clopt_captured_argument *a,
                                const struct clopt_captured_argument *b);

/* Returns how many launches belong together from the first one on: each of the same program begins
 * right after the one before, and reads what one of these has left. At least 1. `reason` says why
 * the next one is not among them though it reads that, or is NULL. */
size_t clopt_sequence_length(const struct clopt_captured *const *launches, size_t count,
                             const char **reason);
