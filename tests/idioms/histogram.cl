/* SPDX-License-Identifier: BSD-3-Clause */
/* A histogram by work-groups: 256 bins in local memory, one result a group. */
#define BIN_SIZE 256
__kernel void histogram256(__global const uint4 *data, __local uchar *shared,
                           __global uint *bins_out, uint elements)
{
    uint lid = get_local_id(0), group = get_group_id(0), size = get_local_size(0);
    for (uint i = lid; i < size * BIN_SIZE; i += size)
        shared[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < BIN_SIZE / 4 / 4; i++) {
        uint4 v = data[group * size * BIN_SIZE / 4 / 4 + i * size + lid];
        shared[lid * BIN_SIZE + (v.s0 & 255)]++;
        shared[lid * BIN_SIZE + (v.s1 & 255)]++;
        shared[lid * BIN_SIZE + (v.s2 & 255)]++;
        shared[lid * BIN_SIZE + (v.s3 & 255)]++;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint bin = lid; bin < BIN_SIZE; bin += size) {
        uint sum = 0;
        for (uint j = 0; j < size; j++)
            sum += shared[j * BIN_SIZE + bin];
        bins_out[group * BIN_SIZE + bin] = sum;
    }
}
