/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops after a pragma: whatever is put around a loop comes in front of its pragma. */
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    local int shared[16];
    int lid = get_local_id(0);
    int sum = 0;

    if (get_group_id(0) == 1)
        return;
    shared[lid] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int i = 0, j = lid; i < 4; i++, j += 2)
        sum += in[j] * i;
#pragma unroll 2
    for (int i = lid; i < 16; i++)
        sum += shared[i];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 2
    while (sum > n)
        sum -= in[lid] & 7 | 1;
    out[get_global_id(0)] = sum;
}
