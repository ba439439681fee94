/* SPDX-License-Identifier: BSD-3-Clause */
/* An image turned by a quarter. */
kernel void transpose(__write_only image2d_t dst, __read_only image2d_t src, int dir)
{
    const sampler_t sampler =
        CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    int2 size = get_image_dim(dst);
    int x = get_global_id(0), y = get_global_id(1);
    int xin = (dir & 2) ? (size.y - 1 - y) : y;
    int yin = (dir & 1) ? (size.x - 1 - x) : x;
    if (x < size.x && y < size.y)
        write_imagef(dst, (int2)(x, y), read_imagef(src, sampler, (int2)(xin, yin)));
}
