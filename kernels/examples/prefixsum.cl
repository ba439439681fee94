/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of all elements before each (Blelloch: Prefix sums and their applications, 1990, in steps
 * that suit work-groups): blocks of WG elements, then the sums of blocks, then both together. */
#ifndef WG
#define WG 64
#endif

__kernel void scan_blocks(__global uint *sums, __global uint *totals, __global const uint *x, int n)
{
    __local uint part[2][WG];
    int item = get_local_id(0);
    int i = get_global_id(0);
    int from = 0;
    part[0][item] = i < n ? x[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int distance = 1; distance < WG; distance *= 2) {
        uint sum = part[from][item];
        if (item >= distance)
            sum += part[from][item - distance];
        from = 1 - from;
        part[from][item] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < n)
        sums[i] = part[from][item];
    if (item == WG - 1)
        totals[get_group_id(0)] = part[from][item];
}

__kernel void add_totals(__global uint *sums, __global const uint *totals, int n)
{
    int i = get_global_id(0);
    int block = get_group_id(0);
    uint before = 0;
    for (int b = 0; b < block; b++)
        before += totals[b];
    if (i < n)
        sums[i] += before;
}
