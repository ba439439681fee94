// SPDX-License-Identifier: BSD-3-Clause
// Compound assignments, side effects in conditions, comma expressions, several declarators.
// local 16 global 64
kernel void k(global const int *in, global int *out, int n)
{
    int g = get_global_id(0), i = 5, j = g, m = 7, *p = &m;
    int s = 0;
    while (i-- > 0)
        s += j++ * i;
    if (m++ < 8 && j-- > 3)
        s ^= m;
    i = 3, s += i, j <<= 1, m *= 2;
    s += (i++, j++, i + j);
    for (int a = 0, b = g; a < 4; a++, b += a)
        s += b;
    for (i = 0, j = g; i < 3; ++i, --j)
        s += j, m++;
    out[g] = s + (m > 10 ? *p : -*p) + i;
}
