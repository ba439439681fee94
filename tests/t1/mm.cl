/* SPDX-License-Identifier: BSD-3-Clause */
/* c = a b for square matrices, by tiles, with WORK rows a work-item. */
__kernel void multiply(__global float *c, __global const float *a, __global const float *b, int n)
{
    __local NUMBER tile_a[TILE][TILE + PAD];
    __local NUMBER tile_b[TILE][TILE + PAD];
    int x = (int)get_local_id(0);
    int y = (int)get_local_id(1) * WORK;
    int column = (int)get_group_id(0) * TILE + x;
    int row = (int)get_group_id(1) * TILE + y;
    NUMBER sums[WORK];
    for (int w = 0; w < WORK; w++)
        sums[w] = 0;
    for (int t = 0; t < N; t += TILE) {
        for (int w = 0; w < WORK; w++) {
            tile_a[y + w][x] = a[(row + w) * n + t + x];
            tile_b[y + w][x] = b[(t + y + w) * n + column];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            for (int w = 0; w < WORK; w++)
                sums[w] += tile_a[y + w][k] * tile_b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int w = 0; w < WORK; w++)
        c[(row + w) * n + column] = (float)sums[w];
}
