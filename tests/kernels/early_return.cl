// SPDX-License-Identifier: BSD-3-Clause
// An early return, then another one, one in a loop.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0);
    int u = n & 7;
    if (g >= 50)
        return;
    u += 3;
    int s = in[g] + u;
    if (g % 5 == 1) {
        out[g] = -1;
        return;
    }
    for (int i = 0; i < 10; i++) {
        s += i;
        if (s % 11 == 4) {
            out[g] = s;
            return;
        }
    }
    u++;
    out[g] = s * 2 + u;
}
