/* SPDX-License-Identifier: BSD-3-Clause */
/* C = C + A * B: a work-group makes a block of C. It moves a block of A and one of B into local
 * memory, multiplies them, and goes on to the next. Elements outside of a matrix are 0. */
#define BLOCK 16

__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int n)
{
    __local float as[BLOCK][BLOCK];
    __local float bs[BLOCK][BLOCK];
    int x = get_local_id(0);
    int y = get_local_id(1);
    int i = get_global_id(1);
    int j = get_global_id(0);
    float sum = 0.0f;
    for (int first = 0; first < n; first += BLOCK) {
        as[y][x] = i < n && first + x < n ? a[i * n + first + x] : 0.0f;
        bs[y][x] = j < n && first + y < n ? b[(first + y) * n + j] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < BLOCK; k++)
            sum += as[y][k] * bs[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n && j < n)
        c[i * n + j] += sum;
}
