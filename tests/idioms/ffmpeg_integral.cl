/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums along the rows of a plane, as integral images have them. */
kernel void horiz_sum(global uint4 *integral_img, __read_only image2d_t src, int width, int height,
                      int4 dx, int4 dy)
{
    const sampler_t sampler =
        CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
    int y = get_global_id(0);
    uint4 sum = (uint4)(0);
    for (int i = 0; i < width; i++) {
        float4 s1 = read_imagef(src, sampler, (int2)(i, y));
        float4 s2 = read_imagef(src, sampler, (int2)(i + dx.x, y + dy.x));
        int4 diff = convert_int4((s1 - s2) * 255);
        sum += convert_uint4(diff * diff);
        integral_img[y * width + i] = sum;
    }
}
