// SPDX-License-Identifier: BSD-3-Clause
// --local=64 --geometry=group_loop=16 --memory=privatise=all
kernel void k(global const int *x, global int *total, int n)
{
    local int sums[64]; /* of a group */
    int i = get_global_id(0), l = get_local_id(0);
    sums[l] = i < n ? x[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int reach = 32; reach; reach /= 2) {
        if (l < reach)
            sums[l] += sums[l + reach];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        atomic_add(total, sums[0]);
}
