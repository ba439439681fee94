// SPDX-License-Identifier: BSD-3-Clause
// A loop of two counters after a return that whole groups take, as far as the host sees to it, and
// before a barrier: it is rewritten twice, for when all are there and for when some are not.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    local int tile[16];
    int l = get_local_id(0);
    int g = get_global_id(0);
    int sum = 0;
    if (g >= n / 341)
        return;
    for (int i = 0, j = g; i < 4; i++, j += 2)
        sum += in[j] * i;
    tile[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[15 - l];
}
