/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of the heat equation: each work-item makes one inner cell from its old value and those of
 * its six neighbours. */
__kernel void stencil(__global float *after, __global const float *before, float own, float other,
                      int width, int height, int depth)
{
    int x = get_global_id(0) + 1;
    int y = get_global_id(1) + 1;
    int z = get_global_id(2) + 1;
    if (x >= width - 1 || y >= height - 1 || z >= depth - 1)
        return;
    int row = width;
    int plane = width * height;
    int at = z * plane + y * row + x;
    after[at] = own * before[at] +
                other * (before[at - 1] + before[at + 1] + before[at - row] + before[at + row] +
                         before[at - plane] + before[at + plane]);
}
