/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of 8 by 8, a matrix of coefficients, and a block of local memory. */
__kernel void dct(__global float *output, __global const float *input, __global const float *dct8x8,
                  __local float *inter, const uint width, const uint block_width,
                  const uint inverse)
{
    uint global_x = get_global_id(0), global_y = get_global_id(1);
    uint group_x = get_group_id(0), group_y = get_group_id(1);
    uint i = get_local_id(0), j = get_local_id(1), at = global_y * width + global_x;
    float acc = 0;
    for (uint k = 0; k < block_width; k++) {
        uint index1 = inverse ? i * block_width + k : k * block_width + i;
        uint index2 = group_y * block_width * width + group_x * block_width + j * width + k;
        acc += dct8x8[index1] * input[index2];
    }
    inter[j * block_width + i] = acc;
    barrier(CLK_LOCAL_MEM_FENCE);
    acc = 0;
    for (uint k = 0; k < block_width; k++)
        acc += inter[k * block_width + i] * dct8x8[k * block_width + j];
    output[at] = acc;
}
