/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds edges in a grey image after Sobel: half of the gradient's length, from the eight neighbours of
 * each pixel; the image has a border of one, which the result has not. Merged work-items share
 * neighbours. */
__kernel void sobel(__global uchar *edges, __global const uchar *image, int width, int height)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= width || y >= height)
        return;
    int stride = width + 2;
    int at = (y + 1) * stride + x + 1;
    float above_left = image[at - stride - 1];
    float above = image[at - stride];
    float above_right = image[at - stride + 1];
    float left = image[at - 1];
    float right = image[at + 1];
    float below_left = image[at + stride - 1];
    float below = image[at + stride];
    float below_right = image[at + stride + 1];
    float across = above_right + 2 * right + below_right - above_left - 2 * left - below_left;
    float down = below_left + 2 * below + below_right - above_left - 2 * above - above_right;
    edges[y * width + x] = convert_uchar_sat(sqrt(across * across + down * down) / 2);
}
