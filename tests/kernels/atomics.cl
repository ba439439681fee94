// SPDX-License-Identifier: BSD-3-Clause
// Atomics count how often they are called.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    local int count;
    if (get_local_id(0) == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&count);
    atomic_add(&count, in[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_global_id(0) == 0)
        for (int i = 0; i < 64; i++)
            out[i + 64] = 0;
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = count;
}
