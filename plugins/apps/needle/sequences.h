/* SPDX-License-Identifier: BSD-3-Clause */
/* The two sequences that needle aligns: made from a seed, or read from files. */
#pragma once

#include "fasta.h"
#include "scores.h"

/* The kernels count cells in int; 2^30 of them are enough (4 GiB), in whatever shape. */
#define NEEDLE_MOST_CELLS   ((size_t)1 << 30)
#define NEEDLE_MOST_LETTERS 1000000

/* The largest tile; all smaller ones divide it. */
#define NEEDLE_LARGEST_BLOCK 512

/* The largest tile in local memory; matrices are continued up to whole ones, or to larger tiles. */
#define NEEDLE_LARGEST_LOCAL 64

struct needle_sequences {
    struct fasta first; /* a row of the matrix for each of its letters */
    struct fasta second;
    struct needle_scores scores;
};

/* Makes or reads the sequences of a problem, continued up to the largest tiles, and the scores that
 * they are aligned with. What there is of them is the caller's to destroy where that fails, too. */
enum clopt_status needle_sequences_create(const struct clopt_problem *problem,
                                          struct needle_sequences *sequences,
                                          struct clopt_error *error);
void needle_sequences_destroy(struct needle_sequences *sequences);

/* Returns how many letters of a sequence tiles of `block` rows or columns look at. */
static inline size_t needle_continued(size_t length, size_t block)
{
    return clopt_round_up(length, block < NEEDLE_LARGEST_LOCAL ? NEEDLE_LARGEST_LOCAL : block);
}

/* Returns the distance of two rows of the matrix in cells. A cache line is left over, so that rows
 * of 2^n cells do not all fall into the same lines of a cache. */
static inline size_t needle_stride(size_t columns, size_t block)
{
    return needle_continued(columns, block) + 16;
}
