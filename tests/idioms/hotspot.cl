/* SPDX-License-Identifier: BSD-3-Clause */
/* Heat on a chip: a stencil with clamped borders and double precision. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void heat(__global const double *power, __global const double *temp_src,
                   __global double *temp_dst, int grid_cols, int grid_rows, double cap, double rx,
                   double ry)
{
    int c = get_global_id(0), r = get_global_id(1);
    if (c >= grid_cols || r >= grid_rows)
        return;
    int n = r == 0 ? r : r - 1, s = r == grid_rows - 1 ? r : r + 1;
    int w = c == 0 ? c : c - 1, e = c == grid_cols - 1 ? c : c + 1;
    int at = r * grid_cols + c;
    temp_dst[at] = temp_src[at] +
                   cap * (power[at] +
                          (temp_src[s * grid_cols + c] + temp_src[n * grid_cols + c] -
                           2 * temp_src[at]) * ry +
                          (temp_src[r * grid_cols + e] + temp_src[r * grid_cols + w] -
                           2 * temp_src[at]) * rx);
}
