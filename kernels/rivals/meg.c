/* SPDX-License-Identifier: BSD-3-Clause */
/* The routines of conf/meg in plain C: -DEVAL, -DGRAD or -DHESSE says which; -DREAL=double in
 * double precision. With OpenMP they use all processors, and vectors. */
#include <rival.h>

#include <tgmath.h>

#ifndef REAL
#define REAL float
#endif

typedef REAL real;

#define BLOCK 128
static const real lambda = (real)0.1, p = (real)1.5;

struct problem {
    size_t rows, k;
    const real *l, *x, *y, *b;
    real *dense, *sparse, *h, *z;
};

/* What each column has by itself. */
static void make_sparse(const struct problem *problem)
{
#pragma omp parallel for
    for (size_t j = 0; j < problem->k; j++) {
        real term = lambda * problem->x[j];
#if defined EVAL
        problem->sparse[j] = pow(fabs(term), p);
#elif defined GRAD
        real power = pow(fabs(term), p - 1);
        problem->sparse[j] = power * fabs(term);
        problem->z[j] = p * lambda * copysign(power, term);
#else
        problem->z[j] = p * (p - 1) * lambda * lambda * pow(fabs(term), p - 2) * problem->y[j];
#endif
    }
}

/* What each row has of the first sum, and its factor h. */
static void make_rows(const struct problem *problem)
{
#pragma omp parallel for
    for (size_t i = 0; i < problem->rows; i++) {
        const real *row = problem->l + i * problem->k;
        real sum = 0;
#if defined HESSE
        real change = 0;
#pragma omp simd reduction(+ : sum, change)
        for (size_t j = 0; j < problem->k; j++) {
            sum += row[j] * problem->x[j];
            change += row[j] * problem->y[j];
        }
        problem->h[i] = p * (p - 1) * pow(fabs(sum - problem->b[i]), p - 2) * change;
#else
#pragma omp simd reduction(+ : sum)
        for (size_t j = 0; j < problem->k; j++)
            sum += row[j] * problem->x[j];
        real residual = sum - problem->b[i];
        real power = pow(fabs(residual), p - 1);
        problem->dense[i] = power * fabs(residual);
        problem->h[i] = p * copysign(power, residual);
#endif
    }
}

/* z += l^T h. */
static void add_columns(const struct problem *problem)
{
#ifdef _OPENMP
#pragma omp parallel for
    for (size_t first = 0; first < problem->k; first += BLOCK) {
        size_t count = problem->k - first < BLOCK ? problem->k - first : BLOCK;
        real *restrict z = problem->z + first;
        for (size_t i = 0; i < problem->rows; i++) {
            const real *restrict row = problem->l + i * problem->k + first;
            real h = problem->h[i];
#pragma omp simd
            for (size_t j = 0; j < count; j++)
                z[j] += h * row[j];
        }
    }
#else
    for (size_t i = 0; i < problem->rows; i++)
        for (size_t j = 0; j < problem->k; j++)
            problem->z[j] += problem->h[i] * problem->l[i * problem->k + j];
#endif
}

int main(int argc, char **argv)
{
    struct rival rival = rival_begin(argc, argv);
    struct problem problem = {.rows = (size_t)rival_integer(&rival, "rows", 0),
                              .k = (size_t)rival_integer(&rival, "k", 0)};
    problem.l = rival_input(&rival, "l", NULL);
    problem.x = rival_input(&rival, "x", NULL);
    problem.b = rival_input(&rival, "b", NULL);
    problem.h = rival_memory(problem.rows * sizeof(real));
#ifdef HESSE
    problem.y = rival_input(&rival, "y", NULL);
#else
    problem.dense = rival_result(&rival, "dense", problem.rows * sizeof(real));
    problem.sparse = rival_result(&rival, "sparse", problem.k * sizeof(real));
#endif
#ifndef EVAL
    problem.z = rival_result(&rival, "z", problem.k * sizeof(real));
#endif
    while (rival_next(&rival)) {
        rival_start(&rival);
        make_sparse(&problem);
        make_rows(&problem);
        if (problem.z)
            add_columns(&problem);
        rival_stop(&rival);
    }
    return 0;
}
