/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes of an image, made black or white: an image of unsigned integers. */
kernel void threshold(read_only image2d_t src, write_only image2d_t dst, uint level)
{
    const sampler_t sm =
        CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    uint4 v = read_imageui(src, sm, p) + read_imageui(src, sm, p + 1);
    write_imageui(dst, p, select((uint4)(0), (uint4)(255), v > level));
}
