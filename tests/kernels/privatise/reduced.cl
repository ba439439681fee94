// SPDX-License-Identifier: BSD-3-Clause
// local 16x2 global 64x12
// A group adds up what it reads in local memory, with barriers; some of its work-items have nothing to read.
kernel void k(global const int *in, global int *out, int n)
{
    local int sums[32];
    int l = get_local_id(1) * 16 + get_local_id(0), i = get_global_id(1) * 64 + get_global_id(0);
    sums[l] = i < n / 30 ? in[i] : 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int reach = 16; reach; reach /= 2) {
        if (l < reach)
            sums[l] += sums[l + reach];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 31) // what another one writes for the next group
        atomic_add(&out[get_group_id(1) & 3], sums[0]);
}
