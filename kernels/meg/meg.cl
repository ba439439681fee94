/* SPDX-License-Identifier: BSD-3-Clause */
/* Where currents flow in a brain, from what is measured outside of it: the routines of a minimum
 * p-norm solution. For the matrix l of `rows` rows and k columns, and a point x,
 *
 *     f(x) = sum over rows of |l x - b|^p + sum over columns of |lambda x|^p
 *
 * eval computes f, grad f and its gradient z, hesse the product z of its second derivative and y.
 * Dense kernels are about the first sum, sparse ones about the second; what they leave of f in the
 * arrays `dense` and `sparse` is to be added. WIDTH above 1 is the same, vectorized by hand. */
#ifndef REAL
#define REAL float
#endif
#ifndef WIDTH /* elements of a vector: 1, 4, 8 or 16 */
#define WIDTH 1
#endif
#ifndef VECTORS /* that a work-item of grad_dense_2 makes at once */
#define VECTORS 1
#endif

#if WIDTH == 1

__kernel void eval_sparse(__global const REAL *x, __global REAL *sparse, REAL lambda, REAL p)
{
    int j = get_global_id(0);
    sparse[j] = pow(fabs(lambda * x[j]), p);
}

__kernel void eval_dense(__global const REAL *l, __global const REAL *x, __global const REAL *b,
                         __global REAL *dense, REAL p, int k)
{
    int i = get_global_id(0);
    REAL sum = 0;
    for (int j = 0; j < k; j++)
        sum += l[i * k + j] * x[j];
    dense[i] = pow(fabs(sum - b[i]), p);
}

__kernel void grad_sparse(__global const REAL *x, __global REAL *sparse, __global REAL *z,
                          REAL lambda, REAL p)
{
    int j = get_global_id(0);
    REAL term = lambda * x[j];
    REAL power = pow(fabs(term), p - 1);
    sparse[j] = power * fabs(term);
    z[j] = p * lambda * copysign(power, term);
}

__kernel void grad_dense_1(__global const REAL *l, __global const REAL *x, __global const REAL *b,
                           __global REAL *dense, __global REAL *h, REAL p, int k)
{
    int i = get_global_id(0);
    REAL sum = 0;
    for (int j = 0; j < k; j++)
        sum += l[i * k + j] * x[j];
    REAL residual = sum - b[i];
    REAL power = pow(fabs(residual), p - 1);
    dense[i] = power * fabs(residual);
    h[i] = p * copysign(power, residual);
}

__kernel void grad_dense_2(__global const REAL *l, __global const REAL *h, __global REAL *z,
                           int rows, int k)
{
    int j = get_global_id(0);
    REAL sum = z[j];
    for (int i = 0; i < rows; i++)
        sum += h[i] * l[i * k + j];
    z[j] = sum;
}

__kernel void hesse_sparse(__global const REAL *x, __global const REAL *y, __global REAL *z,
                           REAL lambda, REAL p)
{
    int j = get_global_id(0);
    REAL power = pow(fabs(lambda * x[j]), p - 2);
    z[j] = p * (p - 1) * lambda * lambda * power * y[j];
}

__kernel void hesse_dense_1(__global const REAL *l, __global const REAL *x, __global const REAL *y,
                            __global const REAL *b, __global REAL *h, REAL p, int k)
{
    int i = get_global_id(0);
    REAL sum_x = 0;
    REAL sum_y = 0;
    for (int j = 0; j < k; j++) {
        sum_x += l[i * k + j] * x[j];
        sum_y += l[i * k + j] * y[j];
    }
    h[i] = p * (p - 1) * pow(fabs(sum_x - b[i]), p - 2) * sum_y;
}

#else

#define JOINED(a, b) a##b
#define JOIN(a, b)   JOINED(a, b)
#define VECTOR       JOIN(REAL, WIDTH)
#define LOAD         JOIN(vload, WIDTH)
#define STORE        JOIN(vstore, WIDTH)

/* The sum of a vector's elements. */
REAL add(VECTOR v)
{
    REAL lanes[WIDTH];
    REAL sum = 0;
    STORE(v, 0, lanes);
    for (int i = 0; i < WIDTH; i++)
        sum += lanes[i];
    return sum;
}

__kernel void eval_sparse(__global const REAL *x, __global REAL *sparse, REAL lambda, REAL p)
{
    int j = get_global_id(0);
    STORE(pow(fabs(lambda * LOAD(j, x)), (VECTOR)p), j, sparse);
}

__kernel void eval_dense(__global const REAL *l, __global const REAL *x, __global const REAL *b,
                         __global REAL *dense, REAL p, int k)
{
    int i = get_global_id(0);
    VECTOR sum = 0;
    for (int j = 0; j < k / WIDTH; j++)
        sum += LOAD(j, l + i * k) * LOAD(j, x);
    dense[i] = pow(fabs(add(sum) - b[i]), p);
}

__kernel void grad_sparse(__global const REAL *x, __global REAL *sparse, __global REAL *z,
                          REAL lambda, REAL p)
{
    int j = get_global_id(0);
    VECTOR term = lambda * LOAD(j, x);
    VECTOR power = pow(fabs(term), (VECTOR)(p - 1));
    STORE(power * fabs(term), j, sparse);
    STORE(p * lambda * copysign(power, term), j, z);
}

__kernel void grad_dense_1(__global const REAL *l, __global const REAL *x, __global const REAL *b,
                           __global REAL *dense, __global REAL *h, REAL p, int k)
{
    int i = get_global_id(0);
    VECTOR sum = 0;
    for (int j = 0; j < k / WIDTH; j++)
        sum += LOAD(j, l + i * k) * LOAD(j, x);
    REAL residual = add(sum) - b[i];
    REAL power = pow(fabs(residual), p - 1);
    dense[i] = power * fabs(residual);
    h[i] = p * copysign(power, residual);
}

__kernel void grad_dense_2(__global const REAL *l, __global const REAL *h, __global REAL *z,
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

__kernel void hesse_sparse(__global const REAL *x, __global const REAL *y, __global REAL *z,
                           REAL lambda, REAL p)
{
    int j = get_global_id(0);
    VECTOR power = pow(fabs(lambda * LOAD(j, x)), (VECTOR)(p - 2));
    STORE(p * (p - 1) * lambda * lambda * power * LOAD(j, y), j, z);
}

__kernel void hesse_dense_1(__global const REAL *l, __global const REAL *x, __global const REAL *y,
                            __global const REAL *b, __global REAL *h, REAL p, int k)
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

#endif
