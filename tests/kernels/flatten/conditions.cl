// SPDX-License-Identifier: BSD-3-Clause
// Conditions of every type and with effects; branches in loops, switches and without braces.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0), a = in[g], b = 1, s = 0;
    global const int *from = in;
    global const int *none = 0;
    bool odd = g & 1;
    float f = a - 400;
    if (a++ % 2)
        s += a;
    if (f)
        s -= 3;
    if (odd)
        from = in + 1;
    else
        none = in;
    if (none)
        s += 8;
    if ((a ^= 5, a > 300) && a % 5 || b--)
        s ^= a;
    for (int i = 0; i < (g & 7); i++)
        if ((i + g) % 3)
            s += (a > i ? i : a), b += s && i;
        else if (i == 2)
            s = i | (b ? 64 : s);
    switch (g & 3) {
    case 1:
        if (a & 8)
            b = 7;
        break;
    case 2:
        s++;
        if (a & 4)
            b = 8;
    default:
        b--;
    }
    if (g < 60) {
        if (g % 7 == 2)
            return;
        if (g % 5 == 2)
            s = -1;
    } else if (f > 0.0f)
        s = 2;
    out[g] = s + from[g];
    out[64 + g] = a * 3 + b;
}
