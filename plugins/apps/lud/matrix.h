/* SPDX-License-Identifier: BSD-3-Clause */
/* The matrix that lud factors: made from a seed, or read from a file. */
#pragma once

#include <clopt/clopt.h>

/* The largest matrix: the kernels count elements in int, and 2^30 are enough (4 GiB). */
#define LUD_MOST_ROWS 32768

/* The largest block of the kernels; all smaller ones divide it. */
#define LUD_LARGEST_BLOCK 64

/* A square matrix, stored by rows. It is continued by an identity matrix up to a multiple of the
 * largest block, so that blocks of every size fit: the factors of the continued matrix are those of
 * the matrix itself, continued in the same way. */
struct lud_matrix {
    size_t size;
    size_t stride; /* rows and columns with the continuation */
    const float *elements;
    bool seeded; /* made from the seed: diagonally dominant */
};

/* Makes or reads the matrix of a problem. */
enum clopt_status lud_matrix_create(const struct clopt_problem *problem, struct lud_matrix *matrix,
                                    struct clopt_error *error);
void lud_matrix_destroy(struct lud_matrix *matrix);

static inline size_t lud_matrix_bytes(const struct lud_matrix *matrix)
{
    return matrix->stride * matrix->stride * sizeof(float);
}
