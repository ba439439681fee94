/* SPDX-License-Identifier: BSD-3-Clause */
/* A mean of pixels of an image, left and right. */
__kernel void avgblur_horiz(__write_only image2d_t dst, __read_only image2d_t src, int rad)
{
    const sampler_t sampler =
        CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    int2 loc = (int2)(get_global_id(0), get_global_id(1));
    int2 size = get_image_dim(src);
    int count = 0;
    float4 acc = (float4)(0, 0, 0, 0);
    for (int xx = max(0, loc.x - rad); xx < min(loc.x + rad + 1, size.x); xx++) {
        count++;
        acc += read_imagef(src, sampler, (int2)(xx, loc.y));
    }
    write_imagef(dst, loc, acc / count);
}
