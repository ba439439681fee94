// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 256
// A kernel that has local memory and barriers of its own.
kernel void k(global const int *in, global int *out, int n)
{
    local int line[16];
    int l = get_local_id(0), i = get_global_id(0);
    if (get_group_id(0) == 3)
        return;
    line[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    int other = line[15 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < n / 1600)
        atomic_add(&out[other & 31], -other);
}
