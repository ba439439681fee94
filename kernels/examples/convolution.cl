/* SPDX-License-Identifier: BSD-3-Clause */
/* Convolves an image with a filter of 2 * RADIUS + 1 rows and columns; edges are continued. */
#ifndef RADIUS
#define RADIUS 2
#endif
#define DIAMETER (2 * RADIUS + 1)

__kernel void convolution(__global float *out, __global const float *in,
                          __constant float *weights, int width, int height)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    float sum = 0;
    for (int j = 0; j < DIAMETER; j++)
        for (int i = 0; i < DIAMETER; i++) {
            int column = clamp(x + i - RADIUS, 0, width - 1);
            int row = clamp(y + j - RADIUS, 0, height - 1);
            sum += weights[j * DIAMETER + i] * in[row * width + column];
        }
    out[y * width + x] = sum;
}
