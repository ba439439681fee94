/* SPDX-License-Identifier: BSD-3-Clause */
/* A loop over z within a two-dimensional range. */
__kernel void heat3d(__global const float *p, __global const float *t_in, __global float *t_out,
                     float sdc, int nx, int ny, int nz, float ce, float cn, float ct)
{
    int i = get_global_id(0), j = get_global_id(1);
    int c = i + j * nx, xy = nx * ny;
    int west = i == 0 ? c : c - 1, east = i == nx - 1 ? c : c + 1;
    int north = j == 0 ? c : c - nx, south = j == ny - 1 ? c : c + nx;
    for (int k = 0; k < nz - 1; k++) {
        t_out[c] = t_in[c] + sdc * p[c] + ce * (t_in[east] + t_in[west]) +
                   cn * (t_in[north] + t_in[south]) + ct * t_in[c + xy];
        c += xy;
        west += xy;
        east += xy;
        north += xy;
        south += xy;
    }
}
