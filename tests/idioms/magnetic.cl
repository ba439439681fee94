/* SPDX-License-Identifier: BSD-3-Clause */
/* The other half of a staggered grid: reads beyond the last column and row. */
__kernel void magnetic(__global const float *ex, __global const float *ey, __global float *hz,
                       int nx, int ny)
{
    int j = get_global_id(0), i = get_global_id(1);
    if (i < nx && j < ny)
        hz[i * ny + j] -= 0.7f * (ex[i * (ny + 1) + j + 1] - ex[i * (ny + 1) + j] +
                                  ey[(i + 1) * ny + j] - ey[i * ny + j]);
}
