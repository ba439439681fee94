/* SPDX-License-Identifier: BSD-3-Clause */
/* The relative residual of L*U - A, and factors by a serial program.
 *
 * The product L*U is never made: that would take as long as the decomposition. Instead, L*(U*x) is
 * compared with A*x in double precision, for random vectors x, in one pass over the factors.
 *
 * What a row's residual is compared with. An element of L*U is a sum of up to n products l*u, and
 * rounding leaves an error in it that is about u = 2^-24 times the size of those products. Errors
 * are as good as independent, so over a row they add up as squares do, and the residual of row i is
 * compared with
 *
 *     s_i = sqrt(sum over k, j of (l_ik u_kj x_j)^2 + (sum over k, j of |l_ik u_kj x_j|)^2 / n)
 *
 * The first term holds where a few products are large, the second where many of equal size add up;
 * where L and U grow, because nothing was pivoted, both grow with them.
 *
 * The bound is 8 sqrt(n) u. The partial sums of an element are rounded up to n times, so sqrt(n) u
 * is what independent errors give, and 8 keeps the largest of n rows below it. The theorem's bound
 * (Higham, Accuracy and Stability of Numerical Algorithms, 2002, 9.3: |L*U - A| <= n u |L| |U|)
 * would pass a kernel that forgets a whole block; this one does not: see tests/apps/lud_parts.c.
 *
 * Why half of each vector is 0. A diagonal element is n times as large as its neighbours, and so is
 * its rounding error, in which theirs would drown. The vectors come in pairs, each element being
 * +1 or -1 in one vector of a pair and 0 in the other: one of them sees a row without its diagonal
 * element. */
#include "check.h"

#include <float.h>
#include <math.h>

/* Up to here the serial program takes no time worth speaking of. */
#define MOST_REFERENCE_ROWS 512

/* Vectors have their own streams of the seed, after those of the rows. */
#define VECTOR_STREAM LUD_MOST_ROWS

static void make_vectors(struct lud_products *vectors, size_t size, uint64_t seed)
{
    struct clopt_random random = clopt_random_seed(seed, VECTOR_STREAM);
    for (size_t row = 0; row < size; row++) {
        uint64_t bits = clopt_random_next(&random);
        vectors[row] = (struct lud_products){0};
        for (size_t pair = 0; pair < LUD_VECTORS; pair += 2, bits >>= 2) {
            size_t chosen = pair + (bits & 1);
            vectors[row].plain[chosen] = bits & 2 ? 1 : -1;
            vectors[row].absolute[chosen] = vectors[row].squared[chosen] = 1;
        }
    }
}

/* Adds the product of elements `from` to `to` of a row with the vectors. */
static void add_products(struct lud_products *sum, const float *row,
                         const struct lud_products *vectors, size_t from, size_t to)
{
    struct lud_products total = *sum;
    for (size_t j = from; j < to; j++) {
        double plain = (double)row[j];
        double absolute = fabs(plain);
        double squared = plain * plain;
        for (size_t v = 0; v < LUD_VECTORS; v++) {
            total.plain[v] += plain * vectors[j].plain[v];
            total.absolute[v] += absolute * vectors[j].absolute[v];
            total.squared[v] += squared * vectors[j].squared[v];
        }
    }
    *sum = total;
}

/* Factors a matrix in double precision, as the textbook does. */
static enum clopt_status factor(double *a, size_t n, struct clopt_error *error)
{
    for (size_t k = 0; k < n; k++) {
        if (a[k * n + k] == 0 || !isfinite(a[k * n + k]))
            return clopt_fail(error, CLOPT_INVALID,
                              "pivot %zu is %g: the matrix has no LU decomposition without "
                              "exchanging rows; exchange rows before",
                              k + 1, a[k * n + k]);
        for (size_t i = k + 1; i < n; i++) {
            double l = a[i * n + k] /= a[k * n + k];
            for (size_t j = k + 1; j < n; j++)
                a[i * n + j] -= l * a[k * n + j];
        }
    }
    return CLOPT_OK;
}

static enum clopt_status make_reference(struct lud_check *check, struct clopt_error *error)
{
    const struct lud_matrix *matrix = check->matrix;
    size_t n = matrix->stride; /* the continuation takes part, so that all can be compared */
    CLOPT_FREED double *a = clopt_calloc(n * n, sizeof *a);
    check->reference = clopt_calloc(n * n, sizeof *check->reference);
    for (size_t i = 0; i < n * n; i++)
        a[i] = (double)matrix->elements[i];
    CLOPT_TRY(factor(a, n, error));
    for (size_t i = 0; i < n * n; i++)
        check->reference[i] = (float)a[i];
    return CLOPT_OK;
}

enum clopt_status lud_check_init(struct lud_check *check, const struct lud_matrix *matrix,
                                 uint64_t seed, struct clopt_error *error)
{
    size_t n = matrix->size;
    *check = (struct lud_check){.matrix = matrix};
    check->vectors = clopt_calloc(n, sizeof *check->vectors);
    check->product = clopt_calloc(n, sizeof *check->product);
    check->upper = clopt_calloc(n, sizeof *check->upper);
    check->residuals = clopt_calloc(n, sizeof *check->residuals);
    make_vectors(check->vectors, n, seed);
#pragma omp parallel for
    for (size_t row = 0; row < n; row++)
        add_products(&check->product[row], matrix->elements + row * matrix->stride, check->vectors,
                     0, n);
    return n <= MOST_REFERENCE_ROWS ? make_reference(check, error) : CLOPT_OK;
}

void lud_check_fini(struct lud_check *check)
{
    free(check->vectors);
    free(check->product);
    free(check->upper);
    free(check->residuals);
    free(check->reference);
    *check = (struct lud_check){0};
}

double lud_check_bound(const struct lud_check *check)
{
    return 8 * sqrt((double)check->matrix->size) * (double)FLT_EPSILON / 2;
}

/* Returns a row's largest residual: NaN if any is. */
static double row_residual(const struct lud_products *factors, const struct lud_products *matrix,
                           double n)
{
    double worst = 0;
    for (size_t v = 0; v < LUD_VECTORS; v++) {
        double difference = fabs(factors->plain[v] - matrix->plain[v]);
        if (difference <= n * (double)FLT_MIN)
            continue; /* nothing, or what became too small for a float */
        double absolute = factors->absolute[v];
        double relative = difference / sqrt(factors->squared[v] + absolute * absolute / n);
        if (!(relative <= worst))
            worst = relative;
        if (isnan(worst))
            break;
    }
    return worst;
}

void lud_check_rows(struct lud_check *check, struct lud_residual *residual, const float *factors,
                    size_t rows)
{
    const struct lud_matrix *matrix = check->matrix;
    size_t n = matrix->size;
    size_t first = residual->rows;
    size_t end = rows < n - first ? first + rows : n;
    factors -= first * matrix->stride;
#pragma omp parallel for
    for (size_t i = first; i < end; i++) {
        check->upper[i] = (struct lud_products){0};
        add_products(&check->upper[i], factors + i * matrix->stride, check->vectors, i, n);
    }
#pragma omp parallel for
    for (size_t i = first; i < end; i++) {
        struct lud_products product = check->upper[i]; /* the diagonal of L is 1 */
        add_products(&product, factors + i * matrix->stride, check->upper, 0, i);
        check->residuals[i] = row_residual(&product, &check->product[i], (double)n);
    }
    for (; residual->rows < end; residual->rows++) {
        double relative = check->residuals[residual->rows];
        if (isnan(residual->worst) || relative <= residual->worst)
            continue;
        residual->worst = relative;
        residual->worst_row = residual->rows;
    }
}
