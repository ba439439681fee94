/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TX
#define TX 32
#endif
__kernel void block_macro(__global float *out, __global const float *u, int nx, int ny)
{
    __local float t[TX];
    int lx = get_local_id(0);
    int x = get_group_id(0) * TX + lx;
    int y = get_global_id(1);
    if (x < nx && y < ny)
        t[lx] = u[y * nx + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x < nx && y < ny)
        out[y * nx + x] = t[lx] + (lx > 0 ? t[lx - 1] : 0) ;
}
