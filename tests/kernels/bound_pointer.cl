// SPDX-License-Identifier: BSD-3-Clause
// A loop whose bound changes through a pointer (found by random kernel 3).
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    uint x = 12, y = 0, g = get_global_id(0);
    uint *q = &x;
    for (uint i = 0; i < (x & 15u); i += 2) {
        *q ^= in[i & 63] + i;
        y += i + x * 3u;
    }
    int c = 0, *r = &c;
    for (c = 0; c < 9; c++) {
        *r += in[c & 63] & 1;
        y += c;
    }
    out[g] = y + x + c;
}
