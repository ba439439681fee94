/* SPDX-License-Identifier: BSD-3-Clause */
/* The routines of conf/meg in plain C: -DEVAL, -DGRAD or -DHESSE says which; -DREAL=double in
 * double precision. With OpenMP they use all processors or -DTHREADS=N, and vectors; those of the
 * rows of eval and grad in single precision are intrinsics with -DAVX. With -DTOUCH each thread
 * writes what it will read first, which says whose memory that is. */
#include <rival.h>

#include <tgmath.h>

#ifdef AVX
#include <immintrin.h>
#endif
#ifdef THREADS
#include <omp.h>
#endif

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

/* The product of two vectors. */
#ifdef AVX
__attribute__((target("avx,fma"))) static real multiply(const real *a, const real *b, size_t count)
{
    __m256 sums[4] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(),
                      _mm256_setzero_ps()};
    float lanes[8], sum = 0;
    size_t j = 0;
    for (; j + 32 <= count; j += 32)
        for (size_t i = 0; i < 4; i++)
            sums[i] = _mm256_fmadd_ps(_mm256_loadu_ps(a + j + 8 * i),
                                      _mm256_loadu_ps(b + j + 8 * i), sums[i]);
    _mm256_storeu_ps(
        lanes, _mm256_add_ps(_mm256_add_ps(sums[0], sums[1]), _mm256_add_ps(sums[2], sums[3])));
    for (size_t i = 0; i < 8; i++)
        sum += lanes[i];
    for (; j < count; j++)
        sum += a[j] * b[j];
    return sum;
}
#else
static real multiply(const real *a, const real *b, size_t count)
{
    real sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t j = 0; j < count; j++)
        sum += a[j] * b[j];
    return sum;
}
#endif

/* What each row has of the first sum, and its factor h. */
static void make_rows(const struct problem *problem)
{
#pragma omp parallel for
    for (size_t i = 0; i < problem->rows; i++) {
        const real *row = problem->l + i * problem->k;
#if defined HESSE
        real sum = 0, change = 0;
#pragma omp simd reduction(+ : sum, change)
        for (size_t j = 0; j < problem->k; j++) {
            sum += row[j] * problem->x[j];
            change += row[j] * problem->y[j];
        }
        problem->h[i] = p * (p - 1) * pow(fabs(sum - problem->b[i]), p - 2) * change;
#else
        real residual = multiply(row, problem->x, problem->k) - problem->b[i];
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

/* What the processor must have, and how many threads there are. */
static void prepare(void)
{
#ifdef AVX
    if (!__builtin_cpu_supports("avx") || !__builtin_cpu_supports("fma"))
        rival_fail("this processor has no AVX with FMA", "avx");
#endif
#ifdef THREADS
    omp_set_num_threads(THREADS);
#endif
}

/* The matrix, each row where the thread is that reads it. */
static const real *place(const struct problem *problem, const real *l)
{
#ifdef TOUCH
    real *placed = malloc(problem->rows * problem->k * sizeof *placed);
    if (!placed)
        rival_fail("no memory", "rival");
#pragma omp parallel for
    for (size_t i = 0; i < problem->rows; i++)
        memcpy(placed + i * problem->k, l + i * problem->k, problem->k * sizeof *placed);
    return placed;
#else
    (void)problem;
    return l;
#endif
}

int main(int argc, char **argv)
{
    struct rival rival = rival_begin(argc, argv);
    prepare();
    struct problem problem = {.rows = (size_t)rival_integer(&rival, "rows", 0),
                              .k = (size_t)rival_integer(&rival, "k", 0)};
    problem.l = place(&problem, rival_input(&rival, "l", NULL));
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
