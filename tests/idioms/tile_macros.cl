/* SPDX-License-Identifier: BSD-3-Clause */
/* Work-groups whose sizes macros set, by the group's id times a macro. */
#define TX 32
#define TY 8
__kernel void smooth(__global float *out, __global const float *in, int nx, int ny)
{
    int x = get_group_id(0) * TX + get_local_id(0);
    int y = get_group_id(1) * TY + get_local_id(1);
    if (x < nx - 1 && y < ny - 1 && x > 0 && y > 0)
        out[y * nx + x] = 0.25f * (in[y * nx + x - 1] + in[y * nx + x + 1] +
                                   in[(y - 1) * nx + x] + in[(y + 1) * nx + x]);
}
