// SPDX-License-Identifier: BSD-3-Clause
// --local=16x16 --memory=pad=1
kernel void k(global const float *in, global float *out, int n)
{
    local float tile[16][16], row[16]; /* by columns */
    int x = get_local_id(0), y = get_local_id(1);
    tile[y][x] = in[y * n + x];
    row[x] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * n + x] = tile[x][y] + row[y];
}
