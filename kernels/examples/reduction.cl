/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up numbers: each work-group of WG work-items a block of them. */
#ifndef WG
#define WG 64
#endif

__kernel void reduction(__global float *sums, __global const float *x, int block, int n)
{
    __local float part[WG];
    int item = get_local_id(0);
    int begin = get_group_id(0) * block;
    int end = min(begin + block, n);
    float sum = 0;
    for (int i = begin + item; i < end; i += WG)
        sum += x[i];
    part[item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int count = WG / 2; count > 0; count /= 2) {
        if (item < count)
            part[item] += part[item + count];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (item == 0)
        sums[get_group_id(0)] = part[0];
}
