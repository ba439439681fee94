/* SPDX-License-Identifier: BSD-3-Clause */
/* C = C + A * B for square matrices of n rows: the first kernel of a course, and what no rewriting
 * makes of it. */
#ifndef SWAPPED /* neighbouring work-items have neighbouring rows, not columns */
#define SWAPPED 0
#endif
#ifndef ROW /* a work-item makes a whole row of C */
#define ROW 0
#endif
#ifndef COPY /* ... from a copy of A's row in private memory; then n is at most 1024 */
#define COPY 0
#endif

__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int n)
{
#if ROW
    int i = get_global_id(0);
#if COPY
    float row[1024];
    for (int k = 0; k < n; k++)
        row[k] = a[i * n + k];
#else
    __global const float *row = a + i * n;
#endif
    for (int j = 0; j < n; j++) {
        float sum = 0.0f;
        for (int k = 0; k < n; k++)
            sum += row[k] * b[k * n + j];
        c[i * n + j] += sum;
    }
#else
    int i = get_global_id(1 - SWAPPED);
    int j = get_global_id(SWAPPED);
    for (int k = 0; k < n; k++)
        c[i * n + j] += a[i * n + k] * b[k * n + j];
#endif
}
