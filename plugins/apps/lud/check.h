/* SPDX-License-Identifier: BSD-3-Clause */
/* Says whether packed factors are those of a matrix. */
#pragma once

#include "matrix.h"

/* How many random vectors probe the residual. */
#define LUD_VECTORS 4

/* A matrix times the random vectors, as it is, without signs, and with squared elements. */
struct lud_products {
    double plain[LUD_VECTORS];
    double absolute[LUD_VECTORS];
    double squared[LUD_VECTORS];
};

/* What the check of one matrix needs. */
struct lud_check {
    const struct lud_matrix *matrix;
    struct lud_products *vectors; /* one entry a row of the matrix: the vectors x themselves */
    struct lud_products *product; /* A x */
    struct lud_products *upper;   /* U x, while a check runs */
    double *residuals;            /* of each row, while a check runs */
    float *reference;             /* the factors by a serial program; NULL for a large matrix */
};

/* Prepares the check of a matrix. CLOPT_INVALID: a small matrix has no factors. */
enum clopt_status lud_check_init(struct lud_check *check, const struct lud_matrix *matrix,
                                 uint64_t seed, struct clopt_error *error);
void lud_check_fini(struct lud_check *check);

/* The residual of packed factors, row by row from the first one. */
struct lud_residual {
    size_t rows; /* looked at so far */
    double worst;
    size_t worst_row;
};

/* Goes on with the next `rows` rows of the factors, stored as those of the matrix are. */
void lud_check_rows(struct lud_check *check, struct lud_residual *residual, const float *factors,
                    size_t rows);

/* Returns the largest residual that is right. */
double lud_check_bound(const struct lud_check *check);
