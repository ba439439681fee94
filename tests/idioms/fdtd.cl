/* SPDX-License-Identifier: BSD-3-Clause */
/* Staggered grids: one has a row, another a column more. */
__kernel void electric(__global float *ey, __global const float *hz, __global const float *fict,
                       int t, int nx, int ny)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < nx && j < ny) {
        if (i == 0)
            ey[i * ny + j] = fict[t];
        else
            ey[i * ny + j] -= 0.5f * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
    }
}
