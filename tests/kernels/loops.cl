// SPDX-License-Identifier: BSD-3-Clause
// Loops of every kind, to be unrolled.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0), s = 0, m = n / 1500, i;
    for (int i = 0; i < m; i++) { // unknown
        int t = in[i];
        s += t;
    }
    for (uint j = m; j > 3; j -= 2)
        s += in[j];
    for (int j = m - 20; j >= -3; --j)
        s += j;
    for (int i = 1; i <= 10; ++i)
        s += i * in[i];
    for (i = 0; i != 9; i += 3)
        s = s * 3 + i;
    s += i;
    for (long i = 2; i < m; i += 3)
        s -= i;
    for (int i = in[0] & 3; i < (in[1] & 7) + m; i++) {
        if (in[i] % 9 == 7)
            break;
        s++;
    }
    while (s > 100)
        s /= 2;
    do
        s++;
    while (s & 3);
#pragma unroll
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            s += j ^ s;
    for (int i = 5; i < 3; i++)
        s = 0;
    if (m > 2)
        for (i = 0; i < 5; i++)
            s += i;
    else
        for (i = 0; i < 2; i++)
            s -= i;
    for (int i = 0, j = g; i < 7; i++, j += i)
        s += j;
    out[g] = s * 10 + i;
}
