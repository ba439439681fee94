/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts how often each byte occurs: a work-group in local memory, then all together. */
#ifndef ITEMS
#define ITEMS 16
#endif

__kernel void histogram(__global uint *counts, __global const uchar *data, int n)
{
    __local uint bins[256];
    for (int b = get_local_id(0); b < 256; b += get_local_size(0))
        bins[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int begin = get_group_id(0) * get_local_size(0) * ITEMS + get_local_id(0);
    for (int k = 0; k < ITEMS; k++) {
        int i = begin + k * get_local_size(0);
        if (i < n)
            atomic_inc(&bins[data[i]]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = get_local_id(0); b < 256; b += get_local_size(0))
        atomic_add(&counts[b], bins[b]);
}
