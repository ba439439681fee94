// SPDX-License-Identifier: BSD-3-Clause
// Barriers in uniform loops; local memory that one work-item writes.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    local int tile[16];
    local int total;
    int l = get_local_id(0), g = get_global_id(0), i, k;
    int sum = 0;
    for (k = 0; k < 5; k++) {
        tile[l] = in[g + k * 16];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0) {
            total = 0;
            for (i = 0; i < 16; i++)
                total += tile[i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (i = 0; i < 16; i++)
            sum += tile[i] * (l + i) + total;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = sum;
}
