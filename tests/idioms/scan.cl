/* SPDX-License-Identifier: BSD-3-Clause */
/* A scan of blocks of twice as many elements as there are work-items. */
__kernel void prescan(__global float *output, __global const float *input, __local float *block,
                      const uint block_size, __global float *sums)
{
    int tid = get_local_id(0), gid = get_global_id(0), bid = get_group_id(0);
    int offset = 1;
    block[2 * tid] = input[2 * gid];
    block[2 * tid + 1] = input[2 * gid + 1];
    for (int d = block_size >> 1; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (tid < d)
            block[offset * (2 * tid + 2) - 1] += block[offset * (2 * tid + 1) - 1];
        offset *= 2;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tid == 0)
        sums[bid] = block[block_size - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    output[2 * gid] = block[2 * tid];
    output[2 * gid + 1] = block[2 * tid + 1];
}
