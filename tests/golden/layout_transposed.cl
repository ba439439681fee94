/* SPDX-License-Identifier: BSD-3-Clause */
// --memory=layout=transposed
__kernel void k(__global float *out, __global const float *in, __constant float *weights, int width,
                int height)
{
    int x = get_global_id(0) + 1;
    int y = get_global_id(1) + 1;
    if (x > width || y > height)
        return;
    int stride = width + 2;
    int at = y * stride + x;
    float sum = in[at - stride] + in[at + stride]; /* above and below */
    for (int i = -1; i <= 1; i++)
        sum += weights[3 + i + 1] * in[at + i];
    out[(y - 1) * width + (x - 1)] = sum;
}
