/* SPDX-License-Identifier: BSD-3-Clause */
/* The gradient z of what eval.cl computes, together with that, in three kernels: what columns have
 * of z by themselves, the factor h of each row, and z + l^T h. With WIDTH above 1 they are those
 * that were vectorized by hand. */
#ifndef REAL
#define REAL float
#endif
#ifndef WIDTH /* elements of a vector: 1, 4, 8 or 16 */
#define WIDTH 1
#endif
#ifndef VECTORS /* that a work-item of grad_dense_2 makes at once */
#define VECTORS 1
#endif

typedef REAL real;

#if WIDTH == 1

__kernel void grad_sparse(__global const real *x, __global real *sparse, __global real *z,
                          real lambda, real p)
{
    int j = get_global_id(0);
    real term = lambda * x[j];
    real power = pow(fabs(term), p - 1);
    sparse[j] = power * fabs(term);
    z[j] = p * lambda * copysign(power, term);
}

__kernel void grad_dense_1(__global const real *l, __global const real *x, __global const real *b,
                           __global real *dense, __global real *h, real p, int k)
{
    int i = get_global_id(0);
    real sum = 0;
    for (int j = 0; j < k; j++)
        sum += l[i * k + j] * x[j];
    real residual = sum - b[i];
    real power = pow(fabs(residual), p - 1);
    dense[i] = power * fabs(residual);
    h[i] = p * copysign(power, residual);
}

__kernel void grad_dense_2(__global const real *l, __global const real *h, __global real *z,
                           int rows, int k)
{
    int j = get_global_id(0);
    real sum = z[j];
    for (int i = 0; i < rows; i++)
        sum += h[i] * l[i * k + j];
    z[j] = sum;
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

__kernel void grad_sparse(__global const real *x, __global real *sparse, __global real *z,
                          real lambda, real p)
{
    int j = get_global_id(0);
    VECTOR term = lambda * LOAD(j, x);
    VECTOR power = pow(fabs(term), (VECTOR)(p - 1));
    STORE(power * fabs(term), j, sparse);
    STORE(p * lambda * copysign(power, term), j, z);
}

__kernel void grad_dense_1(__global const real *l, __global const real *x, __global const real *b,
                           __global real *dense, __global real *h, real p, int k)
{
    int i = get_global_id(0);
    VECTOR sum = 0;
    for (int j = 0; j < k / WIDTH; j++)
        sum += LOAD(j, l + i * k) * LOAD(j, x);
    real residual = add(sum) - b[i];
    real power = pow(fabs(residual), p - 1);
    dense[i] = power * fabs(residual);
    h[i] = p * copysign(power, residual);
}

__kernel void grad_dense_2(__global const real *l, __global const real *h, __global real *z,
                           int rows, int k)
{
    int first = get_global_id(0) * VECTORS;
    VECTOR sums[VECTORS];
    for (int v = 0; v < VECTORS; v++)
        sums[v] = LOAD(first + v, z);
    for (int i = 0; i < rows; i++)
        for (int v = 0; v < VECTORS; v++)
            sums[v] += h[i] * LOAD(first + v, l + i * k);
    for (int v = 0; v < VECTORS; v++)
        STORE(sums[v], first + v, z);
}

#endif
