/* SPDX-License-Identifier: BSD-3-Clause */
/* Weighted means of a frame's pixels, in buffers of rows. */
kernel void average(global float *sum, global const uchar *frame, global const float *weight,
                    int width, int height, int strength)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    int at = y * width + x;
    int px = clamp(x + strength, 0, width - 1), py = clamp(y + strength, 0, height - 1);
    sum[at] = sum[at] + weight[at] * frame[py * width + px];
}
