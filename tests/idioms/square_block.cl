/* SPDX-License-Identifier: BSD-3-Clause */
/* Square tiles of a size that a macro sets. */
#ifndef BLOCK_SIZE
#define BLOCK_SIZE 16
#endif
__kernel void multiply(__global float *c, __global const float *a, __global const float *b, int wa,
                       int wb)
{
    __local float as[BLOCK_SIZE][BLOCK_SIZE], bs[BLOCK_SIZE][BLOCK_SIZE];
    int bx = get_group_id(0), by = get_group_id(1), tx = get_local_id(0), ty = get_local_id(1);
    int begin = wa * BLOCK_SIZE * by, end = begin + wa - 1;
    float sum = 0;
    for (int i = begin, j = BLOCK_SIZE * bx; i <= end; i += BLOCK_SIZE, j += BLOCK_SIZE * wb) {
        as[ty][tx] = a[i + wa * ty + tx];
        bs[ty][tx] = b[j + wb * ty + tx];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < BLOCK_SIZE; k++)
            sum += as[ty][k] * bs[k][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[wb * BLOCK_SIZE * by + BLOCK_SIZE * bx + wb * ty + tx] = sum;
}
