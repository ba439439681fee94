/* SPDX-License-Identifier: BSD-3-Clause */
/* The product z of the second derivative of what eval.cl computes and a vector y, in the three
 * steps of grad.cl. With WIDTH above 1 the kernels are those that were vectorized by hand. */
#ifndef REAL
#define REAL float
#endif
#ifndef WIDTH /* elements of a vector: 1, 4, 8 or 16 */
#define WIDTH 1
#endif
#ifndef VECTORS /* that a work-item of hesse_dense_2 makes at once */
#define VECTORS 1
#endif

typedef REAL real;

#if WIDTH == 1

__kernel void hesse_sparse(__global const real *x, __global const real *y, __global real *z,
                           real lambda, real p)
{
    int j = get_global_id(0);
    real power = pow(fabs(lambda * x[j]), p - 2);
    z[j] = p * (p - 1) * lambda * lambda * power * y[j];
}

__kernel void hesse_dense_1(__global const real *l, __global const real *x, __global const real *y,
                            __global const real *b, __global real *h, real p, int k)
{
    int i = get_global_id(0);
    real sum_x = 0;
    real sum_y = 0;
    for (int j = 0; j < k; j++) {
        sum_x += l[i * k + j] * x[j];
        sum_y += l[i * k + j] * y[j];
    }
    h[i] = p * (p - 1) * pow(fabs(sum_x - b[i]), p - 2) * sum_y;
}

__kernel void hesse_dense_2(__global const real *l, __global const real *h, __global real *z,
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

__kernel void hesse_sparse(__global const real *x, __global const real *y, __global real *z,
                           real lambda, real p)
{
    int j = get_global_id(0);
    VECTOR power = pow(fabs(lambda * LOAD(j, x)), (VECTOR)(p - 2));
    STORE(p * (p - 1) * lambda * lambda * power * LOAD(j, y), j, z);
}

__kernel void hesse_dense_1(__global const real *l, __global const real *x, __global const real *y,
                            __global const real *b, __global real *h, real p, int k)
{
    int i = get_global_id(0);
    VECTOR sum_x = 0;
    VECTOR sum_y = 0;
    for (int j = 0; j < k / WIDTH; j++) {
        VECTOR row = LOAD(j, l + i * k);
        sum_x += row * LOAD(j, x);
        sum_y += row * LOAD(j, y);
    }
    h[i] = p * (p - 1) * pow(fabs(add(sum_x) - b[i]), p - 2) * add(sum_y);
}

__kernel void hesse_dense_2(__global const real *l, __global const real *h, __global real *z,
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
