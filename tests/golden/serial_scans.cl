// SPDX-License-Identifier: BSD-3-Clause
// --local=16 --variant='geometry(serial=yes)'
// Scans by steps that double become sums one after the other, of integers and whole work-groups.
kernel void k(global const int *in, global int *out, int m)
{
    local int t[16], u[32];
    local short v[16];
    local float w[16];
    int l = get_local_id(0), g = get_global_id(0), size = get_local_size(0);
    t[l] = in[g];
    u[l] = in[g] * 3;
    v[l] = (short)(in[g] * 77);
    w[l] = in[g] & 63;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step < size; step *= 2) {
        int before = l >= step ? t[l - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] += before;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint k = 1; k < 16; k <<= 1) {
        int a = u[l];
        if (l >= k)
            a += u[l - k];
        barrier(CLK_LOCAL_MEM_FENCE);
        u[l] = a;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
#pragma unroll
    for (size_t k = 1; get_local_size(0) > k; k += k) {
        barrier(CLK_LOCAL_MEM_FENCE);
        short a;
        if (k <= l) {
            a = v[l - k];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (k <= l)
            v[l] = a + v[l];
    }
    // of numbers that round, and of half a work-group
    for (int k = 1; k < size; k *= 2) {
        float a = l >= k ? w[l - k] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        w[l] += a;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int k = 1; k < 8; k *= 2) {
        int a = 0;
        if (l >= k)
            a = t[l - k];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] += a;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[g / 16] = t[15] + m;
    out[64 + g] = t[15 - l];
    out[128 + g] = u[15 - l] + v[15 - l];
    out[192 + g] = (int)w[15 - l];
}
