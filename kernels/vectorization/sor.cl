/* SPDX-License-Identifier: BSD-3-Clause */
/* Half a step of successive over-relaxation, red and black: all cells of one colour are made from
 * their neighbours, which have the other one. Each colour is an array of its own, with a border, so
 * that neighbouring work-items read and write neighbours: cell x of row y is in column 2 * x or, where
 * row and colour say so, in the next one. */
__kernel void sor(__global float *own, __global const float *others, float omega, int colour,
                  int width, int height)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    int stride = width + 2;
    int at = (y + 1) * stride + x + 1;
    int odd = (y + colour) & 1;
    float left = others[at - 1 + odd];
    float right = others[at + odd];
    float around = left + right + others[at - stride] + others[at + stride];
    own[at] += omega * (0.25f * around - own[at]);
}
