/* SPDX-License-Identifier: BSD-3-Clause */
/* Digits of keys, counted for each work-group of a radix sort. */
kernel void count(global const uint *keys, global uint *counts, int n, int shift)
{
    local uint bins[16];
    int l = get_local_id(0), i = get_global_id(0);
    if (l < 16)
        bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n)
        atomic_inc(&bins[(keys[i] >> shift) & 15]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        counts[get_group_id(0) * 16 + l] = bins[l];
}
