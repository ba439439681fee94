/* SPDX-License-Identifier: BSD-3-Clause */
/* C = A * B for square matrices of n rows, a multiple of 16: each group of 16 x 16 work-items makes
 * one tile of C, from tiles of A and B in local memory. */
#ifndef TILE
#define TILE 16
#endif

__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int n)
{
    __local float tile_a[TILE][TILE];
    __local float tile_b[TILE][TILE];
    int column = get_local_id(0);
    int row = get_local_id(1);
    int x = get_global_id(0);
    int y = get_global_id(1);
    float sum = 0.0f;
    for (int t = 0; t < n; t += TILE) {
        tile_a[row][column] = a[y * n + t + column];
        tile_b[row][column] = b[(t + row) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum += tile_a[row][k] * tile_b[k][column]; // one product
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}
