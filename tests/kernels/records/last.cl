// SPDX-License-Identifier: BSD-3-Clause
// local 32 global 96
// Rows of five: the last element first, under a barrier of the kernel's own.
kernel void k(global const int *in, global int *out, int n)
{
    local int t[32];
    int id = get_global_id(0), l = get_local_id(0);
    out[5 * id + 4] = in[id];
    t[l] = out[5 * id + 4] + l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 3; k >= 0; k--)
        out[k + id * 5] = out[5 * id + k + 1] + t[(l + k) & 31];
}
