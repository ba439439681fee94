// SPDX-License-Identifier: BSD-3-Clause
// Braces that come where comments stand.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0), s = 0;
    if (n > 5) // first
        s += g; // second
    else // third
        s -= g; // fourth
    if (n > 6)
        s += g;
    else if (n > 7) /* fifth */
        s -= g;
    else
        s ^= g;
    int i = 0;
    while (i++ < 3) // sixth
        s += g * i;
    do // seventh
        s += g + i;
    while (--i > 0);
    if (n < 5) s = g; else s++;
    if (n > 5) s++; else s = g;
    out[g] = s;
}
