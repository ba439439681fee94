/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernels of the course are to compute, in double precision and by other loops. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void vadd(__global const float *a, __global const float *b, __global float *c)
{
    int i = get_global_id(0);
    c[i] = (float)((double)a[i] + (double)b[i]);
}

/* From the last product to the first. */
__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int n)
{
    int column = get_global_id(0);
    int row = get_global_id(1);
    double sum = c[row * n + column];
    for (int k = n - 1; k >= 0; k--)
        sum += (double)a[row * n + k] * (double)b[k * n + column];
    c[row * n + column] = (float)sum;
}

/* The iterations of Himeno's benchmark one after the other, by a single work-item: `before` has the
 * result, and the first of `squares` the sum of all. */
__kernel void himeno(__global const float *a1, __global const float *a2, __global const float *a3,
                     __global const float *a4, __global const float *b1, __global const float *b2,
                     __global const float *b3, __global const float *c1, __global const float *c2,
                     __global const float *c3, __global const float *source,
                     __global const float *bound, __global float *before, __global float *after,
                     __global float *squares, float omega, int n, int iterations)
{
    int lengths[3] = {n, n, 2 * n};
    int steps[3] = {n * 2 * n, 2 * n, 1};
    double sum_of_squares = 0;
    for (int iteration = 0; iteration < iterations; iteration++) {
        sum_of_squares = 0;
        for (int cell = 0; cell < n * n * 2 * n; cell++) {
            int inside = 1;
            for (int d = 0; d < 3; d++) {
                int place = cell / steps[d] % lengths[d];
                inside = inside && place > 0 && place < lengths[d] - 1;
            }
            if (!inside)
                continue;
            __global const float *up[3] = {a1, a2, a3};
            __global const float *down[3] = {c1, c2, c3};
            __global const float *corners[3] = {b1, b2, b3};
            double sum = source[cell];
            for (int d = 0; d < 3; d++) {
                int e = d == 2 ? 0 : d + 1; /* the pairs 0 1, 1 2 and 2 0 of directions */
                int s = steps[d];
                int t = steps[e];
                sum += (double)up[d][cell] * before[cell + s];
                sum += (double)down[d][cell] * before[cell - s];
                sum += (double)corners[d][cell] *
                       ((double)before[cell + s + t] - before[cell + s - t] - before[cell - s + t] +
                        before[cell - s - t]);
            }
            double change = (sum * a4[cell] - before[cell]) * bound[cell];
            sum_of_squares += change * change;
            after[cell] = (float)(before[cell] + omega * change);
        }
        for (int cell = 0; cell < n * n * 2 * n; cell++) {
            int inside = 1;
            for (int d = 0; d < 3; d++) {
                int place = cell / steps[d] % lengths[d];
                inside = inside && place > 0 && place < lengths[d] - 1;
            }
            if (inside)
                before[cell] = after[cell];
        }
    }
    for (int i = 0; i < n * 2 * n; i++)
        squares[i] = i ? 0.0f : (float)sum_of_squares;
}
