// SPDX-License-Identifier: BSD-3-Clause
// Conditions that are the same for a group: two in a loop, the same one twice, nested loops, else.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0), mode = n % 7, s = 0, t = 1;
    const bool even = get_group_id(0) % 2 == 0;
#pragma unroll 2
    for (int i = 0; i < 9; i++) {
        int j = i;
        if (mode == 4) { // one
            s += in[i + g];
            if (s > 2000)
                break;
        } else {
            int j = 2;
            s ^= j;
        }
        while (j-- > 0) {
            if (even)
                t += s;
            else if (mode)
                t--;
            if (j == 3)
                continue;
            if (mode == 4)
                t ^= 5;
        }
        if (even)
            ;
        else
            s++;
    }
    int k = 3;
    do
        if (even)
            s += k;
        else
            s -= k;
    while (--k);
    char small = 3, other = 4;
    for (int i = 0; i < (mode == 4 ? 5 : 6); i++)
        s += (even ? in[i] : i) * (even ? small : other) + (mode ? 1u : i);
    out[g] = s;
    out[64 + g] = t;
}
