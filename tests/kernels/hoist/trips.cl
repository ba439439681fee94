// SPDX-License-Identifier: BSD-3-Clause
// Loops that do not turn, that end in a branch, that hold a switch or a barrier.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    local int t[16];
    int l = get_local_id(0), g = get_global_id(0), s = 0, limit;
    int group = get_group_id(0);
    limit = n & 8;
    for (int i = 5; i < limit; i++)
        if (n / 3 > limit)
            s = 1;
    for (int i = 0; i < 12; i++) {
        if (group > 1) {
            if (in[g + i] > 900)
                break;
            s += i;
            continue;
        }
        switch (i & 3) {
        case 0:
            s += 2;
            break;
        default:
            if (group == 1)
                s ^= 9;
            else
                s -= i;
        }
    }
    for (int i = 0; i < 4; i++) {
        t[l] = s + i;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (limit)
            s += t[15 - l];
        else
            s -= t[l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = s;
}
