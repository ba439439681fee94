/* SPDX-License-Identifier: BSD-3-Clause */
/* A tile with a padded row, and offsets into both matrices. */
#define BLOCK_DIM 16
__kernel void transpose(__global float *odata, __global const float *idata, int offset, int width,
                        int height, __local float *block)
{
    unsigned int x = get_global_id(0), y = get_global_id(1);
    if (x + offset < width && y < height)
        block[get_local_id(1) * (BLOCK_DIM + 1) + get_local_id(0)] = idata[y * width + x + offset];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * BLOCK_DIM + get_local_id(0);
    y = get_group_id(0) * BLOCK_DIM + get_local_id(1);
    if (x < height && y + offset < width)
        odata[y * height + x] = block[get_local_id(0) * (BLOCK_DIM + 1) + get_local_id(1)];
}
