// SPDX-License-Identifier: BSD-3-Clause
// local 16 global 64
// Behind a return that some take, with barriers: loops and branches where nobody has left.
kernel void k(global const int *in, global int *out, int n)
{
    local int tile[16];
    int g = get_global_id(0), l = get_local_id(0);
    int sum = g;

    tile[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (g >= n / 341)
        return;
    for (int i = 0; i < 5; i++)
        sum += tile[(l + i) & 7] * i;
    if (l < 9) {
        for (int i = 0; i < 3; i++)
            sum ^= in[i + g];
    } else {
        int extra = l;
        for (int i = 0; i < 2; i++)
            extra += in[g] * i;
        sum -= extra;
    }
    if (n > 5) {
        sum += 3;
        out[1024 + g] = sum;
    }
    for (int i = 0; i < 2; i++) {
        barrier(CLK_GLOBAL_MEM_FENCE);
        sum += i;
        if (l >= 4)
            sum += 2;
    }
    out[g] = sum;
}
