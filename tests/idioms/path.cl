/* SPDX-License-Identifier: BSD-3-Clause */
/* Dynamic programming down the rows of a grid, with a pyramid of halos. */
#define HALO 1
#define IN_RANGE(x, least, most) ((x) >= (least) && (x) <= (most))
__kernel void path(int iteration, __global const int *wall, __global const int *source,
                   __global int *results, int cols, int rows, int start, __local int *prev,
                   __local int *result)
{
    int size = get_local_size(0), bx = get_group_id(0), tx = get_local_id(0);
    int small_block = size - iteration * HALO * 2;
    int block = small_block * bx - HALO;
    int xidx = block + tx;
    bool computed = false;
    if (IN_RANGE(xidx, 0, cols - 1))
        prev[tx] = source[xidx];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < iteration; i++) {
        computed = IN_RANGE(tx, i + 1, size - i - 2) && IN_RANGE(xidx, 1, cols - 2);
        if (computed) {
            int shortest = min(min(prev[tx - 1], prev[tx]), prev[tx + 1]);
            result[tx] = shortest + wall[cols * (start + i) + xidx];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (computed)
            prev[tx] = result[tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (computed)
        results[xidx] = result[tx];
}
