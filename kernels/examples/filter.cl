/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolves an image that has a border of two with a filter of 5 rows and columns. */
__kernel void filter(__global const float *restrict in, __constant float *weights,
                     __global float *restrict out, int width, int height)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 5; i++)
            sum += weights[j * 5 + i] * in[(y + j) * (width + 4) + x + i];
    out[y * width + x] = sum;
}
