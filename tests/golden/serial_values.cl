// SPDX-License-Identifier: BSD-3-Clause
// --local=16 --variant='geometry(serial=yes)'
kernel void k(global const int *in, global int *out, int n)
{
    __local int shared[16];
    int x = get_global_id(0), l = get_local_id(0);
    int steps = n / 2;
    int last[2];
    last[0] = in[x];
    int2 seen = 0;
    for (int i = 1; i < steps; i++) {
        if (i == 7)
            break; // all together
        shared[l] = in[x] + i;
        barrier(CLK_LOCAL_MEM_FENCE);
        last[i % 2] = shared[15 - l];
        seen.x += last[0];
        steps--;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x >= n)
        return;
    out[x] = seen.x + last[1];
}
