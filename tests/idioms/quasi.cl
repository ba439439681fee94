/* SPDX-License-Identifier: BSD-3-Clause */
/* Direction numbers for each dimension, a dimension a row of work-groups. */
#define DIRECTIONS 32
__kernel void quasi(__global float *output, __global const uint *directions, uint n_vectors,
                    __local uint *dir)
{
    uint x = get_global_id(0), dimension = get_global_id(1), lid = get_local_id(0);
    if (lid < DIRECTIONS)
        dir[lid] = directions[dimension * DIRECTIONS + lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint result = 0;
    for (uint i = 0; i < DIRECTIONS; i++)
        if (x >> i & 1)
            result ^= dir[i];
    if (x < n_vectors)
        output[dimension * n_vectors + x] = result * (1.0f / 4294967296.0f);
}
