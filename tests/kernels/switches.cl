// SPDX-License-Identifier: BSD-3-Clause
// switch, do, ?:, empty statements.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0), s = 0, u = 0;
    switch (g % 4) {
    case 0:
        s = 1;
        break;
    case 1:
    case 2:
        s = 2;
        /* fall through */
    default:
        s += 10;
    }
    switch (n & 3) {
    case 0:
        s += g;
        break;
    default:
        u = 4;
    }
    switch (n & 1) {
    case 0: u += 1; break;
    case 1: u += 2;
    }
    ;
    do
        s++;
    while (s < 5);
    out[g] = s > 6 ? g % 2 ? s : -s : u;
    if (n > 5) s += g; else if (n > 6) u = 2; else s = 1;
    if (n < 0)
        ;
    else
        s += 2;
    out[g + 64] = s + u;
}
