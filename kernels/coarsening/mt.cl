/* SPDX-License-Identifier: BSD-3-Clause */
/* Transposes a matrix, one element a work-item. Neighbours read neighbours and write far apart;
 * merged in dimension 1, a work-item writes neighbours by itself. (With local memory:
 * examples/transpose.cl.) */
__kernel void mt(__global float *out, __global const float *in, int width, int height)
{
    int column = get_global_id(0);
    int row = get_global_id(1);
    if (column < width && row < height)
        out[column * height + row] = in[row * width + column];
}
