/* SPDX-License-Identifier: BSD-3-Clause */
/* matmul by hand: sixteen neighbouring elements of a row a work-item, as one vector. */
__kernel void matmul(__global const float *a, __global const float *b, __global float *c, int n)
{
    __local float tile_a[TILE][TILE];
    __local float16 tile_b[TILE];
    int row = get_local_id(1);
    int x = TILE * get_group_id(0);
    int y = get_global_id(1);
    float16 sum = 0.0f;
    for (int t = 0; t < n; t += TILE) {
        vstore16(vload16(0, a + y * n + t), 0, tile_a[row]);
        tile_b[row] = vload16(0, b + (t + row) * n + x);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum += tile_a[row][k] * tile_b[k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    vstore16(sum, 0, c + y * n + x);
}
