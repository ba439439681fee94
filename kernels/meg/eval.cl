/* SPDX-License-Identifier: BSD-3-Clause */
/* Where currents flow in a brain, from what is measured outside of it, as the minimum of
 *
 *     f(x) = sum over rows of |l x - b|^p + sum over columns of |lambda x|^p
 *
 * where the matrix l has k columns. The two sums, whose terms the host adds. With WIDTH above 1 the
 * kernels are those that were vectorized by hand. */
#ifndef REAL
#define REAL float
#endif
#ifndef WIDTH /* elements of a vector: 1, 4, 8 or 16 */
#define WIDTH 1
#endif

typedef REAL real;

#if WIDTH == 1

__kernel void eval_sparse(__global const real *x, __global real *sparse, real lambda, real p)
{
    int j = get_global_id(0);
    sparse[j] = pow(fabs(lambda * x[j]), p);
}

__kernel void eval_dense(__global const real *l, __global const real *x, __global const real *b,
                         __global real *dense, real p, int k)
{
    int i = get_global_id(0);
    real sum = 0;
    for (int j = 0; j < k; j++)
        sum += l[i * k + j] * x[j];
    dense[i] = pow(fabs(sum - b[i]), p);
}

#else

#define JOINED(a, b) a##b
#define JOIN(a, b)   JOINED(a, b)
#define VECTOR       JOIN(REAL, WIDTH)
#define LOAD         JOIN(vload, WIDTH)
#define STORE        JOIN(vstore, WIDTH)

/* The sum of a vector's elements. */
real add(VECTOR v)
{
    real lanes[WIDTH];
    real sum = 0;
    STORE(v, 0, lanes);
    for (int i = 0; i < WIDTH; i++)
        sum += lanes[i];
    return sum;
}

__kernel void eval_sparse(__global const real *x, __global real *sparse, real lambda, real p)
{
    int j = get_global_id(0);
    STORE(pow(fabs(lambda * LOAD(j, x)), (VECTOR)p), j, sparse);
}

__kernel void eval_dense(__global const real *l, __global const real *x, __global const real *b,
                         __global real *dense, real p, int k)
{
    int i = get_global_id(0);
    VECTOR sum = 0;
    for (int j = 0; j < k / WIDTH; j++)
        sum += LOAD(j, l + i * k) * LOAD(j, x);
    dense[i] = pow(fabs(add(sum) - b[i]), p);
}

#endif
