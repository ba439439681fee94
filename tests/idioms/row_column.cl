/* SPDX-License-Identifier: BSD-3-Clause */
/* Ids divided by a width: one dimension over a matrix. */
__kernel void add_bias(__global float *out, __global const float *in, __global const float *bias,
                       int width, int height)
{
    int gid = get_global_id(0);
    int row = gid / width, column = gid % width;
    if (row < height)
        out[row * width + column] = in[row * width + column] + bias[column];
}
