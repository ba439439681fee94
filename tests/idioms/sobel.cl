/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbours of pixels in vectors of bytes; sizes come from the range itself. */
__kernel void sobel(__global const uchar4 *in, __global uchar4 *out)
{
    uint x = get_global_id(0), y = get_global_id(1);
    uint width = get_global_size(0), height = get_global_size(1);
    uint c = x + y * width;
    if (x >= 1 && x < width - 1 && y >= 1 && y < height - 1) {
        float4 gx = convert_float4(in[c - 1 - width]) + 2 * convert_float4(in[c - width]) +
                    convert_float4(in[c + 1 - width]) - convert_float4(in[c - 1 + width]) -
                    2 * convert_float4(in[c + width]) - convert_float4(in[c + 1 + width]);
        out[c] = convert_uchar4_sat(fabs(gx) / 2);
    }
}
